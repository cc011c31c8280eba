#include "viz/build.hpp"

#include <utility>
#include <vector>

#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/view.hpp"
#include "viz/parts.hpp"

namespace lab::viz {

Theme theme_of(const Settings& settings) {
    return settings[kUiTheme];
}

bool shows_trees(const Settings& settings, const ViewInfo& view) {
    return settings[kDrawTree] || settings[kDrawRayNodes] || !view.marked_tree.empty();
}

std::vector<LegendRow> build(const FrameResults& results, const Settings& settings, const Camera& camera,
                             const MeshHandles& meshes, const ViewInfo& view_in, render::DrawList& list) {
    list.clear();
    const Palette& colors = palette(theme_of(settings));
    list.background_top = colors.background_top;
    list.background_bottom = colors.background_bottom;
    list.ground.grid = settings[kDrawGrid];
    list.ground.axes = settings[kDrawAxes];
    list.ground.line = colors.grid;
    list.ground.halo = colors.halo;
    list.ground.z_up = camera.z_up;
    if (!results.arena.is_empty())
        list.ground.height = camera.z_up ? results.arena.min.z : results.arena.min.y;

    ViewInfo view = view_in;
    if (view.free_max_px == glm::vec2(0.0f)) view.free_max_px = view.size_px;
    Painter painter(list, camera, view, colors, settings[kDrawLineWidth] / kUsualWidth_px);
    Legend legend;
    if (view.card_max_px.y > view.card_min_px.y)
        list.keep_clear.push_back({view.card_min_px, view.card_max_px, {}, 0.0f});
    std::vector<glm::vec2> handles_px;
    constexpr float kHandleRadius = 8.0f;
    for (const Handle& handle : results.handles) {
        const auto at = camera.project(handle.position, view.size_px);
        if (!at || !handle.given.in_view) continue;
        handles_px.push_back(*at);
        const bool inside = at->x >= kHandleRadius && at->y >= kHandleRadius;
        if (!handle.bare && inside)
            list.keep_clear.push_back({*at - kHandleRadius, *at + kHandleRadius, {}, kHandleRadius});
    }
    Plates plates(view, std::move(handles_px), Outline(results, camera, view.size_px));
    const Context context{results, settings, meshes, view,
                          painter, legend,   plates, emphasizes_selected(results)};
    // In the order of the legend, which is also the order in which a teacher would explain the picture.
    draw_bodies(context);
    draw_volumes(context);
    draw_exhibits(context);
    draw_pairs(context);
    draw_velocities(context);
    draw_rays(context);
    draw_trees(context);
    draw_arena(context);
    draw_paused(context);
    draw_heat(context);
    draw_selected_triangle(context);
    draw_gizmo(context);
    draw_band(context);
    draw_captions(context);
    const glm::vec2 charts_px = draw_charts(context);
    if (settings[kUiLegend]) legend.draw(painter, view, charts_px, plates);
    return legend.rows();
}

}  // namespace lab::viz
