// Sorted insertion: parts of a tree that are lists, and rows that were mixed into a sound tree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "capture/doctor.hpp"
#include "world/tree_recipes.hpp"

namespace lab::capture {
namespace {

constexpr double kListHeight = 2.5;  ///< Height of a part that is a list for the most part, over a good one.
constexpr double kListShare = 0.2;   ///< Share of the loss of the part that the list must explain.
constexpr double kFewLeaves = 4, kFewShare = 0.05;  ///< Most leaves beside a list node's long child.
/// Height of a tree made without rotations, relative to that of the same boxes inserted with them. And its
/// height, or inner area, where nothing else proves it.
constexpr double kUnrotated = 1.3, kUnrotatedAlone = 2.5;
constexpr double kInserted = 0.5;  ///< Rank correlation of the depth with the order of insertion.

/// The rank correlation of a and b: 1 or -1 where they are in the same or the opposite order.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto ranks = [](const std::vector<double>& values) {
        std::vector<std::size_t> order(values.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::sort(order.begin(), order.end(),
                  [&](std::size_t x, std::size_t y) { return values[x] < values[y]; });
        std::vector<double> rank(values.size());
        for (std::size_t i = 0; i < order.size();) {
            std::size_t end = i;
            while (end < order.size() && values[order[end]] == values[order[i]])
                ++end;
            for (std::size_t k = i; k < end; ++k)
                rank[order[k]] = 0.5 * static_cast<double>(i + end - 1);
            i = end;
        }
        return rank;
    };
    const std::vector<double> x = ranks(a), y = ranks(b);
    const double middle = 0.5 * static_cast<double>(x.size() - 1);
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - middle) * (y[i] - middle);
        xx += (x[i] - middle) * (x[i] - middle);
        yy += (y[i] - middle) * (y[i] - middle);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0.0;
}

}  // namespace

bool Doctor::is_list_node(const ShapeCost& cost, std::uint32_t node, std::uint32_t high) {
    // A node of many children stands for several levels of a binary list.
    const double few = kFewLeaves * std::log2(static_cast<double>(std::max(cost.widest(), 2u)));
    const double beside = cost.leaves(node) - cost.leaves(high);
    return beside <= std::max(few, kFewShare * static_cast<double>(cost.leaves(node)));
}

std::optional<std::uint32_t> Doctor::list_below(const ShapeCost& cost, std::uint32_t at) {
    const bv::TreeSnapshot& t = cost.tree();
    std::optional<std::uint32_t> top, best;
    std::uint32_t length = 0, longest = 0;
    bool was_other = false;
    while (cost.height(at) > 0) {
        std::uint32_t high = t.first_child[at];
        for (std::uint32_t k = 1; k < t.child_count[at]; ++k)
            if (cost.height(t.first_child[at] + k) > cost.height(high)) high = t.first_child[at] + k;
        if (is_list_node(cost, at, high)) {
            if (!top) top = at;
            ++length;
            was_other = false;
        } else if (std::exchange(was_other, true)) {  // One node may be an exception.
            top.reset();
            length = 0;
        }
        if (length > longest) {
            longest = length;
            best = top;
        }
        at = high;
    }
    if (!best) return std::nullopt;
    // The levels that a node of this arity replaces in a binary tree.
    const double levels = std::log2(static_cast<double>(cost.arity()));
    const double binary = static_cast<double>(longest) * levels, leaves = cost.leaves(*best);
    return binary >= 10.0 && binary >= 2.0 * std::log2(leaves) ? best : std::nullopt;
}

std::vector<Doctor::Leaf> Doctor::known_leaves(const ShapeCost& cost, std::uint32_t top) const {
    std::vector<Leaf> leaves;
    for (const std::uint32_t node : cost.leaves_below(top))
        if (const auto at = leaf_at_.find(node); at != leaf_at_.end()) leaves.push_back(at->second);
    return leaves;
}

bool Doctor::explain_by_order(const ShapeCost& cost, BadPart& part, std::vector<Leaf>& part_leaves) {
    // Leaves that were re-inserted later interrupt a list: the part is still as high as one.
    const double good = std::log2(static_cast<double>(std::max<std::size_t>(part_leaves.size(), 2))) /
                        std::log2(static_cast<double>(cost.arity()));
    if (cost.height(part.node) >= kListHeight * good &&
        explain_by_order_at(cost, part.node, false, part, part_leaves))
        return true;
    const std::optional<std::uint32_t> top = list_below(cost, part.node);
    return top && explain_by_order_at(cost, *top, true, part, part_leaves);
}

std::vector<double> Doctor::depths_of(const std::vector<Leaf>& leaves) const {
    std::vector<double> depths;
    depths.reserve(leaves.size());
    for (const Leaf& leaf : leaves)
        depths.push_back(static_cast<double>(snapshot().depths[leaf.node]));
    return depths;
}

Doctor::Sorted Doctor::sorted_by(const std::vector<double>& values, const std::vector<Leaf>& leaves) {
    std::vector<double> places(leaves.size());
    Sorted best;
    for (int k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < leaves.size(); ++i)
            places[i] = static_cast<double>(leaves[i].history->tight.center()[k]);
        const double r = rank_correlation(places, values);
        if (std::abs(r) > std::abs(best.correlation)) best = {static_cast<std::size_t>(k), r};
    }
    return best;
}

bool Doctor::halves_follow(const Sorted& sorted, const std::vector<double>& depths,
                           const std::vector<Leaf>& leaves) {
    std::vector<std::pair<double, double>> places;  // and depths
    places.reserve(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i)
        places.emplace_back(leaves[i].history->tight.center()[static_cast<int>(sorted.axis)], depths[i]);
    std::sort(places.begin(), places.end());
    const std::size_t middle = places.size() / 2;
    for (const auto& [begin, end] : {std::pair{std::size_t{0}, middle}, {middle, places.size()}}) {
        std::vector<double> place, depth;
        for (std::size_t i = begin; i < end; ++i) {
            place.push_back(places[i].first);
            depth.push_back(places[i].second);
        }
        constexpr double kFollows = 0.4;
        if (rank_correlation(place, depth) * std::copysign(1.0, sorted.correlation) < kFollows) return false;
    }
    return true;
}

bool Doctor::explain_by_order_at(const ShapeCost& cost, std::uint32_t top, bool is_list, BadPart& part,
                                 std::vector<Leaf>& part_leaves) {
    std::vector<Leaf> leaves = known_leaves(cost, top);
    if (leaves.size() < kMinLeaves) return false;
    // Beside a list there may be a sound part, which says nothing about it.
    const double sound =
        2.0 * std::log2(static_cast<double>(leaves.size())) / std::log2(static_cast<double>(cost.arity()));
    std::vector<Leaf> deep;
    std::vector<std::uint32_t> deep_nodes;
    for (const Leaf& leaf : leaves) {
        if (snapshot().depths[leaf.node] - snapshot().depths[top] <= sound) continue;
        deep.push_back(leaf);
        deep_nodes.push_back(leaf.node);
    }
    if (deep.size() >= 2 * kMinLeaves && deep.size() * 3 >= leaves.size() &&
        std::abs(sorted_by(depths_of(deep), deep).correlation) >= 0.9) {
        // Up again to where the list begins: beside its long child, a node has hardly any leaves.
        std::uint32_t begin = node_around(snapshot(), deep_nodes, 0.95);
        const bv::TreeSnapshot& t = snapshot();
        while (begin != top && is_list_node(cost, t.parents[begin], begin))
            begin = t.parents[begin];
        if (cost.cost(begin) >= kBadShape * cost.rebuilt(begin)) {
            top = begin;
            leaves = known_leaves(cost, top);
        }
    }
    const BadPart list{top, cost.cost(top), cost.rebuilt(top)};
    if (list.cost < kBadShape * list.rebuilt) return false;
    if (list.cost - list.rebuilt < kListShare * (part.cost - part.rebuilt)) return false;
    const auto optimum = static_cast<std::uint32_t>(std::ceil(
        std::log2(static_cast<double>(cost.leaves(top))) / std::log2(static_cast<double>(cost.arity()))));
    const std::uint32_t height = cost.height(top);
    const std::vector<double> depths = depths_of(leaves);
    const Sorted sorted = sorted_by(depths, leaves);
    // A small part of a sound tree can be in some order by chance.
    const bool is_small = list.cost - kAllowedShape * list.rebuilt < kMinShare * cost.cost(0);
    if (std::abs(sorted.correlation) < (is_small ? 0.75 : 0.7)) return false;
    if (!is_list && !halves_follow(sorted, depths, leaves)) return false;
    std::vector<double> orders;
    orders.reserve(leaves.size());
    for (const Leaf& leaf : leaves)
        orders.push_back(static_cast<double>(leaf.history->order));
    std::vector<std::size_t> came;
    came.reserve(leaves.size());
    for (const Leaf& leaf : leaves)
        came.push_back(leaf.history->created);
    std::sort(came.begin(), came.end());
    const std::size_t last = came[came.size() - 1 - came.size() / 8];
    const std::optional<std::size_t> anew = listed_since(last, leaves, cost.height(0));
    const double by_order = std::abs(rank_correlation(orders, depths));
    const Rotated made = rotated(in_order_of_creation(leaves));
    if (!anew && !is_higher(height, cost.arity(), made, by_order < kInserted ? kUnrotatedAlone : kUnrotated))
        return false;
    std::size_t first = beginning_of(came);
    // Leaves that were there long before the others do not belong to the list, if it was no list without the
    // others.
    for (std::size_t i = 1; i < came.size() && came[i] <= last; ++i)
        if (came[i] > first && came[i] > came[i - 1] + kShortest * survey_.stride)
            if (const auto before = tree_before(came[i]); before && 2 * before->height < cost.height(0))
                first = came[i];
    part = list;
    part_leaves = known_leaves(cost, top);
    const std::string shape = fmt::format(
        "Its height is {} where {} would be enough: it has degenerated into a list. Depth follows the "
        "position on the {} axis (rank correlation {:.2f})",
        height, optimum, "xyz"[sorted.axis], std::abs(sorted.correlation));
    if (anew) {
        Finding& finding = add(Cause::SortedInsertion, *anew, list.node);
        finding.evidence = fmt::format(
            "{}. The {} were in the tree before, and it was no list then: they were inserted again in this "
            "order by frame {}.",
            shape, leaf_word(), number(*anew));
        std::sort(leaves.begin(), leaves.end(), [&](const Leaf& a, const Leaf& b) {
            const auto at = [&](const Leaf& leaf) {
                return leaf.history->tight.center()[static_cast<int>(sorted.axis)];
            };
            return std::pair(at(a), a.body) < std::pair(at(b), b.body);
        });
        finding.helps = with_rotations(rotated(leaves), fmt::format("along the {} axis", "xyz"[sorted.axis]),
                                       height, part);
        return true;
    }
    Finding& finding = add(Cause::SortedInsertion, first, list.node);
    finding.slowly = last > first + 10;
    finding.evidence =
        fmt::format("{} and the order of {} ({:.2f}); {} {} were inserted in {}.", shape,
                    came.front() == came.back() ? "the ids" : "insertion", by_order,
                    first > came.front() || last < came.back() ? "most of the" : "the", leaf_word(),
                    first == last ? fmt::format("frame {}", number(first))
                                  : fmt::format("frames {} to {}", number(first), number(last)));
    finding.helps = with_rotations(made, order_words(came.front() == came.back()), height, part);
    return true;
}

std::optional<std::size_t> Doctor::listed_since(std::size_t complete, const std::vector<Leaf>& leaves,
                                                std::uint32_t height) const {
    struct Seen {
        std::size_t place;
        bool is_list;
        std::uint32_t height = 0;
    };
    // Looks at this frame, or at the next one that has the tree.
    const auto look = [&](std::size_t place) {
        std::optional<PastTree> tree;
        while (place < survey_.last && !(tree = tree_in(place)))
            place += survey_.stride;
        if (!tree) tree = tree_in(place = survey_.last);
        if (!tree) return Seen{place, false};
        const auto count = std::count_if(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
            return std::binary_search(tree->list.begin(), tree->list.end(), leaf.body);
        });
        return Seen{place,
                    static_cast<std::size_t>(count) >= std::max<std::size_t>(kMinLeaves, leaves.size() / 8),
                    tree->height};
    };
    // Leaves that still come one by one make a list longer, frame by frame.
    const Seen settled = look(complete + kShortest * survey_.stride);
    if (settled.place >= survey_.last || settled.is_list || look(complete).is_list ||
        !look(survey_.last).is_list)
        return std::nullopt;
    // A part that is hardly a list may count as one in one frame and not in another.
    if (4 * settled.height >= 3 * height) return std::nullopt;
    std::size_t before = settled.place, listed = survey_.last;
    while (listed - before > survey_.stride) {
        const std::size_t steps = (listed - before) / survey_.stride;
        const Seen middle = look(before + std::max<std::size_t>(steps / 2, 1) * survey_.stride);
        if (middle.place >= listed) {  // no tree in between: the frames up to here hold none
            const Seen next = look(before + survey_.stride);
            if (next.place >= listed) break;
            (next.is_list ? listed : before) = next.place;
        } else {
            (middle.is_list ? listed : before) = middle.place;
        }
    }
    return listed;
}

std::vector<Doctor::Leaf> Doctor::in_order_of_creation(std::vector<Leaf> leaves) {
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
        return std::pair(a.history->order, a.body) < std::pair(b.history->order, b.body);
    });
    return leaves;
}

Doctor::Rotated Doctor::rotated(const std::vector<Leaf>& leaves) const {
    bv::TreeOptions options;
    options.margin = bv::Margin::None;
    std::vector<bv::Aabb> boxes;
    boxes.reserve(leaves.size());
    for (const Leaf& leaf : leaves)
        boxes.push_back(leaf.history->fat);
    options.insertion = bv::Insertion::GreedySah;
    options.balancing = bv::Balancing::Sah;
    const bv::TreeSnapshot tree =
        make_tree({"", "", TreeRecipe::How::Insert, options.insertion, options.balancing, {}}, boxes, options)
            .snapshot();
    double area = 0.0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        if (!tree.is_leaf(i)) area += size_(tree.boxes[i]);
    return {bv::measure(tree).height, area / std::max(rebuilt_cost(boxes, 2, size_), 1e-30)};
}

std::string Doctor::with_rotations(const Rotated& made, const std::string& order, std::uint32_t height,
                                   const BadPart& part) {
    const double ratio = part.cost / part.rebuilt;
    constexpr double kHelps = 1.1;
    return fmt::format(
        "The same boxes {}, with rotations, give a height of {} instead of {}, and {:.2f} times the inner "
        "area "
        "of a rebuilt tree instead of {:.2f} times{}.",
        order, made.height, height, made.over_rebuilt, ratio,
        ratio < kHelps * made.over_rebuilt ? ": another order, or a rebuild, helps more" : "");
}

bool Doctor::is_higher(std::uint32_t height, std::uint32_t arity, const Rotated& made, double times) {
    return height * std::log2(static_cast<double>(arity)) >= times * made.height;
}

const char* Doctor::order_words(bool in_one_frame) {
    return in_one_frame ? "in the order of their ids" : "in the same order";
}

std::vector<Doctor::Leaf> Doctor::arrived_together(std::vector<Leaf> leaves) const {
    // Leaves of the first tree may have come at any time before it.
    std::erase_if(leaves, [this](const Leaf& leaf) { return leaf.history->created <= history_->first; });
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
        return std::pair(a.history->created, a.body) < std::pair(b.history->created, b.body);
    });
    std::size_t first = 0, count = 0;
    for (std::size_t i = 0, end = 0; i < leaves.size(); i = end) {
        for (end = i + 1; end < leaves.size(); ++end)
            if (leaves[end].history->created > leaves[end - 1].history->created + kShortest * survey_.stride)
                break;
        if (end - i <= count) continue;
        first = i;
        count = end - i;
    }
    return {leaves.begin() + static_cast<std::ptrdiff_t>(first),
            leaves.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

std::optional<bv::TreeSnapshot> Doctor::snapshot_in(std::size_t place) const {
    const auto frame = file_.frame(place);
    if (!frame) return std::nullopt;
    const auto captured = std::find_if(frame->trees.begin(), frame->trees.end(),
                                       [&](const io::CaptureTree& t) { return t.name == history_->name; });
    if (captured == frame->trees.end() || !captured->is_complete) return std::nullopt;
    bv::TreeSnapshot tree =
        with_opened_leaves(io::snapshot_of(*captured, frame->proxies, 0).tree, frame->proxies);
    if (tree.empty()) return std::nullopt;
    return tree;
}

std::optional<Doctor::PastTree> Doctor::tree_in(std::size_t place) const {
    const std::optional<bv::TreeSnapshot> snapshot = snapshot_in(place);
    if (!snapshot) return std::nullopt;
    const bv::TreeSnapshot& tree = *snapshot;
    std::vector<bv::Aabb> boxes(tree.size());
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        if (tree.is_leaf(i)) boxes[i] = tree.boxes[i];
    const ShapeCost cost(tree, std::move(boxes), size_);
    PastTree past{cost.cost(0), cost.rebuilt(0), cost.height(0), {}};
    if (const auto top = list_below(cost, 0))
        for (const std::uint32_t leaf : cost.leaves_below(*top))
            if (tree.payload_count[leaf] > 0) past.list.push_back(tree.payloads[tree.first_payload[leaf]]);
    std::sort(past.list.begin(), past.list.end());
    return past;
}

std::optional<Doctor::PastTree> Doctor::tree_before(std::size_t place) const {
    std::optional<PastTree> before;
    while (!before && place-- > history_->first)
        before = tree_in(place);
    return before;
}

bool Doctor::explain_by_row(const ShapeCost& cost, const BadPart& part, std::vector<Leaf>& leaves) {
    constexpr double kInOrder = 0.95;
    std::vector<Leaf> row = arrived_together(leaves);
    if (row.size() < kMinLeaves) return false;
    // Engines number their bodies in the order in which they make them.
    std::vector<double> order(row.size());
    for (std::size_t i = 0; i < row.size(); ++i)
        order[i] = static_cast<double>(i);
    const Sorted sorted = sorted_by(order, row);
    if (std::abs(sorted.correlation) < kInOrder) return false;
    const Apart better = apart(row, part.node);
    if (part.cost - better.all < 0.5 * (part.cost - kAllowedShape * part.rebuilt)) return false;
    // The tree must have lost that when the row came, or the row must have been a list then, which rotations
    // that look at heights alone mix with its neighbors: otherwise something else has changed it since.
    const std::size_t first = row.front().history->created, complete = row.back().history->created;
    const std::optional<PastTree> before = tree_before(first);
    const std::optional<PastTree> then = tree_in(complete);
    if (!before || !then) return false;
    const auto in_list = std::count_if(row.begin(), row.end(), [&](const Leaf& leaf) {
        return std::binary_search(then->list.begin(), then->list.end(), leaf.body);
    });
    const auto came = std::count_if(then->list.begin(), then->list.end(), [&](std::uint64_t body) {
        const auto known = history_->bodies.find(body);
        return known != history_->bodies.end() && known->second.created >= first &&
               known->second.created <= complete;
    });
    const bool was_list = 2 * static_cast<std::size_t>(in_list) >= row.size() &&
                          2 * static_cast<std::size_t>(came) >= then->list.size();
    const double lost = (then->cost - then->rebuilt) - (before->cost - before->rebuilt);
    const Rotated made = rotated(in_order_of_creation(leaves));
    // Rotations that look at heights alone lower a list at once, and leave what it cost.
    const bool is_unrotated = is_higher(cost.height(part.node), cost.arity(), made, kUnrotated) ||
                              part.cost >= kUnrotatedAlone * made.over_rebuilt * part.rebuilt;
    if (!was_list && (lost < 0.5 * (part.cost - part.rebuilt) || !is_unrotated)) return false;
    Finding& finding = add(Cause::SortedInsertion, first, part.node);
    finding.slowly = complete > first + 10;
    // Within a frame, the capture does not show which leaf came first.
    finding.evidence = fmt::format(
        "{} of these {} came in {}; {}, they are in order along the {} axis (rank correlation {:.2f}). ",
        row.size(), leaf_word(),
        first == complete ? fmt::format("frame {}", number(first))
                          : fmt::format("frames {} to {}", number(first), number(complete)),
        first == complete ? "by their ids" : "by frame and id", "xyz"[sorted.axis],
        std::abs(sorted.correlation));
    const std::uint32_t height = cost.height(part.node);
    if (!was_list)
        finding.evidence += fmt::format(
            "Meanwhile, the inner area that the whole tree wastes grew by {:.2f} times what this subtree "
            "wastes now.",
            lost / (part.cost - part.rebuilt));
    else if (2 * static_cast<std::size_t>(height) < static_cast<std::size_t>(in_list))
        finding.evidence +=
            "They came as a list: what has balanced its height since has mixed them with their neighbors.";
    else
        finding.evidence += fmt::format("They came as a list, and the height here is still {}.", height);
    if (row.size() < leaves.size())
        finding.evidence +=
            fmt::format(" Without them, the others have {} times less inner area in the same places.",
                        times_text(part.cost, better.others));
    finding.helps = with_rotations(made, order_words(first == complete), cost.height(part.node), part);
    leaves = std::move(row);
    return true;
}

}  // namespace lab::capture
