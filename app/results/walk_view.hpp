// The steps of an algorithm in this frame: the current one with its sentence, its line
// of pseudo-code, and the curve of the quantity that matters. The picture of the step is among the exhibits,
// its row in the table `steps`.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "results/table.hpp"

namespace lab {

/// A line of pseudo-code; two spaces in front for each level.
using CodeText = std::string_view;

struct WalkView {
    std::string_view algorithm;  ///< "Ritter's ball".
    std::vector<CodeText> code;
    std::size_t code_line = 0;  ///< The current one; `code.size()`: none.
    std::size_t number = 0;     ///< The step on show, counted from 1; 0: the answer, without a step.
    std::size_t of = 0;         ///< Steps in all.
    std::size_t dropped = 0;    ///< Further ones, which did not fit into the recording.
    bool playing = false;
    bool changed_answer = false;  ///< This step did.
    std::string_view kind;        ///< Of the event: `sphere_grown`.
    std::string sentence;         ///< What happened, with its numbers; the verdict when no step is on show.
    std::vector<std::pair<std::string_view, Cell>> values;  ///< The variables of the step, by name.
    std::string_view quantity;                              ///< Of the curve: "radius, m".
    /// One value a step; NaN where it has none.
    std::shared_ptr<const std::vector<float>> curve;

    /// "Ritter's ball, step 6 of 7".
    [[nodiscard]] std::string title() const {
        std::string text(algorithm);
        if (number > 0) text += ", step " + io::grouped(number) + " of " + io::grouped(of);
        return text;
    }
};

}  // namespace lab
