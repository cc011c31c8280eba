#include "capture/tree_cost.hpp"

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <limits>
#include <unordered_map>
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
bv::TreeSnapshot widened(const bv::TreeSnapshot& tree, std::uint32_t arity, const BoxSize& size) {
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
            double largest = -1.0;
            for (std::size_t k = 0; k < children.size(); ++k) {
                const std::uint32_t child = children[k];
                if (tree.is_leaf(child) || children.size() - 1 + tree.child_count[child] > arity) continue;
                if (const double own = size(tree.boxes[child]); own > largest) {
                    largest = own;
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

/// Makes leaves of the nodes with the fewest payloads, until the tree has no more leaves than that. What was
/// below them stays, out of reach.
void fold(bv::TreeSnapshot& tree, std::size_t leaves) {
    std::vector<std::uint32_t> inner;
    // Children follow their parents.
    for (auto i = static_cast<std::uint32_t>(tree.size()); i-- > 0;) {
        if (!tree.is_leaf(i)) inner.push_back(i);
        if (i > 0) tree.payload_count[tree.parents[i]] += tree.payload_count[i];
    }
    // All below a node are listed in one place.
    const std::vector<std::uint64_t> payloads = tree.payloads;
    const std::vector<bv::Aabb> boxes = tree.payload_boxes;
    std::vector<std::uint32_t> place(tree.size(), 0);
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        std::uint32_t next = place[i];
        for (std::uint32_t k = 0; k < tree.child_count[i]; ++k) {
            place[tree.first_child[i] + k] = next;
            next += tree.payload_count[tree.first_child[i] + k];
        }
        for (std::uint32_t k = 0; tree.is_leaf(i) && k < tree.payload_count[i]; ++k) {
            tree.payloads[place[i] + k] = payloads[tree.first_payload[i] + k];
            tree.payload_boxes[place[i] + k] = boxes[tree.first_payload[i] + k];
        }
    }
    tree.first_payload = std::move(place);
    std::stable_sort(inner.begin(), inner.end(), [&tree](std::uint32_t a, std::uint32_t b) {
        return tree.payload_count[a] < tree.payload_count[b];
    });
    std::size_t count = tree.size() - inner.size();
    for (const std::uint32_t node : inner) {
        if (count <= leaves) {
            tree.payload_count[node] = 0;
            continue;
        }
        count -= tree.child_count[node] - 1;
        tree.child_count[node] = 0;
    }
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

bv::TreeSnapshot with_opened_leaves(bv::TreeSnapshot tree, std::span<const io::CaptureProxy> proxies) {
    std::unordered_map<std::uint64_t, const io::CaptureProxy*> proxy_of;
    const auto count = static_cast<std::uint32_t>(tree.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!tree.is_leaf(i) || tree.payload_count[i] < 2) continue;
        if (proxy_of.empty())
            for (const io::CaptureProxy& proxy : proxies)
                proxy_of.emplace(proxy.id, &proxy);
        tree.first_child[i] = static_cast<std::uint32_t>(tree.size());
        tree.child_count[i] = tree.payload_count[i];
        for (std::uint32_t k = 0; k < tree.payload_count[i]; ++k) {
            const std::uint32_t payload = tree.first_payload[i] + k;
            const auto known = proxy_of.find(tree.payloads[payload]);
            const bool has_box =
                known != proxy_of.end() && known->second->fat.is_finite() && !known->second->fat.is_empty();
            tree.boxes.push_back(has_box ? known->second->fat : tree.boxes[i]);
            tree.parents.push_back(i);
            tree.first_child.push_back(bv::TreeSnapshot::kNone);
            tree.child_count.push_back(0);
            tree.depths.push_back(tree.depths[i] + 1);
            tree.source_nodes.push_back(tree.source_nodes[i]);
            tree.first_payload.push_back(payload);
            tree.payload_count.push_back(1);
        }
    }
    return tree;
}

std::uint32_t arity_of(const bv::TreeSnapshot& tree) {
    // A wider tree, like a list of cells, is compared with one of this arity: to widen it takes its square.
    constexpr std::size_t kWidest = 64;
    std::array<std::size_t, kWidest + 1> with{};  // nodes, by their number of children
    std::size_t inner = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (tree.is_leaf(i) || tree.payload_count[i] > 0) continue;
        ++inner;
        ++with[std::min<std::size_t>(tree.child_count[i], kWidest)];
    }
    std::size_t arity = kWidest;
    for (std::size_t wider = with[arity]; arity > 2 && 10 * wider < inner; wider += with[arity])
        --arity;
    return inner == 0 ? 2 : static_cast<std::uint32_t>(arity);
}

BoxSize::BoxSize(const bv::TreeSnapshot& tree) {
    if (tree.empty()) return;
    bv::Aabb all = tree.boxes[0];
    // A broken root says nothing.
    if (all.is_empty() || !all.is_finite())
        for (const bv::Aabb& box : tree.payload_boxes)
            all = bv::merge(all, box);
    for (int k = 0; k < 3; ++k)
        if (all.min[k] == all.max[k]) axis_ = k;
    constexpr float kDeep = 1e6f;
    const glm::vec3 extent = glm::clamp(all.max - all.min, 1e-12f, 1e12f);
    depth_ = kDeep * std::max({extent.x, extent.y, extent.z});
}

double BoxSize::operator()(const bv::Aabb& box) const {
    if (box.is_empty()) return 0.0;
    constexpr double kLongest_m = 1e30;
    double size[3];
    for (int k = 0; k < 3; ++k)
        size[k] = std::min(static_cast<double>(box.max[k]) - static_cast<double>(box.min[k]), kLongest_m);
    const double sum = axis_ < 0 ? 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0])
                                 : 2.0 * (size[(axis_ + 1) % 3] + size[(axis_ + 2) % 3]);
    return sum > 0.0 ? sum : 0.0;
}

std::vector<bv::Aabb> BoxSize::deep(std::span<const bv::Aabb> boxes) const {
    std::vector<bv::Aabb> result(boxes.begin(), boxes.end());
    if (axis_ < 0) return result;
    for (bv::Aabb& box : result) {
        if (box.is_empty()) continue;
        box.min[axis_] = 0.0f;
        box.max[axis_] = depth_;
    }
    return result;
}

bv::TreeMetrics metrics_of(const bv::TreeSnapshot& tree) {
    const BoxSize size(tree);
    if (!size.is_planar()) return bv::measure(tree);
    bv::TreeSnapshot deep = tree;
    deep.boxes = size.deep(tree.boxes);
    deep.payload_boxes = size.deep(tree.payload_boxes);
    return bv::measure(deep);
}

bv::TreeSnapshot rebuilt_tree(std::span<const bv::Aabb> given, std::uint32_t arity, const BoxSize& size,
                              std::size_t leaves) {
    if (given.empty()) return {};
    const std::vector<bv::Aabb> boxes = size.deep(given);
    constexpr std::size_t kSweep = 4096;
    const TreeRecipe* const recipe = find_recipe(boxes.size() <= kSweep ? "sweep_sah" : "binned_sah");
    bv::TreeOptions options;
    options.margin = bv::Margin::None;
    bv::TreeSnapshot tree = make_tree(*recipe, boxes, options).snapshot();
    // In the plane again.
    if (const int k = size.flat_axis(); k >= 0)
        for (std::vector<bv::Aabb>* list : {&tree.boxes, &tree.payload_boxes})
            for (bv::Aabb& box : *list) {
                box.min[k] = given.front().min[k];
                box.max[k] = given.front().max[k];
            }
    const bool is_folded = leaves < given.size();
    if (is_folded) fold(tree, leaves);
    return arity > 2 || is_folded ? widened(tree, arity, size) : tree;
}

double rebuilt_cost(std::span<const bv::Aabb> boxes, std::uint32_t arity, const BoxSize& size,
                    std::size_t leaves) {
    const bv::TreeSnapshot tree = rebuilt_tree(boxes, arity, size, leaves);
    double sum = 0.0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        if (!tree.is_leaf(i) || tree.payload_count[i] > 1) sum += size(tree.boxes[i]);
    return sum;
}

double whole_cost(const bv::TreeSnapshot& tree, const BoxSize& size) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        sum += size(tree.boxes[i]) * (tree.is_leaf(i) ? tree.payload_count[i] : 1);
    return sum;
}

ShapeCost::ShapeCost(const bv::TreeSnapshot& tree, std::vector<bv::Aabb> leaf_boxes, const BoxSize& size)
    : tree_(tree),
      boxes_(std::move(leaf_boxes)),
      costs_(tree.size(), 0.0),
      leaves_(tree.size(), 0),
      captured_leaves_(tree.size(), 0),
      heights_(tree.size(), 0),
      arity_(arity_of(tree)),
      size_(size) {
    for (const std::uint32_t count : tree.child_count)
        widest_ = std::max(widest_, count);
    // Children follow their parents.
    for (auto i = static_cast<std::uint32_t>(tree.size()); i-- > 0;) {
        if (tree.is_leaf(i)) {
            leaves_[i] = captured_leaves_[i] = boxes_[i].is_empty() ? 0 : 1;
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
            captured_leaves_[i] += captured_leaves_[child];
            heights_[i] = std::max(heights_[i], heights_[child] + 1);
        }
        if (present > 1) costs_[i] += size_(boxes_[i]);
        const bool was_leaf = tree.payload_count[i] > 0;
        if (was_leaf && present > 0) captured_leaves_[i] = 1;
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
    return rebuilt_cost(boxes_below(node), arity_, size_, captured_leaves_[node]);
}

double ShapeCost::here(std::uint32_t leaf) const {
    double added = 0.0;
    bv::Aabb rest;  // below the ancestor, without the leaf
    for (std::uint32_t at = leaf; tree_.parents[at] != bv::TreeSnapshot::kNone; at = tree_.parents[at]) {
        const std::uint32_t up = tree_.parents[at];
        for (std::uint32_t k = 0; k < tree_.child_count[up]; ++k)
            if (tree_.first_child[up] + k != at) rest = bv::merge(rest, boxes_[tree_.first_child[up] + k]);
        // With one child left, the node is gone.
        const double now = at == leaf && tree_.child_count[up] == 2 ? 0.0 : size_(rest);
        const double more = size_(boxes_[up]) - now;
        if (!(more > 0.0)) break;
        added += more;
    }
    return added;
}

double ShapeCost::best_place(std::uint32_t leaf) const {
    const std::uint32_t parent = tree_.parents[leaf];
    if (parent == bv::TreeSnapshot::kNone) return 0.0;
    std::unordered_map<std::uint32_t, bv::Aabb> without;  // boxes of its ancestors
    bv::Aabb rest;
    for (std::uint32_t at = leaf; tree_.parents[at] != bv::TreeSnapshot::kNone; at = tree_.parents[at]) {
        const std::uint32_t up = tree_.parents[at];
        for (std::uint32_t k = 0; k < tree_.child_count[up]; ++k)
            if (tree_.first_child[up] + k != at) rest = bv::merge(rest, boxes_[tree_.first_child[up] + k]);
        without.emplace(up, rest);
    }
    struct Open {
        std::uint32_t node;
        double grown;  ///< What the ancestors of the node grow by.
    };
    const bv::Aabb& box = boxes_[leaf];
    const double own = size_(box);
    const auto box_of = [&](std::uint32_t node) -> const bv::Aabb& {
        const auto changed = without.find(node);
        return changed == without.end() ? boxes_[node] : changed->second;
    };
    double best = std::numeric_limits<double>::infinity();
    std::vector<Open> open{{0, 0.0}};
    constexpr int kMaxVisited = 1000;
    for (int visited = 0; !open.empty() && visited < kMaxVisited; ++visited) {
        const Open at = open.back();
        open.pop_back();
        if (at.node == leaf || leaves_[at.node] == 0 || at.grown + own >= best) continue;
        const bv::Aabb& now = box_of(at.node);
        const double both = size_(bv::merge(now, box));
        best = std::min(best, at.grown + both);  // beside the node, below a new one
        if (tree_.is_leaf(at.node)) continue;
        const std::uint32_t count = tree_.child_count[at.node];
        const bool is_gone = at.node == parent && count == 2;
        const double grown = at.grown + (is_gone ? 0.0 : both - size_(now));
        // As one more child of a node that has room.
        if (!is_gone && (count < widest_ || at.node == parent)) best = std::min(best, std::max(grown, own));
        const auto first = static_cast<std::ptrdiff_t>(open.size());
        for (std::uint32_t k = 0; k < count; ++k)
            open.push_back({tree_.first_child[at.node] + k, grown});
        // The one that grows least is looked at first.
        const auto growth = [&](const Open& o) {
            return size_(bv::merge(box_of(o.node), box)) - size_(box_of(o.node));
        };
        std::sort(open.begin() + first, open.end(),
                  [&](const Open& a, const Open& b) { return growth(a) > growth(b); });
    }
    return best;
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
