// Solid pieces that fall onto a floor, topple and come to rest: mass from the mesh, impulses at the corners
// of the hull. Only sums, products and square roots, so that the same steps give the same bits.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "bv/shapes/triangle.hpp"
#include "world/world.hpp"

namespace lab {

/// Of a closed mesh of density 1, by the tetrahedra between its triangles and the origin [Mirtich 1996].
struct MassProperties {
    double volume = 0;  ///< Negative if the mesh is inside out.
    glm::dvec3 center{0.0};
    glm::dmat3 inertia{0.0};  ///< About the center.
};
MassProperties mass_of(const bv::MeshView& mesh);

/// What the solver needs of a piece whose center of mass is its origin.
struct RigidShape {
    double mass = 1;
    glm::dmat3 inverse_inertia{1.0};
    std::vector<glm::vec3> corners;  ///< Of its hull.
};
RigidShape rigid_shape(const MassProperties& mass, std::span<const glm::vec3> hull_corners);

/// Changes the body's velocities for one step of `dt_s` under gravity: it does not go through the floor at
/// `floor_y`, rubs on it, and a slow one lies still. Its position is left to whoever integrates.
void fall_on_floor(Body& body, const RigidShape& shape, float floor_y, float dt_s);

}  // namespace lab
