// Counts in sentences: "1 box", "2 boxes", "1,250 boxes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lab::io {

/// With commas between thousands: "12,500".
[[nodiscard]] inline std::string grouped(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return digits;
}

/// The word that agrees with a count: `plural(1, "box", "boxes")` is "box".
[[nodiscard]] constexpr const char* plural(std::uint64_t count, const char* one, const char* many) {
    return count == 1 ? one : many;
}

/// The count and the word that agrees with it: "2 boxes".
[[nodiscard]] inline std::string counted(std::uint64_t count, const char* one, const char* many) {
    return grouped(count) + ' ' + plural(count, one, many);
}

}  // namespace lab::io
