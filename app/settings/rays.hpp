// Settings of the ray under the mouse, and of the test of rays with triangles.
#pragma once

#include <array>
#include "bv/tree/mesh_bvh.hpp"
#include "settings/settings.hpp"

namespace lab {

enum class RayFrom : unsigned char { Light, Eye };

inline constexpr Setting<bool> kRayHover{{
    .id = "ray.hover",
    .label = "Ray under mouse",
    .help = "Cast a ray through the mouse in every frame",
    .default_value = "true",
    .effect = Effect::View,
}};

inline constexpr std::array kRayFromChoices = {Choice{"lamp", "The light", RayFrom::Light},
                                               Choice{"eye", "The eye", RayFrom::Eye}};
inline constexpr Setting<RayFrom> kRayFrom{{
    .id = "ray.from",
    .label = "Ray from",
    .help = "Where the ray that follows the mouse starts, in scenes with a light",
    .default_value = "lamp",
    .choices = kRayFromChoices,
    .effect = Effect::View,
}};

inline constexpr std::array kRayModeChoices = {Choice{"fast", "Fast", bv::RayMode::Fast},
                                               Choice{"watertight", "Watertight", bv::RayMode::Watertight}};
inline constexpr Setting<bv::RayMode> kRayMode{{
    .id = "ray.mode",
    .label = "Ray test",
    .help = "How rays are tested against triangles: fast, or watertight, so that no ray slips through "
            "between two triangles",
    .default_value = "watertight",
    .choices = kRayModeChoices,
    .effect = Effect::View,
    .is_algorithm = true,
}};

inline constexpr Setting<bool> kRaySweep{{
    .id = "ray.sweep",
    .label = "Sweeping ray",
    .help = "Sweep a ray through the scene while the mouse is not over the view",
    .default_value = "true",
    .effect = Effect::View,
}};

inline constexpr const SettingSpec* kRaySettings[] = {&kRayHover, &kRayFrom, &kRayMode, &kRaySweep};

}  // namespace lab
