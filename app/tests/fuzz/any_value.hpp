// Random values for settings.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "settings/settings.hpp"
#include "workloads/random.hpp"

namespace lab::test {

/// A number lies at `share` (0 to 1) of its range, which ends at `max` at the latest.
inline std::string any_value(const SettingSpec& spec, double share, double max,
                             bv::workloads::Random& random) {
    const double x = spec.min + share * (std::min(spec.max, max) - spec.min);
    switch (spec.kind) {
        case SettingKind::Flag:
            return random.chance(0.5f) ? "true" : "false";
        case SettingKind::Integer:
            return fmt::format("{:.0f}", x);
        case SettingKind::Real:
            return fmt::format("{:.4f}", x);
        case SettingKind::Choice:
            return std::string(random.one_of(spec.choices).id);
        case SettingKind::Text:
            break;
    }
    return random.chance(0.5f) ? "any" : "torus";
}

}  // namespace lab::test
