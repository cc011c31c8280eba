#include "session/sandbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "io/limits.hpp"
#include "scenes/trees/operations.hpp"
#include "view/picking.hpp"
#include "view/verify.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

/// A frame that took longer lets time fall behind rather than taking ever longer.
constexpr int kMaxStepsPerFrame = 8;
/// Worlds of up to so many bodies have their tree laid open in every frame; it takes microseconds.
constexpr std::size_t kAlwaysLaidOpen = 1000;
constexpr const char* kBodiesTree = "bodies";

double elapsed_ms(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

/// -1..1 and back in one unit of `x`: two parabolas that follow a sine to 6 %, the same bits on every
/// machine.
float wave(double x) {
    const double f = x - std::floor(x);
    const double half = f < 0.5 ? f : f - 0.5;
    const double arc = 16.0 * half * (0.5 - half);
    return static_cast<float>(f < 0.5 ? arc : -arc);
}

}  // namespace

Sandbox::Sandbox(const CommandTable& commands) : table_(commands), world_(std::make_unique<World>(meshes_)) {
    meshes_.add_generated();
}
Sandbox::~Sandbox() = default;

// ---- the frame

namespace {

/// Of the chosen kind of volume in this frame.
FalseAlarms false_alarms(const World& world, const TimingsMs& timings) {
    static constexpr Role kRoles[] = {Role::Sphere, Role::AabbFixed, Role::AabbTight, Role::Obb};
    const PairStages& pairs = world.pairs();
    FalseAlarms row;
    row.kind = volume_id(world.options().volumes.kind);
    row.role = kRoles[static_cast<std::size_t>(world.options().volumes.kind)];
    row.tested = pairs.broad.size();
    row.passed = pairs.volume.size();
    row.touching = pairs.exact.size();
    if (row.tested > 0) row.test_ns = 1e6 * timings.volume_tests / static_cast<double>(row.tested);
    return row;
}

const char* reason(const std::exception& thrown) {
    const bool memory =
        dynamic_cast<const std::bad_alloc*>(&thrown) || dynamic_cast<const std::length_error*>(&thrown);
    return memory ? "there is not enough memory for it" : thrown.what();
}

}  // namespace

void Sandbox::drain() {
    try {
        jobs_.advance();
        bring_in_jobs();
    } catch (const std::exception& thrown) {
        give_up_scene(reason(thrown));
    }
    for (std::size_t left = held_.size(); left > 0 && !jobs_.is_running(opening_); --left) {
        const ParsedLine line = std::move(held_.front());
        held_.pop_front();
        take_up(line);
    }
    // Lines that a command pushes wait for the next frame, so that no script can keep this one from ending.
    const bool was_opening = jobs_.is_running(opening_);
    for (std::size_t left = queue_.size(); left > 0; --left) {
        const CommandQueue::Entry entry = queue_.pop();
        try {
            ParsedLine line = table_.parse(entry.line, entry.origin);
            // What came together with an `open` and stands behind it is about what it opens.
            const bool waits =
                (!was_opening && jobs_.is_running(opening_)) || (replaying_ && !line.runs_during_replay());
            if (waits)
                held_.push_back(std::move(line));
            else
                take_up(line);
        } catch (const std::exception& thrown) {
            refuse(entry.origin, fmt::format("`{}`: {}", entry.line, reason(thrown)));
        }
    }
}

/// Where memory runs out on the way, the line is refused and the session goes on.
void Sandbox::take_up(const ParsedLine& line) {
    try {
        carry_out(line);
    } catch (const std::exception& thrown) {
        if (is_between_scenes_) give_up_scene(reason(thrown));
        refuse(line.origin, fmt::format("`{}`: {}", line.text, reason(thrown)));
    }
    current_ = {};
}

void Sandbox::carry_out(const ParsedLine& line) {
    if (waits_for_fits(line)) return;
    current_ = line;
    if (const CommandResult problem = run_line(line)) refuse(line.origin, *problem);
}

void Sandbox::refuse(const std::string& origin, const std::string& problem) {
    ++refused_;
    messages_.error(origin.empty() ? problem : fmt::format("{}: {}", origin, problem));
}

void Sandbox::bring_in_jobs() {
    if (jobs_.finish_ended() == 0 || !scene_) return;
    SceneContext scene_context = context();
    scene_->job_ended(scene_context);
    // When a job ends depends on the machine and not on the commands: what can be repeated begins here.
    results_.steps = 0;
    results_.time_s = 0;
    begin_record(recording_start(settings_without_presets()));
}

void Sandbox::work_in_background(MeshPreparer preparer) {
    jobs_.set_mode(JobMode::Background);
    meshes_.set_preparer(std::move(preparer));
}

CommandResult Sandbox::run_line(const ParsedLine& line) {
    if (CommandResult problem = CommandTable::check(line)) return problem;
    if (!line.command) return std::nullopt;
    if (line.command->needs_scene) ensure_scene();
    const Effect effect = line.effect();
    const bool has_scene = scene_ != nullptr;
    if (line.command->moves_camera) follow_view_ = false;  // the viewer takes the camera
    const bool is_recorded = has_scene && effect != Effect::Outside && !in_past();
    const bool rewrites = has_scene && effect == Effect::World && in_past();
    const std::uint64_t revision = world_->revision(), record = timeline_.id();
    CommandResult problem;
    try {
        problem = rewrites ? run_in_past(line) : run_edit(line);
    } catch (...) {
        // No line of the record leads to what was done before it threw.
        if (has_scene && !is_between_scenes_ && world_->revision() != revision && timeline_.id() == record) {
            world_->mend();
            begin_record(recording_start(settings_));
            timeline_.give_up_start();
        }
        throw;
    }
    if (is_recorded) timeline_.add_line(line.text, effect);
    return problem ? fmt::format("`{}`: {}", line.text, *problem) : problem;
}

/// A command that changes the world: what was recorded after the moment on show ends with it, unless it left
/// everything as it was.
CommandResult Sandbox::run_in_past(const ParsedLine& line) {
    const ViewState view = take_view();
    const Settings settings = settings_;
    const std::uint64_t revision = world_->revision(), record = timeline_.id();
    const std::string_view id = line.command->id;
    const bool is_idle = (id == "undo" && edits_.undo_count() == 0) ||
                         (id == "redo" && edits_.redo_count() == 0) ||
                         (line.command->change && !line.command->per_body);
    const CommandResult problem = run_edit(line);
    const bool changed = world_->revision() != revision || settings_ != settings;
    if (!changed && (problem || is_idle)) return problem;
    if (timeline_.id() == record) cut_future(view);
    timeline_.add_line(line.text, Effect::World);
    return problem;
}

const FrameResults& Sandbox::step(double dt_s) {
    try {
        advance(dt_s);
    } catch (const std::exception& thrown) {
        give_up_scene(reason(thrown));
        advance(0.0);
    }
    return results_;
}

/// What threw stands somewhere in between: a new scene does not.
void Sandbox::give_up_scene(const char* why) {
    messages_.error(fmt::format("scene {} was given up: {}. Open less at once, or spawn fewer bodies",
                                scene_spec_ ? scene_spec_->id : "", why));
    ++refused_;
    jobs_.cancel_all();
    replaying_ = restoring_ = false;
    messages_.set_muted(false);
    results_ = {};
    bodies_revision_.reset();
    tree_revision_.reset();
    (void)settings_.set("sim.paused", "true");
    (void)load_scene(kDefaultScene);
}

void Sandbox::advance(double dt_s) {
    ensure_scene();
    wall_time_s_ += std::max(dt_s, 0.0);
    messages_.set_time(wall_time_s_);
    jobs_.set_time(wall_time_s_);
    const TimingsMs last = std::exchange(results_.timings_ms, {});
    results_.timings_ms.viz = last.viz;  // until these results are drawn
    results_.timings_ms.render = last.render;
    const WorldOptions before = world_->options();
    meter_.look_at(settings_);
    adapt_to_settings();
    tell_of_idle_settings(before, world_->options());
    const bool still = std::exchange(holds_still_, false);
    if (replaying_ || (still && queued_steps_ == 0 && !world_->pairs_due())) {
        find_out();
        if (still && settings_.flag("verify") && verified_ != world_->revision()) verify();
        return;
    }

    // The rest comes with the next frames: no recording holds a frame of more steps.
    constexpr int kMost = io::limits::kStepsPerFrame;
    int steps = std::min(queued_steps_, kMost);
    queued_steps_ -= steps;
    if (!still && !settings_.flag("sim.paused")) {
        owed_s_ += dt_s * static_cast<double>(settings_.real("sim.speed"));
        // A hair less than a whole step counts as one: sums of 1/60 are not exact.
        const double whole = std::floor(owed_s_ / kFixedStep_s + 1e-6);
        const int due = static_cast<int>(std::clamp(whole, 0.0, static_cast<double>(kMaxStepsPerFrame)));
        owed_s_ = due < kMaxStepsPerFrame ? std::max(owed_s_ - due * kFixedStep_s, 0.0) : 0.0;
        steps = std::min(steps + due, kMost);
    }
    const bool looked_back = in_past() || went_;
    went_ = false;
    if (in_past()) steps = play_tape(steps);
    for (int i = 0; i < steps; ++i)
        fixed_step();
    if (steps == 0) world_->find_pairs(results_.timings_ms);
    const bool live = !looked_back || steps > 0;
    if (live) timeline_.add_frame(static_cast<std::uint32_t>(steps));
    tell_of_untested_pairs();
    find_out();
    if (settings_.flag("verify")) live ? verify() : verify_again();
    if (live) take_keyframe();
    write_recordings();
}

void Sandbox::fixed_step() {
    SceneContext scene_context = context();
    scene_->step(scene_context, static_cast<float>(kFixedStep_s));
    world_->step(static_cast<float>(kFixedStep_s), results_.timings_ms);
    ++results_.steps;
    results_.time_s = static_cast<double>(results_.steps) * kFixedStep_s;
}

void Sandbox::adapt_to_settings() {
    SceneContext scene_context = context();
    scene_->adapt(scene_context);
    apply_world_settings();
}

void Sandbox::apply_world_settings() {
    WorldOptions options;
    options.volumes = chosen_volumes(settings_);
    meshes_.set_fits(options.volumes);
    options.ray_mode = chosen_row<bv::RayMode>(settings_, "ray.mode");
    options.contact = chosen_row<Contact>(settings_, "sim.contact");
    options.exact = settings_.flag("volume.exact");
    options.broadphase = chosen_row<bv::BroadphaseKind>(settings_, "broadphase.kind");
    options.exact_by = chosen_row<ExactBy>(settings_, "volume.exact_by");
    options.tree = tree_options(settings_);
    world_->set_options(options);
}

void Sandbox::tell_of_idle_settings(const WorldOptions& before, const WorldOptions& now) {
    const bool others_use_it = scene_spec_->offers("tree.insertion");
    if (now.tree != before.tree && now.broadphase != bv::BroadphaseKind::DynamicTree && !others_use_it)
        messages_.info(
            "This is a choice of the dynamic tree; `set broadphase.kind=dynamic-tree` puts it to work");
    const bool stand_in = world_->broadphase().kind() != now.broadphase;
    if (stand_in && !told_of_stand_in_)
        messages_.warning(
            world_->is_too_slow()
                ? fmt::format("The engine {} needs more than {} tests for a step of these {} bodies: the "
                              "wide tree finds "
                              "their pairs, until `set broadphase.kind` chooses another",
                              settings_.choice("broadphase.kind"), World::kMaxTests, world_->bodies().size())
                : fmt::format("Brute force is for up to {} bodies: the wide tree finds the pairs of these {}",
                              World::kMaxBruteForce, world_->bodies().size()));
    told_of_stand_in_ = stand_in;
}

void Sandbox::tell_of_untested_pairs() {
    const PairStages& pairs = world_->pairs();
    if (pairs.left_out > 0 && !told_of_left_out_)
        messages_.warning(fmt::format(
            "{}{} pairs of boxes overlap: the first {} are kept and tested further, the others are only "
            "counted. Spread the bodies out, or make them smaller",
            pairs.all_counted ? "" : "More than ", pairs.broad_count(), World::kMaxPairs));
    told_of_left_out_ = pairs.left_out > 0;
    const bool untested = world_->options().exact && !world_->pairs().exact_tested;
    if (untested && !told_of_many_pairs_)
        messages_.warning(fmt::format(
            "Exact contact is for up to {} pairs: of these {} only the volumes are tested. Spread the "
            "bodies out, or make them smaller",
            World::kMaxExactPairs, world_->pairs().volume.size()));
    told_of_many_pairs_ = untested;
}

void Sandbox::find_out() {
    world_->find_pairs(results_.timings_ms);  // nobody sees bodies without their pairs
    results_due_ = false;
    const auto start = std::chrono::steady_clock::now();
    results_.record = timeline_.id();
    results_.frame = timeline_.place().frame;
    results_.paused = settings_.flag("sim.paused");
    results_.in_past = in_past();
    results_.scene_id = scene_spec_->id;
    results_.alarms.clear();
    results_.lineup.reset();
    if (world_->pairs().exact_tested) results_.alarms.push_back(false_alarms(*world_, results_.timings_ms));
    results_.room = world_->room();
    results_.bounds = world_->bounds();
    take_bodies();
    results_.broadphase = world_->broadphase_frame();
    // Only what changed is laid open anew. A scene may have taken the tree out.
    const bool same_tree = !results_.trees.empty() && results_.trees.front().first == kBodiesTree &&
                           tree_revision_ == world_->revision();
    results_.trees.resize(same_tree ? 1 : 0);
    if (!same_tree) tree_revision_.reset();
    if (world_->bodies().size() <= kAlwaysLaidOpen) lay_trees_open();
    results_.timings_ms.results = elapsed_ms(start);
    cast_rays();
    cast_heatmap();

    results_.exhibits.clear();
    results_.handles.clear();
    results_.charts.clear();
    results_.line_charts.clear();
    results_.measured_trees.clear();
    results_.broken_nodes.clear();
    results_.fits.clear();
    results_.tables.clear();
    show_scene(results_);
    settle_selection();
    meter_costs();
}

void Sandbox::meter_costs() {
    const TimingsMs& t = results_.timings_ms;
    FrameCost cost;
    cost[FrameCost::BroadTests] = static_cast<double>(results_.broadphase.tests);
    cost[FrameCost::BroadPairs] = static_cast<double>(results_.pairs.broad_count());
    cost[FrameCost::VolumePairs] = static_cast<double>(results_.pairs.volume.size());
    if (results_.pairs.exact_tested) {
        cost[FrameCost::ExactPairs] = static_cast<double>(results_.pairs.exact.size());
        cost[FrameCost::PartTests] = static_cast<double>(results_.pairs.counts.part_tests);
    }
    for (const RayQuery& ray : results_.rays) {
        cost[FrameCost::RayNodes] += ray.counters.visited;
        cost[FrameCost::RayTests] += ray.counters.tested;
    }
    cost[FrameCost::Memory] = static_cast<double>(results_.broadphase.memory_bytes);
    cost[FrameCost::RefitMs] = t.refit;
    cost[FrameCost::BroadMs] = t.broadphase;
    cost[FrameCost::VolumeMs] = t.volume_tests;
    cost[FrameCost::ExactMs] = t.exact_tests;
    cost[FrameCost::QueryMs] = t.queries;
    meter_.add(cost, world_->revision());
    results_.before_after = meter_.result();
}

/// Once for every frame of the record.
void Sandbox::verify() {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<std::string>& differences = results_.checks.differences;
    const std::size_t known = differences.size();
    verify_frame(*world_, results_);
    for (std::size_t i = known; i < differences.size(); ++i)
        messages_.error("verify: " + differences[i]);
    verified_ = world_->revision();
    results_.timings_ms.verify = elapsed_ms(start);
}

/// A frame of the record that is seen once more: it counts where it stands in the record.
void Sandbox::verify_again() {
    if (verified_ == world_->revision()) return;
    Checks counted = results_.checks;
    verify();
    counted.differences = std::move(results_.checks.differences);
    results_.checks = std::move(counted);
}

/// Bodies and pairs as they stand; nothing is copied while nothing has changed.
void Sandbox::take_bodies() {
    if (bodies_revision_ != world_->revision()) {
        bodies_revision_ = world_->revision();
        results_.pairs = world_->pairs();
        const auto bodies = world_->bodies();
        results_.bodies.resize(bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i)
            results_.bodies[i] = bodies[i].state;
    }
}

void Sandbox::lay_trees_open() const {
    if (tree_revision_ == world_->revision() || !world_->broadphase().keeps_tree()) return;
    results_.trees.emplace(results_.trees.begin(), kBodiesTree, world_->broadphase().snapshot());
    tree_revision_ = world_->revision();
}

void Sandbox::show_scene(FrameResults& results) {
    scene_->show(context(), results);
    for (const Exhibit& exhibit : results.exhibits)
        results.bounds = bv::merge(results.bounds, bounds_of(exhibit));
}

void Sandbox::cast_heatmap() {
    if (!settings_.flag("heat.show")) {
        heat_.clear();
        results_.heatmap = nullptr;
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    const unsigned threads = std::max(std::thread::hardware_concurrency(), 1u);
    results_.heatmap = heat_.advance(*world_, view_camera(), view_.size_px, heat_options(settings_), threads);
    results_.timings_ms.queries += elapsed_ms(start);
}

void Sandbox::cast_rays() {
    const auto start = std::chrono::steady_clock::now();
    results_.rays.clear();
    results_.hovered = {};
    if (hover_px_) results_.hovered = cast_ray(*world_, RayQuery::Kind::Hover, ray_through(*hover_px_)).body;
    // Where a click pins the ray, the pinned one stands for the one that follows the mouse.
    const bool stands_still = scene_->pins_picks() && !pinned_.empty();
    const bool wanted = stands_still ? false
                        : hover_px_  ? settings_.flag("ray.hover")
                                     : settings_.flag("ray.sweep");
    if (wanted)
        if (const std::optional<bv::Ray> ray = hover_px_ ? std::optional(mouse_ray(*hover_px_)) : sweep_ray())
            results_.rays.push_back(cast_ray(*world_, RayQuery::Kind::Hover, *ray));
    for (const bv::Ray& ray : pinned_)
        results_.rays.push_back(cast_ray(*world_, RayQuery::Kind::Pinned, ray));
    results_.timings_ms.queries = elapsed_ms(start);
}

bv::Ray Sandbox::ray_through(glm::vec2 pixel) const {
    return view_camera().ray_through(pixel - view_.min_px, view_.size_px);
}

std::optional<glm::vec2> Sandbox::pixel_of(const glm::vec3& point) const {
    const auto in_view = view_camera().project(point, view_.size_px);
    return in_view ? std::optional(*in_view + view_.min_px) : std::nullopt;
}

bv::Ray Sandbox::mouse_ray(glm::vec2 pixel) const {
    const bv::Ray from_eye = ray_through(pixel);
    if (!world_->lamp() || settings_.choice("ray.from") == "eye") return from_eye;
    // The lamp's ray goes to what is seen under the mouse, or else to the plane through the orbit center.
    const RayQuery seen = cast_ray(*world_, RayQuery::Kind::Hover, from_eye);
    glm::vec3 aim = seen.point;
    if (!seen.hit) {
        const float along = glm::dot(from_eye.direction, camera_.forward());
        aim = from_eye.at(view_camera().distance / std::max(along, 1e-3f));
    }
    bv::Ray ray;
    ray.origin = *world_->lamp();
    const glm::vec3 direction = aim - ray.origin;
    ray.direction = direction / std::max(glm::length(direction), 1e-6f);
    return ray;
}

std::optional<bv::Ray> Sandbox::sweep_ray() const {
    if (!world_->lamp() || world_->bounds().is_empty()) return std::nullopt;
    const glm::vec3 swing = {wave(results_.time_s / 11.0), 0.6f * wave(results_.time_s / 7.0 + 0.25),
                             wave(results_.time_s / 17.0 + 0.1)};
    const glm::vec3 aim = world_->bounds().center() + 0.75f * swing * world_->bounds().half_extents();
    const glm::vec3 direction = aim - *world_->lamp();
    bv::Ray ray;
    ray.origin = *world_->lamp();
    ray.direction = direction / std::max(glm::length(direction), 1e-6f);
    return ray;
}

void Sandbox::set_drawing_times(double viz_ms, double render_ms) {
    results_.timings_ms.viz = viz_ms;
    results_.timings_ms.render = render_ms;
}

OutsideRequests Sandbox::take_requests() {
    return std::exchange(requests_, {});
}

// ---- reading

Settings Sandbox::settings_without_presets() const {
    Settings settings = settings_;
    take_back_presets(settings);
    return settings;
}

// ---- scenes

SceneContext Sandbox::context() {
    return {*world_,   meshes_, settings_, opened_,
            messages_, camera_, jobs_,     static_cast<std::uint64_t>(settings_.integer("world.seed")),
            true,      {}};
}

void Sandbox::ensure_scene() {
    if (!scene_) (void)load_scene(kDefaultScene);
}

CommandResult Sandbox::load_scene(std::string_view id) {
    const SceneSpec* spec = find_scene(id);
    if (!spec) return no_scene(id);
    take_back_presets(settings_);
    presets_.clear();
    scene_spec_ = spec;
    const Settings before = settings_;
    begin_scene();
    scene_camera_ = camera_;
    begin_record(recording_start(before));
    return std::nullopt;
}

void Sandbox::take_back_presets(Settings& settings) const {
    for (const Preset& preset : presets_)
        if (settings.get_as_text(preset.id) == preset.set_to) (void)settings.set(preset.id, preset.was);
}

void Sandbox::begin_scene() {
    is_between_scenes_ = true;
    const Settings before = settings_;
    jobs_.drop_scene_jobs();
    give_up_fits_of_bodies();
    world_->clear();
    selection_ = {};
    wanted_node_.reset();
    edits_.clear();
    pinned_.clear();
    picks_.clear();
    owed_s_ = 0;
    follow_view_ = false;
    holds_still_ = false;
    spawned_ = 0;
    results_.frame = results_.steps = 0;
    results_.time_s = 0;
    const Checks checks = std::exchange(results_.checks, {});
    results_.checks.differences = checks.differences;  // a difference must not be lost by restarting
    apply_world_settings();

    scene_ = scene_spec_->factory();
    SceneContext scene_context = context();
    scene_->setup(scene_context);
    for (const SettingSpec& spec : setting_specs()) {
        const std::string now = settings_.get_as_text(spec.id);
        if (now != before.get_as_text(spec.id))
            presets_.push_back({spec.id, before.get_as_text(spec.id), now});
    }
    apply_world_settings();
    meter_.restart(settings_);
    bv::Aabb framed;
    if (!scene_context.frame_box.is_empty()) {
        framed = scene_context.frame_box;
    } else if (scene_context.frame_camera) {
        FrameResults first;  // what the scene puts on show belongs in the picture, too
        first.bounds = world_->bounds();
        show_scene(first);
        framed = first.bounds;
        // Charts stand below: what they are about stays above them.
        if (!first.charts.empty()) framed.min.y -= 0.33f * glm::length(framed.size());
    }
    frame_camera(framed);
    is_between_scenes_ = false;
}

void Sandbox::restart_scene() {
    const Camera kept = camera_;          // whoever restarts wants to see the same thing again
    const Settings settings = settings_;  // nor should it undo what was changed since
    const std::vector<Preset> presets = presets_;
    begin_scene();
    camera_ = kept;
    settings_ = settings;
    presets_ = presets;
    meter_.restart(settings_);
    begin_record(recording_start(settings));
}

CommandResult Sandbox::change_scene(int offset) {
    const auto specs = scene_specs();
    const auto count = static_cast<int>(specs.size());
    const int now = static_cast<int>(scene_spec_ - specs.data());
    return load_scene(specs[static_cast<std::size_t>(((now + offset) % count + count) % count)].id);
}

CommandResult Sandbox::step_scene(int by) {
    const std::string_view id = scene_spec_->steps;
    if (id.empty() && scene_spec_->id == "voxel-invaders") {  // there the same keys move the ship
        queue_.push(by > 0 ? "invaders.right" : "invaders.left");
        return std::nullopt;
    }
    if (id.empty()) return fmt::format("scene '{}' has nothing that goes step by step", scene_spec_->id);
    const SettingSpec& spec = *find_setting(id);
    const int to =
        std::clamp(settings_.integer(id) + by, static_cast<int>(spec.min), static_cast<int>(spec.max));
    return settings_.set(id, fmt::format("{}", to));
}

CommandResult Sandbox::drag_handle(std::string_view id, const glm::vec3& position) {
    SceneContext scene_context = context();
    if (scene_->drag(scene_context, id, position)) return std::nullopt;
    return fmt::format("scene '{}' has no handle '{}'", scene_spec_->id, id);
}

CommandResult Sandbox::play(std::string_view action) {
    SceneContext scene_context = context();
    if (scene_->play(scene_context, action)) return std::nullopt;
    return fmt::format("scene '{}' has no use for this; voxel-invaders can be played and mesh-cut can be cut",
                       scene_spec_->id);
}

CommandResult Sandbox::step_operations(int by) {
    auto* const keeper = dynamic_cast<KeepsOperations*>(scene_.get());
    if (!keeper) return "this scene keeps no operations of a tree; `scene aabb-tree` does";
    if (CommandResult problem = keeper->step_operations(by)) return problem;
    return settings_.set("sim.paused", "true");
}

// ---- rays and view

void Sandbox::set_hover(std::optional<glm::vec2> pixel) {
    hover_px_ = pixel;
}

void Sandbox::rebuild_tree(std::optional<bv::Builder> builder) {
    apply_world_settings();
    world_->rebuild_tree(builder);
}

void Sandbox::queue_steps(int count) {
    constexpr int kMostQueued = 1'000'000'000;
    queued_steps_ = std::min(queued_steps_, kMostQueued - count) + count;
}

void Sandbox::set_view(const ViewRect& view) {
    view_ = view;
}

Camera Sandbox::view_camera() const {
    // Where panels leave a part of the window for the view, the scene's text lies over the top of it.
    constexpr float kTextShare = 0.16f;
    const float covered = view_.min_px.y > 0.0f ? kTextShare : 0.0f;
    return camera_.in_view(view_.size_px.x / view_.size_px.y, covered);
}

void Sandbox::frame_camera(const bv::Aabb& box) {
    camera_.frame(box);
}

void Sandbox::frame_selection() {
    bv::Aabb box;
    if (const auto node = selected_node_now()) {
        box = find_tree(results_.trees, node->tree)->boxes[node->node];
    } else if (selection_.ray && *selection_.ray < pinned_.size()) {
        const RayQuery seen = cast_ray(*world_, RayQuery::Kind::Pinned, pinned_[*selection_.ray]);
        box = bv::merge(box, seen.ray.origin);
        box = bv::merge(box, seen.hit ? seen.point : seen.ray.origin + glm::normalize(seen.ray.direction));
    } else {
        for (const bv::BodyId id : selection_.bodies)
            if (const Body* body = std::as_const(*world_).find(id))
                box = bv::merge(box, body->state.aabb_fixed);
    }
    frame_camera(box.is_empty() ? world_->bounds() : box);
}

void Sandbox::reset_camera() {
    camera_ = scene_camera_;
}

}  // namespace lab
