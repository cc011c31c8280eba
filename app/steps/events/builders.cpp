// Steps of builders that do more than halve boxes: planes that cut triangles, and clusters that merge from
// below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "io/text/counted.hpp"
#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

using Choice = bv::ReferenceSplit::Choice;

void put_box(FrameResults& results, const bv::Aabb& box, Role role, float width, float fill,
             const char* legend) {
    if (box.is_empty()) return;
    Exhibit& shown = put(results, box, role, {}, fill);
    shown.width_px = width;
    shown.legend = legend;
}

void put_arrow(FrameResults& results, const bv::Aabb& from, const bv::Aabb& to, Role role, float width,
               const char* legend) {
    if (from.is_empty() || to.is_empty()) return;
    Exhibit& shown = put(results, bv::Segment{from.center(), to.center()}, role);
    shown.width_px = width;
    shown.on_top = true;
    shown.legend = legend;
}

double area_of(const bv::Aabb& box) {
    return static_cast<double>(box.surface_area());
}

}  // namespace

template <>
const EventSpec<bv::ReferenceSplit>& event_spec<bv::ReferenceSplit>() {
    static constexpr EventSpec<bv::ReferenceSplit> kRow{
        .id = "reference_split",
        .variant = [](const bv::ReferenceSplit& e) -> int { return static_cast<int>(e.choice); },
        .sentence = [](const bv::ReferenceSplit& e) -> std::string {
            static constexpr const char* kChoices[] = {"it stays whole on the low side",
                                                       "it stays whole on the high side", "it is clipped"};
            return fmt::format(
                "Triangle {} crosses the plane. Cost as a whole on the low side {}, on the high side {}, "
                "clipped {} m²: {}.",
                e.triangle, in_short(static_cast<double>(e.cost_low)),
                in_short(static_cast<double>(e.cost_high)), in_short(static_cast<double>(e.cost_both)),
                kChoices[static_cast<std::size_t>(e.choice)]);
        },
        .values = [](const bv::ReferenceSplit& e) -> StepValues {
            return {{"triangle", cells::whole(e.triangle)},
                    {"cost, low side", cells::brief(static_cast<double>(e.cost_low))},
                    {"cost, high side", cells::brief(static_cast<double>(e.cost_high))},
                    {"cost, both sides", cells::brief(static_cast<double>(e.cost_both))},
                    {"low part", cells::brief(area_of(e.low)).in("m²")},
                    {"high part", cells::brief(area_of(e.high)).in("m²")}};
        },
        .quantity = [](const bv::ReferenceSplit& e, const Subject&, const Board&) -> std::optional<double> {
            return std::min({e.cost_low, e.cost_high, e.cost_both});
        },
        .draw =
            [](const bv::ReferenceSplit& e, const StepContext& c, FrameResults& results) {
                put_box(results, bv::merge(e.low, e.high), kRejected, 2.0f, 0.0f, "its box, whole");
                put_box(results, e.low, Role::ProjectionA, 3.0f, 0.15f, "box of its low part");
                put_box(results, e.high, Role::ProjectionB, 3.0f, 0.15f, "box of its high part");
                if (e.triangle >= c.subject.triangles.size()) return;
                Exhibit& triangle = put(results, c.subject.triangles[e.triangle], kNow, {}, 0.8f);
                triangle.width_px = 3.0f;
                triangle.on_top = true;
                triangle.legend = "triangle that crosses the plane";
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::NeighborFound>& event_spec<bv::NeighborFound>() {
    static constexpr EventSpec<bv::NeighborFound> kRow{
        .id = "neighbor_found",
        .variant = [](const bv::NeighborFound& e) -> int { return e.mutual ? 1 : 0; },
        .sentence = [](const bv::NeighborFound& e) -> std::string {
            const std::uint32_t apart =
                std::max(e.place, e.neighbor_place) - std::min(e.place, e.neighbor_place);
            return fmt::format(
                "Cluster {}: the smallest joint box is with cluster {}, {} away on the curve: {} m²{}.",
                e.cluster.value, e.neighbor.value, io::counted(apart, "place", "places"),
                in_short(area_of(bv::merge(e.box, e.neighbor_box))),
                e.mutual ? ", and the choice is mutual" : "; but that one chose another");
        },
        .values = [](const bv::NeighborFound& e) -> StepValues {
            return {{"cluster", cells::whole(e.cluster.value)},
                    {"neighbor", cells::whole(e.neighbor.value)},
                    {"place", cells::whole(e.place)},
                    {"its place", cells::whole(e.neighbor_place)},
                    {"joint area", cells::brief(area_of(bv::merge(e.box, e.neighbor_box))).in("m²")},
                    {"mutual", cells::yes_or_no(e.mutual)}};
        },
        .quantity = [](const bv::NeighborFound& e, const Subject&, const Board&) -> std::optional<double> {
            return area_of(bv::merge(e.box, e.neighbor_box));
        },
        .draw =
            [](const bv::NeighborFound& e, const StepContext&, FrameResults& results) {
                put_box(results, bv::merge(e.box, e.neighbor_box), Role::Selected, 2.0f, 0.05f,
                        "box around both");
                put_box(results, e.box, kNow, 3.0f, 0.25f, "cluster that chooses");
                put_box(results, e.neighbor_box, Role::ProjectionB, 3.0f, 0.25f, "its nearest neighbor");
                put_arrow(results, e.box, e.neighbor_box, kNow, 4.0f, "its choice");
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::ClustersMerged>& event_spec<bv::ClustersMerged>() {
    static constexpr EventSpec<bv::ClustersMerged> kRow{
        .id = "clusters_merged",
        .sentence = [](const bv::ClustersMerged& e) -> std::string {
            return fmt::format(
                "Clusters {} and {} chose each other and merge into cluster {} of {} m². {} {}.",
                e.first.value, e.second.value, e.parent.value, in_short(area_of(e.box)), e.left,
                io::plural(e.left, "cluster is left: the root", "clusters are left"));
        },
        .values = [](const bv::ClustersMerged& e) -> StepValues {
            return {{"first", cells::whole(e.first.value)},
                    {"second", cells::whole(e.second.value)},
                    {"becomes", cells::whole(e.parent.value)},
                    {"area", cells::brief(area_of(e.box)).in("m²")},
                    {"left", cells::whole(e.left)}};
        },
        .quantity = [](const bv::ClustersMerged& e, const Subject&, const Board&) -> std::optional<double> {
            return area_of(e.box);
        },
        .draw =
            [](const bv::ClustersMerged& e, const StepContext& c, FrameResults& results) {
                put_box(results, e.box, kNow, 3.0f, 0.12f, "merged cluster");
                for (const auto& [node, box] : c.before.clusters) {
                    if (node == e.first.value)
                        put_box(results, box, Role::ProjectionA, 2.5f, 0.2f, "first child");
                    if (node == e.second.value)
                        put_box(results, box, Role::Normal, 2.5f, 0.2f, "second child");
                }
            },
    };
    return kRow;
}

void draw_builders(const Board& board, const Subject& subject, FrameResults& results) {
    /// Only the newest choices and clipped triangles are drawn: more could not be told apart.
    constexpr std::size_t kNewest = 150;
    const auto newest = [](const auto& events) {
        return events.size() > kNewest ? events.size() - kNewest : std::size_t{0};
    };
    for (std::size_t i = newest(board.references); i < board.references.size(); ++i) {
        const bv::ReferenceSplit& e = board.references[i];
        if (e.choice != Choice::Both) continue;
        put_box(results, e.low, Role::ProjectionA, 1.0f, 0.0f, "low parts clipped before");
        put_box(results, e.high, Role::ProjectionB, 1.0f, 0.0f, "high parts clipped before");
    }
    if (subject.clusters.empty()) return;
    std::vector<bv::Aabb> boxes;
    for (const auto& [node, box] : board.clusters)
        boxes.push_back(box);
    put_boxes(results, boxes, Role::TreeNode, 1.0f, "clusters");
    put_curve(results, boxes, Role::Visited, 2.5f, "order along the Morton curve");
    for (std::size_t i = newest(board.neighbors); i < board.neighbors.size(); ++i) {
        const bv::NeighborFound& e = board.neighbors[i];
        put_arrow(results, e.box, e.neighbor_box, e.mutual ? Role::Kdop : kRejected, 2.0f,
                  e.mutual ? "mutual choice" : "choice not returned");
    }
}

}  // namespace lab::steps
