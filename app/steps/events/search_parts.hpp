// What the steps of searches for pairs of boxes have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "steps/event_spec.hpp"

namespace lab::steps {

/// "1, 4 and 7".
[[nodiscard]] std::string joined(const std::vector<std::uint32_t>& boxes);

/// The tests up to a step: the quantity of every search.
[[nodiscard]] std::optional<double> tests_so_far(const Board& after);

/// True for a sweep that tests each box it reaches with boxes ahead; the incremental one keeps a list of
/// those behind.
[[nodiscard]] bool looks_ahead(const Subject& subject);

/// A box of the subject with its number, in place of one put before; nothing for one that the subject lacks.
void put_box(FrameResults& results, const Subject& subject, std::uint32_t index, Role role, float width,
             float fill, const char* legend);

/// The sweep where it is, or the last exchange, with the table of sorted ends.
void draw_sweep(const Board& board, const Subject& subject, FrameResults& results);

}  // namespace lab::steps
