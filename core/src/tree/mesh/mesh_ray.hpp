// Tests of a ray against one triangle and one box, shared by all trees over triangles. The SIMD kernels of
// mesh_bvh_wide repeat these operation by operation, so that every path gives the same bits for a triangle.
//
// Fast: the determinants of Moeller 1997 compared by sign with that of the triangle against the ray, never
// with a threshold, hence scale-free. Watertight: the triangle is sheared so that the ray becomes the z axis,
// and the three edge functions decide; for two triangles with a common edge they are the same number with
// opposite sign. Products of floats are rounded in order, so a sign in single precision is right unless the
// result is zero. For a triangle that is not ruled out, they are computed again in double precision: they
// weight its corners, and if it is seen edge-on, they are far smaller than the rounding of the products.
// Source: Woop 2013.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <utility>

#include "bv/query/ray_slabs.hpp"
#include "bv/query/raycast.hpp"
#include "bv/trace/trace.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "query/rays/slab_clip.hpp"
#include "simd/bits.hpp"
#include "simd/float4.hpp"

namespace bv::detail {

inline constexpr float kFarthestInSingle = 0x1p38f, kSmallestMesh = 0x1p-36f;
/// More than any distance between an origin and a plane in that range.
inline constexpr float kFarthestApart = 0x1p41f;
inline constexpr float kShortestRay = 0x1p-40f, kLongestRay = 0x1p40f;

/// True if lengths or their products would exceed the range of single precision: an origin above 2^38, a
/// direction shorter than 2^-40 or longer than 2^40, subnormal components. The fourth lanes do not matter.
[[nodiscard]] inline bool needs_double(simd::Float4 origin, simd::Float4 direction) noexcept {
    using simd::Float4;
    constexpr int kXyz = 7;
    const Float4 size = abs(direction), none = Float4::all(0.0f);
    const int far = less_bits(Float4::all(kFarthestInSingle), abs(origin));
    const int great = less_bits(Float4::all(kLongestRay), size);
    const int small = less_bits(size, Float4::all(std::numeric_limits<float>::min())) & less_bits(none, size);
    const int brief = less_bits(size, Float4::all(kShortestRay)) & kXyz;
    return ((far | great | small) & kXyz) != 0 || brief == kXyz;
}

/// The same for a mesh: coordinates above 2^38, or a size below 2^-36.
[[nodiscard]] inline bool needs_double(const Aabb& mesh) noexcept {
    float farthest = 0.0f, size = 0.0f;
    for (int k = 0; k < 3; ++k) {
        farthest = std::max(farthest, std::max(std::abs(mesh.min[k]), std::abs(mesh.max[k])));
        size = std::max(size, mesh.max[k] - mesh.min[k]);
    }
    return farthest > kFarthestInSingle || size < kSmallestMesh;
}

[[nodiscard]] inline bool needs_double(const Ray& ray, const Aabb& mesh) noexcept {
    using simd::Float4;
    return needs_double(mesh) ||
           needs_double(Float4::of(ray.origin.x, ray.origin.y, ray.origin.z, 0.0f),
                        Float4::of(ray.direction.x, ray.direction.y, ray.direction.z, 1.0f));
}

/// A ray prepared for many tests.
struct MeshRay {
    /// Widens the far end of the box test by the roundings of the planes' distances (Ize 2013).
    static constexpr float kFarScale = 1.0f + 10.0f * std::numeric_limits<float>::epsilon();

    glm::vec3 origin{0.0f};
    /// The direction times a power of two that makes its largest component about 1, so that the products of
    /// the fast test scale with the mesh only.
    glm::vec3 direction{0.0f};
    /// Watertight: moves the near and far planes of boxes apart, against the direction's sign and along it.
    glm::vec3 slack{0.0f};
    float t_scale = 1;        ///< Converts t along `direction` to t along the given one; that power of two.
    glm::vec3 inverse{0.0f};  ///< Reciprocal of the given direction.
    float t_min = 0;
    float t_max = 0;
    int kx = 0, ky = 1, kz = 2;    ///< kz: the ray's dominant axis.
    float sx = 0, sy = 0, sz = 0;  ///< The shear.
    bool negative[3] = {};
    bool usable = false;  ///< False: hits nothing.
    /// Single precision is too little for this ray: the rest is not prepared.
    bool is_beyond_single = false;
    /// The ray is parallel to a coordinate plane, or so nearly that a distance times its `inverse` may be
    /// infinite.
    bool has_flat = false;

    /// The farthest that a hit's t may be from where the ray meets the triangle's box, as a length, relative
    /// to the largest coordinate of a corner as seen from the origin. The sheared corners are off by 6
    /// roundings, their weights by 2, t by 9, and the distances of box planes by 8: 25 times 2^-24.
    static constexpr float kSlack = 0x1p-19f;

    /// The shear and the slack are only computed for Watertight. `mesh`: a box around all triangles.
    MeshRay(const Ray& ray, RayMode mode, const Aabb& mesh) noexcept
        : origin(ray.origin), direction(ray.direction), t_min(ray.t_begin()), t_max(ray.t_max) {
        using simd::Float4;
        const Float4 o = Float4::of(origin.x, origin.y, origin.z, 0.0f);
        const Float4 d = Float4::of(direction.x, direction.y, direction.z, 1.0f);
        is_beyond_single = needs_double(o, d);
        alignas(16) float reciprocal[4];
        (Float4::all(1.0f) / d).store(reciprocal);
        inverse = {reciprocal[0], reciprocal[1], reciprocal[2]};
        const int signs = simd::sign_bits(d);
        for (int k = 0; k < 3; ++k)
            negative[k] = ((signs >> k) & 1) != 0;
        // std::abs, not glm::abs: the latter branches on each sign, which is unpredictable for rays.
        const glm::vec3 size(std::abs(direction.x), std::abs(direction.y), std::abs(direction.z));
        const float longest = std::max(size.x, std::max(size.y, size.z));
        usable = simd::all_finite(o + d) && longest >= std::numeric_limits<float>::min() && t_max >= t_min;
        if (!usable || is_beyond_single) return;
        has_flat = !simd::all_finite(Float4::load(reciprocal) * Float4::all(kFarthestApart));
        // The exponent alone, mirrored: 2^-e for a size in [2^e, 2^(e+1)).
        const std::uint32_t exponent = bit_cast<std::uint32_t>(longest) >> 23;
        t_scale = bit_cast<float>(std::clamp(254u - exponent, 1u, 253u) << 23);
        if (mode == RayMode::Watertight) {
            // Sums of comparisons instead of branches, half of which would be mispredicted.
            kz = static_cast<int>(size.x != longest) * (1 + static_cast<int>(size.y != longest));
            const int next = kz + 1 - 3 * static_cast<int>(kz == 2);
            const int turn = static_cast<int>(negative[kz]) * (3 - kz - 2 * next);
            kx = next + turn;
            ky = 3 - kz - next - turn;
            sx = direction[kx] / direction[kz];
            sy = direction[ky] / direction[kz];
            sz = inverse[kz] / t_scale;  // about 1, so that products with it scale with the mesh only
            float farthest = 0.0f;
            for (int k = 0; k < 3; ++k)
                farthest = std::max(farthest, std::max(mesh.max[k] - origin[k], origin[k] - mesh.min[k]));
            for (int k = 0; k < 3; ++k)
                slack[k] = std::copysign(farthest * kSlack, direction[k]);
        }
        direction *= t_scale;
    }

    /// True if the ray hits the box at some t in [t_min, limit]; `t_enter` is the first such t. NaN, from a
    /// ray in a face plane, leaves the interval unchanged. Sources: Williams 2005, Ize 2013.
    [[nodiscard]] bool hits_box(const MeshBvhNode& box, float limit, float& t_enter) const noexcept {
        float enter = t_min;
        float leave = limit;
        for (int k = 0; k < 3; ++k) {
            const float near = ((negative[k] ? box.max[k] : box.min[k]) - origin[k] - slack[k]) * inverse[k];
            const float far = ((negative[k] ? box.min[k] : box.max[k]) - origin[k] + slack[k]) * inverse[k];
            enter = near > enter ? near : enter;
            leave = far < leave ? far : leave;
        }
        t_enter = enter;
        return enter <= leave * kFarScale;
    }
};

[[nodiscard]] inline bool hit_triangle_fast(const MeshRay& ray, const Triangle& tri, MeshHit& hit) noexcept {
    const glm::vec3 e1 = tri.b - tri.a;
    const glm::vec3 e2 = tri.c - tri.a;
    const glm::vec3 n = glm::cross(e1, e2);
    const glm::vec3 c = tri.a - ray.origin;
    const glm::vec3 r = glm::cross(c, ray.direction);
    const float det = glm::dot(n, ray.direction);
    const float size = std::abs(det);
    // A factor of 1 or -1: exact.
    const float sign = std::copysign(1.0f, det);
    const float u = glm::dot(r, e2) * sign;
    const float v = -glm::dot(r, e1) * sign;
    const float t = glm::dot(n, c) * sign;
    if (!(det != 0.0f && u >= 0.0f && v >= 0.0f && u + v <= size && t >= 0.0f)) return false;
    const float at = t / size * ray.t_scale;
    if (!(at >= ray.t_min && at <= ray.t_max)) return false;
    hit.t = at + 0.0f;  // no negative zero
    hit.u = u / size;
    hit.v = v / size;
    return true;
}

/// The three edge functions in double precision: a product of two floats is exact there, and so is the sign.
inline void edges_double(float ax, float ay, float bx, float by, float cx, float cy, float& u, float& v,
                         float& w) noexcept {
    u = static_cast<float>(static_cast<double>(cx) * by - static_cast<double>(cy) * bx);
    v = static_cast<float>(static_cast<double>(ax) * cy - static_cast<double>(ay) * cx);
    w = static_cast<float>(static_cast<double>(bx) * ay - static_cast<double>(by) * ax);
}

[[nodiscard]] inline bool hit_triangle_watertight(const MeshRay& ray, const Triangle& tri,
                                                  MeshHit& hit) noexcept {
    const glm::vec3 a = tri.a - ray.origin;
    const glm::vec3 b = tri.b - ray.origin;
    const glm::vec3 c = tri.c - ray.origin;
    const float az = a[ray.kz], bz = b[ray.kz], cz = c[ray.kz];
    const float ax = a[ray.kx] - ray.sx * az, ay = a[ray.ky] - ray.sy * az;
    const float bx = b[ray.kx] - ray.sx * bz, by = b[ray.ky] - ray.sy * bz;
    const float cx = c[ray.kx] - ray.sx * cz, cy = c[ray.ky] - ray.sy * cz;
    float u = cx * by - cy * bx;
    float v = ax * cy - ay * cx;
    float w = bx * ay - by * ax;
    const auto outside = [&] {
        return (u < 0.0f || v < 0.0f || w < 0.0f) && (u > 0.0f || v > 0.0f || w > 0.0f);
    };
    if (outside()) return false;
    edges_double(ax, ay, bx, by, cx, cy, u, v, w);
    if (outside()) return false;
    const float det = u + v + w;
    if (!(det != 0.0f)) return false;
    const float at = (u * (az * ray.sz) + v * (bz * ray.sz) + w * (cz * ray.sz)) / det * ray.t_scale;
    if (!(at >= ray.t_min && at <= ray.t_max)) return false;
    hit.t = at + 0.0f;  // no negative zero
    hit.u = v / det;
    hit.v = w / det;
    return true;
}

/// The same tests in double precision, with the results of bv::raycast: for rays and meshes beyond single
/// precision.
struct PreciseMeshRay {
    Ray ray;
    WatertightRay tight;
    float t_min = 0;
    float t_max = 0;   ///< t of the nearest hit so far, or the ray's.
    double slack = 0;  ///< Grows boxes by more than the error of the triangle tests.
    bool usable = false;

    PreciseMeshRay(const Ray& r, RayMode, const Aabb& mesh) noexcept
        : ray(r), tight(r), t_min(r.t_begin()), t_max(r.t_max), usable(tight.usable) {
        constexpr double kRounding = 1e-12;
        for (int k = 0; k < 3; ++k)
            slack = std::max({slack, std::abs(double{r.origin[k]}), std::abs(double{mesh.min[k]}),
                              std::abs(double{mesh.max[k]})});
        slack *= kRounding;
    }

    /// True if the ray hits the box before `limit`, or misses it by less than the error of the triangle
    /// tests.
    [[nodiscard]] bool hits_box(glm::dvec3 min, glm::dvec3 max, float limit, float& t_enter) const noexcept {
        NoTrace sink;
        LineInterval span;
        for (int k = 0; k < 3; ++k)
            span.clip(k, ray.origin[k], ray.direction[k], min[k] - slack, max[k] + slack, sink);
        const double enter = std::max(span.enter, static_cast<double>(t_min));
        t_enter = static_cast<float>(enter);
        // The limit is rounded.
        const double last = static_cast<double>(limit * MeshRay::kFarScale + RaySlabs::kFarSlack);
        return enter <= std::min(span.exit, last);
    }
    [[nodiscard]] bool hits_box(const MeshBvhNode& box, float limit, float& t_enter) const noexcept {
        return hits_box(glm::dvec3(box.min), glm::dvec3(box.max), limit, t_enter);
    }
};

template <RayMode kMode>
[[nodiscard]] inline bool hit_triangle(const PreciseMeshRay& ray, const Triangle& tri,
                                       MeshHit& hit) noexcept {
    // The limit is the nearest hit rounded in the same way, so that equally distant hits are not lost.
    const auto found = kMode == RayMode::Fast ? raycast(ray.ray, tri) : raycast(ray.tight, tri);
    if (!found || !(found->t <= ray.t_max)) return false;
    hit.t = found->t + 0.0f;  // no negative zero
    hit.u = found->u;
    hit.v = found->v;
    return true;
}

template <RayMode kMode>
[[nodiscard]] inline bool hit_triangle(const MeshRay& ray, const Triangle& tri, MeshHit& hit) noexcept {
    if constexpr (kMode == RayMode::Fast)
        return hit_triangle_fast(ray, tri, hit);
    else
        return hit_triangle_watertight(ray, tri, hit);
}

/// True if `a` comes before `b`. The order does not depend on which was found first.
[[nodiscard]] inline bool before(const MeshHit& a, const MeshHit& b) noexcept {
    return a.t < b.t || (a.t == b.t && a.triangle < b.triangle);
}

}  // namespace bv::detail
