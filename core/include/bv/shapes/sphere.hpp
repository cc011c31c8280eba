// A ball: all points within `radius` of `center`.
#pragma once

#include <glm/vec3.hpp>

namespace bv {

/// A closed ball in metres. `radius == 0` is a point. A negative radius is the empty ball: it overlaps and contains
/// nothing. That is what a fit of no points gives, and what a default-constructed sphere is.
struct Sphere {
    glm::vec3 center{0.0f};
    float radius = -1.0f;

    [[nodiscard]] constexpr bool is_empty() const noexcept { return !(radius >= 0.0f); }
    [[nodiscard]] float volume() const noexcept;        ///< 4/3 pi r^3; 0 when empty.
    [[nodiscard]] float surface_area() const noexcept;  ///< 4 pi r^2; 0 when empty.
    friend bool operator==(const Sphere&, const Sphere&) = default;
};

}  // namespace bv
