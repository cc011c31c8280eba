// Settings of the probe.
#pragma once

#include <array>

#include "results/probe.hpp"
#include "settings/settings.hpp"

namespace lab {

inline constexpr auto kProbeKindChoices = choices_of(kProbeKinds);
inline constexpr Setting<ProbeKind> kProbeKind{{
    .id = "probe.kind",
    .label = "Probe",
    .help = "Run this kind of query on a tree of the scene",
    .default_value = "off",
    .choices = kProbeKindChoices,
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<std::string> kProbeTree{{
    .id = "probe.tree",
    .label = "Tree",
    .help = "The tree that the probe queries, by id; empty: the first tree with nodes",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kProbeMouse{{
    .id = "probe.mouse",
    .label = "Follow mouse",
    .help = "Place or aim the probe where the ray under the mouse hits",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeSize{{
    .id = "probe.size",
    .label = "Size",
    .help = "Radius of the probe's sphere, or half the edge of its box",
    .default_value = "1",
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<int> kProbeCount{{
    .id = "probe.k",
    .label = "K",
    .help = "How many boxes the probe \"K nearest\" finds",
    .default_value = "5",
    .min = 1,
    .max = 1000,
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeX{{
    .id = "probe.x",
    .label = "At x",
    .help = "Where the probe is",
    .default_value = "0",
    .min = -1e6,
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeY{{
    .id = "probe.y",
    .label = "At y",
    .help = "Where the probe is",
    .default_value = "1.5",
    .min = -1e6,
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeZ{{
    .id = "probe.z",
    .label = "At z",
    .help = "Where the probe is",
    .default_value = "4",
    .min = -1e6,
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeAimX{{
    .id = "probe.aim_x",
    .label = "Aim x",
    .help = "Target of the probe's rays, box casts and frusta",
    .default_value = "0",
    .min = -1e6,
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeAimY{{
    .id = "probe.aim_y",
    .label = "Aim y",
    .help = "Target of the probe's rays, box casts and frusta",
    .default_value = "1.5",
    .min = -1e6,
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kProbeAimZ{{
    .id = "probe.aim_z",
    .label = "Aim z",
    .help = "Target of the probe's rays, box casts and frusta",
    .default_value = "-4",
    .min = -1e6,
    .max = 1e6,
    .unit = "m",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr std::array<const Setting<float>*, 3> kProbeAt = {&kProbeX, &kProbeY, &kProbeZ};
inline constexpr std::array<const Setting<float>*, 3> kProbeAim = {&kProbeAimX, &kProbeAimY, &kProbeAimZ};

inline constexpr const SettingSpec* kProbeSettings[] = {&kProbeKind,  &kProbeTree, &kProbeMouse, &kProbeSize,
                                                        &kProbeCount, &kProbeX,    &kProbeY,     &kProbeZ,
                                                        &kProbeAimX,  &kProbeAimY, &kProbeAimZ};

}  // namespace lab
