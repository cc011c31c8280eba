// Threads for tests of what takes a TaskRunner.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "bv/tasks.hpp"

namespace bv::test {

/// Runs each job on a thread of its own, the last one first: enough to show races and dependence on the
/// order. Where there are no threads (WebAssembly under node) only the order is left.
class ManyThreads final : public TaskRunner {
  public:
    [[nodiscard]] unsigned concurrency() const noexcept override { return 4; }
    void run(std::size_t count, const Job& job) override {
#ifdef __EMSCRIPTEN__
        for (std::size_t i = count; i-- > 0;)
            job(i);
#else
        std::vector<std::thread> threads;
        for (std::size_t i = count; i-- > 0;)
            threads.emplace_back([&job, i] { job(i); });
        for (std::thread& t : threads)
            t.join();
#endif
    }
};

/// Runs the jobs in a random order, a different one in each run, on as many threads as `concurrency` says.
class ShuffledThreads final : public TaskRunner {
  public:
    explicit ShuffledThreads(unsigned threads) : threads_(threads), random_(threads) {}
    [[nodiscard]] unsigned concurrency() const noexcept override { return threads_; }
    /// The number of runs with more than one job.
    [[nodiscard]] int runs() const { return runs_; }
    void run(std::size_t count, const Job& job) override {
        runs_ += count > 1;
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random_);
        std::atomic<std::size_t> next{0};
        const auto take = [&] {
            for (std::size_t i = next++; i < count; i = next++)
                job(order[i]);
        };
#ifdef __EMSCRIPTEN__
        take();
#else
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < threads_; ++i)
            threads.emplace_back(take);
        for (std::thread& t : threads)
            t.join();
#endif
    }

  private:
    unsigned threads_;
    std::mt19937 random_;
    int runs_ = 0;
};

}  // namespace bv::test
