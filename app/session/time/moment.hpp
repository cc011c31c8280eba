// Everything that a step of the session depends on, copied: what keyframes keep. Copies of settings,
// counters, the world with its pair finder, and the scene's own state.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/frame_results.hpp"
#include "scenes/scenes.hpp"
#include "session/edits.hpp"
#include "settings/settings.hpp"
#include "view/camera.hpp"
#include "view/selection.hpp"
#include "view/view_rect.hpp"

namespace lab {

class World;

/// From where and how a session is looked at. The onlooker keeps it while going through time.
struct ViewState {
    Camera camera, home;
    ViewRect rect;
    std::optional<glm::vec2> hover_px;
    Selection selection;
    std::vector<bv::BodyId> hidden;
    std::vector<bv::Ray> pinned;
    std::vector<RayQuery> picks;
    std::vector<std::pair<std::string_view, std::string>> settings;  ///< Those whose effect is on the view.
};

/// One moment. Restoring copies out of it, so it can be restored many times.
struct Moment {
    Settings settings;
    std::shared_ptr<const World> world;
    std::shared_ptr<const Scene> scene;
    ViewState view;
    Checks checks;
    EditHistory edits;
    std::vector<Body> copied;
    std::uint64_t frame = 0, steps = 0, spawned = 0;
};

}  // namespace lab
