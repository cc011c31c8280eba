#include "capture/samples/sample_engine.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

namespace lab::capture {
namespace {

float area(const bv::Aabb& box) {
    const glm::vec3 d = box.max - box.min;
    return 2.0f * (d.x * d.y + d.y * d.z + d.z * d.x);
}

bv::Aabb around(const bv::Aabb& a, const bv::Aabb& b) {
    return {glm::min(a.min, b.min), glm::max(a.max, b.max)};
}

bool encloses(const bv::Aabb& outer, const bv::Aabb& inner) {
    for (int k = 0; k < 3; ++k)
        if (inner.min[k] < outer.min[k] || inner.max[k] > outer.max[k]) return false;
    return true;
}

bool meet(const bv::Aabb& a, const bv::Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (a.min[k] > b.max[k] || b.min[k] > a.max[k]) return false;
    return true;
}

bool meets_ray(const bv::Aabb& box, const glm::vec3& origin, const glm::vec3& direction, float t_max) {
    float enter = 0.0f, leave = t_max;
    for (int k = 0; k < 3; ++k) {
        if (direction[k] == 0.0f) {
            if (origin[k] < box.min[k] || origin[k] > box.max[k]) return false;
            continue;
        }
        const float a = (box.min[k] - origin[k]) / direction[k];
        const float b = (box.max[k] - origin[k]) / direction[k];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
}

float apart(const bv::Aabb& a, const bv::Aabb& b) {
    const glm::vec3 d = (a.min + a.max) - (b.min + b.max);
    return std::abs(d.x) + std::abs(d.y) + std::abs(d.z);
}

bv_capture_bounds bounds(const bv::Aabb& box) {
    return bv_capture_box(&box.min.x, &box.max.x);
}

}  // namespace

std::uint32_t SampleEngine::make_node() {
    if (free_.empty()) {
        nodes_.emplace_back();
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t node = free_.back();
    free_.pop_back();
    nodes_[node] = {};
    return node;
}

bv::Aabb SampleEngine::fattened(const bv::Aabb& tight) const {
    return {tight.min - options.margin, tight.max + options.margin};
}

std::uint32_t SampleEngine::insert(std::uint64_t id, const bv::Aabb& tight, std::uint32_t top) {
    const std::uint32_t node = make_node();
    nodes_[node].box = fattened(tight);
    nodes_[node].id = id;
    leaves_[id] = {node, tight};
    attach(node, top);
    return node;
}

void SampleEngine::remove(std::uint64_t id) {
    const std::uint32_t node = leaf(id);
    detach(node);
    free_.push_back(node);
    leaves_.erase(id);
}

void SampleEngine::move(std::uint64_t id, const bv::Aabb& tight) {
    Leaf& leaf = leaves_.at(id);
    leaf.tight = tight;
    Node& node = nodes_[leaf.node];
    if (options.upkeep == Options::Upkeep::Refit) {
        node.box = fattened(tight);
        return refit_up(node.parent, false);
    }
    if (encloses(node.box, tight)) return;
    if (options.upkeep == Options::Upkeep::Stretch) {
        node.box = around(node.box, fattened(tight));
        return refit_up(node.parent, false);
    }
    detach(leaf.node);
    nodes_[leaf.node].box = fattened(tight);
    attach(leaf.node, kNone);
}

void SampleEngine::fatten_all() {
    for (auto& [id, leaf] : leaves_)
        nodes_[leaf.node].box = fattened(leaf.tight);
    for (auto& [id, leaf] : leaves_)
        refit_up(nodes_[leaf.node].parent, false);
}

const bv::Aabb& SampleEngine::tight(std::uint64_t id) const {
    return leaves_.at(id).tight;
}

const bv::Aabb& SampleEngine::fat(std::uint64_t id) const {
    return nodes_[leaf(id)].box;
}

std::vector<std::uint64_t> SampleEngine::below(std::uint32_t top) const {
    std::vector<std::uint64_t> ids;
    std::vector<std::uint32_t> stack{top};
    while (!stack.empty()) {
        const Node& node = nodes_[stack.back()];
        stack.pop_back();
        if (node.is_leaf())
            ids.push_back(node.id);
        else
            stack.insert(stack.end(), {node.child[0], node.child[1]});
    }
    return ids;
}

std::uint32_t SampleEngine::sibling_for(const bv::Aabb& box, std::uint32_t at) const {
    while (!nodes_[at].is_leaf()) {
        const Node& node = nodes_[at];
        const Node& left = nodes_[node.child[0]];
        const Node& right = nodes_[node.child[1]];
        bool goes_left = false;
        if (options.insertion == Options::Insertion::Counts) {
            goes_left = left.leaves <= right.leaves;
        } else if (options.insertion == Options::Insertion::Nearest) {
            goes_left = apart(left.box, box) < apart(right.box, box);
        } else {
            const float inherited = 2.0f * (area(around(node.box, box)) - area(node.box));
            const auto cost = [&](const Node& child) {
                const float grown = area(around(child.box, box));
                return inherited + (child.is_leaf() ? grown : grown - area(child.box));
            };
            const float here = 2.0f * area(around(node.box, box));
            if (here < cost(left) && here < cost(right)) break;
            goes_left = cost(left) < cost(right);
        }
        at = node.child[goes_left ? 0 : 1];
    }
    return at;
}

void SampleEngine::attach(std::uint32_t leaf, std::uint32_t top) {
    if (root_ == kNone) {
        root_ = leaf;
        nodes_[leaf].parent = kNone;
        return;
    }
    const std::uint32_t sibling = sibling_for(nodes_[leaf].box, top == kNone ? root_ : top);
    const std::uint32_t old = nodes_[sibling].parent;
    const std::uint32_t joint = make_node();
    nodes_[joint].parent = old;
    nodes_[joint].child[0] = sibling;
    nodes_[joint].child[1] = leaf;
    nodes_[sibling].parent = nodes_[leaf].parent = joint;
    if (old == kNone)
        root_ = joint;
    else
        nodes_[old].child[nodes_[old].child[0] == sibling ? 0 : 1] = joint;
    refit_up(joint, options.rotates);
}

void SampleEngine::detach(std::uint32_t leaf) {
    const std::uint32_t joint = nodes_[leaf].parent;
    if (joint == kNone) {
        root_ = kNone;
        return;
    }
    const std::uint32_t sibling = nodes_[joint].child[nodes_[joint].child[0] == leaf ? 1 : 0];
    const std::uint32_t old = nodes_[joint].parent;
    nodes_[sibling].parent = old;
    if (old == kNone)
        root_ = sibling;
    else
        nodes_[old].child[nodes_[old].child[0] == joint ? 0 : 1] = sibling;
    free_.push_back(joint);
    nodes_[leaf].parent = kNone;
    refit_up(old, false);
}

void SampleEngine::refit_up(std::uint32_t at, bool rotates) {
    for (; at != kNone; at = nodes_[at].parent) {
        if (rotates) rotate(at);
        Node& node = nodes_[at];
        const Node& left = nodes_[node.child[0]];
        const Node& right = nodes_[node.child[1]];
        node.box = around(left.box, right.box);
        node.leaves = left.leaves + right.leaves;
    }
}

/// Swaps a child with a child of the other one where that makes the latter smaller.
void SampleEngine::rotate(std::uint32_t at) {
    int best_side = -1, best_grandchild = 0;
    float best = -1e-6f * area(nodes_[at].box);
    for (int side = 0; side < 2; ++side) {
        const Node& low = nodes_[nodes_[at].child[1 - side]];
        if (low.is_leaf()) continue;
        const bv::Aabb& high = nodes_[nodes_[at].child[side]].box;
        for (int k = 0; k < 2; ++k) {
            const float gain = area(around(high, nodes_[low.child[1 - k]].box)) - area(low.box);
            if (gain < best) {
                best = gain;
                best_side = side;
                best_grandchild = k;
            }
        }
    }
    if (best_side < 0) return;
    Node& node = nodes_[at];
    const std::uint32_t low = node.child[1 - best_side];
    std::swap(node.child[best_side], nodes_[low].child[best_grandchild]);
    nodes_[node.child[best_side]].parent = at;
    nodes_[nodes_[low].child[best_grandchild]].parent = low;
    Node& changed = nodes_[low];
    changed.box = around(nodes_[changed.child[0]].box, nodes_[changed.child[1]].box);
    changed.leaves = nodes_[changed.child[0]].leaves + nodes_[changed.child[1]].leaves;
}

// ---- writing

bv::Aabb SampleEngine::written_box(std::uint32_t at) const {
    const auto shrunk = shrunk_.find(at);
    bv::Aabb box = nodes_[at].box;
    if (shrunk == shrunk_.end()) return box;
    const glm::vec3 middle = 0.5f * (box.min + box.max);
    return {middle + shrunk->second * (box.min - middle), middle + shrunk->second * (box.max - middle)};
}

void SampleEngine::record_tree(bv_capture* capture) const {
    if (root_ == kNone) return;
    bv_capture_tree_begin(capture, "dynamic", root_);
    std::vector<std::uint32_t> queue{root_};
    std::uint32_t knot_leaf = kNone;
    const auto is_below = [this](std::uint32_t at, std::uint32_t top) {
        for (; at != kNone; at = nodes_[at].parent)
            if (at == top) return true;
        return false;
    };
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const std::uint32_t at = queue[i];
        const Node& node = nodes_[at];
        const bv::Aabb box = written_box(at);
        if (!node.is_leaf()) {
            std::uint64_t children[2] = {node.child[0], node.child[1]};
            std::size_t count = 2;
            for (const std::uint32_t child : node.child)
                queue.push_back(child);
            if (node.child[0] == lost_ || node.child[1] == lost_) {
                children[0] = node.child[node.child[0] == lost_ ? 1 : 0];
                count = 1;
            }
            bv_capture_node(capture, at, bounds(box), children, count, nullptr, 0);
            continue;
        }
        std::uint64_t payloads[2] = {node.id, 0};
        std::size_t count = 1;
        if (at == doubled_) payloads[count++] = doubled_id_;
        const bool is_knot = knot_ != kNone && knot_leaf == kNone && is_below(at, knot_);
        if (is_knot) knot_leaf = at;
        const std::uint64_t up = knot_;
        bv_capture_node(capture, at, bounds(box), &up, is_knot ? 1 : 0, payloads, count);
    }
    bv_capture_tree_end(capture);
}

template <class Meets>
void SampleEngine::ask(bv_capture_result& result, Meets&& meets) const {
    found_.clear();
    visited_.clear();
    result = {};
    std::vector<std::uint32_t> stack;
    if (root_ != kNone) stack.push_back(root_);
    while (!stack.empty()) {
        const std::uint32_t at = stack.back();
        stack.pop_back();
        if (!meets(written_box(at))) continue;
        visited_.push_back(at);
        const Node& node = nodes_[at];
        if (node.is_leaf()) {
            if (meets(leaves_.at(node.id).tight)) found_.push_back(node.id);
            continue;
        }
        result.boxes_tested += 2;
        for (const std::uint32_t child : node.child)
            if (child != lost_) stack.push_back(child);
    }
    std::sort(found_.begin(), found_.end());
    result.nodes_visited = static_cast<std::uint32_t>(visited_.size());
    result.found = found_.data();
    result.found_count = found_.size();
    result.visited = visited_.data();
    result.visited_count = visited_.size();
}

void SampleEngine::record_box_query(bv_capture* capture, const bv::Aabb& box) const {
    bv_capture_result result;
    ask(result, [&box](const bv::Aabb& other) { return meet(box, other); });
    bv_capture_query_box(capture, bounds(box), &result);
}

void SampleEngine::record_ray(bv_capture* capture, const glm::vec3& origin, const glm::vec3& direction,
                              float t_max) const {
    bv_capture_result result;
    ask(result, [&](const bv::Aabb& box) { return meets_ray(box, origin, direction, t_max); });
    bv_capture_query_ray(capture, &origin.x, &direction.x, t_max, &result);
}

}  // namespace lab::capture
