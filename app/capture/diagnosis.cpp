#include "capture/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/doctor.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"

namespace lab::capture {

std::string capital(std::string_view words) {
    std::string text(words);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// The median of the finite values; 0 without any.
double median(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return 0.0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string meters_text(double meters, int digits) {
    constexpr double kMaxWhole = 1e9;
    return meters >= std::pow(10.0, digits) - 0.5 && meters < kMaxWhole
               ? io::grouped(static_cast<std::uint64_t>(std::llround(meters))) + " m"
               : fmt::format("{:.{}g} m", meters, digits);
}

std::string times_text(double large, double small, int digits) {
    return large < 1e6 * small ? fmt::format("{:.{}f}", large / small, digits) : "more than a million";
}

std::string ids_text(const std::vector<std::uint64_t>& ids) {
    constexpr std::size_t kMaxShown = 12;
    const std::size_t shown = ids.size() > kMaxShown ? kMaxShown - 1 : ids.size();
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
        text += fmt::format("{} {}", i == 0 ? "" : ",", ids[i]);
    if (shown < ids.size()) text += fmt::format(" and {} more", io::grouped(ids.size() - shown));
    return text;
}

std::size_t beginning_of(const std::vector<std::size_t>& came) {
    // A few frames that are far older belong to something else.
    constexpr std::size_t kFar = 8;
    for (std::size_t i = came.size() / 4; i > 0; --i) {
        const double rest = static_cast<double>(came.back() - came[i]) / static_cast<double>(came.size() - i);
        if (static_cast<double>(came[i] - came[i - 1]) > std::max<double>(kFar, 4.0 * rest)) return came[i];
    }
    std::size_t first = came.size() / 8;
    const std::size_t last = came.size() - 1 - first;
    const double gap = static_cast<double>(came[last] - came[first]) /
                       static_cast<double>(std::max<std::size_t>(last - first, 1));
    while (first > 0 && static_cast<double>(came[first] - came[first - 1]) <= std::max(4.0 * gap, 1.0))
        --first;
    return came[first];
}

std::optional<Diagnosis> Doctor::run(const std::function<bool(double)>& goes_on) {
    const auto on = [&](double done) { return !goes_on || goes_on(done); };
    result_.engine = file_.head().engine;
    result_.title = file_.head().title;
    result_.frames = file_.frames().size();
    result_.tree = io::printable(survey_.main_tree);
    result_.unreadable = survey_.unreadable;
    result_.is_empty =
        std::any_of(survey_.trees.begin(), survey_.trees.end(), [this](const TreeHistory& tree) {
            return tree.name == survey_.main_tree && tree.frames == 0 && tree.emptied;
        });
    add_remarks();
    find_broken();
    if (std::any_of(result_.findings.begin(), result_.findings.end(),
                    [](const Finding& f) { return f.misread; }))
        return std::move(result_);
    if (!prepare(survey_.main_tree)) return std::move(result_);
    find_removed();
    find_lost();
    const bool has_others = survey_.trees.size() > 1;
    if (!find_causes([&](double done) { return on((has_others ? 0.5 : 1.0) * done); })) return std::nullopt;
    for (const TreeHistory& tree : survey_.trees) {
        if (tree.name == survey_.main_tree || tree.last != survey_.last) continue;
        auto more =
            Doctor(file_, survey_).run_beside(tree, [&on](double done) { return on(0.5 + 0.5 * done); });
        if (!more) return std::nullopt;
        std::move(more->findings.begin(), more->findings.end(), std::back_inserter(result_.findings));
        std::move(more->remarks.begin(), more->remarks.end(), std::back_inserter(result_.remarks));
        if (more->leaves > 0)
            result_.others.push_back({more->tree, more->leaves, more->sah, more->rebuilt_sah});
    }
    if (has_others)
        for (Finding& finding : result_.findings)
            finding.evidence = fmt::format("In the tree '{}': {}", finding.tree, finding.evidence);
    sum_up();
    return std::move(result_);
}

std::optional<Diagnosis> Doctor::run_beside(const TreeHistory& tree,
                                            const std::function<bool(double)>& goes_on) {
    if (!prepare(tree.name)) return std::move(result_);
    if (!find_causes(goes_on)) return std::nullopt;
    result_.rebuilt_sah = rebuilt_sah(rebuilt());
    return std::move(result_);
}

bool Doctor::find_causes(const std::function<bool(double)>& goes_on) {
    if (!goes_on(0.1)) return false;
    find_stretched();
    find_giants();
    if (!goes_on(0.3)) return false;
    find_bad_shapes();
    if (!goes_on(0.6)) return false;
    find_misplaced();
    find_small_margin();
    find_large_margin();
    double explained = 0.0;
    for (const Finding& finding : result_.findings)
        if (finding.cause != Cause::SmallMargin) explained += finding.share;
    if (explained > 0.5 * worst_share_) result_.unexplained = 0;
    if (result_.unexplained > 0)
        result_.remarks.push_back(fmt::format(
            "the subtree of node {}{} has {:.2f} times the area of a rebuilt one; the capture proves no "
            "cause{}",
            tree_.node_ids[worst_node_],
            survey_.trees.size() > 1 ? fmt::format(" in the tree '{}'", tree_.id) : "", result_.unexplained,
            result_.findings.empty() ? "" : " for most of that"));
    if (!result_.findings.empty()) result_.unexplained = 0;
    return goes_on(0.9);
}

bool Doctor::prepare(const std::string& name) {
    auto frame = file_.frame(survey_.last);
    if (!frame) return false;
    frame_ = std::move(*frame);
    const auto at = std::find_if(frame_.trees.begin(), frame_.trees.end(),
                                 [&](const io::CaptureTree& t) { return t.name == name; });
    const auto history = std::find_if(survey_.trees.begin(), survey_.trees.end(),
                                      [&](const TreeHistory& t) { return t.name == name; });
    if (at != frame_.trees.end() && !at->is_complete) result_.is_incomplete = true;
    if (at == frame_.trees.end() || history == survey_.trees.end() || !at->is_complete) return false;
    history_ = &*history;
    tree_ = shown_tree(*at, frame_);
    const bv::TreeSnapshot& t = tree_.snapshot.tree;
    if (t.empty()) return false;
    if (const auto emptied = history_->emptied) {
        result_.was_emptied = true;
        result_.remarks.push_back(
            fmt::format("the tree '{}' has no leaf from frame {} on: it was judged in frame {}", tree_.id,
                        number(*emptied), number(survey_.last)));
    }
    size_ = BoxSize(t);
    result_.tree = tree_.id;
    result_.frame = number(survey_.last);
    result_.bodies = frame_.proxies.size();
    result_.leaves = tree_.metrics.leaves;
    result_.sah = tree_.metrics.sah;
    if (size_.is_planar())
        result_.remarks.push_back(fmt::format(
            "the tree '{}' lies in a plane across the {} axis: its boxes are measured by the length "
            "of their outline, which stands for the area",
            tree_.id, "xyz"[size_.flat_axis()]));
    const auto crowded = std::count_if(t.payload_count.begin(), t.payload_count.end(),
                                       [](std::uint32_t count) { return count > 1; });
    if (crowded > 0)
        result_.remarks.push_back(
            fmt::format("{} of the tree '{}' {} several bodies: margins and places of these were not judged",
                        io::counted(static_cast<std::uint64_t>(crowded), "leaf", "leaves"), tree_.id,
                        io::plural(static_cast<std::uint64_t>(crowded), "holds", "hold")));
    opened_ = with_opened_leaves(t, frame_.proxies);
    for (std::size_t i = t.size(); i < opened_.size(); ++i)
        tree_.node_ids.push_back(tree_.node_ids[opened_.parents[i]]);
    std::unordered_set<std::uint64_t> proxies;
    for (const io::CaptureProxy& proxy : frame_.proxies)
        proxies.insert(proxy.id);
    clean_.assign(opened_.size(), {});
    for (std::uint32_t i = 0; i < opened_.size(); ++i) {
        if (!opened_.is_leaf(i)) continue;
        clean_[i] = opened_.boxes[i];
        if (opened_.payload_count[i] != 1) continue;
        const std::uint64_t body = opened_.payloads[opened_.first_payload[i]];
        const auto known = history_->bodies.find(body);
        if (known == history_->bodies.end()) continue;
        const Leaf leaf{i, body, &known->second, proxies.contains(body)};
        leaf_at_[i] = leaf;
        if (i < t.size()) leaves_.push_back(leaf);
    }
    const auto unknown =
        std::count_if(leaves_.begin(), leaves_.end(), [](const Leaf& leaf) { return !leaf.has_proxy; });
    if (unknown > 0 && 2 * static_cast<std::size_t>(unknown) >= leaves_.size())
        result_.remarks.push_back(fmt::format(
            "{} of {} in the tree '{}' {} no proxy: without tight boxes, {} margins were not judged. Call "
            "bv_capture_proxies, too",
            io::grouped(static_cast<std::uint64_t>(unknown)), io::counted(leaves_.size(), "body", "bodies"),
            tree_.id, io::plural(static_cast<std::uint64_t>(unknown), "has", "have"),
            io::plural(static_cast<std::uint64_t>(unknown), "its", "their")));
    if (history_->frames > 1) {
        // An engine may capture only every tenth frame, or number its frames so, or write a tree only now and
        // then.
        const auto gaps = static_cast<double>(history_->frames - 1);
        const auto& frames = file_.frames();
        frames_apart_ = std::max(1.0, (static_cast<double>(frames[history_->last].number) -
                                       static_cast<double>(frames[history_->first].number)) /
                                          gaps);
        const double seconds = (frames[history_->last].time_s - frames[history_->first].time_s) / gaps;
        constexpr double kSlow_s = 0.05,
                         kUsual_s = 1.0 / 60.0;  // slower than 20 a second: frames were left out
        if (std::isfinite(seconds) && seconds > kSlow_s)
            frames_apart_ = std::max(frames_apart_, seconds / kUsual_s);
        // Captured frames without the tree still tell what the engine did.
        const double places = static_cast<double>(history_->last - history_->first) / gaps;
        uses_calls_ = frames_apart_ >= 1.5 && frames_apart_ < 1.5 * places && fat_boxes_are_proxies();
    }
    step_m_ = median(history_->steps_m) / frames_apart_;
    return true;
}

bool Doctor::fat_boxes_are_proxies() const {
    std::unordered_map<std::uint64_t, const bv::Aabb*> fat;
    for (const io::CaptureProxy& proxy : frame_.proxies)
        fat.emplace(proxy.id, &proxy.fat);
    std::size_t same = 0;
    for (const Leaf& leaf : leaves_) {
        const auto proxy = fat.find(leaf.body);
        same += proxy != fat.end() && *proxy->second == leaf.history->fat ? 1 : 0;
    }
    return 10 * same >= 9 * leaves_.size();
}

std::uint32_t Doctor::node_around(const bv::TreeSnapshot& t, const std::vector<std::uint32_t>& nodes,
                                  double share) {
    std::vector<std::uint32_t> below(t.size(), 0);
    for (const std::uint32_t node : nodes)
        for (std::uint32_t up = node; up != bv::TreeSnapshot::kNone; up = t.parents[up])
            ++below[up];
    std::uint32_t at = 0;
    for (;;) {
        std::uint32_t next = bv::TreeSnapshot::kNone;
        for (std::uint32_t k = 0; k < t.child_count[at]; ++k) {
            const std::uint32_t child = t.first_child[at] + k;
            if (static_cast<double>(below[child]) >= share * static_cast<double>(nodes.size())) next = child;
        }
        if (next == bv::TreeSnapshot::kNone) return at;
        at = next;
    }
}

Finding& Doctor::add(Cause cause, std::size_t since, std::uint32_t node) {
    Finding finding;
    finding.cause = cause;
    finding.frame = number(since);
    finding.shown_in = result_.frame;
    finding.tree = tree_.id;
    finding.node = tree_.node_ids[node];
    result_.findings.push_back(std::move(finding));
    return result_.findings.back();
}

void Doctor::add_remarks() {
    if (survey_.unreadable > 0)
        result_.remarks.push_back(fmt::format("{} {} could not be read: {}", survey_.unreadable,
                                              io::plural(survey_.unreadable, "frame", "frames"),
                                              survey_.problem));
    if (survey_.stride > 1)
        result_.remarks.push_back(
            fmt::format("the capture is long: only one frame in {} was examined", survey_.stride));
    if (survey_.trees_left_out > 0)
        result_.remarks.push_back(fmt::format(
            "{} not followed: of so many, only {} are, the first that were captured and the largest",
            io::counted(survey_.trees_left_out, "tree was", "trees were"), survey_.trees.size()));
    if (const auto& bad = survey_.bad_boxes)
        result_.remarks.push_back(
            fmt::format("in frame {}, {}{}", number(bad->first_place), bad->note,
                        bad->last_place > bad->first_place
                            ? fmt::format(". The last frame with such a box is {}", number(bad->last_place))
                            : ""));
    const BadCalls& calls = survey_.bad_calls;
    if (calls.refused > 0)
        result_.remarks.push_back(fmt::format(
            "{} of the engine {} refused, the first in frame {}: check the status that each returns",
            io::counted(calls.refused, "call", "calls"), io::plural(calls.refused, "was", "were"),
            number(calls.first_refused)));
    if (calls.incomplete_trees > 0)
        result_.remarks.push_back(fmt::format(
            "{} in the capture {} incomplete, the first in frame {}: {} not judged. Does the number of "
            "nodes match their children?",
            io::counted(calls.incomplete_trees, "tree", "trees"),
            io::plural(calls.incomplete_trees, "is", "are"), number(calls.first_incomplete),
            io::plural(calls.incomplete_trees, "it is", "they are")));
    if (survey_.has_more_broken)
        result_.remarks.push_back(
            fmt::format("more than {} trees are broken: the others are not listed", kMaxBroken));
    for (const std::string& note : file_.notes())
        result_.remarks.push_back(note);
}

bv::TreeSnapshot Doctor::rebuilt() const {
    const bv::TreeSnapshot& t = tree_.snapshot.tree;
    return rebuilt_tree(t.payload_boxes, arity_of(t), size_, tree_.metrics.leaves);
}

double Doctor::rebuilt_sah(const bv::TreeSnapshot& rebuilt) const {
    const double root = size_(tree_.snapshot.tree.boxes[0]);
    return root > 0.0 ? whole_cost(rebuilt, size_) / root : 0.0;
}

void Doctor::sum_up() {
    const bv::TreeSnapshot& t = tree_.snapshot.tree;
    const bv::TreeSnapshot best = rebuilt();
    result_.rebuilt_sah = rebuilt_sah(best);
    find_unexplained_cost();
    for (const io::CaptureQuery& query : frame_.queries) {
        if (query.tree < frame_.trees.size() && frame_.trees[query.tree].name != survey_.main_tree) continue;
        ++result_.queries;
        result_.visits += visits(t, query);
        result_.rebuilt_visits += visits(best, query);
    }
    // A small margin costs re-insertions, not queries; an engine that has always had it may have it on
    // purpose.
    const std::uint64_t begun = number(std::min(history_->first + kShortest * survey_.stride, survey_.last));
    const auto rank = [begun](const Finding& f) {
        const bool is_habit = f.cause == Cause::SmallMargin && f.frame <= begun;
        return f.cause == Cause::BrokenInvariants ? 0 : is_habit ? 2 : 1;
    };
    std::stable_sort(result_.findings.begin(), result_.findings.end(),
                     [rank](const Finding& a, const Finding& b) {
                         return rank(a) != rank(b) ? rank(a) < rank(b) : a.share > b.share;
                     });
}

void Doctor::find_unexplained_cost() {
    // In sound engines, margins alone make up a factor of up to 2.3.
    constexpr double kUnexplained = 2.5;
    if (!result_.findings.empty() || !(result_.rebuilt_sah > 0.0) ||
        result_.sah < std::max(kUnexplained, result_.unexplained) * result_.rebuilt_sah)
        return;
    std::vector<bv::Aabb> fat;
    for (std::uint32_t i = 0; i < opened_.size(); ++i)
        if (opened_.is_leaf(i)) fat.push_back(opened_.boxes[i]);
    const bv::TreeSnapshot& t = tree_.snapshot.tree;
    const bv::TreeSnapshot over_fat = rebuilt_tree(fat, arity_of(t), size_, tree_.metrics.leaves);
    const double times = result_.sah / result_.rebuilt_sah;
    const double by_boxes = whole_cost(over_fat, size_) / size_(t.boxes[0]) / result_.rebuilt_sah;
    result_.unexplained = times;
    result_.remarks.push_back(fmt::format(
        "the whole tree costs {:.2f} times as much as one rebuilt over the tight boxes; one rebuilt "
        "over its own leaf boxes costs {:.2f} times as much: most of it is due to {}",
        times, by_boxes,
        by_boxes * by_boxes > times ? "fat boxes, but no smaller margin is proved to be better"
                                    : "the shape"));
}

std::optional<Diagnosis> diagnose(io::CaptureFile& file, const Survey& survey,
                                  const std::function<bool(double)>& goes_on) {
    return Doctor(file, survey).run(goes_on);
}

std::vector<Finding> earlier_findings(std::vector<Finding> known, const Diagnosis& before,
                                      const Diagnosis& newest) {
    const auto holds_it = [](const std::vector<Finding>& list, const Finding& wanted) {
        return std::any_of(list.begin(), list.end(), [&](const Finding& f) {
            return f.cause == wanted.cause && f.tree == wanted.tree;
        });
    };
    std::erase_if(known, [&](const Finding& f) { return holds_it(before.findings, f); });
    known.insert(known.end(), before.findings.begin(), before.findings.end());
    std::erase_if(known, [&](const Finding& f) { return holds_it(newest.findings, f); });
    std::stable_sort(known.begin(), known.end(),
                     [](const Finding& a, const Finding& b) { return a.shown_in > b.shown_in; });
    return known;
}

std::string no_tree_text(const Diagnosis& d) {
    if (d.is_incomplete) return fmt::format("the tree '{}' is incomplete: it was not judged", d.tree);
    if (d.has_failed()) return "no frame with a tree could be read";
    if (d.is_empty) return fmt::format("the tree '{}' has no leaf in any frame", d.tree);
    return "no tree was captured: call bv_capture_tree in each frame";
}

std::string bodies_text(const Finding& finding) {
    return (finding.bodies.size() == 1 ? "Body" : "Bodies") + ids_text(finding.bodies);
}

std::string diagnosis_text(const Diagnosis& d) {
    std::string text =
        fmt::format("{}{}{}: {} {}\n", d.engine.empty() ? "Unnamed engine" : d.engine,
                    d.title.empty() ? "" : ", ", d.title, d.frames, io::plural(d.frames, "frame", "frames"));
    if (d.leaves > 0)
        text +=
            fmt::format("frame {}, tree '{}': {}, SAH {:.2f}; rebuilt over the {} {:.2f}\n", d.frame, d.tree,
                        io::counted(d.leaves, "leaf", "leaves"), d.sah, d.boxes_rebuilt(), d.rebuilt_sah);
    else if (d.findings.empty())
        text += no_tree_text(d) + "\n";
    for (const Diagnosis::Tree& other : d.others)
        text += fmt::format("and the tree '{}': {}, SAH {:.2f}; rebuilt {:.2f}\n", other.name,
                            io::counted(other.leaves, "leaf", "leaves"), other.sah, other.rebuilt_sah);
    if (d.queries > 0)
        text += fmt::format("{} of this frame, run again, {} {} nodes; in a rebuilt tree {}\n",
                            io::counted(d.queries, "captured query", "captured queries"),
                            io::plural(d.queries, "visits", "visit"), d.visits, d.rebuilt_visits);
    if (d.findings.empty() && d.unexplained > 0)
        text += fmt::format(
            "\nNone of the known causes is proved, though the tree or a part of it costs {:.2f} times as "
            "much as a rebuilt one. What if shows which structure needs less work.\n",
            d.unexplained);
    else if (d.findings.empty() && d.noticed_loss() > 0)
        text += fmt::format(
            "\nNo known cause is proved. The whole tree costs {:.2f} times as much as the rebuilt one: "
            "margins "
            "and insertion one by one may make up that much. The capture does not prove that less would "
            "do.\n",
            d.noticed_loss());
    else if (d.findings.empty() && d.leaves > 0)
        text += "\nNothing wrong: the capture proves none of the known causes.\n";
    for (const Finding& f : d.findings)
        text += fmt::format("\n{} (since frame {}{}, node {})\n  {}\n  {}\n{}", capital(words_of(f.cause)),
                            f.frame, f.slowly ? ", gradually" : "", f.node, f.evidence, f.helps,
                            f.bodies.empty() ? "" : fmt::format("  {}.\n", bodies_text(f)));
    for (const std::string& remark : d.remarks)
        text += fmt::format("\nNote: {}\n", remark);
    return text;
}

}  // namespace lab::capture
