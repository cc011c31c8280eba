#include "capture/tree_cost.hpp"

#include <algorithm>
#include <utility>

#include "world/tree_recipes.hpp"

namespace lab::capture {
namespace {

/// A segment from `origin` along `direction` up to `t_max` against a closed box, in double precision.
bool meets_segment(const bv::Aabb& box, const glm::vec3& origin, const glm::vec3& direction, double t_max) {
    double enter = 0.0, leave = t_max;
    for (int k = 0; k < 3; ++k) {
        const double o = origin[k], d = direction[k], low = box.min[k], high = box.max[k];
        if (d == 0.0) {
            if (o < low || o > high) return false;
            continue;
        }
        double a = (low - o) / d, b = (high - o) / d;
        if (a > b) std::swap(a, b);
        enter = std::max(enter, a);
        leave = std::min(leave, b);
    }
    return enter <= leave;
}

/// The same leaves below fewer nodes: of the inner children of a node, the largest are replaced by their own
/// children while there are not more than `arity`.
bv::TreeSnapshot widened(const bv::TreeSnapshot& tree, std::uint32_t arity) {
    bv::TreeSnapshot wide;
    std::vector<std::uint32_t> order;  // nodes of `tree`, by node of the result
    const auto add = [&](std::uint32_t node, std::uint32_t parent) {
        order.push_back(node);
        wide.boxes.push_back(tree.boxes[node]);
        wide.parents.push_back(parent);
        wide.first_child.push_back(bv::TreeSnapshot::kNone);
        wide.child_count.push_back(0);
        wide.depths.push_back(parent == bv::TreeSnapshot::kNone ? 0 : wide.depths[parent] + 1);
        wide.first_payload.push_back(tree.first_payload[node]);
        wide.payload_count.push_back(tree.payload_count[node]);
        wide.source_nodes.push_back(static_cast<std::uint32_t>(wide.source_nodes.size()));
    };
    if (!tree.empty()) add(0, bv::TreeSnapshot::kNone);
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        children.assign(1, order[i]);
        for (;;) {
            std::size_t widest = children.size();
            double most = -1.0;
            for (std::size_t k = 0; k < children.size(); ++k) {
                const std::uint32_t child = children[k];
                if (tree.is_leaf(child) || children.size() - 1 + tree.child_count[child] > arity) continue;
                if (const double size = surface(tree.boxes[child]); size > most) {
                    most = size;
                    widest = k;
                }
            }
            if (widest == children.size()) break;
            const std::uint32_t open = children[widest];
            children.erase(children.begin() + static_cast<std::ptrdiff_t>(widest));
            for (std::uint32_t k = 0; k < tree.child_count[open]; ++k)
                children.push_back(tree.first_child[open] + k);
        }
        if (children.size() < 2) continue;  // a leaf
        wide.first_child[i] = static_cast<std::uint32_t>(order.size());
        wide.child_count[i] = static_cast<std::uint32_t>(children.size());
        for (const std::uint32_t child : children)
            add(child, i);
    }
    wide.payloads = tree.payloads;
    wide.payload_boxes = tree.payload_boxes;
    return wide;
}

}  // namespace

bool meets(const bv::Aabb& box, const io::CaptureQuery& query) {
    using Kind = io::CaptureQuery::Kind;
    if (query.kind == Kind::Ray)
        return meets_segment(box, query.origin, query.direction, static_cast<double>(query.t_max));
    if (query.kind == Kind::Box) {
        for (int k = 0; k < 3; ++k)
            if (box.min[k] > query.box.max[k] || query.box.min[k] > box.max[k]) return false;
        return true;
    }
    // A moving box meets a box where its corner meets the sum of both.
    const bv::Aabb grown{box.min - (query.box.max - query.box.min), box.max};
    return meets_segment(grown, query.box.min, query.direction, 1.0);
}

std::uint32_t arity_of(const bv::TreeSnapshot& tree) {
    std::size_t inner = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        inner += tree.is_leaf(i) ? 0 : 1;
    if (inner == 0) return 2;
    return static_cast<std::uint32_t>(std::max<std::size_t>((tree.size() - 1 + inner / 2) / inner, 2));
}

bv::TreeSnapshot rebuilt_tree(std::span<const bv::Aabb> boxes, std::uint32_t arity) {
    if (boxes.empty()) return {};
    constexpr std::size_t kSweep = 4096;
    const TreeRecipe* const recipe = find_recipe(boxes.size() <= kSweep ? "sweep_sah" : "binned_sah");
    bv::TreeOptions options;
    options.margin = bv::Margin::None;
    bv::TreeSnapshot tree = make_tree(*recipe, boxes, options).snapshot();
    return arity > 2 ? widened(tree, arity) : tree;
}

double rebuilt_cost(std::span<const bv::Aabb> boxes, std::uint32_t arity) {
    const bv::TreeSnapshot tree = rebuilt_tree(boxes, arity);
    double sum = 0.0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        if (!tree.is_leaf(i)) sum += surface(tree.boxes[i]);
    return sum;
}

ShapeCost::ShapeCost(const bv::TreeSnapshot& tree, std::vector<bv::Aabb> leaf_boxes)
    : tree_(tree),
      boxes_(std::move(leaf_boxes)),
      costs_(tree.size(), 0.0),
      leaves_(tree.size(), 0),
      heights_(tree.size(), 0),
      arity_(arity_of(tree)) {
    // Children follow their parents.
    for (auto i = static_cast<std::uint32_t>(tree.size()); i-- > 0;) {
        if (tree.is_leaf(i)) {
            leaves_[i] = boxes_[i].is_empty() ? 0 : 1;
            continue;
        }
        boxes_[i] = {};
        std::uint32_t present = 0;
        for (std::uint32_t k = 0; k < tree.child_count[i]; ++k) {
            const std::uint32_t child = tree.first_child[i] + k;
            if (leaves_[child] == 0) continue;
            ++present;
            boxes_[i] = bv::merge(boxes_[i], boxes_[child]);
            costs_[i] += costs_[child];
            leaves_[i] += leaves_[child];
            heights_[i] = std::max(heights_[i], heights_[child] + 1);
        }
        if (present > 1) costs_[i] += surface(boxes_[i]);
    }
}

std::vector<std::uint32_t> ShapeCost::leaves_below(std::uint32_t top) const {
    std::vector<std::uint32_t> leaves, level{top};
    while (!level.empty()) {
        const std::uint32_t node = level.back();
        level.pop_back();
        if (leaves_[node] == 0) continue;
        if (tree_.is_leaf(node)) leaves.push_back(node);
        for (std::uint32_t k = 0; k < tree_.child_count[node]; ++k)
            level.push_back(tree_.first_child[node] + k);
    }
    std::sort(leaves.begin(), leaves.end());
    return leaves;
}

std::vector<bv::Aabb> ShapeCost::boxes_below(std::uint32_t node) const {
    std::vector<bv::Aabb> boxes;
    for (const std::uint32_t leaf : leaves_below(node))
        boxes.push_back(boxes_[leaf]);
    return boxes;
}

double ShapeCost::rebuilt(std::uint32_t node) const {
    return rebuilt_cost(boxes_below(node), arity_);
}

std::uint64_t visits(const bv::TreeSnapshot& tree, const io::CaptureQuery& query) {
    std::uint64_t count = 0;
    std::vector<std::uint32_t> stack;
    if (!tree.empty()) stack.push_back(0);
    while (!stack.empty()) {
        const std::uint32_t node = stack.back();
        stack.pop_back();
        if (!meets(tree.boxes[node], query)) continue;
        ++count;
        for (std::uint32_t k = 0; k < tree.child_count[node]; ++k)
            stack.push_back(tree.first_child[node] + k);
    }
    return count;
}

std::vector<std::uint64_t> answers(const bv::TreeSnapshot& tree, const io::CaptureQuery& query) {
    std::vector<std::uint64_t> found;
    std::vector<std::uint32_t> stack;
    if (!tree.empty()) stack.push_back(0);
    while (!stack.empty()) {
        const std::uint32_t node = stack.back();
        stack.pop_back();
        if (!meets(tree.boxes[node], query)) continue;
        for (std::uint32_t k = 0; k < tree.payload_count[node]; ++k)
            if (meets(tree.payload_boxes[tree.first_payload[node] + k], query))
                found.push_back(tree.payloads[tree.first_payload[node] + k]);
        for (std::uint32_t k = 0; k < tree.child_count[node]; ++k)
            stack.push_back(tree.first_child[node] + k);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace lab::capture
