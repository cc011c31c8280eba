// Rays asked of the world: through the tree to the bodies, through their volumes to the exact triangles; and
// the same by looking at every triangle of every body, to compare with.
#pragma once

#include "sandbox/world.hpp"

namespace lab {

/// The nearest hit of the ray on any triangle of a body that is not hidden. Equal distances go to the smaller
/// body id, then to the smaller triangle number. Counters: tree nodes visited, triangles tested, and the
/// triangles that `cast_by_brute_force` tests.
RayQuery cast_ray(const World& world, RayQuery::Kind kind, const bv::Ray& ray);

/// The same answer without tree and volumes. `visited_nodes` stays empty.
RayQuery cast_by_brute_force(const World& world, RayQuery::Kind kind, const bv::Ray& ray);

}  // namespace lab
