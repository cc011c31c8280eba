// A tree that grows: boxes are inserted one by one. Marked are the newest box, the path from its leaf to the
// root, and the nodes that the insertion weighed as its sibling.
#include <algorithm>
#include <memory>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "sandbox/scenes/factories.hpp"
#include "sandbox/scenes/staging.hpp"
#include "sandbox/settings.hpp"
#include "sandbox/tree_settings.hpp"
#include "workloads/random.hpp"

namespace lab::scenes {
namespace {

constexpr glm::vec3 kLow(-5.0f, 0.0f, -3.5f);
constexpr glm::vec3 kHigh(5.0f, 5.0f, 3.5f);

class AabbTree final : public SceneOf<AabbTree> {
  public:
    void setup(SceneContext& context) override {
        random_ = bv::workloads::Random(context.seed);
        clear_the_board(context.settings);
        (void)context.settings.set("draw.tree", "true");
        context.camera = {};
        context.camera.yaw_rad = 0.5f;
        context.camera.pitch_rad = 0.35f;
    }

    void step(SceneContext& context, float) override {
        const int period = context.settings.integer("grow.period");
        if (steps_++ % std::max(1, period) != 0) return;
        if (static_cast<int>(ids_.size()) >= context.settings.integer("grow.count")) return;
        insert(context.settings);
    }

    void show(const SceneContext&, FrameResults& results) const override {
        bv::TreeSnapshot tree = tree_.snapshot();
        results.bounds = bv::merge(results.bounds, bv::Aabb{kLow, kHigh});
        for (std::size_t i = 0; i + 1 < ids_.size(); ++i)
            put(results, tree_.tight_box(ids_[i]), Role::AabbTight, {}, 0.05f).width_px = 1.5f;
        if (!ids_.empty()) {
            Exhibit& newest = put(results, tree_.tight_box(ids_.back()), Role::Selected,
                                  fmt::format("box {}", ids_.size()), 0.25f);
            newest.width_px = 3.0f;
            show_path(results, tree);
            show_considered(results, tree);
        }
        const bv::TreeMetrics m = bv::measure(tree);
        Table table{"aabb_tree",
                    "The tree so far",
                    {"leaves", "height", "optimum", "area ratio", "SAH cost"},
                    {},
                    {}};
        table.rows.push_back({fmt::format("{}", m.leaves), fmt::format("{}", m.height),
                              fmt::format("{}", m.optimal_height), number(m.area_ratio), number(m.sah)});
        results.tables.push_back(std::move(table));
        results.trees.emplace_back("growing", std::move(tree));
    }

  private:
    void insert(const Settings& settings) {
        tree_.set_options(tree_options(settings));
        const glm::vec3 center = random_.in_box(kLow + 0.6f, kHigh - 0.6f);
        const glm::vec3 half = random_.in_box(glm::vec3(0.2f), glm::vec3(0.55f));
        before_ = tree_.snapshot();
        trace_.clear();
        const bv::InsertResult result = tree_.insert({center - half, center + half}, ids_.size(), trace_);
        if (result) ids_.push_back(result.id);
    }

    /// From the newest leaf up: the boxes that had to grow.
    void show_path(FrameResults& results, const bv::TreeSnapshot& tree) const {
        const std::uint32_t leaf = tree_.leaf_node(ids_.back()).value;
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            if (tree.source_nodes[node] != leaf) continue;
            for (std::uint32_t up = tree.parents[node]; up != bv::TreeSnapshot::kNone; up = tree.parents[up])
                put(results, tree.boxes[up], Role::Visited).width_px = 2.0f;
            return;
        }
    }

    /// What the insertion weighed, cheapest first. The boxes are those from before it.
    void show_considered(FrameResults& results, const bv::TreeSnapshot&) const {
        std::vector<bv::SiblingConsidered> considered;
        for (const bv::TraceEvent& event : trace_.events())
            if (const auto* sibling = std::get_if<bv::SiblingConsidered>(&event))
                considered.push_back(*sibling);
        // Each one that was the best so far is marked as chosen; the last of them was taken.
        bool taken = false;
        for (auto s = considered.rbegin(); s != considered.rend(); ++s)
            s->chosen = s->chosen && !std::exchange(taken, true);
        std::stable_sort(considered.begin(), considered.end(), [](const auto& a, const auto& b) {
            return a.direct + a.inherited < b.direct + b.inherited;
        });
        Table table{"siblings",
                    "Weighed as sibling of the new box",
                    {"node", "direct m²", "inherited m²", "sum m²", "bound m²"},
                    {},
                    {}};
        constexpr std::size_t kRows = 12;
        for (std::size_t i = 0; i < std::min(considered.size(), kRows); ++i) {
            const bv::SiblingConsidered& s = considered[i];
            table.rows.push_back({fmt::format("{}{}", s.chosen ? "> " : "", s.node.value), number(s.direct),
                                  number(s.inherited), number(s.direct + s.inherited),
                                  number(s.lower_bound)});
            table.row_roles.push_back(s.chosen ? Role::Selected : Role::Muted);
        }
        if (!considered.empty()) results.tables.push_back(std::move(table));
        for (const bv::SiblingConsidered& s : considered) {
            if (!s.chosen) continue;
            for (std::uint32_t node = 0; node < before_.size(); ++node)
                if (before_.source_nodes[node] == s.node.value)
                    put(results, before_.boxes[node], Role::Hit, "sibling").width_px = 2.5f;
        }
    }

    bv::DynamicTree tree_;
    bv::TreeSnapshot before_;
    bv::Recording trace_;
    bv::workloads::Random random_{1};
    std::vector<bv::ProxyId> ids_;
    int steps_ = 0;
};

}  // namespace

std::unique_ptr<Scene> make_aabb_tree() {
    return std::make_unique<AabbTree>();
}

}  // namespace lab::scenes
