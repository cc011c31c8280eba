#include "capture/shown_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/tree_cost.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "io/text/unique_names.hpp"

namespace lab::capture {

std::unordered_map<std::uint64_t, std::uint32_t> ShownTree::places() const {
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    places.reserve(node_ids.size());
    for (std::uint32_t i = 0; i < node_ids.size(); ++i)
        places.emplace(node_ids[i], i);
    return places;
}

std::string shown_id(const io::CaptureTree& tree) {
    std::string id = io::printable(tree.name);
    // Commands name trees in quotes.
    std::replace_if(
        id.begin(), id.end(), [](char c) { return c == '"' || c == '\\' || c == ';'; }, '_');
    return id;
}

ShownTree shown_tree(const io::CaptureTree& tree, const io::CaptureFrame& frame) {
    return shown_tree(tree, io::by_id(frame.proxies));
}

ShownTree shown_tree(const io::CaptureTree& tree, const io::ProxiesById& proxies) {
    ShownTree shown;
    shown.id = shown_id(tree);
    shown.snapshot = io::snapshot_of(tree, proxies);
    const bv::TreeSnapshot& snapshot = shown.snapshot.tree;
    shown.node_ids.reserve(snapshot.size());
    for (const std::uint32_t source : snapshot.source_nodes)
        shown.node_ids.push_back(tree.nodes[source].id);
    shown.metrics = metrics_of(snapshot);
    constexpr std::size_t kMaxOrphans = 200;
    std::unordered_set<std::uint64_t> lost;
    for (const io::CaptureDefect& defect : shown.snapshot.defects)
        if (defect.kind == io::CaptureDefect::Kind::Orphan) lost.insert(defect.node);
    for (const io::CaptureNode& node : tree.nodes)
        if (!lost.empty() && shown.orphans.size() < kMaxOrphans && lost.contains(node.id) &&
            node.box.is_finite())
            shown.orphans.push_back(node.box);
    return shown;
}

ShownFrame shown_frame(io::CaptureFrame frame) {
    ShownFrame shown;
    io::UniqueNames names;
    names.take("bodies");  // the tree of the scene's bodies
    const io::ProxiesById proxies = io::by_id(frame.proxies);
    for (const io::CaptureTree& tree : frame.trees) {
        shown.trees.push_back(shown_tree(tree, proxies));
        shown.trees.back().id = names.take(shown.trees.back().id);
    }
    shown.frame = std::move(frame);
    return shown;
}

std::string node_name(const ShownFrame& shown, const std::string& tree, std::uint64_t node) {
    if (shown.trees.size() < 2) return std::to_string(node);
    for (const ShownTree& one : shown.trees)
        if (one.id == tree) return fmt::format("{}/{}", one.id, node);
    for (std::size_t i = 0; i < shown.trees.size(); ++i)
        if (io::printable(shown.frame.trees[i].name) == tree)
            return fmt::format("{}/{}", shown.trees[i].id, node);
    return std::to_string(node);
}

std::string bad_boxes_note(const io::CaptureFrame& frame) {
    constexpr std::size_t kNamed = 5;
    std::size_t count = 0;
    std::string named;
    for (const io::CaptureProxy& proxy : frame.proxies) {
        if (proxy.tight.is_finite() && proxy.fat.is_finite()) continue;
        if (++count <= kNamed) named += fmt::format("{}{}", named.empty() ? "" : ", ", proxy.id);
    }
    if (count == 0) return {};
    return fmt::format("{} {} a tight or fat box that is inverted or not finite: {}{}",
                       io::counted(count, "body", "bodies"), io::plural(count, "has", "have"), named,
                       count > kNamed ? ", ..." : "");
}

std::size_t place_of_frame(const std::vector<io::CaptureFrameEntry>& frames, std::uint64_t number) {
    const auto after = std::upper_bound(
        frames.begin(), frames.end(), number,
        [](std::uint64_t wanted, const io::CaptureFrameEntry& entry) { return wanted < entry.number; });
    return after == frames.begin() ? 0 : static_cast<std::size_t>(after - frames.begin()) - 1;
}

FrameSetting::FrameSetting(const io::CaptureFile& file, int max)
    : file_(file), max_(static_cast<std::uint64_t>(max)) {
    holds_counts_ = !file.frames().empty() && file.frames().back().number > max_;
}

int FrameSetting::at_place(std::size_t place) const {
    const std::uint64_t value = holds_counts_ ? file_.dropped_frames() + place : file_.frames()[place].number;
    return static_cast<int>(std::min(value, max_));
}

int FrameSetting::of_number(std::uint64_t number) const {
    return at_place(place_of_frame(file_.frames(), number));
}

std::size_t FrameSetting::place_of(int value) const {
    const auto wanted = static_cast<std::uint64_t>(value);
    if (!holds_counts_) return place_of_frame(file_.frames(), wanted);
    const std::uint64_t place = wanted - std::min(wanted, file_.dropped_frames());
    return static_cast<std::size_t>(std::min<std::uint64_t>(place, file_.frames().size() - 1));
}

}  // namespace lab::capture
