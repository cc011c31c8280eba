// Seeded boxes and brute force answers that the tree tests compare with.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "random.hpp"

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

}  // namespace bv::test
