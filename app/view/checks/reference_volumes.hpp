// The reference for every kind of bounding volume, in double precision: containment of points, and overlap of
// two of a kind. An independent oracle, like the rest of the reference.
#pragma once

#include <functional>
#include <glm/vec3.hpp>

#include "bv/fit/volume.hpp"
#include "view/checks/reference.hpp"

namespace lab::reference {

/// Answers, for any number of points, with an upper bound of a point's distance outside of the volume, exact
/// for round volumes; 0 or less inside. Metres. Infinite for an empty volume. The volume must outlive it.
[[nodiscard]] std::function<double(const glm::dvec3& point)> outside(const bv::fit::Volume& volume);

/// Whether two volumes of one kind share a point. k-DOPs: by their slabs, exactly, like the fast test. All
/// others are the points within a radius of the hull of some corners: the distance of two hulls is bounded
/// from both sides, step by step (Gilbert 1966), until it decides. The band is 2e-5 of the size; solids that
/// overlap by less than about a hundredth of their size can stay undecided, too. All but k-DOPs also count as
/// overlapping if they are no more than `slack` apart.
[[nodiscard]] Answer overlap(const bv::fit::Volume& a, const bv::fit::Volume& b, double slack = 0.0);

/// True if a volume in the world contains the body's mesh: every vertex of a small one, some thousands of a
/// large one. The band is the rounding error of a vertex.
[[nodiscard]] bool holds_mesh(const World& world, const BodyState& body, const bv::fit::Volume& volume);

/// The number of corners that `overlap` visits in each step.
[[nodiscard]] std::size_t corner_count(const bv::fit::Volume& volume);

}  // namespace lab::reference
