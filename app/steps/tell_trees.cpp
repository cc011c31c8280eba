// Trees: traversals, insertions, rotations and splits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <glm/geometric.hpp>

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

/// The box of a node in the tree that changes, or else in the one that stays as it is.
bv::Obb box_now(const StepContext& c, bv::NodeIndex node) {
    for (const Board* board : {&c.after, &c.before})
        if (const bv::Aabb box = board->tree.box(node); !box.is_empty()) return as_obb(box);
    const bv::Obb* fixed = box_of(c.subject.nodes, node);
    return fixed ? *fixed : bv::Obb{};
}

void put_node(FrameResults& results, const StepContext& c, bv::NodeIndex node, Role role, float width,
              float fill, const char* legend) {
    const bv::Obb box = box_now(c, node);
    put_box(results, &box, role, width, fill, legend);
}

/// What curves of changes follow: the area of the inner nodes, or nothing where the tree stays.
std::optional<double> inner_area(const Subject& subject, const Board& after) {
    if (after.tree.empty() && subject.tree.empty()) return std::nullopt;
    return after.tree.inner_area();
}

std::string in_square_meters(double value) {
    return in_short(value) + " m²";
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
                                                   "the first grandchild and the third",
                                                   "the first grandchild and the fourth"};

std::string capitalized(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
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
                    return fmt::format("The query visits {}.", node);
                case Verdict::Culled:
                    return fmt::format("It skips {} and its subtree.", node);
                case Verdict::LeafTested:
                    return fmt::format("It tests the contents of leaf {}: no hit.", node);
                case Verdict::LeafHit:
                    return fmt::format("It tests the contents of leaf {}: a hit.", node);
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
                put_box(results, box_of(c.subject.nodes, e.node), kNow, 3.0f, 0.12f, "current node");
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
            return fmt::format("Node {} of A at depth {} and node {} of B at depth {}: {}.", e.a.value,
                               e.depth_a, e.b.value, e.depth_b,
                               e.overlap ? "they overlap, so the search descends into one of them"
                                         : "apart, and so is all below them");
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
            return fmt::format(
                "As sibling of node {}: {} for the new parent and {} for its ancestors make {} m²{}.",
                e.node.value, in_short(direct), in_short(inherited), in_short(direct + inherited),
                e.chosen ? ", the lowest so far" : ", not below the best");
        },
        .values = [](const bv::SiblingConsidered& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"direct", cells::trimmed(static_cast<double>(e.direct)).in("m²")},
                    {"inherited", cells::trimmed(static_cast<double>(e.inherited)).in("m²")},
                    {"lower bound", cells::trimmed(static_cast<double>(e.lower_bound)).in("m²")}};
        },
        .quantity = [](const bv::SiblingConsidered&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::SiblingConsidered& e, const StepContext& c, FrameResults& results) {
                put_node(results, c, e.node, kNow, 3.0f, 0.12f, "current candidate");
            },
    };
    return kRow;
}

template <>
const Telling<bv::LeafPlaced>& telling<bv::LeafPlaced>() {
    static constexpr Telling<bv::LeafPlaced> kRow{
        .id = "leaf_placed",
        .sentence = [](const bv::LeafPlaced& e) -> std::string {
            if (!e.parent.valid())
                return fmt::format("Box {} is the first: its leaf is the root.", e.user_data);
            return fmt::format("Box {}: leaf {} and its sibling {} get a new parent, node {}.", e.user_data,
                               e.leaf.value, e.sibling.value, e.parent.value);
        },
        .values = [](const bv::LeafPlaced& e) -> StepValues {
            return {{"box", cells::whole(e.user_data)},
                    {"leaf", cells::whole(e.leaf.value)},
                    {"sibling", e.sibling.valid() ? Cell(cells::whole(e.sibling.value)) : Cell("none")},
                    {"parent", e.parent.valid() ? Cell(cells::whole(e.parent.value)) : Cell("none")}};
        },
        .quantity = [](const bv::LeafPlaced&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::LeafPlaced& e, const StepContext& c, FrameResults& results) {
                put_node(results, c, e.leaf, kNow, 3.0f, 0.2f, "new leaf");
                put_node(results, c, e.sibling, Role::Touching, 2.5f, 0.1f, "its sibling");
                if (!e.parent.valid()) return;
                const bv::Obb parent = as_obb(bv::merge(e.box, c.after.tree.box(e.sibling)));
                put_box(results, &parent, Role::Selected, 2.5f, 0.0f, "new parent");
            },
    };
    return kRow;
}

template <>
const Telling<bv::LeafDetached>& telling<bv::LeafDetached>() {
    static constexpr Telling<bv::LeafDetached> kRow{
        .id = "leaf_detached",
        .sentence = [](const bv::LeafDetached& e) -> std::string {
            if (!e.parent.valid()) return fmt::format("Leaf {} is removed: the tree is empty.", e.leaf.value);
            return fmt::format(
                "Leaf {} and its parent {} are removed: the sibling {} takes the parent's place.",
                e.leaf.value, e.parent.value, e.sibling.value);
        },
        .values = [](const bv::LeafDetached& e) -> StepValues {
            return {{"leaf", cells::whole(e.leaf.value)},
                    {"sibling", e.sibling.valid() ? Cell(cells::whole(e.sibling.value)) : Cell("none")},
                    {"parent", e.parent.valid() ? Cell(cells::whole(e.parent.value)) : Cell("none")}};
        },
        .quantity = [](const bv::LeafDetached&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::LeafDetached& e, const StepContext& c, FrameResults& results) {
                const bv::Obb leaf = as_obb(c.before.tree.box(e.leaf)), parent = as_obb(e.parent_box);
                put_box(results, &leaf, kNow, 3.0f, 0.2f, "removed leaf");
                if (!e.parent.valid()) return;
                put_box(results, &parent, kRejected, 2.5f, 0.0f, "removed parent");
                put_node(results, c, e.sibling, Role::Touching, 2.5f, 0.1f, "sibling that moves up");
            },
    };
    return kRow;
}

template <>
const Telling<bv::NodeRefitted>& telling<bv::NodeRefitted>() {
    static constexpr Telling<bv::NodeRefitted> kRow{
        .id = "node_refitted",
        .variant = [](const bv::NodeRefitted& e) -> int { return e.leaf ? 1 : 0; },
        .sentence = [](const bv::NodeRefitted& e) -> std::string {
            const double before = static_cast<double>(e.before.surface_area());
            const double after = static_cast<double>(e.after.surface_area());
            if (e.leaf)
                return fmt::format("Leaf {} left its fat box and gets a new one of {}.", e.node.value,
                                   in_square_meters(after));
            if (e.before.is_empty())
                return fmt::format("{} gets the box around its children: {}.", capitalized(node_name(e.node)),
                                   in_square_meters(after));
            return fmt::format("{} is refitted to its children: {} becomes {}.",
                               capitalized(node_name(e.node)), in_short(before), in_square_meters(after));
        },
        .values = [](const bv::NodeRefitted& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"before", cells::trimmed(static_cast<double>(e.before.surface_area())).in("m²")},
                    {"after", cells::trimmed(static_cast<double>(e.after.surface_area())).in("m²")}};
        },
        .quantity = [](const bv::NodeRefitted&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::NodeRefitted& e, const StepContext&, FrameResults& results) {
                const bv::Obb before = as_obb(e.before), after = as_obb(e.after);
                put_box(results, &before, kRejected, 2.0f, 0.0f, "its old box");
                put_box(results, &after, kNow, 3.0f, 0.0f, "its new box");
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
            return fmt::format("Rotation at {}: {} swap places, {} and {}. {} becomes {}.", node_name(e.node),
                               kRotations[std::min<std::size_t>(e.kind, 5)], e.first.value, e.second.value,
                               in_short(before), in_square_meters(after));
        },
        .values = [](const bv::Rotated& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"first", cells::whole(e.first.value)},
                    {"second", cells::whole(e.second.value)},
                    {"before", cells::trimmed(static_cast<double>(e.cost_before)).in("m²")},
                    {"after", cells::trimmed(static_cast<double>(e.cost_after)).in("m²")}};
        },
        .quantity = [](const bv::Rotated&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::Rotated& e, const StepContext& c, FrameResults& results) {
                put_node(results, c, e.node, Role::Selected, 2.0f, 0.0f, "rotated node");
                put_node(results, c, e.first, Role::ProjectionA, 3.0f, 0.2f, "swaps places");
                put_node(results, c, e.second, Role::ProjectionB, 3.0f, 0.2f, "with this one");
            },
    };
    return kRow;
}

namespace {

/// What the last change did so far. The tree itself is drawn as all trees are.
void draw_change(const Board& board, FrameResults& results) {
    const auto put_now = [&](bv::NodeIndex node, Role role, float width, float fill, const char* legend) {
        const bv::Obb box = as_obb(board.tree.box(node));
        put_box(results, &box, role, width, fill, legend);
    };
    for (std::size_t i = first_shown(board.siblings); i < board.siblings.size(); ++i)
        put_now(board.siblings[i].node, kRejected, 1.0f, 0.0f, "evaluated before");
    if (board.best_sibling)
        put_now(board.best_sibling->node, Role::Touching, 2.5f, 0.1f, "best sibling so far");
    for (const bv::NodeIndex node : board.refitted)
        put_now(node, Role::Normal, 2.0f, 0.0f, "refitted");
    if (board.placed) put_now(board.placed->leaf, Role::Selected, 3.0f, 0.2f, "inserted leaf");
}

}  // namespace

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
    draw_change(board, results);
}

}  // namespace lab::steps
