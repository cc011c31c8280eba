// What a broadphase makes of a crowd, as exhibits: cells, planes, sorted intervals, tree nodes, and which
// other boxes it tests one marked body against.
#pragma once

#include "results/frame_results.hpp"
#include "world/world.hpp"

namespace lab::scenes {

/// For the engine that finds the pairs of `world`. The marked body is the selected one, or else the first.
/// Made for a flat crowd seen from above; the bounds of the results grow by what is drawn beside it.
void draw_broadphase(const World& world, FrameResults& results);

}  // namespace lab::scenes
