// Broken trees: which node is to blame, and what queries miss through it.
#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <iterator>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/doctor.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"

namespace lab::capture {

constexpr std::size_t kLostFrames = 10;  ///< Frames in which a lost body must move to be lost for good.

std::uint64_t Doctor::newcomer(const Broken& broken) const {
    const auto holders = [&](std::size_t place) {
        std::vector<std::uint64_t> nodes;
        if (const auto frame = file_.frame(place))
            for (const io::CaptureTree& tree : frame->trees)
                for (const io::CaptureNode& node : tree.nodes)
                    for (std::uint32_t k = 0; tree.name == broken.tree && k < node.payload_count; ++k)
                        if (tree.payloads[node.first_payload + k] == broken.defect.other)
                            nodes.push_back(node.id);
        return nodes;
    };
    std::vector<std::uint64_t> before;
    const std::span<const std::size_t> earlier = examined_between(0, broken.place);
    for (auto place = earlier.rbegin(); place != earlier.rend() && before.empty(); ++place)
        before = holders(*place);
    if (before.size() != 1 || before.front() != broken.defect.node) return broken.defect.node;
    for (const std::uint64_t node : holders(broken.place))
        if (node != broken.defect.node) return node;
    return broken.defect.node;
}

void Doctor::find_broken() {
    for (const Broken& broken : survey_.broken)
        name_broken(broken);
}

void Doctor::name_broken(Broken broken) {
    if (broken.defect.kind == io::CaptureDefect::Kind::SamePayload) broken.defect.node = newcomer(broken);
    Finding finding;
    finding.cause = Cause::BrokenInvariants;
    finding.frame = finding.shown_in = number(broken.place);
    finding.tree = io::printable(broken.tree);
    finding.node = broken.defect.node;
    finding.share = 1.0;
    finding.evidence = fmt::format("In frame {} {}", finding.frame, io::defect_text(broken.defect));
    // The nodes of a lost subtree are one defect.
    const bool is_subtree = broken.defect.kind == io::CaptureDefect::Kind::Orphan;
    const std::uint64_t others = broken.count - 1 - (is_subtree ? broken.defect.other : 0);
    if (others > 0)
        finding.evidence +=
            fmt::format(", and {} wrong, too", others == 1 ? std::string("one other place is")
                                                           : io::counted(others, "", "other places are"));
    finding.evidence += ".";
    add_lost_bodies(broken, finding);
    result_.findings.push_back(std::move(finding));
}

void Doctor::find_removed() {
    std::vector<std::uint32_t> nodes;
    std::size_t first = survey_.last;
    std::vector<std::uint64_t> bodies;
    const bv::TreeSnapshot& t = tree_.snapshot.tree;
    for (std::uint32_t i = 0; i < t.size(); ++i)
        for (std::uint32_t k = 0; k < t.payload_count[i]; ++k) {
            const auto at = survey_.removed.find(t.payloads[t.first_payload[i] + k]);
            // An engine may clean up its tree a little later.
            if (at == survey_.removed.end() || at->second + kShortest * survey_.stride > survey_.last)
                continue;
            nodes.push_back(i);
            bodies.push_back(at->first);
            first = std::min(first, at->second);
        }
    if (nodes.empty()) return;
    Finding& finding = add(Cause::BrokenInvariants, first, node_around(snapshot(), nodes, 0.9));
    finding.bodies = std::move(bodies);
    std::sort(finding.bodies.begin(), finding.bodies.end());
    finding.share =
        static_cast<double>(nodes.size()) / static_cast<double>(std::max<std::uint64_t>(result_.leaves, 1));
    std::vector<std::uint64_t> ids;
    ids.reserve(nodes.size());
    for (const std::uint32_t node : nodes)
        ids.push_back(tree_.node_ids[node]);
    std::sort(ids.begin(), ids.end());
    finding.evidence =
        fmt::format("{} of {} still {} a body that was removed, the first since frame {}: {}{}.",
                    io::counted(nodes.size(), "leaf", "leaves"), io::grouped(result_.leaves),
                    io::plural(nodes.size(), "holds", "hold"), finding.frame,
                    io::plural(ids.size(), "node", "nodes"), ids_text(ids));
    finding.helps = "Remove the leaf of a body together with the body: queries still find it.";
}

void Doctor::find_lost() {
    std::uint64_t max_lost = 0, max_lost_moved = 0;
    // A tree that was emptied has lost its bodies in the frames after the one that is judged.
    const std::size_t last = history_->emptied ? survey_.rows.size() - 1 : survey_.last;
    std::size_t at = 0, first = last, first_moved = last, frames = 0, moved_frames = 0;
    for (std::size_t place = 0; place <= last; ++place) {
        const FrameRow& row = survey_.rows[place];
        if (row.lost > max_lost) {
            max_lost = row.lost;
            at = place;
        }
        max_lost_moved = std::max(max_lost_moved, row.lost_moved);
        if (row.lost > 0) {
            ++frames;
            first = std::min(first, place);
        }
        if (row.lost_moved > 0) {
            ++moved_frames;
            first_moved = std::min(first_moved, place);
        }
    }
    // An engine may take bodies out of its tree for some frames, to insert them together.
    if (frames < kShortest) return;
    // A broken tree may have lost them: its finding then says so.
    const auto& known = result_.findings;
    if (!survey_.broken.empty() && !known.empty()) {
        const std::vector<std::uint64_t> lost = lost_in(at);
        std::vector<std::uint64_t> named;
        for (const Finding& finding : known)
            named.insert(named.end(), finding.bodies.begin(), finding.bodies.end());
        std::sort(named.begin(), named.end());
        if (!lost.empty() && std::includes(named.begin(), named.end(), lost.begin(), lost.end())) return;
    }
    const std::uint64_t of = survey_.rows[at].bodies, still = survey_.rows[last].lost;
    std::string words =
        fmt::format("{} of {} {} in no leaf in frame {}, though {} not removed", io::grouped(max_lost),
                    io::counted(of, "body", "bodies"), io::plural(max_lost, "is", "are"), number(at),
                    io::plural(max_lost, "it was", "they were"));
    if (still != max_lost)
        words += still > 0 ? fmt::format("; in frame {}, {}", number(last), io::grouped(still))
                           : fmt::format("; in frame {} none is", number(last));
    // A body at rest may be kept elsewhere, and a broken tree is already named. An engine may disable one or
    // two moving bodies for a while.
    const bool to_the_end =
        still == max_lost && frames + 1 >= last - first && moved_frames >= kLostFrames && survey_.stride == 1;
    if (!survey_.broken.empty() || max_lost_moved == 0 || moved_frames < kShortest ||
        (max_lost_moved < 3 && !to_the_end)) {
        result_.remarks.push_back(
            fmt::format("{}, the first in frame {}: queries of the captured trees do not "
                        "find {}, which is right only if {} disabled or kept elsewhere while at rest",
                        words, number(first), io::plural(max_lost, "it", "them"),
                        io::plural(max_lost, "it is", "they are")));
        return;
    }
    Finding& finding = add(Cause::BrokenInvariants, first_moved, 0);
    finding.shown_in = number(at);
    finding.share = static_cast<double>(max_lost) / static_cast<double>(std::max<std::uint64_t>(of, 1));
    finding.evidence =
        max_lost == 1 ? fmt::format("{}. It moves: it does not rest somewhere else.", words)
                      : fmt::format("{}. Up to {} of them move in a frame: they do not rest somewhere else.",
                                    words, max_lost_moved);
    finding.helps =
        "Queries miss them. Insert each body again after it was taken out of the tree, and check that "
        "every leaf can be reached from the root.";
    finding.bodies = lost_in(at);
    show_last_holder(finding, first_moved);
}

void Doctor::show_last_holder(Finding& finding, std::size_t before) {
    const std::span<const std::size_t> earlier = examined_between(0, before);
    for (auto place = earlier.rbegin(); place != earlier.rend(); ++place) {
        const auto frame = file_.frame(*place);
        if (!frame) continue;
        const io::ProxiesById proxies = io::by_id(frame->proxies);
        for (const io::CaptureTree& captured : frame->trees) {
            if (!captured.is_complete) continue;
            const bv::TreeSnapshot tree = io::snapshot_of(captured, proxies, 0).tree;
            std::vector<std::uint32_t> holders;
            for (std::uint32_t i = 0; i < tree.size(); ++i)
                for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k)
                    if (std::binary_search(finding.bodies.begin(), finding.bodies.end(),
                                           tree.payloads[tree.first_payload[i] + k]))
                        holders.push_back(i);
            if (2 * holders.size() <= finding.bodies.size()) continue;
            finding.tree = shown_id(captured);
            finding.node = captured.nodes[tree.source_nodes[node_around(tree, holders, 0.9)]].id;
            finding.shown_in = number(*place);
            finding.evidence += fmt::format(" In frame {}, {} of them were still below node {}.",
                                            finding.shown_in, io::grouped(holders.size()), finding.node);
            return;
        }
    }
}

std::vector<std::uint64_t> Doctor::lost_in(std::size_t place) const {
    const auto frame = file_.frame(place);
    if (!frame) return {};
    std::unordered_set<std::uint64_t> found;
    for (const io::CaptureTree& tree : frame->trees)
        found.insert(tree.payloads.begin(), tree.payloads.end());
    std::vector<std::uint64_t> lost;
    for (const io::CaptureProxy& proxy : frame->proxies)
        if (!found.contains(proxy.id) &&
            std::any_of(survey_.trees.begin(), survey_.trees.end(), [&](const TreeHistory& tree) {
                return tree.gone.contains(proxy.id) || tree.bodies.contains(proxy.id);
            }))
            lost.push_back(proxy.id);
    std::sort(lost.begin(), lost.end());
    return lost;
}

/// True if the nodes, listed for a reader that goes level by level, are a sound tree when they are read
/// depth-first instead.
static bool is_depth_first(const io::CaptureTree& tree) {
    const std::size_t count = tree.nodes.size();
    if (count < 5 || tree.children.size() + 1 != count || tree.root != tree.nodes.front().id) return false;
    for (std::size_t i = 1; i < count; ++i)
        if (tree.children[i - 1] != tree.nodes[i].id) return false;
    std::vector<std::pair<std::size_t, std::uint32_t>> open;  // nodes, and the children that they still lack
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) {
            if (open.empty() || !holds(tree.nodes[open.back().first].box, tree.nodes[i].box)) return false;
            --open.back().second;
        }
        if (tree.nodes[i].child_count > 0) open.emplace_back(i, tree.nodes[i].child_count);
        while (!open.empty() && open.back().second == 0)
            open.pop_back();
    }
    return open.empty();
}

void Doctor::add_lost_bodies(const Broken& broken, Finding& finding) {
    auto frame = file_.frame(broken.place);
    if (!frame) return;
    for (const io::CaptureTree& captured : frame->trees) {
        if (captured.name != broken.tree) continue;
        const ShownTree tree = shown_tree(captured, *frame);
        finding.tree = tree.id;
        finding.bodies = below(captured, broken.defect.node);
        if (is_depth_first(captured)) {
            finding.misread = true;
            finding.evidence +=
                " Read depth-first, the same list of nodes is sound: its order is wrong, not the tree.";
            finding.helps = "List the nodes level by level, the root first: see bv_capture_tree.";
            return;
        }
        Missed then = missed_in(captured, *frame, tree.snapshot.tree);
        const bool has_left = broken.defect.kind == io::CaptureDefect::Kind::PayloadOutside;
        const std::string other = has_left ? tree_that_finds(then, captured, *frame) : std::string();
        finding.helps =
            (other.empty() ? outcome(broken, then)
                           : fmt::format("The tree '{}' finds {}, in other leaves. ", other,
                                         io::plural(then.bodies.size(), "it", "them"))) +
            (!other.empty() ? fmt::format("Remove the leaves that are left over in '{}'.", tree.id)
             : has_left     ? std::string("Update or re-insert the leaf of a body that moves out of its box.")
                            : fmt::format("Repair node {} before anything else is judged.", finding.node));
        std::vector<std::uint64_t> also;
        // A query that follows a loop meets all that is below it.
        if (broken.defect.kind == io::CaptureDefect::Kind::Cycle) also = finding.bodies;
        // The body that is there twice, besides the one that it has displaced.
        if (broken.defect.kind == io::CaptureDefect::Kind::SamePayload) also = {broken.defect.other};
        if (then.bodies.empty()) continue;
        finding.bodies.clear();
        std::set_union(then.bodies.begin(), then.bodies.end(), also.begin(), also.end(),
                       std::back_inserter(finding.bodies));
    }
}

std::string Doctor::tree_that_finds(const Missed& missed, const io::CaptureTree& in,
                                    const io::CaptureFrame& frame) {
    if (missed.bodies.empty()) return {};
    const io::ProxiesById proxies = io::by_id(frame.proxies);
    for (const io::CaptureTree& other : frame.trees) {
        if (other.name == in.name || !other.is_complete || other.payloads.size() < missed.bodies.size())
            continue;
        const bv::TreeSnapshot tree = io::snapshot_of(other, proxies, 0).tree;
        const std::vector<std::uint64_t> lost = missed_in(other, frame, tree).bodies;
        const std::unordered_set<std::uint64_t> held(other.payloads.begin(), other.payloads.end());
        const bool finds_all =
            std::all_of(missed.bodies.begin(), missed.bodies.end(), [&](std::uint64_t body) {
                return held.contains(body) && !std::binary_search(lost.begin(), lost.end(), body);
            });
        if (finds_all) return shown_id(other);
    }
    return {};
}

std::string Doctor::outcome(const Broken& broken, const Missed& then) {
    std::string text;
    if (!then.bodies.empty())
        text = fmt::format("In frame {}, queries miss {} of {}, at least in part", number(broken.place),
                           then.bodies.size(), io::counted(then.of, "body", "bodies"));
    std::size_t last = broken.place;
    for (std::size_t place = broken.place; place < survey_.rows.size(); ++place)
        if (survey_.rows[place].defects > 0) last = place;
    if (last + survey_.stride <= survey_.last)
        return text + fmt::format("{}he last broken frame is {}. ", text.empty() ? "T" : "; t", number(last));
    if (auto frame = file_.frame(survey_.last); frame && survey_.last != broken.place)
        for (const io::CaptureTree& captured : frame->trees) {
            if (captured.name != broken.tree) continue;
            const Missed now = missed_in(captured, *frame, shown_tree(captured, *frame).snapshot.tree);
            if (now.bodies.size() != then.bodies.size())
                text +=
                    fmt::format("{} frame {}, {}{} of {}", text.empty() ? "In" : "; in", number(survey_.last),
                                text.empty() ? "queries miss " : "", now.bodies.size(), now.of);
        }
    return text.empty() ? text : text + ". ";
}

Doctor::Missed Doctor::missed_in(const io::CaptureTree& captured, const io::CaptureFrame& frame,
                                 const bv::TreeSnapshot& t) {
    // A query reaches a node only through all boxes above it.
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
    const auto once = [](std::vector<std::uint64_t>& ids) {
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    };
    once(reached);
    std::vector<std::uint64_t> all;
    // With several trees, each has bodies of its own.
    if (frame.trees.size() > 1)
        all = captured.payloads;
    else
        for (const io::CaptureProxy& proxy : frame.proxies)
            all.push_back(proxy.id);
    once(all);
    Missed missed{{}, all.size()};
    std::set_difference(all.begin(), all.end(), reached.begin(), reached.end(),
                        std::back_inserter(missed.bodies));
    return missed;
}

std::vector<std::uint64_t> Doctor::below(const io::CaptureTree& tree, std::uint64_t top) {
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

}  // namespace lab::capture
