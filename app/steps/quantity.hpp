// How a length, an area or a cost is written, the same in sentences, tables and curves.
#pragma once

#include <algorithm>
#include <cmath>

#include "results/table.hpp"

namespace lab::cells {

/// At most that many decimals; tiny values in powers of ten, so that only 0 reads as 0.
[[nodiscard]] inline Number brief(double value, int digits = 3) {
    if (value == 0.0 || !(std::abs(value) < 5e-4)) return trimmed(value, digits);
    Number number = scientific(value, std::max(digits - 2, 0));
    number.below_zero = "−";
    return number;
}
/// At most that many decimals, and two fewer from 1000 on.
[[nodiscard]] inline Number quantity(double value, int digits = 3) {
    return trimmed(value, std::abs(value) < 1000.0 ? digits : std::max(digits - 2, 0));
}

}  // namespace lab::cells
