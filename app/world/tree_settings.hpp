// Library options from settings.
#pragma once

#include "bv/tree/tree_options.hpp"
#include "results/volume_choice.hpp"
#include "settings/settings.hpp"

namespace lab {

/// The settings of `body_settings()`.
[[nodiscard]] VolumeChoice chosen_volumes(const Settings& settings);

/// All settings of the group `tree`.
[[nodiscard]] bv::TreeOptions tree_options(const Settings& settings);

}  // namespace lab
