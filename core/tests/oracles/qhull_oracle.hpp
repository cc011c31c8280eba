// qhull as the oracle of convex hulls, for tests and benchmarks.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

namespace bv::test {

/// Volume of the convex hull by qhull (option Qt), or -1 if it refuses the input.
double qhull_volume(const std::vector<glm::vec3>& points);

}  // namespace bv::test
