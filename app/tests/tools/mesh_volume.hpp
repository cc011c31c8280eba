// The volume of a closed mesh, for tests of readers and of solids.
#pragma once

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <span>

namespace lab::test {

/// By the divergence theorem, in double. Positive if the triangles are counterclockwise seen from outside.
inline double mesh_volume(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    double sum = 0.0;
    for (const glm::uvec3& t : triangles)
        sum += glm::dot(glm::dvec3(positions[t.x]),
                        glm::cross(glm::dvec3(positions[t.y]), glm::dvec3(positions[t.z]))) /
               6.0;
    return sum;
}

}  // namespace lab::test
