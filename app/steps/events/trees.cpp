// Steps of trees: traversals, insertions, rotations and splits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <glm/geometric.hpp>

#include "results/put.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

/// At most this many earlier nodes are drawn, the newest ones: more could not be told apart.
constexpr std::size_t kMaxDecided = 120;

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

/// The box of a node in the changing tree, or else in the static one.
bv::Obb box_now(const StepContext& c, bv::NodeIndex node) {
    for (const Board* board : {&c.after, &c.before})
        if (const bv::Aabb box = board->tree.box(node); !box.is_empty()) return as_obb(box);
    const bv::Obb* fixed = box_of(c.subject.nodes, node);
    return fixed ? *fixed : bv::Obb{};
}

// Colors of a changing tree; red is what the step is about. The new leaf, its sibling and what was refitted
// stay marked at the result, where nodes have the colors of their depths: these colors differ from those.
constexpr Role kNewLeaf = Role::Kdop, kNewParent = Role::ProjectionA, kSibling = Role::ProjectionB,
               kQueued = Role::Visited, kFitted = Role::Normal, kTurned = Role::AabbFixed;
// Nodes that were pruned or are no longer there; strong enough for thin lines in a gray tree.
constexpr Role kOut = Role::Sphere;
// Nodes of two trees; the meshes themselves have the colors of A and B.
constexpr Role kNodeOfA = Role::Normal, kNodeOfB = Role::AabbFixed;

/// Marks the node in the diagram of the tree, too.
void put_numbered(FrameResults& results, bv::NodeIndex node, const bv::Obb& box, Role role, float width,
                  float fill, const char* legend) {
    if (box.is_empty()) return;
    put_box(results, &box, role, width, fill, legend);
    // Shown again in another role: one number is enough.
    std::string number = fmt::format("{}", node.value);
    for (Exhibit& before : results.exhibits)
        if (before.label == number) before.label.clear();
    results.exhibits.back().label = std::move(number);
    results.marked_nodes.nodes.push_back({node.value, role});
}

void put_node(FrameResults& results, const StepContext& c, bv::NodeIndex node, Role role, float width,
              float fill, const char* legend) {
    put_numbered(results, node, box_now(c, node), role, width, fill, legend);
}

/// The curve of changes: the area of the inner nodes, or nothing for a static tree.
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
const EventSpec<bv::NodeVisited>& event_spec<bv::NodeVisited>() {
    static constexpr EventSpec<bv::NodeVisited> kRow{
        .id = "node_visited",
        .variant = [](const bv::NodeVisited& e) -> int { return static_cast<int>(e.verdict); },
        .sentence = [](const bv::NodeVisited& e) -> std::string {
            using Verdict = bv::NodeVisited::Verdict;
            const std::string node = fmt::format("{} at depth {}", node_name(e.node), e.depth);
            switch (e.verdict) {
                case Verdict::Entered:
                    return fmt::format("The query visits {}.", node);
                case Verdict::Culled:
                    return fmt::format("The query skips {} and its subtree.", node);
                case Verdict::LeafTested:
                    return fmt::format("The query tests the contents of leaf {}: no hit.", node);
                case Verdict::LeafHit:
                    return fmt::format("The query tests the contents of leaf {}: a hit.", node);
            }
            return {};
        },
        .values = [](const bv::NodeVisited& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"depth", cells::whole(e.depth)},
                    {"t enter", cells::brief(static_cast<double>(e.t_enter))}};
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

namespace {

/// The fate of an overlapping pair.
enum class Opened : std::uint8_t { Unknown, ALarger, BLarger, AForLeaf, BForLeaf, Neither };

double size_of(const bv::Obb& box) {
    return static_cast<double>(box.half_extents.x) + static_cast<double>(box.half_extents.y) +
           static_cast<double>(box.half_extents.z);
}

Opened opened_by(const bv::VolumesTested& e, const Subject& subject) {
    if (!e.overlap || e.a.value >= subject.leaves.size() || e.b.value >= subject.leaves_b.size())
        return Opened::Unknown;
    const bool leaf_a = subject.leaves[e.a.value] > 0, leaf_b = subject.leaves_b[e.b.value] > 0;
    if (leaf_a && leaf_b) return Opened::Neither;
    if (leaf_b) return Opened::AForLeaf;
    if (leaf_a) return Opened::BForLeaf;
    return size_of(subject.nodes[e.a.value]) >= size_of(subject.nodes_b[e.b.value]) ? Opened::ALarger
                                                                                    : Opened::BLarger;
}

int variant_of_pair(const bv::VolumesTested& e, const Subject& subject) {
    if (!e.overlap) return 0;
    switch (opened_by(e, subject)) {
        case Opened::Neither:
            return 2;
        case Opened::ALarger:
        case Opened::AForLeaf:
            return 3;
        case Opened::BLarger:
        case Opened::BForLeaf:
            return 4;
        case Opened::Unknown:
            break;
    }
    return 1;
}

std::string pair_sentence(const bv::VolumesTested& e) {
    return fmt::format("Node {} of A at depth {} and node {} of B at depth {}: {}.", e.a.value, e.depth_a,
                       e.b.value, e.depth_b,
                       e.overlap ? "they overlap, so the search descends into one of them"
                                 : "apart, and so is all below them");
}

std::string pair_sentence_in_context(const bv::VolumesTested& e, const Subject& subject, const Board&) {
    const Opened opened = opened_by(e, subject);
    if (opened == Opened::Unknown) return pair_sentence(e);
    const std::string pair = fmt::format("Node {} of A at depth {} and node {} of B at depth {} overlap.",
                                         e.a.value, e.depth_a, e.b.value, e.depth_b);
    switch (opened) {
        case Opened::ALarger:
        case Opened::BLarger: {
            const bool a = opened == Opened::ALarger;
            const double of_a = size_of(subject.nodes[e.a.value]), of_b = size_of(subject.nodes_b[e.b.value]);
            const char* const opened_one = a ? "A's" : "B's";
            const std::string larger = in_meters(a ? of_a : of_b), other = in_meters(a ? of_b : of_a);
            if (larger == other)
                return fmt::format("{} The half extents of each add up to {}: the search descends into {}.",
                                   pair, larger, opened_one);
            return fmt::format(
                "{} {} is the larger: its half extents add up to {}, not {}, so the search descends into it.",
                pair, opened_one, larger, other);
        }
        case Opened::AForLeaf:
            return pair + " B's is a leaf: the search descends into A's.";
        case Opened::BForLeaf:
            return pair + " A's is a leaf: the search descends into B's.";
        case Opened::Neither:
        case Opened::Unknown:
            break;
    }
    const std::uint32_t count_a = subject.leaves[e.a.value], count_b = subject.leaves_b[e.b.value];
    return fmt::format("{} Both are leaves: {} with {}.", pair,
                       count_a == 1 ? std::string("one triangle is tested")
                                    : fmt::format("{} triangles are tested", count_a),
                       count_b == 1 ? std::string("one") : fmt::format("{}", count_b));
}

StepValues pair_values(const bv::VolumesTested& e) {
    return {{"node of A", cells::whole(e.a.value)},
            {"node of B", cells::whole(e.b.value)},
            {"depth in A", cells::whole(e.depth_a)},
            {"depth in B", cells::whole(e.depth_b)},
            {"overlap", cells::yes_or_no(e.overlap)}};
}

StepValues pair_values_among(const bv::VolumesTested& e, const Subject& subject, const Board&) {
    static constexpr std::array kOpened = {"none",
                                           "A, the larger",
                                           "B, the larger",
                                           "A, for B is a leaf",
                                           "B, for A is a leaf",
                                           "none: both are leaves"};
    StepValues values = pair_values(e);
    if (e.a.value >= subject.leaves.size() || e.b.value >= subject.leaves_b.size()) return values;
    values.emplace_back("size in A", cells::brief(size_of(subject.nodes[e.a.value])).in("m"));
    values.emplace_back("size in B", cells::brief(size_of(subject.nodes_b[e.b.value])).in("m"));
    if (subject.leaves[e.a.value] > 0)
        values.emplace_back("triangles, A", cells::whole(subject.leaves[e.a.value]));
    if (subject.leaves_b[e.b.value] > 0)
        values.emplace_back("triangles, B", cells::whole(subject.leaves_b[e.b.value]));
    values.emplace_back("opened", kOpened[static_cast<std::size_t>(opened_by(e, subject))]);
    return values;
}

}  // namespace

template <>
const EventSpec<bv::VolumesTested>& event_spec<bv::VolumesTested>() {
    static constexpr EventSpec<bv::VolumesTested> kRow{
        .id = "volumes_tested",
        .variant_in_context = variant_of_pair,
        .sentence = pair_sentence,
        .values = pair_values,
        .sentence_in_context = pair_sentence_in_context,
        .values_in_context = pair_values_among,
        .quantity = [](const bv::VolumesTested& e, const Subject&, const Board&) -> std::optional<double> {
            return e.depth_a + e.depth_b;
        },
        .draw =
            [](const bv::VolumesTested& e, const StepContext& c, FrameResults& results) {
                const Opened opened = opened_by(e, c.subject);
                const bool a = opened == Opened::ALarger || opened == Opened::AForLeaf;
                const bool b = opened == Opened::BLarger || opened == Opened::BForLeaf;
                put_box(results, box_of(c.subject.nodes, e.a), kNodeOfA, a ? 4.5f : 2.5f, a ? 0.3f : 0.1f,
                        a ? "node of A, opened" : "node of A");
                if (!results.exhibits.empty()) results.exhibits.back().on_top = true;
                put_box(results, box_of(c.subject.nodes_b, e.b), kNodeOfB, b ? 4.5f : 2.5f, b ? 0.3f : 0.1f,
                        b ? "node of B, opened" : "node of B");
                if (!results.exhibits.empty()) results.exhibits.back().on_top = true;
            },
    };
    return kRow;
}

namespace {

double cost_of(const bv::SiblingConsidered& e) {
    return static_cast<double>(e.direct) + static_cast<double>(e.inherited);
}

std::string sibling_sentence(const bv::SiblingConsidered& e) {
    return fmt::format("As sibling of node {}: {} for the new parent and {} for its ancestors make {} m²{}.",
                       e.node.value, in_short(static_cast<double>(e.direct)),
                       in_short(static_cast<double>(e.inherited)), in_short(cost_of(e)),
                       e.chosen ? ", the lowest so far" : ", not below the best");
}

/// The sentence for a search that compares only centers.
std::string nearest_sentence(const bv::SiblingConsidered& e, bool is_root) {
    const std::string cost = in_short(cost_of(e)) + " m²";
    if (!e.chosen)
        return is_root
                   ? fmt::format("The search begins at the root, node {}; as the sibling it would cost {}.",
                                 e.node.value, cost)
                   : fmt::format(
                         "Of the two children, node {} has the nearer center; as the sibling it "
                         "would cost {}.",
                         e.node.value, cost);
    return is_root ? fmt::format("The root, node {}, is the only leaf: it becomes the sibling and costs {}.",
                                 e.node.value, cost)
                   : fmt::format(
                         "Of the two children, leaf {} has the nearer center: it becomes the sibling and "
                         "costs {}.",
                         e.node.value, cost);
}

/// The number of the search that the event belongs to, counted from 1.
std::size_t search_of(const Board& before) {
    return before.searches + (before.siblings.empty() ? 1 : 0);
}
/// The least cost after the event.
float best_with(const bv::SiblingConsidered& e, const Board& before) {
    return e.chosen ? e.direct + e.inherited : before.best_cost();
}

/// The sentence with the fate of the nodes below, where there is a queue.
std::string sibling_sentence_in_context(const bv::SiblingConsidered& e, const Subject& subject,
                                        const Board& before) {
    if (subject.goes_by_center(search_of(before))) return nearest_sentence(e, before.siblings.empty());
    const std::optional<Candidate> below = before.below(e);
    if (!below || !subject.has_queue(search_of(before))) return sibling_sentence(e);
    const float best = best_with(e, before);
    const std::string bound = fmt::format("{} Below it the cost is at least {} m²", sibling_sentence(e),
                                          in_short(static_cast<double>(below->bound)));
    if (below->bound < best || before.siblings.empty()) return bound + ": it joins the queue.";
    return fmt::format("{}, not below {} m²: cut off.", bound, in_short(static_cast<double>(best)));
}

StepValues sibling_values(const bv::SiblingConsidered& e) {
    return {{"node", cells::whole(e.node.value)},
            {"direct", cells::brief(static_cast<double>(e.direct)).in("m²")},
            {"inherited", cells::brief(static_cast<double>(e.inherited)).in("m²")}};
}

StepValues sibling_values_among(const bv::SiblingConsidered& e, const Subject& subject, const Board& before) {
    StepValues values = sibling_values(e);
    if (subject.goes_by_center(search_of(before))) return values;
    const float best = best_with(e, before);
    values.emplace_back("least cost", cells::brief(static_cast<double>(best)).in("m²"));
    if (!subject.has_queue(search_of(before))) return values;
    const bv::NodeIndex parent{before.tree.parent(e.node)};
    auto waiting = std::count_if(before.queue.begin(), before.queue.end(),
                                 [&](const Candidate& c) { return c.bound < best && c.node != parent; });
    if (const auto below = before.below(e)) {
        values.emplace_back("lower bound", cells::brief(static_cast<double>(below->bound)).in("m²"));
        waiting += below->bound < best || before.siblings.empty() ? 1 : 0;
    }
    values.emplace_back("in the queue", cells::whole(waiting));
    return values;
}

std::string placed_sentence(const bv::LeafPlaced& e) {
    if (!e.parent.valid()) return fmt::format("Box {} is the first: its leaf is the root.", e.user_data);
    return fmt::format("Box {}: leaf {} and its sibling {} get a new parent, node {}.", e.user_data,
                       e.leaf.value, e.sibling.value, e.parent.value);
}

/// The sentence with the work that the search has saved.
std::string placed_sentence_in_context(const bv::LeafPlaced& e, const Subject& subject, const Board& before) {
    const std::size_t spared = before.queue.size() + before.cut_off.size();
    if (!subject.has_queue(before.searches) || before.siblings.empty() || spared == 0)
        return placed_sentence(e);
    return fmt::format("{} {} cut off: below {} no cost is less than {} m².", placed_sentence(e),
                       spared == 1 ? "One node was" : fmt::format("{} nodes were", spared),
                       spared == 1 ? "it" : "them", in_short(static_cast<double>(before.best_cost())));
}

StepValues placed_values(const bv::LeafPlaced& e) {
    return {{"box", cells::whole(e.user_data)},
            {"leaf", cells::whole(e.leaf.value)},
            {"sibling", e.sibling.valid() ? Cell(cells::whole(e.sibling.value)) : Cell("none")},
            {"parent", e.parent.valid() ? Cell(cells::whole(e.parent.value)) : Cell("none")}};
}

StepValues placed_values_among(const bv::LeafPlaced& e, const Subject&, const Board&) {
    return placed_values(e);
}

/// The candidates in the order in which they are opened, then those that never are.
void list_queue(const Board& board, FrameResults& results) {
    const float best = board.search_cost;
    Table table{"queue",
                fmt::format("Queue: the best sibling costs {} m²", in_short(static_cast<double>(best))),
                {"#", "node", {"least cost below", "m²"}, "then"}};
    std::size_t place = 0;
    for (const Candidate& c : board.queue) {
        const bool waits = c.bound < best;
        if (waits) ++place;
        table.add({waits ? Cell(cells::whole(place)) : Cell{}, cells::whole(c.node.value),
                   cells::brief(static_cast<double>(c.bound)),
                   !waits       ? "cut off"
                   : place == 1 ? "opened next"
                                : "waits"},
                  waits ? kQueued : kOut, waits && place == 1 ? RowMark::Chosen : RowMark::None);
    }
    for (const Candidate& c : board.cut_off)
        table.add({{}, cells::whole(c.node.value), cells::brief(static_cast<double>(c.bound)), "cut off"},
                  kOut);
    results.tables.push_back(std::move(table));
}

/// Nodes in the queue, and nodes that were pruned.
void draw_queue(const Board& board, FrameResults& results) {
    const float best = board.best_cost();
    const auto put_candidate = [&](const Candidate& c, bool waits) {
        put_numbered(results, c.node, as_obb(board.tree.box(c.node)), waits ? kQueued : kOut, 2.0f, 0.0f,
                     waits ? "in the queue" : "cut off");
    };
    for (const Candidate& c : board.cut_off)
        put_candidate(c, false);
    for (const Candidate& c : board.queue)
        put_candidate(c, c.bound < best);
}

}  // namespace

template <>
const EventSpec<bv::SiblingConsidered>& event_spec<bv::SiblingConsidered>() {
    static constexpr EventSpec<bv::SiblingConsidered> kRow{
        .id = "sibling_considered",
        .variant = [](const bv::SiblingConsidered& e) -> int { return e.chosen ? 1 : 0; },
        .sentence = sibling_sentence,
        .values = sibling_values,
        .sentence_in_context = sibling_sentence_in_context,
        .values_in_context = sibling_values_among,
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
const EventSpec<bv::LeafPlaced>& event_spec<bv::LeafPlaced>() {
    static constexpr EventSpec<bv::LeafPlaced> kRow{
        .id = "leaf_placed",
        .sentence = placed_sentence,
        .values = placed_values,
        .sentence_in_context = placed_sentence_in_context,
        .values_in_context = placed_values_among,
        .quantity = [](const bv::LeafPlaced&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::LeafPlaced& e, const StepContext& c, FrameResults& results) {
                put_node(results, c, e.sibling, kSibling, 2.5f, 0.1f, "its sibling");
                if (e.parent.valid())
                    put_numbered(results, e.parent, as_obb(bv::merge(e.box, c.after.tree.box(e.sibling))),
                                 kNewParent, 2.5f, 0.0f, "new parent");
                put_node(results, c, e.leaf, kNewLeaf, 3.0f, 0.2f, "new leaf");
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::LeafDetached>& event_spec<bv::LeafDetached>() {
    static constexpr EventSpec<bv::LeafDetached> kRow{
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
                put_numbered(results, e.leaf, leaf, kNow, 3.0f, 0.2f, "removed leaf");
                if (!e.parent.valid()) return;
                put_numbered(results, e.parent, parent, kOut, 2.5f, 0.0f, "removed parent");
                put_node(results, c, e.sibling, kSibling, 2.5f, 0.1f, "sibling that moves up");
            },
    };
    return kRow;
}

template <>
const EventSpec<bv::NodeRefitted>& event_spec<bv::NodeRefitted>() {
    static constexpr EventSpec<bv::NodeRefitted> kRow{
        .id = "node_refitted",
        .variant = [](const bv::NodeRefitted& e) -> int { return e.leaf ? 1 : 0; },
        .sentence = [](const bv::NodeRefitted& e) -> std::string {
            const double before = static_cast<double>(e.before.surface_area());
            const double after = static_cast<double>(e.after.surface_area());
            if (e.leaf)
                return fmt::format("Leaf {} has left its fat box and gets a new one, with an area of {}.",
                                   e.node.value, in_square_meters(after));
            if (e.before.is_empty())
                return fmt::format("{} gets the box around its children, with an area of {}.",
                                   capitalized(node_name(e.node)), in_square_meters(after));
            return fmt::format("{} is refitted to its children: its area {}.", capitalized(node_name(e.node)),
                               change_of(before, after, "m²"));
        },
        .values = [](const bv::NodeRefitted& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"before", cells::brief(static_cast<double>(e.before.surface_area())).in("m²")},
                    {"after", cells::brief(static_cast<double>(e.after.surface_area())).in("m²")}};
        },
        .quantity = [](const bv::NodeRefitted&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::NodeRefitted& e, const StepContext&, FrameResults& results) {
                const bv::Obb before = as_obb(e.before), after = as_obb(e.after);
                put_box(results, &before, kOut, 2.0f, 0.0f, "its old box");
                put_numbered(results, e.node, after, kNow, 3.0f, 0.0f, "its new box");
            },
    };
    return kRow;
}

namespace {

/// The children of the rotated node that hold other subtrees now: their boxes before and after.
void draw_halves(const bv::Rotated& e, const StepContext& c, FrameResults& results) {
    const auto around = [](const TreeState& tree, bv::NodeIndex node) {
        const auto below = tree.children(node);
        return below[0].valid() ? bv::merge(tree.box(below[0]), tree.box(below[1])) : tree.box(node);
    };
    for (const bv::NodeIndex half : c.before.tree.children(e.node)) {
        if (!half.valid() || half == e.first || half == e.second) continue;
        const bv::Obb before = as_obb(around(c.before.tree, half)),
                      after = as_obb(around(c.after.tree, half));
        put_box(results, &before, kOut, 2.5f, 0.0f, "child before");
        put_numbered(results, half, after, kNow, 2.5f, 0.0f, "child now");
    }
}

}  // namespace

template <>
const EventSpec<bv::Rotated>& event_spec<bv::Rotated>() {
    static constexpr EventSpec<bv::Rotated> kRow{
        .id = "rotated",
        .sentence = [](const bv::Rotated& e) -> std::string {
            const double before = static_cast<double>(e.cost_before),
                         after = static_cast<double>(e.cost_after);
            return fmt::format(
                "Rotation at {}: {} swap places, {} and {}. {} {}.", node_name(e.node),
                kRotations[std::min<std::size_t>(e.kind, 5)], e.first.value, e.second.value,
                e.kind < 4 ? "The area of the child that changes" : "The area of both children",
                change_of(before, after, "m²"));
        },
        .values = [](const bv::Rotated& e) -> StepValues {
            return {{"node", cells::whole(e.node.value)},
                    {"first", cells::whole(e.first.value)},
                    {"second", cells::whole(e.second.value)},
                    {"before", cells::brief(static_cast<double>(e.cost_before)).in("m²")},
                    {"after", cells::brief(static_cast<double>(e.cost_after)).in("m²")}};
        },
        .quantity = [](const bv::Rotated&, const Subject& subject,
                       const Board& after) -> std::optional<double> { return inner_area(subject, after); },
        .draw =
            [](const bv::Rotated& e, const StepContext& c, FrameResults& results) {
                put_node(results, c, e.node, kTurned, 2.0f, 0.0f, "rotated node");
                draw_halves(e, c, results);
                put_node(results, c, e.first, Role::Ray, 3.0f, 0.25f, "swaps places");
                put_node(results, c, e.second, Role::Obb, 3.0f, 0.25f, "with this one");
            },
    };
    return kRow;
}

namespace {

/// The effect of the last change so far. The tree itself is drawn as all trees are.
void draw_change(const Board& board, const Subject& subject, FrameResults& results) {
    const auto put_now = [&](bv::NodeIndex node, Role role, float width, float fill, const char* legend) {
        put_numbered(results, node, as_obb(board.tree.box(node)), role, width, fill, legend);
    };
    if (!subject.tree_name.empty()) results.marked_nodes.tree = subject.tree_name;
    if (subject.has_queue(board.searches)) list_queue(board, results);
    if (!board.siblings.empty() && subject.has_queue(board.searches)) {
        draw_queue(board, results);
    } else {
        for (std::size_t i = first_shown(board.siblings); i < board.siblings.size(); ++i)
            put_now(board.siblings[i].node, kOut, 1.0f, 0.0f, "evaluated before");
    }
    if (board.best_sibling) put_now(board.best_sibling->node, kSibling, 2.5f, 0.1f, "best sibling so far");
    for (const bv::NodeIndex node : board.refitted)
        put_now(node, kFitted, 2.0f, 0.0f, "refitted");
    if (board.placed) put_now(board.placed->leaf, kNewLeaf, 3.0f, 0.2f, "new leaf");
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
        put_box(results, box_of(subject.nodes, e.a), Role::Muted, 0.5f, 0.0f, "nodes that overlap");
        put_box(results, box_of(subject.nodes_b, e.b), Role::Muted, 0.5f, 0.0f, "nodes that overlap");
    }
    draw_change(board, subject, results);
}

}  // namespace lab::steps
