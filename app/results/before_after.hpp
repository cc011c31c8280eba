// What a change of algorithm did. Work and times are means over the frames before it and those since; how
// many pairs there are depends on the moment, and is compared between the last frame before and the first
// one since.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

class Settings;

/// What one frame's work came to. In the order of `cost_rows()`.
struct FrameCost {
    enum Row : std::uint8_t {
        BroadTests,
        BroadPairs,
        VolumePairs,
        ExactPairs,
        PartTests,
        RayNodes,
        RayTests,
        Memory,
        RefitMs,
        BroadMs,
        VolumeMs,
        ExactMs,
        QueryMs,
        kRows
    };
    std::array<double, kRows> values{};

    double& operator[](Row row) { return values[row]; }
    double operator[](Row row) const { return values[row]; }
};

struct CostRow {
    FrameCost::Row row;
    std::string_view id;     ///< In the report: `broad_tests`.
    std::string_view label;  ///< For people.
    enum class Unit : std::uint8_t { Pairs, Work, Milliseconds } unit;
};
[[nodiscard]] const std::array<CostRow, FrameCost::kRows>& cost_rows();

struct BeforeAfter {
    std::string change;       ///< For people: `Broadphase: from BSP to Wide tree`.
    FrameCost before, after;  ///< Per frame.
    std::uint32_t frames_before = 0, frames_after = 0;
};

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
        std::string_view id;
        std::string value;
    };
    std::vector<Watched> watched_;
    std::string change_, changing_, first_value_;
    FrameCost before_, last_, first_since_;
    std::uint32_t frames_before_ = 0;
    std::vector<FrameCost> frames_;  // since the change, or before any; the oldest at `oldest_` once full
    std::size_t oldest_ = 0;
    std::uint64_t revision_ = ~std::uint64_t{0};
};

}  // namespace lab
