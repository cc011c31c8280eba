// The public functions of collide.hpp.
#include "bv/query/collide.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <optional>

#include "bv/query/overlap_triangle.hpp"
#include "query/meshes/collide_blocks.hpp"
#include "query/meshes/collide_walk.hpp"
#include "query/meshes/pose_scale.hpp"
#include "query/meshes/triangle_distance.hpp"
#include "simd/mesh/collide_avx2.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

using detail::Bvh8Node;
using detail::CenterBox;
using detail::CenterBox8;
using detail::Crossing;
using detail::TriangleBlock;

/// A pair of boxes that may overlap.
struct BoxPair {
    std::uint32_t a, b;  ///< Child words.
    CenterBox box_a, box_b;
};

CenterBox center_box(const Aabb& box) noexcept {
    return {box.center(), box.half_extents()};
}

float largest(const CenterBox& box) noexcept {
    float result = 0.0f;
    for (int k = 0; k < 3; ++k)
        result = std::max(result, std::abs(box.center[k]) + box.half[k]);
    return result;
}

float size(const CenterBox& box) noexcept {
    return box.half.x + box.half.y + box.half.z;
}

/// The frame with these columns, `scale` long.
Crossing crossing(const glm::dmat3& axes, const glm::dvec3& offset, double scale, double slack) noexcept {
    Crossing out{};
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            out.axes[j][i] = static_cast<float>(axes[j][i]);
            out.unit[j][i] = static_cast<float>(axes[j][i] / scale);
            out.abs_axes[j][i] = std::abs(out.axes[j][i]);
            out.abs_unit[j][i] = std::abs(out.unit[j][i]);
            out.offset[i] = static_cast<float>(offset[i]);
        }
    out.scale = static_cast<float>(scale);
    out.slack = static_cast<float>(slack);
    return out;
}

/// Two meshes in the frame of the first.
class PairTraversal {
  public:
    PairTraversal(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b, const Pose& pose_b) noexcept
        : a_(a), b_(b), b_in_a_(relative_pose(pose_a, pose_b)), use_avx2_(best_simd() == Simd::Avx2) {
        scale2_ = detail::scale2_of(b_in_a_);
        const double scale = std::sqrt(scale2_);
        usable_ = !a.empty() && !b.empty() && detail::has_finite_entries(b_in_a_) && scale > 0.0;
        if (!usable_) return;
        root_ = {0, 0, center_box(a.bounds()), center_box(b.bounds())};
        is_huge_ = detail::leaves_range(static_cast<double>(largest(root_.box_a)),
                                        static_cast<double>(largest(root_.box_b)), b_in_a_, scale);
        const glm::dvec3 offset(b_in_a_[3]);
        const double reach = std::max({std::abs(offset.x), std::abs(offset.y), std::abs(offset.z)});
        const double sizes =
            static_cast<double>(largest(root_.box_a)) + scale * static_cast<double>(largest(root_.box_b));
        // The errors of both mappings and of the matrix itself are a few roundings of the scene's size. The
        // transpose stands for the inverse, and the axes for perpendicular ones: each errs by the skew times
        // the length of a diagonal.
        slack_ = 1e-6 * (sizes + reach) + 2.0 * detail::skew_of(b_in_a_, scale2_) * sizes;
        in_a_ = crossing(glm::dmat3(b_in_a_), offset, scale, slack_);
    }

    [[nodiscard]] bool usable() const noexcept { return usable_; }
    [[nodiscard]] const Pose& b_in_a() const noexcept { return b_in_a_; }
    [[nodiscard]] CollideStats& stats() noexcept { return stats_; }

    /// True if the roots are separated along this axis, 0..5.
    [[nodiscard]] bool separated(int axis) noexcept {
        if (is_huge_) return false;
        const Crossing& c = axis < 3 ? in_a_ : in_b();
        const CenterBox& own = axis < 3 ? root_.box_a : root_.box_b;
        const CenterBox& other = axis < 3 ? root_.box_b : root_.box_a;
        const int i = axis % 3;
        float at = c.offset[i] - own.center[i];
        float reach = own.half[i] + c.slack;
        for (int j = 0; j < 3; ++j) {
            at += c.axes[j][i] * other.center[j];
            reach += c.abs_axes[j][i] * other.half[j];
        }
        return std::abs(at) > reach;
    }

    /// Calls `found(block_a, block_b, touching)` for pairs of blocks in which triangles touch; it returns
    /// false to stop.
    template <bool kAny, class Found>
    void walk(Found&& found) {
        detail::GrowStack<BoxPair, 256> stack;
        stack.push(root_);
        const Crossing& in_b = this->in_b();
        while (!stack.empty()) {
            const BoxPair now = stack.pop();
            const bool leaf_a = (now.a & Bvh8Node::kLeaf) != 0;
            const bool leaf_b = (now.b & Bvh8Node::kLeaf) != 0;
            if (leaf_a && leaf_b) {
                if (!test_leaves<kAny>(now.a, now.b, found)) return;
                continue;
            }
            CenterBox8 children;
            stats_.box_pairs += 8;
            if (leaf_b || (!leaf_a && size(now.box_a) >= in_a_.scale * size(now.box_b))) {
                const Bvh8Node& node = a_.nodes()[now.a];
                std::uint32_t mask = overlapping_children(node, in_a_, now.box_b, children);
                for (; mask != 0; mask &= mask - 1) {
                    const int i = std::countr_zero(mask);
                    stack.push({node.child[i], now.b, children.get(i), now.box_b});
                }
            } else {
                const Bvh8Node& node = b_.nodes()[now.b];
                std::uint32_t mask = overlapping_children(node, in_b, now.box_a, children);
                for (; mask != 0; mask &= mask - 1) {
                    const int i = std::countr_zero(mask);
                    stack.push({now.a, node.child[i], now.box_a, children.get(i)});
                }
            }
        }
    }

    /// The pairs of touching triangles in these two blocks.
    [[nodiscard]] std::uint32_t touching(std::uint32_t block_a, const TriangleBlock& moved_b, bool any) {
        return detail::touching_lanes(a_.blocks()[block_a], moved_b, any, stats_.triangle_pairs);
    }

  private:
    /// Computed when it is first needed: A's axes separate most pairs that do not touch.
    const Crossing& in_b() noexcept {
        if (in_b_) return *in_b_;
        const double scale = std::sqrt(scale2_);
        const glm::dmat3 back = glm::transpose(glm::dmat3(b_in_a_)) / scale2_;
        return in_b_.emplace(crossing(back, -(back * glm::dvec3(b_in_a_[3])), 1.0 / scale, slack_ / scale));
    }
    [[nodiscard]] std::uint32_t overlapping_children(const Bvh8Node& node, const Crossing& crossing,
                                                     const CenterBox& other,
                                                     CenterBox8& children) const noexcept {
        if (is_huge_) {
            children = {};
            return node.used;
        }
#if BV_HAS_AVX2_KERNELS
        if (use_avx2_) return simd::overlapping_children_avx2(node, crossing, other, children);
#endif
        return detail::overlapping_children(node, crossing, other, children);
    }

    template <bool kAny, class Found>
    bool test_leaves(std::uint32_t a, std::uint32_t b, Found& found) {
        const std::uint32_t first_a = (a & ~Bvh8Node::kLeaf) >> 6;
        const std::uint32_t first_b = (b & ~Bvh8Node::kLeaf) >> 6;
        for (std::uint32_t j = first_b; j <= first_b + (b & 63u); ++j) {
            const TriangleBlock moved_b = detail::moved(b_.blocks()[j], b_in_a_);
            for (std::uint32_t i = first_a; i <= first_a + (a & 63u); ++i) {
                const std::uint32_t mask = touching(i, moved_b, kAny);
                if (mask != 0 && !found(i, j, moved_b, mask)) return false;
            }
        }
        return true;
    }

    const MeshBvh8& a_;
    const MeshBvh8& b_;
    Pose b_in_a_;
    BoxPair root_{};
    Crossing in_a_{};
    std::optional<Crossing> in_b_;
    double scale2_ = 0.0, slack_ = 0.0;
    CollideStats stats_;
    bool usable_ = false;
    bool use_avx2_ = false;
    bool is_huge_ = false;  ///< No box test can be trusted: only triangles decide.
};

}  // namespace

Pose relative_pose(const Pose& pose_a, const Pose& pose_b) noexcept {
    Pose out(0.0f);
    const double scale2 = detail::scale2_of(pose_a);
    if (scale2 == 0.0) {
        out[0] = out[1] = out[2] = out[3] = glm::vec3(std::numeric_limits<float>::infinity());
        return out;
    }
    if (detail::skew_of(pose_a, scale2) > 0.0) {
        // Nearly the inverse, and a step of Newton's iteration toward it, which no pose makes infinite.
        const glm::dmat3 m(pose_a), near = glm::transpose(m) / scale2;
        const glm::dmat3 back = (glm::dmat3(2.0) - near * m) * near;
        for (int j = 0; j < 4; ++j)
            out[j] =
                glm::vec3(back * (glm::dvec3(pose_b[j]) - glm::dvec3(j == 3 ? pose_a[3] : glm::vec3(0))));
        return out;
    }
    // The transpose of a rotation is its inverse.
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 3; ++k) {
                const double from = j == 3 ? static_cast<double>(pose_a[3][k]) : 0.0;
                sum += static_cast<double>(pose_a[i][k]) * (static_cast<double>(pose_b[j][k]) - from);
            }
            out[j][i] = static_cast<float>(sum / scale2);
        }
    }
    return out;
}

CollideResult collide(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b, const Pose& pose_b,
                      CollideCache* cache) {
    CollideResult result;
    PairTraversal traversal(a, pose_a, b, pose_b);
    if (!traversal.usable()) return result;
    if (cache != nullptr) {
        result.stats.from_cache = true;
        if (cache->axis >= 0 && cache->axis < 6 && traversal.separated(cache->axis)) return result;
        if (cache->block_a < a.blocks().size() && cache->block_b < b.blocks().size()) {
            const TriangleBlock moved_b = detail::moved(b.blocks()[cache->block_b], traversal.b_in_a());
            result.touching = traversal.touching(cache->block_a, moved_b, true) != 0;
            if (result.touching) {
                traversal.stats().from_cache = true;
                traversal.stats().hits = 1;
                result.stats = traversal.stats();
                return result;
            }
        }
    }
    for (int axis = 0; axis < 6; ++axis)
        if (traversal.separated(axis)) {
            if (cache != nullptr) cache->axis = axis;
            result.stats = traversal.stats();
            result.stats.box_pairs = 1;
            return result;
        }
    traversal.walk<true>(
        [&](std::uint32_t block_a, std::uint32_t block_b, const TriangleBlock&, std::uint32_t) {
            result.touching = true;
            if (cache != nullptr) {
                cache->block_a = block_a;
                cache->block_b = block_b;
            }
            return false;
        });
    traversal.stats().hits = result.touching ? 1 : 0;
    result.stats = traversal.stats();
    return result;
}

CollideStats collide_pairs(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b, const Pose& pose_b,
                           std::vector<TrianglePair>& pairs) {
    pairs.clear();
    PairTraversal traversal(a, pose_a, b, pose_b);
    if (!traversal.usable()) return {};
    traversal.walk<false>(
        [&](std::uint32_t block_a, std::uint32_t block_b, const TriangleBlock&, std::uint32_t mask) {
            for (; mask != 0; mask &= mask - 1) {
                const int bit = std::countr_zero(mask);
                pairs.push_back({a.blocks()[block_a].id[bit / 4], b.blocks()[block_b].id[bit % 4]});
            }
            return true;
        });
    std::sort(pairs.begin(), pairs.end());
    // A triangle divided by spatial splits is found once per part.
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    traversal.stats().hits = static_cast<std::uint32_t>(pairs.size());
    return traversal.stats();
}

CollideStats collide_segments(const MeshBvh8& a, const Pose& pose_a, const MeshBvh8& b, const Pose& pose_b,
                              std::vector<ContactSegment>& contacts) {
    contacts.clear();
    PairTraversal traversal(a, pose_a, b, pose_b);
    if (!traversal.usable()) return {};
    traversal.walk<false>(
        [&](std::uint32_t block_a, std::uint32_t, const TriangleBlock& moved_b, std::uint32_t mask) {
            for (; mask != 0; mask &= mask - 1) {
                const int bit = std::countr_zero(mask);
                const Triangle ta = detail::block_triangle(a.blocks()[block_a], bit / 4);
                const Triangle tb = detail::block_triangle(moved_b, bit % 4);
                std::optional<Segment> s = intersection(ta, tb);
                if (!s) {
                    const glm::vec3 common(detail::nearest_points(ta, tb, 0.0f).on_a);
                    s = Segment{common, common};
                }
                contacts.push_back({{a.blocks()[block_a].id[bit / 4], moved_b.id[bit % 4]},
                                    {apply(pose_a, s->a), apply(pose_a, s->b)}});
            }
            return true;
        });
    const auto order = [](const ContactSegment& x, const ContactSegment& y) {
        return x.triangles < y.triangles;
    };
    const auto same = [](const ContactSegment& x, const ContactSegment& y) {
        return x.triangles == y.triangles;
    };
    std::sort(contacts.begin(), contacts.end(), order);
    contacts.erase(std::unique(contacts.begin(), contacts.end(), same), contacts.end());
    traversal.stats().hits = static_cast<std::uint32_t>(contacts.size());
    return traversal.stats();
}

}  // namespace bv
