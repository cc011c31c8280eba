// The given values of a scene as text, to copy out and paste in: a line for each, like
// `A, center = (-0.8, 1.2, 0) m`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/exhibit.hpp"

namespace lab {

/// A number as people type it: six digits, no zeros at the end.
[[nodiscard]] std::string plain_number(float value);
/// All listed values, a line each.
[[nodiscard]] std::string values_text(const std::vector<Handle>& handles);

struct ValueChange {
    std::string id;
    glm::vec3 numbers{0.0f};  ///< Counted from the handle's base.
};
struct ParsedValues {
    std::vector<ValueChange> changes;
    std::string problem;  ///< With the number of the line; empty: none.
};
/// Lines end with a line break or a semicolon. Names are those of the panel, or ids; numbers may stand in
/// brackets, with commas or spaces between them, and a unit behind them. Reads all lines or none.
[[nodiscard]] ParsedValues parse_values(std::string_view text, const std::vector<Handle>& handles);

}  // namespace lab
