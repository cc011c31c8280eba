// How the library uses several threads: it never starts one. A caller that has threads hands in a TaskRunner,
// and the builders that can split their work give it independent jobs.
#pragma once

#include <cstddef>
#include <functional>

namespace bv {

/// Runs independent jobs. Implemented by the program, for example over its thread pool.
class TaskRunner {
  public:
    using Job = std::function<void(std::size_t)>;

    TaskRunner() = default;
    TaskRunner(const TaskRunner&) = delete;
    TaskRunner& operator=(const TaskRunner&) = delete;
    virtual ~TaskRunner() = default;

    /// How many jobs may run at the same time, at least 1. The library cuts its work into a few jobs for
    /// each, and its results never depend on this number.
    [[nodiscard]] virtual unsigned concurrency() const noexcept = 0;
    /// Calls `job(i)` once for each `i` in `[0, count)`, in any order and on any thread, and returns when all
    /// have returned; what they wrote is then visible to the caller. A job does not throw and does not call
    /// `run`.
    virtual void run(std::size_t count, const Job& job) = 0;
};

/// The runner that does everything on the calling thread, in order. Safe from several threads at once.
[[nodiscard]] TaskRunner& serial_tasks() noexcept;

}  // namespace bv
