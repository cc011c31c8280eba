// The box of least volume: the hull, a good initial box, a complete search over pairs of edges, and
// refinement.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/obb.hpp"
#include "fit/hull/hull_within.hpp"
#include "fit/obb/box_choice.hpp"
#include "fit/obb/calipers.hpp"
#include "fit/obb/obb_search.hpp"
#include "fit/obb/principal.hpp"
#include "fit/passes.hpp"
#include "shapes/frame.hpp"

namespace bv::fit {
namespace {

using detail::ConvexSolid;
using detail::ObbSearch;
using detail::Points;

// Axes for a flat hull: its normal, and the smallest rectangle in its plane. For a segment: along it.
glm::dmat3 flat_axes(const Hull& hull) {
    if (hull.dimension < 1) return glm::dmat3(1.0);
    const glm::dvec3 origin(hull.vertices[0]);
    if (hull.dimension == 1) {
        const glm::dvec3 along = detail::normalized_or_zero(glm::dvec3(hull.vertices[1]) - origin);
        if (along == glm::dvec3(0.0)) return glm::dmat3(1.0);
        const glm::dvec3 side = detail::any_perpendicular(along);
        return {along, side, glm::cross(along, side)};
    }
    glm::dvec3 normal(0.0);
    for (std::size_t i = 0; i < hull.triangles.size() / 2; ++i) {
        const glm::uvec3 t = hull.triangles[i];
        normal += glm::cross(glm::dvec3(hull.vertices[t.y]) - glm::dvec3(hull.vertices[t.x]),
                             glm::dvec3(hull.vertices[t.z]) - glm::dvec3(hull.vertices[t.x]));
    }
    normal = detail::normalized_or_zero(normal);
    if (normal == glm::dvec3(0.0)) return glm::dmat3(1.0);
    const glm::dvec3 u = detail::any_perpendicular(normal), v = glm::cross(normal, u);
    std::vector<glm::dvec2> flat;
    for (const glm::vec3& p : hull.vertices)
        flat.emplace_back(glm::dot(u, glm::dvec3(p) - origin), glm::dot(v, glm::dvec3(p) - origin));
    const glm::dvec2 side = detail::smallest_rectangle(detail::convex_polygon(flat)).axis;
    const glm::dvec3 rotated = glm::normalize(u * side.x + v * side.y);
    return {rotated, glm::cross(normal, rotated), normal};
}

// Tries frames on the largest faces, no two alike, each rotated to the smallest rectangle of the projection.
void try_large_faces(const ConvexSolid& solid, ObbSearch& search) {
    constexpr std::size_t kFaces = 12;
    std::vector<std::uint32_t> order(solid.face_normals().size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return solid.face_areas()[a] > solid.face_areas()[b];
    });
    std::vector<glm::dvec3> used;
    std::vector<glm::dvec2> flat;
    for (const std::uint32_t f : order) {
        const glm::dvec3 n = solid.face_normals()[f];
        if (used.size() == kFaces || n == glm::dvec3(0.0)) break;
        if (std::any_of(used.begin(), used.end(),
                        [&](const glm::dvec3& m) { return std::abs(glm::dot(m, n)) > 0.999; }))
            continue;
        used.push_back(n);
        const glm::dvec3 u = detail::any_perpendicular(n), v = glm::cross(n, u);
        flat.clear();
        for (const glm::dvec3& p : solid.vertices())
            flat.emplace_back(glm::dot(u, p), glm::dot(v, p));
        const glm::dvec2 side = detail::smallest_rectangle(detail::convex_polygon(flat)).axis;
        const glm::dvec3 rotated = glm::normalize(u * side.x + v * side.y);
        search.consider(glm::dmat3{rotated, glm::cross(n, rotated), n});
    }
}

// Reports every box of a search, with the current value of `reason`.
template <class Sink>
void report_boxes(ObbSearch& search, const Hull& hull, const BoxConsidered::Reason& reason, Sink& sink) {
    if constexpr (Sink::kEnabled)
        search.observe([&hull, &reason, &sink](const glm::dmat3& axes, bool best) {
            const Obb box = detail::box_along(hull.vertices, axes);
            sink(BoxConsidered{box, static_cast<float>(box.volume()), reason, best});
        });
}

struct CoarseHull {
    Hull hull;
    double tolerance;  // Relative to the size.
};

// Points that protrude by less than the rounding of their own coordinates cause many needless edges: the
// search ignores them, but candidate boxes are measured with them. The same goes for fine details of hulls
// with very many edges: the least of a few tolerances that leaves at most `max_edges`.
constexpr double kNoise = 1.5e-7;
CoarseHull coarse_hull(const Hull& hull, double size, std::size_t max_edges) {
    const auto at_level = [&](int level) {
        const double tolerance = std::ldexp(kNoise, 2 * level);
        return CoarseHull{detail::hull_within(hull.vertices, tolerance * size), tolerance};
    };
    CoarseHull result = at_level(0);
    if (result.hull.edges.size() <= max_edges) return result;
    int too_fine = 0, level = 10;
    result = at_level(level);
    while (level - too_fine > 1) {
        const int middle = (too_fine + level) / 2;
        CoarseHull found = at_level(middle);
        if (found.hull.edges.size() > max_edges) {
            too_fine = middle;
        } else {
            level = middle;
            result = std::move(found);
        }
    }
    return result;
}

template <class Sink>
glm::dmat3 smallest_axes(const Hull& hull, const ObbExactOptions& options, Sink& sink) {
    const Aabb bounds = detail::bounds_of(hull.vertices);
    const glm::dvec3 center = (glm::dvec3(bounds.min) + glm::dvec3(bounds.max)) * 0.5;
    const glm::dvec3 extent = glm::dvec3(bounds.max) - glm::dvec3(bounds.min);
    const double size = std::max({extent.x, extent.y, extent.z});
    const ConvexSolid full(hull, center, size);

    const auto [coarse, tolerance] = coarse_hull(hull, size, options.complete_up_to_edges);
    const bool usable = coarse.dimension == 3;
    const ConvexSolid searched(usable ? coarse : hull, center, size);

    using Reason = BoxConsidered::Reason;
    Reason reason = Reason::Axes;
    ObbSearch search(searched, full);
    report_boxes(search, hull, reason, sink);
    search.consider(glm::dmat3(1.0));
    reason = Reason::Principal;
    search.consider(detail::principal_axes_of_hull(hull).axes);
    reason = Reason::FaceFlush;
    try_large_faces(searched, search);
    reason = Reason::Refined;
    search.refine_by_calipers();
    // Thinner than the rounding of a stored box counts as flat: no other orientation is measurably better.
    if (search.least_extent() < kNoise) return search.best().axes;
    reason = Reason::EdgesFlush;
    search.search_all();
    if (coarse.vertices.size() == hull.vertices.size()) return search.best().axes;

    // The ignored points move the sides a little: search again with all edges, but only near the best boxes.
    constexpr std::size_t kRefined = 4;
    ObbSearch last(full, full);
    last.consider(search.best().axes);
    report_boxes(last, hull, reason, sink);
    reason = Reason::Refined;
    last.refine_by_calipers();
    reason = Reason::EdgesFlush;
    const double reach = std::min(0.02 + 4.0 * std::sqrt(tolerance), 0.15);
    for (const glm::dmat3& axes : search.best_frames(kRefined, reach))
        last.search_near(axes, reach);
    return last.best().axes;
}

template <class Sink>
Obb exact_impl(Points points, const Hull& hull, const ObbExactOptions& options, Sink& sink) {
    if (hull.is_empty()) return {};
    const Obb straight = detail::box_along(points, glm::dmat3(1.0));
    const glm::dmat3 axes = hull.dimension == 3 ? smallest_axes(hull, options, sink) : flat_axes(hull);
    const Obb best = detail::smaller_box(straight, detail::box_along(points, axes));
    detail::report_result(best, sink);
    return best;
}

}  // namespace

Obb obb_exact(std::span<const glm::vec3> points, const ObbExactOptions& options) {
    NoTrace none;
    return exact_impl(points, hull(points), options, none);
}

Obb obb_exact(std::span<const glm::vec3> points, Recording& trace) {
    return exact_impl(points, hull(points), ObbExactOptions{}, trace);
}

Obb obb_exact(std::span<const glm::vec3> points, const Hull& hull, const ObbExactOptions& options) {
    NoTrace none;
    return exact_impl(points, hull, options, none);
}

}  // namespace bv::fit
