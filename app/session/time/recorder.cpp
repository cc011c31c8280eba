#include "session/time/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "io/file_kind.hpp"
#include "io/text/counted.hpp"
#include "platform/clock.hpp"
#include "session/parts.hpp"
#include "session/time/view_lines.hpp"
#include "settings/program.hpp"

namespace lab {
namespace {

using io::RecordingStart;

/// Maximum number of consecutive frames without a step in one entry.
constexpr std::uint64_t kMaxVerified = 100;

/// Limits of work, in the units of `Recorder::spend`: by one command, and in one frame of a playing
/// recording. A recording can hold any number of any commands.
constexpr std::uint64_t kMaxWorkOfCommand = 400'000'000, kMaxWorkOfFrame = 2'000'000;

constexpr const char* kNotWhole = "not all that led to this scene is still recorded";
constexpr const char* kRestart = "`restart` starts a new recording";

using NamedValues = std::vector<std::pair<std::string, std::string>>;

NamedValues differences_from_default(const Settings& settings) {
    NamedValues values;
    for (const SettingSpec* row : settings.catalog().rows())
        if (row->effect != Effect::Outside && !settings.is_default(*row))
            values.emplace_back(row->id, settings.get_as_text(*row));
    return values;
}

/// Copies the settings that are not part of a moment: those of the window and of time, and the user's own.
void copy_own(const Settings& from, Settings& to) {
    for (const SettingSpec* row : from.catalog().rows())
        if (row->effect == Effect::Outside) (void)to.set(*row, from.get_as_text(*row));
}

/// Sets everything recorded to its default, except for `values`; the rest stays.
void set_recorded(Settings& settings, const NamedValues& values) {
    for (const SettingSpec* row : settings.catalog().rows())
        if (row->effect != Effect::Outside) (void)settings.set(*row, row->default_value);
    for (const auto& [id, value] : values)
        (void)settings.set(id, value);
}

}  // namespace

/// A replay that stopped between two lines. The picture of that moment is not part of the recorded run, and
/// it changes engines and results, which the next lines refer to: it is made of a copy.
struct Recorder::AmidLines {
    SessionState state;
    FrameResults results;
    const Timeline::Entry* before;  ///< The last line that has run.
};

Recorder::Recorder(SessionParts& parts) : parts_(parts), state_(parts.state) {}

// ---- keyframes

void Recorder::restore(const SessionState& keyframe) {
    // Copy first: if memory runs out, the session is unchanged.
    SessionState copy = keyframe;
    const Settings settings = state_.settings;
    std::vector<Preset> presets = std::move(state_.scene.presets);
    auto entered_with = std::move(state_.scene.entered_with);
    std::vector<std::string> differences = std::move(state_.checks.differences);
    state_ = std::move(copy);
    // These must survive going back, too: what leaving the scene reverts, and differences found by `verify`.
    copy_own(settings, state_.settings);
    state_.scene.presets = std::move(presets);
    state_.scene.entered_with = std::move(entered_with);
    state_.checks.differences = std::move(differences);
    // In the past nothing is pending.
    state_.clock.owed_s = 0;
    state_.clock.queued_steps = 0;
    parts_.frame.invalidate();
    parts_.meter.restart(state_.settings);
}

void Recorder::take_keyframe() {
    if (!timeline_.wants_keyframe(state_.world.bodies().size())) return;
    timeline_.add_keyframe(std::make_shared<const SessionState>(state_), state_.memory_bytes());
}

// ---- the record

RecordingStart Recorder::recording_start(const Settings& before) const {
    RecordingStart start;
    start.scene = state_.scene.spec->id;
    for (const MeshId id : parts_.opened.meshes)
        start.opened.push_back(parts_.meshes[id].source);
    for (const BoxList& list : parts_.opened.box_lists)
        start.opened.push_back(list.source);
    for (const OpenedTree& tree : parts_.opened.trees)
        start.opened.push_back(tree.source);
    for (const OpenedCapture& capture : parts_.opened.captures)
        if (!capture.is_from_engine()) start.opened.push_back(capture.source);
    for (const MeshId id : parts_.opened.voxel_models)
        start.opened.push_back(parts_.meshes[id].source);
    start.before = differences_from_default(before);
    start.after = differences_from_default(state_.settings);
    const ViewRect& rect = state_.view.rect;
    start.view = {rect.size_px.x, rect.size_px.y, rect.min_px.x, rect.min_px.y};
    start.camera = numbers_of(state_.view.camera);
    start.home = numbers_of(state_.view.home);
    return start;
}

void Recorder::begin(const Settings& before) {
    begin(recording_start(before), {});
    if (state_.view.hover_px) timeline_.add_look(hover_line(state_.view));
}

void Recorder::begin_without_start() {
    begin(state_.settings);
    lose_start();
}

void Recorder::lose_start() {
    timeline_.drop_start();
}

void Recorder::begin(RecordingStart start, std::vector<io::RecordingEntry> tape) {
    amid_lines_.reset();
    timeline_.begin(std::move(start), state_.clock.steps, std::move(tape), parts_.table);
    leave_camera();
    parts_.results.frame = 0;
    note_recorded();
    own_ = {};
    loses_past_ = false;
    viewer_hides_.clear();
    viewer_selects_.clear();
    take_keyframe();
}

void Recorder::begin_recorded(io::Recording recording, const Settings& own) {
    const RecordingStart start = recording.start;
    set_recorded(state_.settings, start.after);
    place_camera(state_.view.camera, start.camera);
    place_camera(state_.view.home, start.home);
    parts_.scenes.note_presets(own);
    const ViewRect window = state_.view.rect;
    state_.view.rect = {{start.view[2], start.view[3]}, {start.view[0], start.view[1]}};
    const auto hover_px = std::exchange(state_.view.hover_px, std::nullopt);
    begin(start, std::move(recording.entries));
    state_.view.rect = window;
    state_.view.hover_px = hover_px;
}

void Recorder::end_line(std::string_view line, Effect effect) {
    if (!std::exchange(loses_past_, false)) return timeline_.add_line(line, effect);
    timeline_.restart_here();
    take_keyframe();
    parts_.messages.info(
        "The pasted bodies were copied at another moment: earlier moments can no longer be shown");
}

void Recorder::add_frame(int steps) {
    timeline_.add_frame(static_cast<std::uint32_t>(steps));
}

CommandResult Recorder::load_start(const RecordingStart& start, std::optional<Settings>& own) {
    parts_.fits.cancel_all();
    return parts_.scenes.load(start.scene, [&] {
        own = state_.settings;
        set_recorded(state_.settings, start.before);
    });
}

/// Subtracts from the remaining work; a step of one body, about a microsecond, counts as 1. False once none
/// is left. Counts instead of a clock, so that it ends at the same place on every machine.
bool Recorder::spend(std::uint64_t work) {
    work_left_ -= std::min(work_left_, work);
    return work_left_ > 0;
}

std::uint64_t Recorder::take_work_of_line() {
    return 10 * work_of_step() + std::exchange(parts_.scene_work, 0);
}

/// The work of the last step.
std::uint64_t Recorder::work_of_step() const {
    const PairStages& pairs = state_.world.finder().pairs();
    return 20 + state_.world.bodies().size() + pairs.broad.size() / 10 + pairs.left_out / 100 +
           pairs.counts.part_tests / 100;
}

/// The work of comparing a frame with the reference, which tests every pair of bodies.
std::uint64_t Recorder::work_of_check() const {
    const std::uint64_t bodies = state_.world.bodies().size();
    return work_of_step() + 100 * bodies + bodies * bodies / 15;
}

/// Commands refer to the picture that the user saw: the frame before them.
void Recorder::update_results_for_lines() {
    if (timeline_.place().frame == 0) {
        parts_.results.frame = 0;  // no picture was seen: commands that need results make them
        return;
    }
    if (!parts_.frame.is_due()) return;
    for (const Timeline::Entry& entry : timeline_.lines_ahead())
        if (parts_.table.parse(entry.line).reads_results()) return parts_.frame.update();
}

void Recorder::forget_look() {
    const Timeline::Keyframe* keyframe = timeline_.before(timeline_.place().steps);
    if (!keyframe || keyframe->place != timeline_.place()) return;
    if (keyframe->state->world.revision() == state_.world.revision()) return;
    const HeldView view = hold_view(state_);
    ScenePtr scene = keyframe->state->scene.running;  // the scene may keep engines of its own
    state_.world = keyframe->state->world;
    state_.scene.running = std::move(scene);
    put_view(state_, view);
}

void Recorder::leave_amid_lines(const Timeline::Entry* before) {
    SessionState copy = state_;
    amid_lines_ = std::make_shared<AmidLines>(
        AmidLines{std::exchange(state_, std::move(copy)), std::exchange(parts_.results, {}), before});
    parts_.frame.reset();
}

/// Returns the line before; null if no replay waits between lines.
const Timeline::Entry* Recorder::go_on_amid_lines() {
    if (!amid_lines_) return nullptr;
    const std::shared_ptr<AmidLines> held = std::move(amid_lines_);
    const Settings settings = state_.settings;
    state_ = std::move(held->state);
    copy_own(settings, state_.settings);
    parts_.results = std::move(held->results);
    parts_.frame.reset();
    parts_.editor.go_on_after(parts_.table.parse(held->before->line));
    return held->before;
}

/// Stops when `work_left_` is used up, or after the first line or frame at which `is_over`.
void Recorder::replay_to(const TapePlace& target, bv::FunctionRef<bool()> is_over) {
    // Messages and requests of the commands were handled when they first ran. Messages and queue are restored
    // even if memory runs out.
    struct Quiet {
        Recorder& recorder;
        CommandQueue waiting = std::exchange(recorder.parts_.queue, {});
        ~Quiet() {
            recorder.parts_.messages.set_muted(false);
            recorder.parts_.queue = std::move(waiting);
            recorder.replaying_ = recorder.replays_look_ = false;
        }
    };
    const Quiet quiet{*this};
    replaying_ = true;
    const Timeline::Entry* before = go_on_amid_lines();
    if (!before) forget_look();
    bool goes_on = true;
    while (goes_on && !(timeline_.place() == target)) {
        const Timeline::Entry* entry = timeline_.next();
        if (!entry) break;
        const bool is_frame = entry->line.empty();
        goes_on = is_frame ? replay_frame(*entry, target) : replay_line(*entry, before);
        before = entry;
        if (!is_over()) continue;
        if (goes_on && !is_frame) leave_amid_lines(entry);
        break;
    }
}

/// Runs a line of the tape; null before it: a frame that was shown. False once the work is used up.
bool Recorder::replay_line(const Timeline::Entry& entry, const Timeline::Entry* before) {
    const bool first_time = timeline_.is_new() && !restoring_;
    parts_.messages.set_muted(true);
    if (!before || before->line.empty()) update_results_for_lines();
    const ParsedLine line = parts_.table.parse(entry.line);
    // In the past, the user saw the scene in the view that the lines before have restored.
    if (before && before->is_look && !entry.is_look && line.reads_results()) parts_.frame.update();
    parts_.messages.set_muted(!first_time);
    const Settings settings = state_.settings;
    const CommandResult problem = !line.command   ? std::nullopt
                                  : entry.is_look ? replay_look(line)
                                                  : parts_.editor.run(line);
    copy_own(settings, state_.settings);  // `reset all` changes them
    if (problem && first_time) {
        ++parts_.refused;
        parts_.messages.error(fmt::format("recording: `{}`: {}", entry.line, *problem));
    }
    timeline_.pass_line();
    parts_.queue.clear();  // the record has the lines that this one pushes
    if (std::exchange(loses_past_, false)) lose_start();
    return spend(take_work_of_line());
}

CommandResult Recorder::replay_look(const ParsedLine& line) {
    if (timeline_.place().frame > 0 || !line.reads_results()) {
        CommandResult problem = parts_.editor.run_look(line);
        leave_camera();
        return problem;
    }
    // A look at the start makes results, but must leave the engine alone: see forget_look.
    const World world = state_.world;
    parts_.frame.update();
    replays_look_ = true;
    CommandResult problem = parts_.editor.run_look(line);
    replays_look_ = false;
    leave_camera();
    const HeldView view = hold_view(state_);
    state_.world = world;
    put_view(state_, view);
    return problem;
}

/// Runs the next frame of the tape, or the part of it before `target`. False once the work is used up.
bool Recorder::replay_frame(const Timeline::Entry& entry, const TapePlace& target) {
    parts_.messages.set_muted(true);
    parts_.frame.invalidate();
    parts_.scenes.adapt();
    const TapePlace& place = timeline_.place();
    const std::uint64_t left = entry.steps - place.partial;
    auto steps = static_cast<std::uint32_t>(std::min(left, target.steps - place.steps));
    bool goes_on = true;
    for (std::uint32_t i = 0; i < steps && goes_on; ++i) {
        parts_.scenes.fixed_step();
        goes_on = spend(work_of_step());
        if (!goes_on) steps = i + 1;
    }
    if (entry.steps == 0) {
        state_.world.find_pairs(parts_.results.timings_ms);
        goes_on = spend(work_of_step());
    }
    const std::uint64_t before = place.frame;
    timeline_.pass_steps(steps);
    const std::uint64_t end = std::min(place.frame, before + kMaxVerified);
    for (std::uint64_t i = before; state_.settings[kVerify] && i < end && goes_on; ++i) {
        parts_.frame.update();
        parts_.frame.verify();
        goes_on = spend(work_of_check());
    }
    goes_on = spend(std::exchange(parts_.scene_work, 0)) && goes_on;
    parts_.selector.forget_missing();
    if (place.partial > 0) return goes_on;  // in the middle of a frame, which nobody has seen
    // A selected node is followed from frame to frame; a wanted node, or a request to frame the marks, is
    // resolved in the first.
    const View& view = state_.view;
    if (view.wants_marks_framed || view.wanted_node || view.selection.node.holds() ||
        view.selection.isolated.holds())
        parts_.frame.update();
    take_keyframe();
    return goes_on;
}

// ---- moving through time

CommandResult Recorder::go_to_step(std::uint64_t step) {
    if (step < timeline_.first_step() || step > timeline_.last_step())
        return fmt::format("the recorded time runs from step {} to step {}", timeline_.first_step(),
                           timeline_.last_step());
    parts_.fits.cancel_all();
    if (!in_past()) show_lines();
    const Timeline::Keyframe* keyframe = timeline_.before(step);
    const TapePlace here = timeline_.place();
    const bool onward = here.steps <= step && (!keyframe || keyframe->place.steps <= here.steps);
    if (!onward && !keyframe)
        return "the recording before this moment was dropped because it had grown too long. You cannot go "
               "back beyond it";
    state_.settings.assign(kSimPaused, true);
    jumped_ = true;
    const HeldView viewer = viewers_view();
    if (onward) {
        if (in_past()) show_recorded();
    } else {
        const TapePlace place = keyframe->place;
        restore(*keyframe->state);
        timeline_.jump(place);
    }
    work_left_ = kMaxWorkOfCommand;
    const TapePlace target = timeline_.last_seen(step);
    replay_to(target, [] { return false; });
    const bool is_there = timeline_.place() == target;
    settle_view(viewer);
    if (work_left_ == 0 && !is_there)
        parts_.messages.warning(fmt::format(
            "Going to step {} takes long and stopped at step {}. Run the same command again to continue",
            step, state_.clock.steps));
    return std::nullopt;
}

int Recorder::play(int steps) {
    const HeldView viewer = viewers_view();
    if (steps == 0) {
        if (!follows_view_) note_lists(viewer);
        return 0;
    }
    show_recorded();
    work_left_ = kMaxWorkOfFrame;
    while (steps > 0 && in_past() && work_left_ > 0) {
        const std::uint64_t before = state_.clock.steps;
        replay_to(timeline_.last_seen(before + 1), [] { return false; });
        steps -= static_cast<int>(state_.clock.steps - before);
    }
    settle_view(viewer);
    return std::max(steps, 0);
}

bool Recorder::take_jumped() {
    return std::exchange(jumped_, false);
}

bool Recorder::replay_for(std::optional<double> limit_s, std::uint64_t& work) {
    const platform::Clock clock;
    const auto is_over = [&] { return !limit_s || clock.seconds() >= *limit_s; };
    struct Restoring {
        Recorder& recorder;
        std::uint64_t refused = recorder.parts_.refused;
        ~Restoring() {
            recorder.restoring_ = false;
            recorder.parts_.refused = refused;
        }
    };
    const Restoring restoring{*this};
    restoring_ = true;
    const ViewRect window = state_.view.rect;
    show_recorded();
    work_left_ = work;
    const TapePlace end = timeline_.last_seen(timeline_.last_step());
    const auto at_end = [&] { return timeline_.place() == end; };
    do
        replay_to(limit_s ? timeline_.last_seen(std::min(timeline_.place().steps + 1, end.steps)) : end,
                  [&] { return limit_s && is_over(); });
    while (!at_end() && work_left_ > 0 && !is_over());
    work = work_left_;
    follows_view_ = false;
    note_recorded();
    state_.view.rect = window;
    return at_end();
}

/// The user's view, including bodies that do not exist at the moment on show.
HeldView Recorder::viewers_view() {
    HeldView viewer = hold_view(state_);
    if (in_past() && !follows_view_) {
        const HeldView& recorded = recorded_view_;
        own_.has_forgotten |= viewer.times_forgotten != recorded.times_forgotten;
        own_.groups |=
            viewer.is_grouping != recorded.is_grouping || viewer.fresh_group != recorded.fresh_group;
        own_.has_copied |= viewer.clipboard != recorded.clipboard;
    }
    const auto is_missing = [this](bv::BodyId id) { return !state_.world.find(id); };
    std::copy_if(viewer_hides_.begin(), viewer_hides_.end(), std::back_inserter(viewer.hidden), is_missing);
    std::sort(viewer.hidden.begin(), viewer.hidden.end());
    // Unless the user has selected something else meanwhile.
    Selection& selection = viewer.view.selection;
    if (!viewer_selects_.empty() && selection.choices == viewer_choices_) selection.bodies = viewer_selects_;
    return viewer;
}

/// Turns from the user's view of this place to that of the record, which can be replayed from here.
void Recorder::show_recorded() {
    put_view(state_, recorded_view_);
    parts_.frame.invalidate();  // lines refer to what that view shows, not the user's
    state_.edits = recorded_edits_;
    state_.clipboard = recorded_view_.clipboard;
    state_.clipboard_record = recorded_clipboard_;
}

void Recorder::note_recorded() {
    recorded_view_ = hold_view(state_);
    recorded_edits_ = state_.edits;
    recorded_clipboard_ = state_.clipboard_record;
}

/// Keeps what the user has done in the past to edits and clipboard: it holds at other moments, too.
void Recorder::keep_own(const HeldView& viewer) {
    if (own_.has_forgotten) state_.edits.clear();
    if (own_.groups && !viewer.is_grouping) state_.edits.ungroup();
    if (own_.groups && !viewer.fresh_group.empty()) state_.edits.group(viewer.fresh_group);
    if (!own_.has_copied) return;
    state_.clipboard = viewer.clipboard;
    state_.clipboard_record = 0;
}

/// The tape was replayed with its own view: returns to the user's.
void Recorder::settle_view(const HeldView& viewer) {
    const std::optional<glm::vec2>& hover_px = viewer.view.hover_px;
    const bool hovers = hover_px && hover_px != recorded_view_.view.hover_px;  // the user, not the record
    note_recorded();
    if (follows_view_) {
        state_.view.rect = viewer.view.rect;
        if (hovers) state_.view.hover_px = hover_px;
    } else {
        put_view(state_, viewer);
        state_.view.picks = recorded_view_.view.picks;  // none from the future
        keep_own(viewer);
        note_lists(viewer);
    }
    if (in_past()) return;
    join_present();
    show_lines();
}

/// At the end: the effect of lines after the last frame is seen, so it becomes a frame of the record before
/// other lines follow or time moves.
void Recorder::show_lines() {
    if (!timeline_.ends_with_line()) return;
    parts_.scenes.adapt();
    state_.world.find_pairs(parts_.results.timings_ms);
    add_frame(0);
    parts_.frame.update();
    if (state_.settings[kVerify]) parts_.frame.verify();
    take_keyframe();
}

/// Keeps the camera where a record or its user has placed it: a step that came with it does not move it.
void Recorder::leave_camera() {
    if (const Setting<int>* const counter = state_.scene.spec->steps)
        state_.view.followed_step = state_.settings[*counter];
}

void Recorder::note_lists(const HeldView& viewer) {
    viewer_hides_ = viewer.hidden;
    viewer_selects_ = viewer.view.selection.bodies;
    viewer_choices_ = viewer.view.selection.choices;
}

std::vector<std::string> Recorder::lines_to_view() {
    // Nodes are found in the trees of this moment, as when the lines are replayed.
    const Selection& selection = state_.view.selection;
    const Selection& recorded = recorded_view_.view.selection;
    const bool has_node = selection.node.holds() || selection.isolated.holds() || recorded.node.holds() ||
                          recorded.isolated.holds();
    if (has_node && parts_.frame.is_due()) parts_.frame.update();
    return view_changes(recorded_view_, hold_view(state_), parts_.results.trees);
}

void Recorder::join_present(const std::vector<std::string>& view) {
    for (const std::string& line : view)
        timeline_.add_look(line);
    leave_camera();
    state_.view.picks = recorded_view_.view.picks;  // those made in the past are dropped
    viewer_hides_.clear();
    viewer_selects_.clear();
    own_ = {};
    follows_view_ = false;
}

Timeline Recorder::record_until_now() const {
    Timeline record = timeline_;
    if (!in_past()) return record;
    record.cut();
    for (const std::string& line : view_changes(recorded_view_, hold_view(state_), parts_.results.trees))
        record.add_look(line);
    return record;
}

void Recorder::cut_future(const std::vector<std::string>& view) {
    const std::uint64_t gone = timeline_.last_step() - timeline_.place().steps;
    timeline_.cut();
    join_present(view);
    parts_.messages.info(fmt::format("Time continues from step {}: {} recorded after it {} discarded",
                                     timeline_.place().steps, io::counted(gone, "step", "steps"),
                                     io::plural(gone, "was", "were")));
}

// ---- files

CommandResult Recorder::save(const std::string& path) {
    if (const auto wrong = io::wrong_ending(io::FileKind::Recording, path)) return wrong->text();
    if (!timeline_.is_whole()) return fmt::format("{}: {}", kNotWhole, kRestart);
    parts_.saver.warn_of_engine("a recording");
    due_.push_back(path);
    return std::nullopt;
}

void Recorder::write_due() {
    for (const std::string& path : std::exchange(due_, {})) {
        if (!timeline_.is_whole()) {  // a file was opened after the request
            parts_.saver.write_file(path, [path] { return io::FileError{path, "", kNotWhole, kRestart}; });
            continue;
        }
        const auto record =
            std::make_shared<io::Recording>(io::Recording{timeline_.start(), timeline_.tape()});
        parts_.saver.name_meshes(record->start, record->entries);
        place_in(path, record->start.opened, record->start.meshes);
        parts_.saver.write_file(path, [path, record] {
            auto refusal = refusal_to_replace(path, record->start.opened, record->start.meshes);
            return refusal ? refusal : io::write_recording(path, *record);
        });
    }
}

}  // namespace lab
