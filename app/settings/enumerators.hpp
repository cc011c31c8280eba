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

/// All candidates at once: one function to instantiate for an enum, not one for each value.
template <auto... values>
consteval std::array<bool, sizeof...(values)> have_names() {
    // "... values = {E::A, (E)1}; ..." by GCC, "... values = <E::A, (E)1>]" by Clang.
    const std::string_view text = __PRETTY_FUNCTION__;
    std::size_t at = text.find("values = ") + 10;
    std::array<bool, sizeof...(values)> named{};
    for (bool& has_name : named) {
        has_name = true;
        for (; text[at] != ',' && text[at] != '}' && !(text[at] == '>' && text[at + 1] == ']'); ++at)
            // In `(anonymous namespace)::E::A`, too, the last `)` is followed by no digit.
            if (text[at] == ')') has_name = text[at + 1] < '0' || text[at + 1] > '9';
        at += 2;
    }
    return named;
}

}  // namespace detail

/// True if `value` is an enumerator of `Enum`.
template <class Enum>
constexpr bool is_enumerator(int value) {
    constexpr auto kNamed = []<int... values>(std::integer_sequence<int, values...>) {
        return detail::have_names<static_cast<Enum>(values)...>();
    }
    (std::make_integer_sequence<int, kMaxEnumerators>{});
    return value >= 0 && value < kMaxEnumerators && kNamed[static_cast<std::size_t>(value)];
}

}  // namespace lab
