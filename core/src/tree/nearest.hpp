// Shared by the distance searches of both dynamic trees. Squares of distances are compared in double,
// where no square of a float leaves the range.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <span>

#include "bv/shapes/ray.hpp"
#include "bv/tree/dynamic_tree_types.hpp"

namespace bv::detail {

/// A node and the square of its distance from the query's point.
struct Near {
    double distance_sq;
    std::uint32_t node;
};

/// Monotonic in the box: rounding preserves order, so a box is never farther than its contents.
inline double distance_sq(const glm::vec3& p, const Aabb& box) noexcept {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double at = p[k];
        const double d = std::max({double{box.min[k]} - at, at - double{box.max[k]}, 0.0});
        sum += d * d;
    }
    return sum;
}

/// The largest number that rounds to `limit` or less.
inline double rounded_to(float limit) noexcept {
    constexpr float kMaxFloat = std::numeric_limits<float>::max();
    if (!(limit <= kMaxFloat)) return limit;
    // The next float would be 2^128 if floats went on.
    const double next =
        limit < kMaxFloat ? std::nextafter(limit, std::numeric_limits<float>::infinity()) : 0x1p128;
    const double middle = 0.5 * (double{limit} + next);
    return static_cast<float>(middle) <= limit ? middle : std::nextafter(middle, -1.0);
}

/// The nearest proxies so far, in the caller's memory: sorted by distance, ties by id. `tight_box(index)` is
/// the box of a proxy.
template <class TightBox>
class NearestList {
  public:
    NearestList(const glm::vec3& point, std::span<Neighbor> out, TightBox tight_box)
        : point_(point), out_(out), tight_box_(tight_box) {}

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    /// Returns the square of the distance beyond which no proxy is wanted any more.
    double add(ProxyId id, double distance_sq) {
        const auto nearer = [&](std::size_t i) {
            const double other = square(i);
            return distance_sq < other || (distance_sq == other && id < out_[i].id);
        };
        // Kept sorted: the list is short, and a farther candidate usually fails its first comparison.
        if (count_ < out_.size())
            ++count_;
        else if (!nearer(count_ - 1))
            return square(count_ - 1);
        std::size_t at = count_ - 1;
        for (; at > 0 && nearer(at - 1); --at)
            out_[at] = out_[at - 1];
        out_[at] = {id, static_cast<float>(distance_sq)};
        return count_ < out_.size() ? std::numeric_limits<double>::infinity() : square(count_ - 1);
    }

  private:
    /// Before it is rounded: beyond the range of floats all would be equal.
    [[nodiscard]] double square(std::size_t i) const {
        return detail::distance_sq(point_, tight_box_(out_[i].id.index));
    }

    glm::vec3 point_;
    std::span<Neighbor> out_;
    TightBox tight_box_;
    std::size_t count_ = 0;
};

/// The first proxy on a ray, by a tree's `raycast`: least t, then least id.
template <class Tree>
std::optional<ProxyRayHit> first_on_ray(const Tree& tree, const Ray& ray) {
    std::optional<ProxyRayHit> first;
    tree.raycast(ray, [&](ProxyId id, std::uint64_t data, float t) {
        if (!first || t < first->t || (t == first->t && id < first->id)) first = {id, data, t};
        // One float farther: boxes are decided in double, and those whose t rounds to the same float tie.
        return std::nextafter(first->t, std::numeric_limits<float>::infinity());
    });
    return first;
}

}  // namespace bv::detail
