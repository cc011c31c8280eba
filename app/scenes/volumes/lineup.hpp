// Compares every kind of bounding volume on the same bodies: of the pairs that a broadphase of fixed boxes
// passes on, how many does the kind pass on, and how many of those do not touch?
#pragma once

#include "results/lineup_result.hpp"
#include "world/world.hpp"

namespace lab {

LineupResult compare_volumes(const World& world);

}  // namespace lab
