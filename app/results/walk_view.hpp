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
    bool changed_answer = false;  ///< True if this step changed the answer.
    std::string_view kind;        ///< Of the event: `sphere_grown`.
    std::string sentence;         ///< What happened, with its numbers; the verdict when no step is on show.
    std::vector<std::pair<std::string_view, Cell>> values;  ///< The variables of the step, by name.
    std::string_view quantity;                              ///< Of the curve: "radius, m".
    /// One value a step; NaN where it has none.
    std::shared_ptr<const std::vector<float>> curve;

    /// The line above the sentence and below the scene's title: "Ritter's ball, step 6 of 7". Omits a name
    /// that the title or the start of the sentence ("Ritter's ball: ...") already gives; may be empty.
    [[nodiscard]] std::string heading_below(std::string_view title) const {
        return heading({}, algorithm == title ? std::string_view() : algorithm);
    }
    /// The same with the scene's title in it.
    [[nodiscard]] std::string heading_with(std::string_view title) const {
        return heading(title, algorithm == title ? std::string_view() : algorithm);
    }

  private:
    [[nodiscard]] std::string heading(std::string_view first, std::string_view second) const {
        std::string text;
        for (const std::string_view name : {first, second}) {
            if (name.empty() || sentence.starts_with(std::string(name) + ":")) continue;
            text += text.empty() ? "" : ": ";
            text += name;
        }
        if (number == 0) return text;
        text += text.empty() ? "Step " : ", step ";
        return text + io::grouped(number) + " of " + io::grouped(of);
    }
};

}  // namespace lab
