#include "query/meshes/collide_blocks.hpp"

#include <limits>

#include "bv/query/overlap_triangle.hpp"
#include "simd/float4.hpp"

namespace bv::detail {
namespace {

using simd::Float4;

struct Vec4 {
    Float4 x, y, z;
};

Vec4 corner(const TriangleBlock& block, int i) noexcept {
    return {Float4::load(block.corner[i][0]), Float4::load(block.corner[i][1]),
            Float4::load(block.corner[i][2])};
}
Vec4 corner_in_all_lanes(const TriangleBlock& block, int i, int lane) noexcept {
    return {Float4::all(block.corner[i][0][lane]), Float4::all(block.corner[i][1][lane]),
            Float4::all(block.corner[i][2][lane])};
}
Vec4 operator-(const Vec4& a, const Vec4& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Float4 norm1(const Vec4& a) noexcept {
    return abs(a.x) + abs(a.y) + abs(a.z);
}

/// Four planes, as normals of any length.
struct Plane4 {
    Vec4 origin;
    Vec4 normal;
    Float4 size;  ///< Upper bound of the normal's length times the relative rounding error.

    explicit Plane4(const Vec4* p) noexcept : origin(p[0]) {
        const Vec4 e1 = p[1] - p[0];
        const Vec4 e2 = p[2] - p[0];
        normal = {e1.y * e2.z - e1.z * e2.y, e1.z * e2.x - e1.x * e2.z, e1.x * e2.y - e1.y * e2.x};
        // Each of the products in the triple product is off by at most 8 roundings, and where it is subnormal
        // by a few of the smallest floats.
        size = norm1(e1) * norm1(e2) * Float4::all(8.0f * std::numeric_limits<float>::epsilon()) +
               Float4::all(8.0f * std::numeric_limits<float>::denorm_min());
    }
    /// Lanes in which the three points certainly lie on one side.
    [[nodiscard]] int one_side(const Vec4* p) const noexcept {
        Float4 low = Float4::all(std::numeric_limits<float>::infinity());
        Float4 high = Float4::all(-std::numeric_limits<float>::infinity());
        Float4 errors = Float4::all(0.0f);
        const Float4 smallest = Float4::all(16.0f * std::numeric_limits<float>::denorm_min());
        for (int i = 0; i < 3; ++i) {
            const Vec4 d = p[i] - origin;
            const Float4 height = normal.x * d.x + normal.y * d.y + normal.z * d.z;
            const Float4 error = size * norm1(d) + smallest;
            low = min(low, height - error);
            high = max(high, height + error);
            errors = errors + error;
        }
        const Float4 zero = Float4::all(0.0f);
        // Heights that may have left the range of floats decide nothing: they are less than a million times
        // their errors. Unlike a minimum, a sum does not forget a NaN.
        const Float4 limit = Float4::all(1e-7f * std::numeric_limits<float>::max());
        return (less_bits(zero, low) | less_bits(high, zero)) & less_bits(errors, limit);
    }
};

void box(const Vec4* p, Vec4& lo, Vec4& hi) noexcept {
    lo = {min(p[0].x, min(p[1].x, p[2].x)), min(p[0].y, min(p[1].y, p[2].y)),
          min(p[0].z, min(p[1].z, p[2].z))};
    hi = {max(p[0].x, max(p[1].x, p[2].x)), max(p[0].y, max(p[1].y, p[2].y)),
          max(p[0].z, max(p[1].z, p[2].z))};
}

/// Lanes in which the boxes are disjoint.
int disjoint_lanes(const Vec4& lo_a, const Vec4& hi_a, const Vec4& lo_b, const Vec4& hi_b) noexcept {
    return less_bits(hi_a.x, lo_b.x) | less_bits(hi_b.x, lo_a.x) | less_bits(hi_a.y, lo_b.y) |
           less_bits(hi_b.y, lo_a.y) | less_bits(hi_a.z, lo_b.z) | less_bits(hi_b.z, lo_a.z);
}

int used_lanes(const TriangleBlock& block) noexcept {
    int used = 0;
    for (int lane = 0; lane < 4; ++lane)
        used |= block.id[lane] != MeshHit::kNone ? 1 << lane : 0;
    return used;
}

}  // namespace

TriangleBlock moved(const TriangleBlock& block, const Pose& pose) noexcept {
    TriangleBlock out = block;
    for (int i = 0; i < 3; ++i) {
        const Vec4 p = corner(block, i);
        for (int k = 0; k < 3; ++k) {
            const Float4 row = ((Float4::all(pose[0][k]) * p.x + Float4::all(pose[1][k]) * p.y) +
                                Float4::all(pose[2][k]) * p.z) +
                               Float4::all(pose[3][k]);
            row.store(out.corner[i][k]);
        }
    }
    return out;
}

std::uint32_t touching_lanes(const TriangleBlock& a, const TriangleBlock& b, bool any,
                             std::uint32_t& exact_tests) noexcept {
    const Vec4 pa[3] = {corner(a, 0), corner(a, 1), corner(a, 2)};
    Vec4 lo_a, hi_a;
    box(pa, lo_a, hi_a);
    const Plane4 planes_a(pa);
    const int used_a = used_lanes(a);
    std::uint32_t touching = 0;
    for (int j = 0; j < 4 && b.id[j] != MeshHit::kNone; ++j) {
        const Vec4 pb[3] = {corner_in_all_lanes(b, 0, j), corner_in_all_lanes(b, 1, j),
                            corner_in_all_lanes(b, 2, j)};
        Vec4 lo_b, hi_b;
        box(pb, lo_b, hi_b);
        int left = used_a & ~disjoint_lanes(lo_a, hi_a, lo_b, hi_b);
        if (left != 0) left &= ~planes_a.one_side(pb);
        if (left != 0) left &= ~Plane4(pb).one_side(pa);
        for (int i = 0; left != 0; ++i, left >>= 1) {
            if ((left & 1) == 0) continue;
            ++exact_tests;
            if (!overlap(block_triangle(a, i), block_triangle(b, j))) continue;
            touching |= 1u << (4 * i + j);
            if (any) return touching;
        }
    }
    return touching;
}

}  // namespace bv::detail
