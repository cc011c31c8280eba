// One insertion into a dynamic tree, step by step: the siblings that are weighed, the one that is chosen, and
// the rotations afterwards.
#include <memory>

#include "bv/tree/dynamic_tree.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/steps.hpp"
#include "settings/tree.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"
#include "world/tree_settings.hpp"

namespace lab::scenes::insertion_scene {
namespace {

constexpr Setting<int> kInsertionCount{{
    .id = "insertion.count",
    .label = "Boxes",
    .help = "Scene insertion: how many boxes the tree starts with",
    .default_value = "20",
    .min = 1,
    .max = 2000,
    .remembered = false,
}};
constexpr Setting<bool> kInsertionSorted{{
    .id = "insertion.sorted",
    .label = "Sorted input",
    .help = "Scene insertion: insert the boxes from left to right, which makes an unbalanced tree that "
            "rotations repair",
    .default_value = "true",
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kInsertionCount, &kInsertionSorted, &kTreeInsertion,
                                            &kTreeBalance};

bv::Aabb box_around(const glm::vec3& center) {
    return {center - 0.16f, center + 0.16f};
}

const steps::Algorithm& algorithm_of(bv::Insertion insertion) {
    return steps::algorithm(insertion == bv::Insertion::Manhattan   ? "dynamic.insertion_nearest"
                            : insertion == bv::Insertion::GreedySah ? "dynamic.insertion_greedy"
                                                                    : "dynamic.insertion");
}

class InsertionScene final : public SceneWithHandles<InsertionScene> {
  public:
    void setup(SceneContext& context) override {
        clear_the_board(context.settings);
        context.settings.assign(kDrawTree, true);
        handles_.add("box", {0.4f, 1.2f, 0.4f}, "the new box", {.name = "New box, center"});
        handles_.add_numbers("box.half", glm::vec3(0.16f), {.name = "New box, half size", .is_size = true});
    }

    bool drag(SceneContext&, std::string_view id, const glm::vec3& position) override {
        return handles_.drag(id, position);
    }

    void analyze(const SceneContext& context, const FrameResults&) override {
        grow(context);
        bv::DynamicTree tree = tree_;
        tree.set_options(options_);
        bv::Recording trace;
        const auto added = tree.insert(new_box(), boxes_.size(), trace);
        steps::Subject subject;
        subject.tree = tree_.snapshot();
        subject.tree_name = kName;
        subject.insertions = {options_.insertion};
        after_ = tree.snapshot();
        const bool done = added.status == bv::TreeStatus::Ok;
        walk_ = std::make_shared<const steps::Walk>(
            algorithm_of(options_.insertion), std::move(subject), trace,
            done ? fmt::format("The tree of {} has height {} before the insertion and {} after.",
                               io::counted(boxes_.size(), "box", "boxes"), tree_.height(), tree.height())
                 : "The box was rejected: it is not finite.");
    }

    void show(const SceneContext&, FrameResults& results) const override {
        for (const bv::Aabb& box : boxes_)
            put(results, box, Role::TreeLeaf, {}, 0.1f).width_px = 1.0f;
        put(results, new_box(), Role::Kdop, {}, 0.4f).legend = "new leaf";
        handles_.show(results);
        if (!results.walk || results.walk->number == 0) results.trees.emplace_back(kName, after_);
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return tree_.memory_bytes() + (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    static constexpr const char* kName = "tree";

    /// The tree before the insertion, rebuilt when the input changes.
    void grow(const SceneContext& context) {
        const bv::TreeOptions options = tree_options(context.settings);
        const auto count = static_cast<std::size_t>(context.settings[kInsertionCount]);
        const bool sorted = context.settings[kInsertionSorted];
        if (count == boxes_.size() && sorted == sorted_ && context.seed == seed_ && options == options_)
            return;
        options_ = options;
        sorted_ = sorted;
        seed_ = context.seed;
        boxes_.clear();
        bv::TreeOptions plain = options;
        plain.balancing = bv::Balancing::None;  // leaves something to do for the insertion that is stepped
        tree_ = bv::DynamicTree(plain);
        bv::workloads::Random random(seed_);
        for (std::size_t i = 0; i < count; ++i) {
            const float share = (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
            const float x = sorted ? 6.0f * share - 3.0f : random.uniform(-3.0f, 3.0f);
            const float y = random.uniform(0.3f, 2.3f);
            boxes_.push_back(box_around({x, y, random.uniform(-1.5f, 1.5f)}));
            (void)tree_.insert(boxes_.back(), i);
        }
    }

    [[nodiscard]] bv::Aabb new_box() const {
        const glm::vec3 half = glm::abs(handles_["box.half"]);
        return {handles_["box"] - half, handles_["box"] + half};
    }

    std::vector<bv::Aabb> boxes_;
    bool sorted_ = false;
    std::uint64_t seed_ = 0;
    bv::TreeOptions options_;
    bv::DynamicTree tree_;
    bv::TreeSnapshot after_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "insertion",
    .category = "Trees",
    .title = "One insertion",
    .summary =
        "Where does a new leaf go? Each candidate sibling has a cost: the area of the new parent plus the "
        "growth of all ancestors. Then rotations repair the path. Drag the new box; step with the arrow "
        "keys.",
    .make = make_scene<InsertionScene>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::insertion_scene
