// The parts that build() puts together. Each draws one kind of thing and adds its rows to the legend.
#pragma once

#include <string>

#include "results/frame_results.hpp"
#include "settings/draw.hpp"
#include "settings/settings.hpp"
#include "viz/colors/legend.hpp"
#include "viz/painter.hpp"
#include "viz/plates.hpp"

namespace lab::viz {

struct Context {
    const FrameResults& results;
    const Settings& settings;
    const MeshHandles& meshes;
    const ViewInfo& view;
    Painter& paint;
    Legend& legend;
    Plates& plates;
    bool emphasizes_selected;
};

/// True if at most 12 bodies are selected: each is then emphasized. More would hide each other, so they look
/// as usual, with marked corners.
bool emphasizes_selected(const FrameResults& results);

void draw_bodies(const Context& c);
/// Voxels as lit cubes; `tint` is mixed into their own colors by `share`.
void draw_voxels(const Context& c, const VoxelBlock& block, Color tint = {}, float share = 0.0f);
void draw_volumes(const Context& c);
void draw_trees(const Context& c);
/// Lines between the bodies of a pair, velocity arrows, the arena.
void draw_pairs(const Context& c);
void draw_velocities(const Context& c);
void draw_arena(const Context& c);
void draw_rays(const Context& c);
void draw_exhibits(const Context& c);
/// The heatmap over the view, and its scale in the lower right corner of the free view.
void draw_heat(const Context& c);
[[nodiscard]] glm::vec2 heat_plate_size();
/// The selected triangle, and the gizmo with which the selection is moved.
void draw_selected_triangle(const Context& c);
void draw_gizmo(const Context& c);
void draw_band(const Context& c);
/// Interval charts and line charts at the right edge of the free view. Returns the size of the part of the
/// view, counted from that corner, that they cover.
glm::vec2 draw_charts(const Context& c);
/// The PAUSED notice, before other plates take its place.
void draw_paused(const Context& c);
/// Title, counts and the sentence of the stepper, before charts take their place.
void draw_captions(const Context& c);

}  // namespace lab::viz
