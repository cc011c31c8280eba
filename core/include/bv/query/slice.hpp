// Cutting a closed triangle mesh in two by a plane, each half closed again by a cap.
//
// Every triangle is split along the plane, each mesh edge once, so that neighbors agree on the new corner bit
// for bit. What is then open in a half is a set of loops in the plane; triangles between the loops, with
// holes, close it. Faces that lie in the plane stay with the half whose solid they bound. Source: Ericson
// 2005, 8.3.4; Eberly 2002 for the caps.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/query/classify.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/triangle.hpp"

namespace bv {

/// One half. Its positions are those of the mesh, corners at the same place joined, and the new ones.
struct MeshPiece {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    std::size_t cap_begin = 0;  ///< Triangles from here on are the cap.
    [[nodiscard]] MeshView view() const noexcept { return {positions, triangles}; }
};

struct MeshSlice {
    /// Front or Back: all of the mesh lies there, touching the plane at most, and both pieces are left empty:
    /// nothing was copied.
    Side side = Side::Intersecting;
    MeshPiece front;
    MeshPiece back;
    /// The outlines of the cross-section: outer ones counter-clockwise seen from the front of the plane,
    /// holes clockwise. No point is repeated at the end.
    std::vector<std::vector<glm::vec3>> contours;
    /// False if the mesh was open where it was cut: some outline had no end and was left without a cap.
    bool closed = true;
};

/// Cuts the mesh. A corner no farther from the plane than the rounding of the plane's own floats counts as on
/// it, so planes through corners, along edges and along faces cut nothing off. For a closed mesh whose
/// triangles do not cross one another both halves are closed, consistently oriented, and have the mesh's
/// volume in sum, to float rounding; slivers and triangles without area can arise in caps. Open or crossing
/// meshes give open or crossing halves, never anything worse. Corners that are not finite drop their
/// triangles; no plane that is not finite cuts. Allocates. Cost: linear, quadratic in an outline's length.
[[nodiscard]] MeshSlice slice(MeshView mesh, const Plane& plane);
/// The same when a box around the mesh is known: if the plane misses it, the mesh is not looked at.
[[nodiscard]] MeshSlice slice(MeshView mesh, const Aabb& bounds, const Plane& plane);

}  // namespace bv
