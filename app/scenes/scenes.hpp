// The scenes. To add one, write a source with its class and its SceneSpec, named after the file
// (`extern const SceneSpec NAME_scene`), and add its path to scenes.list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/file_kind.hpp"
#include "results/frame_results.hpp"
#include "scenes/scene_input.hpp"
#include "settings/settings.hpp"
#include "view/camera.hpp"

namespace lab {

class Jobs;
class MeshLibrary;
class MessageLog;
class World;
struct OpenedFiles;
namespace steps {
class Walk;
}

/// The services available to a scene. The references live as long as the session.
struct SceneContext {
    World& world;
    MeshLibrary& meshes;
    /// Values set here in `setup` are reverted when the user leaves the scene, unless the user has changed
    /// them.
    Settings& settings;
    const OpenedFiles& opened;
    MessageLog& messages;
    std::uint64_t& file_problems;  ///< Counts files that could not be read; each has its message.
    /// What a scene makes anew for a line adds its work here, about one for a microsecond: a record can hold
    /// any number of such lines. A count, not a time: the same on every machine.
    std::uint64_t& work;
    Camera& camera;
    int& followed_step;  ///< See `View::followed_step`.
    /// For work that would block a frame. A scene's jobs are cancelled with it, without a message. In `Wait`
    /// mode they are done when `start` returns, and `job_ended` is not called.
    Jobs& jobs;
    std::uint64_t seed = 0;
    /// True: the camera frames everything after setup. A scene that places the camera clears it.
    bool frame_camera = true;
    /// The box that then fills the picture; empty: the arena, or else all bodies and exhibits.
    bv::Aabb frame_box;
};

/// A running scene. It fills the world in `setup`; motion, refit, broadphase, narrow phase and queries are
/// done by the session. All of its behavior must follow from the seed and the commands.
class Scene {
  public:
    virtual ~Scene() = default;
    virtual void setup(SceneContext& context) = 0;
    /// Once per frame, before the steps and also while paused: follows the settings.
    virtual void adapt(SceneContext& /*context*/) {}
    /// Once per fixed step, before the bodies move.
    virtual void step(SceneContext& /*context*/, float /*dt_s*/) {}
    /// `scene.drag ID X Y Z`. False if there is no such handle.
    virtual bool drag(SceneContext& /*context*/, std::string_view /*handle*/, const glm::vec3& /*position*/) {
        return false;
    }
    /// The walk for the stepper, made in `analyze`; null in scenes without steps of an algorithm.
    [[nodiscard]] virtual const steps::Walk* stepped_walk() const { return nullptr; }
    /// An action of the player: `left`, `right`, `fire`, `cut`. False if the scene does not use it.
    virtual bool play(SceneContext& /*context*/, std::string_view /*action*/) { return false; }
    /// A click on the view that hits no body of the world: for objects that only the scene knows.
    virtual void pick(SceneContext& /*context*/, const bv::Ray& /*ray*/) {}
    /// What the user adds, removes, drags or cuts (points, boxes, corners, handles, pieces), as a value that
    /// `restore` takes back: undo brings it back bit for bit. Without an input undo drags handles back.
    [[nodiscard]] virtual SceneInput input() const { return {}; }
    /// Changes the input as an edit or its undo does. Parts that are equal in both values were not edited:
    /// those that move by themselves stay where they are now.
    virtual void restore(const SceneInput& /*from*/, const SceneInput& /*to*/) {}
    /// The number of points, boxes, corners or pieces, for the panel.
    [[nodiscard]] virtual std::size_t input_size() const { return 0; }
    /// After some of the scene's jobs have ended, between two frames. A scene whose jobs make bodies returns
    /// true once the world is what `setup` would have made in `Wait` mode.
    virtual bool job_ended(SceneContext& /*context*/) { return false; }
    /// True if a click on the view pins the ray that follows the mouse, replacing the last pinned one.
    [[nodiscard]] virtual bool pins_picks() const { return false; }
    /// Once per frame, after the queries and before `show`: the scene's own computations for this frame.
    virtual void analyze(const SceneContext& /*context*/, const FrameResults& /*results*/) {}
    /// Once per frame: adds exhibits, handles, tables and trees. Computes nothing that takes long.
    virtual void show(const SceneContext& /*context*/, FrameResults& /*results*/) const {}
    /// A copy that continues exactly as this scene would. See SceneOf.
    [[nodiscard]] virtual std::unique_ptr<Scene> clone() const = 0;
    /// The approximate size of a copy, in bytes. Scenes with much data override it.
    [[nodiscard]] virtual std::size_t memory_bytes() const { return std::size_t{1} << 14; }
};

/// The base of every scene: `class Teapots final : public SceneOf<Teapots>`.
template <class Derived>
class SceneOf : public Scene {
  public:
    [[nodiscard]] std::unique_ptr<Scene> clone() const override {
        return std::make_unique<Derived>(static_cast<const Derived&>(*this));
    }
};

/// The running scene as a value: a copy holds a copy of the scene.
class ScenePtr {
  public:
    ScenePtr() = default;
    explicit ScenePtr(std::unique_ptr<Scene> scene) : scene_(std::move(scene)) {}
    ScenePtr(const ScenePtr& other) : scene_(other.scene_ ? other.scene_->clone() : nullptr) {}
    ScenePtr(ScenePtr&&) noexcept = default;
    ScenePtr& operator=(const ScenePtr& other) {
        if (this != &other) scene_ = other.scene_ ? other.scene_->clone() : nullptr;
        return *this;
    }
    ScenePtr& operator=(ScenePtr&&) noexcept = default;
    ~ScenePtr() = default;

    [[nodiscard]] Scene* get() { return scene_.get(); }
    [[nodiscard]] const Scene* get() const { return scene_.get(); }
    [[nodiscard]] Scene* operator->() { return scene_.get(); }
    [[nodiscard]] const Scene* operator->() const { return scene_.get(); }
    [[nodiscard]] explicit operator bool() const { return scene_ != nullptr; }

  private:
    std::unique_ptr<Scene> scene_;
};

/// A factory for rows.
template <class Kind>
std::unique_ptr<Scene> make_scene() {
    return std::make_unique<Kind>();
}

/// A command that only this scene understands. It calls `Scene::play` with the action.
struct SceneCommand {
    std::string_view id;
    std::string_view help;
    std::string_view action;
    KeyBinding key = {};
    bool repeats = false;          ///< While its key is held.
    std::string_view button = {};  ///< On its button under "This scene"; empty: none.
};

/// Everything known about a scene. Ids are stable.
struct SceneSpec {
    std::string_view id;
    std::string_view category;  ///< Start, Volumes, Queries, Trees, Meshes, Your files.
    std::string_view title;
    std::string_view summary;  ///< One or two sentences for the list and the help.
    std::unique_ptr<Scene> (*make)() = nullptr;
    /// The settings in its panel: its own, and those of the program that matter here.
    std::span<const SettingSpec* const> settings = {};
    std::span<const SceneCommand> commands = {};
    /// The number that the stepper and the arrow keys move: steps of an algorithm, nodes of a traversal,
    /// levels of a tree.
    const Setting<int>* steps = nullptr;
    /// Instead of `steps`: the commands that `scene.step` runs, back and forth.
    std::array<std::string_view, 2> step_commands = {};
    /// How many points or boxes the scene makes, which the user then adds to or removes from; the panel shows
    /// `Scene::input_size` for it.
    const Setting<int>* count = nullptr;
    bool clicks_change = false;  ///< A click that hits no body changes what a step or a table depends on.
    bool charts = false;         ///< Charts stand in the view's corner, where the picture leaves them room.
    io::FileKind shows = io::FileKind::Unknown;  ///< The kind of opened files that this scene shows.
    /// With `shows`: while this is on, the scene shows an example of its own. Opening a file turns it off.
    const Setting<bool>* own_example = nullptr;
    /// Its settings are listed after those of scenes without this, as in stored files.
    bool settings_last = false;

    [[nodiscard]] bool offers(const SettingSpec& setting) const;
};

/// The table, in the order of lists and of `scene next`.
std::span<const SceneSpec> scene_specs();
const SceneSpec* find_scene(std::string_view id);
/// The scene that shows opened files of a kind. Precondition: there is one.
const SceneSpec& scene_showing(io::FileKind kind);
/// Turns off the scene's `own_example`. True if it was on.
bool show_opened_files(const SceneSpec& spec, Settings& settings);
/// The refusal of an unknown scene, with a suggestion.
std::string no_scene(std::string_view id);

/// All settings: those of the program, and those of the scenes.
const SettingCatalog& setting_catalog();
/// Settings of the program except for `draw`, `spawn` and `ui`, which have panels of their own.
std::span<const SettingSpec* const> program_settings();

}  // namespace lab
