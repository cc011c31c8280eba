#include "view/node_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/metrics.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

constexpr int kRays = 128;

/// Without a root area there are no shares.
double sah_share(const bv::TreeSnapshot& tree, std::uint32_t node, double total) {
    const double area = static_cast<double>(tree.boxes[node].surface_area());
    const double tests = tree.is_leaf(node) ? static_cast<double>(tree.payload_count[node]) : 1.0;
    return total > 0 ? area * tests / total : 0.0;
}

std::vector<double> sah_shares(const bv::TreeSnapshot& tree) {
    double total = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        total += sah_share(tree, i, 1.0);
    std::vector<double> shares;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        // The root counts as 0: every query pays its full cost in any tree.
        shares.push_back(i == 0 ? 0.0 : sah_share(tree, i, total));
    return shares;
}

/// Largest difference of height between two children.
std::vector<double> balances(const bv::TreeSnapshot& tree) {
    const std::vector<std::uint32_t> heights = bv::node_heights(tree);
    std::vector<double> values(tree.size(), 0.0);
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (tree.is_leaf(i)) continue;
        const auto first = heights.begin() + tree.first_child[i];
        const auto [lowest, highest] = std::minmax_element(first, first + tree.child_count[i]);
        values[i] = static_cast<double>(*highest - *lowest);
    }
    return values;
}

/// The excess of a leaf's box over its contents.
double fatness(const bv::TreeSnapshot& tree, std::uint32_t node) {
    if (!tree.is_leaf(node) || tree.payload_count[node] == 0) return 0;
    bv::Aabb tight;
    for (std::uint32_t k = 0; k < tree.payload_count[node]; ++k)
        tight = bv::merge(tight, tree.payload_boxes[tree.first_payload[node] + k]);
    const double volume = static_cast<double>(tight.volume());
    const double ratio = volume > 0 ? static_cast<double>(tree.boxes[node].volume()) / volume : 1.0;
    return ratio > 1.0 + 1e-6 ? ratio : 0.0;
}

std::vector<double> visits(const bv::TreeSnapshot& tree) {
    std::vector<double> counts(tree.size(), 0.0);
    if (tree.empty() || !tree.boxes[0].is_finite()) return counts;
    bv::workloads::Random random(1);
    const bv::Aabb& root = tree.boxes[0];
    const float reach = glm::length(root.size());
    std::vector<std::uint32_t> open;
    for (int i = 0; i < kRays; ++i) {
        const glm::vec3 through = random.in_box(root.min, root.max);
        const glm::vec3 direction = random.direction();
        const bv::Ray ray{through - reach * direction, direction};
        open.assign(1, 0u);
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (!bv::raycast(ray, tree.boxes[node])) continue;
            counts[node] += 1.0;
            for (std::uint32_t k = 0; k < tree.child_count[node]; ++k)
                open.push_back(tree.first_child[node] + k);
        }
    }
    counts[0] = 0;  // every query visits the root
    return counts;
}

}  // namespace

std::vector<double> measure_nodes(const bv::TreeSnapshot& tree, NodeMeasure measure) {
    if (measure == NodeMeasure::SahShare) return sah_shares(tree);
    if (measure == NodeMeasure::Balance) return balances(tree);
    if (measure == NodeMeasure::Visits) return visits(tree);
    std::vector<double> values;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        values.push_back(measure == NodeMeasure::Overlap     ? bv::sibling_overlap(tree, i)
                         : measure == NodeMeasure::DeadSpace ? bv::dead_space(tree, i)
                                                             : fatness(tree, i));
    return values;
}

std::vector<RankedNode> rank_nodes(const bv::TreeSnapshot& tree, NodeMeasure measure, std::size_t count) {
    const std::vector<double> values = measure_nodes(tree, measure);
    std::vector<RankedNode> ranked;
    for (std::uint32_t i = 0; i < values.size(); ++i)
        if (values[i] > 0.0) ranked.push_back({i, values[i]});
    const std::size_t kept = std::min(count, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end(),
                      [](const RankedNode& a, const RankedNode& b) {
                          return a.value > b.value || (a.value == b.value && a.node < b.node);
                      });
    ranked.resize(kept);
    return ranked;
}

std::string measure_text(NodeMeasure measure, double value) {
    switch (measure) {
        case NodeMeasure::Balance:
            return fmt::format("{:.0f} {}", value, value == 1.0 ? "level" : "levels");
        case NodeMeasure::Fatness:
            return fmt::format("{:.2f} times", value);
        case NodeMeasure::Visits:
            return fmt::format("{:.0f} of {} rays", value, kRays);
        default:
            return fmt::format("{:.1f} %", 100.0 * value);
    }
}

}  // namespace lab
