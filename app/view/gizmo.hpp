// The handles around the selected bodies: arrows along the world's axes, squares in its planes and rings
// about its axes, of constant size on screen. Pure geometry: controls.cpp hit-tests them and converts drags,
// viz draws them.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "settings/view.hpp"
#include "view/camera.hpp"

namespace lab {

enum class GizmoPart : unsigned char {
    None,
    MoveX,
    MoveY,
    MoveZ,
    MoveYZ,
    MoveZX,
    MoveXY,
    TurnX,
    TurnY,
    TurnZ
};

/// Sizes on screen at display scale 1.
inline constexpr float kGizmoArrowPx = 74.0f;
inline constexpr float kGizmoSquarePx = 24.0f;  ///< From the center to the far corner along each axis.
inline constexpr float kGizmoRingPx = 96.0f;    ///< Radius.
inline constexpr float kGizmoReachPx = 8.0f;    ///< Maximum distance of the mouse.

struct Gizmo {
    glm::vec3 center{0.0f};
    float metres_per_px = 0.01f;  ///< Of one pixel at display scale 1, at the gizmo.
    bool moves = true, turns = true;
};

/// The gizmo for `camera` in a view of `view_px`, at a display scale. Empty if it is behind the eye or `mode`
/// is off.
[[nodiscard]] std::optional<Gizmo> gizmo_at(const glm::vec3& center, GizmoMode mode, const Camera& camera,
                                            glm::vec2 view_px, float scale);

/// The axis of an arrow or ring, or the normal of a square: 0 to 2.
[[nodiscard]] int axis_of(GizmoPart part);
[[nodiscard]] bool is_turn(GizmoPart part);
[[nodiscard]] bool is_plane(GizmoPart part);
[[nodiscard]] glm::vec3 unit_axis(int axis);
/// The parts by axis; squares by their normal.
inline constexpr GizmoPart kGizmoArrows[] = {GizmoPart::MoveX, GizmoPart::MoveY, GizmoPart::MoveZ};
inline constexpr GizmoPart kGizmoSquares[] = {GizmoPart::MoveYZ, GizmoPart::MoveZX, GizmoPart::MoveXY};
inline constexpr GizmoPart kGizmoRings[] = {GizmoPart::TurnX, GizmoPart::TurnY, GizmoPart::TurnZ};
/// A point of the ring about an axis; `turn` counts from 0 to 1.
[[nodiscard]] glm::vec3 ring_point(const Gizmo& gizmo, int axis, float turn);
/// Only the half of a ring that faces the eye is drawn and can be grabbed.
[[nodiscard]] bool faces_eye(const Gizmo& gizmo, const glm::vec3& ring_point, const glm::vec3& eye);
/// The ring about an axis, as segments: the part that faces the eye.
[[nodiscard]] std::vector<bv::Segment> ring_segments(const Gizmo& gizmo, int axis, const glm::vec3& eye);

/// The part at a pixel of the view: squares first, then arrows, then rings.
[[nodiscard]] GizmoPart gizmo_part_at(const Gizmo& gizmo, const Camera& camera, glm::vec2 view_px,
                                      float scale, glm::vec2 pixel);

/// The displacement when a part is dragged from one pixel of the view to another; metres.
[[nodiscard]] glm::vec3 gizmo_delta(const Gizmo& gizmo, GizmoPart part, const Camera& camera,
                                    glm::vec2 view_px, glm::vec2 from, glm::vec2 to);
/// The angle by which a ring turns about its axis; radians.
[[nodiscard]] float gizmo_angle(const Gizmo& gizmo, GizmoPart part, const Camera& camera, glm::vec2 view_px,
                                glm::vec2 from, glm::vec2 to);

}  // namespace lab
