// Pieces of cut meshes: each a solid with known caps and its center of mass at the origin.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/plane.hpp"
#include "bv/shapes/triangle.hpp"
#include "world/bodies/rigid.hpp"

namespace lab::scenes {

struct CutPiece {
    std::uint64_t key = 0;  ///< Determined by the mesh and the cuts.
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    std::vector<bv::Plane> cap_planes;
    MassProperties mass;     ///< With the center at the origin.
    glm::vec3 center{0.0f};  ///< The position of its origin in the frame of the piece that it was cut from.
    double surface = 0, cap_surface = 0;

    [[nodiscard]] bv::MeshView view() const { return {positions, triangles}; }
    /// True if triangle `i` is part of a cap.
    [[nodiscard]] bool is_cap(std::size_t i) const;
};

/// A whole mesh as a piece.
CutPiece whole_piece(const bv::MeshView& mesh, std::uint64_t key);

struct CutResult {
    std::vector<CutPiece> front, back;
    bool closed = true;   ///< False if the mesh was open where it was cut.
    bool is_hit = false;  ///< Otherwise the plane misses it.
};
/// Cuts a piece by a plane in its own frame; both lists are empty if the plane misses it, or the mesh has no
/// volume that points outward. Disconnected parts of a half are separate pieces.
CutResult cut_piece(const CutPiece& piece, const bv::Plane& plane);

}  // namespace lab::scenes
