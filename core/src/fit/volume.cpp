#include "bv/fit/volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <type_traits>

#include "bv/shapes/contains_point.hpp"
#include "shapes/frame.hpp"
#include "shapes/measures.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

struct KindName {
    std::string_view id;
    std::string_view name;
};
constexpr std::array<KindName, std::variant_size_v<Volume>> kKinds = {
    KindName{"sphere", "Sphere"},
    KindName{"aabb", "AABB"},
    KindName{"obb", "OBB"},
    KindName{"kdop6", "6-DOP"},
    KindName{"kdop8", "8-DOP"},
    KindName{"kdop14", "14-DOP"},
    KindName{"kdop18", "18-DOP"},
    KindName{"kdop26", "26-DOP"},
    KindName{"hull", "Convex hull"},
    KindName{"capsule", "Capsule"},
    KindName{"rss", "Rectangle swept sphere"},
};

// The rule for non-finite positions (bv/shapes/not_finite.hpp).
glm::vec3 placed_or_zero(const glm::vec3& center) {
    return bv::is_finite(center) ? center : glm::vec3(0.0f);
}
glm::vec3 number_or_zero(const glm::vec3& p) {
    return std::isnan(p.x) || std::isnan(p.y) || std::isnan(p.z) ? glm::vec3(0.0f) : p;
}

template <class Corners>
glm::vec3 farthest_of(const Corners& corners, std::size_t count, const glm::vec3& direction) {
    glm::vec3 best(0.0f);
    double reach = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 p = corners(i);
        const double r = glm::dot(glm::dvec3(direction), glm::dvec3(p));
        if (i == 0 || r > reach) {
            reach = r;
            best = p;
        }
    }
    return best;
}

// A point of a core plus the radius in that direction.
glm::vec3 rounded_core(const glm::vec3& core, float radius, const glm::vec3& direction) {
    const glm::dvec3 n = detail::normalized_or_zero(glm::dvec3(direction));
    const auto r = static_cast<double>(radius);
    return glm::vec3(glm::dvec3(core) + glm::dvec3(detail::product_or_zero(r, n.x),
                                                   detail::product_or_zero(r, n.y),
                                                   detail::product_or_zero(r, n.z)));
}

Hull hull_like(const Polytope& solid) {
    Hull hull;
    hull.vertices = solid.vertices;
    hull.triangles = solid.triangles;
    hull.dimension = solid.volume() > 0.0 ? 3 : 2;
    return hull;
}

// Corners numbered by bits, as Aabb and Obb do.
Polytope box_polytope(const std::array<glm::vec3, 8>& corners) {
    Polytope p;
    p.vertices.assign(corners.begin(), corners.end());
    for (unsigned k = 0; k < 3; ++k) {
        const unsigned a = 1u << k, b = 1u << (k + 1) % 3, c = 1u << (k + 2) % 3;
        // The face on the negative side of axis c, seen from outside, and the one on the positive side.
        p.triangles.push_back({0, b, a + b});
        p.triangles.push_back({0, a + b, a});
        p.triangles.push_back({c, c + a, c + a + b});
        p.triangles.push_back({c, c + a + b, c + b});
        for (unsigned other : {0u, b, c, b + c})
            p.edges.push_back({other, other + a});
    }
    return p;
}

}  // namespace

VolumeKind kind_of(const Volume& volume) noexcept {
    return static_cast<VolumeKind>(volume.index());
}
std::string_view id_of(VolumeKind kind) noexcept {
    const auto i = static_cast<std::size_t>(kind);
    return i < std::size(kKinds) ? kKinds[i].id : std::string_view();
}
std::string_view name_of(VolumeKind kind) noexcept {
    const auto i = static_cast<std::size_t>(kind);
    return i < std::size(kKinds) ? kKinds[i].name : std::string_view();
}

bool is_empty(const Volume& volume) noexcept {
    return std::visit([](const auto& v) { return v.is_empty(); }, volume);
}

double volume_of(const Volume& volume) {
    return std::visit(
        [](const auto& v) {
            if constexpr (requires { detail::volume_in_double(v); })
                return detail::volume_in_double(v);
            else
                return v.volume();
        },
        volume);
}

double surface_area_of(const Volume& volume) {
    return std::visit(
        [](const auto& v) {
            if constexpr (requires { detail::area_in_double(v); })
                return detail::area_in_double(v);
            else
                return v.surface_area();
        },
        volume);
}

glm::vec3 center_of(const Volume& volume) {
    if (is_empty(volume)) return glm::vec3(0.0f);
    return placed_or_zero(
        std::visit(Overloaded{
                       [](const Aabb& b) { return b.center(); },
                       [](const Hull& h) { return h.centroid(); },
                       [](const Capsule& c) { return glm::vec3((glm::dvec3(c.a) + glm::dvec3(c.b)) * 0.5); },
                       [](const Sphere& s) { return s.center; },
                       [](const Obb& b) { return b.center; },
                       [](const RectSweptSphere& s) { return s.center; },
                       [](const auto& dop) { return hull_like(polytope_of(dop)).centroid(); },
                   },
                   volume));
}

glm::vec3 support(const Volume& volume, const glm::vec3& direction) {
    if (is_empty(volume)) return glm::vec3(0.0f);
    // In double: a product of two floats neither overflows nor vanishes there.
    const auto side = [&direction](const glm::dvec3& axis) {
        return glm::dot(axis, glm::dvec3(direction)) >= 0.0;
    };
    return number_or_zero(std::visit(
        Overloaded{
            [&](const Sphere& s) { return rounded_core(s.center, s.radius, direction); },
            [&](const Aabb& b) {
                return glm::vec3(direction.x >= 0.0f ? b.max.x : b.min.x,
                                 direction.y >= 0.0f ? b.max.y : b.min.y,
                                 direction.z >= 0.0f ? b.max.z : b.min.z);
            },
            [&](const Obb& b) {
                return b.corner((side(b.axes[0]) ? 1 : 0) + (side(b.axes[1]) ? 2 : 0) +
                                (side(b.axes[2]) ? 4 : 0));
            },
            [&](const Hull& h) { return h.vertices[h.support(direction)]; },
            [&](const Capsule& c) {
                const bool at_b = side(glm::dvec3(c.b) - glm::dvec3(c.a));
                return rounded_core(at_b ? c.b : c.a, c.radius, direction);
            },
            [&](const RectSweptSphere& s) {
                return rounded_core(s.corner((side(s.axes[0]) ? 1 : 0) + (side(s.axes[1]) ? 2 : 0)), s.radius,
                                    direction);
            },
            [&](const auto& dop) {
                const Polytope p = polytope_of(dop);
                return farthest_of([&](std::size_t i) { return p.vertices[i]; }, p.vertices.size(),
                                   direction);
            },
        },
        volume));
}

bool contains_point(const Volume& volume, const glm::vec3& p) noexcept {
    return std::visit([&p](const auto& v) { return bv::contains_point(v, p); }, volume);
}

bool contains_all(const Volume& volume, std::span<const glm::vec3> points) noexcept {
    return std::visit(
        [&points](const auto& v) {
            return std::all_of(points.begin(), points.end(), [&v](const glm::vec3& p) {
                return !bv::is_finite(p) || bv::contains_point(v, p);
            });
        },
        volume);
}

double tightness(const Volume& volume, const Hull& hull) {
    if (is_empty(volume) || hull.is_empty()) return 0.0;
    const double inner = hull.volume(), outer = volume_of(volume);
    if (inner > 0.0) return outer > 0.0 ? inner / outer : 1.0;
    const double inner_area = hull.surface_area(), outer_area = surface_area_of(volume);
    if (outer_area > 0.0) return std::min(inner_area / outer_area, 1.0);
    return 1.0;
}

Volume transformed(const Volume& volume, const glm::mat4x3& affine) {
    return std::visit([&affine](const auto& v) -> Volume { return bv::transformed(v, affine); }, volume);
}

Polytope polytope_of(const Volume& volume) {
    if (is_empty(volume)) return {};
    const Polytope result = std::visit(
        [](const auto& v) -> Polytope {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, Aabb> || std::is_same_v<T, Obb>) {
                std::array<glm::vec3, 8> corners;
                for (int i = 0; i < 8; ++i)
                    corners[static_cast<std::size_t>(i)] = v.corner(i);
                return box_polytope(corners);
            } else if constexpr (std::is_same_v<T, Sphere> || std::is_same_v<T, Capsule> ||
                                 std::is_same_v<T, RectSweptSphere>) {
                return {};
            } else {
                return bv::polytope_of(v);
            }
        },
        volume);
    const bool placed = std::all_of(result.vertices.begin(), result.vertices.end(), bv::is_finite);
    return placed ? result : Polytope{};
}

}  // namespace bv::fit
