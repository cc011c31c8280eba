#include "session/scene_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "session/parts.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/rays.hpp"
#include "settings/steps.hpp"
#include "settings/tree.hpp"
#include "view/probe.hpp"
#include "world/tree_settings.hpp"
#include "world/world_settings.hpp"

namespace lab {

SceneRunner::SceneRunner(SessionParts& parts) : parts_(parts), state_(parts.state) {}

// ---- starting

CommandResult SceneRunner::load(std::string_view id) {
    return load(id, [] {});
}

CommandResult SceneRunner::load(std::string_view id, bv::FunctionRef<void()> prepare) {
    const SceneSpec* spec = find_scene(id);
    if (!spec) return no_scene(id);
    is_starting_ = true;
    leave_for(*spec);
    const Settings own = state_.settings;
    prepare();
    const Settings before = state_.settings;
    note_presets(own);  // if the start fails, they are taken back, too
    begin();
    note_presets(own);
    state_.view.home = state_.view.camera;
    parts_.recorder.begin(before);
    is_starting_ = false;
    return std::nullopt;
}

/// Puts the settings back to what they are without the running scene, before `spec` follows it.
void SceneRunner::leave_for(const SceneSpec& spec) {
    take_back_presets();
    if (state_.scene.spec == &spec) return;
    if (state_.scene.spec) {  // the next scene's algorithm starts at its answer
        state_.settings.assign(kStepAt, 0);
        state_.settings.assign(kStepPlaying, false);
        for (const auto& [row, was] : state_.scene.entered_with)
            (void)state_.settings.set(*row, was);
    }
    note_shared_settings(spec);
    state_.scene.spec = &spec;
}

/// Notes the settings of the scene's panel that belong to the program, not to scenes alone.
void SceneRunner::note_shared_settings(const SceneSpec& spec) {
    state_.scene.entered_with.clear();
    const auto of_program = program_settings();
    const Settings own = state_.settings_without_presets();
    for (const SettingSpec* row : spec.settings)
        if (std::find(of_program.begin(), of_program.end(), row) != of_program.end())
            state_.scene.entered_with.emplace_back(row, own.get_as_text(*row));
}

void SceneRunner::keep_shared_settings() {
    if (state_.scene.spec) note_shared_settings(*state_.scene.spec);
}

void SceneRunner::ensure() {
    if (!state_.scene.running) (void)load(scene_specs().front().id);
}

void SceneRunner::begin() {
    state_.view.camera = {};  // a scene that sets no angles starts at the usual ones
    state_.view.set_z_up(state_.settings[kDrawZUp]);
    parts_.jobs.drop_scene_jobs();
    parts_.fits.cancel_for_bodies();
    state_.world.clear();
    state_.view.selection = {};
    state_.view.wanted_node.reset();
    state_.view.wants_marks_framed = false;
    state_.edits.clear();
    state_.view.pinned_rays.clear();
    state_.view.picks.clear();
    state_.view.beside_charts = state_.scene.spec->charts;
    state_.view.free_above.reset();
    state_.clock = {0, 0.0, state_.clock.queued_steps, 0};
    parts_.recorder.follow_view(false);
    (void)parts_.opener.take_hold();
    parts_.results.frame = 0;
    Checks checks = std::exchange(state_.checks, {});
    state_.checks.differences = std::move(checks.differences);  // kept across restarts
    apply_world_settings();

    state_.scene.seed = static_cast<std::uint64_t>(state_.settings[kWorldSeed]);
    state_.scene.running = ScenePtr(state_.scene.spec->make());
    SceneContext scene_context = context();
    state_.scene.running->setup(scene_context);
    apply_world_settings();
    parts_.meter.restart(state_.settings);
    if (!scene_context.frame_box.is_empty()) {
        state_.view.camera.frame(scene_context.frame_box);
    } else if (scene_context.frame_camera) {
        FrameResults first;  // exhibits belong in the picture, too
        first.bounds = state_.world.bounds();
        parts_.frame.show_scene(first);
        state_.view.frame_everything(first);
    }
    if (state_.scene.spec->steps == &kStepAt) {
        FrameResults first;  // commands before the first frame may use the steps, too
        parts_.frame.show_scene(first);
        state_.view.measure_free_above(first);
    }
    parts_.scene_work = 0;  // no line of its record
}

void SceneRunner::restart() {
    is_starting_ = true;
    const Camera camera = state_.view.camera;
    const Settings settings = state_.settings;
    begin();
    state_.view.camera = camera;
    state_.settings = settings;
    parts_.meter.restart(state_.settings);
    parts_.recorder.begin(settings);
    is_starting_ = false;
}

CommandResult SceneRunner::change(int offset) {
    const auto specs = scene_specs();
    const auto count = static_cast<int>(specs.size());
    const int now = static_cast<int>(state_.scene.spec - specs.data());
    return load(specs[static_cast<std::size_t>(((now + offset) % count + count) % count)].id);
}

void SceneRunner::give_up(const char* why) {
    parts_.messages.error(
        fmt::format("scene {} was closed: {}. Open fewer files at once, or spawn fewer bodies",
                    state_.scene.spec ? state_.scene.spec->id : "", why));
    ++parts_.refused;
    parts_.jobs.cancel_all();
    parts_.opener.stop_replaying();
    parts_.messages.set_muted(false);
    parts_.results = {};
    parts_.frame.reset();
    state_.settings.assign(kSimPaused, true);
    (void)load(scene_specs().front().id);
}

void SceneRunner::take_back_presets() {
    state_.settings = state_.settings_without_presets();
    state_.scene.presets.clear();
}

void SceneRunner::note_presets(const Settings& own) {
    state_.scene.presets.clear();
    for (const SettingSpec* row : own.catalog().rows()) {
        if (row->is_of_window) continue;  // the user may have changed it while a record was replayed
        std::string was = own.get_as_text(*row), now = state_.settings.get_as_text(*row);
        if (was != now) state_.scene.presets.push_back({row, std::move(was), std::move(now)});
    }
}

// ---- a frame

SceneContext SceneRunner::context() {
    return {state_.world,
            parts_.meshes,
            state_.settings,
            parts_.opened,
            parts_.messages,
            parts_.file_problems,
            parts_.scene_work,
            state_.view.camera,
            state_.view.followed_step,
            parts_.jobs,
            state_.scene.seed,
            true,
            {}};
}

void SceneRunner::let_scene(bv::FunctionRef<void()> act) {
    const World& world = state_.world;
    const bv::BodyId next = world.next_id();
    const std::size_t count = world.bodies().size();
    act();
    if (world.next_id() != next || world.bodies().size() != count) state_.edits.forget_missing(world);
}

void SceneRunner::let_scene_adapt() {
    SceneContext scene_context = context();
    let_scene([&] { state_.scene.running->adapt(scene_context); });
}

void SceneRunner::adapt() {
    let_scene_adapt();
    apply_world_settings();
}

void SceneRunner::apply_world_settings() {
    WorldOptions options;
    options.volumes = chosen_volumes(state_.settings);
    parts_.meshes.set_fits(options.volumes, drawn_volumes(state_.settings));
    options.ray_mode = state_.settings[kRayMode];
    options.contact = state_.settings[kSimContact];
    options.exact = state_.settings[kVolumeExact];
    options.broadphase = state_.settings[kBroadphaseKind];
    options.exact_by = state_.settings[kVolumeExactBy];
    options.tree = tree_options(state_.settings);
    state_.world.settle();  // moves by commands happen under the options in force when they were given
    state_.world.set_options(options);
}

void SceneRunner::fixed_step() {
    SceneContext scene_context = context();
    constexpr auto kStep_s = static_cast<float>(SessionClock::kFixedStep_s);
    let_scene([&] { state_.scene.running->step(scene_context, kStep_s); });
    state_.world.step(kStep_s, parts_.results.timings_ms);
    ++state_.clock.steps;
}

void SceneRunner::job_ended() {
    SceneContext scene_context = context();
    const std::uint64_t before = state_.world.revision();
    bool complete = false;
    let_scene([&] { complete = state_.scene.running->job_ended(scene_context); });
    if (state_.world.revision() == before) return;
    // When a job ends depends on the machine, so no record can reproduce it: the scene begins again with what
    // its jobs have made, as it does where jobs are done at once.
    if (has_edits()) return parts_.recorder.begin_without_start();
    if (!complete) return;
    const HeldView view = hold_view(state_);
    restart();
    put_view(state_, view);
    parts_.recorder.join_present();
}

/// True if the record has changed the world by anything but settings, which a restart keeps, or if its
/// beginning is lost.
bool SceneRunner::has_edits() const {
    const Timeline& record = parts_.recorder.timeline();
    return !record.is_whole() || std::any_of(record.tape().begin(), record.tape().end(), [&](const auto& e) {
        if (e.line.empty() || e.is_look) return false;
        const ParsedLine line = parts_.table.parse(e.line);
        return line.effect() == Effect::World && !line.changes_setting();
    });
}

void SceneRunner::warn_about_settings(const WorldOptions& before) {
    const WorldOptions& now = state_.world.options();
    const SceneSpec& spec = *state_.scene.spec;
    const bool others_use_it = spec.offers(kTreeInsertion) || spec.offers(kTreeMargin);
    if (now.tree != before.tree && now.broadphase == before.broadphase &&
        now.broadphase != bv::BroadphaseKind::DynamicTree && !others_use_it)
        parts_.messages.info(fmt::format("This setting affects the dynamic tree only: choose {} under {}",
                                         kBroadphaseKind.shown("dynamic-tree"), kBroadphaseKind.label));
    const bool stand_in = state_.world.finder().engine().kind() != now.broadphase;
    if (stand_in && !warned_of_stand_in_)
        parts_.messages.warning(
            state_.world.finder().is_too_slow(state_.world.options())
                ? fmt::format("The broadphase {} needs more than {} tests per step for these {} bodies: the "
                              "wide tree finds their pairs instead. Choose another under {}",
                              state_.settings.choice(kBroadphaseKind).label,
                              io::grouped(PairFinder::kMaxTests), io::grouped(state_.world.bodies().size()),
                              kBroadphaseKind.label)
                : fmt::format(
                      "Brute force is limited to {} bodies: the wide tree finds the pairs of these {}",
                      io::grouped(PairFinder::kMaxBruteForce), io::grouped(state_.world.bodies().size())));
    warned_of_stand_in_ = stand_in;
}

void SceneRunner::warn_about_pairs() {
    const PairStages& pairs = state_.world.finder().pairs();
    if (pairs.left_out > 0 && !warned_of_left_out_)
        parts_.messages.warning(
            fmt::format("{}{} pairs of boxes overlap: only the first {} are tested further, the others are "
                        "just counted. Spread the bodies out, or make them smaller",
                        pairs.all_counted ? "" : "More than ", io::grouped(pairs.broad_count()),
                        io::grouped(pairs.broad.size())));
    warned_of_left_out_ = pairs.left_out > 0;
    const bool untested = state_.world.options().exact && !state_.world.finder().pairs().exact_tested;
    if (untested && !warned_of_untested_)
        parts_.messages.warning(
            fmt::format("The exact test is limited to {} pairs: of these {}, only the volumes are tested. "
                        "Spread the bodies out, or make them smaller",
                        io::grouped(PairFinder::kMaxExactPairs),
                        io::grouped(state_.world.finder().pairs().volume.size())));
    warned_of_untested_ = untested;
}

// ---- commands

std::vector<Handle> SceneRunner::handles() {
    let_scene_adapt();
    FrameResults now;
    parts_.frame.show_scene(now);
    for (const Handle& handle : parts_.results.handles)
        if (handle.id == kProbeHandle || handle.id == kProbeAimHandle) now.handles.push_back(handle);
    return std::move(now.handles);
}

CommandResult SceneRunner::drag_handle(std::string_view id, const glm::vec3& position) {
    const std::vector<Handle> before = handles();
    const Handle* const handle = find_handle(before, id);
    const std::string name(handle ? handle->name() : id);
    SceneContext scene_context = context();
    bool dragged = false;
    change_input(name, Noted::AnyChange,
                 [&] { dragged = state_.scene.running->drag(scene_context, id, position); });
    if (!dragged) return no_value(id);
    if (handle && !state_.scene.running->input())
        state_.edits.note_handle(id, name, handle->position, position);
    return std::nullopt;
}

CommandResult SceneRunner::change_settings(bv::FunctionRef<CommandResult()> change) {
    if (!state_.scene.running) return change();
    const Settings before = state_.settings;
    SceneInput input = state_.scene.running->input();
    CommandResult problem = change();
    if (state_.settings == before) return problem;
    let_scene_adapt();
    state_.edits.note_input({}, {std::move(input), state_.scene.running->input()});
    return problem;
}

void SceneRunner::restore_input(const SceneInput& from, const SceneInput& to) {
    let_scene_adapt();
    state_.scene.running->restore(from, to);
}

void SceneRunner::pick(const bv::Ray& ray) {
    let_scene_adapt();
    SceneContext scene_context = context();
    change_input("A click in the view", Noted::AddedOrRemoved,
                 [&] { state_.scene.running->pick(scene_context, ray); });
}

void SceneRunner::change_input(std::string_view label, Noted noted, bv::FunctionRef<void()> change) {
    Scene& scene = *state_.scene.running.get();
    SceneInput before = scene.input();
    if (!before || !state_.edits.is_open()) return let_scene(change);
    const std::size_t size = scene.input_size();
    // Undo restores the bodies of the scene, too.
    const World& world = state_.world;
    const std::uint32_t first_new = world.next_id().value;
    for (const Body& body : world.bodies())
        state_.edits.touch(world, body.state.id);
    change();
    for (std::uint32_t id = first_new; id < world.next_id().value; ++id)
        state_.edits.touch_new({id});
    if (noted == Noted::AnyChange || scene.input_size() != size)
        state_.edits.note_input(label, {std::move(before), scene.input()});
}

CommandResult SceneRunner::no_value(std::string_view id) const {
    return fmt::format("scene '{}' has no handle '{}'", state_.scene.spec->id, id);
}

CommandResult SceneRunner::play(std::string_view action) {
    let_scene_adapt();
    SceneContext scene_context = context();
    bool played = false;
    const auto& offered = state_.scene.spec->commands;
    const auto own = std::find_if(offered.begin(), offered.end(),
                                  [&](const SceneCommand& command) { return command.action == action; });
    const std::string_view words = own != offered.end() && !own->button.empty() ? own->button : action;
    change_input(words, Noted::AddedOrRemoved,
                 [&] { played = state_.scene.running->play(scene_context, action); });
    if (played) return std::nullopt;
    std::string_view command;
    std::vector<std::string> works_in;
    for (const SceneSpec& spec : scene_specs())
        for (const SceneCommand& row : spec.commands)
            if (row.action == action) {
                command = row.id;
                works_in.push_back(fmt::format("`scene {}`", spec.id));
            }
    return fmt::format("`{}` does nothing in the scene '{}'; it works in {}", command, state_.scene.spec->id,
                       fmt::join(works_in, ", "));
}

void SceneRunner::rebuild_tree(std::optional<bv::Builder> builder) {
    apply_world_settings();
    state_.world.rebuild_tree(builder);
}

}  // namespace lab
