#include "bv/fit/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "bv/fit/polygon.hpp"
#include "fit/hull/hull_within.hpp"
#include "fit/hull/quickhull.hpp"
#include "fit/passes.hpp"
#include "shapes/predicates.hpp"
#include "shapes/rounding.hpp"

namespace bv::fit {
namespace {

using detail::Points;
using detail::QuickHull;
constexpr std::uint32_t kNone = QuickHull::kNone;

// Neighbor lists from the triangles: each edge of a closed surface occurs once in each direction.
void link_neighbors(Hull& hull) {
    const std::size_t n = hull.vertices.size();
    hull.neighbor_begin.assign(n + 1, 0);
    if (hull.dimension == 1) {
        hull.neighbor_begin = {0, 1, 2};
        hull.neighbors = {1, 0};
        return;
    }
    std::vector<std::vector<std::uint32_t>> lists;
    const auto each_edge = [&hull](auto&& use) {
        // The two sides of a flat polygon repeat each other.
        const std::size_t count = hull.dimension == 2 ? hull.triangles.size() / 2 : hull.triangles.size();
        for (std::size_t i = 0; i < count; ++i) {
            const glm::uvec3 t = hull.triangles[i];
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t a = t[k], b = t[(k + 1) % 3];
                use(a, b);
                // Border edges of a flat polygon have no partner, and inner ones occur twice.
                if (hull.dimension == 2) use(b, a);
            }
        }
    };
    each_edge([&](std::uint32_t a, std::uint32_t) { ++hull.neighbor_begin[a + 1]; });
    for (std::size_t i = 0; i < n; ++i)
        hull.neighbor_begin[i + 1] += hull.neighbor_begin[i];
    hull.neighbors.resize(hull.neighbor_begin[n]);
    std::vector<std::uint32_t> fill(hull.neighbor_begin.begin(), hull.neighbor_begin.end() - 1);
    each_edge([&](std::uint32_t a, std::uint32_t b) { hull.neighbors[fill[a]++] = b; });
}

// The corners of the polygon, in order.
std::vector<std::uint32_t> flat_loop(Points points, const std::array<std::uint32_t, 4>& span) {
    // Projected along the axis for which the three spanning points enclose the largest area, no two points of
    // the plane coincide.
    int dropped = 0;
    double widest = -1.0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const glm::dvec3 p = glm::dvec3(points[span[1]]) - glm::dvec3(points[span[0]]);
        const glm::dvec3 q = glm::dvec3(points[span[2]]) - glm::dvec3(points[span[0]]);
        const double area = std::abs(p[i] * q[j] - p[j] * q[i]);
        // An area that is only rounding would project the plane to a line.
        const auto seen = [&](std::size_t c) { return glm::vec2(points[span[c]][i], points[span[c]][j]); };
        if (detail::orient2d(seen(0), seen(1), seen(2)) == 0) continue;
        if (area > widest) {
            widest = area;
            dropped = k;
        }
    }
    const int i = (dropped + 1) % 3, j = (dropped + 2) % 3;
    std::vector<glm::vec2> flat;
    flat.reserve(points.size());
    for (const glm::vec3& p : points)
        flat.push_back(bv::is_finite(p) ? glm::vec2(p[i], p[j])
                                        : glm::vec2(std::numeric_limits<float>::quiet_NaN()));
    return convex_polygon(flat);
}

Hull flat_hull(Points points, const std::vector<std::uint32_t>& loop) {
    Hull hull;
    hull.dimension = 2;
    const auto n = static_cast<std::uint32_t>(loop.size());
    for (std::uint32_t k = 0; k < n; ++k) {
        hull.vertices.push_back(points[loop[k]]);
        hull.edges.push_back(k + 1 < n ? glm::uvec2(k, k + 1) : glm::uvec2(0, k));
    }
    for (std::uint32_t k = 2; k < n; ++k)
        hull.triangles.push_back({0, k - 1, k});
    for (std::uint32_t k = 2; k < n; ++k)
        hull.triangles.push_back({0, k, k - 1});
    return hull;
}

// Copies the live faces. Returns the number of hull vertices that are not extreme points.
std::size_t solid_hull(Points points, const QuickHull& quick, Hull& hull) {
    hull.dimension = 3;
    std::unordered_map<std::uint32_t, std::uint32_t> index;
    const auto& faces = quick.faces();
    for (const QuickHull::Face& face : faces) {
        if (!face.alive) continue;
        glm::uvec3 t;
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t v = face.vertex[static_cast<std::size_t>(k)];
            const auto [place, fresh] =
                index.try_emplace(v, static_cast<std::uint32_t>(hull.vertices.size()));
            if (fresh) hull.vertices.push_back(points[v]);
            t[k] = place->second;
        }
        hull.triangles.push_back(t);
    }
    std::vector<int> edges_at(hull.vertices.size(), 0);
    for (const QuickHull::Face& face : faces) {
        for (std::size_t k = 0; face.alive && k < 3; ++k) {
            const std::uint32_t a = face.vertex[k], b = face.vertex[(k + 1) % 3];
            if (a > b) continue;  // Added by the other face of the edge.
            const QuickHull::Face& other = faces[face.neighbor[k]];
            std::uint32_t far = other.vertex[0];
            for (const std::uint32_t v : other.vertex) {
                if (v != a && v != b) far = v;
            }
            const auto [p, q, r] = face.vertex;
            if (detail::orient3d(points[p], points[q], points[r], points[far]) == 0) continue;
            const std::uint32_t i = index[a], j = index[b];
            hull.edges.push_back({std::min(i, j), std::max(i, j)});
            ++edges_at[i];
            ++edges_at[j];
        }
    }
    // No sharp edge: inside a face. Two: inside an edge. Those are left out of the result.
    std::vector<glm::vec3> extreme;
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
        if (edges_at[i] >= 3) extreme.push_back(hull.vertices[i]);
    }
    const std::size_t others = hull.vertices.size() - extreme.size();
    if (others > 0) hull.vertices = std::move(extreme);
    return others;
}

template <class Sink>
void report_added(const QuickHull& quick, const std::vector<std::uint32_t>& slots, Sink& sink) {
    for (const std::uint32_t slot : slots)
        sink(HullFaceAdded{slot, quick.faces()[slot].vertex});
}

template <class Sink>
Hull hull_impl(Points points, double tolerance, Sink& sink) {
    Hull hull;
    QuickHull quick(points, tolerance);
    hull.dimension = quick.start();
    const auto& span = quick.corners();
    if constexpr (Sink::kEnabled) {
        for (std::size_t k = 0; static_cast<int>(k) <= hull.dimension; ++k) {
            if (span[k] != kNone) sink(HullPointAdded{span[k], points[span[k]], 0, 0, 0.0f});
        }
    }
    if (hull.dimension == 0) hull.vertices = {points[span[0]]};
    if (hull.dimension == 1) {
        hull.vertices = {points[span[0]], points[span[1]]};
        hull.edges = {{0, 1}};
    }
    if (hull.dimension == 2) {
        const std::vector<std::uint32_t> loop = flat_loop(points, span);
        if constexpr (Sink::kEnabled)
            for (const std::uint32_t i : loop)
                if (std::find(span.begin(), span.begin() + 3, i) == span.begin() + 3)
                    sink(HullPointAdded{i, points[i], 0, 0, 0.0f});
        hull = flat_hull(points, loop);
    }
    if (hull.dimension == 3) {
        QuickHull::Step done{};
        if constexpr (Sink::kEnabled) report_added(quick, {0, 1, 2, 3}, sink);
        while (quick.step(done)) {
            if constexpr (Sink::kEnabled) {
                for (const std::uint32_t slot : quick.removed())
                    sink(HullFaceSeen{done.point, slot, quick.faces()[slot].vertex});
                sink(HullPointAdded{done.point, points[done.point], done.faces_removed, done.faces_added,
                                    static_cast<float>(done.distance)});
                report_added(quick, quick.added(), sink);
            }
        }
        if (solid_hull(points, quick, hull) > 0) {
            // Coplanar points became vertices inside faces. The hull of the extreme points has none.
            const std::vector<glm::vec3> extreme = std::move(hull.vertices);
            QuickHull again{Points(extreme)};
            again.start();
            while (again.step(done)) {
            }
            hull = Hull{};
            solid_hull(extreme, again, hull);
        }
    }
    if (hull.dimension >= 0) link_neighbors(hull);
    return hull;
}

}  // namespace

Hull hull(std::span<const glm::vec3> points) {
    NoTrace none;
    return hull_impl(points, 0.0, none);
}

Hull hull(std::span<const glm::vec3> points, Recording& trace) {
    return hull_impl(points, 0.0, trace);
}

}  // namespace bv::fit

namespace bv::detail {

Hull hull_within(Points points, double tolerance) {
    NoTrace none;
    return fit::hull_impl(points, tolerance, none);
}

}  // namespace bv::detail
