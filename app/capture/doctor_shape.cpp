// Causes that show in the shape of the tree: refits without rebuild, mixed clusters. Lists: doctor_order.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/doctor.hpp"

namespace lab::capture {
namespace {

constexpr double kWasBetter = 0.75;  ///< Loss of a part when its shape was new, over the present one.
constexpr std::size_t kMaxRebuilt = 5'000'000;  ///< Boxes, in all subtrees that are rebuilt to compare.
constexpr double kMaxClimbed = 5e7;             ///< From leaves up to a subtree's top.

}  // namespace

void Doctor::find_bad_shapes() {
    const ShapeCost cost(snapshot(), clean_, size_);
    const std::vector<BadPart> parts = bad_parts(cost);
    std::vector<bool> taken(snapshot().size(), false);
    std::size_t found = 0;
    constexpr std::size_t kMaxCauses = 3;
    for (BadPart part : parts) {
        if (found == kMaxCauses || taken[part.node] || !explain(cost, part)) continue;
        mark_line(part.node, taken);
        ++found;
    }
    if (parts.empty()) return;
    const BadPart& worst = parts.front();
    result_.unexplained = worst.cost / worst.rebuilt;
    worst_node_ = worst.node;
    worst_share_ = (worst.cost - worst.rebuilt) / cost.cost(0);
}

void Doctor::mark_line(std::uint32_t node, std::vector<bool>& taken) const {
    const bv::TreeSnapshot& t = snapshot();
    for (std::uint32_t up = node; up != bv::TreeSnapshot::kNone; up = t.parents[up])
        taken[up] = true;
    std::vector<bool> inside(t.size(), false);
    for (std::uint32_t i = node; i < t.size(); ++i) {
        inside[i] = i == node || (i > 0 && inside[t.parents[i]]);
        if (inside[i]) taken[i] = true;
    }
}

std::vector<Doctor::BadPart> Doctor::bad_parts(const ShapeCost& cost) const {
    const bv::TreeSnapshot& t = snapshot();
    std::vector<BadPart> parts;
    // By node: leaf count of the nearest ancestor that was rebuilt. Long lists are not rebuilt at every node.
    std::vector<std::uint32_t> rebuilt_above(t.size(), 0);
    std::size_t boxes_left = kMaxRebuilt;
    for (std::uint32_t i = 0; i < t.size(); ++i) {
        if (i > 0) rebuilt_above[i] = rebuilt_above[t.parents[i]];
        if (t.is_leaf(i) || cost.leaves(i) < kMinLeaves) continue;
        if (rebuilt_above[i] > 500 && cost.leaves(i) * 50 > rebuilt_above[i] * 49) continue;
        if (cost.cost(i) < kMinShare * cost.cost(0)) continue;
        if (cost.leaves(i) > boxes_left) continue;
        boxes_left -= cost.leaves(i);
        rebuilt_above[i] = cost.leaves(i);
        const double rebuilt = cost.rebuilt(i);
        const double loss = cost.cost(i) - kAllowedShape * rebuilt;
        if (cost.cost(i) >= kBadShape * rebuilt && loss > 0.0 && loss >= kMinShare * cost.cost(0))
            parts.push_back({i, cost.cost(i), rebuilt});
    }
    std::stable_sort(parts.begin(), parts.end(), [](const BadPart& a, const BadPart& b) {
        return a.cost - kAllowedShape * a.rebuilt > b.cost - kAllowedShape * b.rebuilt;
    });
    return parts;
}

bool Doctor::explain(const ShapeCost& cost, BadPart& part) {
    std::vector<Leaf> leaves;
    std::size_t known = 0;
    for (const std::uint32_t node : cost.leaves_below(part.node)) {
        const auto at = leaf_at_.find(node);
        if (at == leaf_at_.end()) continue;
        leaves.push_back(at->second);
        known += is_explained(at->second.body) ? 1 : 0;
    }
    if (leaves.size() < kMinLeaves || known * 2 > leaves.size()) return false;
    const std::size_t all = leaves.size();
    bool rest_alone = false;
    if (!explain_by_refits(part, leaves) && !explain_by_order(cost, part, leaves) &&
        !explain_by_row(cost, part, leaves) && !explain_by_clusters(part, leaves)) {
        rest_alone = explain_by_resting_clusters(part, leaves);
        if (!rest_alone) return false;
    }
    Finding& finding = result_.findings.back();
    const std::uint32_t below_it = cost.captured_leaves(part.node);
    for (const Leaf& leaf : leaves)
        finding.bodies.push_back(leaf.body);
    std::sort(finding.bodies.begin(), finding.bodies.end());
    finding.share = (part.cost - part.rebuilt) / cost.cost(0);
    const std::string below = rest_alone
                                  ? fmt::format("of whose {} {} {} rest,", all, leaf_word(), leaves.size())
                                  : fmt::format("with {} leaves below it,", below_it);
    finding.evidence = fmt::format(
        "Node {}, {} has {:.2f} times the inner area of a rebuilt subtree{}: {:.0f} % of the whole tree's "
        "inner area is wasted. {}",
        finding.node, below, part.cost / part.rebuilt, rest_alone ? " of these alone" : "",
        100.0 * finding.share, finding.evidence);
    if (finding.helps.empty())
        finding.helps = fmt::format(
            "Rebuilding this subtree makes its inner area {:.2f} times smaller, and the whole tree's {:.2f} "
            "times.",
            part.cost / part.rebuilt, cost.cost(0) / (cost.cost(0) - part.cost + part.rebuilt));
    return true;
}

bool Doctor::explain_by_refits(const BadPart& part, const std::vector<Leaf>& leaves) {
    std::size_t shaped = 0;
    std::size_t far = 0;
    std::size_t refit = BodyHistory::kNever;
    for (const Leaf& leaf : leaves) {
        shaped = std::max(shaped, leaf.history->shape_since);
        const double size = static_cast<double>(glm::length(leaf.history->tight.size()));
        if (leaf.history->moved <= 0.5 * size) continue;
        ++far;
        refit = std::min(refit, leaf.history->refit_since);
    }
    // A level mostly rests: that the same shape was good then proves it, not the number of movers.
    if (shaped + kShortest * survey_.stride > survey_.last || far < 3) return false;
    const std::optional<double> then = cost_in_frame(shaped, part.node, leaves);
    const double now = part.cost / part.rebuilt;
    if (!then || *then > std::max(0.5 * (now + 1.0), kWasBetter * now)) return false;
    // As long as all rested, the shape was good.
    const std::size_t since = refit == BodyHistory::kNever ? shaped : std::max(shaped, refit);
    Finding& finding = add(Cause::RefitOnly, since, part.node);
    const std::optional<double> soon = cost_in_frame(std::min(since + 10, survey_.last), part.node, leaves);
    const std::optional<double> last = cost_in_frame(survey_.last, part.node, leaves);
    finding.slowly = !soon || !last || *soon < *then + 0.75 * (*last - *then);
    finding.evidence = fmt::format(
        "Since frame {}, no {}, while {} of {} moved by more than half their size. In frame {}, the subtree "
        "had {:.2f} times the inner area of a rebuilt one.",
        number(shaped),
        has_opened() ? "body below has changed its leaf" : "leaf below has changed its parent or sibling",
        far, leaves.size(), number(shaped), *then);
    const auto placed = std::count_if(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
        return leaf.history->shape_since == shaped && leaf.history->created < shaped;
    });
    const bool was_rebuilt =
        std::any_of(history_->churn.begin(), history_->churn.end(),
                    [&](const Churn& churn) { return churn.place == shaped && churn.is_rebuilt; });
    if (was_rebuilt && 5 * static_cast<std::size_t>(placed) >= 4 * leaves.size())
        finding.helps = fmt::format(
            "It was rebuilt in frame {}, the last time. Rebuilding it now makes its inner area {:.2f} times "
            "smaller: rebuild it sooner.",
            number(shaped), now);
    return true;
}

std::optional<double> Doctor::cost_in_frame(std::size_t place, std::uint32_t node,
                                            const std::vector<Leaf>& leaves) {
    auto frame = file_.frame(place);
    if (!frame) return std::nullopt;
    std::unordered_map<std::uint64_t, const io::CaptureProxy*> proxies;
    for (const io::CaptureProxy& proxy : frame->proxies)
        proxies.emplace(proxy.id, &proxy);
    std::vector<bv::Aabb> boxes(snapshot().size());
    for (const Leaf& leaf : leaves) {
        const auto at = proxies.find(leaf.body);
        if (at == proxies.end() || !at->second->fat.is_finite()) return std::nullopt;
        boxes[leaf.node] = at->second->fat;
    }
    const ShapeCost then(snapshot(), std::move(boxes), size_);
    const double rebuilt = then.rebuilt(node);
    return rebuilt > 0.0 ? std::optional(then.cost(node) / rebuilt) : std::nullopt;
}

double Doctor::widest_gap(const std::vector<Leaf>& leaves, int axis, double begin, double end) const {
    const auto rests = [](const Leaf& leaf) {
        return leaf.history->traveled <= 0.5 * static_cast<double>(glm::length(leaf.history->tight.size()));
    };
    // What moves through between groups that rest does not join them.
    const bool all_rest = std::all_of(leaves.begin(), leaves.end(), rests);
    std::unordered_set<std::uint32_t> inside;
    bv::Aabb around;
    for (const Leaf& leaf : leaves) {
        inside.insert(leaf.node);
        around = bv::merge(around, leaf.history->tight);
    }
    std::vector<std::pair<double, double>> spans{{end, end}};
    for (const auto& [node, leaf] : leaf_at_) {
        const bv::Aabb& box = leaf.history->tight;
        glm::vec3 beside = box.center();
        beside[axis] = around.center()[axis];
        if (inside.contains(node) || (all_rest && !rests(leaf)) || !bv::contains_point(around, beside))
            continue;
        const double from = box.min[axis], to = box.max[axis];
        if (to > begin && from < end && (from > begin || to < end)) spans.emplace_back(from, to);
    }
    std::sort(spans.begin(), spans.end());
    double widest = 0.0, reach = begin;
    for (const auto& [from, to] : spans) {
        widest = std::max(widest, from - reach);
        reach = std::max(reach, to);
    }
    return widest;
}

bool Doctor::explain_by_clusters(const BadPart& part, const std::vector<Leaf>& leaves) {
    int axis = 0;
    double gap = 0.0, at = 0.0, size = 0.0;
    for (int k = 0; k < 3; ++k) {
        std::vector<std::pair<double, double>> spans;
        for (const Leaf& leaf : leaves) {
            spans.emplace_back(leaf.history->tight.min[k], leaf.history->tight.max[k]);
            size += static_cast<double>(leaf.history->tight.size()[k]) /
                    (3.0 * static_cast<double>(leaves.size()));
        }
        std::sort(spans.begin(), spans.end());
        double reach = spans.front().second;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            // Both sides must be compact groups.
            const bool inside = i * 5 >= spans.size() && (spans.size() - i) * 5 >= spans.size();
            if (inside && spans[i].first - reach > gap) {
                gap = spans[i].first - reach;
                at = 0.5 * (spans[i].first + reach);
                axis = k;
            }
            reach = std::max(reach, spans[i].second);
        }
    }
    if (gap < 2.0 * size) return false;
    // The other bodies of an evenly filled world lie between those of a part.
    if (widest_gap(leaves, axis, at - 0.5 * gap, at + 0.5 * gap) < 2.0 * size) return false;
    const bv::TreeSnapshot& t = snapshot();
    std::uint32_t deepest = 0;
    for (const Leaf& leaf : leaves)
        deepest = std::max(deepest, t.depths[leaf.node] - t.depths[part.node]);
    if (static_cast<double>(leaves.size()) * deepest > kMaxClimbed) return false;
    struct Side {
        bv::Aabb box;
        std::uint32_t children = 0;  ///< That hold leaves of it.
    };
    std::array<std::size_t, 2> group{};
    std::size_t mixed = 0;
    std::unordered_map<std::uint32_t, std::array<Side, 2>> sides;  // of each node of the part
    std::array<std::size_t, 2> came{survey_.last, survey_.last};
    for (const Leaf& leaf : leaves) {
        const std::size_t side = static_cast<double>(leaf.history->tight.center()[axis]) > at ? 1 : 0;
        ++group[side];
        came[side] = std::min(came[side], leaf.history->created);
        for (std::uint32_t up = leaf.node;; up = t.parents[up]) {
            bv::Aabb& box = sides[up][side].box;
            if (up != part.node && box.is_empty()) ++sides[t.parents[up]][side].children;
            box = bv::merge(box, clean_[leaf.node]);
            if (up == part.node) break;
        }
    }
    // Separated, a group needs a node where several children hold leaves of it, and the two groups need one
    // node above both. The others are as large as they are because they span the gap, and that must be most
    // of the loss.
    double spanned = 0.0;
    for (const auto& [node, side] : sides) {
        if (t.is_leaf(node) || side[0].box.is_empty() || side[1].box.is_empty()) continue;
        if (node != part.node) {
            ++mixed;
            spanned += size_(bv::merge(side[0].box, side[1].box));
        }
        for (const Side& one : side)
            if (one.children > 1) spanned -= size_(one.box);
    }
    if (mixed < 2 || spanned < 0.5 * (part.cost - part.rebuilt)) return false;
    // They must still lie where they were inserted; otherwise something has moved them since.
    std::vector<std::size_t> created;
    created.reserve(leaves.size());
    for (const Leaf& leaf : leaves)
        created.push_back(leaf.history->created);
    std::sort(created.begin(), created.end());
    const std::size_t complete = created[created.size() * 9 / 10];
    const auto settled = std::count_if(leaves.begin(), leaves.end(), [complete](const Leaf& leaf) {
        return leaf.history->shape_since <= complete;
    });
    if (static_cast<std::size_t>(settled) * 10 < leaves.size() * 7) return false;
    // And the part must be as bad with each of them where it came: else motion since then is to blame.
    std::vector<bv::Aabb> boxes(t.size());
    for (const Leaf& leaf : leaves) {
        const glm::vec3 back = leaf.history->came_at - leaf.history->tight.center();
        boxes[leaf.node] = {leaf.history->fat.min + back, leaf.history->fat.max + back};
    }
    const ShapeCost then(t, std::move(boxes), size_);
    if (then.cost(part.node) < 0.5 * (part.cost / part.rebuilt + 1.0) * then.rebuilt(part.node)) return false;
    Finding& finding = add(Cause::MixedClusters, std::max(came[0], came[1]), part.node);
    finding.evidence = fmt::format(
        "Two groups of {} and {} {}, {:.3g} m apart on the {} axis, are mixed below {} {}nodes; one would be "
        "enough. Both groups existed in frame {}.",
        group[0], group[1], leaf_word(), gap, "xyz"[axis], mixed + 1, has_opened() ? "" : "inner ",
        finding.frame);
    return true;
}

bool Doctor::explain_by_resting_clusters(BadPart& part, std::vector<Leaf>& leaves) {
    std::vector<bv::Aabb> boxes(snapshot().size());
    std::vector<Leaf> resting;
    for (const Leaf& leaf : leaves) {
        if (leaf.history->traveled > 0.5 * static_cast<double>(glm::length(leaf.history->tight.size())))
            continue;
        resting.push_back(leaf);
        boxes[leaf.node] = clean_[leaf.node];
    }
    if (resting.size() < kMinLeaves || 2 * resting.size() < leaves.size() || resting.size() == leaves.size())
        return false;
    const ShapeCost cost(snapshot(), std::move(boxes), size_);
    const BadPart rest{part.node, cost.cost(part.node), cost.rebuilt(part.node)};
    if (rest.cost < kBadShape * rest.rebuilt || rest.cost - rest.rebuilt < 0.5 * (part.cost - part.rebuilt))
        return false;
    if (!explain_by_clusters(rest, resting)) return false;
    part = rest;
    leaves = std::move(resting);
    return true;
}

}  // namespace lab::capture
