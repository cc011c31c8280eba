// Steps of searches for pairs of boxes: cells, tests, and tests that a rule spares.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/events/search_parts.hpp"

namespace lab::steps {

std::string joined(const std::vector<std::uint32_t>& boxes) {
    std::string text;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == boxes.size() ? " and " : ", ", boxes[i]);
    return text;
}

std::optional<double> tests_so_far(const Board& after) {
    return static_cast<double>(after.tests.size());
}

bool looks_ahead(const Subject& subject) {
    return subject.ends[0].empty();
}

void put_box(FrameResults& results, const Subject& subject, std::uint32_t index, Role role, float width,
             float fill, const char* legend) {
    if (index >= subject.nodes.size() || subject.nodes[index].is_empty()) return;
    std::string number = fmt::format("{}", index);
    std::erase_if(results.exhibits, [&](const Exhibit& e) {
        const auto* shown = std::get_if<bv::Obb>(&e.shape);
        return shown && e.label == number && shown->center == subject.nodes[index].center;
    });
    Exhibit& box = put(results, subject.nodes[index], role, std::move(number), fill);
    box.width_px = width;
    box.legend = legend;
}

namespace {

using PairVerdict = bv::BoxesTested::Verdict;
constexpr Role kFound = Role::Kdop;

/// The gap of two boxes along the axis where it is largest; negative: they overlap at least that much.
struct Gap {
    float meters = -std::numeric_limits<float>::infinity();
    int axis = 0;
};
std::optional<Gap> gap_between(const Subject& subject, std::uint32_t a, std::uint32_t b) {
    if (std::max(a, b) >= subject.boxes.size()) return std::nullopt;
    Gap largest;
    for (int k = 0; k < 3; ++k) {
        const bv::Aabb &first = subject.boxes[a], &second = subject.boxes[b];
        const float gap = std::max(second.min[k] - first.max[k], first.min[k] - second.max[k]);
        if (gap > largest.meters) largest = {gap, k};
    }
    return largest;
}

void put_now(FrameResults& results, const StepContext& c, std::uint32_t a, std::uint32_t b,
             PairVerdict verdict) {
    const Role role = verdict == PairVerdict::Pair        ? kFound
                      : verdict == PairVerdict::Duplicate ? Role::Normal
                                                          : kRejected;
    put_box(results, c.subject, a, kNow, 3.0f, 0.15f, "being tested");
    put_box(results, c.subject, b, kNow, 3.0f, 0.15f, "being tested");
    if (std::max(a, b) >= c.subject.nodes.size()) return;
    Exhibit& line = put(results, bv::Segment{c.subject.nodes[a].center, c.subject.nodes[b].center}, role);
    line.width_px = 3.0f;
    line.on_top = true;
    line.legend = verdict == PairVerdict::Apart  ? "tested: apart"
                  : verdict == PairVerdict::Pair ? "pair found"
                                                 : "counted in another cell";
}

const bv::CellFilled* cell_of(const Board& board, std::uint32_t number) {
    const auto at = std::find_if(board.cells.begin(), board.cells.end(),
                                 [&](const bv::CellFilled& c) { return c.number == number; });
    return at == board.cells.end() ? nullptr : &*at;
}

std::string filled_sentence(const bv::CellFilled& e) {
    return fmt::format("Box {} goes into cell {}, which now holds {}.", e.box, e.number,
                       io::counted(e.boxes, "box", "boxes"));
}

/// The numbers of the other cells that the hash keeps in the same bucket.
std::vector<std::uint32_t> others_in_bucket(const bv::CellFilled& e, const Board& before) {
    std::vector<std::uint32_t> others;
    if (e.bucket == bv::CellFilled::kNoBucket) return others;
    for (const bv::CellFilled& cell : before.cells)
        if (cell.bucket == e.bucket && cell.number != e.number) others.push_back(cell.number);
    return others;
}

std::string filled_sentence_in_context(const bv::CellFilled& e, const Subject&, const Board& before) {
    const std::vector<std::uint32_t> others = others_in_bucket(e, before);
    if (others.empty()) return filled_sentence(e);
    return fmt::format("{} Its bucket in the hash, {}, also holds {} {}.", filled_sentence(e), e.bucket,
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
const EventSpec<bv::CellFilled>& event_spec<bv::CellFilled>() {
    static constexpr EventSpec<bv::CellFilled> kRow{
        .id = "cell_filled",
        .sentence = filled_sentence,
        .values = filled_values,
        .sentence_in_context = filled_sentence_in_context,
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

std::string tested_sentence(const bv::BoxesTested& e) {
    const char* verdict = e.verdict == PairVerdict::Pair ? "they overlap, a pair"
                          : e.verdict == PairVerdict::Apart
                              ? "apart"
                              : "they overlap, but another cell counts the pair";
    return fmt::format("Boxes {} and {} are tested{}: {}.", e.a, e.b, place_of(e), verdict);
}

/// The sentence with the distance that decided and, in a sweep, the reason for the test.
std::string tested_sentence_in_context(const bv::BoxesTested& e, const Subject& subject,
                                       const Board& before) {
    const std::optional<Gap> gap = gap_between(subject, e.a, e.b);
    if (!gap || (gap->meters > 0) != (e.verdict == PairVerdict::Apart)) return tested_sentence(e);
    const bool ahead = before.reached && before.reached->box == e.a && looks_ahead(subject);
    const std::string boxes =
        ahead ? fmt::format("Box {} begins before box {} ends, so they are tested", e.b, e.a)
              : fmt::format("Boxes {} and {} are tested{}", e.a, e.b, place_of(e));
    const std::string by = in_meters(std::abs(static_cast<double>(gap->meters)));
    const char* const along = kAxisNames[gap->axis];
    if (e.verdict == PairVerdict::Apart) return fmt::format("{}: {} apart along {}.", boxes, by, along);
    if (gap->meters == 0)
        return fmt::format(
            "{}: they touch, along {}{}.", boxes, along,
            e.verdict == PairVerdict::Pair ? ": a pair" : ", but another cell counts the pair");
    return fmt::format("{}: they overlap, least along {}, by {}{}.", boxes, along, by,
                       e.verdict == PairVerdict::Pair ? ": a pair" : ", but another cell counts the pair");
}

StepValues tested_values(const bv::BoxesTested& e) {
    StepValues values = {{"a", cells::whole(e.a)},
                         {"b", cells::whole(e.b)},
                         {"overlap", cells::yes_or_no(e.verdict != PairVerdict::Apart)}};
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
const EventSpec<bv::BoxesTested>& event_spec<bv::BoxesTested>() {
    static constexpr EventSpec<bv::BoxesTested> kRow{
        .id = "boxes_tested",
        .variant = [](const bv::BoxesTested& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = tested_sentence,
        .values = tested_values,
        .sentence_in_context = tested_sentence_in_context,
        .values_in_context = tested_values_among,
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
const EventSpec<bv::PairSpared>& event_spec<bv::PairSpared>() {
    static constexpr EventSpec<bv::PairSpared> kRow{
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

/// The edges of cells of one grid: each shared edge once, and edges in line joined into one piece.
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

}  // namespace

void draw_searches(const Board& board, const Subject& subject, FrameResults& results) {
    constexpr std::size_t kMaxStrong = 100, kMaxLines = 400;  // for more pairs, thin lines or dots
    draw_cells(board.cells, results);
    draw_sweep(board, subject, results);
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
