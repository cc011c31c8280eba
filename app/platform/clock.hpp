// Time for the frame loop and for measurements. Never goes backwards.
#pragma once

#include <chrono>

namespace lab::platform {

class Clock {
  public:
    /// Since construction.
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Steady::now() - start_).count();
    }
    [[nodiscard]] double milliseconds() const { return seconds() * 1e3; }
    /// Seconds since the last lap or the start, and starts the next lap. At least one microsecond, at most
    /// `longest`: a laptop that slept must not move bodies by an hour.
    double lap(double longest_s = 0.25);

  private:
    using Steady = std::chrono::steady_clock;
    Steady::time_point start_ = Steady::now();
    Steady::time_point lap_ = start_;
};

/// Processor time of the calling thread: what other programs do meanwhile does not count. Wall time where the
/// system has no such clock, as in a page.
class ThreadClock {
  public:
    /// Since construction.
    [[nodiscard]] double milliseconds() const { return now_ms() - start_ms_; }

  private:
    static double now_ms();
    double start_ms_ = now_ms();
};

/// Adds the time from its construction to its destruction to `total_ms`.
class Stopwatch {
  public:
    explicit Stopwatch(double& total_ms) : total_ms_(total_ms) {}
    ~Stopwatch() { total_ms_ += clock_.milliseconds(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    double& total_ms_;
    Clock clock_;
};

}  // namespace lab::platform
