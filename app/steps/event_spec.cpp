#include "steps/event_spec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <variant>

namespace lab::steps {
namespace {

template <class... Events>
std::vector<std::string_view> ids(const std::variant<Events...>&) {
    return {event_spec<Events>().id...};
}

/// The row of an event's kind.
template <class Event>
const EventSpec<Event>& row_of(const Event&) {
    return event_spec<Event>();
}

}  // namespace

std::string_view id_of(const bv::TraceEvent& event) {
    return std::visit([](const auto& e) { return row_of(e).id; }, event);
}

std::vector<std::string_view> all_kinds() {
    return ids(bv::TraceEvent{});
}

int variant_of(const bv::TraceEvent& event, const Subject& subject) {
    return std::visit(
        [&](const auto& e) {
            const auto& row = row_of(e);
            if (row.variant_in_context) return row.variant_in_context(e, subject);
            return row.variant ? row.variant(e) : 0;
        },
        event);
}

bool needs_context(const bv::TraceEvent& event) {
    return std::visit([](const auto& e) { return row_of(e).sentence_in_context != nullptr; }, event);
}

std::string sentence_of(const bv::TraceEvent& event, const Subject& subject, const Board& before) {
    return std::visit(
        [&](const auto& e) {
            const auto& row = row_of(e);
            return row.sentence_in_context ? row.sentence_in_context(e, subject, before) : row.sentence(e);
        },
        event);
}

StepValues values_of(const bv::TraceEvent& event, const Subject& subject, const Board& before) {
    return std::visit(
        [&](const auto& e) {
            const auto& row = row_of(e);
            return row.values_in_context ? row.values_in_context(e, subject, before) : row.values(e);
        },
        event);
}

std::optional<double> quantity_of(const bv::TraceEvent& event, const Subject& subject, const Board& after) {
    return std::visit(
        [&](const auto& e) {
            return row_of(e).quantity ? row_of(e).quantity(e, subject, after) : std::nullopt;
        },
        event);
}

void draw_step(const bv::TraceEvent& event, const StepContext& context, FrameResults& results) {
    std::visit([&](const auto& e) { row_of(e).draw(e, context, results); }, event);
}

void draw_board(const Board& board, const Subject& subject, FrameResults& results) {
    draw_fits(board, subject, results);
    draw_queries(board, subject, results);
    draw_trees(board, subject, results);
    draw_splits(board, subject, results);
    draw_searches(board, subject, results);
    draw_meshes(board, subject, results);
    draw_partition(board, subject, results);
    draw_builders(board, subject, results);
    draw_triangle_pair(board, subject, results);
}

std::string in_short(double value, int decimals) {
    return to_text(cells::brief(value, decimals));
}

Cell in_area(double value, int digits) {
    return cells::quantity(value, digits).in("m²");
}

std::array<std::string, 2> distinct_texts(double a, double b, int decimals) {
    return distinct_texts(a, b, decimals, [](double value, int digits) { return in_short(value, digits); });
}

std::string change_of(double before, double after, std::string_view unit, std::string_view verb,
                      int decimals) {
    const auto [from, to] = distinct_texts(before, after, decimals);
    const std::string in = unit.empty() ? std::string() : fmt::format(" {}", unit);
    if (from == to) return fmt::format("stays {}{}", to, in);
    return fmt::format("{} from {} to {}{}", verb, from, to, in);
}

bool is_noise(double value, double size) {
    return std::abs(value) <= 4e-7 * size;
}

std::string in_meters(double value, double size) {
    return in_short(is_noise(value, size) ? 0.0 : value) + " m";
}

}  // namespace lab::steps
