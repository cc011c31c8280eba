// Searches for pairs of boxes: sweeps, exchanges of sorted ends, cells and tests.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

#include "io/counted.hpp"
#include "results/put.hpp"
#include "steps/telling.hpp"

namespace lab::steps {
namespace {

using Verdict = bv::BoxesTested::Verdict;
constexpr const char* kAxisNames[] = {"x", "y", "z"};

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
    for (const bv::Obb& box : subject.nodes)
        if (!box.is_empty())
            all = bv::merge(bv::merge(all, box.center - box.half_extents), box.center + box.half_extents);
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

/// The sorted intervals of all boxes along an axis, as bars in front of them.
void put_bars(FrameResults& results, const Subject& subject, int axis, std::uint32_t first,
              std::uint32_t second, float now) {
    const bv::Aabb all = bounds_of_all(subject);
    if (all.is_empty()) return;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < subject.nodes.size(); ++i)
        if (!subject.nodes[i].is_empty()) order.push_back(i);
    const auto low = [&](std::uint32_t i) {
        return subject.nodes[i].center[axis] - subject.nodes[i].half_extents[axis];
    };
    const auto high = [&](std::uint32_t i) {
        return subject.nodes[i].center[axis] + subject.nodes[i].half_extents[axis];
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return low(a) < low(b) || (low(a) == low(b) && a < b);
    });
    IntervalChart chart;
    chart.title = fmt::format("Boxes along {}, sorted by min", axis_of(static_cast<std::uint8_t>(axis)));
    chart.unit = "m";
    chart.min = all.min[axis];
    chart.max = all.max[axis];
    // Those around the first of both: more would cover the boxes.
    constexpr std::size_t kMaxBars = 7;
    const auto here = static_cast<std::size_t>(std::find(order.begin(), order.end(), first) - order.begin());
    const std::size_t most = order.size() > kMaxBars ? order.size() - kMaxBars : 0;
    const std::size_t begin = std::min(here > kMaxBars / 2 ? here - kMaxBars / 2 : 0, most);
    for (std::size_t i = begin; i < std::min(order.size(), begin + kMaxBars); ++i) {
        const std::uint32_t box = order[i];
        const bool is_open = low(box) <= now && now <= high(box);
        chart.rows.push_back({fmt::format("{}", box),
                              low(box),
                              high(box),
                              box == first || box == second ? kNow
                              : is_open                     ? Role::Visited
                                                            : Role::Muted,
                              {}});
    }
    chart.now = now;
    results.charts.push_back(std::move(chart));
}

void put_now(FrameResults& results, const StepContext& c, std::uint32_t a, std::uint32_t b, Verdict verdict) {
    const Role role = verdict == Verdict::Pair        ? Role::Touching
                      : verdict == Verdict::Duplicate ? Role::Overlap
                                                      : Role::Separating;
    put_box(results, c.subject, a, kNow, 3.0f, 0.15f, "being tested");
    put_box(results, c.subject, b, kNow, 3.0f, 0.15f, "being tested");
    if (std::max(a, b) >= c.subject.nodes.size()) return;
    Exhibit& line = put(results, bv::Segment{c.subject.nodes[a].center, c.subject.nodes[b].center}, role);
    line.width_px = 3.0f;
    line.on_top = true;
    line.legend = verdict == Verdict::Apart  ? "apart"
                  : verdict == Verdict::Pair ? "pair"
                                             : "counted in another cell";
}

const bv::CellFilled* cell_of(const Board& board, std::uint32_t number, const bv::Obb& a, const bv::Obb& b) {
    // A bucket of a hash may hold several cells: the one that both boxes reach.
    const auto reaches = [](const bv::Aabb& cell, const bv::Obb& box) {
        return glm::all(glm::lessThanEqual(box.center - box.half_extents, cell.max)) &&
               glm::all(glm::lessThanEqual(cell.min, box.center + box.half_extents));
    };
    const auto at = std::find_if(board.cells.begin(), board.cells.end(), [&](const bv::CellFilled& c) {
        return c.number == number && reaches(c.cell, a) && reaches(c.cell, b);
    });
    return at == board.cells.end() ? nullptr : &*at;
}

}  // namespace

template <>
const Telling<bv::SweepReached>& telling<bv::SweepReached>() {
    static constexpr Telling<bv::SweepReached> kRow{
        .id = "sweep_reached",
        .sentence = [](const bv::SweepReached& e) -> std::string {
            const std::string open = e.open == 0   ? std::string("no other interval is open")
                                     : e.open == 1 ? std::string("one other interval is open")
                                                   : fmt::format("{} other intervals are open", e.open);
            return fmt::format("The sweep along {} reaches box {} at {}: {}.", axis_of(e.axis), e.box,
                               in_meters(static_cast<double>(e.low)), open);
        },
        .values = [](const bv::SweepReached& e) -> StepValues {
            return {{"box", cells::whole(e.box)},
                    {"axis", std::string(axis_of(e.axis))},
                    {"min", cells::trimmed(static_cast<double>(e.low)).in("m")},
                    {"max", cells::trimmed(static_cast<double>(e.high)).in("m")},
                    {"open", cells::whole(e.open)}};
        },
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
            const std::string what =
                fmt::format("On {}, the {} of box {} passes the {} of box {}", axis_of(e.axis),
                            end_of(e.moving_upper), e.moving, end_of(e.passed_upper), e.passed);
            if (e.moving_upper == e.passed_upper) return what + ": no pair begins or ends.";
            return what + (e.moving_upper ? ": if they were a pair, it ends." : ": they may become a pair.");
        },
        .values = [](const bv::EndsExchanged& e) -> StepValues {
            return {{"axis", std::string(axis_of(e.axis))},
                    {"moving", fmt::format("{} of {}", end_of(e.moving_upper), e.moving)},
                    {"passed", fmt::format("{} of {}", end_of(e.passed_upper), e.passed)},
                    {"at", cells::trimmed(static_cast<double>(e.moving_at)).in("m")}};
        },
        .quantity = [](const bv::EndsExchanged&, const Subject&,
                       const Board& after) -> std::optional<double> { return tests_so_far(after); },
        .draw =
            [](const bv::EndsExchanged& e, const StepContext& c, FrameResults& results) {
                const int axis = std::min<int>(e.axis, 2);
                put_box(results, c.subject, e.moving, Role::ProjectionA, 3.0f, 0.15f,
                        "box whose endpoint moves");
                put_box(results, c.subject, e.passed, Role::ProjectionB, 3.0f, 0.15f,
                        "box whose endpoint is passed");
                put_sheet(results, c.subject, axis, e.moving_at, Role::ProjectionA, "moving endpoint");
                put_sheet(results, c.subject, axis, e.passed_at, Role::ProjectionB, "passed endpoint");
                put_bars(results, c.subject, axis, e.moving, e.passed, e.moving_at);
            },
    };
    return kRow;
}

template <>
const Telling<bv::CellFilled>& telling<bv::CellFilled>() {
    static constexpr Telling<bv::CellFilled> kRow{
        .id = "cell_filled",
        .sentence = [](const bv::CellFilled& e) -> std::string {
            return fmt::format("Box {} goes into cell {}, which now holds {}.", e.box, e.number,
                               io::counted(e.boxes, "box", "boxes"));
        },
        .values = [](const bv::CellFilled& e) -> StepValues {
            return {{"box", cells::whole(e.box)},
                    {"cell", cells::whole(e.number)},
                    {"from", cells::vector(e.cell.min)},
                    {"to", cells::vector(e.cell.max)},
                    {"boxes", cells::whole(e.boxes)}};
        },
        .quantity = [](const bv::CellFilled&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw =
            [](const bv::CellFilled& e, const StepContext& c, FrameResults& results) {
                Exhibit& cell = put(results, e.cell, kNow, {}, 0.15f);
                cell.width_px = 3.0f;
                cell.legend = "cell being filled";
                put_box(results, c.subject, e.box, kNow, 3.0f, 0.2f, "box being added");
            },
    };
    return kRow;
}

template <>
const Telling<bv::BoxesTested>& telling<bv::BoxesTested>() {
    static constexpr Telling<bv::BoxesTested> kRow{
        .id = "boxes_tested",
        .variant = [](const bv::BoxesTested& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::BoxesTested& e) -> std::string {
            const std::string where =
                e.cell == bv::BoxesTested::kNoCell ? std::string() : fmt::format(" in cell {}", e.cell);
            const char* verdict = e.verdict == Verdict::Pair ? "they overlap, a pair"
                                  : e.verdict == Verdict::Apart
                                      ? "apart"
                                      : "they overlap, but another cell counts the pair";
            return fmt::format("Boxes {} and {} are tested{}: {}.", e.a, e.b, where, verdict);
        },
        .values = [](const bv::BoxesTested& e) -> StepValues {
            StepValues values = {{"a", cells::whole(e.a)},
                                 {"b", cells::whole(e.b)},
                                 {"overlap", cells::yes_or_no(e.verdict != Verdict::Apart)}};
            if (e.cell != bv::BoxesTested::kNoCell) values.emplace_back("cell", cells::whole(e.cell));
            return values;
        },
        .quantity = [](const bv::BoxesTested&, const Subject&, const Board& after) -> std::optional<double> {
            return tests_so_far(after);
        },
        .draw =
            [](const bv::BoxesTested& e, const StepContext& c, FrameResults& results) {
                put_now(results, c, e.a, e.b, e.verdict);
                if (e.cell == bv::BoxesTested::kNoCell || std::max(e.a, e.b) >= c.subject.nodes.size())
                    return;
                if (const auto* at = cell_of(c.after, e.cell, c.subject.nodes[e.a], c.subject.nodes[e.b])) {
                    Exhibit& cell = put(results, at->cell, kNow, {}, 0.08f);
                    cell.width_px = 2.5f;
                    cell.legend = "cell being searched";
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
                values.emplace_back("beyond", cells::trimmed(static_cast<double>(e.by)).in("m"));
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

void draw_searches(const Board& board, const Subject& subject, FrameResults& results) {
    for (const bv::CellFilled& filled : board.cells) {
        Exhibit& cell = put(results, filled.cell, Role::TreeNode);
        cell.width_px = 1.0f;
        cell.legend = "cell with boxes";
    }
    if (board.reached) {
        const int axis = std::min<int>(board.reached->axis, 2);
        put_sheet(results, subject, axis, board.reached->low, Role::Plane, "sweep");
        for (std::uint32_t i = 0; i < subject.nodes.size(); ++i) {
            const bv::Obb& box = subject.nodes[i];
            const float low = box.center[axis] - box.half_extents[axis],
                        high = box.center[axis] + box.half_extents[axis];
            if (i != board.reached->box && low <= board.reached->low && board.reached->low <= high)
                put_box(results, subject, i, Role::Visited, 2.0f, 0.1f, "open interval");
        }
        put_bars(results, subject, axis, board.reached->box, board.reached->box, board.reached->low);
    }
    for (const auto& [a, b] : board.found) {
        if (b >= subject.nodes.size()) continue;
        Exhibit& line =
            put(results, bv::Segment{subject.nodes[a].center, subject.nodes[b].center}, Role::Selected);
        line.width_px = 2.0f;
        line.legend = "pair found";
    }
}

}  // namespace lab::steps
