// Rigid pieces that fall onto a floor, topple and come to rest: mass properties from the mesh, impulses at
// the vertices of the hull. Uses only sums, products and square roots, so that every machine gets the same
// bits.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "bv/shapes/triangle.hpp"
#include "world/world.hpp"

namespace lab {

/// Mass properties of a closed mesh of density 1, summed over the tetrahedra between its triangles and the
/// origin [Mirtich 1996].
struct MassProperties {
    double volume = 0;  ///< Negative if the mesh is inside out.
    glm::dvec3 center{0.0};
    glm::dmat3 inertia{0.0};  ///< About the center.
};
MassProperties mass_of(const bv::MeshView& mesh);

/// Solver data of a piece whose center of mass is its origin.
struct RigidShape {
    double mass = 1;
    glm::dmat3 inverse_inertia{1.0};
    std::vector<glm::vec3> corners;  ///< Of its hull.
};
RigidShape rigid_shape(const MassProperties& mass, std::span<const glm::vec3> hull_corners);

/// Updates the body's velocities for one step of `dt_s`: gravity, contact and friction with the floor at
/// `floor_y`, and rest for a slow body. Does not change its position.
void fall_on_floor(Body& body, const RigidShape& shape, float floor_y, float dt_s);

}  // namespace lab
