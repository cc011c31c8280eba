#include "viz/painter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>

#include "bv/shapes/not_finite.hpp"

namespace lab::viz {

glm::mat4x3 box_transform(const bv::Aabb& box) {
    const glm::vec3 h = 0.5f * (box.max - box.min);
    return {glm::vec3(h.x, 0, 0), glm::vec3(0, h.y, 0), glm::vec3(0, 0, h.z), box.min + h};
}

glm::mat4x3 box_transform(const bv::Obb& box) {
    return {box.axes[0] * box.half_extents.x, box.axes[1] * box.half_extents.y,
            box.axes[2] * box.half_extents.z, box.center};
}

Painter::Painter(render::DrawList& draw_list, const Camera& camera, const ViewInfo& view,
                 const Palette& palette, float line_scale)
    : list(draw_list),
      colors(palette),
      line_scale_(line_scale),
      eye_(camera.eye()),
      forward_(camera.forward()),
      right_(camera.right()),
      up_(camera.up()),
      to_clip_(camera.projection(glm::max(view.size_px, glm::vec2(1.0f))) * camera.view()),
      size_px_(glm::max(view.size_px, glm::vec2(1.0f))),
      tan_half_fov_times_two_per_px_(2.0f * std::tan(0.5f * camera.fov_y_rad) /
                                     std::max(1.0f, view.size_px.y)) {}

float Painter::metres_per_px(const glm::vec3& p) const {
    const float depth = glm::dot(p - eye_, forward_);
    return std::max(std::abs(depth), 1e-6f) * tan_half_fov_times_two_per_px_;
}

void Painter::line(const glm::vec3& a, const glm::vec3& b, const Stroke& s) {
    if (!bv::is_finite(a) || !bv::is_finite(b)) return;
    (s.on_top ? list.overlay_lines : list.lines).push_back({a, s.color, b, line_scale_ * s.width_px});
}

void Painter::arrow(const glm::vec3& a, const glm::vec3& b, const Stroke& s, float head_px) {
    const glm::vec3 d = b - a;
    const float length = glm::length(d);
    // At most half of a short arrow is head; one too small to be seen as a head is left out.
    constexpr float kSmallestHead_px = 4.0f;
    const float head = std::min(head_px * metres_per_px(b), 0.5f * length);
    if (!(length > 0.0f) || !std::isfinite(length)) return;
    const glm::vec3 along = d / length;
    glm::vec3 side = glm::cross(along, b - eye_);
    const float side_length = glm::length(side);
    if (head < kSmallestHead_px * metres_per_px(b) || !(side_length > 1e-12f)) {
        line(a, b, s);
        return;
    }
    side *= 0.38f * head / side_length;
    const glm::vec3 base = b - along * head;
    line(a, base, s);
    // A fan of strokes fills the head, and so heads work in the overlay too, which has only lines.
    for (const float k : {-1.0f, -0.5f, 0.0f, 0.5f, 1.0f})
        line(base + side * k, b, s);
    line(base - side, base + side, s);
}

void Painter::keep_labels_off(const glm::vec3& a, const glm::vec3& b, float width_px) {
    constexpr std::size_t kMaxSquares = 2000;  // squares; a line across a large picture has about 200
    const glm::vec4 from = to_clip_ * glm::vec4(a, 1.0f), to = to_clip_ * glm::vec4(b, 1.0f);
    // A line that passes the eye has no direction on screen.
    if (!bv::is_finite(a) || !bv::is_finite(b) || !(from.w > 0.0f) || !(to.w > 0.0f)) return;
    const auto px = [&](const glm::vec4& clip) {
        return size_px_ * (0.5f + 0.5f * glm::vec2(clip.x, -clip.y) / clip.w);
    };
    const glm::vec2 first = px(from), last = px(to);
    const float half = 0.5f * line_scale_ * width_px + 0.5f, length = glm::length(last - first);
    const float steps = std::min(std::ceil(length / std::max(2.0f * half, 5.0f)), 400.0f);
    for (float i = 0.0f; i <= steps && list.keep_clear.size() < kMaxSquares; ++i) {
        const glm::vec2 at = glm::mix(first, last, i / std::max(steps, 1.0f));
        // Negative pixels would count from the other side.
        if (at.x >= half && at.y >= half && at.x < size_px_.x && at.y < size_px_.y)
            list.keep_clear.push_back({at - half, at + half, {}, 0.0f});
    }
}

void Painter::point(const glm::vec3& p, Color color, float size_px, bool on_top) {
    if (bv::is_finite(p)) (on_top ? list.overlay_points : list.points).push_back({p, color, size_px});
}

void Painter::dots(std::span<const glm::vec3> points, Color color, float size_px) {
    const glm::ivec2 cells = glm::ivec2(glm::ceil(size_px_ / size_px)) + 1;
    std::vector<bool> taken(static_cast<std::size_t>(cells.x) * static_cast<std::size_t>(cells.y));
    for (const glm::vec3& p : points) {
        const glm::vec4 clip = to_clip_ * glm::vec4(p, 1.0f);
        if (!bv::is_finite(p) || !(clip.w > 0.0f)) continue;
        const glm::vec2 share = 0.5f + 0.5f * glm::vec2(clip) / clip.w;
        if (!(share.x >= 0.0f && share.x <= 1.0f && share.y >= 0.0f && share.y <= 1.0f)) continue;
        const glm::ivec2 cell(share * size_px_ / size_px);
        const std::size_t at = static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(cells.x) +
                               static_cast<std::size_t>(cell.x);
        if (taken[at]) continue;
        taken[at] = true;
        point(p, color, size_px);
    }
}

void Painter::box(const bv::Aabb& b, const Stroke& s, float fill) {
    if (!b.is_finite()) return;
    if (s.on_top && s.width_px > 0.0f) {
        for (const int axis : {0, 1, 2}) {
            for (int i = 0; i < 8; ++i) {
                if (!(i & (1 << axis))) line(b.corner(i), b.corner(i | (1 << axis)), s);
            }
        }
    } else if (s.width_px > 0.0f) {
        list.wire_aabbs.push_back({b.min, s.color, b.max, line_scale_ * s.width_px});
    }
    if (fill > 0.0f) list.solid_boxes.push_back({box_transform(b), s.color.with_alpha(fill)});
}

void Painter::box(const bv::Obb& b, const Stroke& s, float fill) {
    if (b.is_empty() || !bv::is_finite(b.center) || !bv::is_finite(b.half_extents)) return;
    if (s.on_top && s.width_px > 0.0f) {
        for (const int axis : {0, 1, 2}) {
            for (int i = 0; i < 8; ++i) {
                if (!(i & (1 << axis))) line(b.corner(i), b.corner(i | (1 << axis)), s);
            }
        }
    } else if (s.width_px > 0.0f) {
        list.wire_boxes.push_back({box_transform(b), s.color, line_scale_ * s.width_px});
    }
    if (fill > 0.0f) list.solid_boxes.push_back({box_transform(b), s.color.with_alpha(fill)});
}

void Painter::sphere(const glm::vec3& center, float radius, const Stroke& s, float fill) {
    if (!bv::is_finite(center) || !(radius >= 0.0f) || !std::isfinite(radius)) return;
    list.wire_spheres.push_back({center, radius, s.color, line_scale_ * s.width_px});
    if (fill > 0.0f) list.solid_spheres.push_back({center, radius, s.color.with_alpha(fill)});
}

void Painter::corners(const bv::Obb& b, const Stroke& s) {
    if (b.is_empty() || !bv::is_finite(b.center) || !bv::is_finite(b.half_extents)) return;
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner = b.corner(i);
        for (const int axis : {0, 1, 2})
            line(corner, glm::mix(corner, b.corner(i ^ (1 << axis)), 0.22f), s);
    }
}

void Painter::label(const glm::vec3& p, std::string text, Color color, float size_px,
                    render::Label::Anchor anchor) {
    if (text.empty() || !bv::is_finite(p)) return;
    render::Label label;
    label.position = p;
    label.text = std::move(text);
    label.color = color;
    label.halo = colors.halo;
    label.size_px = size_px;
    label.anchor = anchor;
    if (anchor == render::Label::Anchor::Above) label.offset_px.y = -5.0f;
    if (anchor == render::Label::Anchor::Left) label.offset_px.x = 7.0f;
    list.labels.push_back(std::move(label));
}

void Painter::label_beside(const glm::vec3& a, const glm::vec3& b, std::string text, Color color,
                           float size_px) {
    constexpr float kLevel = 0.15f, kUpright = 4.0f;  // slopes on screen
    const float along = glm::dot(b - a, right_), rise = glm::dot(b - a, up_);
    const glm::vec3 middle = 0.5f * (a + b);
    const std::size_t before = list.labels.size();
    // Above a line that is shorter than its label, the label would cover what it joins.
    const bool is_short = glm::length(glm::vec2(along, rise)) < 2.0f * size_px * metres_per_px(middle);
    const bool level = !is_short && std::abs(rise) < kLevel * std::abs(along);
    label(middle, std::move(text), color, size_px,
          level ? render::Label::Anchor::Above : render::Label::Anchor::Left);
    if (list.labels.size() == before || is_short || level || std::abs(rise) > kUpright * std::abs(along))
        return;
    // To the right of the middle a rising line is above the text, and a falling one below it.
    list.labels.back().offset_px.y = (rise * along > 0.0f ? 0.65f : -0.65f) * size_px;
}

}  // namespace lab::viz
