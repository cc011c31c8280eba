// Brute-force results for the tree tests; independent of the library.
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

/// The number of iterations, multiplied by BV_TEST_SCALE.
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

/// The t of each box hit, by user data: the result of a tree.
using RayHits = std::map<std::uint64_t, float>;

/// Compares a tree's hits with the reference: the same boxes, each at the same t except for rounding. `Entry`
/// has a box and its user data.
template <class Entry>
void expect_ray_hits(const RayHits& got, const std::vector<Entry>& entries, const Ray& ray) {
    std::size_t expected_hits = 0;
    for (const Entry& e : entries) {
        const auto expected = reference::ray_in_box(ray, e.box);
        const auto it = got.find(e.data);
        ASSERT_EQ(it != got.end(), expected.has_value()) << "box of " << e.data;
        if (!expected) continue;
        ++expected_hits;
        ASSERT_NEAR(it->second, static_cast<double>((*expected)[0]),
                    1e-6 * static_cast<double>((*expected)[0]))
            << e.data;
    }
    ASSERT_EQ(got.size(), expected_hits);
}
/// The nearest t of them, or infinity.
inline float nearest_of(const RayHits& hits) {
    float nearest = std::numeric_limits<float>::infinity();
    for (const auto& hit : hits)
        nearest = std::min(nearest, hit.second);
    return nearest;
}

}  // namespace bv::test
