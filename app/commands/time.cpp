// Commands that let time pass, go through the record of it, and write it to a file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "commands/tables.hpp"
#include "io/file_kind.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"
#include "settings/program.hpp"

namespace lab::commands {
namespace {

CommandResult pause(Settings& settings, CommandArgs args) {
    if (args.empty() || args[0] == "toggle") return settings.toggle(kSimPaused);
    return settings.set(kSimPaused, args[0]);
}
std::string_view paused_setting(CommandArgs) {
    return kSimPaused.id;
}

CommandResult step(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto count = read.more() ? read.integer("N", 1, 10000) : 1;
    if (read.problem()) return read.problem();
    // Pauses: single steps would be lost in the flow of time.
    session.state().settings.assign(kSimPaused, true);
    session.state().clock.queue(static_cast<int>(count));
    return std::nullopt;
}

CommandResult speed(Settings& settings, CommandArgs args) {
    return settings.set(kSimSpeed, args[0]);
}
std::string_view speed_setting(CommandArgs) {
    return kSimSpeed.id;
}

CommandResult time_goto(Session& session, CommandArgs args) {
    const Timeline& timeline = session.timeline();
    if (args[0] == "start") return session.parts().recorder.go_to_step(timeline.first_step());
    if (args[0] == "end") return session.parts().recorder.go_to_step(timeline.last_step());
    ArgReader read(args);
    const auto step = read.integer("STEP", 0, 1'000'000'000);
    return read.problem() ? read.problem()
                          : session.parts().recorder.go_to_step(static_cast<std::uint64_t>(step));
}

CommandResult time_back(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto count = static_cast<std::uint64_t>(read.more() ? read.integer("N", 1, 1'000'000) : 1);
    if (read.problem()) return read.problem();
    const std::uint64_t now = session.timeline().place().steps;
    const std::uint64_t first = session.timeline().first_step();
    return session.parts().recorder.go_to_step(now - std::min(count, now - first));
}

CommandResult record_save(Session& session, CommandArgs args) {
    return session.parts().recorder.save(args.empty() ? std::string("bvlab.bvrec") : args[0]);
}

/// The film on show, also if its capture was opened in this frame.
std::optional<Film> film_now(Session& session) {
    const FrameResults& shown = session.results();
    const SceneSpec* scene = session.state().scene.spec;
    if (shown.frame > 0 || !scene || scene->shows != io::FileKind::Capture) return shown.film;
    FrameResults first;
    session.parts().frame.show_scene(first);
    return first.film;
}

CommandResult no_film() {
    return fmt::format("there are no frames to play here: `scene {}` plays those of a capture",
                       scene_showing(io::FileKind::Capture).id);
}

// These push lines that set the settings of the film, as dragging the knob does: the record holds those.
// They have the origin of the command, so that those of a link count as its work.

const std::string& origin_now(Session& session) {
    return session.parts().runner.current().origin;
}

CommandResult film_play(Session& session, CommandArgs args) {
    if (!args.empty() && args[0] != "on" && args[0] != "off")
        return "use `film.play`, `film.play on` or `film.play off`";
    const std::optional<Film> film = film_now(session);
    if (!film) return no_film();
    const Settings& settings = session.state().settings;
    const bool plays = settings.flag(*film->playing) && !settings[kSimPaused];
    const bool on = args.empty() ? !plays : args[0] == "on";
    session.commands().push(set_line(*film->playing, on ? "true" : "false"), origin_now(session));
    if (on && settings[kSimPaused])
        session.commands().push(set_line(kSimPaused, "false"), origin_now(session));
    return std::nullopt;
}

void stop_film_at(Session& session, const Film& film, int frame) {
    session.commands().push_next(set_line(*film.frame, std::to_string(frame)), origin_now(session));
    session.commands().push_next(set_line(*film.playing, "false"), origin_now(session));
}

CommandResult film_step(Session& session, CommandArgs args) {
    ArgReader read(args);
    const long long by = read.more() ? read.integer("N", -10000, 10000) : 1;
    if (read.problem()) return read.problem();
    const std::optional<Film> film = film_now(session);
    if (!film) return no_film();
    // Reads the setting: the results are older than an earlier step in the same frame.
    const std::vector<int>& numbers = *film->numbers;
    const auto after =
        std::upper_bound(numbers.begin(), numbers.end(), session.state().settings.integer(*film->frame));
    const long long place = std::max<long long>(after - numbers.begin() - 1, 0) + by;
    stop_film_at(session, *film,
                 numbers[static_cast<std::size_t>(
                     std::clamp(place, 0LL, static_cast<long long>(numbers.size()) - 1))]);
    return std::nullopt;
}

CommandResult film_mark(Session& session, CommandArgs args) {
    if (!args.empty() && args[0] != "back") return "use `film.mark` or `film.mark back`";
    const std::optional<Film> film = film_now(session);
    if (!film) return no_film();
    const int now = session.state().settings.integer(*film->frame);
    const Film::Mark* found = nullptr;
    for (std::size_t i = 0; film->marks && i < film->marks->size(); ++i) {
        const Film::Mark& mark = (*film->marks)[i];
        if (args.empty() ? mark.frame > now && !found : mark.frame < now) found = &mark;
    }
    if (!found)
        return fmt::format(
            "there is no {} mark: the engine sets them by bv_capture_mark, the diagnosis where "
            "a cause begins",
            args.empty() ? "later" : "earlier");
    stop_film_at(session, *film, found->frame);
    return std::nullopt;
}

constexpr std::array kTimeRows = {
    CommandSpec{
        .id = "film.play",
        .usage = "[on|off]",
        .help = "Play the frames of a capture, or stop",
        .category = "Time",
        .max_args = 1,
        .run = film_play,
        .effect = Effect::Outside,
        .keys = {{"Space", "", "In a capture: play its frames, or stop"},
                 {"P", "", "In a capture: play its frames, or stop"}},
        .of_film = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "film.step",
        .usage = "[N]",
        .help = "Stop a capture and go N frames on; back if N is negative",
        .category = "Time",
        .max_args = 1,
        .run = film_step,
        .effect = Effect::Outside,
        .keys = {{".", "1", "In a capture: next frame"},
                 {"Right", "1", "In a capture: next frame"},
                 {",", "-1", "In a capture: previous frame"},
                 {"Left", "-1", "In a capture: previous frame"},
                 {"Shift+.", "10", "In a capture: ten frames on"},
                 {"Shift+,", "-10", "In a capture: ten frames back"}},
        .of_film = true,
        .repeats = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "film.mark",
        .usage = "[back]",
        .help = "Stop a capture at its next mark, or at the previous one",
        .category = "Time",
        .max_args = 1,
        .run = film_mark,
        .effect = Effect::Outside,
        .keys = {{"Shift+Right", "", "In a capture: next mark"},
                 {"Shift+Left", "back", "In a capture: previous mark"}},
        .of_film = true,
        .repeats = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "pause",
        .usage = "[on|off|toggle]",
        .help = "Stop time, or resume it",
        .category = "Time",
        .max_args = 1,
        .change = pause,
        .effect = Effect::Outside,
        .keys = {{"Space", "", "Pause or resume"}, {"P", "", "Pause or resume"}},
        .setting = paused_setting,
    },
    CommandSpec{
        .id = "step",
        .usage = "[N]",
        .help = "Stop time and advance it by N fixed steps, once the other commands of this frame have run",
        .category = "Time",
        .max_args = 1,
        .run = step,
        .effect = Effect::Outside,
        .keys = {{".", "", "One step forward"}, {"Shift+.", "10", "Ten steps forward"}},
        .repeats = true,
    },
    CommandSpec{
        .id = "speed",
        .usage = "FACTOR",
        .help = "Simulated seconds per second",
        .category = "Time",
        .min_args = 1,
        .max_args = 1,
        .change = speed,
        .effect = Effect::Outside,
        .setting = speed_setting,
    },
    CommandSpec{
        .id = "time.back",
        .usage = "[N]",
        .help = "Go N steps back in time, exactly as it was",
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
        .help = "Go to the moment after a number of steps, or to the start or end",
        .category = "Time",
        .min_args = 1,
        .max_args = 1,
        .run = time_goto,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "record.save",
        .usage = "[FILE.bvrec]",
        .help = "Save a recording of this scene since its start",
        .category = "Time",
        .max_args = 1,
        .run = record_save,
        .effect = Effect::Outside,
        .touches_files = true,
    },
};

}  // namespace

std::span<const CommandSpec> time_commands() {
    return kTimeRows;
}

}  // namespace lab::commands
