// Causes that show in single leaves: margins, stretched boxes, giants.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <span>
#include <unordered_map>
#include <utility>

#include "capture/doctor.hpp"
#include "io/text/counted.hpp"

namespace lab::capture {
namespace {

constexpr double kGiantShare = 0.06;  ///< Share of the surface of all inner nodes that one box must cause.
/// The same for a giant that would cost far less elsewhere, and how many times less.
constexpr double kMisplacedGiantShare = 0.025, kMisplacedGiant = 1.5;
/// Surface of a giant: relative to the root's, and relative to that of a typical body.
constexpr double kGiantOfRoot = 0.1, kGiantTimes = 10.0;
constexpr double kLeftTooOften = 0.6;  ///< Share of moves that give a new fat box.
constexpr double kOutrun = 0.4;        ///< In displacements: margins above it were outrun as bodies sped up.
constexpr double kLeftSeldom = 0.1, kLeftTooSeldom = 0.03, kLeftBearably = 0.2;
/// Margin of a part of the bodies, relative to that of the others, to be called small; and that part's share
/// of the new boxes.
constexpr double kOwnMargin = 0.2, kPartOfNewBoxes = 0.3;
/// Leaves that change their places together, in children of the widest node: from this value on, the tree is
/// rebuilt. A leaf that is re-inserted takes its old and its new neighbors along. Measured: small margins up
/// to 2.1, rebuilds in most frames from 4.2 on, one slow world 1.8.
constexpr double kClumped = 3.0;
/// Fair margins, as the number of frames in which a body could not leave them. They must save pairs of fat
/// boxes, and inner area of a rebuilt tree or a good part of a pair per body. And how much larger a large
/// margin is.
constexpr double kFairMarginSteps[] = {8, 5};
constexpr double kLargeMargin = 1.5;
/// In displacements: an engine that has always had a smaller margin than this may have it on purpose.
constexpr double kLargeAlways = 24;
constexpr std::uint64_t kLargeMarginPairs = 3;
constexpr double kLargeMarginCost = 1.15;
constexpr double kStretched = 1.5;        ///< Surface of a fat box over that of the one it grew from.
constexpr double kStretchedAtOnce = 4.0;  ///< The same of one that grew once or twice.

}  // namespace

void Doctor::find_small_margin() {
    constexpr std::uint64_t kMinMoves = 8;
    constexpr std::size_t kLately = 40;  // frames
    std::vector<double> margins, steps, other_margins;
    std::vector<std::size_t> begins;
    std::vector<std::uint64_t> bodies;
    double new_boxes = 0.0, all_new_boxes = 0.0;  // of the last moves
    std::size_t movers = 0, changed_place = 0, as_new = 0, outrun = 0;
    // Where only trees tell, all moves between two of them count as one. Even if all of eight give new boxes,
    // the true share may be a little lower.
    const auto in_a_frame = [&](double share) {
        if (uses_calls_ || frames_apart_ < 1.5) return share;
        const double max_share = 1.0 - 0.5 / static_cast<double>(kMinMoves);
        return 1.0 - std::pow(1.0 - std::min(share, max_share), 1.0 / frames_apart_);
    };
    for (const Leaf& leaf : leaves_) {
        const BodyHistory& body = *leaf.history;
        const BoxChanges& changes = uses_calls_ ? body.in_calls : body.in_trees;
        if (changes.moves < kMinMoves || !leaf.has_proxy || is_explained(leaf.body)) continue;
        ++movers;
        int often = 0;
        for (std::uint64_t k = 0; k < kMinMoves; ++k)
            often += (changes.recent >> k) & 1u ? 1 : 0;
        const double share = often / static_cast<double>(kMinMoves);
        all_new_boxes += share;
        if (in_a_frame(share) < kLeftTooOften || changes.often_since > survey_.last) {
            other_margins.push_back(margin_of(body));
            continue;
        }
        new_boxes += share;
        bodies.push_back(leaf.body);
        begins.push_back(changes.often_since);
        as_new += changes.often_since <= body.created + kShortest * survey_.stride ? 1 : 0;
        const bool had_margin = body.margin_since + kShortest * survey_.stride < changes.often_since;
        outrun += had_margin && margin_of(body) > kOutrun * body.was_moved_by / frames_apart_ ? 1 : 0;
        steps.push_back(body.was_moved_by);
        margins.push_back(margin_of(body));
        // Boxes that follow without re-insertion are refits.
        const bool lately = body.shape_since + kLately * survey_.stride >= survey_.last;
        changed_place += body.shape_since >= changes.often_since && body.shape_since > 0 && lately ? 1 : 0;
    }
    // A margin that fast bodies outrun anyway is not a small one.
    const double margin = median(margins), step = median(steps) / frames_apart_;
    if (begins.size() < 3 || changed_place * 20 < begins.size() || margin > 1.5 * step) return;
    // Nor is a margin that was large enough until the bodies became this fast, as falling bodies do.
    if (2 * outrun >= begins.size()) return;
    // Some of the bodies are faster than others; but these have a margin of their own.
    const bool is_part = begins.size() * 2 < movers;
    const double other_margin = median(other_margins);
    if (is_part && (begins.size() * 10 < movers || margin > kOwnMargin * other_margin ||
                    new_boxes < kPartOfNewBoxes * all_new_boxes))
        return;
    std::sort(begins.begin(), begins.end());
    std::size_t first = begins[begins.size() / 2];
    // An engine that rebuilds has no use for margins. Where all others leave their boxes in the same frame,
    // leaves change together without a rebuild.
    const bool is_rebuilt = is_part && frames_apart_ < 1.5
                                ? is_sorted_anew_after(first) || !is_reinserted_after(first)
                                : is_rebuilt_after(first).value_or(margin < 1e-3 * step);
    if (is_rebuilt) return;
    // Nor do different ids alone prove a re-insertion: where there are few leaves, the same ones are
    // neighbors in any tree.
    const std::span<const Churn> later = churn_after(first);
    if (leaves_.size() < 4 * kMinLeaves &&
        std::none_of(later.begin(), later.end(), [](const Churn& row) { return row.is_reshaped; }))
        return;
    if (2 * as_new >= begins.size())
        first = since_earlier(first, [this](const FrameRow& row) {
            return uses_calls_ ? Share{row.calls_new_box, row.calls_moved} : Share{row.new_boxes, row.moved};
        });
    else
        first = std::min(first, beginning_of(begins));
    if (first + kShortest * survey_.stride > survey_.last) return;
    Finding& finding = add(Cause::SmallMargin, first, 0);
    // Each body keeps its old fat box until it leaves it.
    finding.slowly = begins[begins.size() - 1 - begins.size() / 8] > first + 10;
    std::uint64_t moved = 0, made = 0;
    for (std::size_t place = first; place <= survey_.last; ++place) {
        const FrameRow& row = survey_.rows[place];
        moved += uses_calls_ ? row.calls_moved : row.moved;
        made += uses_calls_ ? row.calls_new_box : row.new_boxes;
    }
    finding.share = static_cast<double>(made) / static_cast<double>(std::max<std::uint64_t>(moved, 1));
    if (is_part) {
        finding.share *= new_boxes / all_new_boxes;
        finding.evidence = fmt::format(
            "{} of {} that move make a new fat box in {:.0f} % of their last moves: {:.0f} % of all new "
            "boxes. "
            "Their median margin is {}, that of the others {}; their median displacement per "
            "frame "
            "is {}{}.",
            io::grouped(begins.size()), io::counted(movers, "body", "bodies"),
            100.0 * new_boxes / static_cast<double>(begins.size()), 100.0 * new_boxes / all_new_boxes,
            meters_text(margin), meters_text(other_margin), meters_text(step), by_frames_apart());
        std::sort(bodies.begin(), bodies.end());
        finding.helps =
            fmt::format("With a margin of {}, {:.0f} % of their captured moves would make a new box.{}",
                        meters_text(5.0 * step, 2), 100.0 * left_with_margin(5.0 * step, first, bodies),
                        beyond_bodies(5.0 * step));
        finding.bodies = std::move(bodies);
        return;
    }
    finding.evidence = fmt::format(
        "Since frame {}, {:.0f} % of {} moves have made a new fat box. The median margin is {}, the "
        "median displacement per frame {}{}.",
        finding.frame, 100.0 * finding.share, io::grouped(moved), meters_text(margin), meters_text(step),
        by_frames_apart());
    finding.helps = fmt::format("With a margin of {}, {:.0f} % of the captured moves would make a new box.{}",
                                meters_text(5.0 * step, 2), 100.0 * left_with_margin(5.0 * step, first),
                                beyond_bodies(5.0 * step));
}

std::size_t Doctor::since_earlier(std::size_t first,
                                  const std::function<Share(const FrameRow&)>& share_of) const {
    const auto between = [&](std::size_t begin, std::size_t end) {
        Share sum;
        for (std::size_t place = begin; place < end; ++place) {
            const Share row = share_of(survey_.rows[place]);
            sum.part += row.part;
            sum.of += row.of;
        }
        return sum;
    };
    const double now = between(first, survey_.last + 1).value();
    const std::size_t around = kShortest / 2 * survey_.stride;
    for (std::size_t place = first; place-- > history_->first;) {
        if (share_of(survey_.rows[place]).of == 0) continue;
        const std::size_t begin = std::max(place, history_->first + around) - around;
        if (between(begin, std::min(place + around, survey_.last) + 1).value() < 0.75 * now) break;
        first = place;
    }
    return first;
}

std::string Doctor::beyond_bodies(double margin) const {
    std::vector<double> sizes;
    for (const Leaf& leaf : leaves_) {
        const glm::vec3 size = leaf.history->tight.size();
        sizes.push_back(static_cast<double>(std::max({size.x, size.y, size.z})));
    }
    return margin > median(sizes)
               ? " That is more than most bodies measure: a box along the velocity costs less."
               : "";
}

std::string Doctor::by_frames_apart() const {
    if (frames_apart_ < 1.5) return {};
    if (survey_.stride > 1)
        return fmt::format(" (estimated: one frame in {:.0f} was examined)", frames_apart_);
    return fmt::format(" (estimated: the capture has a tree of one frame in {:.0f})", frames_apart_);
}

std::optional<bool> Doctor::is_rebuilt_after(std::size_t place) {
    // Where bodies are slow, the next tree is much like the one before, and so may be the ids of its nodes.
    if (is_sorted_anew_after(place)) return true;
    std::vector<Churn> sample;
    std::span<const Churn> churn = churn_after(place);
    if (frames_apart_ >= 1.5) {
        // Over several frames re-insertion changes as much as a rebuild.
        sample = churn_of_neighbors_after(place);
        if (sample.size() < 3) return std::nullopt;
        churn = sample;
    }
    if (std::any_of(churn.begin(), churn.end(), [](const Churn& row) { return row.is_rebuilt; })) return true;
    // A rebuild places all leaves together, now many and now none; re-insertion places each for itself.
    const bv::TreeSnapshot& t = snapshot();
    const std::uint32_t widest = *std::max_element(t.child_count.begin(), t.child_count.end());
    return clumping_of(churn) > kClumped * widest;
}

bool Doctor::is_sorted_anew_after(std::size_t place) const {
    std::size_t reshaped = 0, sorted = 0;
    for (const Churn& row : churn_after(place)) {
        if (!row.is_reshaped) continue;
        ++reshaped;
        sorted += row.is_sorted ? 1 : 0;
    }
    return reshaped > 0 && 20 * sorted >= 19 * reshaped;
}

bool Doctor::is_reinserted_after(std::size_t place) const {
    // A rebuild in each frame places nearly all leaves; occasional rebuilds place none in most frames.
    std::vector<double> placed, changed;
    for (const Churn& row : churn_after(place)) {
        placed.push_back(row.placed);
        changed.push_back(row.changed);
    }
    return median(placed) > 0.05 * median(changed) &&
           median(placed) < 0.8 * static_cast<double>(leaves_.size());
}

std::vector<Churn> Doctor::churn_of_neighbors_after(std::size_t place) {
    constexpr std::size_t kSample = 24;
    const auto& frames = file_.frames();
    std::vector<std::size_t> pairs;  // the earlier frame of each
    for (std::size_t at = place + kShortest * survey_.stride; at < survey_.last; ++at)
        if (frames[at].trees > 0 && frames[at + 1].trees > 0 &&
            frames[at + 1].number == frames[at].number + 1)
            pairs.push_back(at);
    std::vector<Churn> sample;
    const std::size_t count = std::min(pairs.size(), kSample);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = pairs[i * pairs.size() / count];
        std::unordered_map<std::uint64_t, LeafPlace> before;
        for (const std::size_t one : {at, at + 1}) {
            const auto frame = file_.frame(one);
            if (!frame) break;
            const auto tree = std::find_if(frame->trees.begin(), frame->trees.end(), [&](const auto& t) {
                return t.name == history_->name && t.is_complete;
            });
            if (tree == frame->trees.end()) break;
            const bv::TreeSnapshot shape = io::snapshot_of(*tree, frame->proxies, 0).tree;
            LeavesInBoth leaves;
            for (const LeafPlace& leaf : leaf_places(*tree, shape)) {
                const auto [was, is_new] = before.try_emplace(leaf.body, leaf);
                if (!is_new && one > at)
                    leaves.add(was->second.fat == leaf.fat,
                               was->second.parent != leaf.parent || was->second.sibling != leaf.sibling);
            }
            if (one > at) sample.push_back(leaves.churn(shape.payloads.size(), one));
        }
    }
    return sample;
}

std::span<const Churn> Doctor::churn_after(std::size_t place) const {
    const std::vector<Churn>& churn = history_->churn;
    const auto first = std::find_if(churn.begin(), churn.end(), [&](const Churn& row) {
        return row.place > place + kShortest * survey_.stride;
    });
    return std::span(churn).subspan(static_cast<std::size_t>(first - churn.begin()));
}

double Doctor::clumping_of(std::span<const Churn> churn) {
    double changed = 0.0, placed = 0.0;
    for (const Churn& row : churn) {
        if (row.changed == 0) continue;
        changed += row.changed;
        placed += row.placed;
    }
    if (!(placed > 0.0)) return 0.0;
    const double rate = placed / changed;
    // Differences from one frame to the next, since a rate may drift.
    double sum = 0.0;
    std::size_t count = 0;
    const Churn* before = nullptr;
    for (const Churn& row : churn) {
        if (row.changed == 0) continue;
        if (before) {
            const double by = row.placed_per_change() - before->placed_per_change();
            sum += by * by / (rate / row.changed + rate / before->changed);
            ++count;
        }
        before = &row;
    }
    return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

bool Doctor::is_explained(std::uint64_t body) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(), [body](const Finding& f) {
        return f.cause != Cause::BrokenInvariants &&
               std::binary_search(f.bodies.begin(), f.bodies.end(), body);
    });
}

void Doctor::find_large_margin() {
    std::vector<double> margins;
    for (const Leaf& leaf : leaves_) {
        if (!leaf.has_proxy) continue;
        if (leaf.history->grown >= 3) return;  // stretched boxes say nothing about margins
        // Engines change the margin of a resting body only when it moves again.
        if (leaf.history->was_moved_by > 0.0) margins.push_back(margin_of(*leaf.history));
    }
    if (margins.size() < 3 || step_m_ <= 0.0) return;
    std::sort(margins.begin(), margins.end());
    // All bodies may have too large a margin, or only those with the largest ones.
    for (const double from : {0.5 * margins[margins.size() / 2], 0.5 * margins[margins.size() * 9 / 10]})
        for (const double steps : kFairMarginSteps)
            if (find_margin_above(from, steps)) return;
}

bool Doctor::find_margin_above(double from, double fair_steps) {
    std::vector<bv::Aabb> fat, tight;
    std::vector<double> margins, steps;
    std::vector<std::uint64_t> bodies;
    std::size_t movers = 0;
    double moves = 0.0, left_moves = 0.0;  // over the last moves of each body
    for (const Leaf& leaf : leaves_) {
        const BodyHistory& body = *leaf.history;
        if (!leaf.has_proxy) continue;
        fat.push_back(body.fat);
        tight.push_back(body.tight);
        if (!(body.was_moved_by > 0.0)) continue;
        ++movers;
        if (margin_of(body) < from) continue;
        margins.push_back(margin_of(body));
        steps.push_back(body.was_moved_by);
        bodies.push_back(leaf.body);
        for (std::uint64_t k = 0; k < std::min<std::uint64_t>(body.in_trees.moves, 16); ++k) {
            ++moves;
            left_moves += (body.in_trees.recent >> k) & 1u ? 1.0 : 0.0;
        }
    }
    if (fat.size() < kMinLeaves || margins.size() < 3) return false;
    std::sort(bodies.begin(), bodies.end());
    const bool is_part = 10 * bodies.size() < 9 * movers;
    const double step = is_part ? median(steps) / frames_apart_ : step_m_;
    const double margin = median(margins), fair = fair_steps * step;
    if (margin < kLargeMargin * fair) return false;
    std::vector<bv::Aabb> better(fat.size());
    const glm::vec3 by(static_cast<float>(fair));
    for (std::size_t i = 0; i < fat.size(); ++i)
        better[i] = {glm::max(fat[i].min, tight[i].min - by), glm::min(fat[i].max, tight[i].max + by)};
    const std::uint32_t arity = arity_of(snapshot());
    const double fat_cost = rebuilt_cost(fat, arity, size_), better_cost = rebuilt_cost(better, arity, size_);
    // In a stack, the same bodies touch with any margin, and a few pairs are no loss. Where bodies stand in
    // distant groups, the space between these makes up most of the area, and pairs alone count.
    const std::uint64_t pairs_with_less = overlapping_pairs(better), pairs = overlapping_pairs(fat);
    const std::uint64_t many_pairs = kLargeMarginPairs * pairs_with_less;
    const bool is_crowded = pairs >= many_pairs + margins.size() / 4;
    if (!is_crowded || (fat_cost < kLargeMarginCost * better_cost && pairs < many_pairs + fat.size() / 2))
        return false;
    const LargeSince since = large_since(margin);
    if (since.first + kShortest * survey_.stride > survey_.last + 1) return false;
    if (!since.is_change && margin < kLargeAlways * step) return false;
    // While bodies get their large boxes, each leaves its old one.
    std::uint64_t moved = 0, made = 0;
    for (std::size_t place = since.settled; place <= survey_.last; ++place) {
        moved += survey_.rows[place].moved;
        made += survey_.rows[place].new_boxes;
    }
    // Several frames between two trees let more bodies leave.
    const double left =
        (is_part ? left_moves / std::max(moves, 1.0)
                 : static_cast<double>(made) / static_cast<double>(std::max<std::uint64_t>(moved, 1))) /
        frames_apart_;
    const double left_with_less =
        left_with_margin(fair, since.first, is_part ? bodies : std::vector<std::uint64_t>{});
    if (left > (since.is_change ? kLeftSeldom : kLeftTooSeldom) || left_with_less > kLeftBearably)
        return false;
    double fat_sum = 0.0, tight_sum = 0.0;
    for (std::size_t i = 0; i < fat.size(); ++i) {
        fat_sum += size_(fat[i]);
        tight_sum += size_(tight[i]);
    }
    Finding& finding = add(Cause::LargeMargin, since.first, 0);
    finding.slowly = since.settled > since.first + 10;
    finding.share = 1.0 - rebuilt_cost(tight, arity, size_) / fat_cost;
    const std::string moves_text = is_part
                                       ? fmt::format("{:.1f} % of their last moves", 100.0 * left)
                                       : fmt::format("Since frame {}, {:.1f} % of {} moves",
                                                     number(since.settled), 100.0 * left, io::grouped(moved));
    finding.evidence = fmt::format(
        "The median margin of {} is {}, {:.0f} times their displacement per frame{}. {} have left "
        "their "
        "fat box. The fat boxes have {} times the {} of the tight ones.",
        is_part ? fmt::format("{} of {} that move", io::grouped(bodies.size()),
                              io::counted(movers, "body", "bodies"))
                : std::string("moving bodies"),
        meters_text(margin), margin / step, by_frames_apart(), moves_text, times_text(fat_sum, tight_sum, 1),
        size_.words());
    finding.helps = fmt::format(
        "With a margin of {}, {} pairs of fat boxes would overlap instead of {}, a tree rebuilt over "
        "the same bodies would have {:.1f} times less inner area, and {:.0f} % of {} captured moves would "
        "make a new box.",
        meters_text(fair, 2), io::grouped(pairs_with_less), io::grouped(pairs),
        fat_cost / std::max(better_cost, 1e-30), 100.0 * left_with_less, is_part ? "their" : "the");
    if (is_part) finding.bodies = std::move(bodies);
    return true;
}

Doctor::LargeSince Doctor::large_since(double margin) const {
    std::vector<std::size_t> came;
    std::size_t as_new = 0;
    for (const Leaf& leaf : leaves_) {
        const BodyHistory& body = *leaf.history;
        if (!leaf.has_proxy || !(body.was_moved_by > 0.0) || margin_of(body) < 0.5 * margin) continue;
        came.push_back(body.margin_since);
        as_new += body.created > history_->first && body.margin_since == body.created ? 1 : 0;
    }
    std::sort(came.begin(), came.end());
    LargeSince since{beginning_of(came), std::min(came[came.size() - 1 - came.size() / 8] + 1, survey_.last)};
    since.is_change = 2 * as_new < came.size() && since.first > history_->first;
    if (2 * as_new < came.size()) return since;
    // Bodies come and go, and have such margins from the start: earlier frames tell since when.
    std::unordered_map<std::uint64_t, bv::Aabb> later;  // tight boxes
    const std::span<const std::size_t> examined = examined_between(0, since.settled);
    for (auto place = examined.rbegin(); place != examined.rend(); ++place) {
        const auto frame = file_.frame(*place);
        if (!frame) continue;
        std::size_t movers = 0, large = 0;
        for (const io::CaptureProxy& proxy : frame->proxies) {
            const auto [at, is_new] = later.try_emplace(proxy.id, proxy.tight);
            if (is_new || at->second == proxy.tight) continue;
            at->second = proxy.tight;
            ++movers;
            large += margin_between(proxy.tight, proxy.fat) >= 0.5 * margin ? 1 : 0;
        }
        if (movers == 0) continue;
        if (8 * large < movers) break;
        since.first = std::min(since.first, *place);
        if (8 * large >= 7 * movers) since.settled = std::min(since.settled, *place + 1);
    }
    return since;
}

/// The fat box that a re-insertion would give the body: as large as it was made, or around what it has
/// become.
static bv::Aabb fair_box(const BodyHistory& body) {
    const glm::vec3 half = glm::max(0.5f * (body.first_fat.max - body.first_fat.min),
                                    0.5f * body.tight.size() + static_cast<float>(body.first_margin));
    const glm::vec3 center = body.tight.center();
    return {center - half, center + half};
}

/// Whether the fat box was grown to reach a body that had left it: it is about as large as the box that the
/// body was made with and a fair one together, where a box along a motion is larger or elsewhere.
bool Doctor::is_union(const BodyHistory& body) const {
    constexpr double kAbout = 1.05;
    const double both = size_(bv::merge(body.first_fat, fair_box(body))), fat = size_(body.fat);
    return body.grown > 0 && both <= kAbout * fat && fat <= kAbout * both &&
           !bv::contains_point(body.first_fat, body.tight.center());
}

void Doctor::find_stretched() {
    std::vector<const Leaf*> stretched;
    std::size_t first = survey_.last;
    double worst = 0.0;
    for (const Leaf& leaf : leaves_) {
        const BodyHistory& body = *leaf.history;
        // A body that grows takes its box with it.
        const double fair = size_(fair_box(body));
        const double by = fair > 0.0 ? size_(body.fat) / fair : 0.0;  // boxes that rounding made empty
        const bool is_stretched =
            body.grown >= 3 ? by >= kStretched : by >= kStretchedAtOnce && is_union(body);
        if (!is_stretched) continue;
        stretched.push_back(&leaf);
        first = std::min(first, body.grows_since);
        worst = std::max(worst, by);
    }
    if (stretched.size() < 3 && stretched.size() * 50 < leaves_.size()) return;
    if (stretched.empty()) return;
    first = since_earlier(first, [](const FrameRow& row) {
        return Share{row.grown_boxes, row.grown_boxes + row.new_boxes};
    });
    while (first < survey_.last && survey_.rows[first].grown_boxes == 0)
        ++first;
    const double now = ShapeCost(snapshot(), clean_, size_).cost(0);
    std::vector<bv::Aabb> without = clean_;
    std::vector<std::uint32_t> nodes;
    for (const Leaf* leaf : stretched) {
        clean_[leaf->node] = fair_box(*leaf->history);
        without[leaf->node] = {};
        nodes.push_back(leaf->node);
    }
    const ShapeCost shrunk(snapshot(), clean_, size_);
    double better = ShapeCost(snapshot(), std::move(without), size_).cost(0);
    std::uint64_t steps = 0;
    for (const std::uint32_t node : nodes) {
        steps += snapshot().depths[node];
        better += steps > kMaxSteps ? size_(clean_[node]) : shrunk.best_place(node);
    }
    // Where few leaves are stretched, the rest of their loss must not count as due to the shape of a tree of
    // the others.
    if (2 * stretched.size() < leaves_.size())
        for (const std::uint32_t node : nodes)
            clean_[node] = {};
    Finding& finding = add(Cause::StretchedLeaves, first, node_around(snapshot(), nodes, 0.9));
    for (const Leaf* leaf : stretched)
        finding.bodies.push_back(leaf->body);
    std::sort(finding.bodies.begin(), finding.bodies.end());
    std::uint64_t grown = 0;
    for (std::size_t place = first; place <= survey_.last; ++place)
        grown += survey_.rows[place].grown_boxes;
    std::uint64_t until = 0;
    std::size_t nearly_all = first, last = first;  // the frames by which most boxes, and all, have grown
    for (std::size_t place = first; place <= survey_.last; ++place) {
        if (survey_.rows[place].grown_boxes == 0) continue;
        if (8 * until < 7 * grown) nearly_all = place;
        until += survey_.rows[place].grown_boxes;
        last = place;
    }
    finding.slowly = nearly_all > first + 10;
    finding.share = std::max(0.0, 1.0 - better / now);
    finding.evidence = fmt::format(
        "The fat {} of {} {} {}, up to {:.1f} times the {}: {} moved out of {} and {} not re-inserted.",
        io::plural(stretched.size(), "box", "boxes"), stretched.size(),
        io::plural(stretched.size(), "leaf", "leaves"),
        last + kShortest * survey_.stride > survey_.last
            ? fmt::format("kept growing from frame {} on", finding.frame)
            : fmt::format("grew in frames {} to {}", finding.frame, number(last)),
        worst, size_.words(), io::plural(stretched.size(), "it", "they"),
        io::plural(stretched.size(), "it", "them"), io::plural(stretched.size(), "was", "were"));
    finding.helps =
        fmt::format("Re-inserting {} now would make the inner area of this tree about {:.2f} times smaller.",
                    io::plural(stretched.size(), "it", "them"), now / std::max(better, 1e-30));
}

double Doctor::crowded_by(const ShapeCost& cost, std::uint32_t giant) const {
    const bv::TreeSnapshot& t = snapshot();
    const double own = size_(cost.box(giant));
    double max_loss = 0.0, above = 0.0;
    std::uint32_t looked_at = 1;
    for (std::uint32_t up = t.parents[giant]; up != bv::TreeSnapshot::kNone; up = t.parents[up]) {
        // One node is necessary above the giant; every further one is at least as large as the giant.
        const double here = above;
        above += own;
        const bool is_larger = 2 * cost.leaves(up) >= 3 * looked_at || up == 0;
        if (!is_larger || here < kGiantShare * cost.cost(0)) continue;
        looked_at = cost.leaves(up);
        std::vector<bv::Aabb> others;
        for (const std::uint32_t leaf : cost.leaves_below(up))
            if (leaf != giant) others.push_back(cost.box(leaf));
        const double loss =
            cost.cost(up) - size_(cost.box(up)) -
            kAllowedShape * rebuilt_cost(others, cost.arity(), size_, cost.captured_leaves(up) - 1);
        // Where the tree loses far more than that, something else is wrong with it.
        if (here >= 0.5 * loss) max_loss = std::max(max_loss, std::min(here, loss));
    }
    return max_loss;
}

void Doctor::find_giants() {
    const bv::TreeSnapshot& t = snapshot();
    const ShapeCost cost(t, clean_, size_);
    // Compared by tight boxes: margins that are wide for small bodies must not hide a giant.
    std::vector<double> sizes;
    sizes.reserve(leaves_.size());
    for (const Leaf& leaf : leaves_)
        sizes.push_back(size_(leaf.history->tight));
    const double usual = median(sizes);
    const auto is_large = [&](const Leaf& leaf) {
        return size_(clean_[leaf.node]) >= kGiantOfRoot * size_(cost.box(0)) &&
               size_(leaf.history->tight) >= kGiantTimes * usual;
    };
    constexpr std::ptrdiff_t kMaxGiants = 8;
    if (std::count_if(leaves_.begin(), leaves_.end(), is_large) > kMaxGiants)
        return;  // many large boxes are no giants
    for (const Leaf& leaf : leaves_) {
        if (!is_large(leaf)) continue;
        double excess = 0.0;
        std::uint32_t above = 0;
        bv::Aabb others;  // under the ancestor, without the leaf
        for (std::uint32_t at = leaf.node; t.parents[at] != bv::TreeSnapshot::kNone; at = t.parents[at]) {
            const std::uint32_t up = t.parents[at];
            for (std::uint32_t k = 0; k < t.child_count[up]; ++k)
                if (t.first_child[up] + k != at) others = bv::merge(others, cost.box(t.first_child[up] + k));
            if (up == 0) break;
            excess += size_(cost.box(up)) - size_(others);
            ++above;
        }
        const double crowded = crowded_by(cost, leaf.node);
        const bool attracts = crowded > excess;
        excess = std::max(excess, crowded);
        // As one more child of the root it costs nothing if the root has room; otherwise it needs a node
        // above all.
        const bool has_room = t.child_count[0] < cost.widest();
        const double at_root = has_room ? 0.0 : size_(cost.box(0));
        const double here = cost.here(leaf.node), best = std::min(cost.best_place(leaf.node), at_root);
        const bool is_misplaced =
            above > 0 && here - best >= kMisplacedGiantShare * cost.cost(0) && here >= kMisplacedGiant * best;
        if (!is_misplaced && (excess < kGiantShare * cost.cost(0) || above < 2)) continue;
        const bv::Aabb held = std::exchange(clean_[leaf.node], {});
        const ShapeCost without(t, clean_, size_);
        const double gain = cost.cost(0) / std::max(without.cost(0) + (is_misplaced ? best : at_root), 1e-30);
        if (gain < 1.0) {  // it costs no more where it is
            clean_[leaf.node] = held;
            continue;
        }
        excess = std::max(excess, here - best);
        const BodyHistory& body = *leaf.history;
        Finding& finding = add(Cause::GiantBox, std::max(body.created, body.large_since), leaf.node);
        finding.bodies = {leaf.body};
        finding.slowly = body.large_by > body.large_since + 10;
        finding.share = excess / cost.cost(0);
        finding.evidence = fmt::format(
            "Body {} has {} times the {} of a typical body and is at depth {}: the {} nodes between "
            "it and the root are at least as large, which makes up {:.0f} % of all inner area{}.",
            leaf.body, times_text(size_(leaf.history->tight), usual, 0), size_.words(), above + 1, above,
            100.0 * finding.share,
            attracts ? ": distant leaves were put together there, where they cost hardly anything more" : "");
        finding.helps = fmt::format(
            "{} make the inner area {:.2f} times smaller.",
            best < 0.9 * at_root
                ? "At its best place, it would"
                : "Outside the tree, or as a child of the root, it would cost one test per query and",
            gain);
    }
}

double Doctor::left_with_margin(double margin, std::size_t first, const std::vector<std::uint64_t>& bodies) {
    constexpr std::size_t kMaxFrames = 200;
    first = std::max(first, survey_.last > kMaxFrames ? survey_.last - kMaxFrames : 0);
    // Frames of the engine from one captured frame to the next: meanwhile, a body may leave several such
    // boxes.
    const double apart =
        std::max(1.0, frames_apart_ * static_cast<double>(history_->frames - 1) /
                          static_cast<double>(std::max<std::size_t>(history_->last - history_->first, 1)));
    std::unordered_map<std::uint64_t, std::pair<bv::Aabb, bv::Aabb>> boxes;  // tight and fat
    double moved = 0.0, left = 0.0;
    const auto by = static_cast<float>(margin);
    for (std::size_t place = first; place <= survey_.last; ++place) {
        auto frame = file_.frame(place);
        if (!frame) continue;
        for (const io::CaptureProxy& proxy : frame->proxies) {
            if (!bodies.empty() && !std::binary_search(bodies.begin(), bodies.end(), proxy.id)) continue;
            const bv::Aabb fat{proxy.tight.min - by, proxy.tight.max + by};
            const auto [at, is_new] = boxes.try_emplace(proxy.id, proxy.tight, fat);
            if (is_new || at->second.first == proxy.tight) continue;
            moved += apart;
            const glm::vec3 delta = glm::abs(proxy.tight.center() - at->second.first.center());
            at->second.first = proxy.tight;
            if (bv::merge(at->second.second, proxy.tight) == at->second.second) continue;
            left += std::clamp(
                static_cast<double>(std::max({delta.x, delta.y, delta.z})) / std::max(margin, 1e-30), 1.0,
                apart);
            at->second.second = fat;
        }
    }
    return moved > 0.0 ? left / moved : 0.0;
}

}  // namespace lab::capture
