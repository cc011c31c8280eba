// Commands that go through the recorded time of a scene, and write it to a file.
#include <algorithm>
#include <array>

#include "commands/tables.hpp"
#include "session/session.hpp"
#include "session/time/recorder.hpp"
#include "session/time/timeline.hpp"

namespace lab::commands {
namespace {

CommandResult time_goto(Session& session, CommandArgs args) {
    const Timeline& timeline = session.timeline();
    if (args[0] == "start") return session.recorder().go_to_step(timeline.first_step());
    if (args[0] == "end") return session.recorder().go_to_step(timeline.last_step());
    ArgReader read(args);
    const auto step = read.integer("STEP", 0, 1'000'000'000);
    return read.problem() ? read.problem() : session.recorder().go_to_step(static_cast<std::uint64_t>(step));
}

CommandResult time_back(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto count = static_cast<std::uint64_t>(read.more() ? read.integer("N", 1, 1'000'000) : 1);
    if (read.problem()) return read.problem();
    const std::uint64_t now = session.timeline().place().steps;
    const std::uint64_t first = session.timeline().first_step();
    return session.recorder().go_to_step(now - std::min(count, now - first));
}

CommandResult record_save(Session& session, CommandArgs args) {
    return session.recorder().save(args.empty() ? std::string("bvlab.bvrec") : args[0]);
}

constexpr std::array kRows = {
    CommandSpec{
        .id = "time.back",
        .usage = "[N]",
        .help = "Go N steps back in time, bit for bit",
        .category = "Time",
        .max_args = 1,
        .run = time_back,
        .effect = Effect::Outside,
        .keys = {{",", "", "One step back"}, {"Shift+,", "10", "Ten steps back"}},
        .repeats = true,
    },
    CommandSpec{
        .id = "time.goto",
        .usage = "STEP|start|end",
        .help = "Show the session as it was after that many steps",
        .category = "Time",
        .min_args = 1,
        .max_args = 1,
        .run = time_goto,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "record.save",
        .usage = "[FILE.bvrec]",
        .help = "Write a recording of this scene since its start",
        .category = "Time",
        .max_args = 1,
        .run = record_save,
        .effect = Effect::Outside,
    },
};

}  // namespace

std::span<const CommandSpec> time_commands() {
    return kRows;
}

}  // namespace lab::commands
