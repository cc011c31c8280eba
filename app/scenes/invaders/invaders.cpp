#include "scenes/invaders/invaders.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

namespace lab {
namespace {

using Kind = Invaders::Kind;

constexpr float kGroundTop = 0.75f;
constexpr float kShipY = 1.45f;
constexpr float kBunkerY = 2.65f;
constexpr float kFirstRowY = 4.6f, kRowPitch = 1.12f, kColumnPitch = 1.42f;
constexpr float kShotSpeed = 9.0f, kBombSpeed = 3.2f, kShipSpeed = 4.5f;
constexpr float kReload_s = 0.42f, kHand_s = 6.0f;
constexpr float kGravity = 6.0f;
constexpr std::size_t kMaxSparks = 1200;
constexpr std::size_t kMaxVoxelPairs = 400;
constexpr std::size_t kSmallestChunk = 6;
constexpr std::size_t kMaxFlashes = 6;  ///< Of one pair.

/// A wave of period 1 in [-1, 1], with the same bits on every machine.
float wave_of(float x) {
    const float f = x - std::floor(x);
    const float half = f < 0.5f ? f : f - 0.5f;
    const float arc = 16.0f * half * (0.5f - half);
    return f < 0.5f ? arc : -arc;
}

/// A small turn about z, good to third order.
glm::quat tilt(float angle_rad) {
    const float half = 0.5f * angle_rad;
    const float length = std::sqrt(1.0f + half * half);
    return {1.0f / length, 0.0f, 0.0f, half / length};
}

}  // namespace

Invaders::Invaders(std::uint64_t seed) : random_(seed, 1978) {
    bv::TreeOptions options;
    options.margin = bv::Margin::Fixed;
    options.margin_m = 0.05f;
    tree_ = bv::DynamicTree(options);
    begin_game();
}

bool Invaders::matters(Kind a, Kind b) {
    const auto is = [&](Kind first, Kind second) {
        return (a == first && b == second) || (a == second && b == first);
    };
    return is(Kind::Shot, Kind::Alien) || is(Kind::Shot, Kind::Bunker) || is(Kind::Shot, Kind::Bomb) ||
           is(Kind::Shot, Kind::Chunk) || is(Kind::Bomb, Kind::Ship) || is(Kind::Bomb, Kind::Bunker) ||
           is(Kind::Bomb, Kind::Ground) || is(Kind::Chunk, Kind::Ground) || is(Kind::Chunk, Kind::Bunker) ||
           is(Kind::Alien, Kind::Bunker) || is(Kind::Alien, Kind::Ship) || is(Kind::Alien, Kind::Ground);
}

// ---- beginnings

Invaders::Actor& Invaders::add(Kind kind, VoxelThing thing) {
    Actor actor;
    actor.kind = kind;
    actor.id = next_id_++;
    actor.thing = std::move(thing);
    actor.proxy = tree_.insert(actor.thing.box(), actor.id).id;
    return actors_.emplace_back(std::move(actor));
}

const Invaders::Actor* Invaders::find(std::uint32_t id) const {
    // In order of ids: actors are only appended and removed.
    const auto at =
        std::lower_bound(actors_.begin(), actors_.end(), id,
                         [](const Actor& actor, std::uint32_t wanted) { return actor.id < wanted; });
    return at != actors_.end() && at->id == id ? &*at : nullptr;
}

Invaders::Actor* Invaders::edit(std::uint32_t id) {
    return const_cast<Actor*>(find(id));
}

void Invaders::begin_game() {
    actors_.clear();
    born_.clear();
    (void)tree_.clear();
    sparks_.clear();
    flashes_.clear();
    pairs_.clear();
    score_ = 0;
    wave_ = 0;
    lives_ = 3;
    over_s_ = 0.0f;
    VoxelThing ground(ground_sprite(), kVoxel, Underside::Hidden);
    ground.position = {0.0f, 0.45f, 0.0f};
    add(Kind::Ground, std::move(ground));
    for (int i = 0; i < 4; ++i) {
        VoxelThing bunker(bunker_sprite(), kVoxel);
        bunker.position = {-4.8f + 3.2f * static_cast<float>(i), kBunkerY, 0.0f};
        add(Kind::Bunker, std::move(bunker));
    }
    add_ship();
    begin_wave();
}

void Invaders::add_ship() {
    VoxelThing ship(ship_sprite(), kVoxel);
    ship.position = {0.0f, kShipY, 0.0f};
    ship_id_ = add(Kind::Ship, std::move(ship)).id;
    target_x_ = 0.0f;
}

void Invaders::begin_wave() {
    ++wave_;
    march_x_ = march_phase_ = 0.0f;
    march_y_ = -0.3f * static_cast<float>(std::min(wave_ - 1, 4));
    march_direction_ = 1.0f;
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            const int kind = row == kRows - 1 ? 0 : row == 0 ? 2 : 1;
            Actor& alien = add(Kind::Alien, VoxelThing(alien_sprite(kind, 0), kVoxel));
            alien.other_frame = VoxelThing(alien_sprite(kind, 1), kVoxel);
            alien.row = row;
            alien.column = column;
        }
    march(0.0f);
    refit();
}

int Invaders::aliens_left() const {
    return static_cast<int>(std::count_if(actors_.begin(), actors_.end(), [](const Actor& actor) {
        return actor.kind == Kind::Alien && !actor.gone;
    }));
}

// ---- a step

void Invaders::step(float dt_s) {
    time_s_ += dt_s;
    counts_ = {};
    march(dt_s);
    drop_bombs();
    steer_ship(dt_s);
    move_all(dt_s);
    move_sparks(dt_s);
    refit();
    find_contacts();
    remove_gone();
    check_state(dt_s);
}

void Invaders::march(float dt_s) {
    const int left = aliens_left();
    const float speed = 0.35f + 0.08f * static_cast<float>(wave_) +
                        1.6f * (1.0f - static_cast<float>(left) / static_cast<float>(kColumns * kRows));
    const float phase = march_phase_;
    march_phase_ += dt_s * (1.2f + 1.1f * speed);
    march_x_ += dt_s * speed * march_direction_;
    float low = kHalfWidth, high = -kHalfWidth;
    for (const Actor& actor : actors_) {
        if (actor.kind != Kind::Alien) continue;
        const float home = kColumnPitch * (static_cast<float>(actor.column) - 0.5f * (kColumns - 1));
        low = std::min(low, home + march_x_ - 0.6f);
        high = std::max(high, home + march_x_ + 0.6f);
    }
    if ((march_direction_ > 0 && high > kHalfWidth) || (march_direction_ < 0 && low < -kHalfWidth)) {
        march_direction_ = -march_direction_;
        march_y_ -= 0.22f;
    }
    const bool new_posture = std::floor(phase) != std::floor(march_phase_);
    for (Actor& actor : actors_) {
        if (actor.kind != Kind::Alien) continue;
        if (new_posture) std::swap(actor.thing, actor.other_frame);
        const auto column = static_cast<float>(actor.column), row = static_cast<float>(actor.row);
        const float sway = wave_of(0.5f * march_phase_ + 0.13f * column + 0.21f * row);
        actor.thing.position = {march_x_ + kColumnPitch * (column - 0.5f * (kColumns - 1)),
                                kFirstRowY + kRowPitch * row + march_y_ + 0.05f * sway, 0.0f};
        actor.thing.orientation = tilt(0.13f * sway);
    }
}

void Invaders::drop_bombs() {
    bomb_s_ -= 1.0f / 60.0f;
    if (bomb_s_ > 0.0f || over() || aliens_left() == 0) return;
    bomb_s_ = random_.uniform(0.45f, 1.1f) / (0.8f + 0.2f * static_cast<float>(wave_));
    // Fired by the lowest alien of a random column, or of the next column that still has aliens.
    const auto wanted = static_cast<int>(random_.below(kColumns));
    const Actor* lowest = nullptr;
    for (int shift = 0; shift < kColumns && !lowest; ++shift)
        for (const Actor& actor : actors_)
            if (actor.kind == Kind::Alien && actor.column == (wanted + shift) % kColumns &&
                (!lowest || actor.row < lowest->row))
                lowest = &actor;
    if (!lowest) return;
    VoxelThing bomb(bomb_sprite(), kVoxel);
    bomb.position = lowest->thing.position - glm::vec3(0.0f, 0.75f, 0.0f);
    bomb.velocity = {0.0f, -kBombSpeed, 0.0f};
    bomb.spin = {0.0f, 5.0f, 0.0f};
    add(Kind::Bomb, std::move(bomb));
}

void Invaders::steer(float metres) {
    hand_s_ = kHand_s;
    target_x_ = std::clamp(target_x_ + metres, -kHalfWidth + 0.8f, kHalfWidth - 0.8f);
}

void Invaders::steer_to(float x) {
    if (!std::isfinite(x)) return;
    hand_s_ = kHand_s;
    target_x_ = std::clamp(x, -kHalfWidth + 0.8f, kHalfWidth - 0.8f);
}

void Invaders::fire() {
    hand_s_ = kHand_s;
    trigger_ = true;
}

void Invaders::steer_ship(float dt_s) {
    reload_s_ -= dt_s;
    hand_s_ = std::max(hand_s_ - dt_s, 0.0f);
    Actor* ship = edit(ship_id_);
    if (!ship) return;
    if (!played()) think();
    VoxelThing& thing = ship->thing;
    const float delta = target_x_ - thing.position.x;
    const float max_step = kShipSpeed * dt_s;
    const float by = std::clamp(delta, -max_step, max_step);
    thing.position.x += by;
    thing.position.y = kShipY + 0.03f * wave_of(0.6f * time_s_);
    const float lean = -0.16f * by / std::max(max_step, 1e-6f);
    const float now = 2.0f * thing.orientation.z;
    thing.orientation = tilt(now + 0.15f * (lean - now));
    if (trigger_) shoot();
}

void Invaders::shoot() {
    const Actor* ship = find(ship_id_);
    if (!ship || reload_s_ > 0.0f || over()) return;
    VoxelThing shot(shot_sprite(), kVoxel);
    shot.position = ship->thing.position + glm::vec3(0.0f, 0.65f, 0.0f);
    shot.velocity = {0.0f, kShotSpeed, 0.0f};
    add(Kind::Shot, std::move(shot));
    reload_s_ = kReload_s;
    trigger_ = false;
}

bool Invaders::under_bunker(float x) const {
    return std::any_of(actors_.begin(), actors_.end(), [x](const Actor& actor) {
        if (actor.kind != Kind::Bunker) return false;
        const bv::Aabb box = actor.thing.box();
        return !box.is_empty() && x > box.min.x - 0.1f && x < box.max.x + 0.1f;
    });
}

/// The position to shoot from: below the nearest alien that a shot past the bunkers would hit.
std::optional<float> Invaders::aim() const {
    const Actor* ship = find(ship_id_);
    const float left = static_cast<float>(aliens_left()) / static_cast<float>(kColumns * kRows);
    const float march = march_direction_ * (0.35f + 0.08f * static_cast<float>(wave_) + 1.6f * (1.0f - left));
    std::optional<float> best;
    for (const Actor& actor : actors_) {
        if (actor.kind != Kind::Alien) continue;
        const float flight = (actor.thing.position.y - kShipY) / kShotSpeed;
        const float x = actor.thing.position.x + march * (flight + 0.12f);
        if (std::abs(x) > kHalfWidth - 0.8f || under_bunker(x)) continue;
        if (!best || std::abs(x - ship->thing.position.x) < std::abs(*best - ship->thing.position.x))
            best = x;
    }
    return best;
}

void Invaders::think() {
    const Actor* ship = find(ship_id_);
    const glm::vec3 here = ship->thing.position;
    for (const Actor& actor : actors_) {
        if (actor.kind != Kind::Bomb) continue;
        const glm::vec3 from = actor.thing.position - here;
        if (from.y < 0.0f || from.y > 2.0f || std::abs(from.x) > 0.95f) continue;
        // Away from the bomb, but never into the wall.
        const float side = from.x > 0.0f ? -1.0f : 1.0f;
        const bool wall = std::abs(here.x + 1.2f * side) > kHalfWidth - 0.8f;
        target_x_ = here.x + (wall ? -1.6f : 1.2f) * side;
        return;
    }
    const std::optional<float> x = aim();
    if (!x) return;
    target_x_ = *x;
    trigger_ = std::abs(*x - here.x) < 0.12f;
}

void Invaders::move_all(float dt_s) {
    for (Actor& actor : actors_) {
        actor.age_s += dt_s;
        if (actor.kind != Kind::Shot && actor.kind != Kind::Bomb && actor.kind != Kind::Chunk) continue;
        if (actor.kind == Kind::Chunk) actor.thing.velocity.y -= kGravity * dt_s;
        actor.thing.advance(dt_s);
        const glm::vec3& p = actor.thing.position;
        if (p.y > kTop + 0.6f || p.y < -1.0f || std::abs(p.x) > kHalfWidth + 3.0f) actor.gone = true;
    }
}

// ---- stage one: boxes; stage two: voxels

void Invaders::refit() {
    for (Actor& actor : actors_) {
        const bv::Aabb box = actor.thing.box();
        if (box.is_empty() || !box.is_finite()) {
            actor.gone = true;
            continue;
        }
        (void)tree_.move(actor.proxy, box, (1.0f / 60.0f) * actor.thing.velocity);
    }
}

void Invaders::find_contacts() {
    pairs_.clear();
    tree_.for_each_pair([this](bv::ProxyId p, bv::ProxyId q) {
        const auto a = static_cast<std::uint32_t>(tree_.user_data(p).value_or(0));
        const auto b = static_cast<std::uint32_t>(tree_.user_data(q).value_or(0));
        const Actor *first = find(std::min(a, b)), *second = find(std::max(a, b));
        if (first && second && matters(first->kind, second->kind))
            pairs_.push_back({first->id, second->id, false, {}});
    });
    std::sort(pairs_.begin(), pairs_.end(),
              [](const Pair& p, const Pair& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
    for (Pair& pair : pairs_) {
        Actor *a = edit(pair.a), *b = edit(pair.b);
        ++counts_.box_pairs;
        if (a->gone || b->gone) continue;
        const auto voxels = bv::overlapping_voxels(a->thing.grid(), a->thing.pose(), b->thing.grid(),
                                                   b->thing.pose(), kMaxVoxelPairs, &pair.stats);
        counts_.brick_tests += pair.stats.brick_tests;
        counts_.voxel_tests += pair.stats.voxel_tests;
        if (voxels.empty()) continue;
        pair.hit = true;
        ++counts_.hits;
        const std::size_t shown = std::min(voxels.size(), kMaxFlashes);
        flashes_.reserve(flashes_.size() + 2 * shown);
        for (std::size_t i = 0; i < shown; ++i) {
            flashes_.push_back({a->thing.cube_of(voxels[i].a), 0.0f});
            flashes_.push_back({b->thing.cube_of(voxels[i].b), 0.0f});
        }
        resolve(*a, *b, voxels);
    }
    totals_.box_pairs += counts_.box_pairs;
    totals_.brick_tests += counts_.brick_tests;
    totals_.voxel_tests += counts_.voxel_tests;
    totals_.hits += counts_.hits;
    totals_.broken_off += counts_.broken_off;
}

// ---- what a hit does

void Invaders::resolve(Actor& a, Actor& b, const std::vector<bv::VoxelPair>& voxels) {
    // The projectile, and what it hits.
    const auto flies = [](Kind kind) {
        return kind == Kind::Shot || kind == Kind::Bomb || kind == Kind::Chunk;
    };
    const bool b_flies = flies(b.kind) && !(flies(a.kind) && a.kind == Kind::Shot);
    Actor& missile = b_flies ? b : a;
    Actor& target = b_flies ? a : b;
    const glm::ivec3 place = b_flies ? voxels.front().a : voxels.front().b;
    const glm::vec3 push = 0.12f * missile.thing.velocity;
    if (!flies(missile.kind)) {  // an alien walks through a bunker, into the ground, or into the ship
        Actor& alien = a.kind == Kind::Alien ? a : b;
        Actor& other = a.kind == Kind::Alien ? b : a;
        if (other.kind != Kind::Bunker) {
            if (!over()) over_s_ = 4.0f;
            if (other.kind == Kind::Ship) break_apart(other, {0.0f, 1.0f, 0.0f});
            return;
        }
        std::vector<glm::ivec3> eaten;
        eaten.reserve(voxels.size());
        for (const bv::VoxelPair& pair : voxels)
            eaten.push_back(a.kind == Kind::Alien ? pair.b : pair.a);
        spill(other.thing.take_out(eaten), 0.3f * alien.thing.velocity, 0.8f);
        return;
    }
    if (missile.kind == Kind::Chunk) {
        spill(missile.thing.crumble(), -0.1f * missile.thing.velocity, 1.1f);
        missile.gone = true;
        if (target.kind != Kind::Shot) strike(target, place, 0.8f, push);
        return;
    }
    spill(missile.thing.crumble(), -0.1f * missile.thing.velocity, 1.4f);
    missile.gone = true;
    const float radius = missile.kind == Kind::Bomb ? (target.kind == Kind::Ground ? 2.3f : 1.9f) : 1.7f;
    if (target.kind == Kind::Shot || target.kind == Kind::Bomb || target.kind == Kind::Chunk) {
        spill(target.thing.crumble(), push, 1.4f);
        target.gone = true;
        score_ += 5;
    } else {
        strike(target, place, radius, push);
    }
}

void Invaders::strike(Actor& actor, const glm::ivec3& voxel, float radius, const glm::vec3& push) {
    std::vector<LooseVoxel> loose = actor.thing.break_off(voxel, radius);
    if (actor.kind == Kind::Ground) {
        spill(loose, {0.0f, 1.3f, 0.3f}, 1.2f);
        return;
    }
    for (VoxelThing& part : actor.thing.fall_apart(kSmallestChunk, loose)) {
        const float z = random_.uniform(-0.4f, 0.6f);
        const float y = random_.uniform(0.2f, 0.9f);
        const float x = random_.uniform(-0.5f, 0.5f);
        part.velocity = push + glm::vec3(x, y, z);
        part.spin = 3.0f * random_.in_ball();
        counts_.broken_off += part.filled();
        Actor chunk;
        chunk.kind = Kind::Chunk;
        chunk.thing = std::move(part);
        born_.push_back(std::move(chunk));
    }
    spill(loose, push, 1.3f);
    if (actor.kind == Kind::Alien) {
        actor.other_frame.lose_as(actor.thing);
        score_ += static_cast<int>(loose.size());
        if (actor.thing.share_left() < 0.55f || actor.other_frame.share_left() < 0.4f) {
            score_ += 100 * (1 + actor.row);
            break_apart(actor, push);
        }
    }
    if (actor.kind == Kind::Ship && actor.thing.share_left() < 0.8f) break_apart(actor, push);
}

void Invaders::break_apart(Actor& actor, const glm::vec3& push) {
    if (actor.gone) return;
    for (VoxelThing& part : actor.thing.shatter()) {
        part.velocity += 0.6f * push + 0.4f * random_.in_ball();
        if (part.filled() < kSmallestChunk) {
            spill(part.crumble(), part.velocity, 1.0f);
            continue;
        }
        counts_.broken_off += part.filled();
        Actor chunk;
        chunk.kind = Kind::Chunk;
        chunk.thing = std::move(part);
        born_.push_back(std::move(chunk));
    }
    actor.gone = true;
    if (actor.kind != Kind::Ship) return;
    --lives_;
    respawn_s_ = 2.0f;
}

void Invaders::spill(const std::vector<LooseVoxel>& loose, const glm::vec3& push, float speed) {
    counts_.broken_off += loose.size();
    for (const LooseVoxel& voxel : loose) {
        if (sparks_.size() >= kMaxSparks) return;
        Spark spark;
        spark.position = voxel.center;
        spark.velocity = push + speed * random_.in_ball() + glm::vec3(0.0f, 0.6f, 0.0f);
        spark.color = voxel.color;
        spark.life_s = random_.uniform(1.2f, 3.0f);
        sparks_.push_back(spark);
    }
}

float Invaders::ground_height(const glm::vec3& at) const {
    const VoxelThing& ground = actors_.front().thing;
    const glm::vec3 local = (at - ground.position - ground.grid().origin()) / kVoxel;
    const glm::ivec3 column(glm::floor(local));
    for (int y = ground.grid().size().y - 1; y >= 0; --y)
        if (ground.grid().filled({column.x, y, column.z}))
            return ground.position.y + ground.grid().origin().y + kVoxel * static_cast<float>(y + 1);
    return -10.0f;
}

void Invaders::move_sparks(float dt_s) {
    for (Spark& spark : sparks_) {
        spark.age_s += dt_s;
        spark.velocity.y -= kGravity * dt_s;
        spark.position += dt_s * spark.velocity;
        if (spark.position.y > kGroundTop + 0.4f) continue;
        const float floor = ground_height(spark.position) + 0.5f * kVoxel;
        if (spark.position.y >= floor || spark.position.y < floor - 3.0f * kVoxel) continue;
        spark.position.y = floor;
        spark.velocity = {0.5f * spark.velocity.x, -0.3f * spark.velocity.y, 0.5f * spark.velocity.z};
        if (spark.velocity.y < 0.15f) spark.velocity = glm::vec3(0.0f);
    }
    std::erase_if(sparks_,
                  [](const Spark& spark) { return spark.age_s > spark.life_s || spark.position.y < -2.0f; });
    for (Flash& flash : flashes_)
        flash.age_s += dt_s;
    std::erase_if(flashes_, [](const Flash& flash) { return flash.age_s > kFlash_s; });
}

void Invaders::remove_gone() {
    for (const Actor& actor : actors_)
        if (actor.gone) (void)tree_.remove(actor.proxy);
    std::erase_if(actors_, [](const Actor& actor) { return actor.gone; });
    for (Actor& chunk : born_)
        if (!chunk.thing.box().is_empty()) add(chunk.kind, std::move(chunk.thing));
    born_.clear();
}

void Invaders::check_state(float dt_s) {
    if (over_s_ > 0.0f) {
        over_s_ -= dt_s;
        if (over_s_ <= 0.0f) begin_game();
        return;
    }
    if (!find(ship_id_)) {
        respawn_s_ -= dt_s;
        if (lives_ <= 0)
            over_s_ = 4.0f;
        else if (respawn_s_ <= 0.0f)
            add_ship();
    }
    if (aliens_left() == 0) begin_wave();
}

}  // namespace lab
