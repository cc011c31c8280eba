// The same boxes, inserted in the same order into two trees: the chosen strategy on the left, its rival on
// the right, and the numbers of every strategy beside them.
#include <memory>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/metrics.hpp"
#include "sandbox/scenes/factories.hpp"
#include "sandbox/scenes/staging.hpp"
#include "sandbox/settings.hpp"
#include "sandbox/tree_settings.hpp"
#include "workloads/boxes.hpp"

namespace lab::scenes {
namespace {

struct Strategy {
    const char* name;
    bv::Insertion insertion;
    bv::Balancing balancing;
};
constexpr Strategy kStrategies[] = {
    {"Manhattan", bv::Insertion::Manhattan, bv::Balancing::None},
    {"Manhattan, height rotations", bv::Insertion::Manhattan, bv::Balancing::Height},
    {"greedy SAH", bv::Insertion::GreedySah, bv::Balancing::None},
    {"greedy SAH, SAH rotations", bv::Insertion::GreedySah, bv::Balancing::Sah},
    {"branch and bound", bv::Insertion::BranchAndBoundSah, bv::Balancing::None},
    {"branch and bound, height rotations", bv::Insertion::BranchAndBoundSah, bv::Balancing::Height},
    {"branch and bound, SAH rotations", bv::Insertion::BranchAndBoundSah, bv::Balancing::Sah},
};

std::vector<bv::Aabb> boxes_of(const std::string& input, int count, std::uint64_t seed) {
    namespace w = bv::workloads;
    const auto n = static_cast<std::size_t>(count);
    if (input == "row") return w::row_of_boxes(n);
    if (input == "grid")
        return w::grid_of_boxes(std::max(1, static_cast<int>(std::cbrt(static_cast<double>(count)))));
    if (input == "clusters") return w::clusters_of_boxes(n, 6, seed);
    if (input == "giant") return w::giant_among_small(n, seed);
    return w::MovingBoxes(n, seed).boxes();
}

class TreeBalance final : public SceneOf<TreeBalance> {
  public:
    void setup(SceneContext& context) override { seed_ = context.seed; }

    void step(SceneContext& context, float) override {
        const std::string& input = context.settings.choice("balance.input");
        const int count = context.settings.integer("balance.count");
        const bool drifts = input == "crowd";
        if (drifts && (!crowd_ || static_cast<int>(crowd_->size()) != count))
            crowd_.emplace(static_cast<std::size_t>(count), seed_);
        if (drifts) crowd_->step();
    }

    void show(const SceneContext& context, FrameResults& results) const override {
        const Settings& settings = context.settings;
        const std::string& input = settings.choice("balance.input");
        const std::vector<bv::Aabb> boxes = input == "crowd" && crowd_
                                                ? crowd_->boxes()
                                                : boxes_of(input, settings.integer("balance.count"), seed_);
        bv::Aabb bounds;
        for (const bv::Aabb& box : boxes)
            bounds = bv::merge(bounds, box);

        bv::TreeOptions chosen = tree_options(settings);
        bv::TreeOptions rival = chosen;
        rival.insertion = chosen_row<bv::Insertion>(settings, "balance.rival_insertion");
        rival.balancing = chosen_row<bv::Balancing>(settings, "balance.rival_balance");
        // Long inputs stand one behind the other, wide ones side by side.
        const glm::vec3 size = bounds.size();
        const glm::vec3 apart = size.x > 3.0f * size.z ? glm::vec3(0, 0, size.z + 0.35f * size.x)
                                                       : glm::vec3(1.25f * size.x, 0, 0);
        stage(results, boxes, chosen, "chosen", glm::vec3(0.0f));
        stage(results, boxes, rival, "rival", apart);
        list(results, boxes, chosen);
    }

  private:
    static bv::DynamicTree grow(const std::vector<bv::Aabb>& boxes, const bv::TreeOptions& options,
                                const glm::vec3& offset) {
        bv::DynamicTree tree(options);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            tree.insert({boxes[i].min + offset, boxes[i].max + offset}, i);
        return tree;
    }
    static void stage(FrameResults& results, const std::vector<bv::Aabb>& boxes,
                      const bv::TreeOptions& options, const char* name, const glm::vec3& offset) {
        bv::TreeSnapshot tree = grow(boxes, options, offset).snapshot();
        if (tree.empty()) return;
        const bv::Aabb root = tree.boxes[0];
        const bv::TreeMetrics m = bv::measure(tree);
        results.bounds = bv::merge(results.bounds, root);
        put_note(results, {root.center().x, root.max.y + 0.06f * glm::length(root.size()), root.center().z},
                 Role::TreeNode,
                 fmt::format("{}: height {} (optimum {}), area ratio {:.2f}", name, m.height,
                             m.optimal_height, m.area_ratio));
        results.trees.emplace_back(name, std::move(tree));
    }
    static void list(FrameResults& results, const std::vector<bv::Aabb>& boxes,
                     const bv::TreeOptions& chosen) {
        Table table{"tree_balance",
                    "Every strategy on these boxes",
                    {"strategy", "height", "optimum", "area ratio", "SAH"},
                    {},
                    {}};
        for (const Strategy& strategy : kStrategies) {
            bv::TreeOptions options = chosen;
            options.insertion = strategy.insertion;
            options.balancing = strategy.balancing;
            const bv::TreeMetrics m = bv::measure(grow(boxes, options, glm::vec3(0.0f)).snapshot());
            const bool here =
                strategy.insertion == chosen.insertion && strategy.balancing == chosen.balancing;
            table.rows.push_back({strategy.name, fmt::format("{}", m.height),
                                  fmt::format("{}", m.optimal_height), fmt::format("{:.2f}", m.area_ratio),
                                  fmt::format("{:.1f}", m.sah)});
            table.row_roles.push_back(here ? Role::Selected : Role::Muted);
        }
        results.tables.push_back(std::move(table));
    }

    std::uint64_t seed_ = 1;
    std::optional<bv::workloads::MovingBoxes> crowd_;
};

}  // namespace

std::unique_ptr<Scene> make_tree_balance() {
    return std::make_unique<TreeBalance>();
}

}  // namespace lab::scenes
