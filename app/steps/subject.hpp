// What an algorithm was asked about: what the indices in its events refer to, so that they can be drawn.
#pragma once

#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/shapes/triangle.hpp"

namespace lab::steps {

/// The same box, for lists that hold turned boxes, too. Empty stays empty.
[[nodiscard]] inline bv::Obb as_obb(const bv::Aabb& box) {
    return box.is_empty() ? bv::Obb{} : bv::Obb{box.center(), box.half_extents(), glm::mat3(1.0f)};
}

struct Subject {
    std::vector<glm::vec3> points;                ///< Of a fit, or the corners of shape A.
    std::vector<glm::vec3> points_b;              ///< The corners of shape B.
    std::vector<bv::Obb> nodes;                   ///< Boxes of a tree, or of tree A, by number.
    std::vector<bv::Obb> nodes_b;                 ///< Boxes of tree B.
    std::vector<std::vector<bv::Aabb>> contents;  ///< The boxes below each node, where they are split.
    std::optional<bv::Ray> ray;
    std::optional<bv::Triangle> triangle;
    glm::vec3 difference_origin{0.0f};  ///< Where in the world the space of differences has its origin.

    /// The point of an index, or NaN for one that is out of range.
    [[nodiscard]] glm::vec3 point(std::size_t index) const {
        return index < points.size() ? points[index] : glm::vec3(kNowhere);
    }

  private:
    static constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();
};

}  // namespace lab::steps
