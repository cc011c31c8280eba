// The viewer's part of a session's state: camera, selection and pinned rays.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "results/frame_results.hpp"
#include "view/camera.hpp"
#include "view/selection.hpp"
#include "view/view_rect.hpp"

namespace lab {

/// A node to be selected, and the bodies to be selected with it; empty: those of a leaf.
struct WantedNode {
    TreeNodeRef node;
    std::optional<std::vector<bv::BodyId>> bodies;
};

/// Unchanged by moving through time. Pixels count from the top left corner of the window.
struct View {
    Camera camera;  ///< For a picture of `Camera::kAspect`, whatever the window's shape.
    Camera home;    ///< As placed by the scene, for `camera.reset`.
    ViewRect rect;
    bool beside_charts = false;  ///< The scene's charts hide the right of the picture.
    /// In a scene with sentences: the share of the height that its first picture leaves free above it.
    std::optional<float> free_above;
    /// The step of the scene's own counter for which the camera is placed; a different step may move it.
    int followed_step = 0;
    std::optional<glm::vec2> hover_px;  ///< The pixel that the hover ray follows.
    Selection selection;
    std::optional<WantedNode> wanted_node;  ///< To be selected in the next results.
    bool wants_marks_framed = false;        ///< Frame what the scene marks in the next results.
    std::vector<bv::Ray> pinned_rays;
    std::vector<RayQuery> picks;  ///< Results of `pick`, oldest first; at most the last hundred.

    /// Whether +z points up in the picture; +y otherwise.
    void set_z_up(bool z_up) { camera.z_up = home.z_up = z_up; }
    /// Places the camera so that everything is in the picture; its angles stay.
    void frame_everything(const FrameResults& results);
    /// Sets `free_above` from what a scene shows as the camera is placed for it.
    void measure_free_above(const FrameResults& scene);
    /// The camera for the view rectangle of the window, used for pictures and picking.
    [[nodiscard]] Camera shown_camera() const;
    /// The ray from the eye through a pixel.
    [[nodiscard]] bv::Ray ray_through(glm::vec2 pixel) const;
    /// The pixel at which a point is seen; empty if it is behind the eye.
    [[nodiscard]] std::optional<glm::vec2> pixel_of(const glm::vec3& point) const;
};

}  // namespace lab
