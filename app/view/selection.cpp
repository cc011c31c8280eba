#include "view/selection.hpp"

#include <algorithm>

#include "bv/query/overlap.hpp"

namespace lab {

const bv::TreeSnapshot* find_tree(const TreeList& trees, std::string_view id) {
    for (const auto& [name, tree] : trees)
        if (name == id) return &tree;
    return nullptr;
}

bool leaf_holds(const bv::TreeSnapshot& tree, std::uint32_t leaf, std::uint64_t payload) {
    const auto first = tree.payloads.begin() + tree.first_payload[leaf];
    return std::find(first, first + tree.payload_count[leaf], payload) != first + tree.payload_count[leaf];
}

bool NodeHold::take(const TreeList& trees, std::string_view id, std::uint32_t node) {
    const bv::TreeSnapshot* tree = find_tree(trees, id);
    if (!tree || node >= tree->size()) return false;
    Held held;
    held.tree = id;
    held.source = tree->source_nodes[node];
    held.box = tree->boxes[node];
    if (tree->is_leaf(node) && tree->payload_count[node] > 0)
        held.payload = tree->payloads[tree->first_payload[node]];
    held_ = std::move(held);
    return true;
}

std::optional<TreeNodeRef> NodeHold::follow(const TreeList& trees) {
    if (!held_) return std::nullopt;
    const bv::TreeSnapshot* tree = find_tree(trees, held_->tree);
    const std::size_t count = tree ? tree->size() : 0;
    for (std::uint32_t node = 0; node < count; ++node) {
        const bool leaf = tree->is_leaf(node);
        bool same = false;
        if (held_->payload)
            same = leaf && leaf_holds(*tree, node, *held_->payload);
        else
            same = !leaf && tree->source_nodes[node] == held_->source &&
                   bv::overlap(tree->boxes[node], held_->box);
        if (!same) continue;
        held_->box = tree->boxes[node];
        held_->source = tree->source_nodes[node];
        return TreeNodeRef{held_->tree, node};
    }
    held_.reset();
    return std::nullopt;
}

bool Selection::contains(bv::BodyId id) const {
    return std::find(bodies.begin(), bodies.end(), id) != bodies.end();
}

void Selection::choose(bv::BodyId id, SelectMode mode) {
    const bool chosen = contains(id);
    if (mode == SelectMode::Replace) clear();
    forget(id);
    leave_bodies();
    if (id.valid() && !(mode == SelectMode::Toggle && chosen)) bodies.push_back(id);
}

void Selection::forget(bv::BodyId id) {
    std::erase(bodies, id);
    if (triangle && triangle->body == id) triangle.reset();
}

void Selection::clear() {
    bodies.clear();
    leave_bodies();
}

void Selection::leave_bodies() {
    ++choices;
    triangle.reset();
    ray.reset();
    node.drop();
}

}  // namespace lab
