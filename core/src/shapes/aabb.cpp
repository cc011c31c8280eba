#include "bv/shapes/aabb.hpp"

#include <algorithm>
#include <cmath>

#include "bv/assert.hpp"
#include "shapes/measures.hpp"
#include "shapes/rounding.hpp"

namespace bv {
namespace {

using detail::add_down;
using detail::add_up;
using detail::ExactSum;
using detail::kFloatInf;
using detail::kFloatMax;

// An axis on which the image has no finite bounds (NaN, inf - inf, or an infinite shift) becomes unbounded.
Aabb known_or_all(Aabb image) noexcept {
    for (int k = 0; k < 3; ++k)
        if (!(image.max[k] - image.min[k] >= 0.0f)) {
            image.min[k] = -kFloatInf;
            image.max[k] = kFloatInf;
        }
    return image;
}

// The product in a sum over a box's points. All points are finite, so a zero entry gives zero even where the
// box is unbounded.
double term(double entry, double coordinate) noexcept {
    return entry == 0.0 ? 0.0 : entry * coordinate;
}

// Rounding outward can push a sum of two finite floats past the largest float. No float lies beyond, so
// clamping loses no point.
float clamp_finite(float x) noexcept {
    return std::clamp(x, -kFloatMax, kFloatMax);
}

// Center and half width of [lo, hi]. The center is rounded; the half width is rounded up so that neither end
// is cut off. Of the three floats nearest to the midpoint, takes the one that makes the interval grow least.
void centered_interval(float lo, float hi, float& center, float& half) noexcept {
    const double middle = (static_cast<double>(lo) + static_cast<double>(hi)) * 0.5;
    if (!std::isfinite(middle)) {
        center = 0.0f;
        half = kFloatInf;
        return;
    }
    const auto nearest = static_cast<float>(middle);
    double least = std::numeric_limits<double>::infinity();
    for (const float c : {nearest, detail::next_down(nearest), detail::next_up(nearest)}) {
        const float h = std::max(add_up(hi, -c), add_up(c, -lo));
        const double growth =
            std::max(static_cast<double>(clamp_finite(add_up(c, h))) - static_cast<double>(hi),
                     static_cast<double>(lo) - static_cast<double>(clamp_finite(add_down(c, -h))));
        if (growth < least) {
            least = growth;
            center = c;
            half = h;
        }
    }
}

}  // namespace

bool Aabb::is_finite() const noexcept {
    return !is_empty() && bv::is_finite(min) && bv::is_finite(max);
}

glm::vec3 Aabb::center() const noexcept {
    if (is_empty()) return glm::vec3(0.0f);
    glm::vec3 c;
    for (int k = 0; k < 3; ++k) {
        c[k] = static_cast<float>((static_cast<double>(min[k]) + static_cast<double>(max[k])) * 0.5);
        if (std::isnan(c[k])) c[k] = 0.0f;  // Unbounded on both sides.
    }
    return c;
}

glm::vec3 Aabb::size() const noexcept {
    return glm::vec3(detail::size_in_double(*this));
}

glm::vec3 Aabb::half_extents() const noexcept {
    return glm::vec3(detail::size_in_double(*this) * 0.5);
}

float Aabb::volume() const noexcept {
    return static_cast<float>(detail::volume_in_double(*this));
}

float Aabb::surface_area() const noexcept {
    return static_cast<float>(detail::area_in_double(*this));
}

CenterExtents to_center_extents(const Aabb& box) noexcept {
    if (box.is_empty()) return {};
    CenterExtents result{glm::vec3(0.0f), glm::vec3(0.0f)};
    for (int k = 0; k < 3; ++k)
        centered_interval(box.min[k], box.max[k], result.center[k], result.half_extents[k]);
    return result;
}

MinSize to_min_size(const Aabb& box) noexcept {
    if (box.is_empty()) return {};
    MinSize result{box.min, glm::vec3(0.0f)};
    for (int k = 0; k < 3; ++k) {
        result.size[k] = box.max[k] == box.min[k] ? 0.0f : add_up(box.max[k], -box.min[k]);
    }
    return result;
}

Aabb to_aabb(const CenterExtents& box) noexcept {
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        const float c = box.center[k];
        const float h = box.half_extents[k];
        if (!(h >= 0.0f) || !std::isfinite(c)) return {};
        result.min[k] = add_down(c, -h);
        result.max[k] = add_up(c, h);
        if (std::isfinite(c) && std::isfinite(h)) {
            result.min[k] = clamp_finite(result.min[k]);
            result.max[k] = clamp_finite(result.max[k]);
        }
    }
    return result;
}

Aabb to_aabb(const MinSize& box) noexcept {
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        const float lo = box.min[k];
        const float s = box.size[k];
        if (!(s >= 0.0f) || std::isnan(lo)) return {};
        result.min[k] = lo;
        result.max[k] = std::isinf(s) ? s : add_up(lo, s);
        if (std::isfinite(lo) && std::isfinite(s)) result.max[k] = clamp_finite(result.max[k]);
    }
    return result;
}

Aabb merge(const Aabb& box, const glm::vec3& point) noexcept {
    Aabb result = box;
    for (int k = 0; k < 3; ++k) {
        // Comparisons with NaN are false, which leaves the axis unchanged.
        if (point[k] < result.min[k]) result.min[k] = point[k];
        if (point[k] > result.max[k]) result.max[k] = point[k];
    }
    return result;
}

Aabb intersection(const Aabb& a, const Aabb& b) noexcept {
    if (a.is_empty() || b.is_empty()) return {};
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        result.min[k] = std::max(a.min[k], b.min[k]);
        result.max[k] = std::min(a.max[k], b.max[k]);
    }
    return result.is_empty() ? Aabb{} : result;
}

Aabb grown(const Aabb& box, float margin) noexcept {
    if (box.is_empty()) return {};
    if (!(margin > 0.0f)) return box;
    Aabb result;
    for (int k = 0; k < 3; ++k) {
        result.min[k] = add_down(box.min[k], -margin);
        result.max[k] = add_up(box.max[k], margin);
    }
    return result;
}

Aabb swept(const Aabb& box, const glm::vec3& displacement) noexcept {
    if (box.is_empty()) return {};
    Aabb result = box;
    for (int k = 0; k < 3; ++k) {
        const float lo = add_down(box.min[k], displacement[k]);
        const float hi = add_up(box.max[k], displacement[k]);
        if (lo < result.min[k]) result.min[k] = lo;
        if (hi > result.max[k]) result.max[k] = hi;
    }
    return result;
}

Aabb transformed(const Aabb& box, const glm::mat4x3& affine) noexcept {
    if (box.is_empty()) return {};
    Aabb result;
    for (int row = 0; row < 3; ++row) {
        // Each entry of the matrix is multiplied by the one of two faces that gives less (more): Arvo's
        // observation. A product of two floats is exact in double.
        ExactSum lo{static_cast<double>(affine[3][row]), 0.0};
        ExactSum hi = lo;
        for (int col = 0; col < 3; ++col) {
            const double m = static_cast<double>(affine[col][row]);
            const double at_min = term(m, static_cast<double>(box.min[col]));
            const double at_max = term(m, static_cast<double>(box.max[col]));
            const bool ordered = at_min < at_max;
            lo.add(ordered ? at_min : at_max);
            hi.add(ordered ? at_max : at_min);
            if (std::isnan(at_min)) lo.high = at_min;
            if (std::isnan(at_max)) hi.high = lo.high = at_max;
        }
        result.min[row] = lo.down();
        result.max[row] = hi.up();
    }
    return known_or_all(result);
}

Aabb transformed_corners(const Aabb& box, const glm::mat4x3& affine) noexcept {
    if (box.is_empty()) return {};
    Aabb result;
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner = box.corner(i);
        for (int row = 0; row < 3; ++row) {
            ExactSum sum{static_cast<double>(affine[3][row]), 0.0};
            for (int col = 0; col < 3; ++col)
                sum.add(term(static_cast<double>(affine[col][row]), static_cast<double>(corner[col])));
            const float lo = std::isnan(sum.high) ? -kFloatInf : sum.down();
            const float hi = std::isnan(sum.high) ? kFloatInf : sum.up();
            result.min[row] = std::min(result.min[row], lo);
            result.max[row] = std::max(result.max[row], hi);
        }
    }
    return known_or_all(result);
}

}  // namespace bv
