// The naive test of two boxes: does an edge of one pierce a face of the other? 144 tests of a segment against
// a rectangle. It misses a box that lies inside the other, whose edges pierce nothing.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/obb.hpp"

namespace lab::scenes {

struct EdgesAndFaces {
    int tests = 0;
    std::vector<glm::vec3> pierced;  ///< Where an edge goes through a face, or touches it.
};

/// The twelve edges of `a` against the six faces of `b`. Edges that lie in a face's plane pierce it nowhere:
/// others do at its border.
[[nodiscard]] EdgesAndFaces edges_against_faces(const bv::Obb& a, const bv::Obb& b);

}  // namespace lab::scenes
