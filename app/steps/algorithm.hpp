// The algorithms that can be stepped, each as a row: its pseudo-code, with the kind of event that each line
// belongs to, and the quantity of its curve.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "bv/trace/events.hpp"
#include "results/walk_view.hpp"
#include "steps/subject.hpp"

namespace lab::steps {

inline constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);

/// A line of pseudo-code, marked at steps of its kind and its variant; a variant of -1 matches all.
struct CodeLine {
    std::string_view text;
    std::size_t kind = kNoEvent;
    int variant = -1;
};

struct Algorithm {
    std::string_view id;        ///< The id in core's catalog, if it has a row there: `sphere.ritter`.
    std::string_view label;     ///< "Ritter".
    std::string_view quantity;  ///< With its unit: "radius, m".
    std::span<const CodeLine> code;

    /// The line that an event belongs to; the number of lines if there is none.
    [[nodiscard]] std::size_t line_of(const bv::TraceEvent& event, const Subject& subject) const;
};

[[nodiscard]] std::span<const Algorithm> algorithms();
/// The row of this id. It must exist.
[[nodiscard]] const Algorithm& algorithm(std::string_view id);

}  // namespace lab::steps
