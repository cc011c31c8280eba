// Draws the data structure of a broadphase over a crowd: cells, planes, sorted intervals, tree nodes, and the
// boxes against which it tests one marked body.
#pragma once

#include "results/frame_results.hpp"
#include "world/world.hpp"

namespace lab::scenes {

/// For the engine that finds the pairs of `world`. The marked body is the selected one, or else the first.
/// For a flat crowd seen from above; extends the bounds of the results by what is drawn beside it.
void draw_broadphase(const World& world, FrameResults& results);

}  // namespace lab::scenes
