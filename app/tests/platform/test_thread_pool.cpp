// The pool of threads: every job once, callers at the same time, exceptions, changes of size.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "platform/threads/thread_pool.hpp"

namespace lab::platform {
namespace {

using namespace std::chrono_literals;

/// Sums of 0 to count - 1, each job adding to a place of its own.
std::size_t sum_by(ThreadPool& pool, std::size_t count) {
    std::vector<std::size_t> parts(count, 0);  // not atomic: `run` orders the writes before the reads
    pool.run(count, [&](std::size_t i) { parts[i] += i + 1; });
    return std::accumulate(parts.begin(), parts.end(), std::size_t{0}) - count;
}

TEST(ThreadPool, RunsEveryJobOnce) {
    for (const unsigned threads : {1u, 2u, 3u, 8u}) {
        ThreadPool pool(threads);
        EXPECT_EQ(pool.concurrency(), threads);
        for (const std::size_t count : {0u, 1u, 2u, 7u, 100u, 5000u})
            EXPECT_EQ(sum_by(pool, count), count == 0 ? 0 : count * (count - 1) / 2)
                << threads << ' ' << count;
    }
}

TEST(ThreadPool, TheNumberOfThreadsIsLimited) {
    EXPECT_EQ(ThreadPool(1000).concurrency(), ThreadPool::kMaxThreads);
    EXPECT_GE(ThreadPool().concurrency(), 1u);
    EXPECT_LE(ThreadPool().concurrency(), 16u);
}

TEST(ThreadPool, JobsRunAtTheSameTimeOnThreadsThatStay) {
    ThreadPool pool(3);
    std::set<std::thread::id> seen;
    std::mutex mutex;
    std::condition_variable met;
    for (int round = 0; round < 5; ++round) {
        int arrived = 0;
        // Each of three jobs waits for the others: one thread alone would never get past the first.
        pool.run(3, [&](std::size_t) {
            std::unique_lock lock(mutex);
            seen.insert(std::this_thread::get_id());
            ++arrived;
            met.notify_all();
            EXPECT_TRUE(met.wait_for(lock, 60s, [&] { return arrived == 3; }));
        });
    }
    EXPECT_EQ(seen.size(), 3u) << "five rounds on the same threads";
}

TEST(ThreadPool, TwoCallersWithManySmallRuns) {
    ThreadPool pool(3);
    std::atomic<std::size_t> wrong{0};
    const auto work = [&](std::size_t seed) {
        for (std::size_t i = 0; i < 2000; ++i) {
            const std::size_t count = 2 + (i * 7 + seed) % 13;
            if (sum_by(pool, count) != count * (count - 1) / 2) ++wrong;
        }
    };
    std::thread other([&] { work(3); });
    work(0);
    other.join();
    EXPECT_EQ(wrong, 0u);
}

// A long call occupies all helpers; the frame's call must not wait for any of its jobs.
TEST(ThreadPool, ACallIsNotHeldUpByAnothersLongJobs) {
    ThreadPool pool(3);
    std::mutex mutex;
    std::condition_variable change;
    int started = 0;
    bool may_end = false;
    std::thread background([&] {
        pool.run(3, [&](std::size_t) {
            std::unique_lock lock(mutex);
            ++started;
            change.notify_all();
            EXPECT_TRUE(change.wait_for(lock, 60s, [&] { return may_end; }));
        });
    });
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(change.wait_for(lock, 60s, [&] { return started == 3; }));
    }
    EXPECT_EQ(sum_by(pool, 50), 50u * 49 / 2);
    {
        const std::lock_guard lock(mutex);
        may_end = true;
    }
    change.notify_all();
    background.join();
}

// A helper that has ended a job of an older call takes one of the newest, as the frame's.
TEST(ThreadPool, TheNewestCallIsHelpedFirst) {
    ThreadPool pool(2);
    std::mutex mutex;
    std::condition_variable change;
    int started = 0, arrived = 0, late = 0;
    bool second_done = false;
    std::thread background([&] {
        const std::thread::id own = std::this_thread::get_id();
        pool.run(40, [&](std::size_t i) {
            std::unique_lock lock(mutex);
            if (i >= 2) {
                if (!second_done) ++late;
                return;
            }
            ++started;
            change.notify_all();
            // The helper is free again as soon as the second call has begun.
            const bool is_own = std::this_thread::get_id() == own;
            EXPECT_TRUE(change.wait_for(lock, 60s, [&] { return is_own ? second_done : arrived > 0; }));
        });
    });
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(change.wait_for(lock, 60s, [&] { return started == 2; }));
    }
    pool.run(2, [&](std::size_t) {
        std::unique_lock lock(mutex);
        ++arrived;
        change.notify_all();
        EXPECT_TRUE(change.wait_for(lock, 60s, [&] { return arrived == 2; }));
        second_done = true;
        change.notify_all();
    });
    background.join();
    EXPECT_EQ(late, 0) << "the helper went on with the older call";
}

TEST(ThreadPool, AnExceptionReachesTheCallerAndOnlyIt) {
    for (const unsigned threads : {1u, 4u}) {
        ThreadPool pool(threads);
        std::atomic<int> ran{0};
        EXPECT_THROW(pool.run(1000,
                              [&](std::size_t i) {
                                  ++ran;
                                  if (i == 5) throw std::bad_alloc();
                              }),
                     std::bad_alloc);
        EXPECT_GE(ran, 6);
        EXPECT_LT(ran, 1000) << "the rest is skipped";
        EXPECT_THROW(pool.run(8, [](std::size_t) { throw std::runtime_error("all of them"); }),
                     std::runtime_error);
        EXPECT_EQ(sum_by(pool, 100), 4950u) << "and the pool goes on";
    }
}

TEST(ThreadPool, AJobThatRunsJobsEnds) {
    ThreadPool pool(2);
    std::atomic<int> inner{0};
    pool.run(4, [&](std::size_t) { pool.run(4, [&](std::size_t) { ++inner; }); });
    EXPECT_EQ(inner, 16);
}

TEST(ThreadPool, TheSizeCanChangeBetweenRuns) {
    ThreadPool pool(2);
    for (const unsigned threads : {5u, 1u, 3u, 2u}) {
        EXPECT_EQ(sum_by(pool, 300), 44850u);
        pool.set_threads(threads);
        EXPECT_EQ(pool.concurrency(), threads);
        EXPECT_EQ(sum_by(pool, 300), 44850u);
    }
}

TEST(ThreadPool, TheProgramHasOne) {
    EXPECT_EQ(&all_cores(), &all_cores());
    EXPECT_EQ(sum_by(all_cores(), 1000), 499500u);
}

}  // namespace
}  // namespace lab::platform
