// The image of points under an affine map in double, with a bound on its rounding error.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>

#include "bv/shapes/aabb.hpp"
#include "shapes/rounding.hpp"

namespace bv::detail {

class AffineImage {
  public:
    explicit AffineImage(const glm::mat4x3& m) {
        for (int row = 0; row < 3; ++row) {
            rows_[row] = glm::dvec3(m[0][row], m[1][row], m[2][row]);
            shift_[row] = static_cast<double>(m[3][row]);
            largest_ =
                std::max({largest_, std::abs(rows_[row].x), std::abs(rows_[row].y), std::abs(rows_[row].z)});
        }
    }
    [[nodiscard]] const glm::dvec3& row(int i) const { return rows_[i]; }
    [[nodiscard]] glm::dvec3 operator()(const glm::vec3& p) const {
        const glm::dvec3 q(p);
        glm::dvec3 image;
        for (int row = 0; row < 3; ++row)
            image[row] = ((rows_[row].x * q.x + rows_[row].y * q.y) + rows_[row].z * q.z) + shift_[row];
        return image;
    }
    /// Products of two floats are exact in double; three additions round by half a step each.
    [[nodiscard]] double error(const glm::vec3& p) const {
        const double reach = std::abs(static_cast<double>(p.x)) + std::abs(static_cast<double>(p.y)) +
                             std::abs(static_cast<double>(p.z));
        const double shift = std::max({std::abs(shift_.x), std::abs(shift_.y), std::abs(shift_.z)});
        return (largest_ * reach + shift) * 0x1p-51;
    }

  private:
    glm::dvec3 rows_[3];
    glm::dvec3 shift_{0.0};
    double largest_ = 0.0;
};

/// The box of float bounds around bounds in double; empty if they are empty or not finite.
inline Aabb rounded_outward(const glm::dvec3& low, const glm::dvec3& high) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        if (!(low[k] <= high[k]) || !std::isfinite(low[k]) || !std::isfinite(high[k])) return {};
        box.min[k] = round_down(low[k]);
        box.max[k] = round_up(high[k]);
    }
    return box;
}

}  // namespace bv::detail
