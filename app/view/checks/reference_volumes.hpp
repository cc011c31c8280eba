// The reference for every kind of bounding volume, in double precision: whether one holds a point, and
// whether two of a kind meet. Like the rest of the reference it reads the volumes' numbers and asks the
// library nothing.
#pragma once

#include <glm/vec3.hpp>

#include "bv/fit/volume.hpp"
#include "view/checks/reference.hpp"

namespace lab::reference {

/// How far outside of the volume a point lies: not farther than this, and for round volumes exactly this; 0
/// or less inside. Metres. Infinite for an empty volume.
[[nodiscard]] double outside(const bv::fit::Volume& volume, const glm::dvec3& point);

/// Whether two volumes of one kind share a point. k-DOPs: as their slabs say, exactly, which is what they are
/// tested by. All others are the points within some distance of a few corners' hull: the distance of two such
/// hulls is approached step by step from both sides (Gilbert 1966) until it decides. The band is 2e-5 of the
/// size; solids that overlap by less than about a hundredth of their size can stay undecided, too.
[[nodiscard]] Answer overlap(const bv::fit::Volume& a, const bv::fit::Volume& b);

/// Whether a volume in the world holds the body's mesh: every vertex of a small one, some thousands of a
/// large one. The band is what rounding takes a corner elsewhere.
[[nodiscard]] bool holds_mesh(const World& world, const BodyState& body, const bv::fit::Volume& volume);

/// Corners that `overlap` looks at in each of its steps.
[[nodiscard]] std::size_t corner_count(const bv::fit::Volume& volume);

}  // namespace lab::reference
