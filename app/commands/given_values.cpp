#include "commands/given_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "io/text/typed_number.hpp"

namespace lab {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

const Handle* find_value(const std::vector<Handle>& handles, std::string_view name) {
    for (const Handle& handle : handles)
        if (handle.given.listed && (handle.name() == name || handle.id == name)) return &handle;
    return nullptr;
}

/// The numbers of `(1, 2, 3) m`; nothing if there are not exactly `parts`.
std::optional<glm::vec3> read_numbers(std::string_view text, const GivenValue& given) {
    if (!given.unit.empty() && text.ends_with(given.unit)) text.remove_suffix(given.unit.size());
    glm::vec3 numbers(0.0f);
    int count = 0;
    while (true) {
        const std::size_t begin = text.find_first_not_of(" \t\r,()[]");
        if (begin == std::string_view::npos) break;
        text.remove_prefix(begin);
        std::string word(text.substr(0, text.find_first_of(" \t\r,()[]")));
        text.remove_prefix(word.size());
        constexpr std::string_view kMinus = "\u2212";  // as tables print it
        if (word.starts_with(kMinus)) word.replace(0, kMinus.size(), "-");
        const auto value = io::typed_number<float>(word);
        if (!value || !std::isfinite(*value) || count == given.parts) return std::nullopt;
        numbers[count++] = *value;
    }
    return count == given.parts ? std::optional(numbers) : std::nullopt;
}

std::string names_of(const std::vector<Handle>& handles) {
    constexpr std::size_t kNamed = 6;
    std::string names;
    std::size_t count = 0;
    for (const Handle& handle : handles) {
        if (!handle.given.listed) continue;
        if (count++ == kNamed) return names + ", and more";
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", handle.name());
    }
    return names.empty() ? "none" : names;
}

std::string example(const GivenValue& given) {
    return given.parts == 1   ? "one number"
           : given.parts == 2 ? "two numbers, like (1, 2)"
                              : "three numbers, like (1, 2, 3)";
}

}  // namespace

std::string plain_number(float value) {
    return fmt::format("{:.6g}", value == 0.0f ? 0.0f : value);
}

std::string values_text(const std::vector<Handle>& handles) {
    std::string text;
    for (const Handle& handle : handles) {
        if (!handle.given.listed) continue;
        const glm::vec3 numbers = numbers_of(handles, handle);
        std::string list;
        for (int k = 0; k < handle.given.parts; ++k)
            list += (k == 0 ? "" : ", ") + plain_number(numbers[k]);
        if (handle.given.parts > 1) list.insert(0, "(").append(")");
        text += fmt::format("{} = {}{}{}\n", handle.name(), list, handle.given.unit.empty() ? "" : " ",
                            handle.given.unit);
    }
    return text;
}

ParsedValues parse_values(std::string_view text, const std::vector<Handle>& handles) {
    ParsedValues parsed;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find_first_of("\n;"), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        const std::size_t equals = line.find('=');
        const std::string_view name = trimmed(line.substr(0, std::min(equals, line.size())));
        const Handle* handle = find_value(handles, name);
        if (!handle) {
            parsed.problem = fmt::format("line {}: this scene has no value '{}'; its values are {}", number,
                                         name, names_of(handles));
            break;
        }
        const auto numbers = equals == std::string_view::npos
                                 ? std::nullopt
                                 : read_numbers(trimmed(line.substr(equals + 1)), handle->given);
        if (!numbers) {
            parsed.problem = fmt::format("line {}: '{}' takes {}: '{} = ...'", number, handle->name(),
                                         example(handle->given), handle->name());
            break;
        }
        parsed.changes.push_back({handle->id, *numbers});
    }
    if (parsed.problem.empty() && parsed.changes.empty())
        parsed.problem =
            fmt::format("there is no line 'NAME = NUMBERS'; the names are {}", names_of(handles));
    if (!parsed.problem.empty()) parsed.changes.clear();
    return parsed;
}

}  // namespace lab
