// The effect of a change of algorithm. Work and times are means over the frames before it and those since;
// numbers of pairs depend on the moment, and are compared between the last frame before and the first one
// since.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lab {

/// The work of one frame. In the order of `cost_rows()`.
struct FrameCost {
    enum Row : std::uint8_t {
        BroadTests,
        BroadPairs,
        VolumePairs,
        ExactPairs,
        PartTests,
        RayNodes,
        RayTests,
        TreeHeight,
        TreeSah,
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
    /// `Moment`: compared at the moment of the change.
    enum class Unit : std::uint8_t { Moment, Work, Milliseconds } unit;
};
[[nodiscard]] const std::array<CostRow, FrameCost::kRows>& cost_rows();

struct BeforeAfter {
    std::string change;       ///< For people: `Broadphase: from BSP to Wide tree`.
    FrameCost before, after;  ///< Per frame.
    std::uint32_t frames_before = 0, frames_after = 0;
};

}  // namespace lab
