// Bottom up: clusters in Morton order search for the neighbor with which they have the smallest union; those
// that choose each other are merged; repeated until one is left. Source: Meister 2018.
#include <algorithm>

#include "tree/mesh/build/mesh_builders.hpp"
#include "tree/mesh/build/mesh_linked.hpp"
#include "tree/mesh/build/mesh_morton.hpp"

namespace bv::detail {
namespace {

constexpr std::size_t kRadius = 12;      ///< Search distance along the curve.
constexpr std::size_t kChunk = 1 << 13;  ///< Clusters per job.

/// For each cluster, the position of its preferred partner.
void find_neighbors(const LinkedTree& tree, std::span<const std::uint32_t> clusters, BuildRun& run,
                    std::vector<std::uint32_t>& choice) {
    choice.resize(clusters.size());
    const std::size_t jobs = (clusters.size() + kChunk - 1) / kChunk;
    run.tasks.run(jobs, [&](std::size_t job) {
        if (run.progress.cancelled()) return;
        const std::size_t end = std::min(clusters.size(), (job + 1) * kChunk);
        for (std::size_t i = job * kChunk; i < end; ++i) {
            const auto joint_area = [&](std::size_t j) {
                Bounds4 joint = tree[clusters[i]].box;
                joint.merge(tree[clusters[j]].box);
                return joint.half_area();
            };
            // Tested first, so that equal clusters pair up at once.
            std::size_t at = (i ^ 1) < clusters.size() ? (i ^ 1) : i - 1;
            float best = joint_area(at);
            const std::size_t last = std::min(clusters.size() - 1, i + kRadius);
            for (std::size_t j = i > kRadius ? i - kRadius : 0; j <= last; ++j) {
                if (j == i) continue;
                const float area = joint_area(j);
                if (area < best) {
                    best = area;
                    at = j;
                }
            }
            choice[i] = static_cast<std::uint32_t>(at);
        }
    });
}

}  // namespace

void build_agglomerative(std::span<MeshRef> refs, const BuildLimits& limits, BuildRun& run,
                         MeshNodes& nodes) {
    sort_by_morton_code(refs);
    LinkedTree tree(refs.size());
    std::vector<std::uint32_t> clusters(refs.size());
    for (std::uint32_t i = 0; i < refs.size(); ++i) {
        tree[i].box = {ref_lo(refs[i]), ref_hi(refs[i])};
        tree[i].first = i;
        tree[i].count = 1;
        clusters[i] = i;
    }
    tree.reserve(2 * refs.size());
    std::vector<std::uint32_t> choice;
    std::vector<std::uint32_t> joined;
    run.progress.begin_part(0.1f, 0.6f, refs.size());
    while (clusters.size() > 1) {
        find_neighbors(tree, clusters, run, choice);
        if (run.progress.cancelled()) return;
        joined.clear();
        const std::size_t before = clusters.size();
        for (std::uint32_t i = 0; i < clusters.size(); ++i) {
            const std::uint32_t j = choice[i];
            // If no two clusters choose each other, as among equal distances in a ring, join the first two.
            const bool mutual = choice[j] == i;
            if (mutual && j < i) continue;
            if (!mutual) {
                joined.push_back(clusters[i]);
                continue;
            }
            LinkedNode parent;
            parent.left = clusters[i];
            parent.right = clusters[j];
            parent.box = tree[clusters[i]].box;
            parent.box.merge(tree[clusters[j]].box);
            joined.push_back(static_cast<std::uint32_t>(tree.size()));
            tree.push_back(parent);
        }
        if (joined.size() == before) {
            LinkedNode parent;
            parent.left = joined[0];
            parent.right = joined[1];
            parent.box = tree[joined[0]].box;
            parent.box.merge(tree[joined[1]].box);
            joined[1] = static_cast<std::uint32_t>(tree.size());
            joined.erase(joined.begin());
            tree.push_back(parent);
        }
        run.progress.advance(clusters.size() - joined.size());
        clusters.swap(joined);
    }
    flatten(tree, clusters[0], limits, refs, nodes);
}

}  // namespace bv::detail
