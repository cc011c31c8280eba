// Threads for tests of what takes a TaskRunner.
#pragma once

#include <cstddef>
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

}  // namespace bv::test
