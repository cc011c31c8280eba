// Symbols that the font lacks, as strokes: arrows, set operations, marks. Without them a legend such as "left
// ∩ right" would show a box.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

namespace lab::render {

/// Lines of one pen width. Units: the height of a line of text; x right, y up from the baseline.
struct Symbol {
    float advance = 0.6f;
    float pen = 0.085f;   ///< Width of the strokes.
    bool filled = false;  ///< The one closed stroke is an area.
    std::vector<std::vector<glm::vec2>> strokes;
};

/// Also symbols that the font has but stb_truetype renders wrong: it scales the parts of Roboto's dashes
/// twice.
bool drawn_better(char32_t code_point);
/// Empty if the symbol is not in the table.
std::optional<Symbol> find_symbol(char32_t code_point);
/// An empty box, for what neither the font nor find_symbol has.
Symbol missing_symbol();

/// Signed distance to the edge of the drawn symbol, positive inside; same units.
float distance_inside(const Symbol& symbol, glm::vec2 at);

}  // namespace lab::render
