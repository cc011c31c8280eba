#include "query/meshes/collide_walk.hpp"

#include <cmath>

namespace bv::detail {

std::uint32_t overlapping_children(const Bvh8Node& node, const Crossing& crossing, const CenterBox& other,
                                   CenterBox8& children) noexcept {
    float at[3];
    float reach_of_other[3];
    for (int i = 0; i < 3; ++i) {
        at[i] = ((crossing.axes[0][i] * other.center.x + crossing.axes[1][i] * other.center.y) +
                 crossing.axes[2][i] * other.center.z) +
                crossing.offset[i];
        reach_of_other[i] =
            ((crossing.abs_axes[0][i] * other.half.x + crossing.abs_axes[1][i] * other.half.y) +
             crossing.abs_axes[2][i] * other.half.z) +
            crossing.slack;
    }
    std::uint32_t mask = 0;
    for (int c = 0; c < 8; ++c) {
        bool overlapping = true;
        float delta[3];
        for (int i = 0; i < 3; ++i) {
            const float half_step = node.step[i] * 0.5f;
            const auto lo = static_cast<float>(node.lo[i][c]);
            const auto hi = static_cast<float>(node.hi[i][c]);
            children.half[i][c] = (hi - lo) * half_step;
            children.center[i][c] = node.origin[i] + (hi + lo) * half_step;
            delta[i] = at[i] - children.center[i][c];
            overlapping = overlapping && std::abs(delta[i]) <= children.half[i][c] + reach_of_other[i];
        }
        for (int j = 0; j < 3; ++j) {
            const float* axis = crossing.unit[j];
            const float* abs_axis = crossing.abs_unit[j];
            const float along = axis[2] * delta[2] + (axis[1] * delta[1] + axis[0] * delta[0]);
            const float reach =
                abs_axis[2] * children.half[2][c] +
                (abs_axis[1] * children.half[1][c] +
                 (abs_axis[0] * children.half[0][c] + (other.half[j] * crossing.scale + crossing.slack)));
            overlapping = overlapping && std::abs(along) <= reach;
        }
        if (overlapping) mask |= 1u << c;
    }
    return mask & node.used;
}

}  // namespace bv::detail
