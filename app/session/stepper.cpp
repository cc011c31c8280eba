#include "session/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "session/parts.hpp"
#include "settings/steps.hpp"

namespace lab {

Stepper::Stepper(SessionParts& parts) : parts_(parts), state_(parts.state) {}

CommandResult Stepper::move_by(int by) {
    const SceneSpec& scene = *state_.scene.spec;
    if (const std::string_view command = scene.step_commands[by > 0 ? 1 : 0]; !command.empty()) {
        constexpr int kMaxMoves = 1000;  // each is a line of its own
        const auto times = static_cast<std::size_t>(std::abs(std::clamp(by, -kMaxMoves, kMaxMoves)));
        parts_.queue.push_repeated(std::string(command), parts_.runner.current().origin, times);
        return std::nullopt;
    }
    if (const auto stepped = of_current_input()) {
        // The answer, number 0, comes after the last step; stepping on from it starts over.
        const auto size = static_cast<long long>(stepped->walk->size());
        const auto from = static_cast<long long>(stepped->at.number);
        const long long to = by < 0 && from == 0 ? size + 1 + by : from + by;
        return show(static_cast<std::size_t>(std::clamp(to, std::min(1LL, size), size)), stepped);
    }
    const Setting<int>* counter = scene.steps;
    if (!counter) return no_steps();
    const int to = std::clamp(state_.settings[*counter] + by, static_cast<int>(counter->min),
                              static_cast<int>(counter->max));
    state_.settings.assign(*counter, to);
    return std::nullopt;
}

std::optional<Stepper::At> Stepper::now() const {
    const steps::Walk* walk = state_.scene.running ? state_.scene.running->stepped_walk() : nullptr;
    const Setting<int>* at = state_.scene.spec ? state_.scene.spec->steps : nullptr;
    if (!walk || !at) return std::nullopt;
    return At{walk, steps::position_of(state_.settings, *at, walk->size())};
}

/// The walk of the input as it is now: a setting or a value may have changed on the same line. Before the
/// first frame a scene whose walk follows from results, such as a ray's, has none.
std::optional<Stepper::At> Stepper::of_current_input() {
    if (!now()) {
        if (state_.scene.running && state_.scene.spec->steps) parts_.frame.update();
    } else {
        parts_.frame.update_before_first();
        SceneContext scene_context = parts_.scenes.context();
        state_.scene.running->adapt(scene_context);
        parts_.frame.analyze_scene(parts_.results);
    }
    return now();
}

CommandResult Stepper::go_to(std::size_t number) {
    return show(number, of_current_input());
}

CommandResult Stepper::show(std::size_t number, const std::optional<At>& stepped) {
    const Setting<int>* at = state_.scene.spec->steps;
    if (!at) return no_steps();
    // If the walk is not made yet, the number is kept; once it is made, the scene shows at most its last
    // step.
    const std::size_t last = stepped ? stepped->walk->size() : static_cast<std::size_t>(at->max);
    const auto to = static_cast<int>(std::min({number, last, static_cast<std::size_t>(at->max)}));
    state_.settings.assign(*at, std::max(to, static_cast<int>(at->min)));
    return std::nullopt;
}

CommandResult Stepper::go_to_change(bool forward) {
    const auto stepped = of_current_input();
    if (!stepped) return no_steps();
    const std::size_t from = stepped->at.number;
    if (forward) return show(stepped->walk->next_change(from), stepped);
    return show(stepped->walk->previous_change(from == 0 ? stepped->walk->size() + 1 : from), stepped);
}

CommandResult Stepper::play(bool on) {
    const auto stepped = of_current_input();
    if (!stepped) return no_steps();
    state_.settings.assign(kStepPlaying, on);
    const bool ended = stepped->at.number == 0 || stepped->at.number >= stepped->walk->size();
    return on && ended ? show(1, stepped) : std::nullopt;
}

bool Stepper::is_at_a_step() const {
    const auto stepped = now();
    return stepped && stepped->at.number != 0;
}

/// By commands, as if the user pressed the key, so that recordings hold each step.
void Stepper::play_on(double dt_s) {
    const auto stepped = now();
    // While a recording shows its own view, it holds the steps, too.
    if (!stepped || !state_.settings[kStepPlaying] || parts_.recorder.shows_recorded_view()) {
        owed_steps_ = 0;
        return;
    }
    owed_steps_ += dt_s * static_cast<double>(state_.settings[kStepSpeed]);
    const double whole = std::floor(owed_steps_ + 1e-6);
    owed_steps_ -= whole;
    const auto left = static_cast<double>(stepped->walk->size() - stepped->at.number);
    const auto count = static_cast<int>(std::min({whole, left, 1000.0}));
    if (count > 0) parts_.queue.push(fmt::format("step.next {}", count));
    if (!stepped->at.playing) parts_.queue.push("step.play off");
}

CommandResult Stepper::no_steps() const {
    const SceneSpec& scene = *state_.scene.spec;
    if (scene.steps || !scene.step_commands[1].empty())
        return fmt::format("The scene `{}` shows no algorithm's steps now; `step.next` and `step.back` go on",
                           scene.id);
    const auto specs = scene_specs();
    const auto example = std::find_if(specs.begin(), specs.end(),
                                      [](const SceneSpec& spec) { return spec.steps == &kStepAt; });
    return fmt::format("There are no steps here: start a scene that shows an algorithm, like `scene {}`",
                       example->id);
}

}  // namespace lab
