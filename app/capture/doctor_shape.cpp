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
#include "io/text/counted.hpp"

namespace lab::capture {
namespace {

constexpr double kWasBetter = 0.75;  ///< Loss of a part when its shape was new, over the present one.
/// Mixed groups cost so many times a rebuilt tree and waste this share of the whole tree's cost, or have so
/// many more nodes, by leaf, than they need.
constexpr double kMixedShape = 1.8, kMixedShare = 0.15, kMixedNodes = 0.15;
constexpr std::size_t kMaxRebuilt = 5'000'000;  ///< Boxes in all subtrees that are rebuilt for comparison.
constexpr double kMaxClimbed = 5e7;             ///< Steps from leaves up to a subtree's top.

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
    std::string alone;  // what the leaves in question do, if they are not all of the part's leaves
    if (!explain_by_refits(part, leaves) && !explain_by_order(cost, part, leaves) &&
        !explain_by_row(cost, part, leaves)) {
        const std::size_t before = result_.findings.size();
        if (!explain_by_clusters(cost.cost(0), part, leaves) &&
            explain_by_clusters_of(resting(leaves), cost.cost(0), part, leaves))
            alone = "rest";
        // Clusters that came into a tree of others may be mixed with these as well: only the clusters are
        // named.
        if (explain_by_clusters_of(arrived_together(leaves), cost.cost(0), part, leaves))
            alone = "came together";
        if (result_.findings.size() == before) return false;
        result_.findings.erase(result_.findings.begin() + static_cast<std::ptrdiff_t>(before),
                               result_.findings.end() - 1);
    }
    Finding& finding = result_.findings.back();
    const std::uint32_t below_it = cost.captured_leaves(part.node);
    for (const Leaf& leaf : leaves)
        finding.bodies.push_back(leaf.body);
    std::sort(finding.bodies.begin(), finding.bodies.end());
    finding.share = (part.cost - part.rebuilt) / cost.cost(0);
    const std::string below =
        alone.empty() ? fmt::format("with {} leaves below it,", below_it)
                      : fmt::format("of whose {} {} {} {},", below_it, leaf_word(), leaves.size(), alone);
    finding.evidence = fmt::format(
        "Node {}, {} has {:.2f} times the inner area of a rebuilt subtree{}: {:.0f} % of the whole tree's "
        "inner area is wasted. {}",
        finding.node, below, part.cost / part.rebuilt, alone.empty() ? "" : " of these alone",
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
    // Most of a level rests: the proof is that the same shape was good then, not the number of movers.
    if (shaped + kShortest * survey_.stride > survey_.last || far < 3) return false;
    const std::optional<double> then = cost_in_frame(shaped, part.node, leaves);
    const double now = part.cost / part.rebuilt;
    if (!then || *then > std::max(0.5 * (now + 1.0), kWasBetter * now)) return false;
    // An engine that rebuilds now and then may have a bad tree shortly before it does so again.
    if (0.5 * (*then + now) < kBadShape && is_due_for_rebuild()) return false;
    const auto placed = std::count_if(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
        return leaf.history->shape_since == shaped && leaf.history->created < shaped;
    });
    const bool was_rebuilt =
        5 * static_cast<std::size_t>(placed) >= 4 * leaves.size() &&
        std::any_of(history_->churn.begin(), history_->churn.end(),
                    [&](const Churn& churn) { return churn.place == shaped && churn.is_rebuilt; });
    // An engine that has rebuilt it every so often did nothing wrong before the next time was due.
    const std::optional<std::size_t> period = rebuild_period(shaped);
    const std::size_t due = period && shaped + *period <= survey_.last ? shaped + *period : shaped;
    // As long as all bodies rested, the shape was good.
    const std::size_t since = refit == BodyHistory::kNever ? due : std::max(due, refit);
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
    if (due > shaped) {
        const std::uint64_t every = number(due) - number(shaped);
        finding.evidence += fmt::format(
            " Until then it was rebuilt {}: since frame {}, a rebuild is missing.",
            every == 1 ? std::string("in every frame") : fmt::format("every {} frames", every), number(due));
    }
    if (was_rebuilt)
        finding.helps = fmt::format(
            "It was rebuilt in frame {}, the last time. Rebuilding it now makes its inner area {:.2f} times "
            "smaller: rebuild it sooner.",
            number(shaped), now);
    return true;
}

std::optional<std::size_t> Doctor::rebuild_period(std::size_t until) const {
    std::optional<std::size_t> before, period;
    std::size_t gaps = 0;
    for (const Churn& row : history_->churn) {
        if (row.place > until) break;
        if (!row.is_rebuilt && !row.is_reshaped) continue;
        // Where the ids of nodes stay, many leaves keep their places: then the order of the tree tells.
        if (!row.is_rebuilt && !row.is_sorted) return std::nullopt;  // it also changes otherwise
        if (before) {
            if (period && row.place - *before != *period) return std::nullopt;
            period = row.place - *before;
            ++gaps;
        }
        before = row.place;
    }
    return gaps >= 2 && *before == until ? period : std::nullopt;
}

bool Doctor::is_due_for_rebuild() const {
    std::optional<std::size_t> before;
    std::size_t longest = 0;
    for (const Churn& row : history_->churn) {
        if (!row.is_rebuilt) continue;
        if (before) longest = std::max(longest, row.place - *before);
        before = row.place;
    }
    return before && survey_.last - *before <= longest;
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
    // Bodies that move through between groups that rest do not join them.
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

std::optional<Doctor::Cut> Doctor::widest_cut(const std::vector<Leaf>& leaves) const {
    Cut cut;
    double size = 0.0;
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
            if (inside && spans[i].first - reach > cut.gap)
                cut = {0, k, 0.5 * (spans[i].first + reach), spans[i].first - reach};
            reach = std::max(reach, spans[i].second);
        }
    }
    if (cut.gap < 2.0 * size) return std::nullopt;
    // The other bodies of an evenly filled world lie between those of a part.
    if (widest_gap(leaves, cut.axis, cut.at - 0.5 * cut.gap, cut.at + 0.5 * cut.gap) < 2.0 * size)
        return std::nullopt;
    return cut;
}

Doctor::Groups Doctor::groups_of(const std::vector<Leaf>& leaves, std::size_t max_groups) const {
    Groups found;
    std::vector<std::vector<Leaf>> groups{leaves};
    std::vector<std::optional<Cut>> next{widest_cut(leaves)};
    while (groups.size() < max_groups) {
        std::size_t widest = 0;
        for (std::size_t i = 1; i < next.size(); ++i)
            if (next[i] && (!next[widest] || next[i]->gap > next[widest]->gap)) widest = i;
        if (!next[widest]) break;
        Cut cut = *next[widest];
        cut.group = static_cast<std::uint8_t>(widest);
        found.cuts.push_back(cut);
        std::vector<Leaf> low, high;
        bv::Aabb around;
        for (const Leaf& leaf : groups[widest]) {
            around = bv::merge(around, clean_[leaf.node]);
            (cut.is_above(leaf.history->tight.center()) ? high : low).push_back(leaf);
        }
        if (found.cuts.size() > 1) found.joints += size_(around);
        const auto cut_of = [this](const std::vector<Leaf>& group) {
            return group.size() < kMinLeaves ? std::nullopt : widest_cut(group);
        };
        next[widest] = cut_of(low);
        next.push_back(cut_of(high));
        groups[widest] = std::move(low);
        groups.push_back(std::move(high));
    }
    for (const std::vector<Leaf>& group : groups)
        found.sizes.push_back(group.size());
    return found;
}

std::uint8_t Doctor::Groups::of(const glm::vec3& point) const {
    std::uint8_t group = 0, made = 0;
    for (const Cut& cut : cuts) {
        ++made;
        if (cut.group == group && cut.is_above(point)) group = made;
    }
    return group;
}

Doctor::Mixed Doctor::mixed_below(const bv::TreeSnapshot& t, std::uint32_t top,
                                  const std::vector<GroupLeaf>& leaves) const {
    struct Group {
        bv::Aabb box;
        std::uint32_t children = 0;  ///< Children that hold leaves of the group.
    };
    std::unordered_map<std::uint32_t, std::array<Group, kMaxGroups>> groups;  // by node
    for (const GroupLeaf& leaf : leaves)
        for (std::uint32_t up = leaf.node;; up = t.parents[up]) {
            bv::Aabb& box = groups[up][leaf.group].box;
            if (up != top && box.is_empty()) ++groups[t.parents[up]][leaf.group].children;
            box = bv::merge(box, leaf.box);
            if (up == top) break;
        }
    // If separated, a group needs a node only where several children hold leaves of it. The other nodes are
    // as large as they are because they span a gap.
    Mixed mixed;
    for (const auto& [node, all] : groups) {
        bv::Aabb around;
        std::size_t present = 0;
        double separated = 0.0;
        for (const Group& one : all) {
            present += one.box.is_empty() ? 0 : 1;
            around = bv::merge(around, one.box);
            if (one.children > 1) separated += size_(one.box);
        }
        if (t.is_leaf(node) || present < 2) continue;
        mixed.spanned -= separated;
        if (node == top) continue;
        ++mixed.nodes;
        mixed.spanned += size_(around);
    }
    return mixed;
}

double Doctor::spanned_in(std::size_t place,
                          const std::unordered_map<std::uint64_t, std::uint8_t>& group_of) const {
    const std::optional<bv::TreeSnapshot> tree = snapshot_in(place);
    if (!tree) return 0.0;
    std::vector<GroupLeaf> grouped;
    double climbed = 0.0;
    for (std::uint32_t i = 0; i < tree->size(); ++i) {
        if (!tree->is_leaf(i) || tree->payload_count[i] == 0) continue;
        const auto at = group_of.find(tree->payloads[tree->first_payload[i]]);
        if (at == group_of.end()) continue;
        grouped.push_back({i, at->second, tree->boxes[i]});
        climbed += tree->depths[i];
    }
    return climbed > kMaxClimbed ? 0.0 : mixed_below(*tree, 0, grouped).spanned;
}

bool Doctor::explain_by_clusters(double whole, const BadPart& part, const std::vector<Leaf>& leaves) {
    const bv::TreeSnapshot& t = snapshot();
    std::uint32_t deepest = 0;
    for (const Leaf& leaf : leaves)
        deepest = std::max(deepest, t.depths[leaf.node] - t.depths[part.node]);
    if (static_cast<double>(leaves.size()) * deepest > kMaxClimbed) return false;
    // Takes as few groups as explain most of the loss.
    Groups groups;
    std::vector<GroupLeaf> grouped;
    Mixed mixed;
    for (std::size_t max_groups = 2;; max_groups *= 2) {
        groups = groups_of(leaves, max_groups);
        if (2 * groups.sizes.size() <= max_groups) return false;  // no more than before
        grouped.clear();
        for (const Leaf& leaf : leaves)
            grouped.push_back({leaf.node, groups.of(leaf.history->tight.center()), clean_[leaf.node]});
        mixed = mixed_below(t, part.node, grouped);
        mixed.spanned -= groups.joints;
        if (mixed.nodes >= groups.sizes.size() && mixed.spanned >= 0.5 * (part.cost - part.rebuilt)) break;
        if (max_groups == kMaxGroups) return false;
    }
    // In a sound tree, insertion and rotations by height also join groups in a few nodes more than needed.
    const double more = static_cast<double>(mixed.nodes + 1) - static_cast<double>(groups.sizes.size());
    const bool is_large =
        part.cost >= kMixedShape * part.rebuilt && part.cost - part.rebuilt >= kMixedShare * whole;
    if (!is_large && more < kMixedNodes * static_cast<double>(leaves.size())) return false;
    std::vector<std::size_t> came(groups.sizes.size(), survey_.last), created;
    std::unordered_map<std::uint64_t, std::uint8_t> group_of;
    std::size_t crossed = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const BodyHistory& body = *leaves[i].history;
        const std::uint8_t group = grouped[i].group;
        crossed += groups.of(body.came_at) != group ? 1 : 0;
        came[group] = std::min(came[group], body.created);
        group_of.emplace(leaves[i].body, group);
        created.push_back(body.created);
    }
    const auto are_mixed_in = [&](std::size_t place) {
        return spanned_in(place, group_of) - groups.joints >= 0.5 * mixed.spanned;
    };
    std::sort(came.begin(), came.end());
    std::sort(created.begin(), created.end());
    const std::size_t complete = created[created.size() * 9 / 10];
    const auto settled = std::count_if(leaves.begin(), leaves.end(), [complete](const Leaf& leaf) {
        return leaf.history->shape_since <= complete;
    });
    if (static_cast<std::size_t>(settled) * 10 >= leaves.size() * 7) {
        // The leaves lie where they were inserted. With each of them at the place where it came, the part
        // must be as bad: otherwise, motion since then is to blame.
        std::vector<bv::Aabb> boxes(t.size());
        for (const Leaf& leaf : leaves) {
            const glm::vec3 back = leaf.history->came_at - leaf.history->tight.center();
            boxes[leaf.node] = {leaf.history->fat.min + back, leaf.history->fat.max + back};
        }
        const ShapeCost then(t, std::move(boxes), size_);
        if (then.cost(part.node) < 0.5 * (part.cost / part.rebuilt + 1.0) * then.rebuilt(part.node))
            return false;
    } else {
        // The leaves were re-inserted since, each in its group. The groups must have been mixed ever since
        // they came.
        if (crossed * 20 > leaves.size()) return false;
        constexpr std::size_t kLooks = 3;
        for (std::size_t look = 0; look < kLooks; ++look) {
            const std::size_t place = complete + look * (survey_.last - complete) / kLooks;
            if (!are_mixed_in(place)) return false;
        }
    }
    // Of several groups, the first ones may be mixed before the last one comes.
    std::size_t last = 1;
    while (last + 1 < came.size() && !are_mixed_in(came[last]))
        ++last;
    last =
        static_cast<std::size_t>(std::upper_bound(came.begin(), came.end(), came[last]) - came.begin()) - 1;
    // Groups that were apart when each had its first member are mixed by others that came later.
    std::size_t since = came[last];
    if (!are_mixed_in(since)) {
        created.erase(created.begin(), std::upper_bound(created.begin(), created.end(), since));
        created.erase(std::unique(created.begin(), created.end()), created.end());
        const auto mixes = std::partition_point(created.begin(), created.end(),
                                                [&](std::size_t place) { return !are_mixed_in(place); });
        if (mixes != created.end()) since = *mixes;
    }
    const bool two = groups.sizes.size() == 2;
    Finding& finding = add(Cause::MixedClusters, since, part.node);
    std::vector<std::string> sizes;
    for (const std::size_t size : groups.sizes)
        sizes.push_back(io::grouped(size));
    double gap = groups.cuts.front().gap;
    for (const Cut& cut : groups.cuts)
        gap = std::min(gap, cut.gap);
    finding.evidence = fmt::format(
        "{} groups of {} and {} {}, {}{} apart{}, are mixed below {} {}nodes; {} would be enough. {} "
        "in frame {}.",
        two ? "Two" : std::to_string(groups.sizes.size()), fmt::join(sizes.begin(), sizes.end() - 1, ", "),
        sizes.back(), leaf_word(), two ? "" : "at least ", meters_text(gap),
        two ? fmt::format(" on the {} axis", "xyz"[groups.cuts.front().axis]) : "", mixed.nodes + 1,
        has_opened() ? "" : "inner ", two ? "one" : std::to_string(groups.cuts.size()),
        last + 1 == came.size() ? fmt::format("{} groups existed", two ? "Both" : "All")
                                : fmt::format("{} of them existed", last + 1),
        finding.frame);
    return true;
}

std::vector<Doctor::Leaf> Doctor::resting(const std::vector<Leaf>& leaves) {
    std::vector<Leaf> some;
    for (const Leaf& leaf : leaves)
        if (leaf.history->traveled <= 0.5 * static_cast<double>(glm::length(leaf.history->tight.size())))
            some.push_back(leaf);
    return 2 * some.size() < leaves.size() ? std::vector<Leaf>{} : some;
}

Doctor::Apart Doctor::apart(const std::vector<Leaf>& some, std::uint32_t node) const {
    std::vector<bv::Aabb> without = clean_, alone(clean_.size());
    for (const Leaf& leaf : some)
        std::swap(alone[leaf.node], without[leaf.node]);
    const ShapeCost these(snapshot(), std::move(alone), size_), others(snapshot(), std::move(without), size_);
    const double joint = size_(bv::merge(these.box(node), others.box(node)));
    return {others.cost(node), others.cost(node) + these.rebuilt(node) + joint};
}

bool Doctor::explain_by_clusters_of(std::vector<Leaf> some, double whole, BadPart& part,
                                    std::vector<Leaf>& leaves) {
    if (some.size() < kMinLeaves || some.size() == leaves.size()) return false;
    std::vector<bv::Aabb> boxes(snapshot().size());
    std::vector<std::uint32_t> nodes;
    for (const Leaf& leaf : some) {
        boxes[leaf.node] = clean_[leaf.node];
        nodes.push_back(leaf.node);
    }
    const ShapeCost cost(snapshot(), std::move(boxes), size_);
    const std::uint32_t top = node_around(snapshot(), nodes, 1.0);
    const BadPart alone{top, cost.cost(top), cost.rebuilt(top)};
    if (alone.cost < kBadShape * alone.rebuilt) return false;
    // What they cost each other, or what they cost all.
    const double enough = 0.5 * (part.cost - part.rebuilt);
    if (alone.cost - alone.rebuilt < enough && part.cost - apart(some, part.node).all < enough) return false;
    if (!explain_by_clusters(whole, alone, some)) return false;
    part = alone;
    leaves = std::move(some);
    return true;
}

}  // namespace lab::capture
