// Brute force answers that the tree tests compare with; nothing of the library is asked.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "random.hpp"
#include "reference/ray_reference.hpp"

namespace bv::test {

/// Loops run this many times longer when BV_TEST_SCALE says so.
inline int scaled(int count) {
    const char* text = std::getenv("BV_TEST_SCALE");
    const double scale = text ? std::atof(text) : 1.0;
    return static_cast<int>(count * (scale > 0.0 ? scale : 1.0));
}

/// Closed boxes, written out plainly.
inline bool boxes_touch(const Aabb& a, const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (!(a.min[k] <= b.max[k] && b.min[k] <= a.max[k])) return false;
    return true;
}

/// Where rays meet boxes, by user data: what a tree reports.
using RayHits = std::map<std::uint64_t, float>;

/// Holds a tree's hits against the reference: the same boxes, each at the time that it says but for rounding.
/// `Entry` has a box and its user data.
template <class Entry>
void expect_ray_hits(const RayHits& got, const std::vector<Entry>& entries, const Ray& ray) {
    std::size_t met = 0;
    for (const Entry& e : entries) {
        const auto want = reference::ray_in_box(ray, e.box);
        const auto it = got.find(e.data);
        ASSERT_EQ(it != got.end(), want.has_value()) << "box of " << e.data;
        if (!want) continue;
        ++met;
        ASSERT_NEAR(it->second, static_cast<double>((*want)[0]), 1e-6 * static_cast<double>((*want)[0]))
            << e.data;
    }
    ASSERT_EQ(got.size(), met);
}
/// The nearest of them, or infinity.
inline float nearest_of(const RayHits& hits) {
    float nearest = std::numeric_limits<float>::infinity();
    for (const auto& hit : hits)
        nearest = std::min(nearest, hit.second);
    return nearest;
}

}  // namespace bv::test
