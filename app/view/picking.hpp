// Casts rays into the world: through the tree to the bodies, through their volumes to the exact triangles.
#pragma once

#include "world/world.hpp"

namespace lab {

/// The nearest hit of the ray on any triangle of a visible body, in single precision: through the tree of
/// bodies (or the box of every body, if the broadphase keeps no tree), their volumes and the trees of their
/// triangles. Equal distances go to the smaller body id, then to the smaller triangle number. Counters: nodes
/// of the tree of bodies, triangles tested, and all triangles that can be hit.
RayQuery cast_ray(const World& world, RayQuery::Kind kind, const bv::Ray& ray);

/// The work of `cast_ray`.
struct RayCost {
    std::uint32_t nodes = 0;      ///< Visited, of the tree of bodies and of the trees of their triangles.
    std::uint32_t triangles = 0;  ///< Tested.
};
/// Only counts. Thread-safe while the world does not change.
RayCost ray_cost(const World& world, const bv::Ray& ray);

}  // namespace lab
