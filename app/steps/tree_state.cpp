#include "steps/tree_state.hpp"

#include <utility>

namespace lab::steps {
namespace {

double area_of(const bv::Aabb& box) {
    return static_cast<double>(box.surface_area());
}

}  // namespace

TreeState::TreeState(const bv::TreeSnapshot& tree) {
    if (tree.empty()) return;
    root_ = tree.source_nodes[0];
    for (std::size_t i = 0; i < tree.size(); ++i) {
        Node& node = at(bv::NodeIndex{tree.source_nodes[i]});
        node.box = tree.boxes[i];
        if (tree.parents[i] != kNone) node.parent = tree.source_nodes[tree.parents[i]];
        for (std::uint32_t k = 0; k < 2 && k < tree.child_count[i]; ++k)
            node.child[k] = tree.source_nodes[tree.first_child[i] + k];
        if (is_inner(node)) inner_area_ += area_of(node.box);
        if (tree.payload_count[i] > 0) node.payload = tree.payloads[tree.first_payload[i]];
    }
}

TreeState::Node& TreeState::at(bv::NodeIndex node) {
    if (node.value >= nodes_.size()) nodes_.resize(node.value + std::size_t{1});
    return nodes_[node.value];
}

bv::Aabb TreeState::box(bv::NodeIndex node) const {
    return node.value < nodes_.size() ? nodes_[node.value].box : bv::Aabb{};
}

void TreeState::put_in_place(std::uint32_t parent, std::uint32_t old, std::uint32_t now) {
    if (parent == kNone) {
        root_ = now;
        return;
    }
    std::array<std::uint32_t, 2>& child = nodes_[parent].child;
    child[child[1] == old ? 1 : 0] = now;
}

void TreeState::apply(const bv::LeafPlaced& event) {
    Node& leaf = at(event.leaf);
    leaf.box = event.box;
    leaf.payload = event.user_data;
    leaf.parent = kNone;
    if (!event.parent.valid()) {
        root_ = event.leaf.value;
        return;
    }
    (void)at(event.parent);  // before any reference: it may add a node
    const std::uint32_t above = at(event.sibling).parent;
    nodes_[event.parent.value] = {{}, above, {event.sibling.value, event.leaf.value}, 0};
    put_in_place(above, event.sibling.value, event.parent.value);
    nodes_[event.sibling.value].parent = event.parent.value;
    nodes_[event.leaf.value].parent = event.parent.value;
}

void TreeState::apply(const bv::LeafDetached& event) {
    at(event.leaf) = {};
    if (!event.parent.valid()) {
        root_ = kNone;
        return;
    }
    const std::uint32_t above = at(event.parent).parent;
    put_in_place(above, event.parent.value, event.sibling.value);
    at(event.sibling).parent = above;
    inner_area_ -= area_of(at(event.parent).box);
    at(event.parent) = {};
}

void TreeState::apply(const bv::NodeRefitted& event) {
    Node& node = at(event.node);
    if (is_inner(node)) inner_area_ += area_of(event.after) - area_of(node.box);
    node.box = event.after;
}

void TreeState::apply(const bv::Rotated& event) {
    if (!event.first.valid() || !event.second.valid()) return;
    const std::uint32_t a = event.first.value, b = event.second.value;
    const std::uint32_t above_a = at(event.first).parent, above_b = at(event.second).parent;
    put_in_place(above_a, a, b);
    put_in_place(above_b, b, a);
    nodes_[a].parent = above_b;
    nodes_[b].parent = above_a;
}

bv::TreeSnapshot TreeState::snapshot() const {
    bv::TreeSnapshot s;
    if (root_ == kNone) return s;
    const auto add = [&](std::uint32_t node, std::uint32_t parent) {
        s.boxes.push_back(nodes_[node].box);
        s.parents.push_back(parent);
        s.first_child.push_back(kNone);
        s.child_count.push_back(0);
        s.depths.push_back(parent == kNone ? 0 : s.depths[parent] + 1);
        s.source_nodes.push_back(node);
        s.first_payload.push_back(0);
        s.payload_count.push_back(0);
    };
    add(root_, kNone);
    for (std::uint32_t i = 0; i < s.source_nodes.size(); ++i) {
        const Node& node = nodes_[s.source_nodes[i]];
        if (!is_inner(node)) {
            s.first_payload[i] = static_cast<std::uint32_t>(s.payloads.size());
            s.payload_count[i] = 1;
            s.payloads.push_back(node.payload);
            s.payload_boxes.push_back(node.box);
            continue;
        }
        s.first_child[i] = static_cast<std::uint32_t>(s.source_nodes.size());
        s.child_count[i] = 2;
        for (const std::uint32_t child : node.child)
            add(child, i);
    }
    return s;
}

}  // namespace lab::steps
