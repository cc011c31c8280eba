// The distance of a box and a solid, written for clarity: the oracle of volume queries. Uses nothing of the
// library but the plain fields of its shapes.
#pragma once

#include "ray_reference.hpp"

namespace bv::reference {

inline Real gap(Real lo, Real hi, Real x) {
    return std::max({lo - x, x - hi, Real(0)});
}
inline Real distance_to_box(const Aabb& box, const Vec& p) {
    return length(
        {gap(box.min.x, box.max.x, p.x), gap(box.min.y, box.max.y, p.y), gap(box.min.z, box.max.z, p.z)});
}
/// At most 0 if the two share a point.
inline Real separation(const Aabb& box, const Sphere& ball) {
    return distance_to_box(box, Vec(ball.center)) - static_cast<Real>(ball.radius);
}
/// The distance from the box is convex along the capsule's axis.
inline Real separation(const Aabb& box, const Capsule& capsule) {
    const auto f = [&](Real t) {
        return distance_to_box(box, (1 - t) * Vec(capsule.a) + t * Vec(capsule.b));
    };
    return f(detail::least_of(f, 0, 1)) - static_cast<Real>(capsule.radius);
}
inline Real separation(const Aabb& a, const Aabb& b) {
    Real largest = -std::numeric_limits<Real>::infinity();
    for (int k = 0; k < 3; ++k)
        largest = std::max({largest, static_cast<Real>(b.min[k]) - static_cast<Real>(a.max[k]),
                            static_cast<Real>(a.min[k]) - static_cast<Real>(b.max[k])});
    return largest;
}
/// The widest gap between the corners of both along all directions that can separate two boxes.
inline Real separation(const Aabb& box, const Obb& other) {
    const Vec world[3] = {Vec(1, 0, 0), Vec(0, 1, 0), Vec(0, 0, 1)};
    std::array<Vec, 15> axes;
    std::size_t count = 0;
    for (int k = 0; k < 3; ++k) {
        axes[count++] = world[k];
        axes[count++] = Vec(other.axes[k]);
        for (const Vec& w : world)
            axes[count++] = cross(w, Vec(other.axes[k]));
    }
    Real largest = -std::numeric_limits<Real>::infinity();
    for (const Vec& axis : axes) {
        const Real size = length(axis);
        if (size < 1e-6L) continue;
        Real lo[2], hi[2];
        for (int which = 0; which < 2; ++which) {
            lo[which] = std::numeric_limits<Real>::infinity();
            hi[which] = -lo[which];
            for (int i = 0; i < 8; ++i) {
                Vec corner((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                           (i & 4) ? box.max.z : box.min.z);
                if (which == 1) {
                    corner = Vec(other.center);
                    for (int k = 0; k < 3; ++k) {
                        const Real half = other.half_extents[k];
                        corner = corner + ((i >> k & 1) ? half : -half) * Vec(other.axes[k]);
                    }
                }
                lo[which] = std::min(lo[which], dot(axis, corner) / size);
                hi[which] = std::max(hi[which], dot(axis, corner) / size);
            }
        }
        largest = std::max({largest, lo[1] - hi[0], lo[0] - hi[1]});
    }
    return largest;
}

}  // namespace bv::reference
