// A tree that grows: boxes are inserted one by one, and optionally removed and moved. Its last changes are
// kept as recordings: the stepper walks through all of them, weighed siblings, refitted ancestors and
// rotations included, with the tree as it is at each step.
#include <algorithm>
#include <memory>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "io/text/counted.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "settings/steps.hpp"
#include "settings/tree.hpp"
#include "steps/walk.hpp"
#include "workloads/random.hpp"
#include "world/tree_settings.hpp"

namespace lab::scenes::aabb_tree_scene {
namespace {

constexpr Setting<int> kGrowPeriod{{
    .id = "grow.period",
    .label = "Steps per box",
    .help = "Scene aabb-tree: simulation steps from one insertion to the next",
    .default_value = "10",
    .min = 1,
    .max = 600,
    .remembered = false,
}};

constexpr Setting<int> kGrowCount{{
    .id = "grow.count",
    .label = "Boxes",
    .help = "Scene aabb-tree: how many boxes are inserted",
    .default_value = "40",
    .min = 1,
    .max = 2000,
    .remembered = false,
}};

enum class GrowThen : unsigned char { Stop, Churn };
constexpr std::array kGrowThenChoices = {Choice{"stop", "Nothing", GrowThen::Stop},
                                         Choice{"churn", "Boxes move and leave", GrowThen::Churn}};
constexpr Setting<GrowThen> kGrowThen{{
    .id = "grow.then",
    .label = "Then",
    .help = "Scene aabb-tree: what happens once all boxes are in the tree",
    .default_value = "stop",
    .choices = kGrowThenChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kGrowPeriod, &kGrowCount, &kGrowThen, &kTreeInsertion,
                                            &kTreeBalance};

constexpr glm::vec3 kLow(-5.0f, 0.0f, -3.5f);
constexpr glm::vec3 kHigh(5.0f, 5.0f, 3.5f);
/// Limits of the kept changes: their number, and that of their steps.
constexpr std::size_t kMaxKept = 400;
constexpr std::size_t kMaxKeptSteps = 20'000;

/// One insertion, removal or move, with its steps. Immutable: copies of the scene share it.
struct Change {
    std::uint32_t number = 0;  ///< Counted from 1 since the scene began.
    const char* kind = "";
    std::uint64_t box = 0;
    bv::TreeSnapshot before;
    bv::Recording trace;
    double area_before = 0, area_after = 0;  ///< Of the inner nodes.
    bv::Aabb inserted;                       ///< The tight box of an insertion or a move.
    bv::Insertion insertion{};
};

double inner_area(const bv::TreeSnapshot& tree) {
    double area = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        if (!tree.is_leaf(i)) area += static_cast<double>(tree.boxes[i].surface_area());
    return area;
}

class AabbTree final : public SceneOf<AabbTree> {
  public:
    void setup(SceneContext& context) override {
        random_ = bv::workloads::Random(context.seed);
        clear_the_board(context.settings);
        context.settings.assign(kDrawTree, true);
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.35f;
    }

    void step(SceneContext& context, float) override {
        const int period = context.settings[kGrowPeriod];
        if (steps_++ % std::max(1, period) != 0) return;
        tree_.set_options(tree_options(context.settings));
        if (static_cast<int>(ids_.size()) < context.settings[kGrowCount])
            insert();
        else if (context.settings[kGrowThen] == GrowThen::Churn)
            churn();
    }

    void analyze(const SceneContext&, const FrameResults&) override {
        if (!kept_.empty() && walked_ == kept_.back()->number) return;
        if (kept_.empty()) return;
        walked_ = kept_.back()->number;
        bv::Recording all(2 * kMaxKeptSteps);
        firsts_.clear();
        steps::Subject subject;
        for (const auto& change : kept_) {
            firsts_.push_back(all.events().size() + 1);
            for (const bv::TraceEvent& event : change->trace.events())
                all(event);
            if (std::any_of(change->trace.events().begin(), change->trace.events().end(),
                            [](const auto& e) { return std::holds_alternative<bv::SiblingConsidered>(e); }))
                subject.insertions.push_back(change->insertion);
        }
        subject.tree = kept_.front()->before;
        subject.tree_name = kName;
        const bv::TreeMetrics m = bv::measure(tree_.snapshot());
        walk_ = std::make_shared<const steps::Walk>(
            steps::algorithm("dynamic.changes"), std::move(subject), all,
            fmt::format("The tree of {} has height {}, {}.", io::counted(m.leaves, "box", "boxes"), m.height,
                        m.height == m.optimal_height
                            ? std::string("the optimum")
                            : fmt::format("{} above the optimum", m.height - m.optimal_height)));
    }
    [[nodiscard]] const steps::Walk* stepped_walk() const override { return walk_.get(); }

    void show(const SceneContext&, FrameResults& results) const override {
        const std::size_t at = results.walk ? results.walk->number : 0;
        results.bounds = bv::merge(results.bounds, bv::Aabb{kLow, kHigh});
        list_changes(at, results);
        if (at != 0) return show_change(at, results);  // the stepper shows the tree of its step
        bv::TreeSnapshot tree = tree_.snapshot();
        put_boxes(tree, results);
        const bv::TreeMetrics m = bv::measure(tree);
        Table table{
            "aabb_tree", "The tree so far", {"leaves", "height", "optimum", "area ratio", "SAH cost"}};
        table.add({cells::grouped(m.leaves), cells::whole(m.height), cells::whole(m.optimal_height),
                   cells::trimmed(m.area_ratio), cells::trimmed(m.sah)});
        results.tables.push_back(std::move(table));
        show_newest(results);
        results.trees.emplace_back(kName, std::move(tree));
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + kept_steps_ * sizeof(bv::TraceEvent) + tree_.memory_bytes() +
               (walk_ ? walk_->memory_bytes() : 0);
    }

  private:
    static constexpr const char* kName = "growing";

    void insert() {
        const glm::vec3 center = random_.in_box(kLow + 0.6f, kHigh - 0.6f);
        const glm::vec3 half = random_.in_box(glm::vec3(0.2f), glm::vec3(0.55f));
        const bv::Aabb inserted{center - half, center + half};
        keep("insert", next_name_, inserted, [&](bv::Recording& trace) {
            const bv::InsertResult result = tree_.insert(inserted, next_name_, trace);
            if (!result) return;
            ids_.push_back(result.id);
            names_.push_back(next_name_++);
        });
    }

    /// A box moves, and every third time one goes away, so that the next step brings a new one.
    void churn() {
        const auto at = static_cast<std::ptrdiff_t>(random_.below(static_cast<std::uint32_t>(ids_.size())));
        const bv::ProxyId id = ids_[static_cast<std::size_t>(at)];
        const std::uint64_t name = names_[static_cast<std::size_t>(at)];
        if (churned_++ % 3 == 2) {
            keep("remove", name, {}, [&](bv::Recording& trace) { tree_.remove(id, trace); });
            ids_.erase(ids_.begin() + at);
            names_.erase(names_.begin() + at);
            return;
        }
        const bv::Aabb box = tree_.tight_box(id);
        const glm::vec3 center = random_.in_box(kLow + 0.6f, kHigh - 0.6f);
        const bv::Aabb moved{center - box.half_extents(), center + box.half_extents()};
        keep("move", name, moved, [&](bv::Recording& trace) { tree_.move(id, moved, {}, trace); });
    }

    template <class Action>
    void keep(const char* kind, std::uint64_t box, const bv::Aabb& inserted, const Action& action) {
        auto change = std::make_shared<Change>();
        change->number = ++changes_;
        change->kind = kind;
        change->box = box;
        change->inserted = inserted;
        change->before = tree_.snapshot();
        change->insertion = tree_.options().insertion;
        change->area_before = inner_area(change->before);
        action(change->trace);
        change->area_after = inner_area(tree_.snapshot());
        kept_steps_ += change->trace.events().size();
        kept_.push_back(std::move(change));
        while (kept_.size() > kMaxKept || (kept_steps_ > kMaxKeptSteps && kept_.size() > 1)) {
            kept_steps_ -= kept_.front()->trace.events().size();
            kept_.erase(kept_.begin());
        }
    }

    static void put_boxes(const bv::TreeSnapshot& tree, FrameResults& results) {
        for (const bv::Aabb& each : tree.payload_boxes) {
            Exhibit& box = put(results, each, Role::TreeLeaf, {}, 0.05f);
            box.width_px = 1.5f;
            box.legend = "box";
        }
    }

    /// The boxes before the change of a step, and the box that it inserts.
    void show_change(std::size_t step, FrameResults& results) const {
        const std::size_t number = change_of(step);
        if (number == 0 || number > kept_.size()) return;
        const Change& change = *kept_[number - 1];
        put_boxes(change.before, results);
        if (change.inserted.is_empty()) return;
        put(results, change.inserted, Role::Kdop, {}, 0.3f).legend = "new leaf";
    }
    /// The kept change that a step of the walk belongs to, counted from 1.
    [[nodiscard]] std::size_t change_of(std::size_t step) const {
        return static_cast<std::size_t>(std::upper_bound(firsts_.begin(), firsts_.end(), step) -
                                        firsts_.begin());
    }

    /// The sibling of the newest box, and the cost of every candidate. The steps mark the box itself and the
    /// path that grew.
    void show_newest(FrameResults& results) const {
        if (kept_.empty() || !walk_) return;
        const bv::LeafPlaced* placed = nullptr;
        std::vector<const bv::SiblingConsidered*> candidates;
        for (const bv::TraceEvent& event : kept_.back()->trace.events()) {
            if (const auto* e = std::get_if<bv::LeafPlaced>(&event)) placed = e;
            if (const auto* e = std::get_if<bv::SiblingConsidered>(&event)) candidates.push_back(e);
        }
        if (!placed || !placed->sibling.valid()) return;
        const bv::Aabb sibling = walk_->board(walk_->size()).tree.box(placed->sibling);
        Exhibit& box = put(results, sibling, Role::ProjectionB, {}, 0.1f);
        box.width_px = 2.5f;
        box.legend = "its sibling";
        Table table{"candidates",
                    fmt::format("Candidates for the sibling of box {}", kept_.back()->box),
                    {"node", {"new parent", "m²"}, {"ancestors grow by", "m²"}, {"cost", "m²"}}};
        for (const bv::SiblingConsidered* e : candidates) {
            const bool chosen = e->node == placed->sibling;
            const auto direct = static_cast<double>(e->direct), inherited = static_cast<double>(e->inherited);
            table.add({cells::whole(e->node.value), cells::trimmed(direct), cells::trimmed(inherited),
                       cells::trimmed(direct + inherited)},
                      chosen ? Role::ProjectionB : Role::Muted, chosen ? RowMark::Chosen : RowMark::None);
            if (!chosen) continue;
            results.exhibits.back().label = fmt::format("cost {} m²", number(direct + inherited));
        }
        if (!candidates.empty()) results.tables.push_back(std::move(table));
    }

    /// The changes around the step on show, or the last ones.
    void list_changes(std::size_t step, FrameResults& results) const {
        if (kept_.empty() || firsts_.size() != kept_.size()) return;
        const std::size_t here = step == 0 ? kept_.size() : change_of(step);
        Table table{"tree_changes",
                    "Changes",
                    {"#", "change", "box", "first step", {"inner area", "m²"}, {"change of area", "m²"}}};
        constexpr std::size_t kAround = 6;
        const std::size_t from = here > kAround ? here - kAround : 0;
        for (std::size_t i = std::min(kept_.size(), here + kAround); i-- > from;) {
            const Change& change = *kept_[i];
            const bool marked = step != 0 && i + 1 == here;
            table.add(
                {cells::whole(change.number), change.kind, cells::whole(change.box), cells::whole(firsts_[i]),
                 cells::trimmed(change.area_after), cells::trimmed(change.area_after - change.area_before)},
                marked ? Role::Selected : Role::Muted, marked ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
    }

    bv::DynamicTree tree_;
    bv::workloads::Random random_{1};
    std::vector<bv::ProxyId> ids_;
    std::vector<std::uint64_t> names_;  // of the boxes, in the order of ids_
    std::uint64_t next_name_ = 0;
    std::vector<std::shared_ptr<const Change>> kept_;
    std::vector<std::size_t> firsts_;  // the first step of each kept change in the walk
    std::size_t kept_steps_ = 0;
    std::shared_ptr<const steps::Walk> walk_;
    std::uint32_t walked_ = 0;  // the last change in the walk
    std::uint32_t changes_ = 0;
    std::uint32_t churned_ = 0;
    int steps_ = 0;
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "aabb-tree",
    .category = "Trees",
    .title = "A growing tree",
    .summary =
        "Boxes go into the tree one by one. The newest is marked, with its sibling and the path to the root "
        "that had to grow; a table lists the cost of every candidate sibling. Step with the arrow keys.",
    .make = make_scene<AabbTree>,
    .settings = kSettings,
    .steps = &kStepAt,
};

}  // namespace lab::scenes::aabb_tree_scene
