// The state of a session as one value: everything that a step or a command can change. A copy of it is a
// keyframe of the record; a saved scene is written from it. What outlives scenes (meshes, opened files) and
// what is only derived (results, messages) is not a part of it.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// A setting that the running scene has set for itself. Leaving the scene takes it back.
struct Preset {
    const SettingSpec* setting;
    std::string was, set_to;
};

struct SceneState {
    const SceneSpec* spec = nullptr;  ///< Its row; null before the first scene.
    ScenePtr running;
    std::vector<Preset> presets;
};

/// Counters of a scene's time. Frames are counted by the record: see Timeline::place.
struct SessionClock {
    static constexpr double kFixedStep_s = 1.0 / 60.0;

    std::uint64_t steps = 0;    ///< Fixed steps since the scene began.
    double owed_s = 0;          ///< Time that did not make up a whole fixed step yet.
    int queued_steps = 0;       ///< Asked for by `step N`.
    std::uint64_t spawned = 0;  ///< Spawn commands in this scene: each has a random stream of its own.

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
    std::vector<Body> clipboard;
    SessionClock clock;
    Checks checks;

    /// About what a copy takes.
    [[nodiscard]] std::size_t memory_bytes() const {
        return world.memory_bytes() + (scene.running ? scene.running->memory_bytes() : 0);
    }
    /// The settings as the user left them: without what the running scene set for itself.
    [[nodiscard]] Settings settings_without_presets() const;
    /// The body that was selected last.
    [[nodiscard]] bv::BodyId selected() const { return view.selection.primary(); }
    /// The middle of all selected bodies that are not hidden: what they turn about.
    [[nodiscard]] std::optional<glm::vec3> selection_pivot() const;
    /// The selected triangle in the world, as it stands now.
    [[nodiscard]] std::optional<bv::Triangle> selected_triangle() const;
};

/// The viewer's part of a state, apart from it. A few things that belong to the view act elsewhere: bodies
/// are hidden in the world, and settings whose effect is on the view stand among the others.
struct HeldView {
    View view;
    Settings settings{setting_catalog()};  ///< Only those with an effect on the view count.
    std::vector<bv::BodyId> hidden;        ///< In order of ids.
};
[[nodiscard]] HeldView hold_view(const SessionState& state);
/// Lets the state be looked at in this way. Bodies that it does not have are left out.
void put_view(SessionState& state, const HeldView& held);

}  // namespace lab
