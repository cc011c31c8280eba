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
    std::size_t next = 0;     ///< The first job not yet started.
    std::size_t running = 0;  ///< Started and not yet returned.
    std::exception_ptr thrown{};
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
        // The caller may return as soon as the lock is free again: only `done_` is used after its last job.
        if (run_one(*calls_.back(), lock)) done_.notify_all();
    }
}

bool ThreadPool::run_one(Call& call, std::unique_lock<std::mutex>& lock) {
    const std::size_t i = call.next++;
    ++call.running;
    if (call.next == call.count) std::erase(calls_, &call);
    lock.unlock();
    std::exception_ptr thrown;
    try {
        call.job(i);
    } catch (...) {
        thrown = std::current_exception();
    }
    lock.lock();
    if (thrown) {
        call.thrown = std::move(thrown);
        call.next = call.count;
        std::erase(calls_, &call);
    }
    return --call.running == 0 && call.next == call.count;
}

void ThreadPool::run(std::size_t count, const Job& job) {
    if (threads_ == 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            job(i);
        return;
    }
    Call call{job, count};
    std::unique_lock lock(mutex_);
    calls_.push_back(&call);
    if (helpers_.size() + 1 < threads_) start_helpers();
    work_.notify_all();
    while (call.next < call.count)
        run_one(call, lock);
    done_.wait(lock, [&call] { return call.running == 0; });
    if (call.thrown) std::rethrow_exception(call.thrown);
}

ThreadPool& all_cores() {
    static ThreadPool pool;
    return pool;
}

}  // namespace lab::platform
