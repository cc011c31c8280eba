#include "bv/fit/aabb.hpp"

#include "fit/passes.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {

Aabb aabb_tight(std::span<const glm::vec3> points) {
    return detail::bounds_of(points);
}

Aabb aabb_fixed(const Sphere& sphere) {
    if (sphere.is_empty()) return {};
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = detail::add_down(sphere.center[k], -sphere.radius);
        box.max[k] = detail::add_up(sphere.center[k], sphere.radius);
    }
    return box;
}

}  // namespace bv::fit
