// The points that the scenes about fitting step through: presets with the textbook's hard cases, the vertices
// of a mesh, and points that are dragged, added and removed.
#pragma once

#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/scenes.hpp"
#include "scenes/staging.hpp"

namespace lab::scenes {

enum class PointPreset : unsigned char {
    Cloud,
    Clusters,
    Line,
    Plane,
    OnSphere,
    Cube,
    Sorted,
    Hidden,
    Mesh,
};

inline constexpr std::array kPointPresetChoices = {
    Choice{"cloud", "Cloud", PointPreset::Cloud},
    Choice{"clusters", "Dense cluster and a few", PointPreset::Clusters},
    Choice{"line", "On a line", PointPreset::Line},
    Choice{"plane", "In a plane", PointPreset::Plane},
    Choice{"sphere", "All on one sphere", PointPreset::OnSphere},
    Choice{"cube", "Corners of a box", PointPreset::Cube},
    Choice{"sorted", "Sorted outward", PointPreset::Sorted},
    Choice{"hidden", "Hidden support points, at least 36", PointPreset::Hidden},
    Choice{"mesh", "Vertices of a mesh", PointPreset::Mesh},
};
inline constexpr Setting<PointPreset> kPointsPreset{{
    .id = "points.preset",
    .label = "Points",
    .help = "The input points; choosing another set discards dragged points",
    .default_value = "cloud",
    .choices = kPointPresetChoices,
    .remembered = false,
}};
inline constexpr Setting<int> kPointsCount{{
    .id = "points.count",
    .label = "Count",
    .help = "How many points; with more than 40, only the last 40 can be dragged; from a larger mesh, this "
            "many evenly spread vertices are taken",
    .default_value = "24",
    .min = 1,
    .max = 2000,
    .remembered = false,
}};
inline constexpr Setting<std::string> kPointsMesh{{
    .id = "points.mesh",
    .label = "Mesh",
    .help = "The mesh whose vertices are taken as points; `any`: the one opened last, or the teapot",
    .default_value = "any",
    .remembered = false,
    .is_mesh = true,
}};

/// The commands of every scene that has such points.
inline constexpr std::array<SceneCommand, 2> kPointCommands = {
    SceneCommand{.id = "points.add",
                 .help = "Add a point that can be dragged",
                 .action = "points.add",
                 .button = "Add a point"},
    SceneCommand{.id = "points.remove",
                 .help = "Remove the point that was dragged last",
                 .action = "points.remove",
                 .button = "Remove a point"},
};

class PointSet {
  public:
    /// Regenerates the points if the settings or the seed changed. True if it did.
    bool follow(const SceneContext& context);
    bool drag(std::string_view handle, const glm::vec3& position);
    /// `points.add` and `points.remove`.
    bool play(SceneContext& context, std::string_view action);
    /// All that drags and actions change, as `Scene::input` and `Scene::restore`.
    [[nodiscard]] SceneInput input() const;
    void restore(const SceneInput& to);
    void show_handles(FrameResults& results) const;

    [[nodiscard]] const std::vector<glm::vec3>& points() const { return points_; }
    /// Counts changes of the points.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// The omitted part: "500 of 34,834 vertices of bunny". Empty if none.
    [[nodiscard]] const std::string& thinned() const { return thinned_; }
    /// The triangles of the mesh that the points came from; none after a change, or for other presets.
    [[nodiscard]] const std::vector<glm::uvec3>& triangles() const { return triangles_; }

  private:
    void make(const SceneContext& context);
    void take_mesh(const SceneContext& context, std::size_t count);

    PointPreset preset_{};
    int count_ = -1;
    std::string mesh_;
    std::uint64_t seed_ = 0;
    std::vector<glm::vec3> points_;
    std::vector<glm::uvec3> triangles_;
    std::string thinned_;
    std::vector<glm::vec3> made_;  ///< As the settings gave them.
    std::size_t touched_ = 0;
    std::uint64_t revision_ = 0;
};

}  // namespace lab::scenes
