// The orbit camera: part of the session's state, moved by commands, read by pictures and picking.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"

namespace lab {

/// Looks at `target` from `distance` metres away. Yaw turns about +y (0 looks along -z), pitch lifts the eye
/// above the horizon; radians. With `z_up`, yaw turns about +z, and 0 looks along +y. The session's camera is
/// meant for a picture of `kAspect`; see `in_view` for pictures of other shapes.
struct Camera {
    static constexpr float kAspect = 16.0f / 9.0f;

    glm::vec3 target{0.0f};
    float distance = 10.0f;
    float yaw_rad = 0.6f;
    float pitch_rad = 0.45f;
    float fov_y_rad = 0.8f;
    /// The aspect ratio of the narrowest picture that holds what was framed, however it is turned; at most
    /// `kAspect`.
    float framed_aspect = kAspect;
    bool z_up = false;

    [[nodiscard]] glm::vec3 eye() const;
    [[nodiscard]] glm::vec3 forward() const;
    [[nodiscard]] glm::vec3 right() const;
    [[nodiscard]] glm::vec3 up() const;
    [[nodiscard]] glm::mat4 view() const;
    /// OpenGL clip space. Near and far follow the distance. `size_px` must be positive.
    [[nodiscard]] glm::mat4 projection(glm::vec2 size_px) const;
    /// The pixel at which a point is seen; empty if it is not in front of the eye.
    [[nodiscard]] std::optional<glm::vec2> project(const glm::vec3& point, glm::vec2 size_px) const;
    /// The displacement of `point` when it moves on screen by `delta_px`, in the plane through it that faces
    /// the camera.
    [[nodiscard]] glm::vec3 drag(const glm::vec3& point, glm::vec2 delta_px, glm::vec2 size_px) const;
    /// The ray through a pixel; (0, 0) is the top left corner. Unit direction, starts at the eye.
    [[nodiscard]] bv::Ray ray_through(glm::vec2 pixel, glm::vec2 size_px) const;

    friend bool operator==(const Camera&, const Camera&) = default;

    void orbit(float yaw_delta_rad, float pitch_delta_rad);
    /// Moves the target in the image plane, so that the point under the mouse follows it.
    void pan(glm::vec2 delta_px, glm::vec2 size_px);
    /// Multiplies the distance; clamped to a useful range.
    void zoom(float factor);
    /// Moves eye and target together, in metres along right, up, forward.
    void fly(glm::vec3 right_up_forward);
    /// Fits `box`, or its part within `radius` of its center, into a picture of `kAspect` with a margin,
    /// keeping the angles. An empty box changes nothing.
    void frame(const bv::Aabb& box, float radius = std::numeric_limits<float>::infinity());
    /// The camera for a picture of a different aspect ratio: it shows at least what was framed, from farther
    /// away if the picture is narrower than that, or if the shares `covered` at its top or `beside` at its
    /// right are hidden; the target is then centered in what is left.
    [[nodiscard]] Camera in_view(float aspect, float covered = 0.0f, float beside = 0.0f) const;

  private:
    [[nodiscard]] float aspect_of(const bv::Aabb& box) const;
};

}  // namespace lab
