// Triangles by their corners, in; an indexed mesh without flaws, out.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "io/mesh_file.hpp"

namespace lab::io {

/// What is wrong with a position, or empty: not finite, or too far out for volumes.
std::string fault_of_position(const glm::vec3& position);

/// Joins corners at bitwise equal positions (0 and -0 are equal) and leaves out triangles without area. Time
/// and memory grow with the number of triangles only.
class MeshBuilder {
  public:
    static constexpr float kLargestCoordinate = 1e12f;
    static constexpr std::size_t kMostTriangles = 100'000'000;

    /// What is wrong with the triangle, or empty.
    std::string add(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);
    /// The mesh of all that was added, or an error that there is nothing.
    Result<MeshFile> finish(const std::string& path, std::uint32_t parts);

  private:
    std::uint32_t vertex(glm::vec3 p);
    void rehash(std::size_t slots);

    MeshFile file_;
    std::vector<std::uint32_t> table_;  // open addressing; kFree or an index of a position
};

}  // namespace lab::io
