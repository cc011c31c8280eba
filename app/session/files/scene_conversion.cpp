#include "session/files/scene_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "settings/settings.hpp"
#include "world/tree_settings.hpp"

namespace lab {

io::SceneFileCamera saved(const Camera& c) {
    return {c.target, c.distance, c.yaw_rad, c.pitch_rad, c.fov_y_rad, c.framed_aspect};
}

Camera camera_of(const io::SceneFileCamera& c) {
    return {c.target, c.distance, c.yaw_rad, c.pitch_rad, c.fov_y_rad, c.framed_aspect};
}

io::SceneFileRay saved(const bv::Ray& ray) {
    const bool endless = !(ray.t_max < 1e30f);
    return {ray.origin, ray.direction, endless ? std::nullopt : std::optional(ray.t_max)};
}

bv::Ray ray_of(const io::SceneFileRay& saved) {
    bv::Ray ray;
    ray.origin = saved.origin;
    ray.direction = saved.direction;
    if (saved.t_max) ray.t_max = *saved.t_max;
    return ray;
}

io::SceneFileBody saved(const Body& body, const MeshLibrary& meshes) {
    const BodyState& state = body.state;
    io::SceneFileBody out;
    out.id = state.id.value;
    out.name = state.name;
    out.mesh = meshes[state.mesh].name;
    out.position = body.position;
    out.orientation = body.orientation;
    out.scale = state.scale;
    out.velocity = state.velocity;
    out.angular_velocity = state.angular_velocity;
    out.motion = id_of(body.motion.kind);
    out.anchor = body.motion.anchor;
    out.fastest = body.motion.fastest;
    out.walked = body.motion.steps;
    out.hidden = state.hidden;
    out.shown = state.shown.bits();
    for (const std::string_view setting : body_settings())
        if (const std::string_view value = own_choice(state.own, setting); !value.empty())
            out.choices.emplace_back(setting, value);
    return out;
}

Body body_of(const io::SceneFileBody& saved, MeshId mesh) {
    Body body;
    body.state.id = {saved.id};
    body.state.name = saved.name;
    body.state.mesh = mesh;
    body.state.scale = saved.scale;
    body.state.velocity = saved.velocity;
    body.state.angular_velocity = saved.angular_velocity;
    body.state.hidden = saved.hidden;
    for (const auto& [setting, value] : saved.choices)
        (void)set_own_choice(body.state.own, setting, value);
    body.state.shown = VolumeSet::of_bits(saved.shown);
    body.position = saved.position;
    body.orientation = saved.orientation;
    body.motion = {motion_kind(saved.motion).value_or(MotionKind::Drift), saved.anchor, saved.fastest,
                   saved.walked};
    return body;
}

bool same(const io::SceneFileBody& a, const io::SceneFileBody& b) {
    return a.id == b.id && a.name == b.name && a.mesh == b.mesh && a.position == b.position &&
           a.orientation == b.orientation && a.scale == b.scale && a.velocity == b.velocity &&
           a.angular_velocity == b.angular_velocity && a.hidden == b.hidden && a.shown == b.shown &&
           a.motion == b.motion && a.anchor == b.anchor && a.fastest == b.fastest && a.walked == b.walked &&
           std::is_permutation(a.choices.begin(), a.choices.end(), b.choices.begin(), b.choices.end());
}

bool is_saved(const SettingSpec& spec) {
    return spec.effect != Effect::Outside;
}

}  // namespace lab
