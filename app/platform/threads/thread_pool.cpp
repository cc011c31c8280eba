#include "platform/threads/thread_pool.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "platform/threads/threads.hpp"

namespace lab::platform {

/// One call of `run`, on its caller's stack.
struct ThreadPool::Call {
    const Job& job;
    std::size_t count;
    std::atomic<std::size_t> next{0};  ///< The first job not yet started, or more than there are.
    std::size_t helpers = 0;           ///< Threads of the pool at work on it. Guarded by the mutex.
    std::exception_ptr thrown{};       ///< Guarded by the mutex.
};

ThreadPool::ThreadPool(unsigned threads) {
    set_threads(threads);
}

ThreadPool::~ThreadPool() {
    stop_helpers();
}

void ThreadPool::set_threads(unsigned threads) {
    constexpr unsigned kMaxUnasked = 16;
    if (threads == 0) threads = std::min(std::thread::hardware_concurrency(), kMaxUnasked);
    stop_helpers();
    threads_ = has_threads() ? std::clamp(threads, 1u, kMaxThreads) : 1;
}

void ThreadPool::start_helpers() {
    try {
        while (helpers_.size() + 1 < threads_)
            helpers_.emplace_back([this] { help(); });
    } catch (const std::exception&) {
        // No more threads available: those that were started, and the callers, do all of it.
    }
}

void ThreadPool::stop_helpers() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    for (std::thread& helper : helpers_)
        helper.join();
    helpers_.clear();
    closing_ = false;
}

void ThreadPool::help() {
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return closing_ || !calls_.empty(); });
        if (closing_) return;
        Call& call = *calls_.back();
        ++call.helpers;
        const std::uint64_t number = newest_.load(std::memory_order_relaxed);
        lock.unlock();
        work_on(call, number);
        lock.lock();
        if (call.next.load(std::memory_order_relaxed) >= call.count) std::erase(calls_, &call);
        // The caller may return as soon as the lock is free again: only `done_` is used after that.
        if (--call.helpers == 0) done_.notify_all();
    }
}

void ThreadPool::work_on(Call& call, std::uint64_t number) {
    try {
        while (newest_.load(std::memory_order_relaxed) == number) {
            const std::size_t i = call.next.fetch_add(1, std::memory_order_relaxed);
            if (i >= call.count) return;
            call.job(i);
        }
    } catch (...) {
        call.next.store(call.count, std::memory_order_relaxed);
        const std::lock_guard lock(mutex_);
        call.thrown = std::current_exception();
    }
}

void ThreadPool::run(std::size_t count, const Job& job) {
    if (threads_ == 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            job(i);
        return;
    }
    Call call{job, count};
    std::size_t wanted = 0;
    {
        const std::lock_guard lock(mutex_);
        calls_.push_back(&call);
        newest_.fetch_add(1, std::memory_order_relaxed);
        if (helpers_.size() + 1 < threads_) start_helpers();
        wanted = std::min(count - 1, helpers_.size());
    }
    for (std::size_t i = 0; i < wanted; ++i)
        work_.notify_one();
    // Works on its own jobs until none are left, even if newer calls come in.
    do {
        work_on(call, newest_.load(std::memory_order_relaxed));
    } while (call.next.load(std::memory_order_relaxed) < count);
    std::unique_lock lock(mutex_);
    std::erase(calls_, &call);
    done_.wait(lock, [&call] { return call.helpers == 0; });
    if (call.thrown) std::rethrow_exception(call.thrown);
}

ThreadPool& all_cores() {
    static ThreadPool pool;
    return pool;
}

}  // namespace lab::platform
