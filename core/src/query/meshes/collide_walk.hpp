// Simultaneous traversal of two wide trees. A pair of boxes, one of each tree, is replaced by the pairs of
// one of them with the eight children of the other, tested at once by the face axes of both frames.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bv/query/collide.hpp"

namespace bv::detail {

/// One tree's frame in that of the other.
struct Crossing {
    float axes[3][3];      ///< axes[j][i]: component i of the other's axis j, in the node's frame.
    float abs_axes[3][3];  ///< Their absolute values.
    float unit[3][3];      ///< The axes divided by their length,
    float abs_unit[3][3];  ///< and the absolute values of that.
    float offset[3];       ///< The other's origin, in the node's frame.
    float scale;           ///< The length of the other's axes.
    float slack;           ///< Upper bound of the rounding errors of a test.
};

struct CenterBox {
    glm::vec3 center;
    glm::vec3 half;
};

/// The eight children of a node.
struct alignas(32) CenterBox8 {
    float center[3][8];
    float half[3][8];

    [[nodiscard]] CenterBox get(int i) const noexcept {
        return {{center[0][i], center[1][i], center[2][i]}, {half[0][i], half[1][i], half[2][i]}};
    }
};

/// The children of `node` that may overlap `other`, a box in the other tree's frame, as bits. Fills in all
/// eight boxes.
[[nodiscard]] std::uint32_t overlapping_children(const Bvh8Node& node, const Crossing& crossing,
                                                 const CenterBox& other, CenterBox8& children) noexcept;

}  // namespace bv::detail
