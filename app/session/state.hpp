// The state of a session as one value: everything that a step or a command can change. A copy is a keyframe
// of the record; a saved scene is written from it. It excludes data that outlives scenes (meshes, opened
// files) and derived data (results, messages).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/triangle.hpp"
#include "results/frame_results.hpp"
#include "scenes/scenes.hpp"
#include "session/edits/edits.hpp"
#include "settings/settings.hpp"
#include "view/view.hpp"
#include "world/world.hpp"

namespace lab {

/// A setting that the running scene has set. Leaving the scene reverts it.
struct Preset {
    const SettingSpec* setting;
    std::string was, set_to;
};

struct SceneState {
    const SceneSpec* spec = nullptr;  ///< Its row; null before the first scene.
    ScenePtr running;
    std::uint64_t seed = 0;  ///< The seed that it began with; a new one takes effect when the scene restarts.
    std::vector<Preset> presets;
    /// The settings of its panel as they were when it was entered. Leaving the scene reverts those that other
    /// scenes share; only this scene reads the rest.
    std::vector<std::pair<const SettingSpec*, std::string>> entered_with;
};

/// Counters of a scene's time. Frames are counted by the record: see Timeline::place.
struct SessionClock {
    static constexpr double kFixedStep_s = 1.0 / 60.0;

    std::uint64_t steps = 0;    ///< Fixed steps since the scene began.
    double owed_s = 0;          ///< Time not yet simulated: less than a fixed step.
    int queued_steps = 0;       ///< Requested by `step N`.
    std::uint64_t spawned = 0;  ///< Spawn commands in this scene; each has its own random stream.

    /// Simulated time since the scene began.
    [[nodiscard]] double time_s() const { return static_cast<double>(steps) * kFixedStep_s; }
    void queue(int count);
};

struct SessionState {
    /// `meshes` must outlive the state and all its copies.
    explicit SessionState(const MeshLibrary& meshes) : world(meshes) {}

    World world;
    SceneState scene;
    Settings settings{setting_catalog()};
    View view;
    EditHistory edits;
    std::shared_ptr<const std::vector<Body>> clipboard;  ///< Null before the first copy.
    /// The record in which the bodies were copied; 0 if they were copied in the past of it and time has moved
    /// since.
    std::uint64_t clipboard_record = 0;
    SessionClock clock;
    Checks checks;

    /// The approximate size of a copy.
    [[nodiscard]] std::size_t memory_bytes() const {
        return world.memory_bytes() + (scene.running ? scene.running->memory_bytes() : 0);
    }
    /// The user's settings: without the presets of the running scene.
    [[nodiscard]] Settings settings_without_presets() const;
    /// The body selected last.
    [[nodiscard]] bv::BodyId selected() const { return view.selection.primary(); }
    /// The center of all visible selected bodies, about which they turn.
    [[nodiscard]] std::optional<glm::vec3> selection_pivot() const;
    /// The selected triangle at its current position in the world.
    [[nodiscard]] std::optional<bv::Triangle> selected_triangle() const;
};

/// The viewer's part of a state. Some of it is stored elsewhere: hidden bodies in the world, and settings
/// with an effect on the view among the others.
struct HeldView {
    View view;
    Settings settings{setting_catalog()};  ///< Only those with an effect on the view are used.
    std::vector<bv::BodyId> hidden;        ///< In order of ids.
    bool is_grouping = false;              ///< Edits are merged, as in a drag.
    std::string fresh_group;  ///< The label of a group that has no edit yet; empty if there is none.
    std::uint64_t times_forgotten = 0;  ///< Clearings of the edits: see EditHistory::times_cleared.
    std::shared_ptr<const std::vector<Body>> clipboard;
    bool copied_now = false;  ///< In the past: the bodies were copied at the moment on show.
};
[[nodiscard]] HeldView hold_view(const SessionState& state);
/// Applies a held view, except for edits and clipboard. Bodies that the state does not have are ignored.
void put_view(SessionState& state, const HeldView& held);

}  // namespace lab
