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

/// The smallest box with the given axes, which are taken as orthonormal and right-handed. Two passes, no
/// allocation.
[[nodiscard]] Obb obb_along(std::span<const glm::vec3> points, const glm::mat3& axes);

/// The box along the principal axes of the points, longest spread first: where points are dense decides the
/// directions, so it may be far from the smallest (3.4 times for an octahedron). Equal spreads keep the
/// coordinate axes. Four passes, no allocation. Source: Gottschalk 1996; Ericson 2005, section 4.4.3. Test:
/// test_fit_obb.
[[nodiscard]] Obb obb_pca(std::span<const glm::vec3> points);

/// The same along the principal axes of a mesh's surface, each triangle weighted by its area, so that it does
/// not matter how finely a part is cut into triangles. Triangles with a corner that is not finite are left
/// out; without area it falls back on the points. All points are contained, also ones that no triangle uses.
/// Source: Gottschalk 1996.
[[nodiscard]] Obb obb_pca_surface(const MeshView& mesh);

/// The same along the principal axes of the surface of the convex hull: points inside have no say. Cost: as
/// fit::hull.
[[nodiscard]] Obb obb_pca_hull(std::span<const glm::vec3> points);
[[nodiscard]] Obb obb_pca_hull(std::span<const glm::vec3> points, const Hull& hull);

/// DiTO-14: seven directions give up to 14 extreme points; these span a large triangle and two tetrahedra on
/// it, whose faces and edges propose axes; the best of these and the AABB is taken. Three passes, no
/// allocation beyond the extreme points. Within about 1.3 of the smallest volume on most meshes. The trace
/// gets the extremes and one BoxConsidered per proposal. Source: Larsson and Kallberg 2011. Test:
/// test_fit_obb.
[[nodiscard]] Obb obb_dito14(std::span<const glm::vec3> points);
[[nodiscard]] Obb obb_dito14(std::span<const glm::vec3> points, Recording& trace);

/// How hard obb_exact searches.
struct ObbExactOptions {
    /// Hulls of up to this many sharp edges are searched completely. Beyond, a coarser hull is searched that
    /// has no more, and the box found there is led to the nearest minimum of the whole hull.
    std::size_t complete_up_to_edges = 6000;
};

/// The box of least volume. The smallest box has two neighboring sides that lie on edges of the hull
/// (O'Rourke); every such pair of edges leaves one degree of freedom, and along it the volume is followed
/// from kink to kink. Pairs whose bound lies above the best box so far are passed over: all but a few. In
/// double, relative to the size, so that it is the same at every scale and place. Never larger than the AABB
/// stored as an Obb, whose sides are those of the AABB plus at most u each, rounded up: u is the spacing of
/// floats at the largest coordinate, and matters to sets that are not much larger. Flat hulls give the
/// smallest rectangle; solids thinner than 1.5e-7 of their length count as flat, since a stored box is
/// rounded by as much: by a few 1e-8 of its length along each axis. Allocates. The trace gets one
/// BoxConsidered per improvement. Cost: about 10 ms for a hull of 1,000 edges and 40 ms for 3,000; more where
/// all turns are nearly alike, as for a sphere. Source: ORourke 1985; Jylanki 2015. Test: test_fit_obb,
/// against CGAL in test_fit_cgal.
[[nodiscard]] Obb obb_exact(std::span<const glm::vec3> points, const ObbExactOptions& options = {});
[[nodiscard]] Obb obb_exact(std::span<const glm::vec3> points, Recording& trace);
/// The same with the hull of the points at hand.
[[nodiscard]] Obb obb_exact(std::span<const glm::vec3> points, const Hull& hull,
                            const ObbExactOptions& options = {});

/// The box with the same axes around the points' images under an affine map, when they are turned along: the
/// refit of a box whose body deforms. Rounded outward. Empty if the matrix is not finite.
[[nodiscard]] Obb obb_refit(std::span<const glm::vec3> points, const Obb& box, const glm::mat4x3& affine);

/// The rectangle of least area: one side lies on an edge of the convex hull (Freeman and Shapira), and
/// calipers turn once around. n log n; allocates. Points that are not finite are skipped, none left gives the
/// empty rectangle.
[[nodiscard]] Obb2 obb2_exact(std::span<const glm::vec2> points);
/// The rectangle along the principal axes of the points.
[[nodiscard]] Obb2 obb2_pca(std::span<const glm::vec2> points);

}  // namespace bv::fit
