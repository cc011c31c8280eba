// Where the stepper stands: the step on show, and whether it goes on by itself.
#pragma once

#include "settings/settings.hpp"

namespace lab {

inline constexpr int kMaxStepNumber = 1'000'000;

inline constexpr Setting<int> kStepAt{{
    .id = "step.at",
    .label = "Step",
    .help = "Which step of the algorithm is on show; 0: its answer",
    .default_value = "0",
    .max = kMaxStepNumber,
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr Setting<float> kStepSpeed{{
    .id = "step.speed",
    .label = "Steps a second",
    .help = "How fast `step.play` goes",
    .default_value = "2",
    .min = 0.1,
    .max = 600,
    .effect = Effect::View,
}};

inline constexpr Setting<bool> kStepPlaying{{
    .id = "step.playing",
    .label = "Playing",
    .help = "The steps go on by themselves until the last one",
    .default_value = "false",
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr const SettingSpec* kStepSettings[] = {&kStepAt, &kStepSpeed, &kStepPlaying};

}  // namespace lab
