// The program's threads for work that is split into parts: one pool, started at its first use and kept until
// the program ends. Long jobs beside the frames (jobs.hpp) have threads of their own and split their work
// here, too.
//
// Any number of threads may call `run` at once. Each caller does parts of its own work until none are left,
// so none waits for another's; the pool's threads help the newest call first, which is the frame's while a
// long job is under way. A call wakes no more threads than it has jobs for, and a thread takes job after job
// without a lock: a stage of a frame may last less than a tenth of a millisecond.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "bv/tasks.hpp"

namespace lab::platform {

class ThreadPool final : public bv::TaskRunner {
  public:
    static constexpr unsigned kMaxThreads = 64;

    /// Uses this many threads, 1 to kMaxThreads, the caller of `run` included; 0: one per core, at most 16.
    /// Always 1 where threads cannot be started.
    explicit ThreadPool(unsigned threads = 0);
    /// Joins its threads. No `run` may be under way.
    ~ThreadPool() override;

    [[nodiscard]] unsigned concurrency() const noexcept override { return threads_; }
    /// If a job throws, those not yet started are skipped, and one of the exceptions is thrown here once all
    /// others have returned. A job that calls `run` does work, against the contract.
    void run(std::size_t count, const Job& job) override;
    /// As in the constructor. No `run` may be under way.
    void set_threads(unsigned threads);

  private:
    struct Call;
    void start_helpers();
    void stop_helpers();
    void help();
    /// Runs jobs of a call until none are left, or until `newest_` is no longer `number`.
    void work_on(Call& call, std::uint64_t number);

    unsigned threads_ = 1;
    std::atomic<std::uint64_t> newest_{0};  ///< Counts the calls.
    std::mutex mutex_;                      // guards all below, and what a Call says it guards
    std::condition_variable work_, done_;
    std::vector<Call*> calls_;  // oldest first; those that may have jobs not yet started
    std::vector<std::thread> helpers_;
    bool closing_ = false;
};

/// The pool of the program: a frame, its scene and background jobs share it. Results never depend on the
/// number of its threads.
[[nodiscard]] ThreadPool& all_cores();

}  // namespace lab::platform
