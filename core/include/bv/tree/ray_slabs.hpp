// The ray against box test of the trees, a slab test whose answer for a box is never stricter than for a box
// inside it.
//
// Each bound gives t = (bound - origin) * (1 / direction). Rounded subtraction and multiplication keep order,
// so the interval of a larger box contains the interval of a smaller one bit for bit, and a tree that culls
// by larger boxes answers exactly what a loop over all boxes answers. A direction component of zero makes an
// infinity, or NaN when the origin lies in the face plane; comparisons are arranged so that the NaN is
// ignored and the closed box is hit.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <limits>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace bv {

/// A ray made ready for many box tests. A ray that is not finite (but for t_max = inf) hits nothing.
struct RaySlabs {
    glm::vec3 origin{0.0f};
    glm::vec3 inverse{0.0f};
    bool negative[3] = {false, false, false};  ///< Per axis: the far face is met first.
    float t_max = -1.0f;                       ///< At most the largest finite float; negative: hits nothing.

    RaySlabs() = default;
    explicit RaySlabs(const Ray& ray) noexcept : origin(ray.origin) {
        bool finite = !std::isnan(ray.t_max);
        for (int k = 0; k < 3; ++k) {
            finite = finite && std::isfinite(ray.origin[k]) && std::isfinite(ray.direction[k]);
            negative[k] = std::signbit(ray.direction[k]);
            inverse[k] = 1.0f / ray.direction[k];
        }
        // The cap tells a box that is never reached (t = inf) from one inside an unlimited range.
        const float largest = std::numeric_limits<float>::max();
        if (finite) t_max = ray.t_max < largest ? ray.t_max : largest;
    }

    /// True if the ray meets the closed box at some 0 <= t <= limit; `t_enter` is then the first such t.
    [[nodiscard]] bool hits(const Aabb& box, float limit, float& t_enter) const noexcept {
        float enter = 0.0f;
        float leave = limit;
        for (int k = 0; k < 3; ++k) {
            const float near = ((negative[k] ? box.max[k] : box.min[k]) - origin[k]) * inverse[k];
            const float far = ((negative[k] ? box.min[k] : box.max[k]) - origin[k]) * inverse[k];
            enter = near > enter ? near : enter;
            leave = far < leave ? far : leave;
        }
        t_enter = enter;
        return enter <= leave;
    }
};

}  // namespace bv
