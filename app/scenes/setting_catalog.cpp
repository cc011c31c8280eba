// The catalog of all settings, of program and scenes, in the order of panels, lists and files.
#include <algorithm>
#include <vector>

#include "results/probe_settings.hpp"
#include "results/volume_settings.hpp"
#include "scenes/scenes.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/rays.hpp"
#include "settings/steps.hpp"
#include "settings/tree.hpp"
#include "settings/view.hpp"
#include "world/world_settings.hpp"

namespace lab {
namespace {

using Rows = std::vector<const SettingSpec*>;

/// Rows that are already there keep their place.
void add(Rows& rows, std::span<const SettingSpec* const> more) {
    for (const SettingSpec* row : more)
        if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
}

void add_before_scenes(Rows& rows) {
    add(rows, kTimeSettings);
    add(rows, kContactSettings);
    add(rows, kPairSettings);
    add(rows, kExactSettings);
    add(rows, kFitSettings);
    add(rows, kTreeSettings);
}

void add_of_scenes(Rows& rows) {
    for (const bool last : {false, true})
        for (const SceneSpec& scene : scene_specs())
            if (scene.settings_last == last) add(rows, scene.settings);
}

void add_after_scenes(Rows& rows) {
    add(rows, kRaySettings);
    add(rows, kProbeSettings);
    add(rows, kHeatSettings);
}

}  // namespace

const SettingCatalog& setting_catalog() {
    static const SettingCatalog catalog([] {
        Rows rows;
        add(rows, kDrawSettings);
        add_before_scenes(rows);
        add_of_scenes(rows);
        add_after_scenes(rows);
        add(rows, kSpawnSettings);
        add(rows, kEditSettings);
        add(rows, kWindowSettings);
        add(rows, kProgressSettings);
        add(rows, kSessionSettings);
        add(rows, kStepSettings);
        return rows;
    }());
    return catalog;
}

std::span<const SettingSpec* const> program_settings() {
    static const Rows kRows = [] {
        Rows rows;
        add_before_scenes(rows);
        add_after_scenes(rows);
        add(rows, kEditSettings);
        add(rows, kSessionSettings);
        return rows;
    }();
    return kRows;
}

}  // namespace lab
