// Progress and cancellation of a long build. One object per build, shared between the building thread and any
// observers, which may read `done()` and call `cancel()` at any time. A cancelled build returns soon, with a
// status of its own and an empty tree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "bv/shapes/not_finite.hpp"

namespace bv {

/// Observers may call `cancel`, `cancelled` and `done` at any time from any thread. The owner calls `reset`
/// and `set_range` while no build runs. The rest is for builders.
class BuildProgress {
  public:
    BuildProgress() = default;
    BuildProgress(const BuildProgress&) = delete;
    BuildProgress& operator=(const BuildProgress&) = delete;

    /// Requests that the build end. Later builds end at once, until `reset`.
    void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }
    /// The fraction done, 0 to 1. Decreases only in `reset`. An estimate by steps, not by time.
    [[nodiscard]] float done() const noexcept { return done_.load(std::memory_order_relaxed); }

    /// Restores the initial state.
    void reset() noexcept {
        cancelled_.store(false, std::memory_order_relaxed);
        done_.store(0.0f, std::memory_order_relaxed);
        set_range(0.0f, 1.0f);
    }
    /// The next build counts from `from` to `to` instead of from 0 to 1: for several builds that share one
    /// progress bar. Both are clamped to [0, 1]; NaN counts as 0.
    void set_range(float from, float to) noexcept {
        range_from_ = share(from);
        range_to_ = share(to);
    }

    /// For builders, on the thread that started the build: the next part spans `from` to `to` of the build
    /// and consists of `units`.
    void begin_part(float from, float to, std::uint64_t units) noexcept {
        part_from_ = range_from_ + (range_to_ - range_from_) * share(from);
        part_to_ = range_from_ + (range_to_ - range_from_) * share(to);
        part_units_ = std::max<std::uint64_t>(units, 1);
        part_done_.store(0, std::memory_order_relaxed);
        raise(part_from_);
    }
    /// For builders, on any of their threads: adds `units` to the part's progress. False if the build should
    /// end.
    bool advance(std::uint64_t units) noexcept {
        const std::uint64_t sum = part_done_.fetch_add(units, std::memory_order_relaxed) + units;
        const double share = std::min(1.0, static_cast<double>(sum) / static_cast<double>(part_units_));
        raise(part_from_ + (part_to_ - part_from_) * static_cast<float>(share));
        return !cancelled();
    }

  private:
    static float share(float x) noexcept { return detail::in_range(x, 0.0f, 1.0f, 0.0f); }
    void raise(float done) noexcept {
        float seen = done_.load(std::memory_order_relaxed);
        while (seen < done && !done_.compare_exchange_weak(seen, done, std::memory_order_relaxed)) {
        }
    }

    std::atomic<bool> cancelled_{false};
    std::atomic<float> done_{0.0f};
    std::atomic<std::uint64_t> part_done_{0};
    std::uint64_t part_units_ = 1;
    float part_from_ = 0.0f, part_to_ = 1.0f;
    float range_from_ = 0.0f, range_to_ = 1.0f;
};

}  // namespace bv
