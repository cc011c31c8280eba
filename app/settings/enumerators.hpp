// Which numbers are enumerators of an enum class, known to the compiler: so that a list of choices is checked
// against its enum. Works from how GCC and Clang spell a template argument: `E::Name`, but `(E)7` for a
// number without a name.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lab {

/// Enums of choices have their values from 0 to below this.
inline constexpr int kMaxEnumerators = 32;

namespace detail {

template <auto value>
consteval bool has_name() {
    const std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t at = text.find("value = ");
    const std::string_view spelled = text.substr(at, text.find_first_of(";]", at) - at);
    // In `(anonymous namespace)::E::Name`, too, the last `)` is followed by no digit.
    const std::size_t close = spelled.rfind(')');
    return close == std::string_view::npos || close + 1 >= spelled.size() || spelled[close + 1] < '0' ||
           spelled[close + 1] > '9';
}

}  // namespace detail

/// True if `value` is one of the enum.
template <class Enum>
constexpr bool is_enumerator(int value) {
    constexpr auto kNamed = []<int... values>(std::integer_sequence<int, values...>) {
        return std::array{detail::has_name<static_cast<Enum>(values)>()...};
    }
    (std::make_integer_sequence<int, kMaxEnumerators>{});
    return value >= 0 && value < kMaxEnumerators && kNamed[static_cast<std::size_t>(value)];
}

}  // namespace lab
