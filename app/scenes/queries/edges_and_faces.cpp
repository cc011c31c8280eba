#include "scenes/queries/edges_and_faces.hpp"

#include <cmath>

namespace lab::scenes {

EdgesAndFaces edges_against_faces(const bv::Obb& a, const bv::Obb& b) {
    EdgesAndFaces result;
    const auto in_b = [&b](const glm::vec3& p) { return (p - b.center) * b.axes; };
    for (int corner = 0; corner < 8; ++corner)
        for (int side = 0; side < 3; ++side) {
            const int other = corner | (1 << side);
            if (other == corner) continue;  // each edge once, from its lower end
            const glm::vec3 from = in_b(a.corner(corner)), to = in_b(a.corner(other));
            for (int axis = 0; axis < 3; ++axis)
                for (const float sign : {-1.0f, 1.0f}) {
                    ++result.tests;
                    const float plane = sign * b.half_extents[axis];
                    const float d_from = from[axis] - plane, d_to = to[axis] - plane;
                    if ((d_from > 0.0f) == (d_to > 0.0f)) continue;  // both ends on one side
                    const float t = d_from / (d_from - d_to);
                    const glm::vec3 at = from + t * (to - from);
                    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
                    if (std::abs(at[u]) <= b.half_extents[u] && std::abs(at[v]) <= b.half_extents[v])
                        result.pierced.push_back(b.center + b.axes * at);
                }
        }
    return result;
}

}  // namespace lab::scenes
