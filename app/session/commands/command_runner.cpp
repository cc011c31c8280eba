#include "session/commands/command_runner.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "session/parts.hpp"

namespace lab {

void CommandRunner::drain() {
    try {
        parts_.jobs.advance();
        collect_jobs();
    } catch (const std::exception& thrown) {
        parts_.scenes.give_up(reason(thrown));
    }
    for (std::size_t left = held_.size(); left > 0 && !parts_.opener.is_opening(); --left) {
        const ParsedLine line = std::move(held_.front());
        held_.pop_front();
        take_up(line);
    }
    // Lines that a command pushes wait for the next frame, so that no script can keep this one from ending.
    const bool was_opening = parts_.opener.is_opening();
    for (std::size_t left = parts_.queue.size(); left > 0; --left) {
        const CommandQueue::Entry entry = parts_.queue.pop();
        try {
            ParsedLine line = parts_.table.parse(entry.line, entry.origin);
            // What came together with an `open` and stands behind it is about what it opens.
            const bool waits_for_file = !was_opening && parts_.opener.is_opening();
            if (waits_for_file || (parts_.opener.is_replaying() && !line.runs_during_replay()))
                held_.push_back(std::move(line));
            else
                take_up(line);
        } catch (const std::exception& thrown) {
            refuse(entry.origin, fmt::format("`{}`: {}", entry.line, reason(thrown)));
        }
    }
}

void CommandRunner::take_up(const ParsedLine& line) {
    try {
        carry_out(line);
    } catch (const std::exception& thrown) {
        if (parts_.scenes.is_starting()) parts_.scenes.give_up(reason(thrown));
        refuse(line.origin, fmt::format("`{}`: {}", line.text, reason(thrown)));
    }
    current_ = {};
}

void CommandRunner::carry_out(const ParsedLine& line) {
    if (parts_.fits.puts_off(line)) return;
    current_ = line;
    if (const CommandResult problem = run_line(line)) refuse(line.origin, *problem);
}

void CommandRunner::refuse(const std::string& origin, const std::string& problem) {
    ++parts_.refused;
    parts_.messages.error(origin.empty() ? problem : fmt::format("{}: {}", origin, problem));
}

void CommandRunner::collect_jobs() {
    const bool of_scene = parts_.jobs.finish_ended() > 0;
    if (of_scene && parts_.state.scene.running) parts_.scenes.job_ended();
}

CommandResult CommandRunner::run_line(const ParsedLine& line) {
    if (CommandResult problem = parts_.table.check(line)) return problem;
    if (!line.command) return std::nullopt;
    if (line.command->needs_scene) parts_.scenes.ensure();
    Recorder& recorder = parts_.recorder;
    const SessionState& state = parts_.state;
    const Effect effect = line.effect();
    const bool has_scene = static_cast<bool>(state.scene.running);
    if (line.command->moves_camera) recorder.follow_view(false);  // the viewer takes the camera
    const bool is_recorded = has_scene && effect != Effect::Outside && !recorder.in_past();
    const bool rewrites = has_scene && effect == Effect::World && recorder.in_past();
    const std::uint64_t revision = state.world.revision(), record = recorder.timeline().id();
    CommandResult problem;
    try {
        problem = rewrites ? run_in_past(line) : parts_.editor.run(line);
    } catch (...) {
        // No line of the record leads to what was done before it threw.
        const bool changed = state.world.revision() != revision && recorder.timeline().id() == record;
        if (has_scene && !parts_.scenes.is_starting() && changed) {
            parts_.state.world.mend();
            recorder.begin_without_start();
        }
        throw;
    }
    if (is_recorded) recorder.add_line(line.text, effect);
    return problem ? fmt::format("`{}`: {}", line.text, *problem) : problem;
}

/// A command that changes the world: what was recorded after the moment on show ends with it, unless it left
/// everything as it was.
CommandResult CommandRunner::run_in_past(const ParsedLine& line) {
    Recorder& recorder = parts_.recorder;
    const SessionState& state = parts_.state;
    const HeldView viewer = hold_view(state);
    const Settings settings = state.settings;
    const std::uint64_t revision = state.world.revision(), record = recorder.timeline().id();
    const std::size_t undone = state.edits.redo_count(), done = state.edits.undo_count();
    const CommandResult problem = parts_.editor.run(line);
    const bool changed = state.world.revision() != revision || state.settings != settings;
    // Undo without an edit to take back, or a setting that had that value already.
    const bool moved_no_edit = state.edits.undo_count() == done && state.edits.redo_count() == undone;
    const bool sets = line.command->change && !line.command->per_body;
    const bool is_idle = sets || (!line.command->is_edit && moved_no_edit);
    if (!changed && (problem || is_idle)) return problem;
    if (recorder.timeline().id() == record) recorder.cut_future(viewer);
    recorder.add_line(line.text, line.effect());
    return problem;
}

}  // namespace lab
