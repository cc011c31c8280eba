// The frame of the top-down builders: a loop over waiting nodes, and whole subtrees handed out as independent
// jobs.
#pragma once

#include <algorithm>
#include <utility>

#include "tree/mesh_builders.hpp"

namespace bv::detail {

/// Grows the subtree of `task` into `nodes`, where its root already stands. Tasks of at most `hand_out`
/// references go to `later` instead.
template <class Divide>
void grow_subtree(const BuildTask& task, std::span<MeshRef> refs, std::uint32_t hand_out,
                  const Divide& divide, MeshNodes& nodes, std::vector<BuildTask>& later) {
    std::vector<BuildTask> waiting{task};
    while (!waiting.empty()) {
        const BuildTask now = waiting.back();
        waiting.pop_back();
        set_box(nodes[now.node], now.box);
        if (now.count() <= hand_out) {
            later.push_back(now);
            continue;
        }
        BuildTask left;
        BuildTask right;
        left.depth = right.depth = now.depth + 1;
        if (now.count() == 1 || !divide(now, refs, left, right)) {
            nodes[now.node].first = now.begin;
            nodes[now.node].count = now.count();
            continue;
        }
        left.node = static_cast<std::uint32_t>(nodes.size());
        right.node = left.node + 1;
        nodes[now.node].first = left.node;
        nodes[now.node].count = 0;
        nodes.resize(nodes.size() + 2);
        waiting.push_back(right);
        waiting.push_back(left);
    }
}

/// Runs `divide(task, refs, left, right)` from the root down. It returns false for a leaf; otherwise it has
/// permuted the references and filled in begin, end, box and centers of both parts. Subtrees below a fixed
/// size go to `tasks`.
template <class Divide>
void build_top_down(std::span<MeshRef> refs, TaskRunner& tasks, MeshNodes& nodes, const Divide& divide) {
    constexpr std::uint32_t kSmallestJob = 4096;
    const auto count = static_cast<std::uint32_t>(refs.size());
    BuildTask root;
    root.end = count;
    measure_part(root, refs);
    nodes.assign(1, MeshBvhNode{});
    nodes.reserve(count + count / 4 + 1);

    // The cut depends on the count alone, never on the number of threads: so does the tree.
    const std::uint32_t hand_out = count > 4 * kSmallestJob ? std::max(kSmallestJob, count / 32) : 0;
    std::vector<BuildTask> jobs;
    grow_subtree(root, refs, hand_out, divide, nodes, jobs);
    if (jobs.empty()) return;

    std::vector<MeshNodes> grown(jobs.size());
    tasks.run(jobs.size(), [&](std::size_t i) {
        BuildTask job = jobs[i];
        job.node = 0;
        std::vector<BuildTask> none;
        grown[i].reserve(job.count() + job.count() / 4 + 1);
        grown[i].resize(1);
        grow_subtree(job, refs, 0, divide, grown[i], none);
    });
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        // Local node k > 0 becomes nodes.size() - 1 + k; local node 0 is already there.
        const auto shift = static_cast<std::uint32_t>(nodes.size()) - 1;
        for (MeshBvhNode& node : grown[i])
            if (!node.is_leaf()) node.first += shift;
        nodes[jobs[i].node] = grown[i][0];
        nodes.insert(nodes.end(), grown[i].begin() + 1, grown[i].end());
    }
}

}  // namespace bv::detail
