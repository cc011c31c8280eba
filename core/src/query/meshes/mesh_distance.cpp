// The distance between two meshes, by branch and bound over pairs of nodes. Alternating projections between
// the surfaces first give a nearly tight upper bound, and the direction in which they face each other. Boxes
// are then compared in a frame with that direction as its first axis: a pair of nodes is skipped if its boxes
// there are farther apart than the bound. The boxes of small nodes are those of their triangles, and no box
// extends beyond its whole mesh in that direction.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bv/query/collide.hpp"
#include "query/meshes/pose_scale.hpp"
#include "query/meshes/triangle_distance.hpp"
#include "shapes/frame.hpp"
#include "simd/float4.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

using simd::Float4;

/// Outside of these, squares of lengths leave the range of floats, and only triangles are compared.
constexpr float kMinScale = 1e-12f, kMaxScale = 1e17f;
constexpr int kApproachRounds = 6;
/// A bound of at least this part of the best square is not worth a search: the distance could fall by 3e-7 of
/// itself. Rounding moves the bounds of far boxes by about as much. If that decided, all pairs of flat meshes
/// that face each other would be tested, since they are all equally far apart.
constexpr double kWorthwhile = 1.0 - 6e-7;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A box in the frame of the search. The fourth lanes are 0.
struct FrameBox {
    Float4 low, high;
};

[[nodiscard]] float distance2_of(const FrameBox& a, const FrameBox& b) noexcept {
    const Float4 gap = simd::max(simd::max(b.low - a.high, a.low - b.high), Float4::all(0.0f));
    float g[4];
    (gap * gap).store_unaligned(g);
    return g[0] + g[1] + g[2];
}

struct Waiting {
    std::uint32_t a, b;
    float distance2;  ///< Lower bound.
};

/// A tree in the frame of the search.
class View {
  public:
    explicit View(const MeshBvh& tree) noexcept : tree_(tree) {}

    /// `axes` and `origin` are those of the tree's own frame in the frame of the search.
    void set_frame(const glm::mat3& axes, const glm::vec3& origin) noexcept {
        for (int k = 0; k < 3; ++k) {
            axis_[k] = Float4::of(axes[k].x, axes[k].y, axes[k].z, 0.0f);
            abs_axis_[k] = Float4::of(std::abs(axes[k].x), std::abs(axes[k].y), std::abs(axes[k].z), 0.0f);
        }
        origin_ = Float4::of(origin.x, origin.y, origin.z, 0.0f);
        end_ = {Float4::all(-kInfinity), Float4::all(kInfinity)};
        ++epoch_;
    }
    /// Bounds all boxes by the end of the whole tree along the first axis (`side` 1), or by its beginning
    /// (-1). Sets no bound if the tree reaches more than `margin` beyond `from`: it would be of little use.
    void bound_end(float side, const glm::vec3& from, float margin) {
        const glm::vec3 direction =
            side * glm::vec3(first_lane(axis_[0]), first_lane(axis_[1]), first_lane(axis_[2]));
        const float bound = support(direction, along(direction, from) + margin);
        const float at = first_lane(origin_) + side * bound;
        if (side > 0.0f)
            end_.high = Float4::of(at, kInfinity, kInfinity, kInfinity);
        else
            end_.low = Float4::of(at, -kInfinity, -kInfinity, -kInfinity);
    }

    /// Around the node's box: quick to compute, but larger than necessary.
    [[nodiscard]] FrameBox loose(std::uint32_t index) const noexcept {
        const MeshBvhNode& node = tree_.nodes()[index];
        const Float4 one_half = Float4::all(0.5f);
        // Halved first: the sum of two large coordinates may overflow.
        const Float4 min = simd::xyz0(Float4::load_unaligned(&node.min.x)) * one_half;
        const Float4 max = simd::xyz0(Float4::load_unaligned(&node.max.x)) * one_half;
        float c[4], h[4];
        (min + max).store_unaligned(c);
        (max - min).store_unaligned(h);
        Float4 center = origin_, half = Float4::all(0.0f);
        for (int k = 0; k < 3; ++k) {
            center = center + Float4::all(c[k]) * axis_[k];
            half = half + Float4::all(h[k]) * abs_axis_[k];
        }
        return {simd::max(center - half, end_.low), simd::min(center + half, end_.high)};
    }
    /// Around the triangles below a node, computed once per frame; null for more than kMaxTriangles.
    [[nodiscard]] const FrameBox* tight(std::uint32_t index) noexcept {
        const Slot& slot = find(index, 0);
        return slot.count > kMaxTriangles ? nullptr : &slot.box;
    }
    [[nodiscard]] FrameBox of_triangle(std::uint32_t i) const noexcept {
        const Triangle t = tree_.triangle(i);
        const Float4 a = carried(t.a), b = carried(t.b), c = carried(t.c);
        return {simd::min(simd::min(a, b), c), simd::max(simd::max(a, b), c)};
    }

  private:
    static constexpr std::uint32_t kSlots = 512, kMaxTriangles = 16;
    struct Slot {
        FrameBox box;
        std::uint32_t node = 0xffffffffu, epoch = 0, count = 0;
    };
    struct Bounded {
        std::uint32_t node;
        float highest;
    };

    [[nodiscard]] static float first_lane(Float4 v) noexcept {
        float lanes[4];
        v.store_unaligned(lanes);
        return lanes[0];
    }
    [[nodiscard]] Float4 carried(const glm::vec3& p) const noexcept {
        return ((origin_ + Float4::all(p.x) * axis_[0]) + Float4::all(p.y) * axis_[1]) +
               Float4::all(p.z) * axis_[2];
    }

    /// More levels than this always hold more than kMaxTriangles.
    const Slot& find(std::uint32_t index, std::uint32_t depth) noexcept {
        Slot& slot = slots_[index % kSlots];
        if (slot.node == index && (slot.epoch == epoch_ || slot.count > kMaxTriangles)) return slot;
        const MeshBvhNode& node = tree_.nodes()[index];
        Slot now{{}, index, epoch_, kMaxTriangles + 1};
        if (node.is_leaf()) {
            now.count = node.count;
            now.box = of_triangle(node.first);
            for (std::uint32_t i = node.first + 1; i < node.first + node.count; ++i)
                include(now.box, of_triangle(i));
        } else if (depth < kMaxTriangles) {
            now.count = 0;
            const Slot& first = find(node.first, depth + 1);
            now.count = first.count;
            now.box = first.box;
            if (now.count <= kMaxTriangles) {
                const Slot& second = find(node.first + 1, depth + 1);
                now.count += second.count;
                include(now.box, second.box);
            }
        }
        slot = now;
        return slot;
    }
    static void include(FrameBox& box, const FrameBox& other) noexcept {
        box = {simd::min(box.low, other.low), simd::max(box.high, other.high)};
    }

    [[nodiscard]] static float along(const glm::vec3& direction, const glm::vec3& p) noexcept {
        return direction.x * p.x + direction.y * p.y + direction.z * p.z;
    }
    /// The maximum of dot(direction, x) over all triangles, or infinity if it exceeds `limit`. Visits the
    /// child with the larger maximum over its box first.
    [[nodiscard]] float support(const glm::vec3& direction, float limit) const {
        const Float4 lanes = Float4::of(direction.x, direction.y, direction.z, 0.0f);
        const auto bounded = [&](std::uint32_t index) {
            const MeshBvhNode& node = tree_.nodes()[index];
            const Float4 low = simd::xyz0(Float4::load_unaligned(&node.min.x)) * lanes;
            const Float4 high = simd::xyz0(Float4::load_unaligned(&node.max.x)) * lanes;
            float x[4];
            simd::max(low, high).store_unaligned(x);
            return Bounded{index, x[0] + x[1] + x[2]};
        };
        float highest = -kInfinity;
        detail::GrowStack<Bounded, 64> stack;
        stack.push(bounded(0));
        while (!stack.empty()) {
            const Bounded now = stack.pop();
            if (!(now.highest > highest)) continue;
            const MeshBvhNode& node = tree_.nodes()[now.node];
            if (!node.is_leaf()) {
                Bounded first = bounded(node.first), second = bounded(node.first + 1);
                if (second.highest < first.highest) std::swap(first, second);
                stack.push(first);
                stack.push(second);
                continue;
            }
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const Triangle t = tree_.triangle(i);
                highest =
                    std::max({highest, along(direction, t.a), along(direction, t.b), along(direction, t.c)});
            }
            if (highest > limit) return kInfinity;
        }
        return highest;
    }

    const MeshBvh& tree_;
    Float4 axis_[3]{}, abs_axis_[3]{};
    Float4 origin_{};
    FrameBox end_{};  ///< Contains the tree.
    std::uint32_t epoch_ = 0;
    Slot slots_[kSlots];
};

class Search {
  public:
    Search(const MeshBvh& a, const MeshBvh& b, const Pose& b_in_a, double limit2) noexcept
        : a_(a), b_(b), b_in_a_(b_in_a), scale2_(detail::scale2_of(b_in_a)), view_a_(a), view_b_(b) {
        best_.distance2 = limit2;
        const float scale = largest(a.bounds()) +
                            static_cast<float>(std::sqrt(scale2_)) * largest(b.bounds()) +
                            largest(Aabb{b_in_a[3], b_in_a[3]});
        // An upper bound of the rounding errors of a comparison.
        slack_ = 2e-6f * scale;
        slack2_ = static_cast<double>(slack_) * static_cast<double>(slack_);
        in_range_ = scale > kMinScale && scale < kMaxScale;
        // Before there is a direction: the frame of A.
        view_a_.set_frame(glm::mat3(1.0f), glm::vec3(0.0f));
        view_b_.set_frame(glm::mat3(b_in_a), b_in_a[3]);
    }

    /// Sets an upper bound by alternating projections: from a point to the nearest on the other surface and
    /// back, until the gain is small.
    void approach() {
        if (!in_range_) return;
        glm::vec3 on_a = a_.bounds().center(), on_b(0.0f);
        float distance = kInfinity;
        for (int round = 0; round < kApproachRounds; ++round) {
            const auto b = b_.closest_point(into_b(on_a), kInfinity).nearest;
            if (!b) return;
            on_b = apply(b_in_a_, b->point);
            const auto a = a_.closest_point(on_b, kInfinity).nearest;
            if (!a) return;
            on_a = a->point;
            const float now = glm::length(on_b - on_a);
            const bool done = !(now < 0.999f * distance);
            distance = std::min(distance, now);
            if (done) break;
        }
        const double bound = static_cast<double>(distance) + 2.0 * static_cast<double>(slack_);
        if (!(bound * bound < best_.distance2)) return;
        best_.distance2 = bound * bound;
        face(glm::dvec3(on_a), glm::dvec3(on_b));
    }

    void run(CollideStats& stats) {
        detail::GrowStack<Waiting, 256> stack;
        stack.push({0, 0, 0.0f});
        while (!stack.empty()) {
            const Waiting now = stack.pop();
            if (is_beyond(now.distance2)) continue;
            if (found_ && best_.distance2 == 0.0) return;
            const MeshBvhNode& node_a = a_.nodes()[now.a];
            const MeshBvhNode& node_b = b_.nodes()[now.b];
            if (node_a.is_leaf() && node_b.is_leaf()) {
                test_leaves(node_a, node_b, stats);
                continue;
            }
            if (turned_) face(best_.on_a, best_.on_b);
            open(node_a, node_b, now, stack, stats);
        }
    }

    [[nodiscard]] bool found() const noexcept { return found_; }
    [[nodiscard]] const detail::NearestPoints& best() const noexcept { return best_; }
    [[nodiscard]] TrianglePair triangles() const noexcept { return triangles_; }

  private:
    static float largest(const Aabb& box) noexcept {
        float result = 0.0f;
        for (int k = 0; k < 3; ++k)
            result = std::max({result, std::abs(box.min[k]), std::abs(box.max[k])});
        return result;
    }
    /// True if a pair at that distance cannot improve the result by a worthwhile part. Rounding may make the
    /// distance too large, but by less than the slack: touching pairs are never skipped.
    [[nodiscard]] bool is_beyond(float distance2) const noexcept {
        const double d2 = static_cast<double>(distance2);
        return d2 > slack2_ && (found_ ? d2 >= kWorthwhile * best_.distance2 : d2 > best_.distance2);
    }

    [[nodiscard]] glm::vec3 into_b(const glm::vec3& p) const noexcept {
        const glm::vec3 q = p - b_in_a_[3];
        const auto along = [&](int axis) {
            return static_cast<float>(static_cast<double>(glm::dot(b_in_a_[axis], q)) / scale2_);
        };
        return {along(0), along(1), along(2)};
    }
    /// Turns the frame toward the direction from one point to the other, unless it is nearly the frame's.
    void face(const glm::dvec3& on_a, const glm::dvec3& on_b) {
        turned_ = false;
        const double length = glm::length(on_b - on_a);
        if (!(length > 0.0)) return;
        const glm::dvec3 d = (on_b - on_a) / length;
        const glm::vec3 direction(d);
        if (glm::dot(direction, direction_) > 0.999f) return;
        direction_ = direction;
        const glm::dvec3 u = detail::any_perpendicular(d), v = glm::cross(d, u);
        const glm::mat3 turn(glm::transpose(glm::dmat3(d, u, v)));
        view_a_.set_frame(turn, glm::vec3(0.0f));
        view_b_.set_frame(turn * glm::mat3(b_in_a_), turn * b_in_a_[3]);
        if (found_) return;
        // Only once, for the direction in which the whole meshes face each other.
        view_a_.bound_end(1.0f, glm::vec3(on_a), static_cast<float>(length));
        view_b_.bound_end(-1.0f, into_b(glm::vec3(on_b)), static_cast<float>(length));
    }

    /// Replaces a pair by the pairs of both nodes' children; a leaf is paired with the other node's children.
    template <class Stack>
    void open(const MeshBvhNode& node_a, const MeshBvhNode& node_b, const Waiting& now, Stack& stack,
              CollideStats& stats) {
        const std::uint32_t count_a = node_a.is_leaf() ? 1 : 2, count_b = node_b.is_leaf() ? 1 : 2;
        const std::uint32_t first_a = node_a.is_leaf() ? now.a : node_a.first;
        const std::uint32_t first_b = node_b.is_leaf() ? now.b : node_b.first;
        FrameBox boxes_b[2];
        for (std::uint32_t j = 0; j < count_b; ++j)
            boxes_b[j] = view_b_.loose(first_b + j);
        Waiting pairs[4];
        int count = 0;
        for (std::uint32_t i = 0; i < count_a; ++i) {
            const FrameBox box_a = view_a_.loose(first_a + i);
            for (std::uint32_t j = 0; j < count_b; ++j) {
                ++stats.box_pairs;
                float distance2 = 0.0f;
                if (in_range_) {
                    distance2 = distance2_of(box_a, boxes_b[j]);
                    if (is_beyond(distance2)) continue;
                    const FrameBox* const tight_a = view_a_.tight(first_a + i);
                    const FrameBox* const tight_b = view_b_.tight(first_b + j);
                    if (tight_a != nullptr || tight_b != nullptr) {
                        distance2 = distance2_of(tight_a ? *tight_a : box_a, tight_b ? *tight_b : boxes_b[j]);
                        if (is_beyond(distance2)) continue;
                    }
                }
                // The farthest first: it is popped last.
                int at = count++;
                for (; at > 0 && pairs[at - 1].distance2 < distance2; --at)
                    pairs[at] = pairs[at - 1];
                pairs[at] = {first_a + i, first_b + j, distance2};
            }
        }
        for (int i = 0; i < count; ++i)
            stack.push(pairs[i]);
    }

    void test_leaves(const MeshBvhNode& node_a, const MeshBvhNode& node_b, CollideStats& stats) noexcept {
        constexpr std::uint32_t kBlock = 16;
        FrameBox boxes_a[kBlock];
        for (std::uint32_t begin = 0; begin < node_a.count; begin += kBlock) {
            const std::uint32_t first_a = node_a.first + begin;
            const std::uint32_t count_a = std::min(node_a.count - begin, kBlock);
            for (std::uint32_t i = 0; i < count_a; ++i)
                boxes_a[i] = view_a_.of_triangle(first_a + i);
            for (std::uint32_t j = node_b.first; j < node_b.first + node_b.count; ++j) {
                const FrameBox box_b = view_b_.of_triangle(j);
                const Triangle triangle_b = apply(b_in_a_, b_.triangle(j));
                for (std::uint32_t i = 0; i < count_a; ++i)
                    if (!in_range_ || !is_beyond(distance2_of(boxes_a[i], box_b)))
                        test_triangles(first_a + i, j, triangle_b, stats);
            }
        }
    }

    void test_triangles(std::uint32_t i, std::uint32_t j, const Triangle& triangle_b,
                        CollideStats& stats) noexcept {
        ++stats.triangle_pairs;
        const detail::NearestPoints now = detail::nearest_points(a_.triangle(i), triangle_b, slack_);
        if (now.distance2 > best_.distance2 || (found_ && now.distance2 == best_.distance2)) return;
        best_ = now;
        found_ = turned_ = true;
        triangles_ = {a_.references()[i], b_.references()[j]};
    }

    const MeshBvh& a_;
    const MeshBvh& b_;
    Pose b_in_a_;
    double scale2_;  ///< Of that pose.
    float slack_ = 0;
    double slack2_ = 0;
    bool in_range_ = false;
    detail::NearestPoints best_{};
    glm::vec3 direction_{0.0f};  ///< The frame's first axis, from A to B; 0 before there is one.
    View view_a_, view_b_;
    TrianglePair triangles_;
    bool found_ = false;
    bool turned_ = false;  ///< The direction of the best pair is not yet compared with the frame's.
};

}  // namespace

MeshDistanceResult mesh_distance(const MeshBvh& a, const Pose& pose_a, const MeshBvh& b, const Pose& pose_b,
                                 float max_distance) {
    MeshDistanceResult result;
    const Pose b_in_a = relative_pose(pose_a, pose_b);
    if (a.empty() || b.empty() || !detail::has_finite_entries(b_in_a) || !(max_distance >= 0.0f) ||
        detail::scale2_of(b_in_a) == 0.0)
        return result;
    // The search is in A's frame.
    const double scale = std::sqrt(detail::scale2_of(pose_a)),
                 limit = static_cast<double>(max_distance) / scale;
    Search search(a, b, b_in_a, limit * limit);
    search.approach();
    search.run(result.stats);
    if (!search.found()) return result;
    result.stats.hits = 1;
    result.nearest = MeshDistance{static_cast<float>(scale * std::sqrt(search.best().distance2)),
                                  apply(pose_a, glm::vec3(search.best().on_a)),
                                  apply(pose_a, glm::vec3(search.best().on_b)), search.triangles()};
    return result;
}

}  // namespace bv
