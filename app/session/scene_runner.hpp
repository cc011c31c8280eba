// The running scene: starts, restarts and leaves it, applies the settings to the world, and takes the fixed
// steps.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "bv/function_ref.hpp"
#include "bv/tree/tree_options.hpp"
#include "scenes/scenes.hpp"
#include "session/commands/command_table.hpp"

namespace lab {

struct SessionParts;
struct SessionState;
struct WorldOptions;
class Settings;

class SceneRunner {
  public:
    explicit SceneRunner(SessionParts& parts);

    // ---- starting
    CommandResult load(std::string_view id);
    /// The same for a record, whose settings `prepare` sets once the previous scene has been left.
    CommandResult load(std::string_view id, bv::FunctionRef<void()> prepare);
    /// Starts the default scene if none runs.
    void ensure();
    /// Restarts the scene; camera and settings stay.
    void restart();
    /// Loads the scene `offset` rows further down the table.
    CommandResult change(int offset);
    /// Starts the default scene after an exception left the scene in an unknown state, with a message.
    void give_up(const char* why);
    /// True from the first change of a start until the scene's record has begun. After an exception in
    /// between, there is neither scene nor record.
    [[nodiscard]] bool is_starting() const { return is_starting_; }
    /// Records the differences between the settings and the user's own as presets.
    void note_presets(const Settings& own);

    /// Makes the settings of the scene's panel keep their current values when the scene is left.
    void keep_shared_settings();

    // ---- a frame
    /// Updates scene and world to the settings.
    void adapt();
    void apply_world_settings();
    void fixed_step();
    /// Warns once, with the reason, when the world cannot follow the settings.
    void warn_about_settings(const WorldOptions& before);
    void warn_about_pairs();
    void job_ended();
    [[nodiscard]] SceneContext context();

    // ---- commands
    /// The refusal of an unknown value of the scene.
    [[nodiscard]] CommandResult no_value(std::string_view id) const;
    /// The handles as the commands so far have left them, also before the first frame.
    [[nodiscard]] std::vector<Handle> handles();
    CommandResult drag_handle(std::string_view id, const glm::vec3& position);
    /// Changes settings of the world, which the scene follows at once. Whatever it rebuilds or sets in
    /// response belongs to the same edit, and later lines in the same frame act on it.
    CommandResult change_settings(bv::FunctionRef<CommandResult()> change);
    /// Lets the scene react to changed settings, so that later commands in the same frame act on the result.
    void let_scene_adapt();
    /// For undo and redo, see Scene::restore.
    void restore_input(const SceneInput& from, const SceneInput& to);
    /// An action of the player in a game scene; other scenes refuse it.
    CommandResult play(std::string_view action);
    /// A click on the view that hits no body.
    void pick(const bv::Ray& ray);
    void rebuild_tree(std::optional<bv::Builder> builder);

  private:
    void leave_for(const SceneSpec& spec);
    void begin();
    void take_back_presets();
    [[nodiscard]] bool has_edits() const;
    /// Lets the scene do something, after which undo does not bring back bodies that it has replaced.
    void let_scene(bv::FunctionRef<void()> act);
    /// Which changes of the scene's input are edits: a click may choose something without an edit.
    enum class Noted : unsigned char { AnyChange, AddedOrRemoved };
    void change_input(std::string_view label, Noted noted, bv::FunctionRef<void()> change);
    void note_shared_settings(const SceneSpec& spec);

    SessionParts& parts_;
    SessionState& state_;
    bool is_starting_ = false;
    bool warned_of_stand_in_ = false;
    bool warned_of_untested_ = false;
    bool warned_of_left_out_ = false;
};

}  // namespace lab
