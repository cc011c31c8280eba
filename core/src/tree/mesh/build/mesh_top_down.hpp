// The framework of the top-down builders: a loop over pending nodes, and whole subtrees as independent jobs.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "tree/mesh/build/mesh_builders.hpp"

namespace bv::detail {

/// Counts the work of a top-down build: each reference counts once per level, for as many levels as a
/// balanced tree has; one that reaches its leaf earlier counts for the remaining levels at once. Reported in
/// batches, so that it costs next to nothing.
class LevelCount {
  public:
    LevelCount(BuildProgress& progress, std::uint32_t levels) noexcept
        : progress_(progress), levels_(levels) {}

    static std::uint32_t levels_for(std::uint32_t count) noexcept {
        return static_cast<std::uint32_t>(std::bit_width(count));
    }
    /// False if the build should end.
    bool divided(const BuildTask& task) noexcept { return add(task.depth < levels_ ? task.count() : 0); }
    bool made_leaf(const BuildTask& task) noexcept {
        return add(task.depth < levels_ ? std::uint64_t{task.count()} * (levels_ - task.depth) : 0);
    }
    void flush() noexcept {
        progress_.advance(waiting_);
        waiting_ = 0;
    }

  private:
    bool add(std::uint64_t units) noexcept {
        constexpr std::uint64_t kBatch = 1 << 13;
        waiting_ += units + 1;  // also polls occasionally far below the expected levels
        if (waiting_ < kBatch) return true;
        const bool keep_going = progress_.advance(waiting_);
        waiting_ = 0;
        return keep_going;
    }

    BuildProgress& progress_;
    std::uint32_t levels_;
    std::uint64_t waiting_ = 0;
};

/// Grows the subtrees of the waiting tasks into `nodes`, which already has their roots. Tasks of at most
/// `job_size` references go to `later` instead. Stops early when the build is cancelled, or when the tasks
/// have had more references than the budget.
template <class Divide>
void grow(std::vector<BuildTask>& waiting, std::span<MeshRef> refs, std::uint32_t job_size, LevelCount level,
          const Divide& divide, MeshNodes& nodes, std::vector<BuildTask>& later, std::uint64_t& budget) {
    while (!waiting.empty() && budget > 0) {
        const BuildTask now = waiting.back();
        waiting.pop_back();
        set_box(nodes[now.node], now.box);
        if (now.count() <= job_size) {
            later.push_back(now);
            continue;
        }
        budget -= std::min<std::uint64_t>(budget, now.count());
        BuildTask left;
        BuildTask right;
        left.depth = right.depth = now.depth + 1;
        if (now.count() == 1 || !divide(now, refs, left, right)) {
            nodes[now.node].first = now.begin;
            nodes[now.node].count = now.count();
            if (!level.made_leaf(now)) return;
            continue;
        }
        if (!level.divided(now)) return;
        left.node = static_cast<std::uint32_t>(nodes.size());
        right.node = left.node + 1;
        nodes[now.node].first = left.node;
        nodes[now.node].count = 0;
        nodes.resize(nodes.size() + 2);
        waiting.push_back(right);
        waiting.push_back(left);
    }
    level.flush();
}

constexpr std::uint64_t kWholeBuild = std::numeric_limits<std::uint64_t>::max();

/// Grows the root down to the jobs, then one job after the other, in the place where the parts of several
/// threads would be put together.
template <class Divide>
void grow_in_order(TopDownState& state, std::span<MeshRef> refs, std::uint32_t job_size,
                   const LevelCount& level, BuildRun& run, const Divide& divide, MeshNodes& nodes) {
    for (;;) {
        std::vector<BuildTask> none;
        const bool is_root = state.next_job == 0;
        grow(state.waiting, refs, is_root ? job_size : 0, level, divide, nodes, is_root ? state.jobs : none,
             state.budget);
        if (run.progress.cancelled() || !state.waiting.empty()) return;
        if (state.next_job == state.jobs.size()) break;
        state.waiting.push_back(state.jobs[state.next_job++]);
    }
    state.has_ended = true;
}

/// Runs `divide(task, refs, left, right)` from the root down. It returns false for a leaf; otherwise it
/// permutes the references and fills in begin, end, box and centers of both parts. Subtrees below a fixed
/// size become tasks of the run. `begins_at` is the progress at the start.
template <class Divide>
void build_top_down(std::span<MeshRef> refs, BuildRun& run, MeshNodes& nodes, const Divide& divide,
                    float begins_at = 0.0f) {
    constexpr std::uint32_t kSmallestJob = 4096;
    const auto count = static_cast<std::uint32_t>(refs.size());
    // The division into jobs depends only on the count, never on the number of threads, and so does the tree.
    const std::uint32_t job_size = count > 4 * kSmallestJob ? std::max(kSmallestJob, count / 32) : 0;
    const std::uint32_t levels = LevelCount::levels_for(count);
    const LevelCount level(run.progress, levels);
    TopDownState at_once;
    at_once.budget = kWholeBuild;
    TopDownState& state = run.slices != nullptr ? *run.slices : at_once;
    if (!state.has_begun) {
        BuildTask root;
        root.end = count;
        measure_part(root, refs);
        nodes.assign(1, MeshBvhNode{});
        nodes.reserve(count + count / 4 + 1);
        run.progress.begin_part(begins_at, BuildRun::kBuilt, std::uint64_t{count} * levels);
        state.waiting.push_back(root);
        state.has_begun = true;
    }
    if (run.slices != nullptr || run.tasks.concurrency() <= 1)
        return grow_in_order(state, refs, job_size, level, run, divide, nodes);

    std::vector<BuildTask>& jobs = state.jobs;
    grow(state.waiting, refs, job_size, level, divide, nodes, jobs, state.budget);
    if (jobs.empty() || run.progress.cancelled()) return;
    std::vector<MeshNodes> grown(jobs.size());
    run.tasks.run(jobs.size(), [&](std::size_t i) {
        if (run.progress.cancelled()) return;
        BuildTask job = jobs[i];
        job.node = 0;
        std::vector<BuildTask> waiting{job}, none;
        std::uint64_t budget = kWholeBuild;
        grown[i].reserve(job.count() + job.count() / 4 + 1);
        grown[i].resize(1);
        grow(waiting, refs, 0, level, divide, grown[i], none, budget);
    });
    if (run.progress.cancelled()) return;
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
