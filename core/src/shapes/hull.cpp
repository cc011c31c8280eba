#include "bv/shapes/hull.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "bv/assert.hpp"
#include "query/precise.hpp"
#include "shapes/climb.hpp"
#include "shapes/predicates.hpp"
#include "simd/support.hpp"

namespace bv {
namespace {

double project(const glm::dvec3& direction, const glm::vec3& p) noexcept {
    return (direction.x * static_cast<double>(p.x) + direction.y * static_cast<double>(p.y)) +
           direction.z * static_cast<double>(p.z);
}

bool between(float a, float x, float b) noexcept {
    return (a <= x && x <= b) || (b <= x && x <= a);
}

bool on_segment(const glm::vec3& a, const glm::vec3& b, const glm::vec3& p) noexcept {
    return between(a.x, p.x, b.x) && between(a.y, p.y, b.y) && between(a.z, p.z, b.z) &&
           detail::collinear(a, b, p);
}

// A point in the plane of a flat hull lies in it iff it is on the inner side of every border edge, projected
// along the coordinate axis that gives the largest area.
bool in_flat_hull(const Hull& hull, const glm::vec3& p) noexcept {
    const glm::uvec3 t = hull.triangles.front();
    const glm::vec3 a = hull.vertices[t.x], b = hull.vertices[t.y], c = hull.vertices[t.z];
    if (detail::orient3d(a, b, c, p) != 0) return false;
    const std::size_t fans = hull.triangles.size() / 2;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const auto flat = [&](const glm::vec3& v) { return glm::vec2(v[i], v[j]); };
        const int side = detail::orient2d(flat(a), flat(b), flat(c));
        if (side == 0) continue;
        for (std::size_t f = 0; f < fans; ++f) {
            const glm::uvec3 tri = hull.triangles[f];
            const glm::vec2 u = flat(hull.vertices[tri.x]), v = flat(hull.vertices[tri.y]);
            const glm::vec2 w = flat(hull.vertices[tri.z]), q = flat(p);
            if (side * detail::orient2d(u, v, q) >= 0 && side * detail::orient2d(v, w, q) >= 0 &&
                side * detail::orient2d(w, u, q) >= 0)
                return true;
        }
        return false;
    }
    return false;
}

// Sums over floats do not overflow in double: if the result is not finite, neither is some vertex.
double finite_or_zero(double x) noexcept {
    return std::isfinite(x) ? x : 0.0;
}

// Signed, from tetrahedra that share the first vertex.
template <class Solid>
double six_volumes(const Solid& solid) noexcept {
    const glm::dvec3 origin(solid.vertices[solid.triangles[0].x]);
    double sum = 0.0;
    for (const glm::uvec3& t : solid.triangles) {
        sum += glm::dot(
            glm::dvec3(solid.vertices[t.x]) - origin,
            glm::cross(glm::dvec3(solid.vertices[t.y]) - origin, glm::dvec3(solid.vertices[t.z]) - origin));
    }
    return finite_or_zero(sum);
}

template <class Solid>
double area_of(const Solid& solid) noexcept {
    double doubled = 0.0;
    for (const glm::uvec3& t : solid.triangles) {
        const glm::dvec3 a(solid.vertices[t.x]);
        doubled +=
            glm::length(glm::cross(glm::dvec3(solid.vertices[t.y]) - a, glm::dvec3(solid.vertices[t.z]) - a));
    }
    return finite_or_zero(doubled) * 0.5;
}

}  // namespace

double Polytope::volume() const noexcept {
    return triangles.empty() ? 0.0 : std::abs(six_volumes(*this)) / 6.0;
}

double Polytope::surface_area() const noexcept {
    return area_of(*this);
}

double Hull::volume() const noexcept {
    // Negative only by rounding.
    return dimension < 3 ? 0.0 : std::max(six_volumes(*this), 0.0) / 6.0;
}

double Hull::surface_area() const noexcept {
    return area_of(*this);
}

glm::vec3 Hull::centroid() const noexcept {
    if (!std::all_of(vertices.begin(), vertices.end(), bv::is_finite) || is_empty()) return glm::vec3(0.0f);
    const glm::dvec3 origin(vertices[0]);
    glm::dvec3 weighted(0.0);
    double weight = 0.0;
    for (const glm::uvec3& t : triangles) {
        const glm::dvec3 a = glm::dvec3(vertices[t.x]) - origin;
        const glm::dvec3 b = glm::dvec3(vertices[t.y]) - origin;
        const glm::dvec3 c = glm::dvec3(vertices[t.z]) - origin;
        // Tetrahedra from the first vertex for a solid, triangles for a polygon.
        const double w =
            dimension == 3 ? glm::dot(a, glm::cross(b, c)) : glm::length(glm::cross(b - a, c - a));
        weighted += w * (dimension == 3 ? (a + b + c) / 4.0 : (a + b + c) / 3.0);
        weight += w;
    }
    if (weight > 0.0) return glm::vec3(origin + weighted / weight);
    glm::dvec3 sum(0.0);
    for (const glm::vec3& v : vertices)
        sum += glm::dvec3(v) - origin;
    return glm::vec3(origin + sum / static_cast<double>(vertices.size()));
}

bool detail::has_points(const Hull& hull) noexcept {
    glm::vec3 middle;
    return has_points(hull, middle);
}

bool detail::has_points(const Hull& hull, glm::vec3& middle) noexcept {
    if (hull.is_empty()) return false;
    static const simd::MiddleOf middle_of = simd::support_kernels().middle_of;
    middle_of(&hull.vertices.front().x, static_cast<std::uint32_t>(hull.vertices.size()), &middle.x);
    // Without an overflow, the middle is finite iff every coordinate is.
    if (bv::is_finite(middle)) return true;
    middle = hull.vertices.front();
    return std::all_of(hull.vertices.begin(), hull.vertices.end(),
                       [](const glm::vec3& v) { return bv::is_finite(v); });
}

std::uint32_t detail::climb(const Hull& hull, const glm::dvec3& direction, std::uint32_t start) noexcept {
    std::uint32_t best = start;
    double reach = project(direction, hull.vertices[best]);
    for (;;) {
        std::uint32_t next = best;
        for (std::uint32_t i = hull.neighbor_begin[best]; i < hull.neighbor_begin[best + 1]; ++i) {
            const double r = project(direction, hull.vertices[hull.neighbors[i]]);
            // Without a branch, which would mispredict.
            const bool better = r > reach;
            next = better ? hull.neighbors[i] : next;
            reach = better ? r : reach;
        }
        if (next == best) return best;
        best = next;
    }
}

std::uint32_t Hull::support(const glm::vec3& direction, std::uint32_t start) const noexcept {
    BV_ASSERT(start < vertices.size());
    if (start >= vertices.size()) return 0;
    return detail::climb(*this, glm::dvec3(direction), start);
}

std::uint32_t Hull::support_brute_force(const glm::vec3& direction) const noexcept {
    BV_ASSERT(!vertices.empty());
    const glm::dvec3 d(direction);
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < vertices.size(); ++i) {
        if (project(d, vertices[i]) > project(d, vertices[best])) best = i;
    }
    return best;
}

bool contains_point(const Hull& hull, const glm::vec3& p) noexcept {
    if (!bv::is_finite(p) || !detail::has_points(hull)) return false;
    switch (hull.dimension) {
        case 0:
            return p == hull.vertices[0];
        case 1:
            return on_segment(hull.vertices[0], hull.vertices[1], p);
        case 2:
            return in_flat_hull(hull, p);
        case 3:
            for (const glm::uvec3& t : hull.triangles) {
                if (detail::orient3d(hull.vertices[t.x], hull.vertices[t.y], hull.vertices[t.z], p) > 0)
                    return false;
            }
            return true;
        default:
            return false;
    }
}

Polytope polytope_of(const Hull& hull) {
    return {hull.vertices, hull.triangles, hull.edges};
}

Hull transformed(const Hull& hull, const glm::mat4x3& affine) {
    Hull result = hull;
    for (glm::vec3& v : result.vertices)
        v = glm::vec3(glm::dmat4x3(affine) * glm::dvec4(glm::dvec3(v), 1.0));
    if (!detail::has_points(result)) return {};
    if (glm::determinant(glm::dmat3(glm::dvec3(affine[0]), glm::dvec3(affine[1]), glm::dvec3(affine[2]))) <
        0.0) {
        for (glm::uvec3& t : result.triangles)
            t = {t.x, t.z, t.y};
    }
    return result;
}

}  // namespace bv
