// Draws the selection: the clicked triangle, the gizmo, the rubber band.
#include <algorithm>
#include <glm/geometric.hpp>

#include "bv/shapes/not_finite.hpp"
#include "settings/role.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

Color lit(const Context& c, GizmoPart part, int axis) {
    return c.paint.colors.role(c.view.gizmo_lit == part ? Role::Selected : kAxisRoles[axis]);
}

void draw_rings(const Context& c, const Gizmo& gizmo) {
    for (int axis = 0; axis < 3; ++axis) {
        const bool held = c.view.gizmo_lit == kGizmoRings[axis];
        const Stroke stroke{lit(c, kGizmoRings[axis], axis), held ? 3.5f : 2.0f, true};
        for (const bv::Segment& piece : ring_segments(gizmo, axis, c.paint.eye()))
            c.paint.line(piece.a, piece.b, stroke);
    }
}

void draw_arrows(const Context& c, const Gizmo& gizmo) {
    const float px = gizmo.metres_per_px;
    for (int axis = 0; axis < 3; ++axis) {
        const bool held = c.view.gizmo_lit == kGizmoArrows[axis];
        c.paint.arrow(gizmo.center, gizmo.center + kGizmoArrowPx * px * unit_axis(axis),
                      {lit(c, kGizmoArrows[axis], axis), held ? 4.5f : 3.0f, true}, 13.0f);
        const glm::vec3 u = kGizmoSquarePx * px * unit_axis((axis + 1) % 3);
        const glm::vec3 v = kGizmoSquarePx * px * unit_axis((axis + 2) % 3);
        const Stroke edge{lit(c, kGizmoSquares[axis], axis),
                          c.view.gizmo_lit == kGizmoSquares[axis] ? 4.0f : 1.8f, true};
        const glm::vec3 corner = gizmo.center + u + v;
        c.paint.line(gizmo.center + 0.3f * v + u, corner, edge);
        c.paint.line(gizmo.center + 0.3f * u + v, corner, edge);
    }
    c.paint.point(gizmo.center, c.paint.colors.text, 7.0f);
}

}  // namespace

void draw_gizmo(const Context& c) {
    if (!c.view.gizmo || !bv::is_finite(c.view.gizmo->center)) return;
    if (c.view.gizmo->turns) draw_rings(c, *c.view.gizmo);
    if (c.view.gizmo->moves) draw_arrows(c, *c.view.gizmo);
}

void draw_band(const Context& c) {
    const glm::vec2 low = glm::min(c.view.band_min_px, c.view.band_max_px);
    const glm::vec2 high = glm::max(c.view.band_min_px, c.view.band_max_px);
    if (low == high) return;
    const Color color = c.paint.colors.role(Role::Selected);
    auto& rects = c.paint.list.screen_rects;
    rects.push_back({low, high, color.with_alpha(0.14f), 0.0f});
    rects.push_back({low, {high.x, low.y + 1.5f}, color, 0.0f});
    rects.push_back({{low.x, high.y - 1.5f}, high, color, 0.0f});
    rects.push_back({low, {low.x + 1.5f, high.y}, color, 0.0f});
    rects.push_back({{high.x - 1.5f, low.y}, high, color, 0.0f});
}

void draw_selected_triangle(const Context& c) {
    if (!c.view.triangle) return;
    const bv::Triangle& t = *c.view.triangle;
    if (!bv::is_finite(t.a) || !bv::is_finite(t.b) || !bv::is_finite(t.c)) return;
    const Stroke stroke{c.paint.colors.role(Role::Selected), 2.5f, true};
    c.paint.line(t.a, t.b, stroke);
    c.paint.line(t.b, t.c, stroke);
    c.paint.line(t.c, t.a, stroke);
    c.legend.add("selected triangle", stroke.color, Swatch::Line, Legend::Rank::Asked);
}

}  // namespace lab::viz
