// Building a tree from the top, split by split: the planes that are weighed, their cost, and the two halves.
#include <memory>

#include "bv/tree/dynamic_tree.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/steps.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr std::array kBuilderChoices = {Choice{"binned", "Binned SAH", bv::Builder::BinnedSah},
                                        Choice{"sweep", "Sweep SAH", bv::Builder::SweepSah},
                                        Choice{"median", "Median", bv::Builder::Median},
                                        Choice{"morton", "Morton", bv::Builder::Morton}};
constexpr Setting<int> kSplitBuilder{{
    .id = "split.algorithm",
    .label = "Builder",
    .help = "Scene sah-split: which builder is stepped",
    .default_value = "binned",
    .choices = kBuilderChoices,
    .remembered = false,
}};
constexpr Setting<int> kSplitCount{{
    .id = "split.count",
    .label = "Boxes",
    .help = "Scene sah-split: how many boxes",
    .default_value = "40",
    .min = 2,
    .max = 5000,
    .remembered = false,
}};
constexpr Setting<bool> kSplitClusters{{
    .id = "split.clusters",
    .label = "Clusters",
    .help = "Scene sah-split: three clusters in place of evenly spread boxes",
    .default_value = "true",
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSplitBuilder, &kSplitCount, &kSplitClusters};

constexpr std::size_t kMaxEvents = 100'000;

/// The boxes below a node of a snapshot.
void collect(const bv::TreeSnapshot& tree, std::uint32_t node, std::vector<bv::Aabb>& boxes) {
    for (std::uint32_t p = 0; p < tree.payload_count[node]; ++p)
        boxes.push_back(tree.payload_boxes[tree.first_payload[node] + p]);
    for (std::uint32_t c = 0; c < tree.child_count[node]; ++c)
        collect(tree, tree.first_child[node] + c, boxes);
}

/// Inner nodes in depth-first order, the order in which a builder splits them.
void inner_nodes(const bv::TreeSnapshot& tree, std::uint32_t node, std::vector<std::uint32_t>& nodes) {
    if (tree.is_leaf(node)) return;
    nodes.push_back(node);
    for (std::uint32_t c = 0; c < tree.child_count[node]; ++c)
        inner_nodes(tree, tree.first_child[node] + c, nodes);
}

class SahSplit final : public SceneOf<SahSplit> {
  public:
    void setup(SceneContext& context) override { clear_the_board(context.settings); }

    void analyze(const SceneContext& context, const FrameResults&) override {
        const int builder = context.settings[kSplitBuilder];
        const auto count = static_cast<std::size_t>(context.settings[kSplitCount]);
        const bool clusters = context.settings[kSplitClusters];
        if (walk_ && builder == builder_ && count == boxes_.size() && clusters == clusters_ &&
            context.seed == seed_)
            return;
        builder_ = builder;
        clusters_ = clusters;
        seed_ = context.seed;
        make_boxes(count);
        bv::TreeOptions options;
        options.margin = bv::Margin::None;
        bv::DynamicTree tree(options);
        for (std::size_t i = 0; i < boxes_.size(); ++i)
            (void)tree.insert(boxes_[i], i);
        bv::Recording trace(kMaxEvents);
        (void)tree.rebuild(static_cast<bv::Builder>(builder), trace);
        const bv::TreeSnapshot snapshot = tree.snapshot();
        const double sah = bv::measure(snapshot).sah;
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("build.split"), subject_of(snapshot, trace), trace,
            fmt::format("{}: {} boxes, height {}, SAH cost {}.", context.settings.choice(kSplitBuilder).label,
                        boxes_.size(), tree.height(), number(sah)));
    }

    void show(const SceneContext&, FrameResults& results) const override {
        for (const bv::Aabb& box : boxes_)
            put(results, box, Role::TreeLeaf).width_px = 1.0f;
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }
    [[nodiscard]] std::size_t memory_bytes() const override {
        return boxes_.size() * sizeof(bv::Aabb) + (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    void make_boxes(std::size_t count) {
        boxes_.clear();
        bv::workloads::Random random(seed_);
        for (std::size_t i = 0; i < count; ++i) {
            const float z = random.uniform(-1.5f, 1.5f);
            const float y = random.uniform(0.3f, 2.7f);
            const float x = random.uniform(-3.0f, 3.0f);
            glm::vec3 center(x, y, z);
            if (clusters_) {
                const glm::vec3 middle[] = {{-2.2f, 0.8f, -0.6f}, {0.3f, 2.0f, 0.5f}, {2.3f, 0.9f, 0.2f}};
                center = middle[i % 3] + 0.28f * (center - glm::vec3(0.0f, 1.5f, 0.0f));
            }
            const float half_z = random.uniform(0.04f, 0.16f);
            const float half_y = random.uniform(0.04f, 0.16f);
            const float half_x = random.uniform(0.04f, 0.16f);
            const glm::vec3 half(half_x, half_y, half_z);
            boxes_.push_back({center - half, center + half});
        }
    }

    /// Splits name nodes by their numbers during the build; they are in the depth-first order of the tree.
    static steps::Subject subject_of(const bv::TreeSnapshot& tree, const bv::Recording& trace) {
        steps::Subject subject;
        if (tree.empty()) return subject;
        std::vector<std::uint32_t> inner;
        inner_nodes(tree, 0, inner);
        std::size_t next = 0;
        std::uint32_t before = 0xffffffffu;
        for (const bv::TraceEvent& event : trace.events()) {
            const auto* split = std::get_if<bv::SplitEvaluated>(&event);
            if (!split || split->node.value == before || next >= inner.size()) continue;
            before = split->node.value;
            if (before >= subject.nodes.size()) {
                subject.nodes.resize(before + std::size_t{1});
                subject.contents.resize(before + std::size_t{1});
            }
            subject.nodes[before] = steps::as_obb(tree.boxes[inner[next]]);
            collect(tree, inner[next], subject.contents[before]);
            ++next;
        }
        return subject;
    }

    int builder_ = -1;
    bool clusters_ = false;
    std::uint64_t seed_ = 0;
    std::vector<bv::Aabb> boxes_;
    std::shared_ptr<const steps::Walk> walk_;
};

}  // namespace

extern constinit const SceneSpec sah_split_scene{
    .id = "sah-split",
    .category = "Trees",
    .title = "Splits of a builder",
    .summary =
        "A builder halves the boxes, from the root down. The surface area heuristic weighs planes on each "
        "axis by area times count on both sides and takes the cheapest. Step with the arrow keys.",
    .make = make_scene<SahSplit>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes
