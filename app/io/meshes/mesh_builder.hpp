// Builds a clean indexed mesh from a stream of triangles.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/meshes/mesh_file.hpp"

namespace lab::io {

/// Why a position is refused, or empty: not finite, or too large for volumes.
std::string fault_of_position(const glm::vec3& position);

/// Limits of a mesh file, which readers check while reading.
struct MeshLimits {
    std::uint64_t vertices = 100'000'000;
    std::uint64_t triangles = 100'000'000;   ///< Those without area included.
    std::uint64_t face_corners = 1'000'000;  ///< Corners of one polygon.
    std::size_t line_bytes = std::size_t{64} << 20;
    std::size_t node_levels = 1000;         ///< How deep the nodes of glTF may be nested.
    std::size_t siblings = 64;              ///< Further files that a glTF file may refer to.
    std::uint64_t numbers = 4'000'000'000;  ///< Numbers in all glTF accessors, each as often as it is used.
};

/// `has more than 1000000 corners in one face, the most that are read`.
std::string too_many(std::uint64_t limit, std::string_view of_what);

/// Welds corners at bitwise equal positions (0 and -0 are equal) and drops triangles without area. Time and
/// memory are linear in the number of triangles.
class MeshBuilder {
  public:
    static constexpr float kLargestCoordinate = 1e12f;

    explicit MeshBuilder(const MeshLimits& limits = {}) : limits_(limits) {}
    [[nodiscard]] const MeshLimits& limits() const { return limits_; }

    /// Why the triangle is refused, or empty.
    std::string add(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);
    /// Counts a line whose statement the format does not have.
    void add_unknown_line(std::size_t line);
    /// The mesh of all added triangles, or an error if there are none.
    Result<MeshFile> finish(const std::string& path, std::uint32_t parts);

  private:
    std::uint32_t vertex(glm::vec3 p);
    void rehash(std::size_t slots);

    MeshLimits limits_;
    MeshFile file_;
    std::vector<std::uint32_t> table_;  // open addressing; kFree or an index of a position
};

}  // namespace lab::io
