// A tree that grows: boxes are inserted one by one, and optionally removed and moved. Marks the newest box,
// the path from its leaf to the root, and the nodes that the insertion considered as its sibling.
//
// Every operation of the tree, rotations included, is stored with the tree after it: `tree.undo` and
// `tree.redo` step through them and show what each one changed.
#include <algorithm>
#include <memory>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/operation_log.hpp"
#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"
#include "scenes/trees/operations.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "settings/tree.hpp"
#include "workloads/random.hpp"
#include "world/tree_settings.hpp"

namespace lab::scenes {
namespace {

constexpr Setting<int> kGrowPeriod{{
    .id = "grow.period",
    .label = "Steps per box",
    .help = "Scene aabb-tree: fixed steps from one insertion to the next",
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
                                         Choice{"churn", "Boxes move and go", GrowThen::Churn}};
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
/// Limits of the stored operations: their number, and the nodes in all of their trees.
constexpr std::size_t kMaxKept = 200;
constexpr std::size_t kMaxKeptNodes = 40'000;

/// An operation, and the tree after it. Immutable: copies of the scene share it.
struct Operation {
    std::uint32_t number = 0;  ///< Counted from 1 since the scene began.
    bv::Operation kind{};
    std::uint32_t node = 0;
    double area_before = 0, area_after = 0;  ///< Of the inner nodes.
    std::vector<std::uint32_t> changed;      ///< Nodes, by their numbers in the tree.
    bv::TreeSnapshot before, after;
};

const char* name_of(bv::Operation kind) {
    static constexpr const char* kNames[] = {"insert", "remove",  "move",     "refit",
                                             "rotate", "rebuild", "reinsert", "clear"};
    return kNames[static_cast<std::size_t>(kind)];
}

/// The place of a node in a snapshot, or kNone.
std::uint32_t place_of(const bv::TreeSnapshot& tree, std::uint32_t node) {
    const auto at = std::find(tree.source_nodes.begin(), tree.source_nodes.end(), node);
    return at == tree.source_nodes.end() ? bv::TreeSnapshot::kNone
                                         : static_cast<std::uint32_t>(at - tree.source_nodes.begin());
}

class AabbTree final : public SceneOf<AabbTree>, public KeepsOperations {
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
        shown_ = kept_.size();  // new operations are shown
        tree_.set_options(tree_options(context.settings));
        if (static_cast<int>(ids_.size()) < context.settings[kGrowCount])
            insert();
        else if (context.settings[kGrowThen] == GrowThen::Churn)
            churn();
        shown_ = kept_.size();
    }

    std::optional<std::string> step_operations(int by) override {
        const auto goal = static_cast<std::ptrdiff_t>(shown_) + by;
        if (goal < 0) return kept_.empty() ? "nothing has happened yet" : "earlier operations are not kept";
        if (goal > static_cast<std::ptrdiff_t>(kept_.size())) return "there is no later operation";
        shown_ = static_cast<std::size_t>(goal);
        return std::nullopt;
    }

    void show(const SceneContext&, FrameResults& results) const override {
        bv::TreeSnapshot tree = shown_tree();
        results.bounds = bv::merge(results.bounds, bv::Aabb{kLow, kHigh});
        const bool newest_shown = shown_ == kept_.size() && inserted_last_ && !ids_.empty();
        for (std::size_t i = 0; i < tree.payloads.size(); ++i) {
            const bool newest = newest_shown && tree.payloads[i] == names_.back();
            Exhibit& box = newest ? put(results, tree.payload_boxes[i], Role::Selected,
                                        fmt::format("box {}", tree.payloads[i] + 1), 0.25f)
                                  : put(results, tree.payload_boxes[i], Role::AabbTight, {}, 0.05f);
            box.width_px = newest ? 3.0f : 1.5f;
            box.legend = newest ? "newest box" : "box";
        }
        if (newest_shown) {
            show_path(results, tree);
            show_considered(results);
        } else if (shown_ > 0) {
            show_change(results, *kept_[shown_ - 1]);
        }
        const bv::TreeMetrics m = bv::measure(tree);
        Table table{"aabb_tree",
                    "The tree so far",
                    {"leaves", "height", "optimum", "area ratio", "SAH cost", "undone"}};
        table.add({cells::whole(m.leaves), cells::whole(m.height), cells::whole(m.optimal_height),
                   cells::trimmed(m.area_ratio), cells::trimmed(m.sah), cells::whole(kept_.size() - shown_)});
        results.tables.push_back(std::move(table));
        list_operations(results);
        results.trees.emplace_back("growing", std::move(tree));
    }

    [[nodiscard]] std::size_t memory_bytes() const override {
        return sizeof(*this) + 100 * (kept_nodes_ + ids_.size());
    }

  private:
    void insert() {
        const glm::vec3 center = random_.in_box(kLow + 0.6f, kHigh - 0.6f);
        const glm::vec3 half = random_.in_box(glm::vec3(0.2f), glm::vec3(0.55f));
        before_ = tree_.snapshot();
        trace_.clear();
        inserted_last_ = true;
        keep([&] {
            const bv::InsertResult result = tree_.insert({center - half, center + half}, next_name_, trace_);
            if (!result) return;
            ids_.push_back(result.id);
            names_.push_back(next_name_++);
        });
    }

    /// A box moves, and every third time one goes away, so that the next step brings a new one.
    void churn() {
        inserted_last_ = false;
        const auto at = static_cast<std::ptrdiff_t>(random_.below(static_cast<std::uint32_t>(ids_.size())));
        const bv::ProxyId id = ids_[static_cast<std::size_t>(at)];
        if (churned_++ % 3 == 2) {
            keep([&] { tree_.remove(id); });
            ids_.erase(ids_.begin() + at);
            names_.erase(names_.begin() + at);
            return;
        }
        const bv::Aabb box = tree_.tight_box(id);
        const glm::vec3 center = random_.in_box(kLow + 0.6f, kHigh - 0.6f);
        keep([&] { tree_.move(id, {center - box.half_extents(), center + box.half_extents()}); });
    }

    /// Changes the tree and stores every operation of the change, with the tree after each.
    template <class Action>
    void keep(Action&& action) {
        bv::OperationLog log;
        tree_.set_log(&log);
        bv::TreeSnapshot before = tree_.snapshot();
        action();
        while (tree_.undo()) {
        }
        while (tree_.redo()) {
            const bv::OperationLog::Entry& entry = log[log.position() - 1];
            auto operation = std::make_shared<Operation>();
            operation->kind = entry.operation;
            operation->node = entry.node.value;
            operation->number = ++operations_;
            operation->area_before = entry.area_before;
            operation->area_after = entry.area_after;
            operation->changed = entry.nodes;
            operation->before = std::exchange(before, tree_.snapshot());
            operation->after = before;
            kept_nodes_ += operation->before.size() + operation->after.size();
            kept_.push_back(std::move(operation));
        }
        tree_.set_log(nullptr);
        while (kept_.size() > kMaxKept || (kept_nodes_ > kMaxKeptNodes && kept_.size() > 1)) {
            kept_nodes_ -= kept_.front()->before.size() + kept_.front()->after.size();
            kept_.erase(kept_.begin());
        }
    }

    [[nodiscard]] bv::TreeSnapshot shown_tree() const {
        if (kept_.empty() || shown_ == kept_.size()) return tree_.snapshot();
        return shown_ > 0 ? kept_[shown_ - 1]->after : kept_.front()->before;
    }

    /// The boxes from the newest leaf to the root, which had to grow.
    void show_path(FrameResults& results, const bv::TreeSnapshot& tree) const {
        const std::uint32_t leaf = place_of(tree, tree_.leaf_node(ids_.back()).value);
        if (leaf == bv::TreeSnapshot::kNone) return;
        for (std::uint32_t up = tree.parents[leaf]; up != bv::TreeSnapshot::kNone; up = tree.parents[up]) {
            Exhibit& node = put(results, tree.boxes[up], Role::Visited);
            node.width_px = 2.0f;
            node.legend = "path to the root: had to grow";
        }
    }

    /// The boxes that an operation changed, before and after it.
    static void show_change(FrameResults& results, const Operation& operation) {
        for (const std::uint32_t node : operation.changed) {
            const std::uint32_t was = place_of(operation.before, node);
            const std::uint32_t is = place_of(operation.after, node);
            const bool was_there = was != bv::TreeSnapshot::kNone;
            const bool is_there = is != bv::TreeSnapshot::kNone;
            if (was_there && is_there && operation.before.boxes[was] == operation.after.boxes[is]) continue;
            if (was_there) {
                Exhibit& old = put(results, operation.before.boxes[was], Role::Culled);
                old.width_px = 1.5f;
                old.legend = "before the operation";
            }
            if (!is_there) continue;
            Exhibit& now = put(results, operation.after.boxes[is], Role::Hit);
            now.width_px = 2.5f;
            now.legend = "after it";
        }
        const std::uint32_t at = place_of(operation.after, operation.node);
        if (at != bv::TreeSnapshot::kNone)
            put_note(results, operation.after.boxes[at].center(), Role::Hit,
                     fmt::format("{} {}", name_of(operation.kind), operation.node));
    }

    void list_operations(FrameResults& results) const {
        if (kept_.empty()) return;
        Table table{"tree_operations",
                    "Operations",
                    {"#", "operation", "node", {"area before", "m²"}, {"area after", "m²"}, "change"}};
        constexpr std::size_t kAround = 6;
        const std::size_t from = shown_ > kAround ? shown_ - kAround : 0;
        for (std::size_t i = std::min(kept_.size(), shown_ + kAround); i-- > from;) {
            const Operation& o = *kept_[i];
            const bool here = i + 1 == shown_;
            table.add(
                {cells::whole(o.number), name_of(o.kind), cells::whole(o.node), cells::trimmed(o.area_before),
                 cells::trimmed(o.area_after), cells::trimmed(o.area_after - o.area_before)},
                here ? Role::Selected : Role::Muted, here ? RowMark::Chosen : RowMark::None);
        }
        results.tables.push_back(std::move(table));
    }

    /// The siblings that the insertion considered, cheapest first, with the boxes before it.
    void show_considered(FrameResults& results) const {
        std::vector<bv::SiblingConsidered> considered;
        for (const bv::TraceEvent& event : trace_.events())
            if (const auto* sibling = std::get_if<bv::SiblingConsidered>(&event))
                considered.push_back(*sibling);
        // Each best-so-far candidate is marked as chosen; the last one was taken.
        bool taken = false;
        for (auto s = considered.rbegin(); s != considered.rend(); ++s)
            s->chosen = s->chosen && !std::exchange(taken, true);
        std::stable_sort(considered.begin(), considered.end(), [](const auto& a, const auto& b) {
            return a.direct + a.inherited < b.direct + b.inherited;
        });
        Table table{"siblings",
                    "Weighed as sibling of the new box",
                    {"node", {"direct", "m²"}, {"inherited", "m²"}, {"sum", "m²"}, {"bound", "m²"}}};
        constexpr std::size_t kRows = 12;
        for (std::size_t i = 0; i < std::min(considered.size(), kRows); ++i) {
            const bv::SiblingConsidered& s = considered[i];
            table.add({cells::whole(s.node.value), cells::trimmed(s.direct), cells::trimmed(s.inherited),
                       cells::trimmed(s.direct + s.inherited), cells::trimmed(s.lower_bound)},
                      s.chosen ? Role::Selected : Role::Muted, s.chosen ? RowMark::Chosen : RowMark::None);
        }
        if (!considered.empty()) results.tables.push_back(std::move(table));
        for (const bv::SiblingConsidered& s : considered) {
            const std::uint32_t at = s.chosen ? place_of(before_, s.node.value) : bv::TreeSnapshot::kNone;
            if (at == bv::TreeSnapshot::kNone) continue;
            Exhibit& sibling = put(results, before_.boxes[at], Role::Hit, "sibling");
            sibling.width_px = 2.5f;
            sibling.legend = "sibling that it was given";
        }
    }

    bv::DynamicTree tree_;
    bv::TreeSnapshot before_;
    bv::Recording trace_;
    bv::workloads::Random random_{1};
    std::vector<bv::ProxyId> ids_;
    std::vector<std::uint64_t> names_;  // of the boxes, in the order of ids_
    std::uint64_t next_name_ = 0;
    std::vector<std::shared_ptr<const Operation>> kept_;
    std::size_t kept_nodes_ = 0;
    std::size_t shown_ = 0;  // number of stored operations done in the tree on show
    std::uint32_t operations_ = 0;
    std::uint32_t churned_ = 0;
    bool inserted_last_ = false;
    int steps_ = 0;
};

}  // namespace

extern constinit const SceneSpec aabb_tree_scene{
    .id = "aabb-tree",
    .category = "Trees",
    .title = "A growing tree",
    .summary =
        "Boxes go into the tree one by one. The newest is marked, with the sibling that it was given, the "
        "path to the root that had to grow, and what every weighed sibling would have cost.",
    .make = make_scene<AabbTree>,
    .settings = kSettings,
    .keeps_operations = true,
};

}  // namespace lab::scenes
