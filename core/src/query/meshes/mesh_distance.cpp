// The distance between two meshes, by branch and bound over pairs of nodes. Alternating projections between
// the surfaces first give a nearly tight upper bound, and the direction in which they face each other. A pair
// of nodes is then skipped if their boxes are farther apart than the bound, or if both are small and a plane
// across that direction separates their triangles by more.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bv/query/collide.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "query/meshes/triangle_distance.hpp"
#include "simd/float4.hpp"
#include "tree/grow_stack.hpp"

namespace bv {
namespace {

using simd::Float4;

/// Beyond this, squares of lengths exceed the range of floats, and only triangles are compared.
constexpr float kMaxScale = 1e17f;
constexpr int kApproachRounds = 6;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A node's box in the frame of A; B's is enlarged to stay axis-aligned. The fourth lanes are 0.
struct BoxInA {
    Float4 center, half;
};

struct Waiting {
    std::uint32_t a, b;
    float distance2;  ///< Lower bound.
};

/// The support of small nodes in one direction, by their triangles, each computed once. For surfaces that
/// face each other it bounds the distance with an error in the square of the node's size, where boxes have
/// one in the size itself.
class Supports {
  public:
    explicit Supports(const MeshBvh& tree) noexcept : tree_(tree) {}

    /// Drops all supports.
    void set_direction(const glm::vec3& direction) noexcept {
        direction_ = direction;
        ++epoch_;
    }
    /// The maximum of dot(direction, x) over the triangles below a node; infinity for more than
    /// kMaxTriangles.
    [[nodiscard]] float operator[](std::uint32_t node) noexcept {
        std::uint32_t count = 0;
        return find(node, 0, count);
    }

  private:
    static constexpr std::uint32_t kSlots = 2048, kMaxTriangles = 64;
    struct Slot {
        std::uint32_t node = 0xffffffffu, epoch = 0, count = 0;
        float support = 0;
    };

    /// Adds the node's triangles to `count`. More levels than this always hold more than kMaxTriangles.
    float find(std::uint32_t index, std::uint32_t depth, std::uint32_t& count) noexcept {
        Slot& slot = slots_[index % kSlots];
        if (slot.node == index && (slot.epoch == epoch_ || slot.count > kMaxTriangles)) {
            count += slot.count;
            return slot.support;
        }
        const MeshBvhNode& node = tree_.nodes()[index];
        Slot now{index, epoch_, 0, -kInfinity};
        if (node.is_leaf()) {
            now.count = node.count;
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const Triangle t = tree_.triangle(i);
                now.support = std::max({now.support, along(t.a), along(t.b), along(t.c)});
            }
        } else if (depth < kMaxTriangles) {
            now.support = find(node.first, depth + 1, now.count);
            if (now.count <= kMaxTriangles)
                now.support = std::max(now.support, find(node.first + 1, depth + 1, now.count));
        } else {
            now.count = kMaxTriangles + 1;
        }
        if (now.count > kMaxTriangles) now.support = kInfinity;
        slot = now;
        count += now.count;
        return now.support;
    }
    [[nodiscard]] float along(const glm::vec3& p) const noexcept {
        return direction_.x * p.x + direction_.y * p.y + direction_.z * p.z;
    }

    const MeshBvh& tree_;
    glm::vec3 direction_{0.0f};
    std::uint32_t epoch_ = 0;
    Slot slots_[kSlots];
};

class Search {
  public:
    Search(const MeshBvh& a, const MeshBvh& b, const Pose& b_in_a, double limit2) noexcept
        : a_(a), b_(b), b_in_a_(b_in_a), supports_a_(a), supports_b_(b) {
        best_.distance2 = limit2;
        const float scale = largest(a.bounds()) + largest(b.bounds()) + largest(Aabb{b_in_a[3], b_in_a[3]});
        // An upper bound of the rounding errors of a comparison.
        slack_ = 2e-6f * scale;
        slack2_ = static_cast<double>(slack_) * static_cast<double>(slack_);
        in_range_ = scale < kMaxScale;
        for (int i = 0; i < 4; ++i) {
            const glm::vec3 column = b_in_a[i];
            axis_[i] = Float4::of(column.x, column.y, column.z, 0.0f);
            abs_axis_[i] = Float4::of(std::abs(column.x), std::abs(column.y), std::abs(column.z), 0.0f);
        }
    }

    /// Sets an upper bound by alternating projections: from a point to the nearest on the other surface and
    /// back, until the gain is small.
    void approach() noexcept {
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
        best_distance_ = static_cast<float>(bound);
        update_direction(glm::dvec3(on_b) - glm::dvec3(on_a));
    }

    void run(CollideStats& stats) {
        detail::GrowStack<Waiting, 256> stack;
        stack.push({0, 0, 0.0f});
        while (!stack.empty()) {
            const Waiting now = stack.pop();
            if (is_beyond(now.distance2) || is_separated(now.a, now.b)) continue;
            if (found_ && best_.distance2 == 0.0) return;
            const MeshBvhNode& node_a = a_.nodes()[now.a];
            const MeshBvhNode& node_b = b_.nodes()[now.b];
            if (node_a.is_leaf() && node_b.is_leaf()) {
                test_leaves(node_a, node_b, stats);
                continue;
            }
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
    /// True if a pair at that distance cannot improve the result. Rounding may make the distance too large,
    /// but by less than the slack: touching pairs are never skipped.
    [[nodiscard]] bool is_beyond(float distance2) const noexcept {
        const double d2 = static_cast<double>(distance2);
        return d2 > slack2_ && (found_ ? d2 >= best_.distance2 : d2 > best_.distance2);
    }

    /// True if both nodes are small, and a plane across the direction shows that all triangles below them are
    /// farther apart than the bound.
    [[nodiscard]] bool is_separated(std::uint32_t node_a, std::uint32_t node_b) noexcept {
        if (!in_range_ || direction_ == glm::vec3(0.0f)) return false;
        const float end_of_a = supports_a_[node_a];
        if (end_of_a == kInfinity) return false;
        return shift_ - supports_b_[node_b] - end_of_a > std::max(best_distance_, slack_);
    }

    [[nodiscard]] glm::vec3 into_b(const glm::vec3& p) const noexcept {
        const glm::vec3 q = p - b_in_a_[3];
        return {glm::dot(b_in_a_[0], q), glm::dot(b_in_a_[1], q), glm::dot(b_in_a_[2], q)};
    }
    /// Updates the direction for is_separated, unless it is nearly unchanged.
    void update_direction(const glm::dvec3& delta) noexcept {
        const double length = glm::length(delta);
        if (!(length > 0.0)) return;
        const glm::vec3 direction(delta / length);
        if (glm::dot(direction, direction_) > 0.9999f) return;
        direction_ = direction;
        shift_ = glm::dot(b_in_a_[3], direction);
        supports_a_.set_direction(direction);
        supports_b_.set_direction({-glm::dot(b_in_a_[0], direction), -glm::dot(b_in_a_[1], direction),
                                   -glm::dot(b_in_a_[2], direction)});
    }

    static BoxInA box_of(const MeshBvhNode& node) noexcept {
        const Float4 half = Float4::all(0.5f);
        const Float4 min = simd::xyz0(Float4::load_unaligned(&node.min.x));
        const Float4 max = simd::xyz0(Float4::load_unaligned(&node.max.x));
        // Halved first: the sum of two large coordinates may overflow.
        const Float4 low = min * half, high = max * half;
        return {low + high, high - low};
    }
    [[nodiscard]] BoxInA carried(const MeshBvhNode& node) const noexcept {
        const BoxInA box = box_of(node);
        float c[4], h[4];
        box.center.store_unaligned(c);
        box.half.store_unaligned(h);
        BoxInA out{axis_[3], Float4::all(0.0f)};
        for (int k = 0; k < 3; ++k) {
            out.center = out.center + Float4::all(c[k]) * axis_[k];
            out.half = out.half + Float4::all(h[k]) * abs_axis_[k];
        }
        return out;
    }
    /// The squared distance of two boxes.
    [[nodiscard]] static float distance2_of(const BoxInA& a, const BoxInA& b) noexcept {
        const Float4 zero = Float4::all(0.0f);
        const Float4 delta = a.center - b.center;
        const Float4 gap = simd::max(simd::max(delta, zero - delta) - (a.half + b.half), zero);
        float g[4];
        (gap * gap).store_unaligned(g);
        return g[0] + g[1] + g[2];
    }

    /// Replaces a pair by the pairs of both nodes' children; a leaf is paired with the other node's children.
    template <class Stack>
    void open(const MeshBvhNode& node_a, const MeshBvhNode& node_b, const Waiting& now, Stack& stack,
              CollideStats& stats) {
        const std::uint32_t count_a = node_a.is_leaf() ? 1 : 2, count_b = node_b.is_leaf() ? 1 : 2;
        const std::uint32_t first_a = node_a.is_leaf() ? now.a : node_a.first;
        const std::uint32_t first_b = node_b.is_leaf() ? now.b : node_b.first;
        BoxInA boxes_b[2];
        for (std::uint32_t j = 0; j < count_b; ++j)
            boxes_b[j] = carried(b_.nodes()[first_b + j]);
        Waiting pairs[4];
        int count = 0;
        for (std::uint32_t i = 0; i < count_a; ++i) {
            const BoxInA box_a = box_of(a_.nodes()[first_a + i]);
            for (std::uint32_t j = 0; j < count_b; ++j) {
                ++stats.box_pairs;
                const float distance2 = in_range_ ? distance2_of(box_a, boxes_b[j]) : 0.0f;
                if (is_beyond(distance2) || is_separated(first_a + i, first_b + j)) continue;
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
        for (std::uint32_t j = node_b.first; j < node_b.first + node_b.count; ++j) {
            const Triangle triangle_b = apply(b_in_a_, b_.triangle(j));
            for (std::uint32_t i = node_a.first; i < node_a.first + node_a.count; ++i) {
                const Triangle triangle_a = a_.triangle(i);
                if (in_range_ && is_separated(triangle_a, triangle_b)) continue;
                ++stats.triangle_pairs;
                const detail::NearestPoints now = detail::nearest_points(triangle_a, triangle_b, slack_);
                if (now.distance2 > best_.distance2 || (found_ && now.distance2 == best_.distance2)) continue;
                best_ = now;
                found_ = true;
                triangles_ = {a_.references()[i], b_.references()[j]};
                const glm::dvec3 delta = best_.on_b - best_.on_a;
                best_distance_ = static_cast<float>(std::sqrt(best_.distance2));
                update_direction(delta);
            }
        }
    }

    /// The same for two triangles.
    [[nodiscard]] bool is_separated(const Triangle& triangle_a, const Triangle& triangle_b) const noexcept {
        if (direction_ == glm::vec3(0.0f)) return false;
        const auto along = [this](const glm::vec3& p) {
            return direction_.x * p.x + direction_.y * p.y + direction_.z * p.z;
        };
        const float reach = std::max({along(triangle_a.a), along(triangle_a.b), along(triangle_a.c)});
        const float start = std::min({along(triangle_b.a), along(triangle_b.b), along(triangle_b.c)});
        return start - reach > std::max(best_distance_, slack_);
    }

    const MeshBvh& a_;
    const MeshBvh& b_;
    Pose b_in_a_;
    Float4 axis_[4]{}, abs_axis_[4]{};
    float slack_ = 0;
    double slack2_ = 0;
    bool in_range_ = false;
    detail::NearestPoints best_{};
    float best_distance_ = 0;    ///< Its root, rounded, once there is a direction.
    glm::vec3 direction_{0.0f};  ///< From A to B, of unit length; 0 before there is one.
    float shift_ = 0;            ///< Of B's origin along it.
    Supports supports_a_, supports_b_;
    TrianglePair triangles_;
    bool found_ = false;
};

}  // namespace

MeshDistanceResult mesh_distance(const MeshBvh& a, const Pose& pose_a, const MeshBvh& b, const Pose& pose_b,
                                 float max_distance) {
    MeshDistanceResult result;
    const Pose b_in_a = relative_pose(pose_a, pose_b);
    float sum = 0.0f;
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
            sum += b_in_a[c][r] * 0.0f;
    if (a.empty() || b.empty() || sum != 0.0f || !(max_distance >= 0.0f)) return result;
    Search search(a, b, b_in_a, static_cast<double>(max_distance) * max_distance);
    search.approach();
    search.run(result.stats);
    if (!search.found()) return result;
    result.stats.hits = 1;
    result.nearest = MeshDistance{static_cast<float>(std::sqrt(search.best().distance2)),
                                  apply(pose_a, glm::vec3(search.best().on_a)),
                                  apply(pose_a, glm::vec3(search.best().on_b)), search.triangles()};
    return result;
}

}  // namespace bv
