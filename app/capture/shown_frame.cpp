#include "capture/shown_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "io/printable.hpp"

namespace lab::capture {

ShownTree shown_tree(const io::CaptureTree& tree, const io::CaptureFrame& frame) {
    ShownTree shown;
    shown.id = tree.name.empty() ? "tree" : io::printable(tree.name);
    // Commands name trees in quotes.
    std::replace_if(
        shown.id.begin(), shown.id.end(), [](char c) { return c == '"' || c == '\\' || c == ';'; }, '_');
    shown.snapshot = io::snapshot_of(tree, frame.proxies);
    const bv::TreeSnapshot& snapshot = shown.snapshot.tree;
    shown.node_ids.reserve(snapshot.size());
    for (std::uint32_t i = 0; i < snapshot.size(); ++i) {
        shown.node_ids.push_back(tree.nodes[snapshot.source_nodes[i]].id);
        shown.places.emplace(shown.node_ids.back(), i);
    }
    shown.metrics = bv::measure(snapshot);
    constexpr std::size_t kMostOrphans = 200;
    std::unordered_set<std::uint64_t> lost;
    for (const io::CaptureDefect& defect : shown.snapshot.defects)
        if (defect.kind == io::CaptureDefect::Kind::Orphan) lost.insert(defect.node);
    for (const io::CaptureNode& node : tree.nodes)
        if (!lost.empty() && shown.orphans.size() < kMostOrphans && lost.contains(node.id) &&
            node.box.is_finite())
            shown.orphans.push_back(node.box);
    return shown;
}

ShownFrame shown_frame(io::CaptureFrame frame) {
    ShownFrame shown;
    for (const io::CaptureTree& tree : frame.trees) {
        ShownTree next = shown_tree(tree, frame);
        const std::string name = next.id;
        const auto taken = [&] {
            // The scene's bodies have a tree of that name.
            return next.id == "bodies" || std::any_of(shown.trees.begin(), shown.trees.end(),
                                                      [&](const ShownTree& t) { return t.id == next.id; });
        };
        for (int number = 2; taken(); ++number)
            next.id = fmt::format("{} {}", name, number);
        shown.trees.push_back(std::move(next));
    }
    shown.frame = std::move(frame);
    return shown;
}

std::size_t place_of_frame(const std::vector<io::CaptureFrameEntry>& frames, std::uint64_t number) {
    const auto after = std::upper_bound(
        frames.begin(), frames.end(), number,
        [](std::uint64_t wanted, const io::CaptureFrameEntry& entry) { return wanted < entry.number; });
    return after == frames.begin() ? 0 : static_cast<std::size_t>(after - frames.begin()) - 1;
}

}  // namespace lab::capture
