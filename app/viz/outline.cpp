#include "viz/outline.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "bv/fit/polygon.hpp"

namespace lab::viz {
namespace {

constexpr std::size_t kMaxBoxesOutlined = 300;  // of more boxes only some, since this runs in each frame

float cross(glm::vec2 a, glm::vec2 b) {
    return a.x * b.y - a.y * b.x;
}

/// The part of the polygon on the inner side of a line along an axis.
std::vector<glm::vec2> clipped(const std::vector<glm::vec2>& polygon, int axis, float at, float side) {
    std::vector<glm::vec2> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const glm::vec2 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const float from = side * (a[axis] - at), to = side * (b[axis] - at);
        if (from >= 0.0f) kept.push_back(a);
        if ((from >= 0.0f) != (to >= 0.0f)) kept.push_back(a + (b - a) * (from / (from - to)));
    }
    return kept;
}

std::vector<glm::vec2> points_of(const FrameResults& results, const Camera& camera, glm::vec2 size_px) {
    std::vector<glm::vec2> points;
    const auto add = [&](const bv::Aabb& box) {
        if (box.is_empty() || !box.is_finite()) return;
        for (int i = 0; i < 8; ++i)
            if (const std::optional<glm::vec2> at = camera.project(box.corner(i), size_px))
                points.push_back(*at);
    };
    if (!results.bodies.empty() && !results.arena.is_empty()) {
        add(results.arena);
    } else {
        const std::size_t stride = 1 + results.bodies.size() / kMaxBoxesOutlined;
        for (std::size_t i = 0; i < results.bodies.size(); i += stride) {
            const BodyState& body = results.bodies[i];
            add({body.transform[3] - 0.5f * body.scale, body.transform[3] + 0.5f * body.scale});
        }
    }
    const std::size_t stride = 1 + results.exhibits.size() / kMaxBoxesOutlined;
    for (std::size_t i = 0; i < results.exhibits.size(); i += stride) {
        const ExhibitShape& shape = results.exhibits[i].shape;
        if (std::holds_alternative<bv::Ray>(shape) || std::holds_alternative<Note>(shape)) continue;
        add(bounds_of(results.exhibits[i]));
    }
    return points;
}

}  // namespace

Outline::Outline(const std::vector<glm::vec2>& points_px) {
    for (const std::uint32_t i : bv::fit::convex_polygon(points_px))
        corners_.push_back(points_px[i]);
}

Outline::Outline(const FrameResults& results, const Camera& camera, glm::vec2 size_px)
    : Outline(points_of(results, camera, size_px)) {}

float Outline::area_in(glm::vec2 min_px, glm::vec2 max_px) const {
    if (corners_.size() < 3) return 0.0f;
    std::vector<glm::vec2> inside = corners_;
    for (int axis = 0; axis < 2; ++axis) {
        inside = clipped(inside, axis, min_px[axis], 1.0f);
        inside = clipped(inside, axis, max_px[axis], -1.0f);
    }
    float twice = 0.0f;
    for (std::size_t i = 0; i < inside.size(); ++i)
        twice += cross(inside[i], inside[(i + 1) % inside.size()]);
    return 0.5f * std::abs(twice);
}

}  // namespace lab::viz
