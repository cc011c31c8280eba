#include "scenes/scenes.hpp"

#include <algorithm>
#include <vector>

#include "bv/assert.hpp"
#include "settings/suggest.hpp"

namespace lab {
namespace scenes {

// CMake makes scene_list.inc from scenes.list: SCENE(name) for each.
#define SCENE(name)                  \
    namespace name##_scene {         \
        extern const SceneSpec spec; \
    }
#include "scenes/scene_list.inc"
#undef SCENE

}  // namespace scenes

std::span<const SceneSpec> scene_specs() {
    static const std::vector<SceneSpec> all = {
#define SCENE(name) scenes::name##_scene::spec,
#include "scenes/scene_list.inc"
#undef SCENE
    };
    return all;
}

const SceneSpec* find_scene(std::string_view id) {
    for (const SceneSpec& spec : scene_specs())
        if (spec.id == id) return &spec;
    return nullptr;
}

const SceneSpec& scene_showing(io::FileKind kind) {
    const auto specs = scene_specs();
    const auto at = std::find_if(specs.begin(), specs.end(),
                                 [kind](const SceneSpec& spec) { return spec.shows == kind; });
    BV_ASSERT(at != specs.end());
    return at == specs.end() ? specs.front() : *at;
}

bool SceneSpec::offers(const SettingSpec& setting) const {
    return std::find(settings.begin(), settings.end(), &setting) != settings.end();
}

bool show_opened_files(const SceneSpec& spec, Settings& settings) {
    if (!spec.own_example || !settings[*spec.own_example]) return false;
    settings.assign(*spec.own_example, false);
    return true;
}

std::string no_scene(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const SceneSpec& spec : scene_specs())
        ids.push_back(spec.id);
    return no_such("scene", id, ids);
}

}  // namespace lab
