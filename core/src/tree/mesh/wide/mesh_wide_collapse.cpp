#include "tree/mesh/wide/mesh_wide_collapse.hpp"

#include <algorithm>

namespace bv::detail {
namespace {

// Measured: testing a block of four takes about half as long as visiting a node, all overheads included.
constexpr float kNodeCost = 1.0f;
constexpr float kBlockCost = 0.6f;
constexpr std::uint32_t kMaxLeaf = 8;

float half_area(const MeshBvhNode& node) noexcept {
    const glm::vec3 d = node.max - node.min;
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

float leaf_cost(float area, std::uint32_t count) noexcept {
    const std::uint32_t blocks = (count + 3) / 4;
    return kBlockCost * area * static_cast<float>(blocks);
}

}  // namespace

WideCollapse::WideCollapse(std::span<const MeshBvhNode> nodes)
    : nodes_(nodes), plans_(new Plan[nodes.size() / 2]), left_(nodes.size()) {}

bool WideCollapse::plan(std::size_t count) noexcept {
    const std::size_t stop = left_ - std::min(left_, count);
    while (left_ > stop) {
        const MeshBvhNode& node = nodes_[--left_];
        if (!node.is_leaf()) plan_inner(node, plan_of(node));
    }
    return left_ > 0;
}

const WideCollapse::Plan& WideCollapse::plan_or_leaf(const MeshBvhNode& node, Plan& leaf) const noexcept {
    if (!node.is_leaf()) return plan_of(node);
    leaf.range = {node.first, node.count};
    leaf.cost[0] = leaf_cost(half_area(node), node.count);
    leaf.useful = 1;
    return leaf;
}

void WideCollapse::plan_inner(const MeshBvhNode& node, Plan& plan) const noexcept {
    Plan leaves[2];
    const Plan& left = plan_or_leaf(nodes_[node.first], leaves[0]);
    const Plan& right = plan_or_leaf(nodes_[node.first + 1], leaves[1]);
    plan.range = {std::min(left.range.first, right.range.first), left.range.count + right.range.count};
    // The cheapest distribution of `slots`, at most all that are useful, over the two children.
    const int left_useful = left.useful, right_useful = right.useful;
    const auto divide = [&](int slots, std::uint8_t& choice) {
        int k = std::max(1, slots - right_useful);
        const int last = std::min(slots - 1, left_useful);
        float best = left.cost[k - 1] + right.cost[slots - k - 1];
        int chosen = k;
        for (++k; k <= last; ++k) {
            const float cost = left.cost[k - 1] + right.cost[slots - k - 1];
            chosen = cost < best ? k : chosen;
            best = cost < best ? cost : best;
        }
        choice = static_cast<std::uint8_t>(chosen);
        return best;
    };
    const int max_slots = left_useful + right_useful;
    const float area = half_area(node);
    plan.cost[0] = divide(std::min(8, max_slots), plan.choice[0]) + kNodeCost * area;
    const float as_leaf = leaf_cost(area, plan.range.count);
    if (plan.range.count <= kMaxLeaf && as_leaf <= plan.cost[0]) {
        plan.cost[0] = as_leaf;
        plan.choice[0] = kLeafChoice;
    }
    plan.useful = 1;
    for (int slots = 2; slots <= std::min(7, max_slots); ++slots) {
        const float cost = divide(slots, plan.choice[slots - 1]);
        plan.cost[slots - 1] = cost;
        if (cost < plan.cost[slots - 2]) {
            plan.useful = static_cast<std::uint8_t>(slots);
        } else {
            plan.cost[slots - 1] = plan.cost[slots - 2];
            plan.choice[slots - 1] = 0;
        }
    }
}

int WideCollapse::children(std::uint32_t node, std::uint32_t* out) const noexcept {
    const int left = plan_of(nodes_[node]).choice[0];
    const int count = collect(nodes_[node].first, left, out, 0);
    return collect(nodes_[node].first + 1, 8 - left, out, count);
}

int WideCollapse::collect(std::uint32_t node, int slots, std::uint32_t* out, int count) const noexcept {
    int left = 0;
    if (slots > 1 && !nodes_[node].is_leaf()) {
        const Plan& plan = plan_of(nodes_[node]);
        slots = std::min(slots, int{plan.useful});
        while (slots > 1 && plan.choice[slots - 1] == 0)
            --slots;
        if (slots > 1) left = plan.choice[slots - 1];
    }
    if (left == 0) {
        out[count] = node;
        return count + 1;
    }
    count = collect(nodes_[node].first, left, out, count);
    return collect(nodes_[node].first + 1, slots - left, out, count);
}

}  // namespace bv::detail
