// Drawing of each solid that a body can have: flat ones by their edges and faces, round ones by
// outlines in the planes in which they are widest.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "bv/shapes/polytope.hpp"
#include "viz/painter.hpp"

namespace lab::viz {
namespace {

constexpr float kQuarterTurn = 1.57079633f;

/// A rectangle and all points near it; a segment is one without height, and a point one without size.
struct Swept {
    glm::vec3 center, u, v, n;
    glm::vec2 half;
    float radius;

    /// At corner `i`, counted around the rectangle: the point at an angle from the rectangle's plane toward
    /// its normal, and at an angle around the normal.
    [[nodiscard]] glm::vec3 at(int corner, float around, float up) const {
        const glm::vec2 sign = corner_sign(corner);
        const glm::vec3 outward = std::cos(around) * u + std::sin(around) * v;
        return center + sign.x * half.x * u + sign.y * half.y * v +
               radius * (std::cos(up) * outward + std::sin(up) * n);
    }
    static glm::vec2 corner_sign(int corner) {
        constexpr std::array<glm::vec2, 4> kSigns = {glm::vec2(1, 1), glm::vec2(-1, 1), glm::vec2(-1, -1),
                                                     glm::vec2(1, -1)};
        return kSigns[static_cast<std::size_t>(corner)];
    }
};

/// The outline once around, with an arc at each corner.
std::vector<glm::vec3> outline(const Swept& s, float up, int steps) {
    std::vector<glm::vec3> points;
    for (int corner = 0; corner < 4; ++corner)
        for (int i = 0; i <= steps; ++i) {
            const float turn = static_cast<float>(corner) + static_cast<float>(i) / static_cast<float>(steps);
            points.push_back(s.at(corner, turn * kQuarterTurn, up));
        }
    return points;
}

void swept(Painter& paint, const Swept& s, const Stroke& stroke, float fill) {
    constexpr int kArc = 7, kBands = 6;
    const auto closed = [&](const std::vector<glm::vec3>& points) {
        for (std::size_t i = 0; i < points.size(); ++i)
            paint.line(points[i], points[(i + 1) % points.size()], stroke);
    };
    closed(outline(s, 0.0f, kArc));
    // Both faces, and half circles from one to the other at the corners, along either edge.
    for (const float side : {-kQuarterTurn, kQuarterTurn}) {
        for (int corner = 0; corner < 4; ++corner)
            paint.line(s.at(corner, 0.0f, side), s.at((corner + 1) % 4, 0.0f, side), stroke);
    }
    for (int corner = 0; corner < 4; ++corner)
        for (int edge = 0; edge < 2; ++edge) {
            const float around = static_cast<float>(corner + edge) * kQuarterTurn;
            for (int i = 0; i < 2 * kArc; ++i) {
                const auto up = [](int step) {
                    return (static_cast<float>(step) / kArc - 1.0f) * kQuarterTurn;
                };
                paint.line(s.at(corner, around, up(i)), s.at(corner, around, up(i + 1)), stroke);
            }
        }
    if (fill <= 0.0f) return;
    const Color color = stroke.color.with_alpha(fill);
    const auto face = [&](const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
        if (bv::is_finite(a) && bv::is_finite(b) && bv::is_finite(c))
            paint.list.solid_triangles.push_back({a, b, c, color});
    };
    std::vector<glm::vec3> below = outline(s, -kQuarterTurn, kArc);
    for (int band = 1; band <= 2 * kBands; ++band) {
        const float up = (static_cast<float>(band) / kBands - 1.0f) * kQuarterTurn;
        std::vector<glm::vec3> above = outline(s, up, kArc);
        for (std::size_t i = 0; i < above.size(); ++i) {
            const std::size_t next = (i + 1) % above.size();
            face(below[i], below[next], above[next]);
            face(below[i], above[next], above[i]);
        }
        below = std::move(above);
    }
    for (const float side : {-kQuarterTurn, kQuarterTurn}) {
        const auto corner = [&](int i) { return s.at(i, 0.0f, side); };
        face(corner(0), corner(1), corner(2));
        face(corner(0), corner(2), corner(3));
    }
}

}  // namespace

void Painter::shape(const bv::Sphere& ball, const Stroke& s, float fill) {
    if (!ball.is_empty()) sphere(ball.center, ball.radius, s, fill);
}

void Painter::shape(const bv::Aabb& b, const Stroke& s, float fill) {
    box(b, s, fill);
}

void Painter::shape(const bv::Obb& b, const Stroke& s, float fill) {
    box(b, s, fill);
}

void Painter::shape(const bv::Capsule& capsule, const Stroke& s, float fill) {
    if (capsule.is_empty()) return;
    const glm::vec3 along = capsule.b - capsule.a;
    const float length = glm::length(along);
    if (!(length > 1e-6f * capsule.radius)) return sphere(capsule.a, capsule.radius, s, fill);
    const glm::vec3 u = along / length;
    const glm::vec3 other = std::abs(u.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    const glm::vec3 v = glm::normalize(glm::cross(other, u));
    swept(*this,
          {0.5f * (capsule.a + capsule.b), u, v, glm::cross(u, v), {0.5f * length, 0.0f}, capsule.radius}, s,
          fill);
}

void Painter::shape(const bv::RectSweptSphere& rect, const Stroke& s, float fill) {
    if (rect.is_empty()) return;
    swept(*this, {rect.center, rect.axes[0], rect.axes[1], rect.axes[2], rect.half_extents, rect.radius}, s,
          fill);
}

void Painter::shape(const PlacedHull& placed, const Stroke& s, float fill) {
    const bv::Hull hull = placed.placed();
    // Edges of a hull of many faces lie so close that together they would hide the body.
    const float dense = static_cast<float>(hull.edges.size()) / 60.0f;
    Stroke stroke = s;
    stroke.color = s.color.with_alpha(static_cast<float>(s.color.a) / 255.0f *
                                      std::clamp(1.0f / std::max(dense, 1e-3f), 0.12f, 1.0f));
    if (dense > 1.0f) stroke.width_px = std::min(s.width_px, 1.0f);
    polytope(hull.vertices, hull.triangles, hull.edges, stroke, fill);
}

void Painter::polytope(std::span<const glm::vec3> vertices, std::span<const glm::uvec3> triangles,
                       std::span<const glm::uvec2> edges, const Stroke& s, float fill) {
    const auto count = vertices.size();
    for (const glm::uvec2& e : edges)
        if (e.x < count && e.y < count) line(vertices[e.x], vertices[e.y], s);
    if (fill <= 0.0f) return;
    const Color color = s.color.with_alpha(fill);
    for (const glm::uvec3& t : triangles) {
        if (t.x >= count || t.y >= count || t.z >= count) continue;
        const glm::vec3 &a = vertices[t.x], &b = vertices[t.y], &c = vertices[t.z];
        if (bv::is_finite(a) && bv::is_finite(b) && bv::is_finite(c))
            list.solid_triangles.push_back({a, b, c, color});
    }
}

}  // namespace lab::viz
