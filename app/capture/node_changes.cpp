#include "capture/node_changes.hpp"

#include <algorithm>

namespace lab::capture {
namespace {

std::uint64_t hash_with(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ (hash >> 29);
}

std::uint64_t shape_of(const io::CaptureTree& tree, const io::CaptureNode& node) {
    std::uint64_t hash = hash_with(0, node.child_count);
    for (std::size_t k = 0; k < node.child_count; ++k)
        hash = hash_with(hash, tree.children[node.first_child + k]);
    for (std::size_t k = 0; k < node.payload_count; ++k)
        hash = hash_with(hash, tree.payloads[node.first_payload + k]);
    return hash;
}

}  // namespace

void NodeChanges::add(std::size_t place, const io::CaptureTree& tree) {
    constexpr std::size_t kMaxNodesFollowed = 100'000, kMaxChangesKept = 32;
    auto at = std::find_if(trees_.begin(), trees_.end(), [&](const Tree& t) { return t.name == tree.name; });
    if (at == trees_.end()) {
        at = trees_.emplace(trees_.end());
        at->name = tree.name;
    }
    at->last = place;
    for (const io::CaptureNode& node : tree.nodes) {
        auto known = at->nodes.find(node.id);
        if (known == at->nodes.end()) {
            if (at->nodes.size() == kMaxNodesFollowed) continue;
            known = at->nodes.try_emplace(node.id).first;
        }
        Node& now = known->second;
        const bool is_new = now.changes.empty();
        // The first of several nodes with one id counts.
        if (!is_new && now.seen == place) continue;
        now.seen = place;
        const std::uint64_t shape = shape_of(tree, node);
        if (!is_new && now.shape == shape) continue;
        now.shape = shape;
        if (now.changes.size() == kMaxChangesKept) now.changes.erase(now.changes.begin());
        now.changes.push_back(static_cast<std::uint32_t>(place));
    }
}

std::optional<std::size_t> NodeChanges::since(std::string_view tree, std::uint64_t node,
                                              std::size_t place) const {
    const auto at = std::find_if(trees_.begin(), trees_.end(), [&](const Tree& t) { return t.name == tree; });
    if (at == trees_.end() || place > at->last) return std::nullopt;
    const auto known = at->nodes.find(node);
    if (known == at->nodes.end()) return std::nullopt;
    const std::vector<std::uint32_t>& changes = known->second.changes;
    const auto later = std::upper_bound(changes.begin(), changes.end(), place);
    if (later == changes.begin()) return std::nullopt;
    return *(later - 1);
}

}  // namespace lab::capture
