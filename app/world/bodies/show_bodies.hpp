// Writes the bodies of the world to the results, for pictures, panels and reports.
#pragma once

#include "results/frame_results.hpp"
#include "settings/settings.hpp"
#include "world/world.hpp"

namespace lab {

/// Writes bodies and pairs. Pairs, names and volumes are shared with the world, not copied.
void show_bodies(const World& world, FrameResults& results);

/// Computes the volumes that the picture needs and the world does not keep: those that settings and selection
/// ask for. Call it when bodies, rays and selection of `results` are up to date; does nothing unless
/// something has changed.
void show_volumes(const World& world, const Settings& settings, FrameResults& results);

}  // namespace lab
