// Commands of the stepper: the same in every scene that shows an algorithm step by step.
#include <array>

#include "commands/tables.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "settings/steps.hpp"

namespace lab::commands {
namespace {

CommandResult move_by(Session& session, CommandArgs args, int sign) {
    ArgReader read(args);
    const long long by = read.more() ? read.integer("N", 1, kMaxStepNumber) : 1;
    if (read.problem()) return read.problem();
    return session.parts().stepper.move_by(sign * static_cast<int>(by));
}

CommandResult next(Session& session, CommandArgs args) {
    return move_by(session, args, 1);
}

CommandResult previous(Session& session, CommandArgs args) {
    return move_by(session, args, -1);
}

CommandResult first(Session& session, CommandArgs) {
    return session.parts().stepper.go_to(1);
}

CommandResult last(Session& session, CommandArgs) {
    return session.parts().stepper.go_to(kMaxStepNumber);
}

CommandResult go_to(Session& session, CommandArgs args) {
    ArgReader read(args);
    const long long number = read.integer("N", 0, kMaxStepNumber);
    if (read.problem()) return read.problem();
    return session.parts().stepper.go_to(static_cast<std::size_t>(number));
}

CommandResult change(Session& session, CommandArgs args) {
    if (!args.empty() && args[0] != "back") return "use `step.change` or `step.change back`";
    return session.parts().stepper.go_to_change(args.empty());
}

CommandResult play(Session& session, CommandArgs args) {
    if (args.empty()) {
        const auto stepped = session.parts().stepper.now();
        return session.parts().stepper.play(!(stepped && stepped->at.playing));
    }
    if (args[0] != "on" && args[0] != "off") return "use `step.play`, `step.play on` or `step.play off`";
    return session.parts().stepper.play(args[0] == "on");
}

constexpr std::array kStepRows = {
    CommandSpec{
        .id = "step.next",
        .usage = "[N]",
        .help = "Go to the next step of the algorithm, such as a rotation",
        .category = "Steps",
        .max_args = 1,
        .run = next,
        .effect = Effect::View,
        .moves_step = true,
        .repeats = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "step.back",
        .usage = "[N]",
        .help = "Go back to the previous step of the algorithm",
        .category = "Steps",
        .max_args = 1,
        .run = previous,
        .effect = Effect::View,
        .moves_step = true,
        .repeats = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "step.first",
        .help = "Go to the first step of the algorithm",
        .category = "Steps",
        .run = first,
        .effect = Effect::View,
        .moves_step = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "step.last",
        .help = "Go to the last step of the algorithm",
        .category = "Steps",
        .run = last,
        .effect = Effect::View,
        .moves_step = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "step.goto",
        .usage = "N",
        .help = "Go to step N of the algorithm; 0: the result",
        .category = "Steps",
        .min_args = 1,
        .max_args = 1,
        .run = go_to,
        .effect = Effect::View,
        .moves_step = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "step.change",
        .usage = "[back]",
        .help = "Go to the next step that changes the result, or to the previous one",
        .category = "Steps",
        .max_args = 1,
        .run = change,
        .effect = Effect::View,
        .moves_step = true,
        .keys = {{"Shift+Right", "", "Next step that changes the result"},
                 {"Shift+Left", "back", "Previous step that changes the result"}},
        .repeats = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "step.play",
        .usage = "[on|off]",
        .help = "Play the steps automatically, or stop",
        .category = "Steps",
        .max_args = 1,
        .run = play,
        .effect = Effect::View,
        .moves_step = true,
        .reads_results = true,
    },
};

}  // namespace

std::span<const CommandSpec> step_commands() {
    return kStepRows;
}

}  // namespace lab::commands
