#include "world/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

#include "bv/assert.hpp"
#include "bv/shapes/not_finite.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "io/limits.hpp"
#include "platform/clock.hpp"
#include "platform/threads/in_parts.hpp"
#include "world/mesh_title.hpp"

namespace lab {

World::World(const MeshLibrary& meshes) : bodies_(meshes), finder_(options_) {}

// ---- bodies

bv::BodyId World::add(const BodySpec& spec) {
    const glm::quat& q = spec.orientation;
    const float q_length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const bool sound = bv::is_finite(spec.position) && bv::is_finite(spec.velocity) &&
                       bv::is_finite(spec.angular_velocity) && std::isfinite(spec.scale) &&
                       spec.scale > 0.0f && std::isfinite(q_length) && q_length > 0.0f;
    if (!sound || bodies_.size() >= kMaxBodies || next_id_ > io::limits::kBodyId) return {};
    const MeshEntry& mesh = bodies_.meshes()[spec.mesh];
    if (mesh.extremes.empty()) return {};

    Body body;
    body.state.id = {next_id_};
    body.state.name = spec.name.empty() ? fmt::format("{} {}", title_of(mesh), next_id_) : spec.name;
    body.state.mesh = spec.mesh;
    body.state.scale = spec.scale;
    body.state.velocity = spec.velocity;
    body.state.angular_velocity = spec.angular_velocity;
    body.state.own = spec.own;
    body.state.shown = spec.shown;
    body.state.voxels = mesh.voxels;
    body.motion = spec.motion;
    body.position = spec.position;
    body.orientation = spec.orientation * (1.0f / q_length);
    if (!append(std::move(body))) return {};
    return {next_id_++};
}

/// False if the body's box is not finite: too large, or too far away.
bool World::append(Body body) {
    const bv::Aabb box = bodies_.broad_box_of(body, options_.volumes);
    if (!box.is_finite()) return false;
    engine_changed();
    finder_.enter(body, box);
    bodies_.append(std::move(body), options_.volumes);
    engine_changed();
    return true;
}

bool World::remove(bv::BodyId id) {
    return remove(std::span(&id, 1)) == 1;
}

std::size_t World::remove(std::span<const bv::BodyId> ids) {
    std::size_t count = 0;
    for (const bv::BodyId id : ids) {
        const Body* body = bodies_.find(id);
        if (!body) continue;
        finder_.leave(*body);
        bodies_.unlist(*body);
        ++count;
    }
    if (count == 0) return 0;
    bodies_.drop_unlisted();
    finder_.forget_lost(bodies_);
    engine_changed();
    return count;
}

std::size_t World::put_back(std::vector<Body> bodies) {
    std::stable_sort(bodies.begin(), bodies.end(),
                     [](const Body& a, const Body& b) { return a.state.id < b.state.id; });
    std::vector<Body> added;
    for (Body& body : bodies) {
        const bv::BodyId id = body.state.id;
        const bool taken = bodies_.find(id) || (!added.empty() && added.back().state.id == id);
        if (taken || !id.valid() || id.value > io::limits::kBodyId ||
            bodies_.size() + added.size() >= kMaxBodies)
            continue;
        const bv::Aabb box = bodies_.broad_box_of(body, options_.volumes);
        if (!box.is_finite()) continue;
        engine_changed();
        body.state.colliding = false;
        finder_.enter(body, box);
        added.push_back(std::move(body));
    }
    const std::size_t count = added.size();
    if (count == 0) return 0;
    bodies_.merge(std::move(added), options_.volumes);
    next_id_ = std::max(next_id_, bodies_.back().state.id.value + 1);
    engine_changed();
    return count;
}

void World::remove_all() {
    bodies_.clear();
    finder_.forget();
    finder_.forgive();
    restart_engine();
}

void World::clear() {
    remove_all();
    arena_ = {};
    light_.reset();
    next_id_ = 1;
}

void World::repair() {
    bodies_.repair(options_.volumes);
    finder_.forget();
    restart_engine();
}

Body* World::edit(bv::BodyId id) {
    engine_changed();
    return bodies_.at(id);
}

bool World::set_hidden(bv::BodyId id, bool hidden) {
    Body* body = bodies_.at(id);
    if (!body) return false;
    if (body->state.hidden == hidden) return true;
    bodies_.set_hidden(*body, hidden);
    revision_ = next_stamp();
    return true;
}

bool World::move(bv::BodyId id, const glm::vec3& position) {
    const Body* body = find(id);
    return body && place(id, position, body->orientation);
}

bool World::place(bv::BodyId id, const glm::vec3& position, const glm::quat& orientation) {
    Body* body = bodies_.at(id);
    const float length = glm::length(orientation);
    if (!body || !bv::is_finite(position) || !std::isfinite(length) || !(length > 0.0f)) return false;
    const glm::vec3 old_position = body->position;
    const glm::quat old_orientation = body->orientation;
    body->position = position;
    // A unit quaternion taken from a body stays the same bit for bit.
    body->orientation = std::abs(length - 1.0f) < 1e-6f ? orientation : orientation * (1.0f / length);
    const std::size_t at = bodies_.place_of(*body);
    bodies_.refit(at, options_.volumes);
    if (finder_.move(*body, bodies_.broad_box(*body))) {
        engine_changed();
        return true;
    }
    body->position = old_position;
    body->orientation = old_orientation;
    bodies_.refit(at, options_.volumes);
    return false;
}

bool World::choose(bv::BodyId id, const OwnChoice& own) {
    Body* body = bodies_.at(id);
    if (!body) return false;
    const OwnChoice before = std::exchange(body->state.own, own);
    const std::size_t place = bodies_.place_of(*body);
    bodies_.refit(place, options_.volumes);
    const bool taken = finder_.move(*body, bodies_.broad_box(*body));
    if (!taken) {
        body->state.own = before;
        bodies_.refit(place, options_.volumes);
    }
    engine_changed();
    return taken;
}

bv::Aabb World::bounds() const {
    if (!arena_.is_empty()) return arena_;
    bv::Aabb all;
    for (const Body& body : bodies_)
        all = bv::merge(all, bodies_.fixed_box(body));
    return all;
}

// ---- options

void World::set_options(const WorldOptions& options) {
    if (options != options_) {
        const auto fatness = [](const bv::TreeOptions& o) {
            return std::tuple(o.margin, o.margin_m, o.margin_relative, o.velocity_steps);
        };
        const bool tree_counts = options.broadphase == bv::BroadphaseKind::DynamicTree;
        const bool new_leaves = tree_counts && fatness(options.tree) != fatness(options_.tree);
        const bool new_boxes = options.volumes != options_.volumes;
        if (options.broadphase != options_.broadphase) finder_.forgive();
        options_ = options;
        finder_.set_tree_options(options.tree);
        changed();
        if (new_boxes) bodies_.refit_all(options_.volumes);
        if (new_leaves || new_boxes) restart_engine();
    }
    if (finder_.is_outdated(bodies_, options_)) restart_engine();
}

void World::restart_engine() {
    finder_.restart(bodies_, options_);
    engine_changed();
}

void World::rebuild_tree(std::optional<bv::Builder> builder) {
    engine_changed();  // first, in case the rest throws
    if (!builder) return restart_engine();
    finder_.rebuild_tree(*builder);
    engine_changed();
}

// ---- steps

void World::step(float dt_s, TimingsMs& timings) {
    bool moved = pairs_due_;  // or changed by commands
    {
        const platform::Stopwatch watch(timings.motion);
        if (options_.contact == Contact::Bounce) bounce();
        if (options_.contact == Contact::Stop) stop();
        moved = move_bodies(dt_s) || moved;
    }
    {
        const platform::Stopwatch watch(timings.refit);
        bodies_.refit_all(options_.volumes);
    }
    {
        const platform::Stopwatch watch(timings.broadphase);
        if (finder_.is_outdated(bodies_, options_)) restart_engine();
        finder_.follow(bodies_, dt_s);
    }
    changed();
    const std::uint64_t engine = engine_revision_;
    update_pairs(timings, PairFinder::For::Step);
    const bool upkeep =
        options_.broadphase == bv::BroadphaseKind::DynamicTree && options_.tree.upkeep != bv::Upkeep::None;
    if (!moved && !upkeep) engine_revision_ = engine;  // nothing has changed
}

/// True if any position or orientation has changed.
bool World::move_bodies(float dt_s) {
    std::atomic<bool> moved{false};
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        const auto& tight = bodies_.volumes_.list<bv::Aabb>(VolumeKind::AabbTight).read();
        bool any = false;
        for (std::size_t i = begin; i < end; ++i) {
            Body& body = bodies_.bodies_[i];
            const glm::vec3 position = body.position;
            const glm::quat orientation = body.orientation;
            advance(body, tight[i], arena_, dt_s);
            any = any || body.position != position || body.orientation != orientation;
        }
        if (any) moved = true;
    });
    return moved;
}

/// A body that touches another stops there.
void World::stop() {
    for (const BodyPair& pair : finder_.pairs().volume)
        for (const bv::BodyId id : {pair.a, pair.b}) {
            Body* body = bodies_.at(id);
            if (!body) continue;
            body->motion.kind = MotionKind::Still;
            body->state.velocity = body->state.angular_velocity = glm::vec3(0.0f);
        }
}

void World::bounce() {
    for (const BodyPair& pair : finder_.pairs().volume) {
        Body* a = bodies_.at(pair.a);
        Body* b = bodies_.at(pair.b);
        if (!a || !b) continue;
        const bv::Sphere ball_a = bodies_.sphere(*a), ball_b = bodies_.sphere(*b);
        const glm::vec3 apart = ball_b.center - ball_a.center;
        const float distance = glm::length(apart);
        if (!(distance > 0.0f)) continue;
        const glm::vec3 normal = apart / distance;
        const float closing = glm::dot(a->state.velocity - b->state.velocity, normal);
        if (closing <= 0.0f) continue;  // already separating
        // An elastic collision of balls with masses proportional to their volumes.
        const float ra = ball_a.radius, rb = ball_b.radius;
        const float mass_a = ra * ra * ra, mass_b = rb * rb * rb;
        const float impulse = 2.0f * closing / (mass_a + mass_b);
        a->state.velocity -= impulse * mass_b * normal;
        b->state.velocity += impulse * mass_a * normal;
    }
}

void World::find_pairs(TimingsMs& timings) {
    update_pairs(timings, PairFinder::For::Picture);
}

void World::update_pairs(TimingsMs& timings, PairFinder::For purpose) {
    if (!pairs_due_) return;
    pairs_due_ = false;
    finder_.find(bodies_, options_, timings, purpose);
    // Finding pairs lets the engine apply pending moves, which can change its tree.
    engine_revision_ = next_stamp();
    revision_ = next_stamp();
}

std::size_t World::memory_bytes() const {
    constexpr std::size_t kNameAndNodes = 32 + 3 * 64;
    return sizeof(World) + bodies_.size() * (sizeof(Body) + kNameAndNodes) +
           bodies_.size() * (sizeof(bv::Aabb) + sizeof(bv::Obb)) + finder_.memory_bytes();
}

}  // namespace lab
