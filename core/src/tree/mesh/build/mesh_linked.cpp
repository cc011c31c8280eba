#include "tree/mesh/build/mesh_linked.hpp"

#include <algorithm>

namespace bv::detail {
namespace {

/// Sizes and costs of all subtrees, without recursion: children come after parents in `order`.
struct Summary {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> count;
    std::vector<float> cost;
    std::vector<char> as_leaf;
};

Summary summarize(const LinkedTree& tree, std::uint32_t root, const BuildLimits& limits) {
    Summary s;
    s.order.push_back(root);
    for (std::size_t i = 0; i < s.order.size(); ++i) {
        const LinkedNode& node = tree[s.order[i]];
        if (node.is_leaf()) continue;
        s.order.push_back(node.left);
        s.order.push_back(node.right);
    }
    s.count.resize(tree.size());
    s.cost.resize(tree.size());
    s.as_leaf.resize(tree.size());
    for (std::size_t i = s.order.size(); i-- > 0;) {
        const std::uint32_t n = s.order[i];
        const LinkedNode& node = tree[n];
        s.count[n] = node.is_leaf() ? node.count : s.count[node.left] + s.count[node.right];
        const float area = node.box.half_area();
        const float as_leaf = limits.intersection_cost * area * static_cast<float>(s.count[n]);
        const float as_inner =
            node.is_leaf() ? as_leaf : limits.traversal_cost * area + s.cost[node.left] + s.cost[node.right];
        s.as_leaf[n] = node.is_leaf() || (s.count[n] <= limits.max_leaf && !(as_inner < as_leaf)) ? 1 : 0;
        s.cost[n] = s.as_leaf[n] ? as_leaf : as_inner;
    }
    return s;
}

}  // namespace

void flatten(const LinkedTree& tree, std::uint32_t root, const BuildLimits& limits, std::span<MeshRef> refs,
             MeshNodes& nodes) {
    const Summary summary = summarize(tree, root, limits);
    const std::vector<MeshRef> given(refs.begin(), refs.end());
    struct Waiting {
        std::uint32_t linked, flat;
    };
    nodes.assign(1, MeshBvhNode{});
    std::vector<Waiting> waiting{{root, 0}};
    std::vector<std::uint32_t> below;
    std::uint32_t next_ref = 0;
    while (!waiting.empty()) {
        const Waiting now = waiting.back();
        waiting.pop_back();
        const LinkedNode& node = tree[now.linked];
        MeshBvhNode flat{};
        if (summary.as_leaf[now.linked] != 0) {
            flat.first = next_ref;
            flat.count = summary.count[now.linked];
            below.assign(1, now.linked);
            while (!below.empty()) {
                const LinkedNode& part = tree[below.back()];
                below.pop_back();
                if (part.is_leaf()) {
                    for (std::uint32_t i = part.first; i < part.first + part.count; ++i)
                        refs[next_ref++] = given[i];
                } else {
                    below.push_back(part.right);
                    below.push_back(part.left);
                }
            }
        } else {
            flat.first = static_cast<std::uint32_t>(nodes.size());
            nodes.resize(nodes.size() + 2);
            waiting.push_back({node.right, flat.first + 1});
            waiting.push_back({node.left, flat.first});
        }
        set_box(flat, node.box);
        nodes[now.flat] = flat;
    }
}

LinkedTree unflatten(const MeshNodes& nodes) {
    LinkedTree tree(nodes.size());
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        const MeshBvhNode& node = nodes[n];
        tree[n].box.lo = simd::xyz0(simd::Float4::load_unaligned(&node.min.x));
        tree[n].box.hi = simd::xyz0(simd::Float4::load_unaligned(&node.max.x));
        if (node.is_leaf()) {
            tree[n].first = node.first;
            tree[n].count = node.count;
            continue;
        }
        tree[n].left = node.first;
        tree[n].right = node.first + 1;
        tree[node.first].parent = tree[node.first + 1].parent = n;
    }
    return tree;
}

namespace {

float joint_area(const Bounds4& a, const Bounds4& b) noexcept {
    Bounds4 joint = a;
    joint.merge(b);
    return joint.half_area();
}

class Reinserter {
  public:
    explicit Reinserter(LinkedTree& tree) : tree_(tree) {}

    /// Moves a subtree to where the tree's area becomes least, if that is somewhere else.
    void move(std::uint32_t x) {
        const std::uint32_t parent = tree_[x].parent;
        if (parent == LinkedNode::kNone || tree_[parent].parent == LinkedNode::kNone) return;
        const std::uint32_t place = find_place(x);
        if (place == LinkedNode::kNone) return;
        const std::uint32_t grand = tree_[parent].parent;
        replace_child(grand, parent, sibling_of(x));
        refit_from(grand);
        insert(x, parent, place);
    }

  private:
    struct Candidate {
        std::uint32_t node;
        float saved;  ///< Area saved by all that lies above, with the subtree somewhere below the node.
    };

    [[nodiscard]] std::uint32_t sibling_of(std::uint32_t x) const noexcept {
        const LinkedNode& parent = tree_[tree_[x].parent];
        return parent.left == x ? parent.right : parent.left;
    }

    void replace_child(std::uint32_t parent, std::uint32_t old_child, std::uint32_t new_child) noexcept {
        (tree_[parent].left == old_child ? tree_[parent].left : tree_[parent].right) = new_child;
        tree_[new_child].parent = parent;
    }

    /// Replaces `place` by `joint`, with `place` and `x` below it.
    void insert(std::uint32_t x, std::uint32_t joint, std::uint32_t place) noexcept {
        replace_child(tree_[place].parent, place, joint);
        tree_[joint].left = place;
        tree_[joint].right = x;
        tree_[place].parent = tree_[x].parent = joint;
        refit_from(joint);
    }

    void refit_from(std::uint32_t n) noexcept {
        for (; n != LinkedNode::kNone; n = tree_[n].parent) {
            tree_[n].box = tree_[tree_[n].left].box;
            tree_[n].box.merge(tree_[tree_[n].right].box);
        }
    }

    /// The node beside which the subtree saves the most area; kNone if no place saves more than the present
    /// one. Goes up from the subtree and searches the subtrees beside the path: a place nearby saves much,
    /// and cuts off most of the rest.
    std::uint32_t find_place(std::uint32_t x) {
        const Bounds4 box = tree_[x].box;
        const float area = box.half_area();
        std::uint32_t pivot = tree_[x].parent;
        std::uint32_t beside = sibling_of(x);
        Bounds4 shrunk = tree_[beside].box;  // of `pivot` without the subtree
        float saved = tree_[pivot].box.half_area();
        float best_saved = kMinSaved * saved;
        std::uint32_t best = LinkedNode::kNone;
        for (bool first = true;; first = false) {
            waiting_.push_back({beside, saved});
            while (!waiting_.empty()) {
                const Candidate now = waiting_.back();
                waiting_.pop_back();
                if (now.saved - area <= best_saved) continue;
                const LinkedNode& node = tree_[now.node];
                const float left = now.saved - joint_area(node.box, box);
                if (left > best_saved && !(first && now.node == beside)) {
                    best_saved = left;
                    best = now.node;
                }
                const float below = left + node.box.half_area();
                if (node.is_leaf() || below - area <= best_saved) continue;
                waiting_.push_back({node.right, below});
                waiting_.push_back({node.left, below});
            }
            if (!first) {
                shrunk.merge(tree_[beside].box);
                saved += tree_[pivot].box.half_area() - shrunk.half_area();
            }
            if (tree_[pivot].parent == LinkedNode::kNone) return best;
            beside = sibling_of(pivot);
            pivot = tree_[pivot].parent;
        }
    }

    /// As a fraction of the parent's area: less may be rounding.
    static constexpr float kMinSaved = 1e-5f;

    LinkedTree& tree_;
    std::vector<Candidate> waiting_;
};

}  // namespace

std::size_t reinserted_of(std::size_t nodes) noexcept {
    return (nodes - 1 + 9) / 10;
}

void reinsert(LinkedTree& tree, int rounds, BuildProgress& progress) {
    Reinserter reinserter(tree);
    std::vector<std::pair<float, std::uint32_t>> by_area;
    std::uint64_t moved = 0;
    for (int round = 0; round < rounds; ++round) {
        by_area.clear();
        for (std::uint32_t n = 1; n < tree.size(); ++n)
            by_area.emplace_back(-tree[n].box.half_area(), n);
        const auto end = by_area.begin() + static_cast<std::ptrdiff_t>(reinserted_of(tree.size()));
        std::nth_element(by_area.begin(), end, by_area.end());
        std::sort(by_area.begin(), end);
        by_area.erase(end, by_area.end());
        for (const auto& [area, n] : by_area) {
            reinserter.move(n);
            if (++moved % 512 == 0 && !progress.advance(512)) return;
        }
    }
}

}  // namespace bv::detail
