// The scalar forms of the batch queries, and the dispatch between them and those in src/simd.
#include "bv/query/batch.hpp"

#include <algorithm>

#include "bv/assert.hpp"
#include "bv/query/overlap.hpp"
#include "simd/query_avx2.hpp"

namespace bv {
namespace {

/// Lane i of eight rays as a single ray.
RaySlabs lane(const RaySlabs8& rays, int i) noexcept {
    Ray ray;
    for (int axis = 0; axis < 3; ++axis) {
        ray.origin[axis] = rays.origin[axis][i];
        ray.direction[axis] = rays.direction[axis][i];
    }
    ray.t_min = rays.t_begin[i];
    return RaySlabs(ray);
}

void set_lane(Hits8& hits, int i, bool hit, float t_enter) noexcept {
    hits.t_enter[i] = t_enter;
    if (hit) hits.mask |= 1u << i;
}

}  // namespace

RaySlabs8::RaySlabs8() noexcept {
    for (int i = 0; i < 8; ++i)
        set(i, Ray{glm::vec3(0.0f), glm::vec3(0.0f), -1.0f});
}

void RaySlabs8::set(int i, const Ray& ray) noexcept {
    const RaySlabs slabs(ray);
    for (int axis = 0; axis < 3; ++axis) {
        origin[axis][i] = slabs.origin[axis];
        direction[axis][i] = slabs.direction[axis];
        inv_direction[axis][i] = slabs.inv_direction[axis];
    }
    t_begin[i] = slabs.t_begin;
    t_max[i] = slabs.clamp_end(ray.t_max);
    const std::uint32_t bit = 1u << i;
    needs_double = slabs.needs_double ? needs_double | bit : needs_double & ~bit;
}

void raycast_boxes(const RaySlabs& ray, float t_max, std::span<const Aabb8> boxes, std::span<Hits8> hits,
                   [[maybe_unused]] Simd simd) noexcept {
    BV_ASSERT(hits.size() == boxes.size());
    boxes = boxes.first(std::min(boxes.size(), hits.size()));
#if BV_HAS_AVX2_KERNELS
    if (simd == Simd::Avx2 && !ray.needs_double)
        return simd::raycast_boxes_avx2(ray, t_max, boxes.data(), boxes.size(), hits.data());
#endif
    for (std::size_t n = 0; n < boxes.size(); ++n) {
        hits[n].mask = 0;
        for (int i = 0; i < 8; ++i) {
            float t_enter = 0.0f;
            const bool hit = ray.hit_nonempty(boxes[n].get(i), t_max, t_enter);
            set_lane(hits[n], i, hit, t_enter);
        }
    }
}

void raycast_boxes(const RaySlabs8& rays, std::span<const Aabb> boxes, std::span<Hits8> hits,
                   [[maybe_unused]] Simd simd) noexcept {
    BV_ASSERT(hits.size() == boxes.size());
    boxes = boxes.first(std::min(boxes.size(), hits.size()));
#if BV_HAS_AVX2_KERNELS
    if (simd == Simd::Avx2 && rays.needs_double == 0)
        return simd::raycast_boxes_avx2(rays, boxes.data(), boxes.size(), hits.data());
#endif
    for (std::size_t n = 0; n < boxes.size(); ++n)
        hits[n].mask = 0;
    for (int i = 0; i < 8; ++i) {
        const RaySlabs ray = lane(rays, i);
        for (std::size_t n = 0; n < boxes.size(); ++n) {
            float t_enter = 0.0f;
            const bool hit = ray.hit_nonempty(boxes[n], rays.t_max[i], t_enter);
            set_lane(hits[n], i, hit && !boxes[n].is_empty(), t_enter);
        }
    }
}

void overlap_pairs(std::span<const Obb> a, std::span<const Obb> b, std::span<std::uint8_t> out,
                   [[maybe_unused]] Simd simd) noexcept {
    BV_ASSERT(a.size() == b.size() && out.size() == b.size());
    b = b.first(std::min({a.size(), b.size(), out.size()}));
    std::size_t done = 0;
#if BV_HAS_AVX2_KERNELS
    if (simd == Simd::Avx2) {
        done = b.size() / 8 * 8;
        simd::overlap_pairs_avx2(a.data(), 1, b.data(), done, out.data());
    }
#endif
    for (std::size_t i = done; i < b.size(); ++i)
        out[i] = overlap(a[i], b[i]) ? 1 : 0;
}

void overlap_many(const Obb& a, std::span<const Obb> b, std::span<std::uint8_t> out,
                  [[maybe_unused]] Simd simd) noexcept {
    BV_ASSERT(out.size() == b.size());
    b = b.first(std::min(b.size(), out.size()));
    std::size_t done = 0;
#if BV_HAS_AVX2_KERNELS
    if (simd == Simd::Avx2) {
        done = b.size() / 8 * 8;
        simd::overlap_pairs_avx2(&a, 0, b.data(), done, out.data());
    }
#endif
    for (std::size_t i = done; i < b.size(); ++i)
        out[i] = overlap(a, b[i]) ? 1 : 0;
}

}  // namespace bv
