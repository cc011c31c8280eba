#include "platform/clock.hpp"

#include <algorithm>

namespace lab::platform {

double Clock::lap(double longest_s) {
    const Steady::time_point now = Steady::now();
    const double elapsed = std::chrono::duration<double>(now - lap_).count();
    lap_ = now;
    return std::clamp(elapsed, 1e-6, longest_s);
}

}  // namespace lab::platform
