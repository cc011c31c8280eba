#include "render/draw_list.hpp"

namespace lab::render {

void DrawList::clear() {
    const DrawList fresh;
    background_top = fresh.background_top;
    background_bottom = fresh.background_bottom;
    ground = fresh.ground;
    meshes.clear();
    lines.clear();
    wire_aabbs.clear();
    wire_boxes.clear();
    wire_spheres.clear();
    solid_boxes.clear();
    solid_spheres.clear();
    solid_triangles.clear();
    points.clear();
    labels.clear();
    pictures.clear();
    screen_rects.clear();
    keep_clear.clear();
    screen_texts.clear();
    overlay_lines.clear();
    overlay_points.clear();
}

}  // namespace lab::render
