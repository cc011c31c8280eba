#include "settings/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <utility>

#include "io/limits.hpp"
#include "io/text/printable.hpp"
#include "io/text/typed_number.hpp"
#include "settings/program.hpp"
#include "settings/suggest.hpp"

namespace lab {
namespace {

std::optional<bool> parse_flag(std::string_view value) {
    for (std::string_view yes : {"true", "on", "yes", "1"})
        if (value == yes) return true;
    for (std::string_view no : {"false", "off", "no", "0"})
        if (value == no) return false;
    return std::nullopt;
}

std::string wants(const SettingSpec& spec, std::string_view value, std::string_view what) {
    return fmt::format("{} takes {}, not '{}'", spec.id, what, value);
}

std::string range_of(const SettingSpec& spec, std::string_view kind) {
    return fmt::format("{} from {} to {}", kind, spec.min, spec.max);
}

std::string wrong_choice(const SettingSpec& spec, std::string_view value) {
    std::vector<std::string_view> ids;
    std::string list;
    for (const Choice& c : spec.choices) {
        ids.push_back(c.id);
        list += (list.empty() ? "" : ", ");
        list += c.id;
    }
    return wants(spec, value, fmt::format("one of {}", list)) + did_you_mean(value, ids);
}

using Value = std::variant<bool, int, float, std::string>;

/// Every file that stores settings can hold such a text.
bool can_be_stored(std::string_view text) {
    return io::is_plain_text(text) && text.size() <= io::limits::kNameBytes;
}

bool is_in_range(const SettingSpec& spec, const Value& value) {
    switch (spec.kind) {
        case SettingKind::Flag:
            return true;
        case SettingKind::Integer:
            return std::get<int>(value) >= spec.min && std::get<int>(value) <= spec.max;
        case SettingKind::Real:  // the ends of the range are rounded as the value was
            return std::get<float>(value) >= static_cast<float>(spec.min) &&
                   std::get<float>(value) <= static_cast<float>(spec.max);
        case SettingKind::Choice:
            return std::any_of(spec.choices.begin(), spec.choices.end(),
                               [&](const Choice& c) { return Value(c.value) == value; });
        case SettingKind::Text:
            break;
    }
    return can_be_stored(std::get<std::string>(value));
}

/// The value, or what is wrong with it.
std::variant<Value, std::string> parse(const SettingSpec& spec, std::string_view value) {
    using Result = std::variant<Value, std::string>;
    const auto good = [](Value v) { return Result(std::in_place_index<0>, std::move(v)); };
    const auto bad = [](std::string why) { return Result(std::in_place_index<1>, std::move(why)); };
    switch (spec.kind) {
        case SettingKind::Flag:
            if (const auto f = parse_flag(value)) return good(*f);
            return bad(wants(spec, value, "true or false"));
        case SettingKind::Integer: {
            const auto n = io::typed_number<long long>(value);
            if (n && static_cast<double>(*n) >= spec.min && static_cast<double>(*n) <= spec.max)
                return good(static_cast<int>(*n));
            return bad(wants(spec, value, range_of(spec, "a whole number")));
        }
        case SettingKind::Real: {
            const auto x = io::typed_number<double>(value);
            if (x && *x >= spec.min && *x <= spec.max) return good(static_cast<float>(*x));
            return bad(wants(spec, value, range_of(spec, "a number")));
        }
        case SettingKind::Choice:
            for (const Choice& c : spec.choices)
                if (c.id == value) return good(c.value);
            return bad(wrong_choice(spec, value));
        case SettingKind::Text:
            break;
    }
    if (!can_be_stored(value))
        return bad(wants(spec, io::printable(value, io::LineEnds::Escape, 40),
                         fmt::format("a UTF-8 text of up to {} bytes without control characters",
                                     io::limits::kNameBytes)));
    return good(std::string(value));
}

}  // namespace

std::string SettingSpec::shown(const std::string& value) const {
    for (const Choice& choice : choices)
        if (choice.id == value) return std::string(choice.label);
    if (kind == SettingKind::Flag) return value == "true" ? "on" : "off";
    if (!zero.empty() && value == "0") return std::string(zero);
    if (is_mesh && value == "any") return std::string(any);
    return unit.empty() ? value : fmt::format("{} {}", value, unit);
}

bool SettingSpec::has_choice(std::string_view choice) const {
    return std::any_of(choices.begin(), choices.end(), [choice](const Choice& c) { return c.id == choice; });
}

// ---- the catalog

SettingCatalog::SettingCatalog(std::vector<const SettingSpec*> rows) : rows_(std::move(rows)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool is_new = by_id_.emplace(rows_[i]->id, i).second;
        BV_ASSERT(is_new);  // two rows with one id are a bug
        by_row_.emplace(rows_[i], i);
    }
}

const SettingSpec* SettingCatalog::find(std::string_view id) const {
    const auto at = by_id_.find(id);
    return at == by_id_.end() ? nullptr : rows_[at->second];
}

std::size_t SettingCatalog::index_of(const SettingSpec& row) const {
    const auto at = by_row_.find(&row);
    BV_ASSERT(at != by_row_.end());
    return at == by_row_.end() ? 0 : at->second;  // stay inside the table if the assert handler returns
}

std::string SettingCatalog::no_setting(std::string_view id) const {
    std::vector<std::string_view> ids;
    ids.reserve(rows_.size());
    for (const SettingSpec* spec : rows_)
        ids.push_back(spec->id);
    return no_such("setting", id, ids);
}

// ---- values

Settings::Settings(const SettingCatalog& catalog) : catalog_(&catalog), values_(catalog.rows().size()) {
    for (const SettingSpec* row : catalog.rows()) {
        const auto problem = set(*row, row->default_value);
        BV_ASSERT(!problem);  // a default outside its own range is a bug in the table
    }
}

void Settings::put(const SettingSpec& row, Value value) {
    const bool fits = is_in_range(row, value);
    BV_ASSERT(fits);
    if (fits) values_[catalog_->index_of(row)] = std::move(value);
}

const Choice& Settings::choice(const SettingSpec& row) const {
    const Value& value = values_[catalog_->index_of(row)];
    const auto at = std::find_if(row.choices.begin(), row.choices.end(),
                                 [&](const Choice& c) { return Value(c.value) == value; });
    BV_ASSERT(at != row.choices.end());
    return at == row.choices.end() ? row.choices.front() : *at;
}

std::string Settings::get_as_text(const SettingSpec& row) const {
    if (row.kind == SettingKind::Choice) return std::string(choice(row).id);
    struct Printer {
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(int n) const { return fmt::format("{}", n); }
        std::string operator()(float x) const { return fmt::format("{}", x); }
        std::string operator()(const std::string& s) const { return s; }
    };
    return std::visit(Printer{}, values_[catalog_->index_of(row)]);
}

std::optional<std::string> Settings::set(std::string_view id, std::string_view value) {
    const SettingSpec* row = catalog_->find(id);
    return row ? set(*row, value) : catalog_->no_setting(id);
}

std::optional<std::string> Settings::set(const SettingSpec& row, std::string_view value) {
    auto parsed = parse(row, value);
    if (parsed.index() == 1) return std::get<1>(std::move(parsed));
    values_[catalog_->index_of(row)] = std::get<0>(std::move(parsed));
    return std::nullopt;
}

std::optional<std::string> Settings::reset(std::string_view id) {
    const SettingSpec* row = catalog_->find(id);
    return row ? set(*row, row->default_value) : catalog_->no_setting(id);
}

std::optional<std::string> Settings::toggle(std::string_view id) {
    const SettingSpec* row = catalog_->find(id);
    return row ? toggle(*row) : catalog_->no_setting(id);
}

std::optional<std::string> Settings::toggle(const SettingSpec& row) {
    if (row.kind == SettingKind::Flag) return set(row, flag(row) ? "false" : "true");
    if (row.kind != SettingKind::Choice)
        return fmt::format("{} is a number or a text, so it cannot be toggled; use `set {} VALUE`", row.id,
                           row.id);
    const auto now = static_cast<std::size_t>(&choice(row) - row.choices.data());
    return set(row, row.choices[(now + 1) % row.choices.size()].id);
}

bool Settings::is_default(const SettingSpec& row) const {
    return std::get<0>(parse(row, row.default_value)) == values_[catalog_->index_of(row)];
}

void Settings::reset_all() {
    // Finished lessons and recent files are no settings to the user, who would lose them.
    const auto is_progress = [](const SettingSpec* row) {
        return std::find(std::begin(kProgressSettings), std::end(kProgressSettings), row) !=
               std::end(kProgressSettings);
    };
    for (const SettingSpec* row : catalog_->rows())
        if (!is_progress(row)) (void)set(*row, row->default_value);
}

std::string_view named_setting(std::span<const std::string> words) {
    const std::string_view first = words.empty() ? std::string_view() : words.front();
    return first.substr(0, first.find_first_of("= "));
}

std::optional<std::string> assign(Settings& settings, std::span<const std::string> words) {
    std::string joined;
    for (const std::string& word : words)
        joined += (joined.empty() ? "" : " ") + word;
    const std::size_t split = joined.find_first_of("= ");
    if (split == std::string::npos) return fmt::format("a value is missing: `set {}=VALUE`", joined);
    std::size_t value = joined.find_first_not_of(' ', split);
    if (value != std::string::npos && joined[value] == '=') value = joined.find_first_not_of(' ', value + 1);
    return settings.set(joined.substr(0, split), value == std::string::npos ? "" : joined.substr(value));
}

std::string set_line(const SettingSpec& row, std::string_view value) {
    return fmt::format("set {}={}", row.id, value);
}

}  // namespace lab
