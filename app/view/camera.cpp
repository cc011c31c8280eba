#include "view/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>

#include "bv/portable_math.hpp"
#include "view/perspective.hpp"

namespace lab {
namespace {

constexpr float kMinDistance = 1e-3f;
constexpr float kMaxDistance = 1e6f;
constexpr float kMaxTarget = 1e7f;
// Straight up or down `right` would be undefined.
constexpr float kMaxPitch_rad = 1.55f;
constexpr float kFrameMargin = 1.06f;

/// Converts a vector from a world with y up to one with z up.
glm::vec3 with_z_up(const glm::vec3& v) {
    return {v.x, -v.z, v.y};
}

}  // namespace

glm::vec3 Camera::forward() const {
    const float c = bv::cos(pitch_rad);
    const glm::vec3 forward(-bv::sin(yaw_rad) * c, -bv::sin(pitch_rad), -bv::cos(yaw_rad) * c);
    return z_up ? with_z_up(forward) : forward;
}

glm::vec3 Camera::right() const {
    const glm::vec3 right(bv::cos(yaw_rad), 0.0f, -bv::sin(yaw_rad));
    return z_up ? with_z_up(right) : right;
}

glm::vec3 Camera::up() const {
    return glm::cross(right(), forward());
}

glm::vec3 Camera::eye() const {
    return target - distance * forward();
}

glm::mat4 Camera::view() const {
    // From the camera's own axes: glm::lookAt would normalize a difference that loses its precision when the
    // target is far from the origin.
    const glm::vec3 r = right(), u = up(), f = forward(), e = eye();
    return {glm::vec4(r.x, u.x, -f.x, 0.0f), glm::vec4(r.y, u.y, -f.y, 0.0f), glm::vec4(r.z, u.z, -f.z, 0.0f),
            glm::vec4(-glm::dot(r, e), -glm::dot(u, e), glm::dot(f, e), 1.0f)};
}

glm::mat4 Camera::projection(glm::vec2 size_px) const {
    const float aspect = size_px.x / std::max(size_px.y, 1.0f);
    return perspective(fov_y_rad, std::max(aspect, 1e-3f), 0.01f * distance, 200.0f * distance);
}

glm::mat4 perspective(float fov_y_rad, float aspect, float near, float far) {
    const float half_height = bv::tan(0.5f * fov_y_rad);
    glm::mat4 m(0.0f);
    m[0][0] = 1.0f / (aspect * half_height);
    m[1][1] = 1.0f / half_height;
    m[2][2] = -(far + near) / (far - near);
    m[2][3] = -1.0f;
    m[3][2] = -(2.0f * far * near) / (far - near);
    return m;
}

bv::Ray Camera::ray_through(glm::vec2 pixel, glm::vec2 size_px) const {
    const float half_height = bv::tan(0.5f * fov_y_rad);
    const float half_width = half_height * size_px.x / size_px.y;
    const float x = (2.0f * pixel.x / size_px.x - 1.0f) * half_width;
    const float y = (1.0f - 2.0f * pixel.y / size_px.y) * half_height;
    bv::Ray ray;
    ray.origin = eye();
    ray.direction = glm::normalize(forward() + x * right() + y * up());
    return ray;
}

void Camera::orbit(float yaw_delta_rad, float pitch_delta_rad) {
    // Wrapped to one turn, so that a long session loses no precision.
    yaw_rad = std::remainder(yaw_rad + yaw_delta_rad, 2.0f * std::numbers::pi_v<float>);
    pitch_rad = std::clamp(pitch_rad + pitch_delta_rad, -kMaxPitch_rad, kMaxPitch_rad);
}

void Camera::pan(glm::vec2 delta_px, glm::vec2 size_px) {
    const float metres_per_px = 2.0f * distance * bv::tan(0.5f * fov_y_rad) / std::max(size_px.y, 1.0f);
    fly({-delta_px.x * metres_per_px, delta_px.y * metres_per_px, 0.0f});
}

void Camera::zoom(float factor) {
    distance = std::clamp(distance * factor, kMinDistance, kMaxDistance);
}

void Camera::fly(glm::vec3 right_up_forward) {
    target += right_up_forward.x * right() + right_up_forward.y * up() + right_up_forward.z * forward();
    target = glm::clamp(target, glm::vec3(-kMaxTarget), glm::vec3(kMaxTarget));
}

void Camera::frame(const bv::Aabb& box, float radius) {
    if (box.is_empty() || !box.is_finite()) return;
    target = glm::clamp(box.center(), glm::vec3(-kMaxTarget), glm::vec3(kMaxTarget));
    // A corner at (x, y, z) in camera axes around the target is inside the picture if the eye is at least
    // |x| / tan(horizontal half angle) - z away, and likewise for y; z counts along the view.
    const float tan_y = bv::tan(0.5f * fov_y_rad);
    const float tan_x = tan_y * kAspect;
    float needed = 0.0f;
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner = box.corner(i) - target;
        const float x = std::abs(glm::dot(corner, right()));
        const float y = std::abs(glm::dot(corner, up()));
        needed = std::max(needed, std::max(x / tan_x, y / tan_y) - glm::dot(corner, forward()));
    }
    // A ball is inside if its tangents from the eye are.
    const float of_ball = radius / bv::sin(0.5f * fov_y_rad);
    const bool is_round = of_ball < needed;
    needed = std::min(needed, of_ball);
    if (needed <= 0.0f) return;  // a point: the distance stays
    distance = std::clamp(needed * kFrameMargin, kMinDistance, kMaxDistance);
    framed_aspect = is_round ? 1.0f : aspect_of(box);
}

/// The aspect ratio of the narrowest picture from here that holds the box, however it is turned.
float Camera::aspect_of(const bv::Aabb& box) const {
    const glm::vec3 axis = z_up ? glm::vec3(0, 0, 1) : glm::vec3(0, 1, 0);
    float widest = 0.0f;
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner = box.corner(i) - target;
        const float now = std::abs(glm::dot(corner, right())) / (distance + glm::dot(corner, forward()));
        const float turned = glm::length(corner - glm::dot(corner, axis) * axis) / distance;
        widest = std::max({widest, now, turned});
    }
    return std::min(kFrameMargin * widest / bv::tan(0.5f * fov_y_rad), kAspect);
}

Camera Camera::in_view(float aspect, float covered, float beside) const {
    Camera camera = *this;
    const float left = std::max(aspect * (1.0f - beside), 1e-3f);
    const float farther = std::max(framed_aspect / left, 1.0f / (1.0f - covered));
    camera.distance = std::clamp(distance * std::max(farther, 1.0f), kMinDistance, kMaxDistance);
    const float half_height = camera.distance * bv::tan(0.5f * fov_y_rad);
    if (covered > 0.0f) camera.target += covered * half_height * up();
    if (beside > 0.0f) camera.target += beside * aspect * half_height * right();
    return camera;
}

std::optional<glm::vec2> Camera::project(const glm::vec3& point, glm::vec2 size_px) const {
    const glm::vec4 clip = projection(size_px) * view() * glm::vec4(point, 1.0f);
    if (!(clip.w > 0.0f)) return std::nullopt;
    const glm::vec2 ndc = glm::vec2(clip) / clip.w;
    return 0.5f * size_px * glm::vec2(1.0f + ndc.x, 1.0f - ndc.y);
}

glm::vec3 Camera::drag(const glm::vec3& point, glm::vec2 delta_px, glm::vec2 size_px) const {
    const float depth = glm::dot(point - eye(), forward());
    const float metres_per_px = 2.0f * depth * bv::tan(0.5f * fov_y_rad) / size_px.y;
    return metres_per_px * (delta_px.x * right() - delta_px.y * up());
}

}  // namespace lab
