#include "platform/clock.hpp"

#include <algorithm>
#include <ctime>

namespace lab::platform {

double Clock::lap(double longest_s) {
    const Steady::time_point now = Steady::now();
    const double elapsed = std::chrono::duration<double>(now - lap_).count();
    lap_ = now;
    return std::clamp(elapsed, 1e-6, longest_s);
}

double ThreadClock::now_ms() {
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace lab::platform
