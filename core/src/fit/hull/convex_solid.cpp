#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <unordered_map>

#include "fit/obb/obb_search.hpp"
#include "shapes/frame.hpp"

namespace bv::detail {
namespace {

double dot(const glm::dvec3& a, const glm::dvec3& b) noexcept {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

}  // namespace

ConvexSolid::ConvexSolid(const Hull& hull, const glm::dvec3& center, double size)
    : neighbor_begin_(hull.neighbor_begin), neighbors_(hull.neighbors) {
    vertices_.reserve(hull.vertices.size());
    for (const glm::vec3& v : hull.vertices)
        vertices_.push_back((glm::dvec3(v) - center) / size);
    for (const glm::uvec3& t : hull.triangles) {
        const glm::dvec3 n = glm::cross(vertices_[t.y] - vertices_[t.x], vertices_[t.z] - vertices_[t.x]);
        normals_.push_back(normalized_or_zero(n));
        areas_.push_back(0.5 * glm::length(n));
    }
    make_arcs(hull);
}

void ConvexSolid::make_arcs(const Hull& hull) {
    // Each directed edge belongs to one triangle; the sharp edges are listed by the hull.
    std::unordered_map<std::uint64_t, std::uint32_t> triangle_of;
    triangle_of.reserve(hull.triangles.size() * 3);
    const auto key = [](std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(a) << 32 | b; };
    for (std::uint32_t i = 0; i < hull.triangles.size(); ++i) {
        for (int k = 0; k < 3; ++k)
            triangle_of[key(hull.triangles[i][k], hull.triangles[i][(k + 1) % 3])] = i;
    }
    arcs_.reserve(hull.edges.size());
    std::uint32_t hint = 0;
    for (const glm::uvec2& e : hull.edges) {
        Arc arc;
        arc.face_from = triangle_of[key(e.x, e.y)];
        arc.face_to = triangle_of[key(e.y, e.x)];
        arc.from = normals_[arc.face_from];
        arc.to = normals_[arc.face_to];
        arc.vertex = e.x;
        arc.length_rad = 2.0 * std::asin(std::min(glm::length(arc.from - arc.to) * 0.5, 1.0));
        if (!(arc.length_rad > 0.0) || arc.from == glm::dvec3(0.0) || arc.to == glm::dvec3(0.0)) continue;
        // The width against a fixed opposite vertex is a sine along the arc: least at one of the ends.
        arc.least_width = 0.0;
        arc.opposite = 0;
        for (const glm::dvec3& n : {arc.from, arc.to}) {
            hint = climb(-n, hint);
            const glm::dvec3 span = vertices_[arc.vertex] - vertices_[hint];
            const double least = std::min(dot(arc.from, span), dot(arc.to, span));
            if (least >= arc.least_width) {
                arc.least_width = std::max(0.0, least);  // Not -0.0: bounds are divided by it.
                arc.opposite = hint;
            }
        }
        arcs_.push_back(arc);
    }
}

std::uint32_t ConvexSolid::climb(const glm::dvec3& direction, std::uint32_t start) const noexcept {
    std::uint32_t best = start;
    double reach = dot(direction, vertices_[best]);
    for (;;) {
        std::uint32_t next = best;
        for (std::uint32_t i = neighbor_begin_[best]; i < neighbor_begin_[best + 1]; ++i) {
            const double r = dot(direction, vertices_[neighbors_[i]]);
            if (r > reach) {
                reach = r;
                next = neighbors_[i];
            }
        }
        if (next == best) return best;
        best = next;
    }
}

double ConvexSolid::box_volume(const glm::dmat3& axes, std::uint32_t (&supports)[6]) const noexcept {
    double volume = 1.0;
    for (int k = 0; k < 3; ++k) {
        supports[2 * k] = climb(axes[k], supports[2 * k]);
        supports[2 * k + 1] = climb(-axes[k], supports[2 * k + 1]);
        volume *= dot(axes[k], vertices_[supports[2 * k]] - vertices_[supports[2 * k + 1]]);
    }
    return volume;
}

}  // namespace bv::detail
