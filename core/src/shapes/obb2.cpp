#include "bv/shapes/obb2.hpp"

#include <cmath>

#include "bv/shapes/not_finite.hpp"

namespace bv {

float Obb2::area() const noexcept {
    if (is_empty()) return 0.0f;
    return static_cast<float>(4.0 * detail::product_or_zero(half_extents.x, half_extents.y));
}

float Obb2::perimeter() const noexcept {
    return is_empty() ? 0.0f : 4.0f * (half_extents.x + half_extents.y);
}

glm::vec2 Obb2::corner(int i) const noexcept {
    const glm::vec2 signs(i == 1 || i == 2 ? 1.0f : -1.0f, i >= 2 ? 1.0f : -1.0f);
    glm::vec2 p = center;
    for (int k = 0; k < 2; ++k) {
        for (int j = 0; j < 2; ++j)
            p[k] += static_cast<float>(detail::product_or_zero(signs[j] * half_extents[j], axes[j][k]));
        if (std::isnan(p[k])) p[k] = 0.0f;
    }
    return p;
}

bool contains_point(const Obb2& box, const glm::vec2& p) noexcept {
    const glm::dvec2 d = glm::dvec2(p) - glm::dvec2(box.center);
    for (int k = 0; k < 2; ++k) {
        const double offset =
            static_cast<double>(box.axes[k].x) * d.x + static_cast<double>(box.axes[k].y) * d.y;
        if (!(std::abs(offset) - static_cast<double>(box.half_extents[k]) <= 0.0)) return false;
    }
    return true;
}

}  // namespace bv
