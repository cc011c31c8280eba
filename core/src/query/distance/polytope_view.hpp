// Boxes and hulls as vertices, faces and edges, without copying a hull.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "bv/shapes/hull.hpp"
#include "query/precise.hpp"

namespace bv::detail {

class PolytopeView {
  public:
    explicit PolytopeView(const Hull& hull) noexcept : hull_(&hull) {}
    explicit PolytopeView(const Obb& box) noexcept {
        for (int k = 0; k < 3; ++k)
            axes_[k] = wide(box.axes[k]);
        set_corners(wide(box.center), wide(box.half_extents));
    }
    PolytopeView(const DVec3& center, const DVec3& half, const DVec3 (&axes)[3]) noexcept {
        for (int k = 0; k < 3; ++k)
            axes_[k] = axes[k];
        set_corners(center, half);
    }
    explicit PolytopeView(const Aabb& box) noexcept {
        for (int k = 0; k < 3; ++k)
            axes_[k][k] = 1.0;
        set_corners(center_of(box), half_of(box));
    }

    /// Hulls: their triangles. Boxes: 2 * axis + (1 for the positive side).
    [[nodiscard]] int face_count() const noexcept {
        return hull_ != nullptr ? static_cast<int>(hull_->triangles.size()) : 6;
    }
    /// Outward unit normal and a point of face f. False for a triangle too thin to have a normal.
    bool face(int f, DVec3& normal, DVec3& point) const noexcept {
        if (hull_ == nullptr) {
            normal = f % 2 == 1 ? axes_[f / 2] : -axes_[f / 2];
            point = corners_[static_cast<std::size_t>(f % 2 == 1 ? 7 : 0)];
            return true;
        }
        const glm::uvec3 t = hull_->triangles[static_cast<std::size_t>(f)];
        point = wide(hull_->vertices[t.x]);
        const DVec3 n = glm::cross(wide(hull_->vertices[t.y]) - point, wide(hull_->vertices[t.z]) - point);
        const double length = glm::length(n);
        if (!(length > 0.0)) return false;
        normal = n / length;
        return true;
    }

    [[nodiscard]] int edge_count() const noexcept {
        return hull_ != nullptr ? static_cast<int>(hull_->edges.size()) : 12;
    }
    [[nodiscard]] std::array<std::uint32_t, 2> edge(int e) const noexcept {
        if (hull_ != nullptr) {
            const glm::uvec2 ends = hull_->edges[static_cast<std::size_t>(e)];
            return {ends.x, ends.y};
        }
        // Edge 4 k + m runs along axis k from the corner whose other two bits are those of m.
        const auto k = static_cast<std::uint32_t>(e / 4);
        const auto m = static_cast<std::uint32_t>(e % 4);
        const std::uint32_t from = ((m & 1u) << ((k + 1) % 3)) | ((m >> 1) << ((k + 2) % 3));
        return {from, from | (1u << k)};
    }
    [[nodiscard]] DVec3 vertex(std::uint32_t v) const noexcept {
        return hull_ != nullptr ? wide(hull_->vertices[v]) : corners_[v];
    }

    /// True if no part of the polytope lies beyond this edge along `n`, which is perpendicular to it. By
    /// convexity it suffices to test the neighbors of its ends.
    [[nodiscard]] bool is_outermost(const std::array<std::uint32_t, 2>& ends, const DVec3& n) const noexcept {
        for (const std::uint32_t v : ends) {
            const DVec3 p = vertex(v);
            if (hull_ == nullptr) {
                for (std::uint32_t k = 0; k < 3; ++k)
                    if (beyond(corners_[v ^ (1u << k)] - p, n)) return false;
            } else if (!hull_->neighbor_begin.empty()) {
                for (std::uint32_t k = hull_->neighbor_begin[v]; k < hull_->neighbor_begin[v + 1]; ++k)
                    if (beyond(wide(hull_->vertices[hull_->neighbors[k]]) - p, n)) return false;
            }
        }
        return true;
    }

    /// An approximate upper bound of the differences of coordinates.
    [[nodiscard]] double size() const noexcept {
        double largest = 0.0;
        const std::uint32_t count =
            hull_ != nullptr ? static_cast<std::uint32_t>(hull_->vertices.size()) : 8u;
        const DVec3 first = count > 0 ? vertex(0) : DVec3(0.0);
        for (std::uint32_t v = 1; v < count; ++v)
            largest = std::max(largest, glm::length(vertex(v) - first));
        return largest;
    }

  private:
    static bool beyond(const DVec3& offset, const DVec3& n) noexcept {
        return glm::dot(offset, n) > 1e-12 * glm::length(offset);
    }
    void set_corners(const DVec3& center, const DVec3& half) noexcept {
        for (std::size_t i = 0; i < 8; ++i) {
            corners_[i] = center;
            for (int k = 0; k < 3; ++k)
                corners_[i] += ((i >> k) & 1u ? half[k] : -half[k]) * axes_[k];
        }
    }

    const Hull* hull_ = nullptr;
    DVec3 axes_[3] = {};
    std::array<DVec3, 8> corners_{};
};

}  // namespace bv::detail
