#include "sandbox/scenes.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "sandbox/scenes/factories.hpp"
#include "sandbox/suggest.hpp"

namespace lab {
namespace {

constexpr std::array kScenes = {
    SceneSpec{"welcome", "Start", "Welcome",
              "Forty bodies drift and turn in a room. Some show a bounding volume; pairs whose volumes "
              "overlap light up, "
              "and a ray finds its triangle through the tree.",
              scenes::make_welcome},
    SceneSpec{"mesh", "Your files", "Opened meshes",
              "The meshes that you have opened, with all their volumes. Drop a file on the window or use "
              "`open FILE`.",
              scenes::make_mesh},
    SceneSpec{"boxes", "Your files", "Opened boxes",
              "The list of boxes that you have opened, and the tree that holds them.", scenes::make_boxes},
};

}  // namespace

std::span<const SceneSpec> scene_specs() {
    return kScenes;
}

const SceneSpec* find_scene(std::string_view id) {
    for (const SceneSpec& spec : kScenes)
        if (spec.id == id) return &spec;
    return nullptr;
}

std::string no_scene(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const SceneSpec& spec : kScenes)
        ids.push_back(spec.id);
    const std::string hint = did_you_mean(id, ids);
    return fmt::format("there is no scene '{}'{}", id,
                       hint.empty() ? "; --list-scenes shows them all" : hint);
}

}  // namespace lab
