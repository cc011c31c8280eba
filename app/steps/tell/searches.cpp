// Steps of searches for pairs of boxes: sweeps, exchanges of sorted ends, cells and tests.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/telling.hpp"

namespace lab::steps {
namespace {

using Verdict = bv::BoxesTested::Verdict;
constexpr Role kFound = Role::Kdop, kMoving = Role::ProjectionA, kPassed = Role::Normal;

const char* axis_of(std::uint8_t axis) {
    return kAxisNames[std::min<int>(axis, 2)];
}

const char* end_of(bool upper) {
    return upper ? "max" : "min";
}

std::optional<double> tests_so_far(const Board& after) {
    return static_cast<double>(after.tests.size());
}

void put_box(FrameResults& results, const Subject& subject, std::uint32_t index, Role role, float width,
             float fill, const char* legend) {
    if (index >= subject.nodes.size() || subject.nodes[index].is_empty()) return;
    Exhibit& box = put(results, subject.nodes[index], role, fmt::format("{}", index), fill);
    box.width_px = width;
    box.legend = legend;
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

/// True for a sweep that tests each box it reaches with boxes ahead; the incremental one keeps a list of
/// those behind.
bool looks_ahead(const Subject& subject) {
    return subject.ends[0].empty();
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

std::string joined(const std::vector<std::uint32_t>& boxes) {
    std::string text;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == boxes.size() ? " and " : ", ", boxes[i]);
    return text;
}

/// Boxes that stand out among the bars.
struct Bar {
    std::uint32_t box;
    Role role;
    const char* note;
};

/// The sorted intervals along an axis as bars. Of many boxes those that contain `now`, those of the step, and
/// the next ones.
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

/// Rows around the important one.
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
    const auto here =
        static_cast<std::size_t>(std::find(ends.begin(), ends.end(), BoxEnd{e.box, false}) - ends.begin());
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

/// The gap of two boxes along the axis where it is largest; negative: they overlap at least that much.
struct Gap {
    float meters = -std::numeric_limits<float>::infinity();
    int axis = 0;
};
std::optional<Gap> gap_between(const Subject& subject, std::uint32_t a, std::uint32_t b) {
    if (std::max(a, b) >= subject.boxes.size()) return std::nullopt;
    Gap largest;
    for (int k = 0; k < 3; ++k) {
        const float gap = std::max(low_of(subject, b, k) - high_of(subject, a, k),
                                   low_of(subject, a, k) - high_of(subject, b, k));
        if (gap > largest.meters) largest = {gap, k};
    }
    return largest;
}

void put_now(FrameResults& results, const StepContext& c, std::uint32_t a, std::uint32_t b, Verdict verdict) {
    const Role role = verdict == Verdict::Pair        ? kFound
                      : verdict == Verdict::Duplicate ? Role::Normal
                                                      : kRejected;
    put_box(results, c.subject, a, kNow, 3.0f, 0.15f, "being tested");
    put_box(results, c.subject, b, kNow, 3.0f, 0.15f, "being tested");
    if (std::max(a, b) >= c.subject.nodes.size()) return;
    Exhibit& line = put(results, bv::Segment{c.subject.nodes[a].center, c.subject.nodes[b].center}, role);
    line.width_px = 3.0f;
    line.on_top = true;
    line.legend = verdict == Verdict::Apart  ? "tested: apart"
                  : verdict == Verdict::Pair ? "pair found"
                                             : "counted in another cell";
}

const bv::CellFilled* cell_of(const Board& board, std::uint32_t number) {
    const auto at = std::find_if(board.cells.begin(), board.cells.end(),
                                 [&](const bv::CellFilled& c) { return c.number == number; });
    return at == board.cells.end() ? nullptr : &*at;
}

}  // namespace

namespace {

std::string tell_reached(const bv::SweepReached& e) {
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

/// With the boxes that it is tested with.
std::string tell_reached_among(const bv::SweepReached& e, const Subject& subject, const Board&) {
    if (e.box >= subject.boxes.size()) return tell_reached(e);
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
const Telling<bv::SweepReached>& telling<bv::SweepReached>() {
    static constexpr Telling<bv::SweepReached> kRow{
        .id = "sweep_reached",
        .sentence = tell_reached,
        .values = reached_values,
        .sentence_among = tell_reached_among,
        .values_among = reached_values_among,
        .quantity = [](const bv::SweepReached&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw =
            [](const bv::SweepReached& e, const StepContext& c, FrameResults& results) {
                put_box(results, c.subject, e.box, kNow, 3.0f, 0.2f, "current box");
            },
    };
    return kRow;
}

template <>
const Telling<bv::EndsExchanged>& telling<bv::EndsExchanged>() {
    static constexpr Telling<bv::EndsExchanged> kRow{
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

std::string tell_filled(const bv::CellFilled& e) {
    return fmt::format("Box {} goes into cell {}, which now holds {}.", e.box, e.number,
                       io::counted(e.boxes, "box", "boxes"));
}

/// Cells that a hash keeps in the same bucket, by number.
std::vector<std::uint32_t> others_in_bucket(const bv::CellFilled& e, const Board& before) {
    std::vector<std::uint32_t> others;
    if (e.bucket == bv::CellFilled::kNoBucket) return others;
    for (const bv::CellFilled& cell : before.cells)
        if (cell.bucket == e.bucket && cell.number != e.number) others.push_back(cell.number);
    return others;
}

std::string tell_filled_among(const bv::CellFilled& e, const Subject&, const Board& before) {
    const std::vector<std::uint32_t> others = others_in_bucket(e, before);
    if (others.empty()) return tell_filled(e);
    return fmt::format("{} Its bucket in the hash, {}, also holds {} {}.", tell_filled(e), e.bucket,
                       others.size() == 1 ? "cell" : "cells", joined(others));
}

StepValues filled_values(const bv::CellFilled& e) {
    StepValues values = {{"box", cells::whole(e.box)},
                         {"cell", cells::whole(e.number)},
                         {"from", cells::vector(e.cell.min)},
                         {"to", cells::vector(e.cell.max)},
                         {"boxes", cells::whole(e.boxes)}};
    if (e.bucket != bv::CellFilled::kNoBucket) values.emplace_back("bucket", cells::whole(e.bucket));
    return values;
}

}  // namespace

template <>
const Telling<bv::CellFilled>& telling<bv::CellFilled>() {
    static constexpr Telling<bv::CellFilled> kRow{
        .id = "cell_filled",
        .sentence = tell_filled,
        .values = filled_values,
        .sentence_among = tell_filled_among,
        .quantity = [](const bv::CellFilled&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw =
            [](const bv::CellFilled& e, const StepContext& c, FrameResults& results) {
                Exhibit& cell = put(results, e.cell, Role::Plane, {}, 0.15f);
                cell.width_px = 3.0f;
                cell.legend = "current cell";
                put_box(results, c.subject, e.box, kNow, 3.0f, 0.2f, "box being added");
            },
    };
    return kRow;
}

namespace {

std::string place_of(const bv::BoxesTested& e) {
    return e.cell == bv::BoxesTested::kNoCell ? std::string() : fmt::format(" in cell {}", e.cell);
}

std::string tell_tested(const bv::BoxesTested& e) {
    const char* verdict = e.verdict == Verdict::Pair    ? "they overlap, a pair"
                          : e.verdict == Verdict::Apart ? "apart"
                                                        : "they overlap, but another cell counts the pair";
    return fmt::format("Boxes {} and {} are tested{}: {}.", e.a, e.b, place_of(e), verdict);
}

/// With the distance that decided, and in a sweep the reason for the test.
std::string tell_tested_among(const bv::BoxesTested& e, const Subject& subject, const Board& before) {
    const std::optional<Gap> gap = gap_between(subject, e.a, e.b);
    if (!gap || (gap->meters > 0) != (e.verdict == Verdict::Apart)) return tell_tested(e);
    const bool ahead = before.reached && before.reached->box == e.a && looks_ahead(subject);
    const std::string boxes =
        ahead ? fmt::format("Box {} begins before box {} ends, so they are tested", e.b, e.a)
              : fmt::format("Boxes {} and {} are tested{}", e.a, e.b, place_of(e));
    const std::string by = in_meters(std::abs(static_cast<double>(gap->meters)));
    const char* const along = kAxisNames[gap->axis];
    if (e.verdict == Verdict::Apart) return fmt::format("{}: {} apart along {}.", boxes, by, along);
    if (gap->meters == 0)
        return fmt::format("{}: they touch, along {}{}.", boxes, along,
                           e.verdict == Verdict::Pair ? ": a pair" : ", but another cell counts the pair");
    return fmt::format("{}: they overlap, least along {}, by {}{}.", boxes, along, by,
                       e.verdict == Verdict::Pair ? ": a pair" : ", but another cell counts the pair");
}

StepValues tested_values(const bv::BoxesTested& e) {
    StepValues values = {{"a", cells::whole(e.a)},
                         {"b", cells::whole(e.b)},
                         {"overlap", cells::yes_or_no(e.verdict != Verdict::Apart)}};
    if (e.cell != bv::BoxesTested::kNoCell) values.emplace_back("cell", cells::whole(e.cell));
    return values;
}

StepValues tested_values_among(const bv::BoxesTested& e, const Subject& subject, const Board&) {
    StepValues values = tested_values(e);
    if (const std::optional<Gap> gap = gap_between(subject, e.a, e.b)) {
        values.emplace_back("along", kAxisNames[gap->axis]);
        values.emplace_back(gap->meters > 0 ? "apart by" : "overlap by",
                            in_meters(std::abs(static_cast<double>(gap->meters))));
    }
    return values;
}

}  // namespace

template <>
const Telling<bv::BoxesTested>& telling<bv::BoxesTested>() {
    static constexpr Telling<bv::BoxesTested> kRow{
        .id = "boxes_tested",
        .variant = [](const bv::BoxesTested& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = tell_tested,
        .values = tested_values,
        .sentence_among = tell_tested_among,
        .values_among = tested_values_among,
        .quantity = [](const bv::BoxesTested&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw =
            [](const bv::BoxesTested& e, const StepContext& c, FrameResults& results) {
                put_now(results, c, e.a, e.b, e.verdict);
                if (e.cell == bv::BoxesTested::kNoCell) return;
                if (const auto* at = cell_of(c.after, e.cell)) {
                    Exhibit& cell = put(results, at->cell, Role::Plane, {}, 0.08f);
                    cell.width_px = 2.5f;
                    cell.legend = "current cell";
                }
            },
    };
    return kRow;
}

namespace {

using Rule = bv::PairSpared::Rule;

struct SparedBy {
    const char* id;
    const char* legend;
};
constexpr SparedBy kSparedBy[] = {{"resting", "at rest: starts no test"},
                                  {"once", "one test per pair"},
                                  {"behind", "they move apart"},
                                  {"points", "centers too far apart"}};
const SparedBy& spared_by(Rule rule) {
    return kSparedBy[std::min<std::size_t>(static_cast<std::size_t>(rule), 3)];
}

}  // namespace

template <>
const Telling<bv::PairSpared>& telling<bv::PairSpared>() {
    static constexpr Telling<bv::PairSpared> kRow{
        .id = "pair_spared",
        .variant = [](const bv::PairSpared& e) -> int { return static_cast<int>(e.rule); },
        .sentence = [](const bv::PairSpared& e) -> std::string {
            const double by = static_cast<double>(e.by);
            switch (e.rule) {
                case Rule::Resting:
                    return fmt::format("Box {} is at rest: it starts no test.", e.a);
                case Rule::Once:
                    return fmt::format("Box {} skips box {}: each pair is tested only once.", e.a, e.b);
                case Rule::Behind:
                    return fmt::format("Boxes {} and {} move apart: no test.", e.a, e.b);
                case Rule::Points:
                    break;
            }
            return fmt::format(
                "The centers of boxes {} and {} are {} farther apart than the sum of their radii: no test.",
                e.a, e.b, in_meters(by));
        },
        .values = [](const bv::PairSpared& e) -> StepValues {
            StepValues values = {{"a", cells::whole(e.a)}};
            if (e.b != bv::PairSpared::kNobody) values.emplace_back("b", cells::whole(e.b));
            values.emplace_back("skipped by", spared_by(e.rule).id);
            if (e.rule == Rule::Points)
                values.emplace_back("beyond", cells::brief(static_cast<double>(e.by)).in("m"));
            if (e.cell != bv::BoxesTested::kNoCell) values.emplace_back("cell", cells::whole(e.cell));
            return values;
        },
        .quantity = [](const bv::PairSpared&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw =
            [](const bv::PairSpared& e, const StepContext& c, FrameResults& results) {
                put_box(results, c.subject, e.a, kNow, 3.0f, 0.15f, "box that tests others");
                if (std::max(e.a, e.b) >= c.subject.nodes.size()) return;
                put_box(results, c.subject, e.b, kRejected, 3.0f, 0.15f, "not tested");
                Exhibit& line =
                    put(results, bv::Segment{c.subject.nodes[e.a].center, c.subject.nodes[e.b].center},
                        kRejected);
                line.width_px = 2.0f;
                line.on_top = true;
                line.legend = spared_by(e.rule).legend;
            },
    };
    return kRow;
}

namespace {

/// Cells of one grid by the edges that they share, each once and in one piece.
Polytope grid_lines(const std::vector<bv::CellFilled>& cells) {
    const glm::vec3 size = cells.front().cell.size(), origin = cells.front().cell.min;
    // Axis, place across it, place along it; sorted, the parts of a line follow each other.
    std::vector<std::array<int, 4>> parts;
    parts.reserve(12 * cells.size());
    for (const bv::CellFilled& filled : cells) {
        const glm::ivec3 at(glm::round((filled.cell.min - origin) / size));
        for (int axis = 0; axis < 3; ++axis)
            for (int corner = 0; corner < 4; ++corner)
                parts.push_back(
                    {axis, at[(axis + 1) % 3] + (corner & 1), at[(axis + 2) % 3] + (corner >> 1), at[axis]});
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    Polytope lines;
    for (std::size_t i = 0; i < parts.size();) {
        const std::array<int, 4> first = parts[i];
        int end = first[3];
        while (i < parts.size() && parts[i] == std::array{first[0], first[1], first[2], end})
            ++i, ++end;
        const auto point = [&](int along) {
            glm::vec3 p;
            p[first[0]] = static_cast<float>(along);
            p[(first[0] + 1) % 3] = static_cast<float>(first[1]);
            p[(first[0] + 2) % 3] = static_cast<float>(first[2]);
            return origin + size * p;
        };
        const auto vertex = static_cast<std::uint32_t>(lines.vertices.size());
        lines.vertices.push_back(point(first[3]));
        lines.vertices.push_back(point(end));
        lines.edges.emplace_back(vertex, vertex + 1);
    }
    return lines;
}

void draw_cells(const std::vector<bv::CellFilled>& cells, FrameResults& results) {
    const auto look = [](Exhibit& cell) {
        cell.width_px = 1.0f;
        cell.legend = "cell with boxes";
    };
    if (cells.size() > kMaxOutlines) return look(put(results, grid_lines(cells), Role::TreeNode));
    for (const bv::CellFilled& filled : cells)
        look(put(results, filled.cell, Role::TreeNode));
}

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
void draw_sweep(const bv::SweepReached& reached, const Subject& subject, FrameResults& results) {
    const int axis = std::min<int>(reached.axis, 2);
    put_sheet(results, subject, axis, reached.low, Role::Plane, "sweep");
    std::vector<Bar> bars = {{reached.box, kNow, "reached"}};
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

void draw_searches(const Board& board, const Subject& subject, FrameResults& results) {
    constexpr std::size_t kMaxStrong = 100, kMaxLines = 400;  // of more pairs thin lines, or dots
    draw_cells(board.cells, results);
    if (board.exchanged) list_exchange(*board.exchanged, subject, board, results);
    if (board.reached) {
        draw_sweep(*board.reached, subject, results);
        list_ends(*board.reached, subject, results);
    }
    std::vector<glm::vec3> middles;
    for (const auto& [a, b] : board.found) {
        if (b >= subject.nodes.size()) continue;
        const glm::vec3 &from = subject.nodes[a].center, &to = subject.nodes[b].center;
        if (board.found.size() > kMaxLines) {
            middles.push_back(0.5f * (from + to));
            continue;
        }
        Exhibit& line = put(results, bv::Segment{from, to}, kFound);
        line.width_px = board.found.size() <= kMaxStrong ? 2.0f : 1.0f;
        line.legend = "pair found";
    }
    if (!middles.empty()) put_dots(results, std::move(middles), kFound, "pair found: its middle");
}

}  // namespace lab::steps
