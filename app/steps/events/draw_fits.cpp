// The state of a fit so far, around its points.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "bv/shapes/kdop.hpp"
#include "results/put.hpp"
#include "steps/event_spec.hpp"
#include "steps/events/fit_parts.hpp"

namespace lab::steps {

std::string direction_text(const glm::vec3& d) {
    return to_text(cells::vector(d));
}

void put_point(FrameResults& results, const glm::vec3& at, Role role, std::string label, float width,
               const char* legend) {
    if (!std::isfinite(at.x)) return;
    Exhibit& dot = put(results, Marker{at}, role, std::move(label));
    dot.width_px = width;
    dot.on_top = true;
    dot.legend = legend;
}

void put_line(FrameResults& results, const glm::vec3& a, const glm::vec3& b, Role role, float width,
              const char* legend) {
    Exhibit& line = put(results, bv::Segment{a, b}, role);
    line.width_px = width;
    line.on_top = true;
    line.legend = legend;
}

std::string point_name(std::uint32_t index) {
    return fmt::format("point {}", index);
}

namespace {

/// The box around the parallelepiped in which the first three slabs meet. Further slabs only cut it.
bv::Aabb box_around_three(const std::vector<bv::SlabFitted>& slabs) {
    glm::dmat3 to_corner(0.0);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            to_corner[k][i] = slabs[static_cast<std::size_t>(i)].direction[k];
    to_corner = glm::inverse(to_corner);
    bv::Aabb box;
    for (int corner = 0; corner < 8; ++corner) {
        glm::dvec3 along(0.0);
        for (int i = 0; i < 3; ++i) {
            const bv::SlabFitted& slab = slabs[static_cast<std::size_t>(i)];
            along[i] = ((corner >> i) & 1) != 0 ? slab.max : slab.min;
        }
        box = bv::merge(box, glm::vec3(to_corner * along));
    }
    const glm::vec3 rounding = 1e-3f * box.size() + 1e-6f;
    return {box.min - rounding, box.max + rounding};
}

}  // namespace

bv::Polytope polytope_of_slabs(const std::vector<bv::SlabFitted>& slabs) {
    if (slabs.size() < 3) return {};
    const bv::Aabb box = box_around_three(slabs);
    bv::Kdop<26> dop;
    for (int i = 0; i < bv::Kdop<26>::kDirections; ++i) {
        const glm::vec3& d = bv::Kdop<26>::direction(i);
        const auto k = static_cast<std::size_t>(i);
        const float middle = glm::dot(d, box.center()), half = glm::dot(glm::abs(d), 0.5f * box.size());
        dop.min[k] = middle - half;
        dop.max[k] = middle + half;
        for (const bv::SlabFitted& slab : slabs)
            if (slab.direction == d) {
                dop.min[k] = slab.min;
                dop.max[k] = slab.max;
            }
    }
    return bv::polytope_of(dop);
}

void put_slab_planes(FrameResults& results, const bv::SlabFitted& slab, const Subject& subject, Role role,
                     const char* legend) {
    bv::Aabb box;
    for (const glm::vec3& p : subject.points)
        box = bv::merge(box, p);
    const float length = glm::length(slab.direction);
    for (const bool high : {false, true}) {
        PlanePatch patch;
        patch.plane = {slab.direction / (high ? length : -length), (high ? slab.max : -slab.min) / length};
        patch.center = box.center();
        patch.half_size = 0.35f * glm::length(box.size());
        Exhibit& plane = put(results, patch, role, {}, 0.1f);
        plane.width_px = 1.5f;
        plane.legend = legend;
    }
}

namespace {

Polytope as_exhibit(const bv::Polytope& shape) {
    return {shape.vertices, shape.triangles, shape.edges};
}

/// Faces of the hull as one surface.
Polytope surface_of(const Board& board, const Subject& subject, bool seen) {
    Polytope shape;
    for (const Board::HullFace& face : board.faces) {
        if (!face.alive || face.seen != seen) continue;
        const auto base = static_cast<std::uint32_t>(shape.vertices.size());
        for (const std::uint32_t v : face.vertex)
            shape.vertices.push_back(subject.point(v));
        shape.triangles.push_back({base, base + 1, base + 2});
        for (std::uint32_t k = 0; k < 3; ++k)
            shape.edges.push_back({base + k, base + (k + 1) % 3});
    }
    return shape;
}

void draw_points(const Board& board, const Subject& subject, FrameResults& results) {
    constexpr std::size_t kMaxTests = 400'000;  // of points against faces, in each frame
    constexpr std::size_t kMaxMarkers = 250;    // with more points, only those visible on screen are drawn
    const bool hull = !board.faces.empty() && subject.points.size() * board.faces.size() < kMaxTests;
    const std::array legends = {board.ball || hull ? "point outside" : "point", "point inside"};
    const std::array roles = {board.ball || hull ? Role::Ray : Role::Mesh, Role::Muted};
    std::array<std::vector<glm::vec3>, 2> crowds;
    for (const glm::vec3& p : subject.points) {
        // Points that define a sphere lie on it, but for rounding.
        bool done = board.ball && glm::distance(board.ball->center, p) <= 1.000001f * board.ball->radius;
        if (hull) done = board.hull_encloses(subject, p);
        if (subject.points.size() > kMaxMarkers) {
            crowds[done ? 1 : 0].push_back(p);
            continue;
        }
        Exhibit& dot = put(results, Marker{p}, roles[done ? 1 : 0]);
        dot.width_px = done ? 1.0f : 2.0f;
        dot.legend = legends[done ? 1 : 0];
    }
    for (const std::size_t done : {1, 0})
        if (!crowds[done].empty()) put_dots(results, std::move(crowds[done]), roles[done], legends[done]);
}

}  // namespace

void draw_fits(const Board& board, const Subject& subject, FrameResults& results) {
    for (const bv::ExtremesFound& e : board.extremes) {
        Exhibit& line = put(results, bv::Segment{e.low, e.high}, Role::Muted);
        line.width_px = 1.0f;
        line.legend = "pair of extremes";
    }
    if (board.center) put_point(results, board.center->center, Role::Sphere, {}, 3.0f, kCenter);
    if (board.ball) put(results, *board.ball, Role::Sphere, {}, 0.06f);
    for (const std::uint32_t i : board.support)
        put_point(results, subject.point(i), Role::Sphere, {}, 3.0f, kSupport);
    if (board.principal)
        for (int k = 0; k < 3; ++k) {
            const float spread = 2.0f * std::sqrt(std::max(board.principal->variance[k], 0.0f));
            put(results,
                bv::Segment{board.principal->center,
                            board.principal->center + spread * board.principal->axes[k]},
                Role::Normal)
                .legend = "principal axes";
        }
    if (board.best_box) put(results, board.best_box->box, Role::Obb, {}, 0.08f).legend = "best box so far";
    if (board.slabs_fitted.size() >= 3)
        put(results, as_exhibit(polytope_of_slabs(board.slabs_fitted)), Role::Kdop, {}, 0.12f);
    else if (board.slabs_fitted.size() == 2)  // still unbounded; the second slab is drawn by its step
        put_slab_planes(results, board.slabs_fitted[0], subject, Role::AabbTight, "slab before");
    if (!board.faces.empty()) {
        constexpr std::size_t kMaxEdges = 2'000;  // more would cover the faces
        Polytope hull = surface_of(board, subject, false);
        if (hull.edges.size() > kMaxEdges) hull.edges.clear();
        put(results, std::move(hull), Role::Hull, {}, 0.2f);
        Polytope seen = surface_of(board, subject, true);
        if (!seen.vertices.empty())
            put(results, std::move(seen), kRejected, {}, 0.25f).legend = "removed face";
    } else if (!board.hull_points.empty()) {
        // The last one is named by its step.
        for (const std::uint32_t i : board.hull_points)
            put_point(results, subject.point(i), Role::Hull,
                      i == board.hull_points.back() ? std::string() : point_name(i), 3.0f,
                      "corner of the hull");
    }
    if (!subject.points.empty() && subject.points_b.empty()) draw_points(board, subject, results);
}

}  // namespace lab::steps
