// Settings of what the view shows.
#pragma once

#include <array>
#include <utility>

#include "settings/settings.hpp"
#include "settings/volume_table.hpp"

namespace lab {

/// Bodies that show their volumes.
enum class VolumesOn : unsigned char { Scene, All, Colliding, Selected, None };
/// The quantity shown by the color of a tree node.
enum class TreeColor : unsigned char { Depth, Balance, Area, Overlap, Uniform };
/// Bodies that show their name.
enum class BodyLabels : unsigned char { None, Selected, All };

inline constexpr Setting<bool> kDrawMesh{{
    .id = "draw.mesh",
    .label = "Meshes",
    .help = "Draw the meshes of the bodies",
    .default_value = "true",
    .effect = Effect::View,
    .keys = {{{"M", "", "Meshes"}}},
}};

/// The flags that show the volumes of bodies, in the order of kVolumeSpecs.
inline constexpr auto kDrawVolume = []<std::size_t... kinds>(std::index_sequence<kinds...>) {
    constexpr auto kFlag = [](const VolumeSpec& volume) {
        return SettingSpec{.id = volume.draw_id,
                           .label = volume.plural,
                           .help = volume.help,
                           .default_value = volume.drawn ? "true" : "false",
                           .effect = Effect::View,
                           .keys = {{{volume.key, "", volume.plural}}}};
    };
    return std::array{Setting<bool>(kFlag(kVolumeSpecs[kinds]))...};
}
(std::make_index_sequence<kVolumeKinds>{});

constexpr const Setting<bool>& draw_flag(VolumeKind kind) {
    return kDrawVolume[static_cast<std::size_t>(kind)];
}
inline constexpr const Setting<bool>&kDrawSphere = draw_flag(VolumeKind::Sphere),
                       &kDrawAabbFixed = draw_flag(VolumeKind::AabbFixed),
                       &kDrawAabbTight = draw_flag(VolumeKind::AabbTight),
                       &kDrawObb = draw_flag(VolumeKind::Obb);

inline constexpr std::array kDrawVolumesOnChoices = {
    Choice{"scene", "Scene's choice", VolumesOn::Scene}, Choice{"all", "Every body", VolumesOn::All},
    Choice{"colliding", "Colliding bodies", VolumesOn::Colliding},
    Choice{"selected", "The selected body", VolumesOn::Selected}, Choice{"none", "No body", VolumesOn::None}};
inline constexpr Setting<VolumesOn> kDrawVolumesOn{{
    .id = "draw.volumes_on",
    .label = "Volumes of",
    .help = "Which bodies show their volumes; up to 12 selected ones always do",
    .default_value = "scene",
    .choices = kDrawVolumesOnChoices,
    .effect = Effect::View,
    .keys = {{{"V", "", "Which bodies show their volumes"}}},
}};

inline constexpr Setting<float> kDrawFill{{
    .id = "draw.fill",
    .label = "Face opacity",
    .help = "Opacity of the volumes' faces; 0 draws edges only",
    .default_value = "0.06",
    .max = 1,
    .zero = "edges only",
    .effect = Effect::View,
}};

inline constexpr Setting<float> kDrawLineWidth{{
    .id = "draw.line_width",
    .label = "Line width",
    .help = "Width of the volumes' edges; all other lines become wider or narrower with them",
    .default_value = "1.5",
    .min = 0.5,
    .max = 8,
    .unit = "px",
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawTree{{
    .id = "draw.tree",
    .label = "Tree nodes",
    .help = "Draw the nodes of the broadphase tree",
    .default_value = "true",
    .effect = Effect::View,
    .keys = {{{"T", "", "Tree nodes"}}},
}};

inline constexpr Setting<int> kDrawTreeMinDepth{{
    .id = "draw.tree_min_depth",
    .label = "Min depth",
    .help = "Hide tree nodes above this depth; the root has depth 0",
    .default_value = "0",
    .max = 64,
    .effect = Effect::View,
}};

inline constexpr Setting<int> kDrawTreeMaxDepth{{
    .id = "draw.tree_max_depth",
    .label = "Max depth",
    .help = "Hide tree nodes below this depth",
    .default_value = "64",
    .max = 64,
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawTreeLeaves{{
    .id = "draw.tree_leaves",
    .label = "Tree leaves",
    .help = "Also draw the leaves of the tree: the fat boxes of the bodies",
    .default_value = "false",
    .effect = Effect::View,
}};

inline constexpr std::array kDrawTreeColorChoices = {
    Choice{"depth", "Depth", TreeColor::Depth}, Choice{"balance", "Balance", TreeColor::Balance},
    Choice{"area", "SAH share", TreeColor::Area}, Choice{"overlap", "Sibling overlap", TreeColor::Overlap},
    Choice{"uniform", "One color", TreeColor::Uniform}};
inline constexpr Setting<TreeColor> kDrawTreeColor{{
    .id = "draw.tree_color",
    .label = "Node color",
    .help = "What the color of a tree node shows: its depth, the height difference of its children, its area "
            "over the root's, or the overlap of its children",
    .default_value = "depth",
    .choices = kDrawTreeColorChoices,
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawRays{{
    .id = "draw.rays",
    .label = "Rays",
    .help = "Draw the rays that were cast, with their hits",
    .default_value = "true",
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawRayNodes{{
    .id = "draw.ray_nodes",
    .label = "Visited nodes",
    .help = "Mark the tree nodes that the ray visited",
    .default_value = "false",
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawContacts{{
    .id = "draw.contacts",
    .label = "Pairs",
    .help = "Draw a line between the bodies of each overlapping pair",
    .default_value = "true",
    .effect = Effect::View,
    .keys = {{{"C", "", "Overlapping pairs"}}},
}};

inline constexpr Setting<bool> kDrawVelocity{{
    .id = "draw.velocity",
    .label = "Velocities",
    .help = "Draw an arrow for each body's velocity",
    .default_value = "false",
    .effect = Effect::View,
}};

inline constexpr std::array kDrawLabelsChoices = {Choice{"none", "None", BodyLabels::None},
                                                  Choice{"selected", "Selected body", BodyLabels::Selected},
                                                  Choice{"all", "All bodies", BodyLabels::All}};
inline constexpr Setting<BodyLabels> kDrawLabels{{
    .id = "draw.labels",
    .label = "Names",
    .help = "Which bodies show their name",
    .default_value = "selected",
    .choices = kDrawLabelsChoices,
    .effect = Effect::View,
    .keys = {{{"L", "", "Names of bodies"}}},
}};

inline constexpr Setting<bool> kDrawRoom{{
    .id = "draw.room",
    .label = "Room",
    .help = "Draw the edges of the room in which the bodies move",
    .default_value = "true",
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawGrid{{
    .id = "draw.grid",
    .label = "Grid",
    .help = "Draw the ground grid",
    .default_value = "true",
    .effect = Effect::View,
    .keys = {{{"G", "", "Grid"}}},
}};

inline constexpr Setting<bool> kDrawAxes{{
    .id = "draw.axes",
    .label = "Axes",
    .help = "Draw the world axes",
    .default_value = "true",
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kDrawZUp{{
    .id = "draw.z_up",
    .label = "Z points up",
    .help = "Show the world with z up, as in many engines and CAD files; nothing moves",
    .default_value = "false",
    .effect = Effect::View,
}};

inline constexpr auto kDrawSettings = []<std::size_t... kinds>(std::index_sequence<kinds...>) {
    return std::to_array<const SettingSpec*>({&kDrawMesh, &kDrawVolume[kinds]..., &kDrawVolumesOn, &kDrawFill,
                                              &kDrawLineWidth, &kDrawTree, &kDrawTreeMinDepth,
                                              &kDrawTreeMaxDepth, &kDrawTreeLeaves, &kDrawTreeColor,
                                              &kDrawRays, &kDrawRayNodes, &kDrawContacts, &kDrawVelocity,
                                              &kDrawLabels, &kDrawRoom, &kDrawGrid, &kDrawAxes, &kDrawZUp});
}
(std::make_index_sequence<kVolumeKinds>{});

}  // namespace lab
