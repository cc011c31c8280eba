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

/// The nearest proxies so far, in the caller's memory: by distance, ties by id. `tight_box(index)` is the box
/// of a proxy. A short list is kept sorted, a long one is a heap with the farthest on top until `finish`.
template <class TightBox>
class NearestList {
  public:
    NearestList(const glm::vec3& point, std::span<Neighbor> out, TightBox tight_box)
        : point_(point), out_(out), tight_box_(tight_box) {}

    /// Returns the square of the distance beyond which no proxy is wanted any more.
    double add(ProxyId id, double distance_sq) {
        const Neighbor added{id, static_cast<float>(distance_sq)};
        const bool is_full = count_ == out_.size();
        if (is_full && !is_nearer(added, distance_sq, farthest())) return limit_;
        if (!is_full) ++count_;
        if (is_short())
            insert(added, distance_sq);
        else
            push(added, is_full);
        if (count_ == out_.size()) limit_ = square(farthest());
        return limit_;
    }
    /// Sorts the proxies, nearest first, and returns their number.
    std::size_t finish() {
        if (!is_short()) std::sort_heap(out_.begin(), end(), Nearer{*this});
        return count_;
    }

  private:
    /// Up to this size, insertion is faster than a heap.
    static constexpr std::size_t kShort = 32;

    /// The order of the list.
    struct Nearer {
        const NearestList& list;
        bool operator()(const Neighbor& a, const Neighbor& b) const {
            if (a.distance_sq != b.distance_sq) return a.distance_sq < b.distance_sq;
            return list.is_nearer(a, list.square(a), b);
        }
    };

    [[nodiscard]] bool is_short() const { return out_.size() <= kShort; }
    [[nodiscard]] const Neighbor& farthest() const { return out_[is_short() ? count_ - 1 : 0]; }
    [[nodiscard]] auto end() const { return out_.begin() + static_cast<std::ptrdiff_t>(count_); }
    /// The square before rounding: beyond the range of floats, all rounded ones are equal.
    [[nodiscard]] double square(const Neighbor& n) const {
        return detail::distance_sq(point_, tight_box_(n.id.index));
    }
    /// Rounding preserves order, so only equal floats need the squares before rounding.
    [[nodiscard]] bool is_nearer(const Neighbor& a, double square_a, const Neighbor& b) const {
        if (a.distance_sq != b.distance_sq) return a.distance_sq < b.distance_sq;
        const double square_b = square(b);
        return square_a < square_b || (square_a == square_b && a.id < b.id);
    }
    /// Inserts into the sorted list. Its last place is free, or its last entry drops out.
    void insert(const Neighbor& added, double square_added) {
        std::size_t at = count_ - 1;
        for (; at > 0 && is_nearer(added, square_added, out_[at - 1]); --at)
            out_[at] = out_[at - 1];
        out_[at] = added;
    }
    /// Pushes onto the heap, in place of the farthest if the heap is full.
    void push(const Neighbor& added, bool is_full) {
        if (is_full) std::pop_heap(out_.begin(), end(), Nearer{*this});
        out_[count_ - 1] = added;
        std::push_heap(out_.begin(), end(), Nearer{*this});
    }

    glm::vec3 point_;
    std::span<Neighbor> out_;
    TightBox tight_box_;
    std::size_t count_ = 0;
    double limit_ = std::numeric_limits<double>::infinity();
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
