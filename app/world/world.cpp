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
#include "platform/clock.hpp"
#include "platform/threads/in_parts.hpp"
#include "world/mesh_title.hpp"

namespace lab {

constexpr std::uint32_t kNoBody = 0xffffffffu;
/// For loops on the program's threads.
constexpr std::size_t kPairsPerPart = 8192;

World::World(const MeshLibrary& meshes)
    : meshes_(&meshes), engine_(bv::make_broadphase(options_.broadphase, options_.tree)) {
    engine_->set_tasks(&platform::all_cores());
}

bv::BodyId World::add(const BodySpec& spec) {
    const glm::quat& q = spec.orientation;
    const float q_length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const bool sound = bv::is_finite(spec.position) && bv::is_finite(spec.velocity) &&
                       bv::is_finite(spec.angular_velocity) && std::isfinite(spec.scale) &&
                       spec.scale > 0.0f && std::isfinite(q_length) && q_length > 0.0f;
    if (!sound || bodies_.size() >= kMaxBodies) return {};
    const MeshEntry& mesh = (*meshes_)[spec.mesh];
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

/// Makes item i that which was item `from[i]`, or a new one where that is kNoBody.
template <class T>
static void rearrange(std::vector<T>& items, std::span<const std::uint32_t> from) {
    std::vector<T> arranged;
    arranged.reserve(from.size());
    for (const std::uint32_t place : from)
        arranged.push_back(place == kNoBody ? T{} : std::move(items[place]));
    items = std::move(arranged);
}

/// False if the body's box is not finite: too large, or too far away.
bool World::append(Body body) {
    const bv::Aabb box = broad_box_of(body);
    if (!box.is_finite()) return false;
    engine_changed();
    enter(body, box);
    if (!body.state.hidden) visible_triangles_ += triangles_of(body);
    const std::size_t place = bodies_.size();
    bodies_.push_back(std::move(body));
    index_from(place);
    append_volume();
    refit_body(place);
    engine_changed();
    return true;
}

bool World::remove(bv::BodyId id) {
    return remove(std::span(&id, 1)) == 1;
}

std::size_t World::remove(std::span<const bv::BodyId> ids) {
    std::size_t count = 0;
    for (const bv::BodyId id : ids) {
        const Body* body = at(id);
        if (!body) continue;
        if (!body->state.hidden) visible_triangles_ -= triangles_of(*body);
        engine_->remove(body->proxy);
        index_[id.value] = kNoBody;
        ++count;
    }
    if (count == 0) return 0;
    std::vector<std::uint32_t> kept;
    kept.reserve(bodies_.size() - count);
    for (std::uint32_t i = 0; i < bodies_.size(); ++i)
        if (at(bodies_[i].state.id)) kept.push_back(i);
    rearrange(bodies_, kept);
    rearrange_volumes(kept);
    index_from(0);
    const auto lost = [this](const BodyPair& pair) { return !at(pair.a) || !at(pair.b); };
    for (auto* list : {&pairs_.broad, &pairs_.volume, &pairs_.exact})
        if (std::any_of(list->begin(), list->end(), lost)) std::erase_if(list->edit(), lost);
    engine_changed();
    return count;
}

void World::remove_all() {
    bodies_.clear();
    volumes_ = {};
    kinds_on_ = VolumeKind::AabbTight;
    index_.clear();
    visible_triangles_ = 0;
    pairs_ = {};
    remembered_.clear();
    too_slow_.reset();
    start_engine();
}

void World::repair() {
    index_.clear();
    index_from(0);
    volumes_ = {};
    refit_all();
    visible_triangles_ = 0;
    for (const Body& body : bodies_)
        if (!body.state.hidden) visible_triangles_ += triangles_of(body);
    pairs_ = {};
    remembered_.clear();
    start_engine();
}

void World::clear() {
    remove_all();
    arena_ = {};
    light_.reset();
    next_id_ = 1;
}

Body* World::at(bv::BodyId id) {
    const std::uint32_t place = id.value < index_.size() ? index_[id.value] : kNoBody;
    return place == kNoBody ? nullptr : &bodies_[place];
}

const Body* World::find(bv::BodyId id) const {
    return const_cast<World*>(this)->at(id);
}

Body* World::edit(bv::BodyId id) {
    engine_changed();
    return at(id);
}

void World::index_from(std::size_t first) {
    for (std::size_t i = first; i < bodies_.size(); ++i) {
        const std::uint32_t id = bodies_[i].state.id.value;
        if (id >= index_.size()) index_.resize(id + 1, kNoBody);
        index_[id] = static_cast<std::uint32_t>(i);
    }
}

bool World::set_hidden(bv::BodyId id, bool hidden) {
    Body* body = at(id);
    if (!body) return false;
    if (body->state.hidden == hidden) return true;
    body->state.hidden = hidden;
    if (hidden)
        visible_triangles_ -= triangles_of(*body);
    else
        visible_triangles_ += triangles_of(*body);
    revision_ = next_stamp();
    return true;
}

std::size_t World::triangles_of(const Body& body) const {
    return (*meshes_)[body.state.mesh].triangles.size();
}

bool World::move(bv::BodyId id, const glm::vec3& position) {
    const Body* body = std::as_const(*this).find(id);
    return body && place(id, position, body->orientation);
}

bool World::place(bv::BodyId id, const glm::vec3& position, const glm::quat& orientation) {
    Body* body = at(id);
    const float length = glm::length(orientation);
    if (!body || !bv::is_finite(position) || !std::isfinite(length) || !(length > 0.0f)) return false;
    const glm::vec3 old_position = body->position;
    const glm::quat old_orientation = body->orientation;
    body->position = position;
    // A unit quaternion taken from a body stays the same bit for bit.
    body->orientation = std::abs(length - 1.0f) < 1e-6f ? orientation : orientation * (1.0f / length);
    const std::size_t at = place_of(*body);
    refit_body(at);
    if (engine_->move(body->proxy, broad_box_at(at)) == bv::TreeStatus::Ok) {
        engine_due_ = true;
        engine_changed();
        return true;
    }
    body->position = old_position;
    body->orientation = old_orientation;
    refit_body(at);
    return false;
}

bool World::choose(bv::BodyId id, const OwnChoice& own) {
    Body* body = at(id);
    if (!body) return false;
    const OwnChoice before = std::exchange(body->state.own, own);
    const std::size_t place = place_of(*body);
    refit_body(place);
    const bool taken = engine_->move(body->proxy, broad_box_at(place)) == bv::TreeStatus::Ok;
    if (!taken) {
        body->state.own = before;
        refit_body(place);
    }
    engine_due_ = true;
    engine_changed();
    return taken;
}

void World::settle() {
    if (!engine_due_) return;
    engine_due_ = false;
    engine_->update();
}

std::size_t World::put_back(std::vector<Body> bodies) {
    std::stable_sort(bodies.begin(), bodies.end(),
                     [](const Body& a, const Body& b) { return a.state.id < b.state.id; });
    std::vector<Body> added;
    for (Body& body : bodies) {
        const bv::BodyId id = body.state.id;
        const bool taken = at(id) || (!added.empty() && added.back().state.id == id);
        if (taken || !id.valid() || bodies_.size() + added.size() >= kMaxBodies) continue;
        const bv::Aabb box = broad_box_of(body);
        if (!box.is_finite()) continue;
        engine_changed();
        body.state.colliding = false;
        enter(body, box);
        if (!body.state.hidden) visible_triangles_ += triangles_of(body);
        added.push_back(std::move(body));
    }
    if (added.empty()) return 0;
    std::vector<std::uint32_t> from;
    std::vector<Body> all;
    all.reserve(bodies_.size() + added.size());
    from.reserve(all.capacity());  // nothing may throw while bodies are on their way
    std::size_t next = 0;
    for (std::uint32_t i = 0; i <= bodies_.size(); ++i) {
        for (; next < added.size() && (i == bodies_.size() || added[next].state.id < bodies_[i].state.id);
             ++next) {
            from.push_back(kNoBody);
            all.push_back(std::move(added[next]));
        }
        if (i == bodies_.size()) break;
        from.push_back(i);
        all.push_back(std::move(bodies_[i]));
    }
    bodies_ = std::move(all);
    index_from(0);
    rearrange_volumes(from);
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] == kNoBody) refit_body(i);
    next_id_ = std::max(next_id_, bodies_.back().state.id.value + 1);
    engine_changed();
    return added.size();
}

void World::set_options(const WorldOptions& options) {
    if (options != options_) {
        const auto fatness = [](const bv::TreeOptions& o) {
            return std::tuple(o.margin, o.margin_m, o.margin_relative, o.velocity_steps);
        };
        const bool tree_counts = options.broadphase == bv::BroadphaseKind::DynamicTree;
        const bool new_leaves = tree_counts && fatness(options.tree) != fatness(options_.tree);
        const bool new_boxes = options.volumes != options_.volumes;
        if (options.broadphase != options_.broadphase) too_slow_.reset();
        options_ = options;
        engine_->set_tree_options(options.tree);
        changed();
        if (new_boxes) refit_all();
        if (new_leaves || new_boxes) start_engine();
    }
    if (engine_->kind() != affordable_kind()) start_engine();
}

bv::BroadphaseKind World::affordable_kind() const {
    const bool too_many =
        options_.broadphase == bv::BroadphaseKind::BruteForce && bodies_.size() > kMaxBruteForce;
    return too_many || is_too_slow() ? bv::BroadphaseKind::WideTree : options_.broadphase;
}

void World::start_engine() {
    engine_ = OwnBroadphase(
        bv::make_broadphase(affordable_kind(), options_.tree));  // a new one restarts proxy indices, too
    engine_->set_tasks(&platform::all_cores());
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        enter(bodies_[i], broad_box_at(i));
    engine_->update();
    engine_due_ = false;
    engine_changed();
}

void World::enter(Body& body, const bv::Aabb& box) {
    body.proxy = engine_->insert(box, body.state.id.value).id;
    if (!body.proxy.valid()) return;
    if (body.proxy.index >= body_of_proxy_.size()) body_of_proxy_.resize(body.proxy.index + 1);
    body_of_proxy_[body.proxy.index] = body.state.id;
}

void World::rebuild_tree(std::optional<bv::Builder> builder) {
    engine_changed();  // first, in case the rest throws
    if (!builder) return start_engine();
    settle();
    engine_->rebuild(*builder);
    engine_changed();
}

// ---- volumes

void World::refit_all() {
    std::vector<VolumeSet> chosen_in_part(bodies_.size() / platform::kBodiesPerPart + 1);
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        VolumeSet kinds;
        for (std::size_t i = begin; i < end; ++i) {
            Body& body = bodies_[i];
            body.state.volumes = resolved(options_.volumes, body.state.own);
            kinds |= body.state.volumes.kind;
            place_mesh(body);
        }
        chosen_in_part[begin / platform::kBodiesPerPart] = kinds;
    });
    VolumeSet chosen;
    for (const VolumeSet kinds : chosen_in_part)
        chosen |= kinds;
    const VolumeSet on = chosen | VolumeKind::AabbTight;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if ((kinds_on_ - on).has(spec.kind)) volumes_.clear(spec.kind);
    kinds_on_ = on;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (on.has(spec.kind))
            refit_column(spec.kind, spec.kind == VolumeKind::AabbTight || chosen == VolumeSet(spec.kind));
}

void World::refit_column(VolumeKind kind, bool every_body) {
    const auto wanted = [&](std::size_t place) {
        return every_body || bodies_[place].state.volumes.kind == kind;
    };
    refit_volumes(volumes_.column(kind), kind, bodies_, *meshes_, wanted);
}

void World::refit_body(std::size_t place) {
    Body& body = bodies_[place];
    body.state.volumes = resolved(options_.volumes, body.state.own);
    place_mesh(body);
    const VolumeKind kind = body.state.volumes.kind;
    if (!kinds_on_.has(kind)) {
        kinds_on_ |= kind;
        std::visit([this](auto& list) { list.edit().resize(bodies_.size()); }, volumes_.column(kind));
    }
    const MeshEntry& mesh = (*meshes_)[body.state.mesh];
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (spec.kind == kind || spec.kind == VolumeKind::AabbTight)
            place_volume(volumes_.column(spec.kind), place, spec.kind, body, mesh);
}

void World::append_volume() {
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds_on_.has(spec.kind))
            std::visit([](auto& list) { list.edit().emplace_back(); }, volumes_.column(spec.kind));
}

void World::rearrange_volumes(std::span<const std::uint32_t> from) {
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (kinds_on_.has(spec.kind))
            std::visit([from](auto& list) { rearrange(list.edit(), from); }, volumes_.column(spec.kind));
}

const bv::Aabb& World::tight_box(const Body& body) const {
    return volumes_.get<bv::Aabb>(VolumeKind::AabbTight, place_of(body));
}

bv::Sphere World::sphere(const Body& body) const {
    return std::get<bv::Sphere>(volume(VolumeKind::Sphere, body));
}

bv::Aabb World::fixed_box(const Body& body) const {
    return std::get<bv::Aabb>(volume(VolumeKind::AabbFixed, body));
}

bv::Obb World::obb(const Body& body) const {
    return std::get<bv::Obb>(volume(VolumeKind::Obb, body));
}

BodyVolume World::volume(VolumeKind kind, const Body& body) const {
    return placed_volume(kind, body, (*meshes_)[body.state.mesh]);
}

bv::Aabb World::broad_box(const Body& body) const {
    return broad_box_at(place_of(body));
}

bv::Aabb World::broad_box_at(std::size_t place) const {
    const VolumeKind kind = bodies_[place].state.volumes.kind;
    return lab::broad_box(kind, volumes_.column(kind), place,
                          volumes_.get<bv::Aabb>(VolumeKind::AabbTight, place));
}

bv::Aabb World::broad_box_of(Body body) const {
    body.state.volumes = resolved(options_.volumes, body.state.own);
    place_mesh(body);
    const VolumeKind kind = body.state.volumes.kind;
    VolumeColumn column = empty_column(kind);
    std::visit([](auto& list) { list.edit().resize(1); }, column);
    place_volume(column, 0, kind, body, (*meshes_)[body.state.mesh]);
    return lab::broad_box(kind, column, 0, std::get<bv::Aabb>(volume(VolumeKind::AabbTight, body)));
}

bool World::ray_meets(const bv::Ray& ray, const Body& body) const {
    return lab::ray_meets(ray, volumes_.column(body.state.volumes.kind), place_of(body));
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
        refit_all();
    }
    {
        const platform::Stopwatch watch(timings.broadphase);
        if (engine_->kind() != affordable_kind()) start_engine();
        move_proxies(dt_s);
        engine_->update();
        engine_due_ = false;
    }
    changed();
    const std::uint64_t engine = engine_revision_;
    find_pairs(timings);
    const bool upkeep =
        options_.broadphase == bv::BroadphaseKind::DynamicTree && options_.tree.upkeep != bv::Upkeep::None;
    if (!moved && !upkeep) engine_revision_ = engine;  // nothing has changed
}

/// True if any position or orientation has changed.
bool World::move_bodies(float dt_s) {
    std::atomic<bool> moved{false};
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        const auto& tight = volumes_.list<bv::Aabb>(VolumeKind::AabbTight).read();
        bool any = false;
        for (std::size_t i = begin; i < end; ++i) {
            Body& body = bodies_[i];
            const glm::vec3 position = body.position;
            const glm::quat orientation = body.orientation;
            advance(body, tight[i], arena_, dt_s);
            any = any || body.position != position || body.orientation != orientation;
        }
        if (any) moved = true;
    });
    return moved;
}

void World::move_proxies(float dt_s) {
    StepMemory& m = step_memory_;
    m.proxies.resize(bodies_.size());
    m.boxes.resize(bodies_.size());
    m.displacements.resize(bodies_.size());
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            m.proxies[i] = bodies_[i].proxy;
            m.boxes[i] = broad_box_at(i);
            m.displacements[i] = dt_s * bodies_[i].state.velocity;
        }
    });
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        engine_->move(m.proxies[i], m.boxes[i], m.displacements[i]);
}

/// A body that touches another stops there.
void World::stop() {
    for (const BodyPair& pair : pairs_.volume)
        for (const bv::BodyId id : {pair.a, pair.b}) {
            Body* body = at(id);
            if (!body) continue;
            body->motion.kind = MotionKind::Still;
            body->state.velocity = body->state.angular_velocity = glm::vec3(0.0f);
        }
}

void World::bounce() {
    for (const BodyPair& pair : pairs_.volume) {
        Body* a = at(pair.a);
        Body* b = at(pair.b);
        if (!a || !b) continue;
        const bv::Sphere ball_a = sphere(*a), ball_b = sphere(*b);
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
    if (!pairs_due_) return;
    pairs_due_ = false;
    {
        const platform::Stopwatch watch(timings.broadphase);
        find_broad_pairs();
    }
    const platform::Stopwatch watch(timings.narrowphase);
    pairs_.counts = {};
    {
        const platform::Stopwatch volume_watch(timings.volume_tests);
        find_volume_pairs();
    }
    pairs_.exact = pairs_.volume;
    pairs_.exact_tested = options_.exact && pairs_.volume.size() <= kMaxExactPairs;
    if (pairs_.exact_tested) {
        const platform::Stopwatch exact_watch(timings.exact_tests);
        find_exact_pairs();
    } else {
        remembered_.begin(0);
    }
    mark_colliding();
    // Finding pairs lets the engine apply pending moves, which can change its tree.
    engine_revision_ = next_stamp();
    revision_ = next_stamp();
}

void World::find_broad_pairs() {
    settle();
    const bv::BroadphaseStats stats = engine_->find_pairs(found_, {kMaxPairs, kMaxCountedPairs});
    // If most tests find a pair, no engine needs fewer.
    if (stats.tests > kMaxTests && stats.tests / 10 > stats.pairs) too_slow_ = engine_->kind();
    pairs_.left_out = stats.pairs - found_.size();
    pairs_.all_counted = stats.complete;
    std::vector<BodyPair>& broad = pairs_.broad.rewrite();
    broad.resize(found_.size());
    platform::in_parts(found_.size(), kPairsPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const bv::BodyId a = body_of_proxy_[found_[i].first.index];
            const bv::BodyId b = body_of_proxy_[found_[i].second.index];
            broad[i] = {std::min(a, b), std::max(a, b)};
        }
    });
    // The engine sorts by proxy, which is the order of bodies as long as no proxy was reused.
    if (!std::is_sorted(broad.begin(), broad.end())) std::sort(broad.begin(), broad.end());
    broadphase_frame_ = {bv::broadphase_info(engine_->kind()).id, stats.tests, stats.pairs,
                         stats.memory_bytes, engine_->has_tree()};
}

void World::find_volume_pairs() {
    std::vector<VolumeKind>& kinds = step_memory_.kinds;
    kinds.resize(bodies_.size());
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            kinds[i] = bodies_[i].state.volumes.kind;
    });
    std::vector<BodyPair>& volume = pairs_.volume.rewrite();
    volume.clear();
    find_overlapping(volumes_, kinds, index_, pairs_.broad.read(), volume);
    pairs_.counts.volume_tests = pairs_.broad.size();
}

void World::find_exact_pairs() {
    const std::vector<BodyPair>& pairs = pairs_.volume.read();
    const bool by_meshes = options_.exact_by == ExactBy::Meshes;
    remembered_.begin(pairs.size());
    std::vector<ExactTest> tests(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        tests[i] = {&at(pairs[i].a)->state, &at(pairs[i].b)->state,
                    by_meshes ? &remembered_.of(pairs[i]) : nullptr};
    exact_.test_all(*meshes_, tests, options_.exact_by);
    std::vector<BodyPair>& exact = pairs_.exact.rewrite();
    exact.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs_.counts.exact_tests += tests[i].counts.exact_tests;
        pairs_.counts.box_tests += tests[i].counts.box_tests;
        pairs_.counts.part_tests += tests[i].counts.part_tests;
        if (tests[i].touching) exact.push_back(pairs[i]);
    }
}

/// The bodies in pairs of the last stage that ran.
void World::mark_colliding() {
    std::vector<std::uint8_t>& colliding = step_memory_.colliding;
    colliding.assign(bodies_.size(), 0);
    for (const BodyPair& pair : pairs_.exact)
        colliding[index_[pair.a.value]] = colliding[index_[pair.b.value]] = 1;
    platform::in_parts(bodies_.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            bodies_[i].state.colliding = colliding[i] != 0;
    });
}

std::size_t World::memory_bytes() const {
    constexpr std::size_t kNameAndNodes = 32 + 3 * 64;
    const std::size_t pairs = pairs_.broad.size() + pairs_.volume.size() + pairs_.exact.size();
    return sizeof(World) + bodies_.size() * (sizeof(Body) + kNameAndNodes) + pairs * sizeof(BodyPair) +
           bodies_.size() * (sizeof(bv::Aabb) + sizeof(bv::Obb)) + remembered_.memory_bytes() +
           broadphase_frame_.memory_bytes;
}

bv::Aabb World::bounds() const {
    if (!arena_.is_empty()) return arena_;
    bv::Aabb all;
    for (const Body& body : bodies_)
        all = bv::merge(all, fixed_box(body));
    return all;
}

}  // namespace lab
