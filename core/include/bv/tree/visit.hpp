// The result of a visitor that a tree calls.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "bv/ids.hpp"

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

/// Calls a visitor of pairs of proxies, with their user data if it takes them. `data_a` and `data_b` are
/// indexed by proxy.
template <class Visitor, class DataA, class DataB>
Visit visit_pair(Visitor& visitor, ProxyId a, const DataA& data_a, ProxyId b, const DataB& data_b) {
    if constexpr (std::is_invocable_v<Visitor&, ProxyId, std::uint64_t, ProxyId, std::uint64_t>)
        return visit(visitor, a, std::uint64_t{data_a[a.index]}, b, std::uint64_t{data_b[b.index]});
    else
        return visit(visitor, a, b);
}

}  // namespace detail

}  // namespace bv
