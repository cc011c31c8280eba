// Saved scenes, .json: the bodies, the view, and the commands that led there. The reader is strict: it
// accepts a whole file or refuses it with the path of the offending value. The session checks whether scenes,
// settings, meshes and commands exist.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_error.hpp"
#include "io/limits.hpp"
#include "io/sessions/named_mesh.hpp"

namespace lab::io {

struct SceneFileBody {
    std::uint32_t id = 0;
    std::string name, mesh;
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    float scale = 1.0f;
    glm::vec3 velocity{0.0f}, angular_velocity{0.0f};
    std::string motion = "drift";
    glm::vec3 anchor{0.0f};  ///< For an orbit.
    float fastest = 0.0f;
    std::uint32_t walked = 0;  ///< Steps of its motion so far.
    bool hidden = false;
    std::uint32_t shown = 15;  ///< Bits of the volumes that the scene shows.
    /// Settings for which the body has a choice of its own, with their values; in any order.
    std::vector<std::pair<std::string, std::string>> choices;
};

struct SceneFileCamera {
    glm::vec3 target{0.0f};
    float distance = 10.0f, yaw_rad = 0.0f, pitch_rad = 0.0f, fov_y_rad = 0.8f;
    float framed_aspect = limits::kFramedAspect;
    friend bool operator==(const SceneFileCamera&, const SceneFileCamera&) = default;
};

/// The part of the window in which the scene is seen, in pixels.
struct SceneFileView {
    glm::vec2 min{0.0f}, size{1280.0f, 720.0f};
    friend bool operator==(const SceneFileView&, const SceneFileView&) = default;
};

struct SceneFileRay {
    glm::vec3 origin{0.0f}, direction{0.0f};
    std::optional<float> t_max;
};

struct SceneFileNode {
    std::string tree;
    std::uint32_t index = 0;
};

struct SceneFileSelection {
    std::vector<std::uint32_t> bodies;
    std::optional<SceneFileNode> node, isolated;
    std::optional<std::uint32_t> triangle, ray;
};

using SettingTexts = std::vector<std::pair<std::string, std::string>>;

struct SceneFile {
    std::string scene;
    /// Meshes, voxel models, lists and trees that were opened, in their order; relative ones count from the
    /// folder of the scene file.
    std::vector<std::string> files;
    /// Meshes of files, including files that are not shown, by the names that bodies, settings and commands
    /// use; only where a session that has opened just `files` would name them otherwise, or not know them.
    std::vector<NamedMesh> meshes;
    std::vector<std::string> made_meshes;  ///< Made by the scene itself: its record makes them again.
    SettingTexts settings;                 ///< Settings other than the default.

    // The world.
    std::uint64_t frame = 0, steps = 0;
    std::optional<std::uint32_t> seed;  ///< The seed of the scene's start, if the setting has changed since.
    std::vector<SceneFileBody> bodies;
    std::optional<std::pair<glm::vec3, glm::vec3>> arena;
    std::optional<glm::vec3> light;
    std::vector<std::pair<std::string, glm::vec3>> handles;
    std::vector<SceneFileRay> rays;

    // The view.
    SceneFileCamera camera, home;  ///< Now, and where `camera.reset` goes.
    SceneFileView view;
    std::optional<glm::vec2> pointer;  ///< Where the mouse was over the view.
    SceneFileSelection selection;

    /// The text of a recording that leads from the start of the scene to the state above. Empty if its
    /// beginning was given up.
    std::string history;
};

/// Throws nlohmann::json::exception if a text is not UTF-8.
[[nodiscard]] std::string scene_file_text(const SceneFile& scene);
/// The same, or why the text could not be read back.
Result<std::string> checked_scene_text(const SceneFile& scene, const std::string& path);
/// Enforces io/limits.hpp while it reads. Pure; `path` only names the file in errors.
Result<SceneFile> parse_scene_file(std::string_view text, const std::string& path);
Result<SceneFile> read_scene_file(const std::filesystem::path& path);
/// Atomic; returns nothing on success. Refuses a scene that could not be opened again.
std::optional<FileError> write_scene_file(const std::filesystem::path& path, const SceneFile& scene);

}  // namespace lab::io
