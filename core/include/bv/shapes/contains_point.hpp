// Defines "contains a point" for a stored volume; every fit satisfies this definition and is tested by it.
//
// Fields are single precision; the test is carried out in double on the stored values. Differences of floats
// of similar size are exact there, so rounding hardly affects the result (relative error below 1e-15), and it
// is the same on every machine. A fit rounds its fields outward until this test holds for each of its input
// points. Each shape's `contains_point` is in the header of the shape. They compare differences with zero:
// the sign is exact, and inf - inf is NaN, as bv/shapes/not_finite.hpp requires.
#pragma once

#include <glm/vec3.hpp>

namespace bv {

/// Squared distance of two points in double, summed in the order that every fit and test uses.
[[nodiscard]] inline double distance_sq_in_double(const glm::vec3& a, const glm::vec3& b) noexcept {
    const double x = static_cast<double>(a.x) - static_cast<double>(b.x);
    const double y = static_cast<double>(a.y) - static_cast<double>(b.y);
    const double z = static_cast<double>(a.z) - static_cast<double>(b.z);
    return (x * x + y * y) + z * z;
}

/// Signed distance of `p` from the plane through `origin` with normal `axis`, in double, in multiples of the
/// length of `axis`.
[[nodiscard]] inline double offset_in_double(const glm::vec3& axis, const glm::vec3& p,
                                             const glm::vec3& origin) noexcept {
    const double x = static_cast<double>(p.x) - static_cast<double>(origin.x);
    const double y = static_cast<double>(p.y) - static_cast<double>(origin.y);
    const double z = static_cast<double>(p.z) - static_cast<double>(origin.z);
    return (static_cast<double>(axis.x) * x + static_cast<double>(axis.y) * y) +
           static_cast<double>(axis.z) * z;
}

}  // namespace bv
