// How each kind of event is shown: its picture, its sentence, its variables, and the quantity of the curve.
// Everything else treats all kinds alike; a kind of event without a row does not link.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bv/trace/events.hpp"
#include "results/frame_results.hpp"
#include "steps/board.hpp"
#include "steps/subject.hpp"

namespace lab::steps {

using StepValues = std::vector<std::pair<std::string_view, Cell>>;

/// The context of a step's picture.
struct StepContext {
    const Subject& subject;
    const Board& before;  ///< Without the step.
    const Board& after;   ///< Including it.
};

/// Everything known about one kind of event. Each kind has its row beside the others of its topic.
template <class Event>
struct EventSpec {
    std::string_view id;  ///< In the report: `sphere_grown`.
    /// Selects one of several lines of pseudo-code, by a verdict or by whether it was chosen. Null: always 0.
    int (*variant)(const Event& event) = nullptr;
    /// Instead, for kinds whose line depends on what the algorithm works on.
    int (*variant_in_context)(const Event& event, const Subject& subject) = nullptr;
    std::string (*sentence)(const Event& event);
    StepValues (*values)(const Event& event);
    /// Instead of these two, for kinds whose numbers need the state before the step.
    std::string (*sentence_in_context)(const Event& event, const Subject& subject,
                                       const Board& before) = nullptr;
    StepValues (*values_in_context)(const Event& event, const Subject& subject,
                                    const Board& before) = nullptr;
    /// The value for the algorithm's curve; nothing if this step has none.
    std::optional<double> (*quantity)(const Event& event, const Subject& subject,
                                      const Board& after) = nullptr;
    /// The current step's own drawing, on top of the board.
    void (*draw)(const Event& event, const StepContext& context, FrameResults& results);
};
template <class Event>
const EventSpec<Event>& event_spec();

/// The index of a kind of event in the variant.
template <class Event, std::size_t at = 0>
constexpr std::size_t kind_of() {
    if constexpr (std::is_same_v<Event, std::variant_alternative_t<at, bv::TraceEvent>>)
        return at;
    else
        return kind_of<Event, at + 1>();
}

[[nodiscard]] std::string_view id_of(const bv::TraceEvent& event);
/// The ids of all kinds, in the order of the variant.
[[nodiscard]] std::vector<std::string_view> all_kinds();
[[nodiscard]] int variant_of(const bv::TraceEvent& event, const Subject& subject);
/// True iff the sentence of its kind depends on the state before the step.
[[nodiscard]] bool needs_context(const bv::TraceEvent& event);
/// `before` excludes the step; it is only read if `needs_context`.
[[nodiscard]] std::string sentence_of(const bv::TraceEvent& event, const Subject& subject,
                                      const Board& before);
[[nodiscard]] StepValues values_of(const bv::TraceEvent& event, const Subject& subject, const Board& before);
[[nodiscard]] std::optional<double> quantity_of(const bv::TraceEvent& event, const Subject& subject,
                                                const Board& after);
void draw_step(const bv::TraceEvent& event, const StepContext& context, FrameResults& results);

/// Draws the state so far, rejected candidates included.
void draw_board(const Board& board, const Subject& subject, FrameResults& results);
void draw_fits(const Board& board, const Subject& subject, FrameResults& results);
void draw_queries(const Board& board, const Subject& subject, FrameResults& results);
void draw_searches(const Board& board, const Subject& subject, FrameResults& results);
void draw_meshes(const Board& board, const Subject& subject, FrameResults& results);
void draw_splits(const Board& board, const Subject& subject, FrameResults& results);
void draw_trees(const Board& board, const Subject& subject, FrameResults& results);
void draw_builders(const Board& board, const Subject& subject, FrameResults& results);
void draw_triangle_pair(const Board& board, const Subject& subject, FrameResults& results);
void draw_partition(const Board& board, const Subject& subject, FrameResults& results);

inline constexpr const char* kAxisNames[] = {"x", "y", "z"};

// The meaning of colors in all pictures.
inline constexpr Role kNow = Role::Hit;          ///< What the step is about.
inline constexpr Role kRejected = Role::Culled;  ///< Rejected candidates.

/// The name of the axis of a separating axis test: "Ax", "By", "Ax × Bz".
[[nodiscard]] std::string axis_name(const bv::AxisTested& event);
/// Why these slabs, up to the first that leaves nothing, share no t: "slabs x and y share no t", or "the
/// line is never in slab y". Empty if they do share one.
[[nodiscard]] std::string why_slabs_miss(std::span<const bv::SlabClipped> slabs);
/// True iff the intervals share nothing but an end, as far as their rounding tells.
[[nodiscard]] bool just_touches(const bv::AxisTested& event);
/// "1.41 m". A value within the rounding noise of coordinates of this size reads as 0.
[[nodiscard]] std::string in_meters(double value, double size = 0.0);
/// True iff the value is no more than the rounding error of single-precision coordinates of this size.
[[nodiscard]] bool is_noise(double value, double size);
/// At most this many decimals; tiny values in powers of ten.
[[nodiscard]] std::string in_short(double value, int decimals = 3);
/// A cost or an area, with the digits that the table of steps shows.
[[nodiscard]] Cell in_area(double value, int digits = 3);
/// Two values of one quantity for one sentence, with enough digits to tell them apart, at least `digits`.
/// Values that differ by no more than the rounding of single precision read alike. `write(value, digits)`
/// writes one of them.
template <class Write>
[[nodiscard]] std::array<std::string, 2> distinct_texts(double a, double b, int digits, Write write) {
    constexpr int kMaxDigits = 9;
    const bool alike = !(std::abs(a - b) > 0.0) || is_noise(a - b, std::max(std::abs(a), std::abs(b)));
    std::array<std::string, 2> texts = {write(alike ? b : a, digits), write(b, digits)};
    while (!alike && texts[0] == texts[1] && digits < kMaxDigits) {
        ++digits;
        texts = {write(a, digits), write(b, digits)};
    }
    return texts;
}
[[nodiscard]] std::array<std::string, 2> distinct_texts(double a, double b, int decimals = 3);
/// "goes from 1.32 to 1.41 m²", or "stays 1.41 m²".
[[nodiscard]] std::string change_of(double before, double after, std::string_view unit,
                                    std::string_view verb = "goes", int decimals = 3);

}  // namespace lab::steps
