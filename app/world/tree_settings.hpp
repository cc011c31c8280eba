// From choices among settings to the options of the library.
#pragma once

#include <algorithm>
#include <string_view>

#include "bv/tree/tree_options.hpp"
#include "results/volume_choice.hpp"
#include "settings/settings.hpp"

namespace lab {

/// The place of the chosen row among a setting's choices, which stand in the order of the enumeration.
template <class Enum>
Enum chosen_row(const Settings& settings, std::string_view id) {
    const auto choices = find_setting(id)->choices;
    const auto at = std::find_if(choices.begin(), choices.end(),
                                 [&](const Choice& c) { return c.id == settings.choice(id); });
    return static_cast<Enum>(at - choices.begin());
}

/// Whether `value` is one of the setting's choices.
[[nodiscard]] bool has_choice(std::string_view id, std::string_view value);

/// The settings of `body_settings()`.
[[nodiscard]] VolumeChoice chosen_volumes(const Settings& settings);

/// All settings of the group `tree`.
[[nodiscard]] bv::TreeOptions tree_options(const Settings& settings);

}  // namespace lab
