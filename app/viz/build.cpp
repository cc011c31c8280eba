#include "viz/build.hpp"

#include "viz/parts.hpp"

namespace lab::viz {

Theme theme_of(const Settings& settings) {
    return settings.choice("ui.theme") == "light" ? Theme::Light : Theme::Dark;
}

ViewOptions::ViewOptions(const Settings& s)
    : mesh(s.flag("draw.mesh")),
      volumes(drawn_volumes(s)),
      volumes_on(s.choice("draw.volumes_on")),
      fill(s.real("draw.fill")),
      line_width_px(s.real("draw.line_width")),
      tree(s.flag("draw.tree")),
      tree_leaves(s.flag("draw.tree_leaves")),
      tree_min_depth(s.integer("draw.tree_min_depth")),
      tree_max_depth(s.integer("draw.tree_max_depth")),
      tree_color(s.choice("draw.tree_color")),
      rays(s.flag("draw.rays")),
      ray_nodes(s.flag("draw.ray_nodes")),
      contacts(s.flag("draw.contacts")),
      velocity(s.flag("draw.velocity")),
      room(s.flag("draw.room")),
      labels(s.choice("draw.labels")),
      legend(s.flag("ui.legend")),
      heat_opacity(s.real("heat.opacity")) {}

bool shows_trees(const Settings& settings, const ViewInfo& view) {
    return settings.flag("draw.tree") || settings.flag("draw.ray_nodes") || !view.marked_tree.empty();
}

void build(const FrameResults& results, const Settings& settings, const Camera& camera,
           const MeshHandles& meshes, const ViewInfo& view_in, render::DrawList& list) {
    list.clear();
    const Palette& colors = palette(theme_of(settings));
    list.background_top = colors.background_top;
    list.background_bottom = colors.background_bottom;
    list.ground.grid = settings.flag("draw.grid");
    list.ground.axes = settings.flag("draw.axes");
    list.ground.line = colors.grid;
    list.ground.halo = colors.halo;
    if (!results.room.is_empty()) list.ground.height = results.room.min.y;

    ViewInfo view = view_in;
    if (view.free_max_px == glm::vec2(0.0f)) view.free_max_px = view.size_px;
    const ViewOptions options(settings);
    Painter painter(list, camera, view, colors);
    Legend legend;
    const Context context{results, options, meshes, view, painter, legend};
    // In the order of the legend, which is also the order in which a lesson would explain the picture.
    draw_bodies(context);
    draw_volumes(context);
    draw_exhibits(context);
    draw_pairs(context);
    draw_velocities(context);
    draw_rays(context);
    draw_trees(context);
    draw_room(context);
    draw_heat(context);
    draw_selected_triangle(context);
    draw_gizmo(context);
    draw_band(context);
    draw_charts(context);
    draw_screen(context);
}

}  // namespace lab::viz
