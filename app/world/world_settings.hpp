// Settings of motion, contact and spawning.
#pragma once

#include <array>
#include "settings/settings.hpp"
#include "world/bodies/motion.hpp"
#include "world/bodies/spawner.hpp"
#include "world/exact.hpp"
#include "world/world.hpp"

namespace lab {

inline constexpr std::array kSimContactChoices = {Choice{"pass", "Pass through", Contact::Pass},
                                                  Choice{"bounce", "Bounce off", Contact::Bounce},
                                                  Choice{"stop", "Stop", Contact::Stop}};
inline constexpr Setting<Contact> kSimContact{{
    .id = "sim.contact",
    .label = "On contact",
    .help = "What bodies do when their chosen volumes overlap",
    .default_value = "pass",
    .choices = kSimContactChoices,
}};

inline constexpr Setting<bool> kVolumeExact{{
    .id = "volume.exact",
    .label = "Exact test",
    .help = "Test the meshes of pairs whose volumes overlap",
    .default_value = "false",
    .is_algorithm = true,
}};

inline constexpr std::array kVolumeExactByChoices = {Choice{"meshes", "Triangles", ExactBy::Meshes},
                                                     Choice{"voxels", "Voxels", ExactBy::Voxels}};
inline constexpr Setting<ExactBy> kVolumeExactBy{{
    .id = "volume.exact_by",
    .label = "Exact test of",
    .help = "What the exact test compares",
    .default_value = "meshes",
    .choices = kVolumeExactByChoices,
    .is_algorithm = true,
}};

inline constexpr Setting<int> kSpawnCount{{
    .id = "spawn.count",
    .label = "Count",
    .help = "How many bodies the Spawn button adds",
    .default_value = "10",
    .min = 1,
    .max = 10000,
    .effect = Effect::View,
}};

inline constexpr Setting<std::string> kSpawnMesh{{
    .id = "spawn.mesh",
    .label = "Mesh",
    .help = "Which mesh the Spawn button adds; `any` cycles through all meshes",
    .default_value = "any",
    .effect = Effect::View,
    .is_mesh = true,
    .any = "any",
}};

inline constexpr Setting<float> kSpawnSize{{
    .id = "spawn.size",
    .label = "Size",
    .help = "Radius of spawned bodies",
    .default_value = "0.6",
    .min = 0.01,
    .max = 100,
    .unit = "m",
    .effect = Effect::View,
}};

inline constexpr Setting<float> kSpawnSpread{{
    .id = "spawn.spread",
    .label = "Size variation",
    .help = "How much larger or smaller bodies can be, as a share of the size",
    .default_value = "0.25",
    .max = 0.9,
    .effect = Effect::View,
}};

inline constexpr std::array kSpawnMotionChoices = {
    Choice{"drift", "Drift", MotionKind::Drift}, Choice{"orbit", "Orbit", MotionKind::Orbit},
    Choice{"walk", "Random walk", MotionKind::Walk}, Choice{"fall", "Fall and bounce", MotionKind::Fall},
    Choice{"still", "At rest", MotionKind::Still}};
inline constexpr Setting<MotionKind> kSpawnMotion{{
    .id = "spawn.motion",
    .label = "Motion",
    .help = "How spawned bodies move",
    .default_value = "drift",
    .choices = kSpawnMotionChoices,
    .effect = Effect::View,
}};

inline constexpr std::array kSpawnPlacementChoices = {
    Choice{"uniform", "Anywhere", Placement::Uniform}, Choice{"clusters", "In clusters", Placement::Clusters},
    Choice{"row", "In a row", Placement::Row}, Choice{"grid", "In a grid", Placement::Grid},
    Choice{"shell", "On a shell", Placement::Shell}};
inline constexpr Setting<Placement> kSpawnPlacement{{
    .id = "spawn.placement",
    .label = "Placement",
    .help = "Where bodies appear",
    .default_value = "uniform",
    .choices = kSpawnPlacementChoices,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kSpawnSpeed{{
    .id = "spawn.speed",
    .label = "Speed",
    .help = "Fastest speed of spawned bodies",
    .default_value = "2",
    .max = 100,
    .unit = "m/s",
    .effect = Effect::View,
}};

inline constexpr const SettingSpec* kContactSettings[] = {&kSimContact};
inline constexpr const SettingSpec* kExactSettings[] = {&kVolumeExact, &kVolumeExactBy};
inline constexpr const SettingSpec* kSpawnSettings[] = {
    &kSpawnCount, &kSpawnMesh, &kSpawnSize, &kSpawnSpread, &kSpawnMotion, &kSpawnPlacement, &kSpawnSpeed};

}  // namespace lab
