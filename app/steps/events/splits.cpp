// Steps of builders that split: candidate planes, their bins and costs, and the two halves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <vector>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "settings/role.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

/// The most bins of the builders that sort centers or triangles.
constexpr int kMaxBins = 16;
/// Values of a curve; with more planes, every few are replaced by their cheapest.
constexpr std::size_t kMaxPlanes = 240;
constexpr std::array kBinLegends = {"bins along x", "bins along y", "bins along z"};
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
/// The best plane so far, and the one chosen at the end.
constexpr Role kBest = Role::Selected;
constexpr Role kSplitNode = Role::AabbFixed;

bool has_plane(const bv::SplitEvaluated& e) {
    return e.normal != glm::vec3(0.0f);
}
std::size_t axis_of(const bv::SplitEvaluated& e) {
    return std::min<std::size_t>(e.axis, 2);
}
std::string axis_letter(const bv::SplitEvaluated& e) {
    return kAxisNames[axis_of(e)];
}

std::string boxes(std::size_t count) {
    return io::counted(count, "box", "boxes");
}

std::string goes(std::uint32_t count) {
    return io::plural(count, "goes", "go");
}

std::string cost_text(double cost) {
    return to_text(in_area(cost));
}
std::string cost_text(const bv::SplitEvaluated& e) {
    return cost_text(static_cast<double>(e.cost));
}
std::string place_text(const bv::SplitEvaluated& e) {
    return fmt::format("{} = {}", axis_letter(e), in_meters(static_cast<double>(e.offset)));
}

const std::vector<bv::Aabb>* contents_of(const Subject& subject, bv::NodeIndex node) {
    if (node.value >= subject.contents.size() || subject.contents[node.value].empty()) return nullptr;
    return &subject.contents[node.value];
}

bv::Aabb box_of(const Subject& subject, bv::NodeIndex node) {
    if (node.value >= subject.nodes.size() || subject.nodes[node.value].is_empty()) return {};
    const bv::Obb& box = subject.nodes[node.value];
    return {box.center - box.half_extents, box.center + box.half_extents};
}

bv::Aabb centers_of(const std::vector<bv::Aabb>& inside) {
    bv::Aabb centers;
    for (const bv::Aabb& box : inside)
        centers = bv::merge(centers, box.center());
    return centers;
}

/// The cost of the node without a split. Its contents must be known.
double leaf_cost(const bv::SplitEvaluated& e, const Subject& subject) {
    return static_cast<double>(box_of(subject, e.node).surface_area()) *
           static_cast<double>(contents_of(subject, e.node)->size());
}

/// The cheapest of the planes evaluated for the same node before this one, or null.
const bv::SplitEvaluated* best_before(const bv::SplitEvaluated& e, const Board& before) {
    return before.best_split && before.best_split->node == e.node ? &*before.best_split : nullptr;
}

std::size_t weighed_before(const bv::SplitEvaluated& e, const Board& before) {
    return best_before(e, before) ? before.splits.size() : 0;
}

// ---- sentences

std::string plain_sentence(const bv::SplitEvaluated& e) {
    if (has_plane(e))
        return fmt::format(
            "Node {}: the plane with normal {} and offset {}, with {} on one side and {} on the other, cuts "
            "{}: "
            "cost {}{}.",
            e.node.value, to_text(cells::vector(e.normal)), in_meters(static_cast<double>(e.offset)),
            io::counted(e.left_count, "piece", "pieces"), e.right_count,
            e.cut == 0 ? std::string("none") : std::to_string(e.cut), in_short(static_cast<double>(e.cost)),
            e.chosen ? ", the lowest: it is chosen" : "");
    return fmt::format("Node {}, along {}: {} and {} {}, cost {}{}.", e.node.value, axis_letter(e),
                       e.left_count, e.right_count, io::plural(e.left_count + e.right_count, "box", "boxes"),
                       in_short(static_cast<double>(e.cost)), e.chosen ? ", chosen" : "");
}

std::string median_sentence(const bv::SplitEvaluated& e, const std::vector<bv::Aabb>& inside) {
    const glm::dvec3 spread(centers_of(inside).size());
    if (!has_plane(e))
        return fmt::format("Node {}: the centers of its {} coincide. {} {} to the left, {} to the right.",
                           e.node.value, boxes(inside.size()), e.left_count, goes(e.left_count),
                           e.right_count);
    std::string others;
    for (std::size_t k = 0; k < 3; ++k)
        if (k != axis_of(e))
            others += fmt::format("{}{} {}", others.empty() ? "" : ", ", kAxisNames[k],
                                  in_meters(spread[static_cast<int>(k)]));
    return fmt::format(
        "Node {}: the centers of its {} spread widest along {}, {} ({}). The median is at {}: {} {} to the "
        "left, {} to the right.",
        e.node.value, boxes(inside.size()), axis_letter(e), in_meters(spread[e.axis]), others, place_text(e),
        e.left_count, goes(e.left_count), e.right_count);
}

/// The highest bit in which the first and the last code of a run differ; below zero if they are equal.
int differing_bit(const Subject& subject, const std::vector<bv::Aabb>& run) {
    const std::uint32_t differing =
        subject.morton->code(run.front().center()) ^ subject.morton->code(run.back().center());
    int bit = 31;
    while (bit >= 0 && !(differing >> bit))
        --bit;
    return bit;
}

std::string morton_sentence(const bv::SplitEvaluated& e, const Subject& subject,
                            const std::vector<bv::Aabb>& run) {
    if (!has_plane(e))
        return fmt::format("Node {}: its {} have the same code. The run is split in the middle: {} and {}.",
                           e.node.value, boxes(run.size()), e.left_count, e.right_count);
    const int bit = differing_bit(subject, run);
    return fmt::format(
        "Node {}: a run of {} on the curve. The highest bit in which their codes differ is bit {}, of {}. "
        "Split where it is set, after {}, at {}; {} {}.",
        e.node.value, boxes(run.size()), bit, axis_letter(e), boxes(e.left_count), place_text(e),
        e.right_count, io::plural(e.right_count, "follows", "follow"));
}

std::string cost_sentence(const bv::SplitEvaluated& e, const Subject& subject, const Board& before) {
    const bool cuts = *subject.split_rule == SplitRule::Spatial;
    const std::size_t count = contents_of(subject, e.node)->size();
    const std::string node =
        fmt::format("Node {}, {}", e.node.value, cuts ? io::counted(count, "part", "parts") : boxes(count));
    std::string sides = fmt::format("{} left, {} right", e.left_count, e.right_count);
    if (cuts && has_plane(e)) sides += fmt::format(", {} of them on both sides", e.cut);
    if (e.chosen) {
        const double leaf = leaf_cost(e, subject);
        const bool worse = static_cast<double>(e.cost) >= leaf;
        const std::string where = has_plane(e) ? "split at " + place_text(e)
                                  : cuts       ? "split along " + axis_letter(e) + ", nothing cut"
                                         : std::string("split by count, as no plane divides the centers");
        const std::size_t weighed = weighed_before(e, before);
        std::string rank = weighed > 1 ? fmt::format(", the lowest of {}", weighed) : "";
        if (const auto* best = best_before(e, before); best && best->cost < e.cost)
            rank = ", since cheaper planes would cut more triangles than the budget allows";
        return fmt::format("{}: {}, {}; cost {}{}. One leaf would cost {}{}.", node, where, sides,
                           cost_text(e), rank, cost_text(leaf),
                           worse && !cuts ? ", but leaves of this tree hold one box" : "");
    }
    const std::string where =
        has_plane(e) ? "plane at " + place_text(e) : "triangles kept whole, split along " + axis_letter(e);
    std::string cost = cost_text(e), rank = "the first";
    if (const auto* best = best_before(e, before)) {
        const auto [own, lowest] =
            distinct_texts(static_cast<double>(e.cost), static_cast<double>(best->cost), 3,
                           [](double value, int digits) { return to_text(in_area(value, digits)); });
        cost = own;
        rank = e.cost < best->cost
                   ? "the lowest so far"
                   : fmt::format("not below {} {}", lowest,
                                 has_plane(*best) ? "at " + place_text(*best) : "without cuts");
    }
    return fmt::format("{}: {}, {}; cost {}, {}.", node, where, sides, cost, rank);
}

std::string tell(const bv::SplitEvaluated& e, const Subject& subject, const Board& before) {
    const auto* inside = contents_of(subject, e.node);
    if (!subject.split_rule || !inside) return plain_sentence(e);
    if (*subject.split_rule == SplitRule::Median) return median_sentence(e, *inside);
    if (*subject.split_rule == SplitRule::Morton && subject.morton)
        return morton_sentence(e, subject, *inside);
    return cost_sentence(e, subject, before);
}

/// The bits of a code, from the highest down to `bit`.
std::string code_text(std::uint32_t code, int bit) {
    return fmt::format("{:0{}b}{}", code >> bit, 30 - bit, bit > 0 ? "..." : "");
}

StepValues plain_values(const bv::SplitEvaluated& e) {
    StepValues values = {{"node", cells::whole(e.node.value)},
                         {"axis", axis_letter(e)},
                         {"left", cells::whole(e.left_count)},
                         {"right", cells::whole(e.right_count)},
                         {"cost", cells::brief(static_cast<double>(e.cost))}};
    if (!has_plane(e)) return values;
    values.emplace_back("cut", cells::whole(e.cut));
    values.emplace_back("normal", cells::vector(e.normal));
    values.emplace_back("offset", cells::trimmed(static_cast<double>(e.offset)).in("m"));
    return values;
}

StepValues values_in_context(const bv::SplitEvaluated& e, const Subject& subject, const Board& before) {
    const auto* inside = contents_of(subject, e.node);
    if (!subject.split_rule || !inside) return plain_values(e);
    const bool weighs = *subject.split_rule != SplitRule::Median && *subject.split_rule != SplitRule::Morton;
    StepValues values = {
        {"node", cells::whole(e.node.value)},
        {*subject.split_rule == SplitRule::Spatial ? "parts" : "boxes", cells::whole(inside->size())},
        {"axis", axis_letter(e)}};
    if (has_plane(e)) values.emplace_back("plane", cells::trimmed(static_cast<double>(e.offset)).in("m"));
    values.emplace_back("left", cells::whole(e.left_count));
    values.emplace_back("right", cells::whole(e.right_count));
    if (*subject.split_rule == SplitRule::Spatial) values.emplace_back("on both sides", cells::whole(e.cut));
    if (*subject.split_rule == SplitRule::Median)
        values.emplace_back("spread of centers", cells::vector(centers_of(*inside).size()));
    if (*subject.split_rule == SplitRule::Morton && subject.morton && has_plane(e)) {
        const int bit = differing_bit(subject, *inside);
        values.emplace_back("highest differing bit", cells::whole(bit));
        values.emplace_back("first code", code_text(subject.morton->code(inside->front().center()), bit));
        values.emplace_back("last code", code_text(subject.morton->code(inside->back().center()), bit));
    }
    values.emplace_back("cost", in_area(static_cast<double>(e.cost)));
    values.emplace_back("cost of a leaf", in_area(leaf_cost(e, subject)));
    if (!weighs) return values;
    if (const auto* best = best_before(e, before)) {
        values.emplace_back("lowest before", in_area(static_cast<double>(best->cost)));
        if (has_plane(*best)) values.emplace_back("of the plane", place_text(*best));
    }
    values.emplace_back("evaluated before", cells::whole(weighed_before(e, before)));
    return values;
}

// ---- pictures

/// The candidate plane, as large as the node.
void draw_weighed_plane(const bv::SplitEvaluated& e, const bv::Obb& around, FrameResults& results) {
    if (around.is_empty()) return;
    PlanePatch patch;
    patch.plane = {e.normal, e.offset};
    patch.center = around.center - (glm::dot(e.normal, around.center) - e.offset) * e.normal;
    patch.half_size = 0.8f * glm::length(around.half_extents);
    Exhibit& shown = put(results, patch, e.chosen ? kBest : kNow, {}, 0.15f);
    shown.width_px = 2.0f;
    shown.legend = e.chosen ? "chosen plane" : "plane being evaluated";
}

/// A plane across an axis, cut out by the node's box.
void draw_cut(const bv::SplitEvaluated& e, bv::Aabb box, Role role, float fill, const char* legend,
              FrameResults& results) {
    if (!has_plane(e) || box.is_empty()) return;
    const int axis = static_cast<int>(axis_of(e));
    box.min[axis] = box.max[axis] = e.offset;
    Exhibit& plane = put(results, box, role, {}, fill);
    plane.width_px = 2.5f;
    plane.legend = legend;
    plane.on_top = true;
}

/// The boxes on either side, as counted.
void draw_halves(const bv::SplitEvaluated& e, const Subject& subject, std::vector<bv::Aabb> inside,
                 FrameResults& results) {
    const int axis = static_cast<int>(axis_of(e));
    if (subject.split_rule != SplitRule::Morton)
        std::stable_sort(inside.begin(), inside.end(), [axis](const bv::Aabb& a, const bv::Aabb& b) {
            return a.center()[axis] < b.center()[axis];
        });
    bv::Aabb halves[2];
    for (std::size_t i = 0; i < inside.size(); ++i)
        halves[i < e.left_count ? 0 : 1] = bv::merge(halves[i < e.left_count ? 0 : 1], inside[i]);
    for (const int side : {0, 1}) {
        if (halves[side].is_empty()) continue;
        Exhibit& half =
            put(results, halves[side], side == 0 ? Role::ProjectionA : Role::ProjectionB, {}, 0.1f);
        half.legend = side == 0 ? "left half" : "right half";
    }
}

/// The extents that the bins of a node divide, or nothing for rules without bins.
std::optional<bv::Aabb> binned_range(const Subject& subject, bv::NodeIndex node) {
    const auto* inside = contents_of(subject, node);
    if (!inside || !subject.split_rule) return std::nullopt;
    if (*subject.split_rule == SplitRule::Binned) return centers_of(*inside);
    if (*subject.split_rule == SplitRule::Spatial) return box_of(subject, node);
    return std::nullopt;
}

/// How many bins the planes of the node separate; 0 if it has none.
int bins_of(const Board& board) {
    for (const bv::SplitEvaluated& split : board.splits)
        if (split.bins > 0) return std::min<int>(split.bins, kMaxBins);
    return 0;
}

/// A row of bars at an edge of the node for each axis: how many centers are in each bin.
void draw_bins(const bv::SplitEvaluated& e, const Subject& subject, const Board& after,
               FrameResults& results) {
    const std::optional<bv::Aabb> range = binned_range(subject, e.node);
    const int bins = bins_of(after);
    if (!range || bins == 0) return;
    const auto& inside = *contents_of(subject, e.node);
    const bv::Aabb box = box_of(subject, e.node);
    const float longest = 0.22f * glm::length(box.size());
    for (int axis = 0; axis < 3; ++axis) {
        const float low = range->min[axis], extent = range->max[axis] - low;
        if (!(extent > 0.0f)) continue;
        std::array<std::uint32_t, kMaxBins> count{};
        std::uint32_t highest = 1;
        for (const bv::Aabb& b : inside) {
            const float share = (b.center()[axis] - low) / extent;
            const auto bin = static_cast<std::size_t>(
                std::clamp(share * static_cast<float>(bins), 0.0f, static_cast<float>(bins - 1)));
            highest = std::max(highest, ++count[bin]);
        }
        // Along x and z in front of and beside the node on its ground, along y upright to its left.
        const int out = axis == 0 ? 2 : 0;
        const float edge = axis == 1 ? box.min[out] : box.max[out];
        const float toward = axis == 1 ? -1.0f : 1.0f;
        for (int bin = 0; bin < bins; ++bin) {
            const float share =
                static_cast<float>(count[static_cast<std::size_t>(bin)]) / static_cast<float>(highest);
            const float length = longest * std::max(share, 0.03f);
            bv::Aabb bar{box.min, box.min};
            if (axis == 1) bar.min.z = bar.max.z = box.max.z;
            bar.min[axis] = low + extent * static_cast<float>(bin) / static_cast<float>(bins);
            bar.max[axis] = low + extent * static_cast<float>(bin + 1) / static_cast<float>(bins);
            bar.min[out] = std::min(edge, edge + toward * length);
            bar.max[out] = std::max(edge, edge + toward * length);
            const bool asked = static_cast<std::size_t>(axis) == axis_of(e);
            Exhibit& shown = put(results, bar, kAxisRoles[static_cast<std::size_t>(axis)], {},
                                 share > 0.0f ? (asked ? 0.55f : 0.25f) : 0.0f);
            shown.width_px = asked ? 1.6f : 1.0f;
            shown.legend = kBinLegends[static_cast<std::size_t>(axis)];
        }
    }
}

/// The position of a plane in its axis' curve.
std::optional<std::size_t> place_in_curve(const bv::SplitEvaluated& e, const std::optional<bv::Aabb>& range,
                                          int bins) {
    if (!has_plane(e)) return std::nullopt;
    if (!range) return e.left_count - 1;
    const int axis = static_cast<int>(axis_of(e));
    const float extent = range->max[axis] - range->min[axis];
    if (!(extent > 0.0f)) return std::nullopt;
    const long bin = std::lround((e.offset - range->min[axis]) / extent * static_cast<float>(bins)) - 1;
    if (bin < 0 || bin >= bins - 1) return std::nullopt;
    return static_cast<std::size_t>(bin);
}

/// The costs of all planes evaluated for a node so far, a line for each axis.
void chart_costs(const bv::SplitEvaluated& e, const Subject& subject, const Board& after,
                 FrameResults& results) {
    const std::optional<bv::Aabb> range = binned_range(subject, e.node);
    const int bins = bins_of(after);
    if (range && bins == 0) return;
    const std::size_t planes =
        range ? static_cast<std::size_t>(bins) - 1 : contents_of(subject, e.node)->size() - 1;
    if (planes == 0) return;
    const std::size_t shown = std::min(planes, kMaxPlanes);
    LineChart chart;
    chart.title = "Cost, m²";
    chart.span = fmt::format("over {} per axis", io::counted(planes, "plane", "planes"));
    chart.capacity = shown;
    const std::vector<float> none(shown, kNone);
    for (std::size_t axis = 0; axis < 3; ++axis)
        chart.lines.push_back({kAxisNames[axis], kAxisRoles[axis], none, {}});
    const auto mark = [&](std::vector<float>& values, const bv::SplitEvaluated& split) {
        const auto place = place_in_curve(split, range, bins);
        if (!place || *place >= planes) return;
        float& value = values[*place * shown / planes];
        value = std::isnan(value) ? split.cost : std::min(value, split.cost);
    };
    for (const bv::SplitEvaluated& split : after.splits)
        if (!split.chosen) mark(chart.lines[axis_of(split)].values, split);
    LineChart::Line now{e.chosen ? "taken: " + place_text(e) : "now", e.chosen ? kBest : kNow, none, {}};
    mark(now.values, e);
    if (std::none_of(after.splits.begin(), after.splits.end(), has_plane)) return;
    if (has_plane(e)) chart.lines.push_back(std::move(now));
    if (!e.chosen && after.best_split && has_plane(*after.best_split)) {
        LineChart::Line least{"lowest: " + place_text(*after.best_split), kBest, none, {}};
        mark(least.values, *after.best_split);
        chart.lines.push_back(std::move(least));
    }
    results.line_charts.push_back(std::move(chart));
}

/// How far the centers spread along each axis, from the lowest on; then the two parts of the widest.
void chart_median(const bv::SplitEvaluated& e, const std::vector<bv::Aabb>& inside, FrameResults& results) {
    const bv::Aabb centers = centers_of(inside);
    const std::size_t widest = axis_of(e);
    const int axis = static_cast<int>(widest);
    IntervalChart chart;
    chart.title = "Spread of the centers";
    chart.unit = "m";
    chart.max = centers.size()[axis];
    if (!(chart.max > 0.0f)) return;
    for (std::size_t k = 0; k < 3; ++k) {
        const float spread = centers.size()[static_cast<int>(k)];
        chart.rows.push_back({kAxisNames[k], 0.0f, spread, k == widest ? kBest : Role::Muted,
                              in_meters(static_cast<double>(spread)) + (k == widest ? ", widest" : "")});
    }
    const float median = e.offset - centers.min[axis];
    chart.rows.push_back({"left", 0.0f, median, Role::ProjectionA, boxes(e.left_count)});
    chart.rows.push_back({"right", median, chart.max, Role::ProjectionB, boxes(e.right_count)});
    results.charts.push_back(std::move(chart));
}

/// The cells whose codes agree with this one in all but their `free` lowest bits, which is a box.
bv::Aabb cells_of(const bv::Aabb& grid, std::uint32_t code, int free) {
    bv::Aabb box;
    for (int k = 0; k < 3; ++k) {
        std::uint32_t first = 0, count = 1;
        for (int bit = 2 - k; bit < 30; bit += 3) {
            if (bit < free)
                count *= 2;
            else
                first |= (code >> bit & 1u) << (bit / 3);
        }
        const float cell = (grid.max[k] - grid.min[k]) / 1024.0f;
        box.min[k] = grid.min[k] + static_cast<float>(first) * cell;
        box.max[k] = grid.min[k] + static_cast<float>(first + count) * cell;
    }
    return box;
}

/// All boxes: the contents of the first node that has any, or null if none has.
const std::vector<bv::Aabb>* all_boxes(const Subject& subject) {
    const auto first = std::find_if(subject.contents.begin(), subject.contents.end(),
                                    [](const std::vector<bv::Aabb>& c) { return !c.empty(); });
    return first == subject.contents.end() ? nullptr : &*first;
}

/// The part of the grid that holds the run, in two halves: where the bit is 0, and where it is 1.
void draw_cells(const Subject& subject, const std::vector<bv::Aabb>& run, FrameResults& results) {
    if (!subject.morton) return;
    const int bit = differing_bit(subject, run);
    if (bit < 0) return;
    const std::uint32_t code = subject.morton->code(run.front().center());
    for (const std::uint32_t value : {0u, 1u}) {
        Exhibit& cells =
            put(results, cells_of(subject.morton_bounds, (code & ~(1u << bit)) | value << bit, bit),
                value == 0 ? Role::Plane : Role::Kdop, fmt::format("bit {} = {}", bit, value), 0.06f);
        cells.width_px = 1.5f;
        cells.legend = value == 0 ? "cells where the bit is 0" : "cells where the bit is 1";
    }
}

void draw_builder_split(const bv::SplitEvaluated& e, const StepContext& c, FrameResults& results) {
    const bv::Aabb box = box_of(c.subject, e.node);
    Exhibit& node = put(results, box, kSplitNode);
    node.legend = "node being split";
    node.label = fmt::format("node {}", e.node.value);
    const auto& inside = *contents_of(c.subject, e.node);
    // Where the scene shows dots, the boxes of a small node have space for their edges.
    if (inside.size() <= kMaxOutlines && all_boxes(c.subject)->size() > kMaxOutlines)
        put_boxes(results, inside, Role::TreeLeaf, 1.0f, "boxes of the node");
    if (!has_plane(e) || c.subject.split_rule != SplitRule::Spatial)
        draw_halves(e, c.subject, inside, results);
    const auto* best = best_before(e, c.before);
    if (!e.chosen && best && best->cost <= e.cost)
        draw_cut(*best, box, kBest, 0.05f, "cheapest plane so far", results);
    draw_cut(e, box, e.chosen ? kBest : kNow, 0.25f, e.chosen ? "chosen plane" : "plane being evaluated",
             results);
    draw_bins(e, c.subject, c.after, results);
    if (inside.size() < 2) return;
    if (c.subject.split_rule == SplitRule::Median) {
        if (has_plane(e)) chart_median(e, inside, results);
        return;
    }
    if (c.subject.split_rule != SplitRule::Morton) return chart_costs(e, c.subject, c.after, results);
    if (has_plane(e)) draw_cells(c.subject, inside, results);
    put_curve(results, inside, Role::Visited, 2.5f, "run being split");
}

/// The nodes split before that contain this one.
void draw_path(const bv::Aabb& now, const Board& board, const Subject& subject, FrameResults& results) {
    for (const bv::NodeIndex node : board.split_nodes) {
        const bv::Aabb box = box_of(subject, node);
        if (box.is_empty() || box == now || bv::merge(box, now) != box) continue;
        Exhibit& shown = put(results, box, Role::Muted);
        shown.width_px = 1.0f;
        shown.legend = "enclosing nodes, split before";
    }
}

}  // namespace

template <>
const EventSpec<bv::SplitEvaluated>& event_spec<bv::SplitEvaluated>() {
    static constexpr EventSpec<bv::SplitEvaluated> kRow{
        .id = "split_evaluated",
        .variant = [](const bv::SplitEvaluated& e) -> int {
            return (has_plane(e) ? 2 : 0) + (e.chosen ? 1 : 0);
        },
        .sentence = plain_sentence,
        .values = plain_values,
        .sentence_in_context = tell,
        .values_in_context = values_in_context,
        .quantity = [](const bv::SplitEvaluated& e, const Subject&, const Board&) -> std::optional<double> {
            return e.cost;
        },
        .draw =
            [](const bv::SplitEvaluated& e, const StepContext& c, FrameResults& results) {
                if (c.subject.split_rule && contents_of(c.subject, e.node))
                    return draw_builder_split(e, c, results);
                if (e.node.value >= c.subject.nodes.size()) return;
                const bv::Obb& node = c.subject.nodes[e.node.value];
                Exhibit& shown = put(results, node, kSplitNode);
                shown.legend = "node being split";
                if (has_plane(e)) draw_weighed_plane(e, node, results);
            },
    };
    return kRow;
}

void draw_splits(const Board& board, const Subject& subject, FrameResults& results) {
    if (!subject.split_rule) return;
    const bool is_done = results.walk && results.walk->number == 0;
    if (!board.splits.empty() && !is_done)
        draw_path(box_of(subject, board.splits.back().node), board, subject, results);
    if (*subject.split_rule != SplitRule::Morton || subject.contents.empty()) return;
    const std::vector<bv::Aabb>* whole = all_boxes(subject);
    if (!whole || whole->size() < 2) return;
    // Also at the result, among nodes in the colors of their depths.
    put_curve(results, *whole, Role::Normal, 1.2f, "order along the Morton curve");
}

}  // namespace lab::steps
