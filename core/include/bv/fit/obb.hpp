// Oriented boxes of points. Common rules for degenerate and non-finite points: bv/fit/sphere.hpp.
#pragma once

#include <glm/mat4x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "bv/shapes/hull.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/obb2.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/trace/trace.hpp"

namespace bv::fit {

/// The smallest box with the given axes, which must be orthonormal and right-handed. Two passes, no
/// allocation.
[[nodiscard]] Obb obb_along(std::span<const glm::vec3> points, const glm::mat3& axes);

/// The box along the principal axes of the points, largest variance first. Dense regions of points dominate
/// the directions, so it may be far from the smallest (3.4 times for an octahedron). Equal variances keep the
/// coordinate axes. Four passes, no allocation. Source: Gottschalk 1996; Ericson 2005, section 4.4.3. Test:
/// test_fit_obb.
[[nodiscard]] Obb obb_pca(std::span<const glm::vec3> points);
[[nodiscard]] Obb obb_pca(std::span<const glm::vec3> points, Recording& trace);

/// The same along the principal axes of a mesh's surface, each triangle weighted by its area, so the density
/// of tessellation does not matter. Triangles with a non-finite corner are skipped; without area it falls
/// back on the points. All points are contained, including those that no triangle uses. Source: Gottschalk
/// 1996.
[[nodiscard]] Obb obb_pca_surface(const MeshView& mesh);
[[nodiscard]] Obb obb_pca_surface(const MeshView& mesh, Recording& trace);

/// The same along the principal axes of the surface of the convex hull: interior points do not count. Cost:
/// as fit::hull.
[[nodiscard]] Obb obb_pca_hull(std::span<const glm::vec3> points);
[[nodiscard]] Obb obb_pca_hull(std::span<const glm::vec3> points, Recording& trace);
[[nodiscard]] Obb obb_pca_hull(std::span<const glm::vec3> points, const Hull& hull);

/// DiTO-14: seven directions give up to 14 extreme points; these span a large triangle and two tetrahedra on
/// it, whose faces and edges propose axes; the best of these and the AABB is taken. Three passes, no
/// allocation beyond the extreme points. Within about 1.3 of the smallest volume on most meshes. The trace
/// gets the extremes, one BoxConsidered per proposal, and the result last. Source: Larsson and Kallberg 2011.
/// Test: test_fit_obb.
[[nodiscard]] Obb obb_dito14(std::span<const glm::vec3> points);
[[nodiscard]] Obb obb_dito14(std::span<const glm::vec3> points, Recording& trace);

/// Limits the search of obb_exact.
struct ObbExactOptions {
    /// Hulls of up to this many sharp edges are searched completely. For larger ones, a coarser hull within
    /// this limit is searched, and the best boxes found there are refined to the nearest minima of the whole
    /// hull.
    std::size_t complete_up_to_edges = 6000;
};

/// The box of least volume. The smallest box has two adjacent faces that are flush with edges of the hull
/// (O'Rourke); every such pair of edges leaves one degree of freedom, and along it the volume is followed
/// from kink to kink. Pairs whose lower bound exceeds the best volume so far, all but a few, are skipped.
/// Computed in double, relative to the size, so the result is the same at every scale and position. Never
/// larger than the AABB stored as an Obb, whose sides are those of the AABB plus at most u each, rounded up:
/// u is the spacing of floats at the largest coordinate and matters for sets that are not much larger than
/// it. Flat hulls give the smallest rectangle; solids thinner than 1.5e-7 of their length count as flat,
/// since a stored box is rounded by as much: by a few 1e-8 of its length along each axis. Allocates. The
/// trace gets one BoxConsidered per box compared, and the result last. Cost: about 10 ms for a hull of 1,000
/// edges and 40 ms for 3,000; more where all orientations are nearly equal, as for a sphere. Source: ORourke
/// 1985; Jylanki 2015. Test: test_fit_obb, against CGAL in test_fit_cgal.
[[nodiscard]] Obb obb_exact(std::span<const glm::vec3> points, const ObbExactOptions& options = {});
[[nodiscard]] Obb obb_exact(std::span<const glm::vec3> points, Recording& trace);
/// The same, given the hull of the points.
[[nodiscard]] Obb obb_exact(std::span<const glm::vec3> points, const Hull& hull,
                            const ObbExactOptions& options = {});

/// The box with the same axes around the points' images under an affine map, with the axes rotated along:
/// refits the box of a deforming body. Rounded outward. Empty if the matrix is not finite.
[[nodiscard]] Obb obb_refit(std::span<const glm::vec3> points, const Obb& box, const glm::mat4x3& affine);

/// The rectangle of least area: one side is flush with an edge of the convex hull (Freeman and Shapira),
/// found with rotating calipers. n log n; allocates. Points that are not finite are skipped, none left gives
/// the empty rectangle.
[[nodiscard]] Obb2 obb2_exact(std::span<const glm::vec2> points);
/// The rectangle along the principal axes of the points.
[[nodiscard]] Obb2 obb2_pca(std::span<const glm::vec2> points);

}  // namespace bv::fit
