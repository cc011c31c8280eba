// Trees: traversals, insertions, rotations and splits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <unordered_map>

#include "results/put.hpp"
#include "steps/telling.hpp"

namespace lab::steps {
namespace {

/// Nodes decided before are drawn up to this many, the newest ones: more could not be told apart.
constexpr std::size_t kMaxDecided = 1500;

const bv::Obb* box_of(const std::vector<bv::Obb>& nodes, bv::NodeIndex node) {
    return node.value < nodes.size() ? &nodes[node.value] : nullptr;
}

void put_box(FrameResults& results, const bv::Obb* box, Role role, float width, float fill = 0.0f,
             const char* legend = "") {
    if (!box || box->is_empty()) return;
    Exhibit& exhibit = put(results, *box, role, {}, fill);
    exhibit.width_px = width;
    exhibit.legend = legend;
}

std::string node_name(bv::NodeIndex node) {
    return fmt::format("node {}", node.value);
}

template <class Event>
std::size_t first_shown(const std::vector<Event>& events) {
    return events.size() > kMaxDecided ? events.size() - kMaxDecided : 0;
}

constexpr std::array<const char*, 6> kRotations = {"the left child and the right child's left child",
                                                   "the left child and the right child's right child",
                                                   "the right child and the left child's left child",
                                                   "the right child and the left child's right child",
                                                   "a grandchild on the left and the right one's left",
                                                   "a grandchild on the left and the right one's right"};

/// The plane between both halves, and the boxes on either side of it.
void draw_halves(const bv::SplitEvaluated& e, const Subject& subject, FrameResults& results) {
    if (e.node.value >= subject.contents.size()) return;
    std::vector<bv::Aabb> boxes = subject.contents[e.node.value];
    const int axis = std::min<int>(e.axis, 2);
    std::stable_sort(boxes.begin(), boxes.end(), [axis](const bv::Aabb& a, const bv::Aabb& b) {
        return a.center()[axis] < b.center()[axis];
    });
    bv::Aabb halves[2];
    for (std::size_t i = 0; i < boxes.size(); ++i)
        halves[i < e.left_count ? 0 : 1] = bv::merge(halves[i < e.left_count ? 0 : 1], boxes[i]);
    for (const int side : {0, 1}) {
        if (halves[side].is_empty()) continue;
        Exhibit& half =
            put(results, halves[side], side == 0 ? Role::ProjectionA : Role::ProjectionB, {}, 0.1f);
        half.legend = side == 0 ? "left half" : "right half";
    }
    if (e.left_count == 0 || e.left_count >= boxes.size()) return;
    const float low = boxes[e.left_count - 1].center()[axis], high = boxes[e.left_count].center()[axis];
    const bv::Aabb whole = bv::merge(halves[0], halves[1]);
    PlanePatch patch;
    glm::vec3 normal(0.0f);
    normal[axis] = 1.0f;
    patch.plane = {normal, 0.5f * (low + high)};
    patch.center = whole.center();
    patch.half_size = 0.4f * glm::length(whole.size());
    put(results, patch, Role::Plane, {}, 0.1f).width_px = 1.5f;
}

}  // namespace

template <>
const Telling<bv::NodeVisited>& telling<bv::NodeVisited>() {
    static constexpr Telling<bv::NodeVisited> kRow{
        .id = "node_visited",
        .variant = [](const bv::NodeVisited& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::NodeVisited& e) -> std::string {
            using Verdict = bv::NodeVisited::Verdict;
            const std::string node = fmt::format("{} at depth {}", node_name(e.node), e.depth);
            switch (e.verdict) {
                case Verdict::Entered:
                    return fmt::format("The query enters {}.", node);
                case Verdict::Culled:
                    return fmt::format("It skips {} and all below.", node);
                case Verdict::LeafTested:
                    return fmt::format("It tests what is in the leaf {}: no hit.", node);
                case Verdict::LeafHit:
                    return fmt::format("It tests what is in the leaf {}: a hit.", node);
            }
            return {};
        },
        .values = [](const bv::NodeVisited& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"depth", cells::whole(e.depth)},
                    {"t enter", cells::trimmed(static_cast<double>(e.t_enter))}};
        },
        .quantity = [](const bv::NodeVisited& e, const Subject&, const Board&) -> std::optional<double> {
            return e.depth;
        },
        .draw =
            [](const bv::NodeVisited& e, const StepContext& c, FrameResults& results) {
                put_box(results, box_of(c.subject.nodes, e.node), kNow, 3.0f, 0.12f, "looked at now");
            },
    };
    return kRow;
}

template <>
const Telling<bv::VolumesTested>& telling<bv::VolumesTested>() {
    static constexpr Telling<bv::VolumesTested> kRow{
        .id = "volumes_tested",
        .variant = [](const bv::VolumesTested& e) -> int { return e.overlap ? 1 : 0; },
        .sentence = [](const bv::VolumesTested& e) -> std::string {
            return fmt::format(
                "Node {} of A at depth {} and node {} of B at depth {}: {}.", e.a.value, e.depth_a, e.b.value,
                e.depth_b,
                e.overlap ? "they overlap, so one of them is opened" : "apart, with all below them");
        },
        .values = [](const bv::VolumesTested& e) -> StepValues {
            return {{"node of A", cells::whole(e.a.value)},
                    {"node of B", cells::whole(e.b.value)},
                    {"depth in A", cells::whole(e.depth_a)},
                    {"depth in B", cells::whole(e.depth_b)},
                    {"overlap", cells::yes_or_no(e.overlap)}};
        },
        .quantity = [](const bv::VolumesTested& e, const Subject&, const Board&) -> std::optional<double> {
            return e.depth_a + e.depth_b;
        },
        .draw =
            [](const bv::VolumesTested& e, const StepContext& c, FrameResults& results) {
                put_box(results, box_of(c.subject.nodes, e.a), Role::ProjectionA, 3.0f, 0.1f, "node of A");
                put_box(results, box_of(c.subject.nodes_b, e.b), Role::ProjectionB, 3.0f, 0.1f, "node of B");
            },
    };
    return kRow;
}

template <>
const Telling<bv::SiblingConsidered>& telling<bv::SiblingConsidered>() {
    static constexpr Telling<bv::SiblingConsidered> kRow{
        .id = "sibling_considered",
        .variant = [](const bv::SiblingConsidered& e) -> int { return e.chosen ? 1 : 0; },
        .sentence = [](const bv::SiblingConsidered& e) -> std::string {
            const double direct = static_cast<double>(e.direct), inherited = static_cast<double>(e.inherited);
            return fmt::format("Beside node {}: {} for the new parent and {} for its ancestors make {} m²{}.",
                               e.node.value, in_short(direct), in_short(inherited),
                               in_short(direct + inherited),
                               e.chosen ? ", the least so far" : ", not less than the best");
        },
        .values = [](const bv::SiblingConsidered& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"direct", cells::trimmed(static_cast<double>(e.direct)).in("m²")},
                    {"inherited", cells::trimmed(static_cast<double>(e.inherited)).in("m²")},
                    {"lower bound", cells::trimmed(static_cast<double>(e.lower_bound)).in("m²")}};
        },
        .quantity = [](const bv::SiblingConsidered& e, const Subject&,
                       const Board&) -> std::optional<double> {
            return static_cast<double>(e.direct) + static_cast<double>(e.inherited);
        },
        .draw =
            [](const bv::SiblingConsidered& e, const StepContext& c, FrameResults& results) {
                put_box(results, box_of(c.subject.nodes, e.node), kNow, 3.0f, 0.12f, "considered now");
            },
    };
    return kRow;
}

template <>
const Telling<bv::Rotated>& telling<bv::Rotated>() {
    static constexpr Telling<bv::Rotated> kRow{
        .id = "rotated",
        .sentence = [](const bv::Rotated& e) -> std::string {
            const double before = static_cast<double>(e.cost_before),
                         after = static_cast<double>(e.cost_after);
            return fmt::format("At {} {} change places: {} becomes {} m².", node_name(e.node),
                               kRotations[std::min<std::size_t>(e.kind, 5)], in_short(before),
                               in_short(after));
        },
        .values = [](const bv::Rotated& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"kind", cells::whole(static_cast<int>(e.kind))},
                    {"before", cells::trimmed(static_cast<double>(e.cost_before)).in("m²")},
                    {"after", cells::trimmed(static_cast<double>(e.cost_after)).in("m²")}};
        },
        .quantity = [](const bv::Rotated& e, const Subject&, const Board&) -> std::optional<double> {
            return e.cost_after;
        },
        .draw =
            [](const bv::Rotated& e, const StepContext& c, FrameResults& results) {
                put_box(results, box_of(c.subject.nodes, e.node), kNow, 3.0f, 0.12f, "rotated now");
            },
    };
    return kRow;
}

template <>
const Telling<bv::SplitEvaluated>& telling<bv::SplitEvaluated>() {
    static constexpr Telling<bv::SplitEvaluated> kRow{
        .id = "split_evaluated",
        .variant = [](const bv::SplitEvaluated& e) -> int { return e.chosen ? 1 : 0; },
        .sentence = [](const bv::SplitEvaluated& e) -> std::string {
            return fmt::format("Node {}: along {}, {} and {} {}: cost {}{}.", e.node.value,
                               "xyz"[std::min<int>(e.axis, 2)], e.left_count, e.right_count,
                               e.left_count + e.right_count == 1 ? "box" : "boxes",
                               in_short(static_cast<double>(e.cost)), e.chosen ? ", chosen" : "");
        },
        .values = [](const bv::SplitEvaluated& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"axis", std::string(1, "xyz"[std::min<int>(e.axis, 2)])},
                    {"left", cells::whole(e.left_count)},
                    {"right", cells::whole(e.right_count)},
                    {"cost", cells::trimmed(static_cast<double>(e.cost))}};
        },
        .quantity = [](const bv::SplitEvaluated& e, const Subject&, const Board&) -> std::optional<double> {
            return e.cost;
        },
        .draw =
            [](const bv::SplitEvaluated& e, const StepContext& c, FrameResults& results) {
                put_box(results, box_of(c.subject.nodes, e.node), kNow, 3.0f, 0.08f, "split now");
                draw_halves(e, c.subject, results);
            },
    };
    return kRow;
}

void draw_trees(const Board& board, const Subject& subject, FrameResults& results) {
    using Verdict = bv::NodeVisited::Verdict;
    for (std::size_t i = first_shown(board.visited); i < board.visited.size(); ++i) {
        const bv::NodeVisited& e = board.visited[i];
        const bool culled = e.verdict == Verdict::Culled;
        put_box(results, box_of(subject.nodes, e.node),
                culled                             ? kRejected
                : e.verdict == Verdict::LeafHit    ? Role::Touching
                : e.verdict == Verdict::LeafTested ? Role::TreeLeaf
                                                   : Role::Visited,
                1.5f);
    }
    for (std::size_t i = first_shown(board.pairs); i < board.pairs.size(); ++i) {
        const bv::VolumesTested& e = board.pairs[i];
        if (!e.overlap) continue;
        put_box(results, box_of(subject.nodes, e.a), Role::Muted, 1.0f);
        put_box(results, box_of(subject.nodes_b, e.b), Role::Muted, 1.0f);
    }
    for (std::size_t i = first_shown(board.siblings); i < board.siblings.size(); ++i)
        put_box(results, box_of(subject.nodes, board.siblings[i].node), kRejected, 1.0f, 0.0f,
                "considered before");
    if (board.best_sibling)
        put_box(results, box_of(subject.nodes, board.best_sibling->node), Role::Touching, 2.5f, 0.1f,
                "best sibling so far");
}

}  // namespace lab::steps
