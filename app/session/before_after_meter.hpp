// Measures the effect of a change of algorithm: see results/before_after.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/before_after.hpp"

namespace lab {

class Settings;
struct SettingSpec;

/// Watches the settings that choose algorithms. Frames without new work do not count.
class BeforeAfterMeter {
  public:
    static constexpr std::size_t kFrames = 60;  ///< At most, on each side of the change.

    /// Starts over, with `settings` as the baseline.
    void restart(const Settings& settings);
    /// Begins a comparison if the chosen algorithm differs from the last call.
    void look_at(const Settings& settings);
    /// Begins a comparison for any other reason.
    void begin(std::string change);
    /// Adds the cost of a frame. `revision` is the world's; a repeated one means no new work.
    void add(const FrameCost& cost, std::uint64_t revision);
    [[nodiscard]] std::optional<BeforeAfter> result() const;

  private:
    struct Watched {
        const SettingSpec* setting;
        std::string value;
    };
    std::vector<Watched> watched_;
    std::string change_, first_value_;
    const SettingSpec* changing_ = nullptr;
    FrameCost before_, last_, first_since_;
    std::uint32_t frames_before_ = 0;
    std::vector<FrameCost>
        frames_;  // since the change, or since the start; a ring once full, the oldest at `oldest_`
    std::size_t oldest_ = 0;
    std::uint64_t revision_ = ~std::uint64_t{0};
};

}  // namespace lab
