// Cuts a closed triangle mesh in two by a plane, and closes each half with a cap.
//
// Every triangle is split along the plane, each mesh edge once, so that neighbors agree on the new corner bit
// for bit. The open border of a half is then a set of loops in the plane, which are triangulated, with holes,
// to close it. Faces that lie in the plane stay with the half whose solid they bound. Source: Ericson 2005,
// 8.3.4; Eberly 2002 for the caps.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/query/classify.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/plane.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// One half. Its positions are those of the mesh, with coincident corners merged, plus the new ones.
struct MeshPiece {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    std::size_t cap_begin = 0;  ///< Triangles from here on are the cap.
    [[nodiscard]] MeshView view() const noexcept { return {positions, triangles}; }
};

struct MeshSlice {
    /// Front or Back: the whole mesh lies on that side, at most touching the plane, and both pieces are left
    /// empty: nothing is copied.
    Side side = Side::Intersecting;
    MeshPiece front;
    MeshPiece back;
    /// The outlines of the cross-section: outer ones counter-clockwise seen from the front of the plane,
    /// holes clockwise. No point is repeated at the end.
    std::vector<std::vector<glm::vec3>> contours;
    /// False if the mesh was open where it was cut: some outline did not close and has no cap.
    bool closed = true;
};

/// Cuts the mesh. A corner no farther from the plane than the rounding of the plane's own floats counts as on
/// it, so planes through corners, along edges and along faces cut nothing off. For a closed mesh whose
/// triangles do not cross one another both halves are closed, consistently oriented, and their volumes sum to
/// the mesh's, to float rounding; slivers and triangles without area can arise in caps. Open or
/// self-intersecting meshes give open or self-intersecting halves, never anything worse. Triangles with a
/// non-finite corner are dropped; a plane that is not finite cuts nothing. Allocates. Cost: linear, but
/// quadratic in the length of an outline.
[[nodiscard]] MeshSlice slice(MeshView mesh, const Plane& plane);
/// The same, with a `TriangleCut` for each triangle that has an area and a `LoopClosed` for each contour.
[[nodiscard]] MeshSlice slice(MeshView mesh, const Plane& plane, Recording& trace);
/// The same, given a box around the mesh: if the plane misses it, the mesh is not read.
[[nodiscard]] MeshSlice slice(MeshView mesh, const Aabb& bounds, const Plane& plane);

}  // namespace bv
