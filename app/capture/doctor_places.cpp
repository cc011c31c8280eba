// Leaves in the wrong place: boxes that follow their bodies, while the leaf stays where it was.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <unordered_map>
#include <utility>

#include "capture/doctor.hpp"
#include "io/text/counted.hpp"

namespace lab::capture {
namespace {

constexpr double kBadPlace = 2.0;  ///< What a leaf costs where it is, over what it costs at the best place.
constexpr double kPoorPlace = 1.4, kGoodPlace = 1.1;
constexpr double kMisplacedTravel = 2.0;  ///< In diagonals of the body.
/// What misplaced leaves must cost more, as a share of the cost of the whole tree; and the same where nothing
/// was different before: an engine that has always done so may do it on purpose.
constexpr double kMinMisplaced = 0.05, kMinMisplacedAlways = 0.2;
/// The same where hardly any of them is re-inserted and others stand far better.
constexpr double kMinClearlyMisplaced = 0.03, kClearContrast = 4.0;
/// Share of the changes of a leaf's box that may have come with a re-insertion: at most for a suspect, and at
/// least for the others.
constexpr double kMaxReinserted = 0.25, kMinReinserted = 0.1;
/// Least ratio of the others' share to that of the suspects; and of the suspects' share before to their share
/// now.
constexpr double kContrast = 3.0, kContrastToBefore = 2.0;
/// The same where the suspects cost `kBadPlace` times as much as the others: rotations around them, which
/// look like re-insertions of theirs, have not helped them.
constexpr double kContrastAtCost = 1.5;
constexpr double kMaxBoxes = 3e6;  ///< In all trees in which places are examined.

/// How often boxes changed in one frame, with the leaf in its place and with the leaf in a new place.
struct Changes {
    std::size_t place = 0;
    double kept = 0, placed = 0;

    void add(const Changes& other) {
        kept += other.kept;
        placed += other.placed;
    }
    [[nodiscard]] double share_kept() const { return kept > 0.0 ? kept / (kept + placed) : 0.0; }
};

/// A leaf with one body in a frame of the capture: its box, and the nodes around it by their ids.
struct Seen {
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    std::uint32_t leaf = 0;  ///< A node of the frame's snapshot.
    std::uint64_t body = 0;
    bv::Aabb box;
    std::uint64_t parent = kNone, above = kNone;
    std::uint64_t sibling = kNone;  ///< In a binary tree.

    /// Whether the leaf was left where it was. In a wide tree, a node that is split puts a new node between
    /// its leaves and the node above, and one that is dissolved leaves its leaves to the node above. In a
    /// binary tree, a leaf that is re-inserted nearby looks the same.
    [[nodiscard]] bool stays_from(const Seen& was) const {
        if (sibling != kNone) return parent == was.parent && sibling == was.sibling;
        return parent == was.parent || parent == was.above || above == was.parent;
    }
};

std::vector<Seen> leaves_seen(const io::CaptureTree& captured, const bv::TreeSnapshot& tree) {
    std::vector<Seen> leaves;
    const auto id = [&](std::uint32_t node) { return captured.nodes[tree.source_nodes[node]].id; };
    const bool is_binary = std::all_of(tree.child_count.begin(), tree.child_count.end(),
                                       [](std::uint32_t count) { return count <= 2; });
    for (std::uint32_t i = 1; i < tree.size(); ++i) {
        if (!tree.is_leaf(i) || tree.payload_count[i] != 1) continue;
        const std::uint32_t up = tree.parents[i], first = tree.first_child[up];
        Seen seen{i, tree.payloads[tree.first_payload[i]], tree.boxes[i], id(up)};
        if (up > 0) seen.above = id(tree.parents[up]);
        if (is_binary && tree.child_count[up] == 2) seen.sibling = id(first == i ? first + 1 : first);
        leaves.push_back(seen);
    }
    return leaves;
}

/// Changes of some leaves, and what they would be if these stayed in place as often as others do.
struct Beside {
    Changes is, as_others;

    void add(const Changes& row, double share_of_others) {
        const double sum = row.kept + row.placed;
        is.add(row);
        as_others.add({0, share_of_others * sum, (1.0 - share_of_others) * sum});
    }
    /// The log-likelihood of a constant difference to the others, relative to that of no difference.
    [[nodiscard]] double likelihood() const {
        const auto of = [](double count, double expected) {
            return count > 0.0 && expected > 0.0 ? count * std::log(count / expected) : 0.0;
        };
        return of(is.kept, as_others.kept) + of(is.placed, as_others.placed);
    }
};

/// The log-likelihood of counts with a constant rate, without terms that do not depend on it.
double likelihood(double count, double frames) {
    return count > 0.0 ? count * std::log(count / frames) : 0.0;
}

}  // namespace

double Doctor::Places::reinserted(double usual_rest) const {
    // Even where the box did not change, the leaf got a different parent or sibling when one of these was
    // re-inserted or rotated: as often as it does so otherwise.
    constexpr double kPrior = 8.0;  // frames
    const double still = rested + shifted;
    const double rest = (rested + kPrior * usual_rest) / (still + kPrior);
    const double changes = kept + placed;
    return changes > 0.0 && rest > 0.0 ? std::max(0.0, 1.0 - kept / changes / rest) : 0.0;
}

Doctor::Usual Doctor::usual_places(const std::unordered_map<std::uint64_t, Places>& places, double usual_rest,
                                   bool is_wide) {
    constexpr double kManyChanges = 8;
    std::vector<double> reinserted, costs;
    for (const auto& [body, p] : places) {
        if (p.kept + p.placed < kManyChanges) continue;
        reinserted.push_back(p.reinserted(usual_rest));
        costs.push_back(p.mean_cost());
    }
    // Where a node has many children, most re-insertions end in the same node, and a bad place costs less.
    Usual usual{kMaxReinserted, kPoorPlace};
    if (reinserted.empty()) return usual;
    std::sort(reinserted.begin(), reinserted.end());
    constexpr double kHardly = 0.05;  // then all may be suspects
    const double often = reinserted[reinserted.size() * 3 / 4];
    if (is_wide && often > kHardly) usual.max_reinserted = std::min(kMaxReinserted, often / kContrast);
    usual.poor *= std::min(median(std::move(costs)), 1.0);
    return usual;
}

Doctor::Places Doctor::places_before(std::size_t end, const std::vector<std::uint64_t>& bodies) {
    Places sum;
    for (const auto& [body, places] : places_between(0, end))
        if (std::binary_search(bodies.begin(), bodies.end(), body)) sum.add(places);
    return sum;
}

std::span<const std::size_t> Doctor::examined_between(std::size_t begin, std::size_t end) const {
    const std::vector<std::size_t>& all = survey_.examined;
    const auto first = std::lower_bound(all.begin(), all.end(), begin);
    const auto last = std::lower_bound(first, all.end(), end);
    return std::span(all).subspan(static_cast<std::size_t>(first - all.begin()),
                                  static_cast<std::size_t>(last - first));
}

std::unordered_map<std::uint64_t, Doctor::Places> Doctor::places_between(std::size_t begin, std::size_t end) {
    std::unordered_map<std::uint64_t, Places> found;
    std::unordered_map<std::uint64_t, Seen> seen;
    const std::span<const std::size_t> examined = examined_between(begin, end);
    const double all = static_cast<double>(examined.size() + 1) * static_cast<double>(snapshot().size());
    const auto every = static_cast<std::size_t>(std::ceil(all / kMaxBoxes));
    std::size_t count = 0;
    std::uint64_t steps = 0;
    for (const std::size_t place : examined) {
        const auto frame = file_.frame(place);
        if (!frame) continue;
        const auto captured = std::find_if(frame->trees.begin(), frame->trees.end(),
                                           [&](const auto& t) { return t.name == history_->name; });
        if (captured == frame->trees.end() || !captured->is_complete) continue;
        const bv::TreeSnapshot tree = io::snapshot_of(*captured, frame->proxies, 0).tree;
        struct Change {
            std::uint32_t leaf;
            Places* places;
            bool stays;
        };
        std::vector<Change> changed;
        for (const Seen& now : leaves_seen(*captured, tree)) {
            const auto [at, is_new] = seen.try_emplace(now.body, now);
            if (is_new) continue;
            const bool stays = now.stays_from(at->second);
            Places& places = found[now.body];
            if (at->second.box == now.box) {
                ++(stays ? places.rested : places.shifted);
            } else {
                ++(stays ? places.kept : places.placed);
                changed.push_back({now.leaf, &places, stays});
            }
            at->second = now;
        }
        if (++count % every != 0 || changed.empty()) continue;
        std::vector<bv::Aabb> boxes(tree.size());
        for (std::uint32_t i = 0; i < tree.size(); ++i)
            if (tree.is_leaf(i)) boxes[i] = tree.boxes[i];
        const ShapeCost cost(tree, std::move(boxes), size_);
        for (const auto& [leaf, places, stays] : changed) {
            if ((steps += tree.depths[leaf]) > kMaxSteps) break;
            const double here = cost.here(leaf), best = cost.best_place(leaf);
            if (!(here > 0.0) || !(best > 0.0)) continue;
            places->misplaced += !stays && here > kBadPlace * best ? 1.0 : 0.0;
            ++places->looked_at;
            places->log_cost += std::log(here / best);
        }
    }
    return found;
}

void Doctor::find_misplaced() {
    if (!survey_.broken.empty()) return;  // in a broken tree, a leaf's place says little
    const ShapeCost cost(snapshot(), clean_, size_);
    const auto has_traveled = [](const Leaf& leaf) {
        return leaf.history->traveled >
               kMisplacedTravel * static_cast<double>(glm::length(leaf.history->tight.size()));
    };
    double excess = 0.0;
    std::vector<std::uint64_t> bad_now;
    std::uint64_t steps = 0;
    for (const Leaf& leaf : leaves_) {
        if (is_explained(leaf.body) || !has_traveled(leaf)) continue;
        // The tree is a list, which other causes explain.
        if ((steps += snapshot().depths[leaf.node]) > kMaxSteps) return;
        const double here = cost.here(leaf.node);
        if (here <= kBadPlace * size_(clean_[leaf.node])) continue;  // the best place costs no less
        const double best = cost.best_place(leaf.node);
        if (here <= kBadPlace * best) continue;
        bad_now.push_back(leaf.body);
        excess += here - best;
    }
    if (bad_now.size() < 3 || excess < 0.5 * kMinMisplaced * cost.cost(0)) return;
    std::sort(bad_now.begin(), bad_now.end());
    // How these leaves behave since something changed shows which others belong to them, wherever those
    // happen to be now; and the larger set shows better when it changed.
    std::vector<std::uint64_t> suspects = bad_now;
    // Where others do not move, or are not re-inserted either, the suspects before the change stand for them.
    Places of_suspects, of_others;
    bool by_past = false, is_clear = false;
    double usual_rest = 1.0;
    std::size_t since = 0;
    for (int round = 0; round < 3; ++round) {
        const std::size_t before = std::exchange(since, began_to_stay(suspects));
        if (round > 0 && since == before) break;
        const auto places = places_between(since, survey_.last + 1);
        Places all;
        for (const auto& [body, p] : places)
            all.add(p);
        if (all.rested + all.shifted > 0.0) usual_rest = all.rested / (all.rested + all.shifted);
        suspects.clear();
        of_suspects = of_others = {};
        const Usual usual = usual_places(places, usual_rest, cost.widest() > 2);
        for (const Leaf& leaf : leaves_) {
            const auto at = places.find(leaf.body);
            if (at == places.end() || is_explained(leaf.body)) continue;
            const Places& p = at->second;
            constexpr double kMinChanges = 4;
            const bool is_suspect = has_traveled(leaf) && p.kept + p.placed >= kMinChanges &&
                                    p.mean_cost() >= usual.poor &&
                                    p.reinserted(usual_rest) <= usual.max_reinserted;
            if (is_suspect) suspects.push_back(leaf.body);
            (is_suspect ? of_suspects : of_others).add(p);
        }
        std::sort(suspects.begin(), suspects.end());
        const auto needed = [&](double contrast) {
            return std::max(kMinReinserted, contrast * of_suspects.reinserted_well(usual_rest));
        };
        const auto contrast_to_others = [&](double otherwise) {
            return of_suspects.mean_cost() >= kBadPlace * of_others.mean_cost() ? kContrastAtCost : otherwise;
        };
        by_past = since > 0 && of_others.reinserted_well(usual_rest) < needed(contrast_to_others(kContrast));
        if (by_past) of_others = places_before(since, suspects);
        // A re-insertion often finds the same place. Where the same leaves stood at their best places before,
        // fewer of them prove it.
        const double contrast = contrast_to_others(
            by_past && of_others.mean_cost() <= kGoodPlace ? kContrastToBefore : kContrast);
        // An engine that places leaves well enough, though not at their best places, proves it by contrast.
        is_clear = since > 0 &&
                   of_others.reinserted(usual_rest) >=
                       std::max(kMinReinserted, kClearContrast * of_suspects.reinserted(usual_rest)) &&
                   of_suspects.mean_cost() >= kBadPlace * of_others.mean_cost();
        const bool is_proved = is_clear || of_others.reinserted_well(usual_rest) >= needed(contrast);
        if (suspects.size() < 3 || !is_proved) return;
    }
    if (is_sorted_anew_after(since)) return;
    // Where nearly all leaves got a new place in the same frame, the tree is rebuilt now and then.
    std::size_t replaced = 0, together = 0;
    std::unordered_map<std::size_t, std::size_t> in_frame;
    std::vector<bv::Aabb> others = clean_;
    std::vector<std::uint32_t> nodes;
    double fair = 0.0;
    for (const Leaf& leaf : leaves_) {
        if (!std::binary_search(suspects.begin(), suspects.end(), leaf.body)) {
            if (leaf.history->shape_since <= since) continue;
            ++replaced;
            together = std::max(together, ++in_frame[leaf.history->shape_since]);
            continue;
        }
        nodes.push_back(leaf.node);
        fair += cost.best_place(leaf.node);
        others[leaf.node] = {};
    }
    if (by_past) {
        // If there was no re-insertion between rebuilds, and the rebuilds have ended, it is the rebuilds that
        // are missing.
        const std::vector<Churn>& churn = history_->churn;
        if (std::any_of(churn.begin(), churn.end(),
                        [&](const Churn& row) { return row.place <= since && row.is_rebuilt; }))
            return;
    } else if (replaced < std::max<std::size_t>(3, suspects.size() / 4) || 5 * together > 4 * replaced) {
        return;
    }
    const ShapeCost without(snapshot(), others, size_);
    const double better = without.cost(0) + fair, loss = cost.cost(0) - better;
    const double enough = since == 0 ? kMinMisplacedAlways : is_clear ? kMinClearlyMisplaced : kMinMisplaced;
    if (loss < enough * cost.cost(0)) return;
    Finding& finding = add(Cause::StretchedLeaves, since, node_around(snapshot(), nodes, 0.9));
    Places soon;
    for (const auto& [body, p] : places_between(since, since + 10 * survey_.stride))
        if (std::binary_search(suspects.begin(), suspects.end(), body)) soon.add(p);
    finding.slowly = soon.mean_cost() < 0.5 * (1.0 + of_suspects.mean_cost());
    finding.share = loss / cost.cost(0);
    const double changes = of_suspects.kept + of_suspects.placed;
    finding.evidence = fmt::format(
        "Since frame {}, the boxes of {} of {} have changed {} times, and the leaf was re-inserted in about "
        "{:.0f} % of these; {}, in {:.0f} %. Where it stands then, such a leaf costs {:.1f} times as much "
        "inner area as at its best place, {} {:.1f} times.",
        finding.frame, io::grouped(suspects.size()), io::counted(leaves_.size(), "leaf", "leaves"),
        io::grouped(static_cast<std::uint64_t>(changes)), 100.0 * of_suspects.reinserted(usual_rest),
        by_past ? "before" : "of the others", 100.0 * of_others.reinserted(usual_rest),
        of_suspects.mean_cost(), by_past ? "before" : "others", of_others.mean_cost());
    finding.helps =
        fmt::format("Re-inserting {} now would make the inner area of this tree about {:.2f} times smaller.",
                    io::plural(suspects.size(), "it", "them"), cost.cost(0) / std::max(better, 1e-30));
    finding.bodies = std::move(suspects);
    clean_ = std::move(others);
}

std::size_t Doctor::began_to_stay(const std::vector<std::uint64_t>& bodies) {
    std::unordered_map<std::uint64_t, Seen> seen;
    std::vector<Changes> rows, rows_of_others;
    for (const std::size_t place : examined_between(0, survey_.last + 1)) {
        const auto frame = file_.frame(place);
        if (!frame) continue;
        const auto captured = std::find_if(frame->trees.begin(), frame->trees.end(),
                                           [&](const auto& t) { return t.name == history_->name; });
        if (captured == frame->trees.end()) continue;
        Changes row{place, 0, 0}, others = row;
        for (const Seen& now : leaves_seen(*captured, io::snapshot_of(*captured, frame->proxies, 0).tree)) {
            Changes& counts = std::binary_search(bodies.begin(), bodies.end(), now.body) ? row : others;
            const auto [at, is_new] = seen.try_emplace(now.body, now);
            if (!is_new && !(at->second.box == now.box))
                ++(now.stays_from(at->second) ? counts.kept : counts.placed);
            at->second = now;
        }
        rows.push_back(row);
        rows_of_others.push_back(others);
    }
    const auto share_of_others = [&](std::size_t row) {
        constexpr std::size_t kAround = 5;
        Changes sum{0, 0.5, 0.5};
        for (std::size_t i = row > kAround ? row - kAround : 0; i < std::min(row + kAround + 1, rows.size());
             ++i)
            sum.add(rows_of_others[i]);
        return sum.share_kept();
    };
    // Two rates before the frame and two from it on explain the counts best.
    const Changes none;
    Changes all = none, before = none;
    for (const Changes& row : rows)
        all.add(row);
    const auto count = static_cast<double>(rows.size());
    const auto rates = [](const Changes& part, double frames) {
        return likelihood(part.kept, frames) + likelihood(part.placed, frames);
    };
    constexpr double kStep = 8.0, kEarlierStep = 10.0, kNotAlways = 1.0;  // of the log-likelihood
    double best = rates(all, count) + kStep;
    std::size_t found = 0;
    for (std::size_t i = 1; i + kShortest <= rows.size(); ++i) {
        before.add(rows[i - 1]);
        // In the first frames, bodies are in the middle of their boxes.
        if (i < kShortest) continue;
        const Changes after{0, all.kept - before.kept, all.placed - before.placed};
        const auto first = static_cast<double>(i), rest = count - first;
        const double fit = rates(before, first) + rates(after, rest);
        if (fit <= best || after.kept * first <= before.kept * rest) continue;
        best = fit;
        found = i;
    }
    if (found == 0) return 0;
    Changes last = none;
    for (std::size_t i = found; i < rows.size(); ++i)
        last.add(rows[i]);
    // That may be a second step of the same: then the first one counts, at which the leaves began to stay
    // more often than others do. The share of a sound tree drifts, and that of all leaves alike; and leaves
    // may always have stayed more often, as those at the border of the world do.
    for (std::size_t end = found;;) {
        Beside all_before, after;
        for (std::size_t i = 0; i < end; ++i)
            all_before.add(rows[i], share_of_others(i));
        double max_gain = kEarlierStep, likelihood_as_others = 0.0;
        std::size_t earlier = 0;
        for (std::size_t i = end; i-- > kShortest;) {
            const double share = share_of_others(i);
            after.add(rows[i], share);
            likelihood_as_others += rows[i].kept * std::log(share) + rows[i].placed * std::log(1.0 - share);
            // Nearer to what the leaves do in the end than to what others do: a leaf in a bad place comes
            // back to it more often than others to theirs before it is left there.
            const double sum = after.is.kept + after.is.placed;
            const bool more = 2.0 * after.is.kept > after.as_others.kept + last.share_kept() * sum;
            const double gain =
                likelihood(after.is.kept, sum) + likelihood(after.is.placed, sum) - likelihood_as_others;
            const bool always = after.likelihood() < all_before.likelihood() + kNotAlways;
            if (gain <= max_gain || !more || always) continue;
            max_gain = gain;
            earlier = i;
        }
        if (earlier == 0) return rows[found].place;
        found = end = earlier;
    }
}

}  // namespace lab::capture
