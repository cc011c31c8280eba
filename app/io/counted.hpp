// Counts in sentences: "1 box", "2 boxes".
#pragma once

#include <cstdint>
#include <string>

namespace lab::io {

/// The word that agrees with a count: `plural(1, "box", "boxes")` is "box".
[[nodiscard]] constexpr const char* plural(std::uint64_t count, const char* one, const char* many) {
    return count == 1 ? one : many;
}

/// The count and the word that agrees with it: "2 boxes".
[[nodiscard]] inline std::string counted(std::uint64_t count, const char* one, const char* many) {
    return std::to_string(count) + ' ' + plural(count, one, many);
}

}  // namespace lab::io
