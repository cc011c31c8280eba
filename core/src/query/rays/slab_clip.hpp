// Clips a line by several slabs: the part of the line between all pairs of planes, and the planes through
// which it enters and leaves. Used by every ray cast against a solid with parallel faces.
#pragma once

#include <cstdint>
#include <limits>

#include "bv/trace/events.hpp"

namespace bv::detail {

/// Starts as the whole line. Faces are numbered 2 * slab + (1 for the plane on the positive side), -1 for
/// none.
struct LineInterval {
    double enter = -std::numeric_limits<double>::infinity();
    double exit = std::numeric_limits<double>::infinity();
    int enter_face = -1;
    int exit_face = -1;

    [[nodiscard]] bool empty() const noexcept { return !(enter <= exit); }

    /// Keeps the part in `lo <= o + t d <= hi`. A zero `d` is decided by `o` alone, without a division.
    template <class Sink>
    void clip(int slab, double o, double d, double lo, double hi, Sink& sink) {
        constexpr double kInf = std::numeric_limits<double>::infinity();
        double near_t = -kInf;
        double far_t = kInf;
        if (d == 0.0) {
            if (!(lo <= o && o <= hi)) near_t = kInf, far_t = -kInf;
        } else {
            near_t = ((d > 0.0 ? lo : hi) - o) / d;
            far_t = ((d > 0.0 ? hi : lo) - o) / d;
        }
        if (near_t >= enter && near_t > -kInf) {
            enter = near_t;
            enter_face = d == 0.0 ? -1 : 2 * slab + (d > 0.0 ? 0 : 1);
        }
        if (far_t < exit) {
            exit = far_t;
            exit_face = d == 0.0 ? -1 : 2 * slab + (d > 0.0 ? 1 : 0);
        }
        if constexpr (Sink::kEnabled)
            sink(SlabClipped{static_cast<std::uint8_t>(slab), static_cast<float>(near_t),
                             static_cast<float>(far_t), static_cast<float>(enter), static_cast<float>(exit)});
    }

    /// Records the clip to [begin, end]; the interval remains that of the whole line.
    template <class Sink>
    void record_range(float begin, float end, Sink& sink) const {
        if constexpr (Sink::kEnabled) {
            if (empty()) return;
            const auto near_t = static_cast<float>(enter), far_t = static_cast<float>(exit);
            sink(RangeClipped{begin, end, near_t, far_t, near_t > begin ? near_t : begin,
                              far_t < end ? far_t : end});
        }
    }
};

}  // namespace bv::detail
