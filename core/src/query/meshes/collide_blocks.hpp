// Four triangles against four: boxes and planes in four lanes, with error bounds, then the exact test for the
// few remaining pairs.
#pragma once

#include <cstdint>

#include "bv/query/collide.hpp"

namespace bv::detail {

[[nodiscard]] inline Triangle block_triangle(const TriangleBlock& block, int lane) noexcept {
    const auto corner = [&](int i) {
        return glm::vec3(block.corner[i][0][lane], block.corner[i][1][lane], block.corner[i][2][lane]);
    };
    return {corner(0), corner(1), corner(2)};
}

/// A block in another frame.
[[nodiscard]] TriangleBlock moved(const TriangleBlock& block, const Pose& pose) noexcept;

/// Bit 4 * i + j is set iff triangles i of `a` and j of `b`, given in one frame, share a point. `any`: stops
/// at the first. `exact_tests` counts the pairs that the filters did not decide.
[[nodiscard]] std::uint32_t touching_lanes(const TriangleBlock& a, const TriangleBlock& b, bool any,
                                           std::uint32_t& exact_tests) noexcept;

}  // namespace bv::detail
