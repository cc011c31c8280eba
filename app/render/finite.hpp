// Tests which items of a draw list are finite. Hostile meshes and runaway bodies must not reach the GPU.
#pragma once

#include <cmath>
#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/draw_list.hpp"

namespace lab::render {

// x * 0 is NaN for infinities and NaN, and 0 for all others: one sum tests all components without a branch
// for each.
inline float badness(float x) {
    return x * 0.0f;
}
inline float badness(const glm::vec3& v) {
    return badness(v.x) + badness(v.y) + badness(v.z);
}
inline bool is_finite(const glm::vec3& v) {
    return badness(v) == 0.0f;
}
inline float badness(const glm::mat4x3& m) {
    return badness(m[0]) + badness(m[1]) + badness(m[2]) + badness(m[3]);
}

inline bool drawable(const Line& x) {
    return badness(x.a) + badness(x.b) + badness(x.width_px) == 0.0f;
}
inline bool drawable(const WireAabb& x) {
    return badness(x.min) + badness(x.max) + badness(x.width_px) == 0.0f;
}
inline bool drawable(const WireBox& x) {
    return badness(x.transform) + badness(x.width_px) == 0.0f;
}
inline bool drawable(const WireSphere& x) {
    return badness(x.center) + badness(x.radius) + badness(x.width_px) == 0.0f && x.radius >= 0.0f;
}
inline bool drawable(const SolidBox& x) {
    return badness(x.transform) == 0.0f;
}
inline bool drawable(const SolidSphere& x) {
    return badness(x.center) + badness(x.radius) == 0.0f && x.radius >= 0.0f;
}
inline bool drawable(const SolidTriangle& x) {
    return badness(x.a) + badness(x.b) + badness(x.c) == 0.0f;
}
inline bool drawable(const Point& x) {
    return badness(x.position) + badness(x.size_px) == 0.0f;
}
inline bool drawable(const MeshInstance& x) {
    return badness(x.transform) == 0.0f && x.mesh.id != 0;
}
inline bool drawable(const Label& x) {
    return badness(x.position) + badness(x.size_px) + badness(x.offset_px.x) + badness(x.offset_px.y) == 0.0f;
}

}  // namespace lab::render
