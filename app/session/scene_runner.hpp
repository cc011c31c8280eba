// The running scene: starts, restarts and leaves it, applies the settings to the world, and takes the fixed
// steps.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string_view>

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
    /// Starts the default scene if none runs.
    void ensure();
    /// The same scene from its start; the camera stays, and so do the settings.
    void restart();
    /// The scene `offset` rows on in the table.
    CommandResult change(int offset);
    /// Something threw and left the scene in an unknown state: starts the default scene, and says why.
    void give_up(const char* why);
    /// True while a scene is being set up: what throws then has left no scene behind.
    [[nodiscard]] bool is_starting() const { return is_starting_; }
    /// Undoes what the running scene set for itself, for good.
    void take_back_presets();
    /// Notes as presets where the settings now differ from the user's own.
    void note_presets(const Settings& own);

    // ---- a frame
    /// Lets the scene and the world follow the settings.
    void adapt();
    void apply_world_settings();
    void fixed_step();
    /// Warns once where the settings or the number of pairs make the world do something else than asked.
    void warn_about_settings(const WorldOptions& before);
    void warn_about_pairs();
    void job_ended();
    [[nodiscard]] SceneContext context();

    // ---- commands
    /// Moves the scene's own counter, within its range.
    CommandResult step_counter(int by);
    /// Of the scene's own tree; stops time.
    CommandResult step_operations(int by);
    CommandResult drag_handle(std::string_view id, const glm::vec3& position);
    /// What a player does in a scene that is a game; other scenes refuse it.
    CommandResult play(std::string_view action);
    void rebuild_tree(std::optional<bv::Builder> builder);

  private:
    void begin();

    SessionParts& parts_;
    SessionState& state_;
    bool is_starting_ = false;
    bool warned_of_stand_in_ = false;
    bool warned_of_untested_ = false;
    bool warned_of_left_out_ = false;
};

}  // namespace lab
