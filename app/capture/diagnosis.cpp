#include "capture/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <unordered_map>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "capture/tree_cost.hpp"
#include "io/printable.hpp"
#include "world/tree_recipes.hpp"

namespace lab::capture {
namespace {

// What counts as a fault. Trees that engines keep well stay below these: see test_diagnosis.
constexpr double kBadShape = 1.45;     ///< Surfaces of a subtree over those of a rebuilt one.
constexpr double kAllowedShape = 1.3;  ///< What insertion one by one may cost; the loss counts beyond it.
constexpr double kLeastShare = 0.03;   ///< Of the cost of the whole tree that a subtree must lose.
constexpr std::uint32_t kLeastLeaves = 8;
constexpr std::size_t kMostRebuilt = 5'000'000;  ///< Boxes, in all subtrees that are rebuilt to compare.
constexpr double kMostSteps = 5e7;               ///< From leaves up to a subtree's top.
constexpr double kGiantShare = 0.06;             ///< Of all inner surfaces that one box must cause.
constexpr double kLeftTooOften = 0.6;            ///< Of moves that give a new fat box.
constexpr double kLeftTooSeldom = 0.03;
constexpr double kLargeMarginSteps = 40;  ///< Frames in which a body could not leave its margin.
constexpr double kLargeMarginCost = 1.4;
constexpr double kStretched = 1.5;    ///< Surface of a fat box over that of the one it grew from.
constexpr std::size_t kShortest = 5;  ///< Frames that a behavior must last.

double median(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

const char* plural(std::size_t count, const char* one, const char* many) {
    return count == 1 ? one : many;
}

/// How well b follows a line over the ranks of a: 1 or -1 where they are in the same or the opposite order.
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

bool holds(const bv::Aabb& outer, const bv::Aabb& inner) {
    for (int k = 0; k < 3; ++k)
        if (!(outer.min[k] <= inner.min[k] && inner.max[k] <= outer.max[k])) return false;
    return true;
}

struct Leaf {
    std::uint32_t node;
    std::uint64_t body;
    const BodyHistory* history;
};

class Doctor {
  public:
    Doctor(io::CaptureFile& file, const Survey& survey) : file_(file), survey_(survey) {}

    std::optional<Diagnosis> run(const std::function<bool(double)>& goes_on) {
        const auto on = [&](double done) { return !goes_on || goes_on(done); };
        result_.engine = file_.head().engine;
        result_.title = file_.head().title;
        result_.frames = file_.frames().size();
        result_.tree = io::printable(survey_.main_tree);
        add_remarks();
        find_broken();
        if (!prepare()) return std::move(result_);
        if (!on(0.1)) return std::nullopt;
        find_stretched();
        find_giants();
        if (!on(0.3)) return std::nullopt;
        find_bad_shapes();
        if (!on(0.6)) return std::nullopt;
        find_small_margin();
        find_large_margin();
        if (!on(0.9)) return std::nullopt;
        sum_up();
        return std::move(result_);
    }

  private:
    // ---- the frame

    bool prepare() {
        auto frame = file_.frame(survey_.last);
        if (!frame) return false;
        frame_ = std::move(*frame);
        const auto at = std::find_if(frame_.trees.begin(), frame_.trees.end(),
                                     [&](const io::CaptureTree& t) { return t.name == survey_.main_tree; });
        if (at == frame_.trees.end()) return false;
        tree_ = shown_tree(*at, frame_);
        const bv::TreeSnapshot& t = tree_.snapshot.tree;
        if (t.empty()) return false;
        result_.tree = tree_.id;
        result_.frame = number(survey_.last);
        result_.bodies = frame_.proxies.size();
        result_.leaves = tree_.metrics.leaves;
        result_.sah = tree_.metrics.sah;
        clean_.assign(t.size(), {});
        for (std::uint32_t i = 0; i < t.size(); ++i) {
            if (!t.is_leaf(i)) continue;
            clean_[i] = t.boxes[i];
            if (t.payload_count[i] != 1) continue;
            const std::uint64_t body = t.payloads[t.first_payload[i]];
            const auto known = survey_.bodies.find(body);
            if (known != survey_.bodies.end()) leaves_.push_back({i, body, &known->second});
        }
        for (const Leaf& leaf : leaves_)
            leaf_at_[leaf.node] = leaf;
        step_m_ = median(survey_.steps_m);
        return true;
    }

    [[nodiscard]] std::uint64_t number(std::size_t place) const { return file_.frames()[place].number; }
    [[nodiscard]] const bv::TreeSnapshot& snapshot() const { return tree_.snapshot.tree; }

    Finding& add(Cause cause, std::size_t since, std::uint32_t node) {
        Finding finding;
        finding.cause = cause;
        finding.frame = number(since);
        finding.shown_in = result_.frame;
        finding.tree = tree_.id;
        finding.node = tree_.node_ids[node];
        result_.findings.push_back(std::move(finding));
        return result_.findings.back();
    }

    void add_remarks() {
        if (survey_.unreadable > 0)
            result_.remarks.push_back(fmt::format("{} {} could not be read: {}", survey_.unreadable,
                                                  plural(survey_.unreadable, "frame", "frames"),
                                                  survey_.problem));
        if (survey_.stride > 1)
            result_.remarks.push_back(
                fmt::format("the capture is long: one frame in {} was looked at", survey_.stride));
        for (const std::string& note : file_.notes())
            result_.remarks.push_back(note);
    }

    // ---- broken invariants

    void find_broken() {
        if (!survey_.broken) return;
        const Broken& broken = *survey_.broken;
        Finding finding;
        finding.cause = Cause::BrokenInvariants;
        finding.frame = finding.shown_in = number(broken.place);
        finding.tree = broken.tree.empty() ? "tree" : io::printable(broken.tree);
        finding.node = broken.defect.node;
        finding.share = 1.0;
        finding.evidence = fmt::format("In frame {} {}", finding.frame, io::defect_text(broken.defect));
        if (broken.count > 1) finding.evidence += fmt::format(", and {} more", broken.count - 1);
        finding.evidence += ".";
        add_lost_bodies(broken, finding);
        result_.findings.push_back(std::move(finding));
    }

    /// Bodies that a query cannot find through a broken node.
    void add_lost_bodies(const Broken& broken, Finding& finding) {
        auto frame = file_.frame(broken.place);
        if (!frame) return;
        for (const io::CaptureTree& captured : frame->trees) {
            if (captured.name != broken.tree) continue;
            const ShownTree tree = shown_tree(captured, *frame);
            finding.tree = tree.id;
            finding.bodies = below(captured, broken.defect.node);
            const bv::TreeSnapshot& t = tree.snapshot.tree;
            std::size_t lost = frame->proxies.size();
            // What a query can reach of a node lies in all boxes above it.
            std::vector<bv::Aabb> within(t.size());
            std::vector<std::uint64_t> reached;
            for (std::uint32_t i = 0; i < t.size(); ++i) {
                within[i] = t.boxes[i];
                if (i > 0) {
                    const bv::Aabb& above = within[t.parents[i]];
                    within[i] = {glm::max(above.min, t.boxes[i].min), glm::min(above.max, t.boxes[i].max)};
                }
                for (std::uint32_t k = 0; k < t.payload_count[i]; ++k) {
                    const std::uint32_t p = t.first_payload[i] + k;
                    if (holds(within[i], t.payload_boxes[p])) reached.push_back(t.payloads[p]);
                }
            }
            std::sort(reached.begin(), reached.end());
            reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
            lost = lost > reached.size() ? lost - reached.size() : 0;
            finding.helps = lost == 0
                                ? fmt::format("Repair node {} before anything else is judged.", finding.node)
                                : fmt::format(
                                      "Queries miss {} of {} bodies, at least in part. Repair node "
                                      "{} before anything else is judged.",
                                      lost, frame->proxies.size(), finding.node);
        }
    }

    /// Payloads below a node of a captured tree, whatever its links are like.
    static std::vector<std::uint64_t> below(const io::CaptureTree& tree, std::uint64_t top) {
        std::unordered_map<std::uint64_t, std::size_t> places;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i)
            places.emplace(tree.nodes[i].id, i);
        std::vector<std::uint64_t> found, stack{top};
        std::vector<bool> seen(tree.nodes.size(), false);
        while (!stack.empty()) {
            const auto at = places.find(stack.back());
            stack.pop_back();
            if (at == places.end() || seen[at->second]) continue;
            seen[at->second] = true;
            const io::CaptureNode& node = tree.nodes[at->second];
            for (std::uint32_t k = 0; k < node.child_count; ++k)
                stack.push_back(tree.children[node.first_child + k]);
            for (std::uint32_t k = 0; k < node.payload_count; ++k)
                found.push_back(tree.payloads[node.first_payload + k]);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    // ---- margins

    /// The first frame of the run up to the end in which `holds`, as places; nothing if it is too short.
    template <class Holds>
    std::optional<std::size_t> since(Holds&& holds) const {
        std::size_t first = survey_.last + 1;
        std::size_t misses = 0;
        for (std::size_t place = survey_.last + 1; place-- > 0;) {
            if (place % survey_.stride != 0) continue;
            const std::optional<bool> here = holds(survey_.rows[place]);
            if (!here) continue;
            if (*here)
                first = place;
            else if (++misses > 2 || first > survey_.last || first - place > 3 * survey_.stride)
                break;
        }
        if (first + kShortest * survey_.stride > survey_.last + 1) return std::nullopt;
        return first;
    }

    void find_small_margin() {
        constexpr std::uint64_t kLeastMoves = 8;
        std::vector<double> margins, steps;
        std::vector<std::size_t> begins;
        std::size_t movers = 0, changed_place = 0;
        for (const Leaf& leaf : leaves_) {
            const BodyHistory& body = *leaf.history;
            if (body.moves < kLeastMoves || is_explained(leaf.body)) continue;
            ++movers;
            int often = 0;
            for (std::uint64_t k = 0; k < kLeastMoves; ++k)
                often += (body.recent >> k) & 1u ? 1 : 0;
            if (often < kLeftTooOften * static_cast<double>(kLeastMoves) || body.often_since > survey_.last)
                continue;
            begins.push_back(body.often_since);
            steps.push_back(body.was_moved_by);
            margins.push_back(margin_of(body));
            changed_place += body.shape_since >= body.often_since && body.shape_since > 0 ? 1 : 0;
        }
        // Boxes that follow without a new place are refits; a margin that fast bodies outrun anyway is none.
        const double margin = median(margins), step = median(steps);
        if (begins.size() < 3 || begins.size() * 2 < movers || changed_place * 20 < begins.size()) return;
        if (margin > 1.5 * step) return;
        std::sort(begins.begin(), begins.end());
        const std::size_t first = begins[begins.size() / 2];
        if (first + kShortest * survey_.stride > survey_.last) return;
        Finding& finding = add(Cause::SmallMargin, first, 0);
        std::uint64_t moved = 0, made = 0;
        for (std::size_t place = first; place <= survey_.last; ++place) {
            moved += survey_.rows[place].moved;
            made += survey_.rows[place].new_boxes;
        }
        finding.share = static_cast<double>(made) / static_cast<double>(std::max<std::uint64_t>(moved, 1));
        finding.evidence = fmt::format(
            "Since frame {} {:.0f} % of {} moves made a new fat box. The median margin is {:.3g} m, the "
            "median move "
            "of a frame {:.3g} m.",
            finding.frame, 100.0 * finding.share, moved, margin, step);
        finding.helps =
            fmt::format("With a margin of {:.2g} m {:.0f} % of the captured moves would make a new box.",
                        5.0 * step, 100.0 * left_with_margin(5.0 * step, first));
    }

    /// Of all sides; it stays the same while a body moves inside its fat box.
    static double margin_of(const BodyHistory& body) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k)
            sum += static_cast<double>(body.tight.min[k] - body.fat.min[k]) +
                   static_cast<double>(body.fat.max[k] - body.tight.max[k]);
        return sum / 6.0;
    }

    [[nodiscard]] bool is_explained(std::uint64_t body) const {
        return std::any_of(result_.findings.begin(), result_.findings.end(), [body](const Finding& f) {
            return f.cause != Cause::BrokenInvariants &&
                   std::binary_search(f.bodies.begin(), f.bodies.end(), body);
        });
    }

    /// The share of captured moves that would leave fat boxes of this margin, over at most 200 frames.
    double left_with_margin(double margin, std::size_t first) {
        constexpr std::size_t kMost = 200;
        first = std::max(first, survey_.last > kMost ? survey_.last - kMost : 0);
        std::unordered_map<std::uint64_t, std::pair<bv::Aabb, bv::Aabb>> boxes;  // tight and fat
        std::uint64_t moved = 0, left = 0;
        const auto by = static_cast<float>(margin);
        for (std::size_t place = first; place <= survey_.last; ++place) {
            auto frame = file_.frame(place);
            if (!frame) continue;
            for (const io::CaptureProxy& proxy : frame->proxies) {
                const bv::Aabb fat{proxy.tight.min - by, proxy.tight.max + by};
                const auto [at, is_new] = boxes.try_emplace(proxy.id, proxy.tight, fat);
                if (is_new || at->second.first == proxy.tight) continue;
                ++moved;
                at->second.first = proxy.tight;
                if (bv::merge(at->second.second, proxy.tight) == at->second.second) continue;
                ++left;
                at->second.second = fat;
            }
        }
        return moved == 0 ? 0.0 : static_cast<double>(left) / static_cast<double>(moved);
    }

    void find_large_margin() {
        std::vector<bv::Aabb> fat, tight;
        std::vector<double> margins;
        std::size_t movers = 0;
        for (const Leaf& leaf : leaves_) {
            const BodyHistory& body = *leaf.history;
            fat.push_back(body.fat);
            tight.push_back(body.tight);
            if (body.grown >= 3) return;  // stretched boxes are no margins
            margins.push_back(margin_of(body));
            movers += body.was_moved_by > 0.0 ? 1 : 0;
        }
        if (fat.size() < kLeastLeaves || movers < 3 || step_m_ <= 0.0) return;
        const double margin = median(margins);
        if (margin < kLargeMarginSteps * step_m_) return;
        const double fat_cost = rebuilt_cost(fat), tight_cost = rebuilt_cost(tight);
        if (!(fat_cost > kLargeMarginCost * tight_cost)) return;
        const double now = survey_.rows[survey_.last].fat_over_tight;
        double least = now;
        for (std::size_t place = 0; place <= survey_.last; place += survey_.stride)
            least = std::min(least, survey_.rows[place].fat_over_tight);
        const double half = least > 0.7 * now ? 0.0 : 0.5 * (least + now);
        const auto first =
            since([half](const FrameRow& row) -> std::optional<bool> { return row.fat_over_tight > half; });
        if (!first) return;
        std::uint64_t moved = 0, made = 0;
        for (std::size_t place = *first + 1; place <= survey_.last; ++place) {
            moved += survey_.rows[place].moved;
            made += survey_.rows[place].new_boxes;
        }
        const double left =
            static_cast<double>(made) / static_cast<double>(std::max<std::uint64_t>(moved, 1));
        if (left > kLeftTooSeldom) return;
        Finding& finding = add(Cause::LargeMargin, *first, 0);
        finding.share = 1.0 - tight_cost / fat_cost;
        finding.evidence = fmt::format(
            "The median margin is {:.3g} m, {:.0f} times what a body moves in a frame. Since frame {} {:.1f} "
            "% of {} "
            "moves left their fat box. The fat boxes have {:.1f} times the surface of the tight ones.",
            margin, margin / step_m_, finding.frame, 100.0 * left, moved, now);
        std::vector<bv::Aabb> better;
        for (const bv::Aabb& box : tight)
            better.push_back(
                {box.min - static_cast<float>(8.0 * step_m_), box.max + static_cast<float>(8.0 * step_m_)});
        finding.helps = fmt::format(
            "With a margin of {:.2g} m the inner nodes are {:.1f} times smaller, rebuilt over the same "
            "bodies, and "
            "{:.0f} % of the captured moves would make a new box.",
            8.0 * step_m_, fat_cost / std::max(rebuilt_cost(better), 1e-30),
            100.0 * left_with_margin(8.0 * step_m_, *first));
    }

    // ---- leaves

    void find_stretched() {
        std::vector<const Leaf*> stretched;
        std::size_t first = survey_.last;
        double worst = 0.0;
        for (const Leaf& leaf : leaves_) {
            const BodyHistory& body = *leaf.history;
            const double by = surface(body.fat) / std::max(surface(body.first_fat), 1e-30);
            if (body.grown < 3 || by < kStretched) continue;
            stretched.push_back(&leaf);
            first = std::min(first, body.grows_since);
            worst = std::max(worst, by);
        }
        if (stretched.size() < 3 && stretched.size() * 50 < leaves_.size()) return;
        if (stretched.empty()) return;
        std::vector<bv::Aabb> before, after;
        for (const Leaf& leaf : leaves_) {
            before.push_back(leaf.history->fat);
            after.push_back(leaf.history->fat);
        }
        std::vector<std::uint32_t> nodes;
        for (const Leaf* leaf : stretched) {
            const BodyHistory& body = *leaf->history;
            const glm::vec3 half = 0.5f * (body.first_fat.max - body.first_fat.min);
            const glm::vec3 center = body.tight.center();
            const bv::Aabb reset{center - half, center + half};
            after[static_cast<std::size_t>(leaf - leaves_.data())] = reset;
            clean_[leaf->node] = reset;
            nodes.push_back(leaf->node);
        }
        Finding& finding = add(Cause::StretchedLeaves, first, node_around(nodes, 0.9));
        for (const Leaf* leaf : stretched)
            finding.bodies.push_back(leaf->body);
        std::sort(finding.bodies.begin(), finding.bodies.end());
        finding.slowly = survey_.last > first + 10;
        const double cost = rebuilt_cost(before), better = rebuilt_cost(after);
        finding.share = std::max(0.0, 1.0 - better / cost);
        finding.evidence = fmt::format(
            "The fat {} of {} {} only grew since frame {}, up to {:.1f} times the surface: {} moved out of "
            "{} and "
            "{} not inserted anew.",
            plural(stretched.size(), "box", "boxes"), stretched.size(),
            plural(stretched.size(), "leaf", "leaves"), finding.frame, worst,
            plural(stretched.size(), "it", "they"), plural(stretched.size(), "it", "them"),
            plural(stretched.size(), "was", "were"));
        finding.helps = fmt::format(
            "Re-inserting {} makes the inner nodes {:.2f} times smaller, rebuilt over the same "
            "bodies.",
            plural(stretched.size(), "it", "them"), cost / std::max(better, 1e-30));
    }

    /// The lowest node that has at least this share of the given ones below it.
    [[nodiscard]] std::uint32_t node_around(const std::vector<std::uint32_t>& nodes, double share) const {
        const bv::TreeSnapshot& t = snapshot();
        std::vector<std::uint32_t> below(t.size(), 0);
        for (const std::uint32_t node : nodes)
            for (std::uint32_t up = node; up != bv::TreeSnapshot::kNone; up = t.parents[up])
                ++below[up];
        std::uint32_t at = 0;
        for (;;) {
            std::uint32_t next = bv::TreeSnapshot::kNone;
            for (std::uint32_t k = 0; k < t.child_count[at]; ++k) {
                const std::uint32_t child = t.first_child[at] + k;
                if (static_cast<double>(below[child]) >= share * static_cast<double>(nodes.size()))
                    next = child;
            }
            if (next == bv::TreeSnapshot::kNone) return at;
            at = next;
        }
    }

    void find_giants() {
        const bv::TreeSnapshot& t = snapshot();
        const ShapeCost cost(t, clean_);
        std::vector<double> sizes;
        for (const Leaf& leaf : leaves_)
            sizes.push_back(surface(clean_[leaf.node]));
        const double usual = median(sizes);
        constexpr std::size_t kMostGiants = 8;
        std::size_t large = 0;
        for (const double size : sizes)
            large += size >= 0.1 * surface(cost.box(0)) && size >= 20.0 * usual ? 1 : 0;
        if (large > kMostGiants) return;  // many large boxes are no giants
        for (const Leaf& leaf : leaves_) {
            const double own = surface(clean_[leaf.node]);
            if (own < 0.1 * surface(cost.box(0)) || own < 20.0 * usual) continue;
            double excess = 0.0;
            std::uint32_t above = 0;
            bv::Aabb others;  // under the ancestor, without the leaf
            for (std::uint32_t at = leaf.node; t.parents[at] != bv::TreeSnapshot::kNone; at = t.parents[at]) {
                const std::uint32_t up = t.parents[at];
                for (std::uint32_t k = 0; k < t.child_count[up]; ++k)
                    if (t.first_child[up] + k != at)
                        others = bv::merge(others, cost.box(t.first_child[up] + k));
                if (up == 0) break;
                excess += surface(cost.box(up)) - surface(others);
                ++above;
            }
            if (excess < kGiantShare * cost.cost(0) || above < 2) continue;
            const BodyHistory& body = *leaf.history;
            Finding& finding = add(Cause::GiantBox, std::max(body.created, body.large_since), leaf.node);
            finding.bodies = {leaf.body};
            finding.share = excess / cost.cost(0);
            finding.evidence = fmt::format(
                "Body {} has {:.0f} times the surface of a usual leaf and lies {} steps deep: the {} nodes "
                "between it "
                "and the root are as large as it is, which is {:.0f} % of all inner surfaces.",
                leaf.body, own / std::max(usual, 1e-30), above + 1, above, 100.0 * finding.share);
            clean_[leaf.node] = {};
            const ShapeCost without(t, clean_);
            finding.helps = fmt::format(
                "Kept beside the tree, or as a child of the root, it costs one test a query and "
                "makes the inner nodes {:.2f} times smaller.",
                cost.cost(0) / std::max(without.cost(0) + surface(cost.box(0)), 1e-30));
        }
    }

    // ---- shape

    struct BadPart {
        std::uint32_t node;
        double cost, rebuilt;
    };

    /// Of the subtrees that lose something, the one that loses most of those whose cause can be proved; then
    /// the next one that is neither above nor below it.
    void find_bad_shapes() {
        const ShapeCost cost(snapshot(), clean_);
        const std::vector<BadPart> parts = bad_parts(cost);
        std::vector<bool> taken(snapshot().size(), false);
        std::size_t found = 0;
        constexpr std::size_t kMost = 3;
        for (BadPart part : parts) {
            if (found == kMost || taken[part.node] || !explain(cost, part)) continue;
            mark_line(part.node, taken);
            ++found;
        }
        if (found > 0 || parts.empty() || !result_.findings.empty()) return;
        const BadPart& worst = parts.front();
        result_.remarks.push_back(fmt::format(
            "the subtree of node {} has {:.2f} times the surfaces of a rebuilt one; the capture proves no "
            "cause",
            tree_.node_ids[worst.node], worst.cost / worst.rebuilt));
    }

    /// Nodes above and below the node are not looked at again.
    void mark_line(std::uint32_t node, std::vector<bool>& taken) const {
        const bv::TreeSnapshot& t = snapshot();
        for (std::uint32_t up = node; up != bv::TreeSnapshot::kNone; up = t.parents[up])
            taken[up] = true;
        std::vector<bool> inside(t.size(), false);
        for (std::uint32_t i = node; i < t.size(); ++i) {
            inside[i] = i == node || (i > 0 && inside[t.parents[i]]);
            if (inside[i]) taken[i] = true;
        }
    }

    /// Subtrees that lose more than insertion one by one may lose; the largest loss first.
    [[nodiscard]] std::vector<BadPart> bad_parts(const ShapeCost& cost) const {
        const bv::TreeSnapshot& t = snapshot();
        std::vector<BadPart> parts;
        // By node: leaves of the nearest ancestor that was rebuilt. Long lists are not rebuilt at every step.
        std::vector<std::uint32_t> rebuilt_above(t.size(), 0);
        std::size_t boxes_left = kMostRebuilt;
        for (std::uint32_t i = 0; i < t.size(); ++i) {
            if (i > 0) rebuilt_above[i] = rebuilt_above[t.parents[i]];
            if (t.is_leaf(i) || cost.leaves(i) < kLeastLeaves) continue;
            if (rebuilt_above[i] > 500 && cost.leaves(i) * 50 > rebuilt_above[i] * 49) continue;
            if (cost.cost(i) < kLeastShare * cost.cost(0)) continue;
            if (cost.leaves(i) > boxes_left) continue;
            boxes_left -= cost.leaves(i);
            rebuilt_above[i] = cost.leaves(i);
            const double rebuilt = cost.rebuilt(i);
            const double loss = cost.cost(i) - kAllowedShape * rebuilt;
            if (cost.cost(i) >= kBadShape * rebuilt && loss >= kLeastShare * cost.cost(0))
                parts.push_back({i, cost.cost(i), rebuilt});
        }
        std::stable_sort(parts.begin(), parts.end(), [](const BadPart& a, const BadPart& b) {
            return a.cost - kAllowedShape * a.rebuilt > b.cost - kAllowedShape * b.rebuilt;
        });
        return parts;
    }

    /// The part may end up smaller: where what explains it begins.
    bool explain(const ShapeCost& cost, BadPart& part) {
        std::vector<Leaf> leaves;
        std::size_t known = 0;
        for (const std::uint32_t node : cost.leaves_below(part.node)) {
            const auto at = leaf_at_.find(node);
            if (at == leaf_at_.end()) continue;
            leaves.push_back(at->second);
            known += is_explained(at->second.body) ? 1 : 0;
        }
        if (leaves.size() < kLeastLeaves || known * 2 > leaves.size()) return false;
        if (!explain_by_refits(part, leaves) && !explain_by_order(cost, part, leaves) &&
            !explain_by_clusters(part, leaves))
            return false;
        Finding& finding = result_.findings.back();
        for (const Leaf& leaf : leaves)
            finding.bodies.push_back(leaf.body);
        std::sort(finding.bodies.begin(), finding.bodies.end());
        finding.share = (part.cost - part.rebuilt) / cost.cost(0);
        finding.evidence =
            fmt::format(
                "Node {} with {} leaves below has {:.2f} times the inner surfaces of a rebuilt subtree: "
                "{:.0f} % of the whole tree's are lost. ",
                finding.node, leaves.size(), part.cost / part.rebuilt, 100.0 * finding.share) +
            finding.evidence;
        if (finding.helps.empty())
            finding.helps = fmt::format(
                "Rebuilding this subtree makes its inner nodes {:.2f} times smaller, and the "
                "whole tree's {:.2f} times.",
                part.cost / part.rebuilt, cost.cost(0) / (cost.cost(0) - part.cost + part.rebuilt));
        return true;
    }

    /// The shape is old, and bodies have moved since; at its age it was good.
    bool explain_by_refits(const BadPart& part, const std::vector<Leaf>& leaves) {
        std::size_t shaped = 0;
        std::size_t far = 0;
        for (const Leaf& leaf : leaves) {
            shaped = std::max(shaped, leaf.history->shape_since);
            const double size = static_cast<double>(glm::length(leaf.history->tight.size()));
            far += leaf.history->moved > 0.5 * size ? 1 : 0;
        }
        if (shaped + kShortest * survey_.stride > survey_.last || far * 2 < leaves.size()) return false;
        const std::optional<double> then = cost_in_frame(shaped, part.node, leaves);
        if (!then || *then > 0.5 * (part.cost / part.rebuilt + 1.0)) return false;
        Finding& finding = add(Cause::RefitOnly, shaped, part.node);
        finding.slowly = survey_.last > shaped + 10;
        finding.evidence = fmt::format(
            "Since frame {} no leaf below has another parent or sibling, while {} of {} moved by more than "
            "half of "
            "their size. In that frame the subtree had {:.2f} times the surfaces of a rebuilt one.",
            finding.frame, far, leaves.size(), *then);
        return true;
    }

    /// Surfaces of the shape of now with the boxes of another frame, over those of a rebuilt tree.
    std::optional<double> cost_in_frame(std::size_t place, std::uint32_t node,
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
        const ShapeCost then(snapshot(), std::move(boxes));
        const double rebuilt = then.rebuilt(node);
        return rebuilt > 0.0 ? std::optional(then.cost(node) / rebuilt) : std::nullopt;
    }

    /// The node at which a list begins: on the longest way down, the first of a run of nodes of which all but
    /// one child have hardly any leaves. Nothing if the run is no longer than a good tree is high.
    [[nodiscard]] std::optional<std::uint32_t> list_below(const ShapeCost& cost, std::uint32_t at) const {
        const bv::TreeSnapshot& t = snapshot();
        std::optional<std::uint32_t> top, best;
        std::uint32_t length = 0, longest = 0;
        while (cost.height(at) > 0) {
            std::uint32_t high = t.first_child[at];
            for (std::uint32_t k = 1; k < t.child_count[at]; ++k)
                if (cost.height(t.first_child[at] + k) > cost.height(high)) high = t.first_child[at] + k;
            if (cost.leaves(at) - cost.leaves(high) <= 2) {
                if (!top) top = at;
                ++length;
            } else {
                top.reset();
                length = 0;
            }
            if (length > longest) {
                longest = length;
                best = top;
            }
            at = high;
        }
        if (!best || longest < 10) return std::nullopt;
        const double leaves = cost.leaves(*best);
        return static_cast<double>(longest) >= 2.0 * std::log2(leaves) ? best : std::nullopt;
    }

    [[nodiscard]] std::vector<Leaf> known_leaves(const ShapeCost& cost, std::uint32_t top) const {
        std::vector<Leaf> leaves;
        for (const std::uint32_t node : cost.leaves_below(top))
            if (const auto at = leaf_at_.find(node); at != leaf_at_.end()) leaves.push_back(at->second);
        return leaves;
    }

    /// A list: much higher than it must be, and the depth of its leaves follows their place on an axis. Moves
    /// the part down to where the list begins.
    bool explain_by_order(const ShapeCost& cost, BadPart& part, std::vector<Leaf>& part_leaves) {
        const std::optional<std::uint32_t> top = list_below(cost, part.node);
        if (!top) return false;
        const std::vector<Leaf> leaves = known_leaves(cost, *top);
        if (leaves.size() < kLeastLeaves) return false;
        const BadPart list{*top, cost.cost(*top), cost.rebuilt(*top)};
        if (list.cost < kBadShape * list.rebuilt) return false;
        const auto optimum =
            static_cast<std::uint32_t>(std::ceil(std::log2(static_cast<double>(leaves.size()))));
        const std::uint32_t height = cost.height(*top);
        std::vector<double> depths, orders;
        std::array<std::vector<double>, 3> places;
        for (const Leaf& leaf : leaves) {
            depths.push_back(static_cast<double>(snapshot().depths[leaf.node]));
            orders.push_back(static_cast<double>(leaf.history->order));
            for (std::size_t k = 0; k < 3; ++k)
                places[k].push_back(static_cast<double>(leaf.history->tight.center()[static_cast<int>(k)]));
        }
        std::size_t axis = 0;
        double sorted = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double r = rank_correlation(places[k], depths);
            if (std::abs(r) <= std::abs(sorted)) continue;
            sorted = r;
            axis = k;
        }
        if (std::abs(sorted) < 0.7) return false;
        std::vector<std::size_t> came;
        for (const Leaf& leaf : leaves)
            came.push_back(leaf.history->created);
        std::sort(came.begin(), came.end());
        const std::size_t first = came[came.size() / 8], last = came[came.size() - 1 - came.size() / 8];
        part = list;
        part_leaves = leaves;
        Finding& finding = add(Cause::SortedInsertion, first, list.node);
        finding.slowly = last > first + 10;
        finding.evidence = fmt::format(
            "It is {} high where {} would do: a list. Depth follows the place on the {} axis (rank "
            "correlation "
            "{:.2f}) and the order of insertion ({:.2f}); the leaves came in {}.",
            height, optimum, "xyz"[axis], std::abs(sorted), std::abs(rank_correlation(orders, depths)),
            first == last ? fmt::format("frame {}", number(first))
                          : fmt::format("frames {} to {}", number(first), number(last)));
        bv::TreeOptions options;
        options.margin = bv::Margin::None;
        std::vector<Leaf> in_order = leaves;
        std::sort(in_order.begin(), in_order.end(),
                  [](const Leaf& a, const Leaf& b) { return a.history->order < b.history->order; });
        std::vector<bv::Aabb> boxes;
        for (const Leaf& leaf : in_order)
            boxes.push_back(leaf.history->fat);
        options.insertion = bv::Insertion::GreedySah;
        options.balancing = bv::Balancing::Sah;
        const bv::DynamicTree rotated = make_tree(
            {"", "", TreeRecipe::How::Insert, options.insertion, options.balancing, {}}, boxes, options);
        const bv::TreeMetrics m = bv::measure(rotated.snapshot());
        finding.helps = fmt::format(
            "The same boxes in the same order, with rotations, give a height of {} instead of {}; "
            "rebuilt, its inner nodes are {:.2f} times smaller.",
            m.height, height, part.cost / part.rebuilt);
        return true;
    }

    /// Two distant groups, and both children of the node have a good part of each.
    bool explain_by_clusters(const BadPart& part, const std::vector<Leaf>& leaves) {
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
                // Both sides must be groups.
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
        const bv::TreeSnapshot& t = snapshot();
        std::uint32_t deepest = 0;
        for (const Leaf& leaf : leaves)
            deepest = std::max(deepest, t.depths[leaf.node] - t.depths[part.node]);
        if (static_cast<double>(leaves.size()) * deepest > kMostSteps) return false;
        // Below the node: how many of the larger half of each child are on the wrong side.
        std::array<std::size_t, 2> group{};
        std::size_t mixed = 0;
        std::unordered_map<std::uint32_t, std::array<std::size_t, 2>> sides;
        std::array<std::size_t, 2> came{survey_.last, survey_.last};
        for (const Leaf& leaf : leaves) {
            const std::size_t side = static_cast<double>(leaf.history->tight.center()[axis]) > at ? 1 : 0;
            ++group[side];
            came[side] = std::min(came[side], leaf.history->created);
            for (std::uint32_t up = leaf.node; up != part.node; up = t.parents[up])
                ++sides[up][side];
        }
        for (const auto& [node, count] : sides)
            if (!t.is_leaf(node) && count[0] > 0 && count[1] > 0) ++mixed;
        // Apart they would need one node over both groups.
        if (mixed < 3 || mixed * 6 < leaves.size()) return false;
        // They must lie where they were put when the groups came: else something has moved them there since.
        std::vector<std::size_t> created;
        for (const Leaf& leaf : leaves)
            created.push_back(leaf.history->created);
        std::sort(created.begin(), created.end());
        const std::size_t complete = created[created.size() * 9 / 10];
        const auto settled = std::count_if(leaves.begin(), leaves.end(), [complete](const Leaf& leaf) {
            return leaf.history->shape_since <= complete;
        });
        if (static_cast<std::size_t>(settled) * 10 < leaves.size() * 7) return false;
        Finding& finding = add(Cause::MixedClusters, std::max(came[0], came[1]), part.node);
        finding.evidence = fmt::format(
            "Two groups of {} and {} leaves, {:.3g} m apart on the {} axis, lie mixed below {} inner nodes; "
            "one would do. "
            "Both were there in frame {}.",
            group[0], group[1], gap, "xyz"[axis], mixed + 1, finding.frame);
        return true;
    }

    // ---- all together

    void sum_up() {
        const bv::TreeSnapshot& t = snapshot();
        std::vector<bv::Aabb> tight = t.payload_boxes;
        double tight_leaves = 0.0;
        for (const bv::Aabb& box : tight)
            tight_leaves += surface(box);
        const bv::TreeSnapshot rebuilt = rebuilt_tree(tight);
        double inner = 0.0;
        for (std::uint32_t i = 0; i < rebuilt.size(); ++i)
            if (!rebuilt.is_leaf(i)) inner += surface(rebuilt.boxes[i]);
        const double root = surface(t.boxes[0]);
        result_.rebuilt_sah = root > 0.0 ? (inner + tight_leaves) / root : 0.0;
        for (const io::CaptureQuery& query : frame_.queries) {
            if (query.tree < frame_.trees.size() && frame_.trees[query.tree].name != survey_.main_tree)
                continue;
            ++result_.queries;
            result_.visits += visits(t, query);
            result_.rebuilt_visits += visits(rebuilt, query);
        }
        std::stable_sort(result_.findings.begin(), result_.findings.end(),
                         [](const Finding& a, const Finding& b) {
                             const bool first = a.cause == Cause::BrokenInvariants,
                                        second = b.cause == Cause::BrokenInvariants;
                             return first != second ? first : a.share > b.share;
                         });
    }

    io::CaptureFile& file_;
    const Survey& survey_;
    Diagnosis result_;
    io::CaptureFrame frame_;
    ShownTree tree_;
    std::vector<Leaf> leaves_;
    std::unordered_map<std::uint32_t, Leaf> leaf_at_;
    std::vector<bv::Aabb> clean_;  ///< Leaf boxes without what was found of single leaves.
    double step_m_ = 0.0;
};

std::string capital(std::string_view words) {
    std::string text(words);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

}  // namespace

std::optional<Diagnosis> diagnose(io::CaptureFile& file, const Survey& survey,
                                  const std::function<bool(double)>& goes_on) {
    return Doctor(file, survey).run(goes_on);
}

std::string diagnosis_text(const Diagnosis& d) {
    std::string text =
        fmt::format("{}{}{}: {} {}\n", d.engine.empty() ? "an engine" : d.engine, d.title.empty() ? "" : ", ",
                    d.title, d.frames, plural(d.frames, "frame", "frames"));
    if (d.leaves > 0)
        text +=
            fmt::format("frame {}, tree '{}': {} leaves, SAH {:.2f}; rebuilt over the tight boxes {:.2f}\n",
                        d.frame, d.tree, d.leaves, d.sah, d.rebuilt_sah);
    else
        text += "no tree was captured: call bv_capture_tree in each frame\n";
    if (d.queries > 0)
        text += fmt::format("{} captured {} of this frame {} {} nodes; in a rebuilt tree {}\n", d.queries,
                            plural(d.queries, "query", "queries"), plural(d.queries, "visits", "visit"),
                            d.visits, d.rebuilt_visits);
    if (d.findings.empty() && d.leaves > 0) text += "\nNothing wrong: no cause on the list can be proved.\n";
    for (const Finding& f : d.findings)
        text += fmt::format("\n{} (since frame {}{}, node {})\n  {}\n  {}\n", capital(words_of(f.cause)),
                            f.frame, f.slowly ? ", slowly" : "", f.node, f.evidence, f.helps);
    for (const std::string& remark : d.remarks)
        text += fmt::format("\nNote: {}\n", remark);
    return text;
}

}  // namespace lab::capture
