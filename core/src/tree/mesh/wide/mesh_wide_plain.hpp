// The kernel of wide trees in plain C++: for machines without AVX2, and for traces.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#define BV_WIDE_TARGET
#include "simd/bits.hpp"
#include "tree/mesh/wide/mesh_wide_walk.hpp"

namespace bv::detail {

/// The twin of the AVX2 kernel: the same operations in the same order. With a PreciseMeshRay, the only kernel
/// in double precision.
template <RayMode kMode, class AnyRay = MeshRay>
struct PlainKernel {
    const AnyRay& ray;

    explicit PlainKernel(const AnyRay& r) noexcept : ray(r) {}

    /// a b + c, rounded once, as fused hardware does. In double precision the product is exact; rounding
    /// again goes wrong only where the sum falls halfway between two floats.
    [[nodiscard]] static float fused(float a, float b, float c) noexcept {
        const double sum = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
        constexpr std::uint64_t kBelowFloat = (std::uint64_t{1} << 29) - 1;
        const bool middle = (bit_cast<std::uint64_t>(sum) & kBelowFloat) == (kBelowFloat + 1) / 2;
        if (middle || !(std::abs(sum) >= static_cast<double>(std::numeric_limits<float>::min())))
            return std::fma(a, b, c);
        return static_cast<float>(sum);
    }
    /// The distance along the ray to a plane that is moved by `slack`.
    [[nodiscard]] float distance(const Bvh8Node& node, int k, std::uint8_t step, float slack) const noexcept {
        const auto count = static_cast<float>(step);
        if (!ray.has_flat)
            return fused(count, node.step[k] * ray.inverse[k],
                         (node.origin[k] - ray.origin[k]) * ray.inverse[k] + slack * ray.inverse[k]);
        const float plane = node.origin[k] + count * node.step[k];
        return (plane - ray.origin[k] + slack) * ray.inverse[k];
    }
    [[nodiscard]] std::uint32_t test_node(const Bvh8Node& node, float limit, float* t) const noexcept {
        if constexpr (std::is_same_v<AnyRay, MeshRay>)
            return test_node_in_single(node, limit, t);
        else
            return test_node_in_double(node, limit, t);
    }
    [[nodiscard]] std::uint32_t test_node_in_single(const Bvh8Node& node, float limit,
                                                    float* t) const noexcept {
        std::uint32_t mask = 0;
        for (int i = 0; i < 8; ++i) {
            float enter = ray.t_min;
            float leave = limit;
            for (int k = 0; k < 3; ++k) {
                const float near =
                    distance(node, k, ray.negative[k] ? node.hi[k][i] : node.lo[k][i], -ray.slack[k]);
                const float far =
                    distance(node, k, ray.negative[k] ? node.lo[k][i] : node.hi[k][i], ray.slack[k]);
                enter = near > enter ? near : enter;
                leave = far < leave ? far : leave;
            }
            t[i] = enter;
            if (enter <= leave * MeshRay::kFarScale) mask |= 1u << i;
        }
        return mask;
    }
    [[nodiscard]] std::uint32_t test_node_in_double(const Bvh8Node& node, float limit,
                                                    float* t) const noexcept {
        std::uint32_t mask = 0;
        for (int i = 0; i < 8; ++i) {
            glm::dvec3 lo, hi;
            for (int k = 0; k < 3; ++k) {
                // A count times a power of two, and the sum with the origin, are exact for boxes of floats.
                lo[k] = double{node.origin[k]} + double{node.step[k]} * node.lo[k][i];
                hi[k] = double{node.origin[k]} + double{node.step[k]} * node.hi[k][i];
            }
            if (ray.hits_box(lo, hi, limit, t[i])) mask |= 1u << i;
        }
        return mask;
    }
    template <bool kAny>
    bool descend(const Bvh8View& tree, const Bvh8Node& node, float limit, std::size_t& top,
                 std::uint32_t& next) const noexcept {
        float t[8];
        std::uint32_t mask = test_node(node, limit, t);
        if (mask == 0) return false;
        const std::size_t bottom = top;
        for (; mask != 0; mask &= mask - 1) {
            const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
            const std::uint32_t key = (bit_cast<std::uint32_t>(t[slot]) & ~7u) | slot;
            std::size_t at = top++;
            for (; at > bottom && tree.stack.keys[at - 1] < key; --at) {
                tree.stack.keys[at] = tree.stack.keys[at - 1];
                tree.stack.children[at] = tree.stack.children[at - 1];
            }
            tree.stack.keys[at] = key;
            tree.stack.children[at] = node.child[slot];
        }
        next = tree.stack.children[--top];
        return true;
    }
    void test_block(const TriangleBlock& block, float& limit, MeshHit& best) const noexcept {
        AnyRay limited = ray;
        for (int lane = 0; lane < 4; ++lane) {
            MeshHit hit;
            limited.t_max = limit;
            if (!hit_triangle<kMode>(limited, block.triangle(lane), hit)) continue;
            hit.triangle = block.id[lane];
            if (before(hit, best)) {
                best = hit;
                limit = hit.t;
            }
        }
    }
};

}  // namespace bv::detail
