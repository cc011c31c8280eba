// The position of the stepper, and whether it is playing.
#pragma once

#include "settings/settings.hpp"

namespace lab {

inline constexpr int kMaxStepNumber = 1'000'000;

inline constexpr Setting<int> kStepAt{{
    .id = "step.at",
    .label = "Step",
    .help = "Which step of the algorithm is shown; 0: the result",
    .default_value = "0",
    .max = kMaxStepNumber,
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kStepSpeed{{
    .id = "step.speed",
    .label = "Steps per second",
    .help = "Speed of `step.play`",
    .default_value = "2",
    .min = 0.1,
    .max = 600,
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kStepPlaying{{
    .id = "step.playing",
    .label = "Playing",
    .help = "Steps play automatically until the last one",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr const SettingSpec* kStepSettings[] = {&kStepAt, &kStepSpeed, &kStepPlaying};

}  // namespace lab
