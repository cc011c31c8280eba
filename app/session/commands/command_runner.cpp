#include "session/commands/command_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "session/commands/refusal.hpp"
#include "session/parts.hpp"
#include "settings/steps.hpp"

namespace lab {

/// Work limit for the commands of a link in one frame, in the units of `Recorder::take_work_of_line`. A
/// count, not a time, so that it is the same on every machine.
constexpr std::uint64_t kMaxLinkedWork = 1'000'000;

namespace {

/// State that a command may change: enough of it to recognize a refused line that changed nothing.
struct Touched {
    explicit Touched(const SessionState& state)
        : revision(state.world.revision()),
          settings(state.settings),
          done(state.edits.undo_count()),
          undone(state.edits.redo_count()),
          choices(state.view.selection.choices),
          camera(state.view.camera),
          is_settled(state.world.finder().is_settled()),
          pinned(state.view.pinned_rays.size()),
          spawned(state.clock.spawned) {}
    friend bool operator==(const Touched&, const Touched&) = default;

    std::uint64_t revision;
    Settings settings;
    std::size_t done, undone;
    std::uint64_t choices;
    Camera camera;
    bool is_settled;  // the engine, which a line may bring up to date
    std::size_t pinned;
    std::uint64_t spawned;
};

/// True if both are the same handles at the same places.
bool has_places(const std::vector<Handle>& handles, const std::vector<Handle>& others) {
    return std::equal(
        handles.begin(), handles.end(), others.begin(), others.end(),
        [](const Handle& a, const Handle& b) { return a.id == b.id && a.position == b.position; });
}

}  // namespace

void CommandRunner::drain() {
    try {
        parts_.jobs.advance();
        collect_jobs();
    } catch (const std::exception& thrown) {
        parts_.scenes.give_up(reason(thrown));
    }
    // Lines after a lesson's command refer to its page, which the program enters first.
    // A link can hold any number of any commands: work beyond the limit of one frame waits for the next ones.
    const std::size_t asked = parts_.requests.lessons.size();
    std::uint64_t linked_work = 0;
    const auto goes_on = [&] {
        return parts_.requests.lessons.size() == asked && linked_work < kMaxLinkedWork;
    };
    const auto run = [&](const ParsedLine& line) {
        handle(line);
        const std::uint64_t work = parts_.recorder.take_work_of_line();
        if (line.origin == kLinkOrigin) linked_work += work;
    };
    for (std::size_t left = held_.size(); left > 0 && goes_on() && !parts_.opener.is_opening(); --left) {
        const ParsedLine line = std::move(held_.front());
        held_.pop_front();
        run(line);
    }
    // Lines that a command pushes wait for the next frame, so that no script can block this one.
    bool waits_for_file = false;  // lines queued after an `open` refer to the opened file
    for (std::size_t left = parts_.queue.size(); left > 0 && goes_on(); --left) {
        const CommandQueue::Entry entry = parts_.queue.pop();
        try {
            ParsedLine line = parts_.table.parse(entry.line, entry.origin);
            if (waits_for_file || (parts_.opener.is_replaying() && !line.runs_during_replay())) {
                held_.push_back(std::move(line));
                continue;
            }
            const JobId opening = parts_.opener.opening();
            run(line);
            waits_for_file = parts_.opener.opening() != opening && parts_.opener.is_opening();
        } catch (const std::exception& thrown) {
            refuse(entry.origin, fmt::format("`{}`: {}", entry.line, reason(thrown)));
        }
    }
    parts_.state.world.settle();
}

void CommandRunner::handle(const ParsedLine& line) {
    try {
        execute(line);
    } catch (const std::exception& thrown) {
        if (parts_.scenes.is_starting()) parts_.scenes.give_up(reason(thrown));
        refuse(line.origin, fmt::format("`{}`: {}", line.text, reason(thrown)));
    }
    current_ = {};
}

void CommandRunner::execute(const ParsedLine& line) {
    if (parts_.fits.postpones(line)) return;
    // After a look back, commands refer to the moment that it shows, as they do when they are replayed in a
    // frame of their own.
    if (parts_.frame.is_due() && parts_.state.scene.running && line.command && !line.command->from_window &&
        line.effect() != Effect::Outside)
        parts_.frame.update();
    // A copy: opening a file that this line needs makes a different line the current one for a while.
    const ParsedLine running = in_terms_of_now(line);
    current_ = running;
    if (const CommandResult problem = run_line(running)) refuse(line.origin, *problem);
}

/// The line as it applies to the running scene. `step.at` also moves the step of a scene that has a setting
/// of its own for it. Where steps or clicks change more than the view, so do the commands for them. `back`
/// only closes what is open.
ParsedLine CommandRunner::in_terms_of_now(const ParsedLine& line) const {
    if (const Setting<bool>* open = line.command ? line.command->closes_first : nullptr;
        open && parts_.state.settings[*open])
        return parts_.table.parse(set_line(*open, "false"), line.origin);
    const SceneSpec* scene = parts_.state.scene.spec;
    const bool moves_step = line.command && line.command->moves_step && scene && scene->steps;
    const bool changes = line.command && line.command->clicks && scene && scene->clicks_change;
    if (moves_step || changes) {
        ParsedLine here = line;
        here.effect_in_scene = moves_step ? scene->steps->effect : Effect::World;
        return here;
    }
    if (!line.changes_setting() || line.setting != &kStepAt || !scene || !scene->steps ||
        scene->steps == &kStepAt)
        return line;
    std::string text = line.text;
    return parts_.table.parse(text.replace(text.find(kStepAt.id), kStepAt.id.size(), scene->steps->id),
                              line.origin);
}

void CommandRunner::refuse(const std::string& origin, const std::string& problem) {
    const std::uint64_t before = parts_.messages.last_number();
    parts_.messages.error(origin.empty() ? problem : fmt::format("{}: {}", origin, problem));
    // Lines that were refused when they first ran are not counted again while a recording is replayed in
    // silence.
    if (parts_.messages.last_number() != before) ++parts_.refused;
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
    // The user takes over the view.
    const bool of_view = effect == Effect::View || line.effect_in_scene;
    if (of_view && !line.command->from_window) recorder.follow_view(false);
    const bool is_recorded = has_scene && effect != Effect::Outside && !recorder.in_past();
    const bool rewrites = has_scene && effect == Effect::World && recorder.in_past();
    const std::uint64_t revision = state.world.revision(), record = recorder.timeline().id();
    const Touched before(state);
    CommandResult problem;
    try {
        // A line that is not recorded cannot be undone either.
        problem = rewrites             ? run_in_past(line)
                  : recorder.in_past() ? parts_.editor.run_look(line)
                                       : parts_.editor.run(line);
    } catch (...) {
        // A change interrupted by an exception is not reproduced by any line of the record.
        const bool changed = state.world.revision() != revision && recorder.timeline().id() == record;
        if (has_scene && !parts_.scenes.is_starting() && changed) {
            parts_.state.world.repair();
            recorder.begin_without_start();
        }
        throw;
    }
    // A refused line that changed nothing is not recorded: it might run when it is replayed, since a mesh of
    // that name may have been opened by then.
    if (is_recorded && !(problem && Touched(state) == before)) recorder.end_line(line.text, effect);
    return problem ? refusal_text(line, *problem) : problem;
}

/// Runs a command that changes the world while the past is shown: it ends the recorded future, unless it
/// changed nothing.
CommandResult CommandRunner::run_in_past(const ParsedLine& line) {
    Recorder& recorder = parts_.recorder;
    recorder.forget_look();
    const SessionState& state = parts_.state;
    const std::vector<std::string> view = recorder.lines_to_view();
    const Settings settings = state.settings;
    const std::uint64_t revision = state.world.revision(), record = recorder.timeline().id();
    const std::size_t undone = state.edits.redo_count(), done = state.edits.undo_count();
    const bool clicks = line.command->clicks;
    const std::vector<Handle> handles = clicks ? parts_.scenes.handles() : std::vector<Handle>();
    CommandResult problem = parts_.editor.run(line);
    const bool changed = state.world.revision() != revision || state.settings != settings ||
                         (clicks && !has_places(parts_.scenes.handles(), handles));
    // Nothing changed: an empty undo, or a setting that had the value already.
    const bool moved_no_edit = state.edits.undo_count() == done && state.edits.redo_count() == undone;
    const bool sets = (line.command->change && !line.command->per_body) || line.command->moves_step || clicks;
    const bool is_idle = sets || (!line.command->is_edit && moved_no_edit);
    if (!changed && (problem || is_idle)) return problem;
    const std::vector<RayQuery> picks = state.view.picks;
    if (recorder.timeline().id() == record) recorder.cut_future(view);
    if (clicks && !picks.empty()) parts_.state.view.picks.push_back(picks.back());
    recorder.end_line(line.text, line.effect());
    return problem;
}

}  // namespace lab
