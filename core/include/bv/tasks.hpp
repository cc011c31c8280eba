// Threading: the library never starts a thread. A caller that has threads passes a TaskRunner, and builders
// that can split their work give it independent jobs.
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

    /// The number of jobs that may run concurrently, at least 1. The library splits its work into a few jobs
    /// for each; results never depend on this number.
    [[nodiscard]] virtual unsigned concurrency() const noexcept = 0;
    /// Calls `job(i)` once for each `i` in `[0, count)`, in any order and on any thread, and returns when all
    /// have returned; their writes are then visible to the caller. A job must not throw and must not call
    /// `run`.
    virtual void run(std::size_t count, const Job& job) = 0;
};

/// A runner that runs all jobs on the calling thread, in order. Safe from several threads at once.
[[nodiscard]] TaskRunner& serial_tasks() noexcept;

}  // namespace bv
