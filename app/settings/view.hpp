// Settings of the heatmap and of the gizmo.
#pragma once

#include <array>
#include "settings/settings.hpp"

namespace lab {

/// The quantity that the heatmap counts per ray.
enum class HeatCounter : unsigned char {
    Nodes,      ///< Nodes visited, of the tree of bodies and of the trees of their triangles.
    Triangles,  ///< Triangles tested.
};
/// The action of the handles around the selection.
enum class GizmoMode : unsigned char { Both, Move, Turn, Off };

inline constexpr Setting<bool> kHeatShow{{
    .id = "heat.show",
    .label = "Heatmap",
    .help = "Color each pixel by what a ray through it costs",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr std::array kHeatCounterChoices = {
    Choice{"nodes", "Nodes visited", HeatCounter::Nodes},
    Choice{"triangles", "Triangles tested", HeatCounter::Triangles}};
inline constexpr Setting<HeatCounter> kHeatCounter{{
    .id = "heat.counter",
    .label = "Count",
    .help = "What the heatmap counts for each ray",
    .default_value = "nodes",
    .choices = kHeatCounterChoices,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kHeatOpacity{{
    .id = "heat.opacity",
    .label = "Opacity",
    .help = "Opacity of the heatmap over the picture",
    .default_value = "0.85",
    .min = 0.1,
    .max = 1,
    .effect = Effect::View,
}};

inline constexpr Setting<int> kHeatDetail{{
    .id = "heat.detail",
    .label = "Cell size",
    .help = "Edge length of the heatmap's smallest cells",
    .default_value = "2",
    .min = 1,
    .max = 16,
    .unit = "px",
    .effect = Effect::View,
}};

inline constexpr Setting<int> kHeatRays{{
    .id = "heat.rays",
    .label = "Rays per frame",
    .help = "How many rays the heatmap casts per frame",
    .default_value = "40000",
    .min = 1000,
    .max = 4000000,
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kHeatAuto{{
    .id = "heat.auto",
    .label = "Automatic scale",
    .help = "Choose the end of the color scale so that it covers nearly all rays",
    .default_value = "true",
    .effect = Effect::View,
}};

inline constexpr Setting<int> kHeatTop{{
    .id = "heat.top",
    .label = "Scale maximum",
    .help = "The end of the color scale while it is not automatic",
    .default_value = "64",
    .min = 1,
    .max = 100000,
    .effect = Effect::View,
}};

inline constexpr std::array kEditGizmoChoices = {
    Choice{"both", "Move and turn", GizmoMode::Both}, Choice{"move", "Move", GizmoMode::Move},
    Choice{"turn", "Turn", GizmoMode::Turn}, Choice{"off", "None", GizmoMode::Off}};
inline constexpr Setting<GizmoMode> kEditGizmo{{
    .id = "edit.gizmo",
    .label = "Gizmo",
    .help = "What the handles around the selected bodies do",
    .default_value = "both",
    .choices = kEditGizmoChoices,
    .effect = Effect::View,
    .keys = {{{"X", "", "What the gizmo does"}}},
}};

inline constexpr const SettingSpec* kHeatSettings[] = {&kHeatShow, &kHeatCounter, &kHeatOpacity, &kHeatDetail,
                                                       &kHeatRays, &kHeatAuto,    &kHeatTop};
inline constexpr const SettingSpec* kEditSettings[] = {&kEditGizmo};

}  // namespace lab
