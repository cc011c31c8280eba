// The check behind the setting `verify`: everything that the step found quickly, found again slowly.
#pragma once

#include "world/world.hpp"

namespace lab {

/// Compares `results` (pairs of each stage and rays) with brute force over the world's bodies and validates
/// its tree. Counts into `results.checks` and adds one line there for each difference; at most a hundred are
/// kept.
void verify_frame(const World& world, FrameResults& results);

}  // namespace lab
