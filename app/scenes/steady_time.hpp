// A measured time that can be read while it is measured anew in every frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lab {

/// The median of the last frames: a cold cache, or another program in between, does not show.
class SteadyTime {
  public:
    void add(double time) {
        constexpr std::size_t kFrames = 31;
        if (last_.size() == kFrames) last_.erase(last_.begin());
        last_.push_back(time);
    }
    void clear() { last_.clear(); }
    /// 0 before the first.
    [[nodiscard]] double median() const {
        if (last_.empty()) return 0.0;
        std::vector<double> sorted = last_;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        return *middle;
    }

  private:
    std::vector<double> last_;
};

}  // namespace lab
