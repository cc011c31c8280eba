#include "steps/telling.hpp"

#include <type_traits>
#include <variant>

namespace lab::steps {
namespace {

template <class... Events>
std::vector<std::string_view> ids(const std::variant<Events...>&) {
    return {telling<Events>().id...};
}

/// The row of an event's kind.
template <class Event>
const Telling<Event>& row_of(const Event&) {
    return telling<Event>();
}

}  // namespace

std::string_view id_of(const bv::TraceEvent& event) {
    return std::visit([](const auto& e) { return row_of(e).id; }, event);
}

std::vector<std::string_view> all_kinds() {
    return ids(bv::TraceEvent{});
}

int variant_of(const bv::TraceEvent& event) {
    return std::visit([](const auto& e) { return row_of(e).variant ? row_of(e).variant(e) : 0; }, event);
}

std::string sentence_of(const bv::TraceEvent& event) {
    return std::visit([](const auto& e) { return row_of(e).sentence(e); }, event);
}

StepValues values_of(const bv::TraceEvent& event) {
    return std::visit([](const auto& e) { return row_of(e).values(e); }, event);
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
    draw_searches(board, subject, results);
    draw_meshes(board, subject, results);
}

std::string in_short(double value) {
    return to_text(cells::trimmed(value));
}

std::string in_meters(double value) {
    return in_short(value) + " m";
}

}  // namespace lab::steps
