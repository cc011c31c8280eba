// The one registry of settings. Panels, --set, lessons, scenes, saved preferences and the palette all read
// and write through it; no state hides in a widget. To add a setting, add a row to the table in settings.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "settings/effect.hpp"
#include "settings/key_binding.hpp"

namespace lab {

enum class SettingKind : unsigned char { Flag, Integer, Real, Choice, Text };

struct Choice {
    std::string_view id;     ///< What is typed and stored.
    std::string_view label;  ///< What a panel shows.
};

/// One row of the table. Ids are stable: files keep them.
struct SettingSpec {
    std::string_view id;  ///< Like `draw.obb`: a group, a dot, a name.
    SettingKind kind;
    std::string_view label;  ///< Two or three words for a panel.
    std::string_view help;   ///< One line that says what it does.
    std::string_view default_value;
    double min = 0, max = 0;          ///< For Integer and Real.
    std::span<const Choice> choices;  ///< For Choice.
    std::string_view unit;            ///< "m", "px", ...; may be empty.
    bool remembered = true;         ///< Kept in the user's preferences. Off for what belongs to one session.
    Effect effect = Effect::World;  ///< Of changing it.
    /// Belongs to the window: it takes effect before the first frame, and while a record is replayed.
    bool is_of_window = false;
    /// What its change means depends on the results of the frame before.
    bool reads_results = false;
    std::array<KeyBinding, 2> keys = {};  ///< That toggle it.

    [[nodiscard]] constexpr SettingSpec with(Effect its_effect) const {
        SettingSpec spec = *this;
        spec.effect = its_effect;
        return spec;
    }
    [[nodiscard]] constexpr SettingSpec of_window() const {
        SettingSpec spec = *this;
        spec.is_of_window = true;
        return spec;
    }
    [[nodiscard]] constexpr SettingSpec read_with_results() const {
        SettingSpec spec = *this;
        spec.reads_results = true;
        return spec;
    }
    [[nodiscard]] constexpr SettingSpec key(std::string_view chord, std::string_view key_help) const {
        SettingSpec spec = *this;
        spec.keys[spec.keys[0].keys.empty() ? 0 : 1] = {chord, {}, key_help};
        return spec;
    }

    [[nodiscard]] std::string_view group() const { return id.substr(0, id.find('.')); }
    /// A value as people read it: a choice by its label, a number with its unit.
    [[nodiscard]] std::string shown(const std::string& value) const;
};

/// The table, in the order in which panels and lists show it.
std::span<const SettingSpec> setting_specs();
const SettingSpec* find_setting(std::string_view id);

/// The current values. Reading an id that is not in the table is a programming error and asserts.
class Settings {
  public:
    Settings();

    [[nodiscard]] bool flag(std::string_view id) const;
    [[nodiscard]] int integer(std::string_view id) const;
    [[nodiscard]] float real(std::string_view id) const;
    [[nodiscard]] const std::string& choice(std::string_view id) const;  ///< The chosen Choice::id.
    [[nodiscard]] const std::string& text(std::string_view id) const;

    /// Parses `value` and sets it. On failure nothing changes and the answer says what is wrong and what
    /// would be right (nearest id for a typo, range, or list of choices).
    [[nodiscard]] std::optional<std::string> set(std::string_view id, std::string_view value);
    [[nodiscard]] std::string get_as_text(std::string_view id) const;
    /// Back to the default. On failure (no such id) the answer says what would be right.
    [[nodiscard]] std::optional<std::string> reset(std::string_view id);
    /// Flags turn over, choices go on to the next one. Other kinds are refused.
    [[nodiscard]] std::optional<std::string> toggle(std::string_view id);
    [[nodiscard]] bool is_default(std::string_view id) const;
    void reset_all();
    friend bool operator==(const Settings&, const Settings&) = default;

  private:
    using Value = std::variant<bool, int, float, std::string>;
    const Value& value(std::string_view id, SettingKind kind) const;

    std::vector<Value> values_;  // in table order
};

/// The id in the words of a line that `assign` takes, or in those of `toggle NAME`.
[[nodiscard]] std::string_view named_setting(std::span<const std::string> words);
/// Sets what the words of a line say: `a.b=c`, `a.b c` and `a.b = c` mean the same. As `Settings::set`.
[[nodiscard]] std::optional<std::string> assign(Settings& settings, std::span<const std::string> words);

}  // namespace lab
