// Inspection of a MeshBvh8: snapshot, validation, traced rays.
#include <algorithm>
#include <unordered_map>

#include "bv/tree/mesh_bvh_wide.hpp"
#include "tree/mesh/wide/mesh_wide_plain.hpp"
#include "tree/metrics/snapshot_boxes.hpp"

namespace bv {
namespace {

using detail::Bvh8Node;
using detail::MeshRay;
using detail::TriangleBlock;
using Verdict = NodeVisited::Verdict;

bool is_inside(const Aabb& inner, const Aabb& outer) noexcept {
    return merge(inner, outer) == outer;
}

/// The number in traces of the child in slot `i`.
std::uint32_t child_number(std::uint32_t node, int i) noexcept {
    return 8 * node + static_cast<std::uint32_t>(i) + 1;
}

/// The plain kernel, recording each step.
template <RayMode kMode, class AnyRay>
class TracingKernel {
  public:
    TracingKernel(const AnyRay& ray, const Bvh8Node* nodes, const TriangleBlock* blocks, Recording& trace)
        : plain_(ray), nodes_(nodes), blocks_(blocks), trace_(trace) {
        known_[0] = {0, 0, 0.0f, false};
    }

    template <bool kAny>
    bool descend(const detail::Bvh8View& tree, const Bvh8Node& node, float limit, std::size_t& top,
                 std::uint32_t& next) const {
        const auto number = static_cast<std::uint32_t>(&node - nodes_);
        Known& entry = known_[number];
        entry.visited = true;
        const std::uint32_t depth = entry.depth + 1;
        trace_(NodeVisited{NodeIndex{entry.number}, entry.depth, entry.t_enter, Verdict::Entered});
        float t[8];
        const std::uint32_t mask = plain_.test_node(node, limit, t);
        for (int i = 0; i < 8; ++i) {
            const NodeIndex child{child_number(number, i)};
            if ((mask & node.used) >> i & 1u)
                known_[node.child[i]] = {child.value, depth, t[i], false};
            else if ((node.used >> i) & 1u)
                trace_(NodeVisited{child, depth, t[i], Verdict::Culled});
        }
        return plain_.template descend<kAny>(tree, node, limit, top, next);
    }
    void test_block(const TriangleBlock& block, float& limit, MeshHit& best) const {
        const float before = limit;
        plain_.test_block(block, limit, best);
        const auto first = static_cast<std::uint32_t>(&block - blocks_);
        for (auto& [word, entry] : known_) {
            if ((word & Bvh8Node::kLeaf) == 0 || ((word & ~Bvh8Node::kLeaf) >> 6) != first) continue;
            entry.visited = true;
            const Verdict verdict = limit < before ? Verdict::LeafHit : Verdict::LeafTested;
            trace_(NodeVisited{NodeIndex{entry.number}, entry.depth, entry.t_enter, verdict});
        }
    }
    /// Reports children that were hit but lay behind the best hit when their turn came.
    void report_culled() const {
        std::vector<Known> left;
        for (const auto& [word, entry] : known_)
            if (!entry.visited) left.push_back(entry);
        std::sort(left.begin(), left.end(),
                  [](const Known& a, const Known& b) { return a.number < b.number; });
        for (const Known& entry : left)
            trace_(NodeVisited{NodeIndex{entry.number}, entry.depth, entry.t_enter, Verdict::Culled});
    }

  private:
    struct Known {
        std::uint32_t number;
        std::uint32_t depth;
        float t_enter;
        bool visited;
    };
    detail::PlainKernel<kMode, AnyRay> plain_;
    const Bvh8Node* nodes_;
    const TriangleBlock* blocks_;
    Recording& trace_;
    mutable std::unordered_map<std::uint32_t, Known> known_;  ///< By child word.
};

template <bool kAny, RayMode kMode, class AnyRay>
void cast_traced(const detail::Bvh8View& view, const AnyRay& ray, detail::Bvh8Result& result,
                 Recording& trace) {
    using Kernel = TracingKernel<kMode, AnyRay>;
    const Kernel kernel(ray, view.nodes, view.blocks, trace);
    detail::walk_wide<Kernel, kAny>(view, kernel, result);
    kernel.report_culled();
}

template <bool kAny, class AnyRay>
void cast_traced(const detail::Bvh8View& view, const AnyRay& ray, RayMode mode, detail::Bvh8Result& result,
                 Recording& trace) {
    if (!ray.usable) return;
    if (mode == RayMode::Fast)
        cast_traced<kAny, RayMode::Fast>(view, ray, result, trace);
    else
        cast_traced<kAny, RayMode::Watertight>(view, ray, result, trace);
}

}  // namespace

template <bool kAny>
MeshRayResult MeshBvh8::cast_traced(const Ray& given, RayMode mode, Recording& trace) const {
    MeshRayResult out;
    if (empty()) return out;
    const std::size_t capacity = 7 * std::size_t{depth_} + detail::Bvh8Stack::kSpare;
    std::vector<std::uint32_t> stack(2 * capacity);
    const detail::Bvh8View view{nodes_.data(), blocks_.data(), {stack.data(), stack.data() + capacity}};
    detail::Bvh8Result result;
    result.best.t = given.t_max;
    if (detail::needs_double(given, bounds_))
        bv::cast_traced<kAny>(view, detail::PreciseMeshRay(given, mode, bounds_), mode, result, trace);
    else
        bv::cast_traced<kAny>(view, MeshRay(given, mode, bounds_), mode, result, trace);
    result.write_to(out);
    return out;
}

MeshRayResult MeshBvh8::raycast(const Ray& ray, RayMode mode, Recording& trace) const {
    return cast_traced<false>(ray, mode, trace);
}
MeshRayResult MeshBvh8::raycast_any(const Ray& ray, RayMode mode, Recording& trace) const {
    return cast_traced<true>(ray, mode, trace);
}

TreeSnapshot MeshBvh8::snapshot() const {
    TreeSnapshot s;
    if (empty()) return s;
    const auto add = [&s](const Aabb& box, std::uint32_t parent, std::uint32_t depth, std::uint32_t source) {
        s.boxes.push_back(box);
        s.parents.push_back(parent);
        s.first_child.push_back(TreeSnapshot::kNone);
        s.child_count.push_back(0);
        s.depths.push_back(depth);
        s.source_nodes.push_back(source);
        s.first_payload.push_back(static_cast<std::uint32_t>(s.payloads.size()));
        s.payload_count.push_back(0);
    };
    std::vector<std::uint32_t> words{0};  // the child word of each node of the snapshot
    add(bounds_, TreeSnapshot::kNone, 0, 0);
    for (std::uint32_t n = 0; n < words.size(); ++n) {
        const std::uint32_t word = words[n];
        if ((word & Bvh8Node::kLeaf) == 0) {
            const Bvh8Node& node = nodes_[word];
            s.first_child[n] = static_cast<std::uint32_t>(words.size());
            for (int i = 0; i < 8; ++i) {
                if (((node.used >> i) & 1u) == 0) continue;
                ++s.child_count[n];
                add(node.box(i), n, s.depths[n] + 1, child_number(word, i));
                words.push_back(node.child[i]);
            }
            continue;
        }
        s.first_payload[n] = static_cast<std::uint32_t>(s.payloads.size());
        const std::uint32_t first = (word & ~Bvh8Node::kLeaf) >> 6;
        for (std::uint32_t b = first; b <= first + (word & 63u); ++b)
            for (int lane = 0; lane < 4 && blocks_[b].id[lane] != MeshHit::kNone; ++lane) {
                s.payloads.push_back(blocks_[b].id[lane]);
                const Triangle t = blocks_[b].triangle(lane);
                s.payload_boxes.push_back(
                    {glm::min(t.a, glm::min(t.b, t.c)), glm::max(t.a, glm::max(t.b, t.c))});
                ++s.payload_count[n];
            }
    }
    detail::contain_children(s, repeated_ ? detail::Payloads::Cut : detail::Payloads::Whole);
    return s;
}

bool MeshBvh8::validate() const {
    TreeSnapshot s = snapshot();
    if (empty()) return blocks_.empty();
    s.boxes[0] = bounds_;
    for (std::uint32_t n = 1; n < s.size(); ++n) {
        const std::uint32_t slot = s.source_nodes[n] - 1;
        s.boxes[n] = nodes_[slot / 8].box(static_cast<int>(slot % 8));
    }
    if (s.payloads.size() != references_ || s.depths.empty()) return false;
    if (repeated_) {
        // The part of a split triangle lies in its leaf, but its corners need not.
        return *std::max_element(s.depths.begin(), s.depths.end()) <= depth_;
    }
    for (std::uint32_t n = 0; n < s.size(); ++n) {
        // Stored boxes are rounded outward on each level independently: a child's may exceed its parent's by
        // a step of its own node, so test that all boxes above contain the triangles.
        for (std::uint32_t p = s.first_payload[n]; p < s.first_payload[n] + s.payload_count[n]; ++p)
            for (std::uint32_t up = n; up != TreeSnapshot::kNone; up = s.parents[up])
                if (!is_inside(s.payload_boxes[p], s.boxes[up])) return false;
    }
    return *std::max_element(s.depths.begin(), s.depths.end()) <= depth_;
}

}  // namespace bv
