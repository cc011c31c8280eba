// Numbers as people type them, in commands, settings, files and the clipboard.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <type_traits>

#include "io/text/real_number.hpp"

namespace lab::io {

/// Strips a leading plus, which std::from_chars rejects, unless another sign follows.
inline std::string_view without_plus(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+') word.remove_prefix(1);
    return word;
}

/// The number that is the whole word, perhaps with a plus; none if it is no number or out of the type's
/// range. A real number may be infinite or not a number.
template <class Number>
[[nodiscard]] std::optional<Number> typed_number(std::string_view word) {
    word = without_plus(word);
    const char* const end = word.data() + word.size();
    Number number{};
    std::from_chars_result result;
    if constexpr (std::is_floating_point_v<Number>)
        result = read_real(word.data(), end, number);
    else
        result = std::from_chars(word.data(), end, number);
    return result.ec == std::errc{} && result.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace lab::io
