// std::bit_cast, which the C++ library of Emscripten 3.1.6 lacks.
#pragma once

#include <type_traits>

namespace bv::detail {

/// The bits of `value` as a `To` of the same size.
template <class To, class From>
requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>)
    [[nodiscard]] constexpr To bit_cast(const From& value) noexcept {
    return __builtin_bit_cast(To, value);
}

}  // namespace bv::detail
