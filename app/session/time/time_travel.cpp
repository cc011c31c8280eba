// Going through time: moments are captured and restored, the tape between them is carried out again, and the
// onlooker keeps the view.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/file_kind.hpp"
#include "session/sandbox.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using io::RecordingStart;
/// Of frames in a row in which time stood still.
constexpr std::uint64_t kMostVerified = 100;

/// Work that may be replayed at once, in the units of `Sandbox::spend`: by a command, and in a frame while a
/// recording is played. A recording may hold any commands in any number.
constexpr std::uint64_t kMostWorkOfCommand = 400'000'000, kMostWorkOfFrame = 10'000'000;

using NamedValues = std::vector<std::pair<std::string, std::string>>;

NamedValues differences_from_default(const Settings& settings) {
    NamedValues values;
    for (const SettingSpec& spec : setting_specs())
        if (spec.effect != Effect::Outside && !settings.is_default(spec.id))
            values.emplace_back(spec.id, settings.get_as_text(spec.id));
    return values;
}

/// Everything that is recorded at its default but for `values`; the rest stays as it is.
void set_recorded(Settings& settings, const NamedValues& values) {
    for (const SettingSpec& spec : setting_specs())
        if (spec.effect != Effect::Outside) (void)settings.reset(spec.id);
    for (const auto& [id, value] : values)
        (void)settings.set(id, value);
}

io::CameraNumbers numbers_of(const Camera& camera) {
    return {camera.target.x, camera.target.y, camera.target.z,
            camera.distance, camera.yaw_rad,  camera.pitch_rad};
}

void place_camera(Camera& camera, const io::CameraNumbers& n) {
    camera.target = {n[0], n[1], n[2]};
    camera.distance = n[3];
    camera.yaw_rad = n[4];
    camera.pitch_rad = n[5];
}

std::string camera_line(const Camera& camera) {
    std::string line = "camera.place";
    for (const float number : numbers_of(camera))
        line += fmt::format(" {}", number);
    return line;
}

}  // namespace

// ---- moments

ViewState Sandbox::take_view() const {
    ViewState view;
    view.camera = camera_;
    view.home = scene_camera_;
    view.rect = view_;
    view.hover_px = hover_px_;
    view.selection = selection_;
    for (const Body& body : world_->bodies())
        if (body.state.hidden) view.hidden.push_back(body.state.id);
    view.pinned = pinned_;
    view.picks = picks_;
    for (const SettingSpec& spec : setting_specs())
        if (spec.effect == Effect::View) view.settings.emplace_back(spec.id, settings_.get_as_text(spec.id));
    return view;
}

void Sandbox::put_view(const ViewState& view) {
    camera_ = view.camera;
    scene_camera_ = view.home;
    view_ = view.rect;
    hover_px_ = view.hover_px;
    selection_ = view.selection;
    std::erase_if(selection_.bodies, [this](bv::BodyId id) { return !std::as_const(*world_).find(id); });
    for (const Body& body : world_->bodies()) {
        const bool hidden = std::binary_search(view.hidden.begin(), view.hidden.end(), body.state.id);
        (void)world_->set_hidden(body.state.id, hidden);
    }
    pinned_ = view.pinned;
    picks_ = view.picks;
    for (const auto& [id, value] : view.settings)
        (void)settings_.set(id, value);
}

std::optional<Moment> Sandbox::capture() const {
    Moment moment;
    moment.scene = scene_->clone();
    if (!moment.scene) return std::nullopt;
    moment.world = std::make_shared<const World>(*world_);
    moment.settings = settings_;
    moment.view = take_view();
    moment.checks = results_.checks;
    moment.frame = timeline_.place().frame;
    moment.steps = results_.steps;
    moment.edits = edits_;
    moment.copied = copied_;
    moment.spawned = spawned_;
    return moment;
}

void Sandbox::restore(const Moment& moment) {
    const Settings own = settings_;
    settings_ = moment.settings;
    for (const SettingSpec& spec : setting_specs())
        if (spec.effect == Effect::Outside) (void)settings_.set(spec.id, own.get_as_text(spec.id));
    world_ = std::make_unique<World>(*moment.world);
    wanted_node_.reset();
    results_.trees.clear();
    results_due_ = true;
    scene_ = moment.scene->clone();
    put_view(moment.view);
    restore_counters(moment.steps, moment.checks);
    edits_ = moment.edits;
    copied_ = moment.copied;
    spawned_ = moment.spawned;
    meter_.restart(settings_);
}

void Sandbox::restore_counters(std::uint64_t steps, const Checks& checks) {
    results_.steps = steps;
    results_.time_s = static_cast<double>(steps) * kFixedStep_s;
    // A difference that was found must not be lost by going back to before it.
    const std::vector<std::string> differences = std::move(results_.checks.differences);
    results_.checks = checks;
    results_.checks.differences = differences;
    owed_s_ = 0;
    queued_steps_ = 0;
}

void Sandbox::take_keyframe() {
    if (!copies_ || !timeline_.wants_keyframe(world_->bodies().size())) return;
    std::optional<Moment> moment = capture();
    copies_ = moment.has_value();
    if (moment) timeline_.add_keyframe(std::move(*moment), world_->memory_bytes() + scene_->memory_bytes());
}

// ---- the record

RecordingStart Sandbox::recording_start(const Settings& before) const {
    RecordingStart start;
    start.scene = scene_spec_->id;
    for (const MeshId id : opened_.meshes)
        start.opened.push_back(meshes_[id].source);
    for (const BoxList& list : opened_.box_lists)
        start.opened.push_back(list.source);
    for (const OpenedTree& tree : opened_.trees)
        start.opened.push_back(tree.source);
    for (const MeshId id : opened_.voxel_models)
        start.opened.push_back(meshes_[id].source);
    start.before = differences_from_default(before);
    start.after = differences_from_default(settings_);
    start.view = {view_.size_px.x, view_.size_px.y, view_.min_px.x, view_.min_px.y};
    start.camera = numbers_of(camera_);
    start.home = numbers_of(scene_camera_);
    return start;
}

void Sandbox::begin_record(RecordingStart start, std::vector<io::RecordingEntry> tape) {
    timeline_.begin(std::move(start), std::move(tape), table_);
    recorded_view_ = take_view();
    copies_ = true;
    take_keyframe();
}

/// The state in which the record began, made anew: for scenes that cannot be copied.
void Sandbox::begin_again() {
    const RecordingStart& start = timeline_.start();
    const std::vector<Preset> presets = presets_;
    set_recorded(settings_, start.before);
    begin_scene();
    take_recorded_start(start);
    presets_ = presets;
    results_due_ = true;
    view_ = {{start.view[2], start.view[3]}, {start.view[0], start.view[1]}};
    hover_px_.reset();
}

/// The scene of a record from a file, before anything that was changed in it.
CommandResult Sandbox::load_recorded_scene(const RecordingStart& start) {
    set_recorded(settings_, start.before);
    return load_scene(start.scene);
}

void Sandbox::take_recorded_start(const RecordingStart& start) {
    set_recorded(settings_, start.after);
    place_camera(camera_, start.camera);
    place_camera(scene_camera_, start.home);
}

/// Takes the work from what may still be done; about a microsecond of a step of one body counts as 1. False
/// once there is nothing left. Counts and no clock: so it ends at the same place on every machine.
bool Sandbox::spend(std::uint64_t work) {
    work_left_ -= std::min(work_left_, work);
    return work_left_ > 0;
}

/// Of the step that was taken last.
std::uint64_t Sandbox::work_of_step() const {
    const PairStages& pairs = world_->pairs();
    return 20 + world_->bodies().size() + pairs.broad.size() / 10 + pairs.left_out / 100 +
           pairs.counts.part_tests / 100;
}

/// Commands are about what was seen when they were given: the frame before all those that follow it.
void Sandbox::see_what_lines_are_about() {
    if (!results_due_) return;
    for (const Timeline::Entry& entry : timeline_.lines_ahead())
        if (table_.parse(entry.line).reads_results()) return find_out();
}

/// As far as `work_left_` allows.
void Sandbox::replay_to(const TapePlace& target) {
    // What a command says and asks for was said and done when it was given. Even where memory runs out on the
    // way, the session speaks again and what waits is carried out.
    struct Quiet {
        Sandbox& sandbox;
        CommandQueue waiting = std::exchange(sandbox.queue_, {});
        ~Quiet() {
            sandbox.messages_.set_muted(false);
            sandbox.queue_ = std::move(waiting);
        }
    };
    const Quiet quiet{*this};
    bool after_frame = true;
    while (!(timeline_.place() == target)) {
        const Timeline::Entry* entry = timeline_.next();
        if (!entry) break;
        if (!entry->line.empty()) {
            const bool first_time = timeline_.is_new() && !restoring_;
            messages_.set_muted(true);
            if (std::exchange(after_frame, false)) see_what_lines_are_about();
            messages_.set_muted(!first_time);
            const ParsedLine line = table_.parse(entry->line);
            const CommandResult problem = line.command ? run_edit(line) : std::nullopt;
            if (problem && first_time) {
                ++refused_;
                messages_.error(fmt::format("recording: `{}`: {}", entry->line, *problem));
            }
            timeline_.pass_line();
            if (!spend(10 * work_of_step())) break;
            continue;
        }
        messages_.set_muted(true);
        after_frame = results_due_ = true;
        adapt_to_settings();
        const TapePlace& place = timeline_.place();
        const std::uint64_t left = entry->steps - place.partial;
        auto steps = static_cast<std::uint32_t>(std::min(left, target.steps - place.steps));
        bool goes_on = true;
        for (std::uint32_t i = 0; i < steps && goes_on; ++i) {
            fixed_step();
            goes_on = spend(work_of_step());
            if (!goes_on) steps = i + 1;
        }
        if (entry->steps == 0) {
            world_->find_pairs(results_.timings_ms);
            goes_on = spend(work_of_step());
        }
        const std::uint64_t before = place.frame;
        timeline_.pass_steps(steps);
        if (settings_.flag("verify"))
            for (std::uint64_t i = before; i < std::min(place.frame, before + kMostVerified); ++i) {
                find_out();
                verify();
            }
        forget_what_is_gone();
        // A node is followed from frame to frame, and one that was asked for is looked up in the first.
        if (wanted_node_ || selection_.node.holds() || selection_.isolated.holds()) find_out();
        if (place.partial == 0) take_keyframe();
        if (!goes_on) break;
    }
}

// ---- going

CommandResult Sandbox::go_to_step(std::uint64_t step) {
    if (step < timeline_.first_step() || step > timeline_.last_step())
        return fmt::format("the recorded time goes from step {} to step {}", timeline_.first_step(),
                           timeline_.last_step());
    const Timeline::Keyframe* keyframe = timeline_.before(step);
    const TapePlace here = timeline_.place();
    const bool onward = here.steps <= step && (!keyframe || keyframe->place.steps <= here.steps);
    if (!onward && !keyframe && !timeline_.is_whole())
        return "the beginning of this scene is no longer recorded, and it cannot be copied: it can only go "
               "on";
    (void)settings_.set("sim.paused", "true");
    went_ = true;
    const ViewState mine = take_view();
    if (onward) {
        if (in_past()) put_view(recorded_view_);
    } else if (keyframe) {
        const Timeline::Keyframe& k = *keyframe;
        restore(k.moment);
        timeline_.jump(k.place);
    } else {
        begin_again();
        timeline_.jump({});
    }
    work_left_ = kMostWorkOfCommand;
    replay_to(timeline_.last_seen(step));
    settle_view(mine);
    if (work_left_ == 0 && results_.steps != step)
        messages_.warning(
            fmt::format("Going to step {} takes long: it got as far as step {}. The same command goes on "
                        "from there",
                        step, results_.steps));
    return std::nullopt;
}

int Sandbox::play_tape(int steps) {
    const ViewState mine = take_view();
    put_view(recorded_view_);
    work_left_ = kMostWorkOfFrame;
    while (steps > 0 && in_past() && work_left_ > 0) {
        const TapePlace target = timeline_.last_seen(results_.steps + 1);
        steps -= static_cast<int>(target.steps - results_.steps);
        replay_to(target);
    }
    settle_view(mine);
    return in_past() ? 0 : steps;  // what is left of the record comes with the next frames
}

/// The tape has been carried out up to here with its own view: back to the onlooker's.
void Sandbox::settle_view(const ViewState& mine) {
    recorded_view_ = take_view();
    if (follow_view_) {
        view_ = mine.rect;
        if (mine.hover_px) hover_px_ = mine.hover_px;
    } else {
        put_view(mine);
    }
    if (!in_past()) join_present(take_view());
}

/// The session goes on from here: what makes the onlooker's view different from the recorded one becomes a
/// part of the record.
void Sandbox::join_present(const ViewState& mine) {
    const ViewState& theirs = recorded_view_;
    const auto add = [this](std::string_view line) { timeline_.add_line(line, Effect::View); };
    if (mine.rect != theirs.rect)
        add(fmt::format("view.size {} {} {} {}", mine.rect.size_px.x, mine.rect.size_px.y, mine.rect.min_px.x,
                        mine.rect.min_px.y));
    if (numbers_of(mine.camera) != numbers_of(theirs.camera)) add(camera_line(mine.camera));
    if (mine.hover_px != theirs.hover_px)
        add(mine.hover_px ? fmt::format("hover {} {}", mine.hover_px->x, mine.hover_px->y) : "hover none");
    for (std::size_t i = 0; i < mine.settings.size(); ++i)
        if (mine.settings[i].second != theirs.settings[i].second)
            add("set " + quote_word(fmt::format("{}={}", mine.settings[i].first, mine.settings[i].second)));
    if (mine.hidden != theirs.hidden) {
        add("show all");
        for (const bv::BodyId id : mine.hidden)
            add(fmt::format("hide {}", id.value));
    }
    const auto same_ray = [](const bv::Ray& a, const bv::Ray& b) {
        return a.origin == b.origin && a.direction == b.direction;
    };
    if (!std::equal(mine.pinned.begin(), mine.pinned.end(), theirs.pinned.begin(), theirs.pinned.end(),
                    same_ray)) {
        add("ray.clear");
        for (const bv::Ray& ray : mine.pinned)
            add(fmt::format("ray.pin {} {} {} {} {} {}", ray.origin.x, ray.origin.y, ray.origin.z,
                            ray.direction.x, ray.direction.y, ray.direction.z));
    }
    if (mine.selection.bodies != theirs.selection.bodies) {
        std::string line = mine.selection.bodies.empty() ? "select none" : "select";
        for (const bv::BodyId id : mine.selection.bodies)
            line += fmt::format(" {}", id.value);
        add(line);
    }
    picks_ = theirs.picks;  // those made while looking back end with it
    follow_view_ = false;
}

void Sandbox::cut_future(const ViewState& mine) {
    const std::uint64_t gone = timeline_.last_step() - timeline_.place().steps;
    timeline_.cut();
    join_present(mine);
    messages_.info(fmt::format("Time goes on from step {}: the {} steps recorded after it are gone",
                               timeline_.place().steps, gone));
}

// ---- files

CommandResult Sandbox::save_recording(const std::string& path) {
    if (const auto wrong = io::wrong_ending(io::FileKind::Recording, path)) return wrong->text();
    if (!timeline_.is_whole())
        return "the beginning of this scene is no longer recorded: `restart` begins a new recording";
    recordings_due_.push_back(path);
    return std::nullopt;
}

void Sandbox::write_recordings() {
    for (const std::string& path : std::exchange(recordings_due_, {})) {
        const auto record =
            std::make_shared<io::Recording>(io::Recording{timeline_.start(), timeline_.tape()});
        record->start.opened = paths_in(path, std::move(record->start.opened));
        write_file(path, [path, record] { return io::write_recording(path, *record); });
    }
}

}  // namespace lab
