#include "session/frame_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "platform/clock.hpp"
#include "session/parts.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/rays.hpp"
#include "settings/view.hpp"
#include "view/checks/verify.hpp"
#include "view/probe.hpp"
#include "world/bodies/show_bodies.hpp"

namespace lab {
namespace {

/// Worlds of up to this many bodies always show their tree: its snapshot takes microseconds.
constexpr std::size_t kMaxForTreeAlways = 1000;
constexpr const char* kBodiesTree = "bodies";
/// Of a walk that is made anew, in the units of `SceneContext::work`.
constexpr std::uint64_t kWorkOfStep = 5;

/// A wave of period 1 in [-1, 1]: two parabolas within 6 % of a sine, with the same bits on every machine.
float wave(double x) {
    const double f = x - std::floor(x);
    const double half = f < 0.5 ? f : f - 0.5;
    const double arc = 16.0 * half * (0.5 - half);
    return static_cast<float>(f < 0.5 ? arc : -arc);
}

/// The number of false alarms of the chosen kind of volume in this frame.
FalseAlarms false_alarms(const World& world, const TimingsMs& timings) {
    const PairStages& pairs = world.finder().pairs();
    FalseAlarms row;
    const VolumeSpec& spec = spec_of(world.options().volumes.kind);
    row.kind = spec.id;
    row.role = spec.role;
    row.tested = pairs.broad.size();
    row.passed = pairs.volume.size();
    row.touching = pairs.exact.size();
    if (row.tested > 0) row.test_ns = 1e6 * timings.volume_tests / static_cast<double>(row.tested);
    return row;
}

/// The first tree with nodes, if it is small enough to be measured in each frame.
const bv::TreeSnapshot* main_tree(const FrameResults& results) {
    constexpr std::size_t kMaxMeasured = 20'000;
    for (const auto& [id, tree] : results.trees)
        if (!tree.empty()) return tree.size() <= kMaxMeasured ? &tree : nullptr;
    return nullptr;
}

/// The SAH cost of a tree, with both cost factors 1. Does not allocate, unlike `bv::measure`.
double sah_of(const bv::TreeSnapshot& tree) {
    const double root = static_cast<double>(tree.boxes[0].surface_area());
    double sum = 0;
    for (std::uint32_t i = 0; i < tree.size(); ++i)
        sum += static_cast<double>(tree.boxes[i].surface_area()) *
               (tree.is_leaf(i) ? static_cast<double>(tree.payload_count[i]) : 1.0);
    return root > 0 ? sum / root : 0.0;
}

FrameCost cost_of(const FrameResults& results) {
    const TimingsMs& t = results.timings_ms;
    FrameCost cost;
    cost[FrameCost::BroadTests] = static_cast<double>(results.broadphase.tests);
    cost[FrameCost::BroadPairs] = static_cast<double>(results.pairs.broad_count());
    cost[FrameCost::VolumePairs] = static_cast<double>(results.pairs.volume.size());
    if (results.pairs.exact_tested) {
        cost[FrameCost::ExactPairs] = static_cast<double>(results.pairs.exact.size());
        cost[FrameCost::PartTests] = static_cast<double>(results.pairs.counts.part_tests);
    }
    for (const RayQuery& ray : results.rays) {
        cost[FrameCost::RayNodes] += ray.counters.visited;
        cost[FrameCost::RayTests] += ray.counters.tested;
    }
    cost[FrameCost::Memory] = static_cast<double>(results.broadphase.memory_bytes);
    if (const bv::TreeSnapshot* tree = main_tree(results)) {
        cost[FrameCost::TreeHeight] = *std::max_element(tree->depths.begin(), tree->depths.end());
        cost[FrameCost::TreeSah] = sah_of(*tree);
    }
    cost[FrameCost::RefitMs] = t.refit;
    cost[FrameCost::BroadMs] = t.broadphase;
    cost[FrameCost::VolumeMs] = t.volume_tests;
    cost[FrameCost::ExactMs] = t.exact_tests;
    cost[FrameCost::QueryMs] = t.queries;
    return cost;
}

/// The ray from the scene's light to a point.
bv::Ray light_ray(const glm::vec3& light, const glm::vec3& aim) {
    bv::Ray ray;
    ray.origin = light;
    const glm::vec3 direction = aim - ray.origin;
    ray.direction = direction / std::max(glm::length(direction), 1e-6f);
    return ray;
}

}  // namespace

FrameBuilder::FrameBuilder(SessionParts& parts) : parts_(parts), state_(parts.state) {}

void FrameBuilder::update() {
    FrameResults& results = parts_.results;
    const World& world = state_.world;
    const Timeline& timeline = parts_.recorder.timeline();
    state_.world.find_pairs(results.timings_ms);  // bodies are never shown without their pairs
    is_due_ = false;
    state_.view.set_z_up(state_.settings[kDrawZUp]);
    const platform::Clock clock;
    results.record = timeline.id();
    results.frame = timeline.place().frame;
    results.steps = state_.clock.steps;
    results.time_s = state_.clock.time_s();
    results.paused = state_.settings[kSimPaused];
    results.in_past = timeline.in_past();
    results.scene_id = state_.scene.spec->id;
    results.checks = state_.checks;
    results.alarms.clear();
    results.lineup.reset();
    if (world.finder().pairs().exact_tested)
        results.alarms.push_back(false_alarms(world, results.timings_ms));
    results.arena = world.arena();
    results.marked_bounds = {};
    results.bounds = world.bounds();
    take_bodies();
    results.broadphase = world.finder().frame();
    // A new snapshot only after a change, or if a scene has removed it.
    const bool same_tree = !results.trees.empty() && results.trees.front().first == kBodiesTree &&
                           tree_revision_ == world.revision();
    results.trees.resize(same_tree ? 1 : 0);
    if (!same_tree) tree_revision_.reset();
    results.bodies_tree_left_out = world.finder().engine().has_tree() && !tree_revision_;
    if (world.bodies().size() <= kMaxForTreeAlways || probe_of(state_.settings)) add_bodies_tree();
    results.timings_ms.results = clock.milliseconds();
    cast_rays();
    cast_heatmap();

    results.exhibits.clear();
    results.handles.clear();
    results.rearranged = nullptr;
    results.charts.clear();
    results.line_charts.clear();
    results.curves.reset();
    results.film.reset();
    results.measured_trees.clear();
    results.captured_nodes.clear();
    results.broken_nodes.clear();
    results.fits.clear();
    results.tables.clear();
    show_scene(results);
    show_probe(state_.settings, results);
    parts_.selector.settle();
    show_volumes(world, state_.settings, results);
    const FrameCost cost = cost_of(results);
    // In scenes without bodies, trees change while the world stays the same: their shape counts, too.
    const auto shape = static_cast<std::uint64_t>(1e6 * cost[FrameCost::TreeSah]) * 64 +
                       static_cast<std::uint64_t>(cost[FrameCost::TreeHeight]);
    parts_.meter.add(cost, world.revision() ^ (shape << 20));
    // Covers the world's bodies only: a scene without bodies measures what it shows itself.
    results.before_after = state_.world.bodies().empty() ? std::nullopt : parts_.meter.result();
}

void FrameBuilder::update_before_first() {
    if (parts_.results.frame == 0) update();
}

void FrameBuilder::reset() {
    bodies_revision_.reset();
    tree_revision_.reset();
    rays_.clear();
}

/// Copies bodies and pairs to the results if they have changed.
void FrameBuilder::take_bodies() {
    const World& world = state_.world;
    if (bodies_revision_ == world.revision()) return;
    bodies_revision_ = world.revision();
    show_bodies(world, parts_.results);
}

void FrameBuilder::add_bodies_tree() {
    const World& world = state_.world;
    if (tree_revision_ == world.revision() || !world.finder().engine().has_tree()) return;
    parts_.results.trees.emplace(parts_.results.trees.begin(), kBodiesTree,
                                 world.finder().engine().snapshot());
    tree_revision_ = world.revision();
    parts_.results.bodies_tree_left_out = false;
}

void FrameBuilder::analyze_scene(const FrameResults& results) {
    Scene& scene = *state_.scene.running.get();
    const steps::Walk* const before = scene.stepped_walk();
    scene.analyze(parts_.scenes.context(), results);
    const steps::Walk* const walk = scene.stepped_walk();
    if (walk && walk != before) parts_.scene_work += kWorkOfStep * walk->size();
}

void FrameBuilder::show_scene(FrameResults& results) {
    analyze_scene(results);
    const SceneContext context = parts_.scenes.context();
    const auto stepper = parts_.stepper.now();
    results.walk.reset();
    if (stepper) results.walk = steps::view_of(*stepper->walk, stepper->at);
    state_.scene.running->show(context, results);
    if (stepper) steps::show(*stepper->walk, stepper->at, results);
    results.tree_history.reset();
    if (stepper && !stepper->walk->subject().tree_name.empty())
        results.tree_history =
            stepper->walk->history(stepper->at.number == 0 ? stepper->walk->size() : stepper->at.number);
    for (const Exhibit& exhibit : results.exhibits)
        results.bounds = bv::merge(results.bounds, bounds_of(exhibit));
}

// ---- rays

const RayQuery& FrameBuilder::cast(RayQuery::Kind kind, const bv::Ray& ray) {
    return rays_.cast(state_.world, kind, ray);
}

void FrameBuilder::cast_rays() {
    FrameResults& results = parts_.results;
    const View& view = state_.view;
    const platform::Clock clock;
    results.rays.clear();
    results.hovered = {};
    // Where a click pins the ray, a pinned one replaces the one that follows the mouse.
    const bool is_pinned = state_.scene.running->pins_picks() && !view.pinned_rays.empty();
    std::optional<bv::Ray> free;
    if (view.hover_px) {
        const RayQuery seen = cast(RayQuery::Kind::Hover, view.ray_through(*view.hover_px));
        results.hovered = seen.body;
        if (!is_pinned && state_.settings[kRayHover]) free = pointing_ray(seen);
    } else if (!is_pinned && state_.settings[kRaySweep]) {
        free = sweeping_ray();
    }
    if (free) results.rays.push_back(cast(RayQuery::Kind::Hover, *free));
    for (const bv::Ray& ray : view.pinned_rays)
        results.rays.push_back(cast(RayQuery::Kind::Pinned, ray));
    results.timings_ms.queries = clock.milliseconds();
}

bv::Ray FrameBuilder::pointing_ray(const RayQuery& seen) const {
    const std::optional<glm::vec3>& light = state_.world.light();
    if (!light || state_.settings[kRayFrom] == RayFrom::Eye) return seen.ray;
    if (seen.hit) return light_ray(*light, seen.point);
    // No hit: aim at the plane through the orbit center.
    const float along = glm::dot(seen.ray.direction, state_.view.camera.forward());
    return light_ray(*light, seen.ray.at(state_.view.shown_camera().distance / std::max(along, 1e-3f)));
}

std::optional<bv::Ray> FrameBuilder::sweeping_ray() const {
    const World& world = state_.world;
    if (!world.light() || world.bounds().is_empty()) return std::nullopt;
    const double time_s = state_.clock.time_s();
    const glm::vec3 swing = {wave(time_s / 11.0), 0.6f * wave(time_s / 7.0 + 0.25),
                             wave(time_s / 17.0 + 0.1)};
    return light_ray(*world.light(), world.bounds().center() + 0.75f * swing * world.bounds().half_extents());
}

void FrameBuilder::cast_heatmap() {
    if (!state_.settings[kHeatShow] || state_.world.bodies().empty()) {
        heat_.clear();
        parts_.results.heatmap = nullptr;
        return;
    }
    const platform::Clock clock;
    parts_.results.heatmap = heat_.advance(state_.world, state_.view.shown_camera(), state_.view.rect.size_px,
                                           heat_options(state_.settings));
    parts_.results.timings_ms.queries += clock.milliseconds();
}

// ---- checks

void FrameBuilder::verify() {
    const platform::Clock clock;
    const std::size_t known = state_.checks.differences.size();
    parts_.results.checks = state_.checks;
    verify_frame(state_.world, parts_.results);
    verify_probe(parts_.results);
    state_.checks = parts_.results.checks;
    for (std::size_t i = known; i < state_.checks.differences.size(); ++i)
        parts_.messages.error("verify: " + state_.checks.differences[i]);
    verified_ = state_.world.revision();
    parts_.results.timings_ms.verify = clock.milliseconds();
}

void FrameBuilder::verify_again() {
    if (is_verified()) return;
    Checks counted = state_.checks;
    verify();
    counted.differences = std::move(state_.checks.differences);
    counted.enabled = true;
    state_.checks = std::move(counted);
    parts_.results.checks = state_.checks;
}

bool FrameBuilder::is_verified() const {
    return verified_ == state_.world.revision();
}

}  // namespace lab
