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
    .help = "How fast `step.play` goes, in simulated time",
    .default_value = "2",
    .min = 0.1,
    .max = 600,
    .effect = Effect::View,
}};

/// The fixed step of the session at which playing began, counted from 1: the step on show follows from it and
/// from the clock, so that going back in time goes back in the algorithm, too.
inline constexpr Setting<int> kStepSince{{
    .id = "step.since",
    .label = "Playing since",
    .help = "The fixed step at which `step.play` began, counted from 1; 0: not playing",
    .default_value = "0",
    .max = 2147483647,
    .remembered = false,
    .effect = Effect::View,
}};

inline constexpr const SettingSpec* kStepSettings[] = {&kStepAt, &kStepSpeed, &kStepSince};

}  // namespace lab
