// From the world to what pictures, panels and reports read of its bodies.
#pragma once

#include "results/frame_results.hpp"
#include "settings/settings.hpp"
#include "world/world.hpp"

namespace lab {

/// Takes over bodies and pairs. Pairs, names and volumes are shared with the world, not copied.
void show_bodies(const World& world, FrameResults& results);

/// Provides the volumes that the picture shows and the world does not keep: those that settings and selection
/// ask for, fitted for the bodies that show them. To be called when bodies, rays and selection of `results`
/// are those of the frame; does nothing while nothing has changed.
void show_volumes(const World& world, const Settings& settings, FrameResults& results);

}  // namespace lab
