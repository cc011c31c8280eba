// Settings: the type of row that holds everything known about one, the catalog of all rows, and the
// current values. Panels, --set, lessons, scenes, saved files and the palette all use them; no state hides in
// a widget.
//
// A row is its handle: `settings[kDrawObb]` is a bool. To add a setting, write a row in the header of its
// topic (or in the file of its scene) and name it in the list below it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "bv/assert.hpp"
#include "settings/effect.hpp"
#include "settings/enumerators.hpp"
#include "settings/key_binding.hpp"

namespace lab {

enum class SettingKind : unsigned char { Flag, Integer, Real, Choice, Text };

struct Choice {
    std::string_view id;     ///< What is typed and stored.
    std::string_view label;  ///< What a panel shows.
    int value = 0;           ///< An enumerator or a number.

    template <class Value>
    requires std::is_enum_v<Value> || std::integral<Value>
    constexpr Choice(std::string_view its_id, std::string_view its_label, Value its_value)
        : id(its_id), label(its_label), value(static_cast<int>(its_value)) {}
};

/// A choice for each row of a table whose rows have an `id` and a `label`; its value is the index of the
/// row.
template <class Row, std::size_t count>
consteval std::array<Choice, count> choices_of(const std::array<Row, count>& rows) {
    return [&]<std::size_t... places>(std::index_sequence<places...>) {
        return std::array{Choice{rows[places].id, rows[places].label, places}...};
    }
    (std::make_index_sequence<count>{});
}

/// True if the choices have each enumerator as their value once.
template <class Enum>
constexpr bool covers(std::span<const Choice> choices) {
    for (int value = 0; value < kMaxEnumerators; ++value) {
        int named = 0;
        for (const Choice& choice : choices)
            named += choice.value == value ? 1 : 0;
        if (named != (is_enumerator<Enum>(value) ? 1 : 0)) return false;
    }
    return true;
}

/// One row. Ids are stable: files keep them.
struct SettingSpec {
    std::string_view id;     ///< Like `draw.obb`: a group, a dot, a name.
    std::string_view label;  ///< Two or three words for a panel.
    std::string_view help;   ///< One line that says what it does.
    std::string_view default_value = {};
    double min = 0, max = 0;               ///< For Integer and Real.
    std::span<const Choice> choices = {};  ///< For Choice.
    std::string_view unit = {};            ///< "m", "px", ...; may be empty.
    std::string_view zero = {};            ///< What 0 means where it is no quantity: "all".
    bool remembered = true;         ///< Kept in the user's preferences. Off for settings of one session.
    Effect effect = Effect::World;  ///< The effect of changing it.
    bool is_of_window = false;      ///< Takes effect before the first frame and while a record is replayed.
    bool reads_results = false;     ///< The meaning of a change depends on the results of the previous frame.
    bool is_algorithm = false;      ///< The costs before and after its change are compared.
    bool is_mesh = false;           ///< For Text: the name of a mesh of the library, or `any`.
    std::string_view any = "Scene's choice";  ///< What panels call the mesh `any`.
    std::array<KeyBinding, 2> keys = {};      ///< Keys that toggle it.
    SettingKind kind = SettingKind::Text;     ///< Follows from the type of the handle.

    [[nodiscard]] std::string_view group() const { return id.substr(0, id.find('.')); }
    /// A value as people read it: a choice by its label, a number with its unit.
    [[nodiscard]] std::string shown(const std::string& value) const;
    [[nodiscard]] bool has_choice(std::string_view choice) const;
};

/// A row that knows the type of its value: bool, int, float or std::string; with choices an enum or int. The
/// choices of an enum name each of its enumerators once.
template <class Value>
struct Setting : SettingSpec {
    static_assert(std::is_enum_v<Value> || std::is_same_v<Value, bool> || std::is_same_v<Value, int> ||
                  std::is_same_v<Value, float> || std::is_same_v<Value, std::string>);
    consteval Setting(const SettingSpec& row) : SettingSpec(row) {  // NOLINT: rows are written as braces
        if (std::is_enum_v<Value> || !choices.empty())
            kind = SettingKind::Choice;
        else if (std::is_same_v<Value, bool>)
            kind = SettingKind::Flag;
        else if (std::is_same_v<Value, int>)
            kind = SettingKind::Integer;
        else if (std::is_same_v<Value, float>)
            kind = SettingKind::Real;
        if (!std::is_enum_v<Value> && !std::is_same_v<Value, int> && !choices.empty())
            choices_need_an_enum_or_int();
        if constexpr (std::is_enum_v<Value>)
            if (!covers<Value>(choices)) choices_do_not_cover_the_enum();
    }

  private:
    // Not constexpr: a row that reaches it does not compile.
    static void choices_do_not_cover_the_enum() {}
    static void choices_need_an_enum_or_int() {}
};

/// All rows, in the order in which panels, lists and files have them. Rows are found by id and by address, so
/// they must outlive the catalog.
class SettingCatalog {
  public:
    explicit SettingCatalog(std::vector<const SettingSpec*> rows);
    SettingCatalog(const SettingCatalog&) = delete;  // settings point to it
    SettingCatalog& operator=(const SettingCatalog&) = delete;

    [[nodiscard]] std::span<const SettingSpec* const> rows() const { return rows_; }
    [[nodiscard]] const SettingSpec* find(std::string_view id) const;
    /// The place of a row; it must be in the catalog.
    [[nodiscard]] std::size_t index_of(const SettingSpec& row) const;
    /// The error for an unknown setting, with the one that was probably meant.
    [[nodiscard]] std::string no_setting(std::string_view id) const;

  private:
    std::vector<const SettingSpec*> rows_;
    std::unordered_map<std::string_view, std::size_t> by_id_;
    std::unordered_map<const SettingSpec*, std::size_t> by_row_;
};

/// The current values of all rows of a catalog, which must outlive them.
class Settings {
  public:
    explicit Settings(const SettingCatalog& catalog);

    [[nodiscard]] const SettingCatalog& catalog() const { return *catalog_; }

    /// The value, by the handle. The row must be in the catalog.
    template <class Value>
    [[nodiscard]] decltype(auto) operator[](const Setting<Value>& row) const {
        if constexpr (std::is_same_v<Value, std::string>)
            return static_cast<const std::string&>(get<std::string>(row));
        else if constexpr (std::is_enum_v<Value>)
            return static_cast<Value>(get<int>(row));
        else
            return Value{get<Value>(row)};
    }
    /// Sets a value; one that is out of range asserts and is not set.
    template <class Value>
    void assign(const Setting<Value>& row, const std::type_identity_t<Value>& value) {
        if constexpr (std::is_enum_v<Value>)
            put(row, static_cast<int>(value));
        else
            put(row, value);
    }

    // By row, for generic editors.
    [[nodiscard]] bool flag(const SettingSpec& row) const { return get<bool>(row); }
    [[nodiscard]] int integer(const SettingSpec& row) const { return get<int>(row); }
    [[nodiscard]] float real(const SettingSpec& row) const { return get<float>(row); }
    [[nodiscard]] const std::string& text(const SettingSpec& row) const { return get<std::string>(row); }
    [[nodiscard]] const Choice& choice(const SettingSpec& row) const;
    [[nodiscard]] std::string get_as_text(const SettingSpec& row) const;
    [[nodiscard]] bool is_default(const SettingSpec& row) const;

    // By id and text, as typed or stored.
    /// Parses `value` and sets it. On failure nothing changes and the result states the error and what
    /// would be right (nearest id for a typo, range, or list of choices).
    [[nodiscard]] std::optional<std::string> set(std::string_view id, std::string_view value);
    [[nodiscard]] std::optional<std::string> set(const SettingSpec& row, std::string_view value);
    /// Back to the default. On failure (no such id) the result says what would be right.
    [[nodiscard]] std::optional<std::string> reset(std::string_view id);
    /// Toggles a flag, or advances a choice to the next one. Other kinds are refused.
    [[nodiscard]] std::optional<std::string> toggle(std::string_view id);
    [[nodiscard]] std::optional<std::string> toggle(const SettingSpec& row);
    void reset_all();
    friend bool operator==(const Settings&, const Settings&) = default;

  private:
    using Value = std::variant<bool, int, float, std::string>;
    template <class Stored>
    [[nodiscard]] const Stored& get(const SettingSpec& row) const {
        const Stored* stored = std::get_if<Stored>(&values_[catalog_->index_of(row)]);
        static const Stored kNone{};
        BV_ASSERT(stored);
        return stored ? *stored : kNone;
    }
    void put(const SettingSpec& row, Value value);

    const SettingCatalog* catalog_;
    std::vector<Value> values_;  // in the order of the catalog
};

/// The id in the words of a line that `assign` takes, or in those of `toggle NAME`.
[[nodiscard]] std::string_view named_setting(std::span<const std::string> words);
/// Sets the setting that a line names: `a.b=c`, `a.b c` and `a.b = c` mean the same. As `Settings::set`.
[[nodiscard]] std::optional<std::string> assign(Settings& settings, std::span<const std::string> words);
/// The line that sets it: `set draw.obb=true`.
[[nodiscard]] std::string set_line(const SettingSpec& row, std::string_view value);

}  // namespace lab
