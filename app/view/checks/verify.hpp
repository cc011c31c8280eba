// The check behind the setting `verify`: compares the fast results of a step with brute force.
#pragma once

#include "world/world.hpp"

namespace lab {

/// Compares `results` (pairs of each stage and rays) with brute force over the world's bodies, and validates
/// its tree. Adds counts and a line for each difference to `results.checks`, at most a hundred.
void verify_frame(const World& world, FrameResults& results);

}  // namespace lab
