// The stepper: which step of an algorithm the running scene shows, and how to move to other steps.
#pragma once

#include <cstddef>
#include <optional>

#include "session/commands/command_table.hpp"
#include "steps/walk.hpp"

namespace lab {

struct SessionParts;
struct SessionState;

class Stepper {
  public:
    explicit Stepper(SessionParts& parts);

    /// The walk of the running scene, and the current step.
    struct At {
        const steps::Walk* walk;
        steps::Position at;
    };
    /// Nothing in a scene without steps.
    [[nodiscard]] std::optional<At> now() const;
    /// Moves the scene's step counter, within its range.
    CommandResult move_by(int steps);
    /// Shows step `number` of the algorithm; 0 is its answer, and numbers beyond the end show the last step.
    CommandResult go_to(std::size_t number);
    /// Shows the next step that changes the answer, or the previous one.
    CommandResult go_to_change(bool forward);
    /// Plays the steps, from the first again if they had ended.
    CommandResult play(bool on);
    /// Time is paused while a step of an algorithm is shown.
    [[nodiscard]] bool is_at_a_step() const;
    /// Once per frame: advances the steps that are being played.
    void play_on(double dt_s);

  private:
    [[nodiscard]] std::optional<At> of_current_input();
    CommandResult show(std::size_t number, const std::optional<At>& stepped);
    [[nodiscard]] CommandResult no_steps() const;

    SessionParts& parts_;
    SessionState& state_;
    double owed_steps_ = 0;  ///< While it plays: less than one.
};

}  // namespace lab
