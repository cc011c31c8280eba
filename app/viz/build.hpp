// Turns the results of a frame into a DrawList: core shapes, trees and queries.
//
// Data in, data out: no OpenGL, no state that a step could depend on; the same results give the same list.
// Colors come from palette.hpp, what to draw from the settings of the group `draw`.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "bv/shapes/triangle.hpp"
#include "render/draw_list.hpp"
#include "results/frame_results.hpp"
#include "settings/settings.hpp"
#include "view/camera.hpp"
#include "view/gizmo.hpp"
#include "viz/colors/legend_row.hpp"
#include "viz/colors/palette.hpp"

namespace lab::viz {

/// The meshes of the sandbox's library on the GPU, by mesh number.
struct MeshHandles {
    std::vector<render::MeshHandle> by_mesh;
    render::MeshHandle cube;  ///< The cube [0, 1]^3, for voxels.
    /// The empty handle for a number that was never uploaded; it draws nothing.
    [[nodiscard]] render::MeshHandle of(MeshId id) const {
        return id.value < by_mesh.size() ? by_mesh[id.value] : render::MeshHandle{};
    }
};

/// In a view narrower than this, as on a phone, charts and texts have no space beside each other; px at
/// scale 1.
inline constexpr float kNarrowView_px = 440.0f;
/// In a view lower than this, charts and legends of full size would hide much of the scene.
inline constexpr float kLowView_px = 420.0f;

/// The picture for which the list is built. Lengths in pixels at display scale 1, counted from the top left.
struct ViewInfo {
    glm::vec2 size_px{1280.0f, 720.0f};
    glm::vec2 free_min_px{0.0f};   ///< The part that panels leave free; titles and legends stay inside it.
    glm::vec2 free_max_px{0.0f};   ///< Zero: all of the picture.
    std::string_view title;        ///< Of the scene; empty: none.
    bool panels = false;           ///< Panels are on screen and already show title and counts.
    std::string_view marked_tree;  ///< Id of the tree that `marked_node` belongs to; empty: none is marked.
    std::shared_ptr<const render::Image> heat;       ///< The heatmap as HeatPicture colored it; null: none.
    std::uint32_t marked_node = 0;                   ///< Index in the snapshot; drawn over everything else.
    std::optional<bv::Triangle> triangle;            ///< The selected one, in the world.
    std::optional<Gizmo> gizmo;                      ///< Of the selection.
    GizmoPart gizmo_lit = GizmoPart::None;           ///< Under the mouse, or held by it.
    glm::vec2 band_min_px{0.0f}, band_max_px{0.0f};  ///< The rectangle that is being drawn; equal: none.
    std::string_view held_handle;                    ///< Shown with its coordinates; empty: none.
    std::optional<glm::vec2> pointer_px;             ///< While it is over the view and drags nothing.
    /// The part of the view that the panels' text of the scene covers; equal: none.
    glm::vec2 card_min_px{0.0f}, card_max_px{0.0f};

    /// True in a low view with panels, whose tables hold the numbers of the charts. Without panels, a picture
    /// keeps its charts.
    [[nodiscard]] bool is_low() const { return panels && free_max_px.y - free_min_px.y < kLowView_px; }
};

/// The theme that the settings name.
[[nodiscard]] Theme theme_of(const Settings& settings);

/// Whether the trees of the results are drawn.
[[nodiscard]] bool shows_trees(const Settings& settings, const ViewInfo& view);

/// Clears `list`, keeping its memory, and fills it. Linear in what is drawn; 10,000 boxes take well under a
/// millisecond. Bodies, boxes and points that are not finite are left out. Returns all rows of the legend,
/// including those that do not fit.
std::vector<LegendRow> build(const FrameResults& results, const Settings& settings, const Camera& camera,
                             const MeshHandles& meshes, const ViewInfo& view, render::DrawList& list);

}  // namespace lab::viz
