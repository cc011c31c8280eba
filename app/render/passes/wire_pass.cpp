#include "render/passes/wire_pass.hpp"

#include <algorithm>
#include <cstddef>

namespace lab::render {

namespace {

using gl::Attribute;
using gl::kByte;
using gl::kFloat;

std::vector<Attribute> line_layout() {
    return {{0, 3, kFloat, offsetof(Line, a)},
            {1, 4, kByte, offsetof(Line, color)},
            {2, 3, kFloat, offsetof(Line, b)},
            {3, 1, kFloat, offsetof(Line, width_px)}};
}
std::vector<Attribute> aabb_layout() {
    return {{0, 3, kFloat, offsetof(WireAabb, min)},
            {1, 4, kByte, offsetof(WireAabb, color)},
            {2, 3, kFloat, offsetof(WireAabb, max)},
            {3, 1, kFloat, offsetof(WireAabb, width_px)}};
}
std::vector<Attribute> box_layout() {
    constexpr std::size_t at = offsetof(WireBox, transform), step = sizeof(glm::vec3);
    return {{0, 3, kFloat, at},
            {1, 3, kFloat, at + step},
            {2, 3, kFloat, at + 2 * step},
            {3, 3, kFloat, at + 3 * step},
            {4, 4, kByte, offsetof(WireBox, color)},
            {5, 1, kFloat, offsetof(WireBox, width_px)}};
}
std::vector<Attribute> sphere_layout() {
    return {{0, 3, kFloat, offsetof(WireSphere, center)},
            {1, 1, kFloat, offsetof(WireSphere, radius)},
            {2, 4, kByte, offsetof(WireSphere, color)},
            {3, 1, kFloat, offsetof(WireSphere, width_px)}};
}
std::vector<Attribute> point_layout() {
    return {{0, 3, kFloat, offsetof(Point, position)},
            {1, 4, kByte, offsetof(Point, color)},
            {2, 1, kFloat, offsetof(Point, size_px)}};
}

// Segments of a circle by the number of spheres, and whether great circles are drawn.
struct CircleDetail {
    int segments, circles;
};
CircleDetail circle_detail(std::size_t spheres, bool software) {
    if (software)
        return spheres <= 40    ? CircleDetail{64, 4}
               : spheres <= 400 ? CircleDetail{40, 4}
                                : CircleDetail{28, 1};
    return spheres <= 100    ? CircleDetail{96, 4}
           : spheres <= 1000 ? CircleDetail{64, 4}
           : spheres <= 5000 ? CircleDetail{40, 4}
                             : CircleDetail{32, 1};
}

// From this many segments on, lines are drawn thin: three times faster on the CPU.
std::size_t thick_limit(const gl::FrameContext& frame) {
    if (frame.fast) return frame.software ? 30'000 : 400'000;
    return frame.software ? 1'000'000 : 4'000'000;
}

}  // namespace

WirePass::WirePass(gl::ShaderLibrary& shaders)
    : lines_{{line_layout(), sizeof(Line)},
             shaders.add("lines/line.vert", "lines/line.frag", "#define SEGMENTS\n"),
             shaders.add("lines/line.vert", "lines/line.frag", "#define SEGMENTS\n#define THIN\n"),
             1,
             {},
             {}},
      faint_lines_{{line_layout(), sizeof(Line)}, lines_.thick, lines_.thin, 1, {}, {}},
      overlay_lines_{{line_layout(), sizeof(Line)}, lines_.thick, lines_.thin, 1, {}, {}},
      aabbs_{{aabb_layout(), sizeof(WireAabb)},
             shaders.add("lines/line.vert", "lines/line.frag", "#define AABBS\n"),
             shaders.add("lines/line.vert", "lines/line.frag", "#define AABBS\n#define THIN\n"),
             12,
             {},
             {}},
      faint_aabbs_{{aabb_layout(), sizeof(WireAabb)}, aabbs_.thick, aabbs_.thin, 12, {}, {}},
      boxes_{{box_layout(), sizeof(WireBox)},
             shaders.add("lines/line.vert", "lines/line.frag", "#define BOXES\n"),
             shaders.add("lines/line.vert", "lines/line.frag", "#define BOXES\n#define THIN\n"),
             12,
             {},
             {}},
      faint_boxes_{{box_layout(), sizeof(WireBox)}, boxes_.thick, boxes_.thin, 12, {}, {}},
      spheres_{{sphere_layout(), sizeof(WireSphere)},
               shaders.add("lines/circle.vert", "lines/circle.frag"),
               shaders.add("lines/circle.vert", "lines/circle.frag", "#define THIN\n"),
               1,
               {},
               {}},
      points_{{point_layout(), sizeof(Point)},
              shaders.add("lines/point.vert", "lines/point.frag"),
              points_.thick,
              1,
              {},
              {}},
      overlay_points_{{point_layout(), sizeof(Point)}, points_.thick, points_.thick, 1, {}, {}} {}

// Opaque shapes write depth where they cover most of a pixel, in a draw of its own before the colors: soft
// edges that wrote depth would cut a seam into the translucent volumes that are drawn over them later. In
// fast frames one draw does both, seams and all.
void WirePass::draw_instances(gl::InstanceBuffer& buffer, gl::Program& program, const Shape& shape,
                              std::size_t opaque, std::size_t all, gl::FrameContext& frame) {
    const auto draw_range = [&](std::size_t first, std::size_t last, GLsizei vertices) {
        if (first == last) return;
        buffer.bind(first);
        glDrawArraysInstanced(shape.thin ? GL_LINES : GL_TRIANGLES, 0, vertices,
                              static_cast<GLsizei>(last - first));
        frame.count(last - first);
    };
    // The extra draw is expensive on a software renderer: skip it there unless a volume would show the seam.
    const bool separate_core = !frame.fast && (!frame.software || frame.solids);
    program.use();
    program.set("u_core", 0);
    if (shape.thin || (shape.solid && !separate_core)) {
        glDepthMask(shape.solid ? GL_TRUE : GL_FALSE);
        draw_range(0, opaque, shape.vertices);
        glDepthMask(GL_FALSE);
        draw_range(opaque, all, shape.vertices);
        return;
    }
    if (separate_core) {
        program.set("u_core", 1);
        glDepthMask(GL_TRUE);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        draw_range(0, opaque, shape.core_vertices);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        program.set("u_core", 0);
    }
    glDepthMask(GL_FALSE);
    draw_range(0, all, shape.vertices);
}

template <class T>
void WirePass::draw_kind(Kind<T>& kind, std::span<const T> items, bool thin, gl::FrameContext& frame) {
    const Ordered<T> ordered = opaque_first(items, kind.scratch);
    kind.buffer.update(ordered.all, *frame.uploads);
    if (ordered.all.empty()) return;
    const GLsizei vertices = kind.segments * (thin ? 2 : 6);
    draw_instances(kind.buffer, thin ? kind.thin : kind.thick, {vertices, vertices, thin, true},
                   ordered.opaque, ordered.all.size(), frame);
}

template <class T>
void WirePass::draw_by_width(Kind<T>& kind, Kind<T>& faint, std::span<const T> items, bool thin,
                             gl::FrameContext& frame) {
    const float widest = 1.2f / frame.block.scale.x;
    const auto is_faint = [widest](const T& item) { return item.width_px <= widest; };
    if (thin || !frame.fast || !frame.software || std::none_of(items.begin(), items.end(), is_faint))
        return draw_kind(kind, items, thin, frame);
    kind.of_width.clear();
    faint.of_width.clear();
    for (const T& item : items)
        (is_faint(item) ? faint : kind).of_width.push_back(item);
    draw_kind(kind, std::span<const T>(kind.of_width), false, frame);
    draw_kind(faint, std::span<const T>(faint.of_width), true, frame);
}

void WirePass::draw_spheres(std::span<const WireSphere> spheres, bool thin, gl::FrameContext& frame) {
    const Ordered<WireSphere> ordered = opaque_first(spheres, spheres_.scratch);
    spheres_.buffer.update(ordered.all, *frame.uploads);
    if (ordered.all.empty()) return;
    const CircleDetail detail = circle_detail(ordered.all.size(), frame.software);
    gl::Program& program = thin ? spheres_.thin : spheres_.thick;
    program.use();
    program.set("u_segments", detail.segments);
    // The outline comes first; the faint great circles after it must not hide anything.
    const GLsizei outline = detail.segments * (thin ? 2 : 6);
    draw_instances(spheres_.buffer, program, {outline * detail.circles, outline, thin, false}, ordered.opaque,
                   ordered.all.size(), frame);
}

void WirePass::draw(const DrawList& list, std::span<const Line> extra, gl::FrameContext& frame) {
    const CircleDetail detail = circle_detail(list.wire_spheres.size(), frame.software);
    const std::size_t segments =
        list.lines.size() + 12 * (list.wire_aabbs.size() + list.wire_boxes.size()) +
        list.wire_spheres.size() * static_cast<std::size_t>(detail.segments * detail.circles) / 2;
    const bool thin = segments > thick_limit(frame);

    std::span<const Line> lines = list.lines;
    if (!extra.empty()) {
        with_extra_.assign(extra.begin(), extra.end());
        with_extra_.insert(with_extra_.end(), lines.begin(), lines.end());
        lines = with_extra_;
    }
    draw_by_width(boxes_, faint_boxes_, std::span<const WireBox>(list.wire_boxes), thin, frame);
    draw_by_width(aabbs_, faint_aabbs_, std::span<const WireAabb>(list.wire_aabbs), thin, frame);
    draw_by_width(lines_, faint_lines_, lines, thin && lines.size() > 2000, frame);
    draw_spheres(list.wire_spheres, thin, frame);
    draw_kind(points_, std::span<const Point>(list.points), false, frame);
    glDepthMask(GL_TRUE);
}

void WirePass::draw_overlay(const DrawList& list, gl::FrameContext& frame) {
    draw_kind(overlay_lines_, std::span<const Line>(list.overlay_lines), false, frame);
    draw_kind(overlay_points_, std::span<const Point>(list.overlay_points), false, frame);
    glDepthMask(GL_TRUE);
}

}  // namespace lab::render
