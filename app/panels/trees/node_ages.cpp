#include "panels/trees/node_ages.hpp"

#include <algorithm>
#include <utility>

namespace lab::panels {
namespace {

constexpr std::size_t kMaxNodes = 4096;
constexpr std::size_t kMaxChanges = 32;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    return (hash ^ value) * 0x100000001b3ull;
}

/// A hash of what is below a node: its children, or the payloads of a leaf.
std::uint64_t shape_of(const bv::TreeSnapshot& tree, std::uint32_t node) {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (std::uint32_t k = 0; k < tree.child_count[node]; ++k)
        hash = mixed(hash, tree.source_nodes[tree.first_child[node] + k]);
    for (std::uint32_t k = 0; k < tree.payload_count[node]; ++k)
        hash = mixed(hash, tree.payloads[tree.first_payload[node] + k] + 1);
    return mixed(hash, tree.child_count[node]);
}

}  // namespace

void NodeAges::compare(const bv::TreeSnapshot& now, std::uint64_t step, Tree& tree) {
    const bool first = tree.shapes.empty();
    std::unordered_map<std::uint32_t, std::uint64_t> shapes;
    std::vector<std::uint32_t> changed;
    std::size_t leaves = 0;
    for (std::uint32_t i = 0; i < now.size(); ++i) {
        leaves += now.is_leaf(i);
        const std::uint32_t source = now.source_nodes[i];
        const std::uint64_t shape = shapes[source] = shape_of(now, i);
        const auto before = tree.shapes.find(source);
        if (before == tree.shapes.end() || before->second != shape) changed.push_back(source);
    }
    const std::string_view operation = first                             ? std::string_view()
                                       : 2 * changed.size() > now.size() ? "rebuild"
                                       : leaves > tree.leaves            ? "insertion"
                                       : leaves < tree.leaves            ? "removal"
                                                                         : "move or rotation";
    for (const std::uint32_t source : changed) {
        std::vector<NodeAge>& ages = tree.changes[source];
        if (ages.size() == kMaxChanges) ages.erase(ages.begin());
        ages.push_back({step, operation});
    }
    tree.shapes = std::move(shapes);
    tree.leaves = leaves;
    tree.step = step;
}

void NodeAges::add(const FrameResults& results) {
    if (results.record != record_) *this = NodeAges();
    record_ = results.record;
    now_ = results.steps;
    for (const auto& [id, snapshot] : results.trees) {
        if (snapshot.empty() || snapshot.size() > kMaxNodes) continue;
        Tree& tree = trees_[id];
        // The past is recorded, and while paused only the user changes anything.
        if (results.steps < tree.step) continue;
        compare(snapshot, results.steps, tree);
    }
}

std::optional<NodeAge> NodeAges::of(std::string_view tree, std::uint32_t source_node) const {
    const auto found = trees_.find(std::string(tree));
    if (found == trees_.end()) return std::nullopt;
    const auto changes = found->second.changes.find(source_node);
    if (changes == found->second.changes.end()) return std::nullopt;
    const std::vector<NodeAge>& ages = changes->second;
    const auto later =
        std::find_if(ages.begin(), ages.end(), [&](const NodeAge& age) { return age.step > now_; });
    return later == ages.begin() ? std::nullopt : std::optional(*(later - 1));
}

}  // namespace lab::panels
