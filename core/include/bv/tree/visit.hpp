// The result of a visitor that a tree calls.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace bv {

/// Whether a traversal continues. A visitor that returns nothing never stops it.
enum class Visit : std::uint8_t { Continue, Stop };

namespace detail {

/// Calls a visitor that returns either Visit or nothing.
template <class Visitor, class... Args>
Visit visit(Visitor& visitor, Args&&... args) {
    if constexpr (std::is_same_v<std::invoke_result_t<Visitor&, Args...>, Visit>) {
        return visitor(std::forward<Args>(args)...);
    } else {
        static_assert(std::is_void_v<std::invoke_result_t<Visitor&, Args...>>,
                      "a visitor returns Visit or nothing");
        visitor(std::forward<Args>(args)...);
        return Visit::Continue;
    }
}

}  // namespace detail

}  // namespace bv
