// Draws a scene's exhibits, every ExhibitShape as on a blackboard, and its draggable handles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <string>

#include "bv/shapes/not_finite.hpp"
#include "results/put.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

/// Draws one exhibit and returns the position of its label.
struct ExhibitDrawer {
    const Context& c;
    const Exhibit& exhibit;
    Stroke stroke;

    glm::vec3 operator()(const Note& note) const { return note.position; }

    glm::vec3 operator()(const Marker& marker) const {
        c.paint.point(marker.position, stroke.color, 5.0f + 2.0f * exhibit.width_px, exhibit.on_top);
        return marker.position;
    }

    glm::vec3 operator()(const bv::Segment& segment) const {
        if (exhibit.role == Role::Normal || exhibit.role == Role::Ray)
            c.paint.arrow(segment.a, segment.b, stroke);
        else
            c.paint.line(segment.a, segment.b, stroke);
        constexpr float kBar_px = 5.0f;
        if (exhibit.role == Role::Ray || exhibit.width_px >= kBar_px)
            c.paint.keep_labels_off(segment.a, segment.b, exhibit.width_px);
        return 0.5f * (segment.a + segment.b);
    }

    glm::vec3 operator()(const Polyline& line) const {
        for (std::size_t i = 1; i < line.points.size(); ++i)
            c.paint.line(line.points[i - 1], line.points[i], stroke);
        return line.points.empty() ? glm::vec3(NAN) : line.points[line.points.size() / 2];
    }

    glm::vec3 operator()(const bv::Ray& ray) const {
        const float length = glm::length(ray.direction);
        float reach = ray.t_max;
        if (!std::isfinite(reach)) {
            const bv::Aabb& bounds = c.results.bounds;
            reach = bounds.is_finite() && length > 0.0f ? 1.5f * glm::length(bounds.size()) / length : 10.0f;
        }
        c.paint.arrow(ray.origin, ray.at(reach), stroke, 14.0f);
        c.paint.keep_labels_off(ray.origin, ray.at(reach), exhibit.width_px);
        c.paint.point(ray.origin, stroke.color, 7.0f);
        return ray.origin;
    }

    glm::vec3 operator()(const bv::Triangle& t) const {
        c.paint.line(t.a, t.b, stroke);
        c.paint.line(t.b, t.c, stroke);
        c.paint.line(t.c, t.a, stroke);
        face(t.a, t.b, t.c);
        return (t.a + t.b + t.c) / 3.0f;
    }

    glm::vec3 operator()(const bv::Sphere& sphere) const {
        if (sphere.is_empty()) return glm::vec3(NAN);
        c.paint.sphere(sphere.center, sphere.radius, stroke, exhibit.fill);
        return sphere.center + glm::vec3(0, sphere.radius, 0);
    }

    glm::vec3 operator()(const bv::Aabb& box) const {
        c.paint.box(box, stroke, exhibit.fill);
        return box.is_empty() ? glm::vec3(NAN) : glm::vec3(box.center().x, box.max.y, box.center().z);
    }

    glm::vec3 operator()(const bv::Obb& box) const {
        c.paint.box(box, stroke, exhibit.fill);
        if (box.is_empty()) return glm::vec3(NAN);
        float top = 0;
        for (const int axis : {0, 1, 2})
            top += std::abs(box.axes[axis].y) * box.half_extents[axis];
        return box.center + glm::vec3(0, top, 0);
    }

    glm::vec3 operator()(const PlanePatch& patch) const {
        const std::array<glm::vec3, 4> corner = patch.corners();
        for (int i = 0; i < 4; ++i)
            c.paint.line(corner[i], corner[(i + 1) % 4], stroke);
        const Stroke thin{stroke.color.with_alpha(0.35f), 1.0f, stroke.on_top};
        for (const float k : {0.25f, 0.5f, 0.75f}) {
            c.paint.line(glm::mix(corner[0], corner[1], k), glm::mix(corner[3], corner[2], k), thin);
            c.paint.line(glm::mix(corner[0], corner[3], k), glm::mix(corner[1], corner[2], k), thin);
        }
        face(corner[0], corner[1], corner[2]);
        face(corner[0], corner[2], corner[3]);
        const glm::vec3 center = 0.5f * (corner[0] + corner[2]);
        const glm::vec3 tip = center + patch.plane.normal * (0.4f * patch.half_size);
        c.paint.arrow(center, tip, {c.paint.colors.role(Role::Normal), stroke.width_px, stroke.on_top});
        return corner[2];
    }

    glm::vec3 operator()(const Polytope& shape) const {
        if (is_dots(shape)) c.paint.dots(shape.vertices, stroke.color, 3.0f + 2.0f * exhibit.width_px);
        c.paint.polytope(shape.vertices, shape.triangles, shape.edges, stroke, exhibit.fill);
        if (shape.vertices.empty()) return glm::vec3(NAN);
        return *std::max_element(shape.vertices.begin(), shape.vertices.end(),
                                 [](const glm::vec3& a, const glm::vec3& b) { return a.y < b.y; });
    }

    glm::vec3 operator()(const bv::Capsule& capsule) const {
        if (capsule.is_empty()) return glm::vec3(NAN);
        c.paint.shape(capsule, stroke, exhibit.fill);
        const glm::vec3 top = capsule.a.y > capsule.b.y ? capsule.a : capsule.b;
        return top + glm::vec3(0, capsule.radius, 0);
    }

    glm::vec3 operator()(const bv::RectSweptSphere& rect) const {
        if (rect.is_empty()) return glm::vec3(NAN);
        c.paint.shape(rect, stroke, exhibit.fill);
        const float top = std::abs(rect.axes[0].y) * rect.half_extents.x +
                          std::abs(rect.axes[1].y) * rect.half_extents.y + rect.radius;
        return rect.center + glm::vec3(0, top, 0);
    }

    glm::vec3 operator()(const VoxelBlock& block) const {
        draw_voxels(c, block);
        return block.transform * glm::vec4(0.5f * block.size.x, block.size.y, 0.5f * block.size.z, 1.0f);
    }

  private:
    void face(const glm::vec3& a, const glm::vec3& b, const glm::vec3& d) const {
        if (exhibit.fill <= 0.0f || !bv::is_finite(a) || !bv::is_finite(b) || !bv::is_finite(d)) return;
        c.paint.list.solid_triangles.push_back({a, b, d, stroke.color.with_alpha(exhibit.fill)});
    }
};

/// Lines look like lines in the legend, planes like their grid, other surfaces like outlines, points like
/// dots.
Swatch swatch_of(const ExhibitShape& shape) {
    const auto* polytope = std::get_if<Polytope>(&shape);
    if (std::holds_alternative<Marker>(shape) || (polytope && is_dots(*polytope))) return Swatch::Dot;
    if (std::holds_alternative<bv::Segment>(shape) || std::holds_alternative<Polyline>(shape) ||
        std::holds_alternative<bv::Ray>(shape)) {
        return Swatch::Line;
    }
    return std::holds_alternative<PlanePatch>(shape) ? Swatch::Plane : Swatch::Outline;
}

/// With a probe, its rays and results rank as asked for; so does what a step is about.
Legend::Rank rank_of(const FrameResults& results, const Exhibit& exhibit) {
    const Role role = exhibit.role;
    const bool is_of_query =
        role == Role::Ray || role == Role::Hit || role == Role::Visited || role == Role::Culled;
    const bool is_of_step = results.walk && results.walk->number > 0 && exhibit.on_top;
    return (results.probe && is_of_query) || is_of_step ? Legend::Rank::Asked : Legend::Rank::Usual;
}

bool is_same(const ExhibitShape& a, const ExhibitShape& b) {
    if (a.index() != b.index()) return false;
    if (const auto* line = std::get_if<bv::Segment>(&a)) {
        const auto& other = std::get<bv::Segment>(b);
        return (line->a == other.a && line->b == other.b) || (line->a == other.b && line->b == other.a);
    }
    if (const auto* marker = std::get_if<Marker>(&a)) return marker->position == std::get<Marker>(b).position;
    if (const auto* box = std::get_if<bv::Obb>(&a)) return *box == std::get<bv::Obb>(b);
    return false;
}

/// True iff one of the last exhibits, those of the step, is drawn over all of it: then it is invisible, and
/// the legend must not name it.
bool is_covered(const std::vector<Exhibit>& exhibits, std::size_t which) {
    constexpr std::size_t kLast = 64;
    const Exhibit& one = exhibits[which];
    if (!one.label.empty()) return false;
    const std::size_t first = exhibits.size() > kLast ? exhibits.size() - kLast : 0;
    return std::any_of(exhibits.begin() + static_cast<std::ptrdiff_t>(std::max(first, which + 1)),
                       exhibits.end(), [&](const Exhibit& other) {
                           return other.on_top && other.width_px >= one.width_px && other.fill >= one.fill &&
                                  is_same(one.shape, other.shape);
                       });
}

}  // namespace

void draw_exhibits(const Context& c) {
    const bool labels = c.settings[kDrawLabels] != BodyLabels::None;
    for (std::size_t i = 0; i < c.results.exhibits.size(); ++i) {
        const Exhibit& exhibit = c.results.exhibits[i];
        if (is_covered(c.results.exhibits, i)) continue;
        const bool scaled = exhibit.scalar >= 0.0f;
        const Color color =
            scaled ? c.paint.colors.scalar(exhibit.scalar) : c.paint.colors.role(exhibit.role);
        const ExhibitDrawer drawer{c, exhibit, {color, exhibit.width_px, exhibit.on_top}};
        const glm::vec3 at = std::visit(drawer, exhibit.shape);
        if (labels) {
            // Muted exhibits still get readable labels.
            const bool quiet =
                exhibit.role == Role::Muted || exhibit.role == Role::TreeNode || exhibit.role == Role::Culled;
            // Small text needs more contrast than the shapes that it may lie on.
            const Color ink = quiet ? c.paint.colors.text : mix(color, c.paint.colors.text, 0.4f);
            using Anchor = render::Label::Anchor;
            if (const auto* line = std::get_if<bv::Segment>(&exhibit.shape))
                c.paint.label_beside(line->a, line->b, exhibit.label, ink, 14.0f);
            else
                c.paint.label(at, exhibit.label, ink, 14.0f,
                              std::holds_alternative<Marker>(exhibit.shape) ? Anchor::Left
                              : std::holds_alternative<Note>(exhibit.shape) ? Anchor::Center
                                                                            : Anchor::Above);
        }
        // Voxels have the colors of their model.
        const bool has_row = !std::holds_alternative<Note>(exhibit.shape) &&
                             !(std::holds_alternative<VoxelBlock>(exhibit.shape) && exhibit.legend.empty());
        if (scaled) {
            const Number end = cells::significant(static_cast<double>(exhibit.scalar_end), 3);
            c.legend.add_scale(exhibit.legend, "0", to_text(end.in(exhibit.scalar_unit)));
        } else if (has_row) {
            c.legend.add(exhibit.legend.empty() ? std::string(role_name(exhibit.role)) : exhibit.legend,
                         color, swatch_of(exhibit.shape), rank_of(c.results, exhibit));
        }
        if (std::holds_alternative<PlanePatch>(exhibit.shape)) {
            c.legend.add(std::string(role_name(Role::Normal)), c.paint.colors.role(Role::Normal),
                         Swatch::Line);
        }
    }
    for (const Handle& handle : c.results.handles) {
        if (handle.bare || !handle.given.in_view) continue;
        // Two points make a ring that is visible on any background. It is drawn on top, since the user must
        // find it even inside a mesh.
        c.paint.point(handle.position, c.paint.colors.halo.with_alpha(1.0f), 17.0f, true);
        c.paint.point(handle.position, c.paint.colors.role(Role::Selected), 13.0f, true);
        if (labels) {
            std::string label = handle.label;
            if (handle.id == c.view.held_handle) {
                const glm::vec3 at = numbers_of(c.results.handles, handle);
                label = fmt::format("{} ({:.2f}, {:.2f}, {:.2f})", handle.name(), at.x, at.y, at.z);
            }
            c.paint.label(handle.position, label, c.paint.colors.text, 13.0f, render::Label::Anchor::Left);
            if (!label.empty() && !c.paint.list.labels.empty()) c.paint.list.labels.back().clear_px = 9.0f;
        }
    }
    if (std::any_of(c.results.handles.begin(), c.results.handles.end(),
                    [](const Handle& h) { return !h.bare && h.given.in_view; })) {
        c.legend.add("handle: drag it", c.paint.colors.role(Role::Selected), Swatch::Dot);
    }
}

}  // namespace lab::viz
