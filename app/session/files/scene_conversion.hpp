// Converts between a state and the types of a scene file.
#pragma once

#include "io/sessions/scene_file.hpp"
#include "view/camera.hpp"
#include "world/mesh_library.hpp"
#include "world/world.hpp"

namespace lab {

struct SettingSpec;

[[nodiscard]] io::SceneFileCamera saved(const Camera& camera);
[[nodiscard]] Camera camera_of(const io::SceneFileCamera& saved);
[[nodiscard]] io::SceneFileRay saved(const bv::Ray& ray);
[[nodiscard]] bv::Ray ray_of(const io::SceneFileRay& saved);
[[nodiscard]] io::SceneFileBody saved(const Body& body, const MeshLibrary& meshes);
[[nodiscard]] Body body_of(const io::SceneFileBody& saved, MeshId mesh);
/// True if two saved bodies are equal in position, motion and display.
[[nodiscard]] bool same(const io::SceneFileBody& a, const io::SceneFileBody& b);
/// Settings that belong to the scene and not to the window.
[[nodiscard]] bool is_saved(const SettingSpec& spec);

}  // namespace lab
