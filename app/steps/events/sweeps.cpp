// Steps of sweeps for pairs of boxes: the box that the sweep reaches, and exchanges of sorted ends.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/events/search_parts.hpp"

namespace lab::steps {
namespace {

constexpr Role kMoving = Role::ProjectionA, kPassed = Role::Normal;
constexpr const char* kReached = "box reached now";

const char* axis_of(std::uint8_t axis) {
    return kAxisNames[std::min<int>(axis, 2)];
}

const char* end_of(bool upper) {
    return upper ? "max" : "min";
}

bv::Aabb bounds_of_all(const Subject& subject) {
    bv::Aabb all;
    for (const bv::Aabb& box : subject.boxes)
        all = bv::merge(all, box);
    return all;
}

/// The plane that sweeps, as a sheet across all boxes.
void put_sheet(FrameResults& results, const Subject& subject, int axis, float at, Role role,
               const char* legend) {
    bv::Aabb sheet = bounds_of_all(subject);
    if (sheet.is_empty()) return;
    const glm::vec3 margin(0.15f);
    sheet.min -= margin;
    sheet.max += margin;
    sheet.min[axis] = sheet.max[axis] = at;
    Exhibit& shown = put(results, sheet, role, {}, 0.12f);
    shown.width_px = 2.0f;
    shown.legend = legend;
}

float low_of(const Subject& subject, std::uint32_t box, int axis) {
    return subject.boxes[box].min[axis];
}
float high_of(const Subject& subject, std::uint32_t box, int axis) {
    return subject.boxes[box].max[axis];
}
float at(const Subject& subject, const BoxEnd& end, int axis) {
    return end.upper ? high_of(subject, end.box, axis) : low_of(subject, end.box, axis);
}

/// Boxes whose interval contains the lower end of a given one, ordered by their lower ends: the list that a
/// sweep keeps.
std::vector<std::uint32_t> active_at(const Subject& subject, std::uint32_t reached, int axis) {
    std::vector<std::uint32_t> active;
    const float now = low_of(subject, reached, axis);
    for (std::uint32_t i = 0; i < subject.boxes.size(); ++i)
        if (i != reached && !subject.boxes[i].is_empty() &&
            std::pair(low_of(subject, i, axis), i) < std::pair(now, reached) &&
            now <= high_of(subject, i, axis))
            active.push_back(i);
    std::stable_sort(active.begin(), active.end(), [&](std::uint32_t a, std::uint32_t b) {
        return low_of(subject, a, axis) < low_of(subject, b, axis);
    });
    return active;
}

/// Boxes that begin within a given one and after it, ordered by their lower ends: those that a sweep which
/// looks ahead tests with it.
std::vector<std::uint32_t> ahead_of(const Subject& subject, std::uint32_t reached, int axis) {
    std::vector<std::uint32_t> ahead;
    const auto key = [&](std::uint32_t i) { return std::pair(low_of(subject, i, axis), i); };
    for (std::uint32_t i = 0; i < subject.boxes.size(); ++i)
        if (!subject.boxes[i].is_empty() && key(reached) < key(i) &&
            low_of(subject, i, axis) <= high_of(subject, reached, axis))
            ahead.push_back(i);
    std::sort(ahead.begin(), ahead.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return ahead;
}

/// Boxes that stand out among the bars.
struct Bar {
    std::uint32_t box;
    Role role;
    const char* note;
};

/// The sorted intervals along an axis as bars. With many boxes, only those that contain `now`, those of the
/// step, and the next ones.
void put_bars(FrameResults& results, const Subject& subject, int axis, float now,
              const std::vector<Bar>& marked, const char* around) {
    const bv::Aabb all = bounds_of_all(subject);
    if (all.is_empty()) return;
    const auto mark_of = [&](std::uint32_t i) {
        return std::find_if(marked.begin(), marked.end(), [i](const Bar& bar) { return bar.box == i; });
    };
    const auto is_marked = [&](std::uint32_t i) { return mark_of(i) != marked.end(); };
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < subject.boxes.size(); ++i)
        if (!subject.boxes[i].is_empty()) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return low_of(subject, a, axis) < low_of(subject, b, axis);
    });
    const auto is_active = [&](std::uint32_t i) {
        return low_of(subject, i, axis) <= now && now <= high_of(subject, i, axis);
    };
    // More would cover the boxes.
    constexpr std::size_t kMaxBars = 10;
    const auto is_to_come = [&](std::uint32_t i) { return low_of(subject, i, axis) > now; };
    std::vector<std::uint32_t> by_interest = order;
    const auto interest = [&](std::uint32_t i) {
        return is_marked(i) ? 0 : is_active(i) ? 1 : is_to_come(i) ? 2 : 3;
    };
    std::stable_sort(by_interest.begin(), by_interest.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return interest(a) < interest(b); });
    by_interest.resize(std::min(by_interest.size(), kMaxBars));
    const auto is_shown = [&](std::uint32_t i) {
        return std::find(by_interest.begin(), by_interest.end(), i) != by_interest.end();
    };
    IntervalChart chart;
    chart.title = fmt::format("Boxes along {}, sorted by min", kAxisNames[axis]);
    if (order.size() > kMaxBars) chart.title += fmt::format(": {} of {}", kMaxBars, order.size());
    chart.unit = "m";
    chart.min = 0.1f * std::floor(10.0f * all.min[axis]);
    chart.max = 0.1f * std::ceil(10.0f * all.max[axis]);
    for (const std::uint32_t i : order) {
        if (!is_shown(i)) continue;
        const auto mark = mark_of(i);
        const bool here = mark != marked.end();
        chart.rows.push_back({fmt::format("{}", i), low_of(subject, i, axis), high_of(subject, i, axis),
                              here           ? mark->role
                              : is_active(i) ? Role::Visited
                                             : Role::AabbTight,  // as in the picture
                              here            ? mark->note
                              : is_active(i)  ? around
                              : is_to_come(i) ? "to come"
                                              : "passed"});
    }
    chart.now = now;
    results.charts.push_back(std::move(chart));
}

/// Rows of the table, around the current one.
constexpr std::size_t kMaxEnds = 60;

/// All starts and ends along the axis of a sweep, with the boxes that are active behind each.
void list_ends(const bv::SweepReached& e, const Subject& subject, FrameResults& results) {
    const int axis = std::min<int>(e.axis, 2);
    std::vector<BoxEnd> ends;
    for (std::uint32_t i = 0; i < subject.boxes.size(); ++i)
        if (!subject.boxes[i].is_empty()) ends.insert(ends.end(), {{i, false}, {i, true}});
    std::stable_sort(ends.begin(), ends.end(), [&](const BoxEnd& a, const BoxEnd& b) {
        const float x = at(subject, a, axis), y = at(subject, b, axis);
        return x < y || (x == y && !a.upper && b.upper);
    });
    Table table{"ends",
                fmt::format("Sorted endpoints along {}", axis_of(e.axis)),
                {"#", "endpoint", {"at", "m"}, "active list"}};
    // At the result the sweep has passed them all.
    const bool is_over = results.walk && results.walk->number == 0;
    const auto here = static_cast<std::size_t>(
        (is_over ? ends.end() : std::find(ends.begin(), ends.end(), BoxEnd{e.box, false})) - ends.begin());
    const std::size_t begin = here > kMaxEnds / 2 ? here - kMaxEnds / 2 : 0;
    std::vector<std::uint32_t> active;
    for (std::size_t i = 0; i < std::min(ends.size(), begin + kMaxEnds); ++i) {
        if (ends[i].upper)
            std::erase(active, ends[i].box);
        else
            active.push_back(ends[i].box);
        if (i < begin) continue;
        const bool reached = i <= here;
        table.add({cells::whole(i + 1), fmt::format("{} of {}", end_of(ends[i].upper), ends[i].box),
                   cells::trimmed(static_cast<double>(at(subject, ends[i], axis))),
                   !reached         ? std::string("to come")
                   : active.empty() ? std::string("none")
                                    : joined(active)},
                  i == here ? kNow
                  : reached ? Role::Visited
                            : Role::Muted,
                  i == here ? RowMark::Chosen : RowMark::None);
    }
    results.tables.push_back(std::move(table));
}

/// The ends of an axis in their order after an exchange.
void list_exchange(const bv::EndsExchanged& e, const Subject& subject, const Board& after,
                   FrameResults& results) {
    const int axis = std::min<int>(e.axis, 2);
    const std::vector<BoxEnd>& ends = after.ends[static_cast<std::size_t>(axis)];
    if (ends.empty()) return;
    const BoxEnd moving{e.moving, e.moving_upper}, passed{e.passed, e.passed_upper};
    Table table{"ends",
                fmt::format("Endpoints along {} after the swap", axis_of(e.axis)),
                {"#", "endpoint", {"now at", "m"}, "order"}};
    const auto here = static_cast<std::size_t>(std::find(ends.begin(), ends.end(), moving) - ends.begin());
    const std::size_t begin = here > kMaxEnds / 2 ? here - kMaxEnds / 2 : 0;
    for (std::size_t i = begin; i < std::min(ends.size(), begin + kMaxEnds); ++i) {
        if (ends[i].box >= subject.boxes.size()) continue;
        const bool ordered = i == 0 || ends[i - 1].box >= subject.boxes.size() ||
                             at(subject, ends[i - 1], axis) <= at(subject, ends[i], axis);
        table.add({cells::whole(i + 1), fmt::format("{} of {}", end_of(ends[i].upper), ends[i].box),
                   cells::trimmed(static_cast<double>(at(subject, ends[i], axis))),
                   ends[i] == moving   ? "moves"
                   : ends[i] == passed ? "is passed"
                   : ordered           ? "in order"
                                       : "below the one before"},
                  ends[i] == moving   ? kMoving
                  : ends[i] == passed ? kPassed
                  : ordered           ? Role::Muted
                                      : Role::Broken,
                  ends[i] == moving ? RowMark::Chosen : RowMark::None);
    }
    results.tables.push_back(std::move(table));
}

std::string reached_sentence(const bv::SweepReached& e) {
    return fmt::format("The sweep along {} reaches the min of box {}, at {} m; its max is at {}: {} active.",
                       axis_of(e.axis), e.box, in_short(static_cast<double>(e.low)),
                       in_meters(static_cast<double>(e.high)),
                       e.open == 0   ? std::string("no other is")
                       : e.open == 1 ? std::string("one other is")
                                     : fmt::format("{} others are", e.open));
}

/// "8 and 9", or how many there are.
std::string named(const std::vector<std::uint32_t>& boxes) {
    constexpr std::size_t kMaxNamed = 6;
    return boxes.size() <= kMaxNamed ? joined(boxes) : io::counted(boxes.size(), "box", "boxes");
}
std::string counted_or_named(const std::vector<std::uint32_t>& boxes) {
    const std::string text = named(boxes);
    return text.ends_with("boxes") ? text : "boxes " + text;
}

/// The sentence with the boxes that the reached box is tested against.
std::string reached_sentence_in_context(const bv::SweepReached& e, const Subject& subject, const Board&) {
    if (e.box >= subject.boxes.size()) return reached_sentence(e);
    const int axis = std::min<int>(e.axis, 2);
    const std::string high = in_meters(static_cast<double>(e.high));
    const std::string where = fmt::format("The sweep along {} reaches the min of box {}, at {}.",
                                          axis_of(e.axis), e.box, in_meters(static_cast<double>(e.low)));
    if (!looks_ahead(subject)) {
        const std::vector<std::uint32_t> active = active_at(subject, e.box, axis);
        if (active.empty()) return where + " No other box is active there: no test.";
        return fmt::format("{} It is tested with those that are active there: {}.", where, named(active));
    }
    const std::vector<std::uint32_t> ahead = ahead_of(subject, e.box, axis);
    if (ahead.empty())
        return fmt::format("{} No box after it begins before its max, at {}: no test.", where, high);
    if (ahead.size() == 1)
        return fmt::format("{} Before its max, at {}, box {} begins and is tested with it.", where, high,
                           ahead.front());
    return fmt::format("{} Before its max, at {}, {} begin and are tested with it.", where, high,
                       counted_or_named(ahead));
}

StepValues reached_values(const bv::SweepReached& e) {
    return {{"box", cells::whole(e.box)},
            {"axis", std::string(axis_of(e.axis))},
            {"min", cells::trimmed(static_cast<double>(e.low)).in("m")},
            {"max", cells::trimmed(static_cast<double>(e.high)).in("m")},
            {"active", cells::whole(e.open)}};
}

StepValues reached_values_among(const bv::SweepReached& e, const Subject& subject, const Board&) {
    StepValues values = reached_values(e);
    if (e.box >= subject.boxes.size()) return values;
    const int axis = std::min<int>(e.axis, 2);
    if (e.open > 0) values.emplace_back("active list", joined(active_at(subject, e.box, axis)));
    if (const std::vector<std::uint32_t> ahead = ahead_of(subject, e.box, axis);
        looks_ahead(subject) && !ahead.empty()) {
        values.emplace_back("tested with it", joined(ahead));
        values.emplace_back("that is", cells::whole(ahead.size()));
    }
    return values;
}

}  // namespace

template <>
const EventSpec<bv::SweepReached>& event_spec<bv::SweepReached>() {
    static constexpr EventSpec<bv::SweepReached> kRow{
        .id = "sweep_reached",
        .sentence = reached_sentence,
        .values = reached_values,
        .sentence_in_context = reached_sentence_in_context,
        .values_in_context = reached_values_among,
        .quantity = [](const bv::SweepReached&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw = [](const bv::SweepReached& e, const StepContext& c,
                   FrameResults& results) { put_box(results, c.subject, e.box, kNow, 3.0f, 0.2f, kReached); },
    };
    return kRow;
}

template <>
const EventSpec<bv::EndsExchanged>& event_spec<bv::EndsExchanged>() {
    static constexpr EventSpec<bv::EndsExchanged> kRow{
        .id = "ends_exchanged",
        .variant = [](const bv::EndsExchanged& e) -> int {
            return e.moving_upper == e.passed_upper ? 0 : e.moving_upper ? 2 : 1;
        },
        .sentence = [](const bv::EndsExchanged& e) -> std::string {
            const std::string what = fmt::format(
                "On {}, the {} of box {}, now at {} m, passes the {} of box {} at {}", axis_of(e.axis),
                end_of(e.moving_upper), e.moving, in_short(static_cast<double>(e.moving_at)),
                end_of(e.passed_upper), e.passed, in_meters(static_cast<double>(e.passed_at)));
            if (e.moving_upper == e.passed_upper) return what + ": no pair begins or ends.";
            return what + (e.moving_upper ? ": if they were a pair, it ends." : ": they may become a pair.");
        },
        .values = [](const bv::EndsExchanged& e) -> StepValues {
            return {{"axis", std::string(axis_of(e.axis))},
                    {"moving", fmt::format("{} of {}", end_of(e.moving_upper), e.moving)},
                    {"passed", fmt::format("{} of {}", end_of(e.passed_upper), e.passed)},
                    {"moving, at", cells::trimmed(static_cast<double>(e.moving_at)).in("m")},
                    {"passed, at", cells::trimmed(static_cast<double>(e.passed_at)).in("m")}};
        },
        .quantity = [](const bv::EndsExchanged&, const Subject&,
                       const Board& after) -> std::optional<double> { return tests_so_far(after); },
        .draw =
            [](const bv::EndsExchanged& e, const StepContext& c, FrameResults& results) {
                const int axis = std::min<int>(e.axis, 2);
                put_box(results, c.subject, e.moving, kMoving, 3.0f, 0.15f, "moving endpoint");
                put_box(results, c.subject, e.passed, kPassed, 3.0f, 0.15f, "passed endpoint");
                put_sheet(results, c.subject, axis, e.moving_at, kMoving, "moving endpoint");
                put_sheet(results, c.subject, axis, e.passed_at, kPassed, "passed endpoint");
                put_bars(results, c.subject, axis, e.moving_at,
                         {{e.moving, kMoving, "moves"}, {e.passed, kPassed, "is passed"}}, "around it");
            },
    };
    return kRow;
}

namespace {

/// Boxes of a sweep, or dots at the centers of many.
void put_crowd(FrameResults& results, const Subject& subject, const std::vector<std::uint32_t>& boxes,
               Role role, const char* legend) {
    constexpr std::size_t kMaxNumbered = 40;
    if (boxes.size() <= kMaxNumbered) {
        for (const std::uint32_t i : boxes)
            put_box(results, subject, i, role, 2.0f, 0.1f, legend);
        return;
    }
    std::vector<glm::vec3> centers;
    centers.reserve(boxes.size());
    for (const std::uint32_t i : boxes)
        centers.push_back(subject.nodes[i].center);
    put_dots(results, std::move(centers), role, legend).width_px = 2.0f;
}

/// The sweep at the min of a box, the boxes whose intervals contain it, and those ahead that the box is
/// tested with.
void draw_reached(const bv::SweepReached& reached, const Subject& subject, FrameResults& results) {
    const int axis = std::min<int>(reached.axis, 2);
    put_sheet(results, subject, axis, reached.low, Role::Plane, "sweep");
    std::vector<Bar> bars = {{reached.box, kNow, "reached"}};
    // At its own step, the step draws it.
    if (results.walk && results.walk->number == 0)
        put_box(results, subject, reached.box, kNow, 3.0f, 0.2f, kReached);
    if (looks_ahead(subject)) {
        put_sheet(results, subject, axis, reached.high, Role::Normal, "max of the box it reaches");
        const std::vector<std::uint32_t> ahead = ahead_of(subject, reached.box, axis);
        put_crowd(results, subject, ahead, Role::ProjectionA, "begins before that max: tested with it");
        for (const std::uint32_t i : ahead)
            bars.push_back({i, Role::ProjectionA, "tested with it"});
        put_crowd(results, subject, active_at(subject, reached.box, axis), Role::Visited,
                  "active: contains the sweep, tested before");
    } else {
        put_crowd(results, subject, active_at(subject, reached.box, axis), Role::Visited,
                  "active: contains the sweep");
    }
    put_bars(results, subject, axis, reached.low, bars, "active");
}

}  // namespace

void draw_sweep(const Board& board, const Subject& subject, FrameResults& results) {
    if (board.exchanged) list_exchange(*board.exchanged, subject, board, results);
    if (!board.reached) return;
    draw_reached(*board.reached, subject, results);
    list_ends(*board.reached, subject, results);
}

}  // namespace lab::steps
