// Procedural meshes for tests, benchmarks and the program.
//
// Every mesh here is closed: each edge belongs to exactly two triangles that run along it in opposite
// directions. Triangles are counter-clockwise seen from outside, none is without area, no two vertices of one
// piece coincide, and +y is up. The functions below use the coordinates that they state; `make_mesh` returns
// the same shapes centered at the origin with the longest edge of their box 1 m. Deterministic.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/triangle.hpp"

namespace bv::workloads {

struct MeshData {
    std::string name;
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    /// Valid while this object exists unchanged.
    [[nodiscard]] MeshView view() const noexcept { return {positions, triangles}; }
};

/// Solids with flat faces, in textbook coordinates.
MeshData box(const glm::vec3& half_extents = glm::vec3(0.5f));
MeshData tetrahedron();   ///< Alternate corners of the cube [-1, 1]^3.
MeshData octahedron();    ///< (+-1, 0, 0) and its permutations.
MeshData dodecahedron();  ///< (+-1, +-1, +-1), and (0, +-1/g, +-g) with its rotations; g the golden ratio.
MeshData icosahedron();   ///< (0, +-1, +-g) and its rotations; g the golden ratio.

/// An icosahedron whose triangles are split in four `subdivisions` times and pushed to the sphere: 20 * 4^n
/// triangles. At most 8 subdivisions.
MeshData icosphere(int subdivisions = 3, float radius = 0.5f);

/// Solids of revolution about y. `segments >= 3` around.
MeshData cylinder(float radius = 0.25f, float half_height = 0.5f, int segments = 32);
MeshData cone(float radius = 0.4f, float height = 1.0f, int segments = 32);
/// All points within `radius` of a segment of half length `half_height > 0` along y.
MeshData capsule(float radius = 0.25f, float half_height = 0.25f, int segments = 32);
/// A chess pawn (a solid of revolution), 1 m high.
MeshData pawn(int segments = 40);

/// Tubes.
MeshData torus(float major_radius = 0.35f, float minor_radius = 0.15f, int segments = 48, int sides = 24);
/// The knot that winds `p` times around the axis and `q` times through the hole; p and q share no divisor.
MeshData torus_knot(int p = 2, int q = 3, float tube_radius = 0.09f, int segments = 256, int sides = 16);
/// A coil spring with round ends.
MeshData helix(float turns = 4.0f, float tube_radius = 0.06f, int segments_per_turn = 40, int sides = 14);
/// Links that pass through each other without touching: one mesh of `links` separate pieces.
MeshData chain(int links = 5);

/// A spur gear of thickness along y with a bore.
MeshData gear(int teeth = 12);
/// A boulder: a sphere with seeded bumps and a few flat breaks. Star-shaped around the origin.
MeshData rock(std::uint64_t seed = 1, int subdivisions = 4);
/// A ball with 42 spikes. Star-shaped around the origin.
MeshData spike_ball(int subdivisions = 4);

/// The Utah teapot (Newell 1975), each edge of its 32 cubic patches cut in `steps >= 2`. Newell's figures
/// leave it open: a gap of 0.1 units under the lid's edge, the mouth of the spout, and the inner ends of
/// spout and handle, which stop within the body. Flat pieces close those places, so that it becomes three
/// closed surfaces (body with lid, spout, handle), the latter two reaching into the first.
MeshData teapot(int steps = 8);

/// Moves the center of the mesh's box to the origin and scales its longest edge to 1 m. Does nothing for a
/// mesh without points.
void center_and_scale(MeshData& mesh);

/// One row of the catalog of ready-made meshes, each of the size that `center_and_scale` gives.
struct MeshCatalogEntry {
    std::string_view id;  ///< Used by commands and files; stable.
    std::string_view name;
    std::string_view description;
    MeshData (*factory)();
};
/// All rows, in display order.
std::span<const MeshCatalogEntry> mesh_catalog();
/// Meshes large enough for a tree to pay off: from two thousand to a million triangles, in ascending order.
/// Sizes as in the catalog above.
std::span<const MeshCatalogEntry> mesh_gallery();
/// The mesh with that id; empty if there is no such row.
std::optional<MeshData> make_mesh(std::string_view id);

}  // namespace bv::workloads
