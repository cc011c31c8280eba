// Measures what a change of algorithm did: see results/before_after.hpp.
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

/// Watches the settings that choose algorithms. Frames in which nothing was found anew do not count.
class BeforeAfterMeter {
  public:
    static constexpr std::size_t kFrames = 60;  ///< At most so many on either side.

    /// Forgets all; `settings` are what later ones are compared with.
    void restart(const Settings& settings);
    /// A comparison begins if another algorithm is chosen than at the last call.
    void look_at(const Settings& settings);
    /// A comparison begins for any other reason.
    void begin(std::string change);
    /// One frame's cost. `revision` is the world's: the same one again is no new work.
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
    std::vector<FrameCost> frames_;  // since the change, or before any; the oldest at `oldest_` once full
    std::size_t oldest_ = 0;
    std::uint64_t revision_ = ~std::uint64_t{0};
};

}  // namespace lab
