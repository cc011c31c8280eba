// The length of a bulk operation's spans.
#pragma once

#include <algorithm>
#include <cstddef>

namespace bv::detail {

/// The length of two spans and an optional third, which may be empty. They must have the same length; where
/// they do not, and the assert handler returned, this is the shortest.
[[nodiscard]] inline std::size_t common_length(std::size_t a, std::size_t b, std::size_t optional) noexcept {
    const std::size_t shorter = std::min(a, b);
    return optional == 0 ? shorter : std::min(shorter, optional);
}

}  // namespace bv::detail
