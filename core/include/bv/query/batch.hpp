// Batched queries: eight boxes against a ray, eight rays against a box, pairs of OBBs.
//
// Each has a scalar and an AVX2 form, selected once by the processor's capabilities. Both do the same
// operations in the same order, so they give the same bits. No allocation, safe from any thread.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <limits>
#include <span>

#include "bv/query/ray_slabs.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"

namespace bv {

enum class Simd : std::uint8_t { Scalar, Avx2 };

/// The widest instruction set that both this build and this processor support.
[[nodiscard]] Simd best_simd() noexcept;

/// Eight boxes as a structure of arrays. All eight are empty by default; pad a partial group with empty
/// boxes: no ray with a finite origin and direction hits them.
struct alignas(32) Aabb8 {
    float min[3][8];
    float max[3][8];

    Aabb8() noexcept {
        for (int axis = 0; axis < 3; ++axis)
            for (int i = 0; i < 8; ++i) {
                min[axis][i] = std::numeric_limits<float>::infinity();
                max[axis][i] = -std::numeric_limits<float>::infinity();
            }
    }
    /// Stores a box with a NaN as the empty box.
    void set(int i, const Aabb& given) noexcept {
        const Aabb box = given.is_empty() ? Aabb{} : given;
        for (int axis = 0; axis < 3; ++axis) {
            min[axis][i] = box.min[axis];
            max[axis][i] = box.max[axis];
        }
    }
    [[nodiscard]] Aabb get(int i) const noexcept {
        return {{min[0][i], min[1][i], min[2][i]}, {max[0][i], max[1][i], max[2][i]}};
    }
};

/// Eight rays as a structure of arrays, prepared as `RaySlabs`. By default none hits anything.
struct alignas(32) RaySlabs8 {
    float origin[3][8];
    float direction[3][8];
    float inv_direction[3][8];
    float t_begin[8];
    float t_max[8];                  ///< Clamped as `RaySlabs::clamp_end` does.
    std::uint32_t needs_double = 0;  ///< Bit i: ray i needs double precision.

    RaySlabs8() noexcept;
    void set(int i, const Ray& ray) noexcept;
};

/// The result of eight tests at once.
struct alignas(32) Hits8 {
    float t_enter[8];        ///< Where the ray enters the box; valid only where the mask bit is set.
    std::uint32_t mask = 0;  ///< Bit i: test i hit.
};

/// Tests one ray against each group of eight boxes, with the results of `RaySlabs::hit`. `hits` has as many
/// entries as `boxes`. Fill boxes with `Aabb8::set`, which admits no NaN; empty ones are not hit.
void raycast_boxes(const RaySlabs& ray, float t_max, std::span<const Aabb8> boxes, std::span<Hits8> hits,
                   Simd simd = best_simd()) noexcept;

/// Tests eight rays against each box; `hits[b].mask` has a bit for each ray that hits box b, none for an
/// empty or NaN box.
void raycast_boxes(const RaySlabs8& rays, std::span<const Aabb> boxes, std::span<Hits8> hits,
                   Simd simd = best_simd()) noexcept;

/// `out[i] = overlap(a[i], b[i])`, 1 or 0. All three spans have the same length.
void overlap_pairs(std::span<const Obb> a, std::span<const Obb> b, std::span<std::uint8_t> out,
                   Simd simd = best_simd()) noexcept;

/// `out[i] = overlap(a, b[i])`, 1 or 0: one box against many.
void overlap_many(const Obb& a, std::span<const Obb> b, std::span<std::uint8_t> out,
                  Simd simd = best_simd()) noexcept;

}  // namespace bv
