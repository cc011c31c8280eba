// What changes the bodies of a scene: adding, removing, moving, hiding, and taking all of that back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "session/sandbox.hpp"
#include "settings/suggest.hpp"
#include "view/picking.hpp"
#include "world/spawner.hpp"
#include "world/tree_settings.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxPinned = 16;

std::string no_body(bv::BodyId id) {
    return fmt::format("there is no body {}", id.value);
}

std::string unknown_choice(std::string_view setting, std::string_view value) {
    const auto settings = body_settings();
    if (std::find(settings.begin(), settings.end(), setting) == settings.end())
        return fmt::format("'{}' is no choice of a single body; those are {}", setting,
                           fmt::join(settings, ", "));
    std::vector<std::string_view> ids;
    for (const Choice& choice : find_setting(setting)->choices)
        ids.push_back(choice.id);
    return fmt::format("{} of a body is one of {}, or `all` for what all have, not '{}'", setting,
                       fmt::join(ids, ", "), value);
}

}  // namespace

CommandResult Sandbox::run_command(const ParsedLine& line) {
    const CommandSpec& spec = *line.command;
    return spec.run ? spec.run(*this, line.args()) : spec.change(settings_, line.args());
}

CommandResult Sandbox::run_edit(const ParsedLine& line) {
    if (!line.command->is_edit) return run_command(line);
    edits_.begin(line.text, line.merge_key(), timeline_.place().frame);
    if (line.command->change && !line.command->per_body) edits_.touch_settings(settings_);
    CommandResult problem = run_command(line);
    edits_.end(*world_, settings_, pinned_);
    return problem;
}

CommandResult Sandbox::spawn(int count, std::string_view mesh_name, const bv::Aabb& at) {
    SpawnOptions options;
    options.radius = settings_.real("spawn.size");
    options.speed = settings_.real("spawn.speed");
    options.spread = settings_.real("spawn.spread");
    options.motion = chosen_row<MotionKind>(settings_, "spawn.motion");
    options.placement = chosen_row<Placement>(settings_, "spawn.placement");
    if (mesh_name != "any") {
        options.mesh = meshes_.find(mesh_name);
        if (!options.mesh) {
            const std::string hint = did_you_mean(mesh_name, meshes_.names());
            return fmt::format("there is no mesh '{}'{}", mesh_name,
                               hint.empty() ? "; `help spawn` lists them" : hint);
        }
    }
    bv::Aabb space = at.is_empty() ? world_->room() : at;
    if (space.is_empty()) space = bv::grown({camera_.target, camera_.target}, 0.4f * camera_.distance);
    // Each spawn of a scene has a stream of its own, so that what one adds does not depend on how much
    // another added.
    const auto seed = static_cast<std::uint64_t>(settings_.integer("world.seed")) + (++spawned_ << 32);
    const std::uint32_t first = world_->next_id().value;
    const int added = spawn_bodies(*world_, count, space, options, seed);
    note_added(first);
    if (added == count) return std::nullopt;
    return fmt::format("only {} of {} bodies were added: a world holds at most {}", added, count,
                       World::kMaxBodies);
}

CommandResult Sandbox::spawn_at(glm::vec2 pixel, int count, std::string_view mesh_name) {
    const bv::Ray ray = ray_through(pixel);
    const RayQuery seen = cast_ray(*world_, RayQuery::Kind::Pick, ray);
    const float floor = world_->room().is_empty() ? 0.0f : world_->room().min.y;
    const float size = settings_.real("spawn.size");
    const float distance = view_camera().distance;
    glm::vec3 place = ray.at(distance);
    if (seen.hit) {
        place = seen.point + size * seen.normal;
    } else if (const float t = (floor - ray.origin.y) / ray.direction.y; std::isfinite(t) && t > 0.0f) {
        // On the floor, unless that is far behind the room.
        if (t < 4.0f * distance) place = ray.at(t) + glm::vec3(0.0f, size, 0.0f);
    }
    // One stands there; more stand around it.
    const float reach = count > 1 ? size * (1.0f + 1.5f * std::cbrt(static_cast<float>(count))) : 0.0f;
    return spawn(count, mesh_name, bv::grown({place, place}, reach));
}

void Sandbox::note_added(std::uint32_t first_id) {
    for (std::uint32_t id = first_id; id < world_->next_id().value; ++id)
        edits_.touch_new({id});
}

CommandResult Sandbox::remove(bv::BodyId id) {
    edits_.touch(*world_, id);
    if (!world_->remove(id)) return no_body(id);
    selection_.forget(id);
    return std::nullopt;
}

void Sandbox::clear_bodies() {
    for (const Body& body : world_->bodies())
        edits_.touch(*world_, body.state.id);
    world_->remove_all();
    selection_.bodies.clear();
    selection_.triangle.reset();
}

CommandResult Sandbox::move(bv::BodyId id, const glm::vec3& position) {
    edits_.touch(*world_, id);
    if (world_->move(id, position)) return std::nullopt;
    return fmt::format("there is no body {} that could go there", id.value);
}

CommandResult Sandbox::transform(std::span<const bv::BodyId> ids, const glm::vec3& pivot,
                                 const glm::quat& turn, const glm::vec3& by) {
    for (const bv::BodyId id : ids)
        if (!std::as_const(*world_).find(id)) return no_body(id);
    const bool turns = turn.x != 0.0f || turn.y != 0.0f || turn.z != 0.0f;
    for (const bv::BodyId id : ids) {
        edits_.touch(*world_, id);
        const Body& body = *std::as_const(*world_).find(id);
        const glm::vec3 position = turns ? pivot + turn * (body.position - pivot) : body.position;
        const glm::quat orientation = turns ? turn * body.orientation : body.orientation;
        if (!world_->place(id, position + by, orientation))
            return fmt::format("{} cannot go there: it is too far away", body.state.name);
    }
    return std::nullopt;
}

CommandResult Sandbox::set_hidden(bv::BodyId id, bool hidden) {
    const Body* body = std::as_const(*world_).find(id);
    if (!body) return no_body(id);
    if (body->state.hidden == hidden) return std::nullopt;
    edits_.touch(*world_, id);
    world_->set_hidden(id, hidden);
    return std::nullopt;
}

CommandResult Sandbox::choose(std::span<const bv::BodyId> ids, std::string_view setting,
                              std::string_view value) {
    OwnChoice scratch;
    if (!set_own_choice(scratch, setting, value)) return unknown_choice(setting, value);
    for (const bv::BodyId id : ids) {
        const Body* body = std::as_const(*world_).find(id);
        if (!body) return no_body(id);
        OwnChoice own = body->state.own;
        (void)set_own_choice(own, setting, value);
        edits_.touch(*world_, id);
        if (!world_->choose(id, own))
            return fmt::format("{} is too large or too far away for that", body->state.name);
    }
    const SettingSpec& spec = *find_setting(setting);
    const std::string whose = ids.size() == 1 ? std::as_const(*world_).find(ids[0])->state.name
                                              : fmt::format("{} bodies", ids.size());
    meter_.begin(fmt::format("{}, {}: {}", whose, spec.label,
                             value.empty() ? std::string("as all") : spec.shown(std::string(value))));
    return std::nullopt;
}

CommandResult Sandbox::isolate(std::span<const bv::BodyId> ids) {
    for (const bv::BodyId id : ids)
        if (!std::as_const(*world_).find(id)) return no_body(id);
    for (const Body& body : world_->bodies()) {
        const bool kept = std::find(ids.begin(), ids.end(), body.state.id) != ids.end();
        (void)set_hidden(body.state.id, !kept);
    }
    return std::nullopt;
}

bool Sandbox::show_all() {
    bool any = false;
    for (const Body& body : world_->bodies()) {
        any = any || body.state.hidden;
        (void)set_hidden(body.state.id, false);
    }
    return any;
}

// ---- copies

CommandResult Sandbox::copy() {
    if (selection_.bodies.empty()) return "no body is selected: click on one first";
    copied_.clear();
    for (const bv::BodyId id : selection_.bodies)
        if (const Body* body = std::as_const(*world_).find(id)) copied_.push_back(*body);
    return std::nullopt;
}

CommandResult Sandbox::paste() {
    if (copied_.empty()) return "nothing was copied: select bodies and use `copy` first";
    bv::Aabb all;
    for (const Body& body : copied_)
        all = bv::merge(all, body.state.aabb_tight);
    // Beside the originals, in the picture.
    const glm::vec3 aside = 0.6f * all.size().x * camera_.right();
    const std::uint32_t first = world_->next_id().value;
    std::size_t added = 0;
    selection_.clear();
    for (const Body& body : copied_) {
        BodySpec spec;
        spec.mesh = body.state.mesh;
        spec.position = body.position + aside;
        spec.orientation = body.orientation;
        spec.scale = body.state.scale;
        spec.velocity = body.state.velocity;
        spec.angular_velocity = body.state.angular_velocity;
        spec.own = body.state.own;
        spec.shown = body.state.shown;
        spec.motion = body.motion;
        const bv::BodyId id = world_->add(spec);
        if (!id.valid()) continue;
        selection_.bodies.push_back(id);
        ++added;
    }
    note_added(first);
    if (added == copied_.size()) return std::nullopt;
    return fmt::format("only {} of {} bodies were added: a world holds at most {}", added, copied_.size(),
                       World::kMaxBodies);
}

// ---- rays

CommandResult Sandbox::pin_ray(const bv::Ray& ray) {
    if (pinned_.size() == kMaxPinned)
        return fmt::format("{} rays are pinned already; `ray.clear` removes them", kMaxPinned);
    edits_.touch_rays(pinned_);
    pinned_.push_back(ray);
    return std::nullopt;
}

void Sandbox::clear_pinned_rays() {
    edits_.touch_rays(pinned_);
    pinned_.clear();
    selection_.ray.reset();
}

CommandResult Sandbox::remove_ray(std::uint32_t number) {
    if (number >= pinned_.size())
        return fmt::format("there is no pinned ray {}; there are {}", number, pinned_.size());
    edits_.touch_rays(pinned_);
    pinned_.erase(pinned_.begin() + number);
    selection_.ray.reset();
    return std::nullopt;
}

// ---- back and forth

CommandResult Sandbox::undo() {
    const Edit* edit = edits_.undo();
    if (!edit) messages_.info("There is nothing to undo");
    return edit ? apply(*edit, false) : std::nullopt;
}

CommandResult Sandbox::redo() {
    const Edit* edit = edits_.redo();
    if (!edit) messages_.info("There is nothing to do again");
    return edit ? apply(*edit, true) : std::nullopt;
}

CommandResult Sandbox::apply(const Edit& edit, bool forward) {
    for (const BodyChange& change : edit.bodies) {
        const std::optional<Body>& from = forward ? change.before : change.after;
        const std::optional<Body>& to = forward ? change.after : change.before;
        if (!to) {
            world_->remove(change.id);
            selection_.forget(change.id);
        } else if (!std::as_const(*world_).find(change.id)) {
            world_->put_back(*to);
        } else if (from) {
            restore_body(*from, *to);
        }
    }
    for (const SettingChange& change : edit.settings)
        (void)settings_.set(change.id, forward ? change.after : change.before);
    if (edit.rays) {
        pinned_ = forward ? edit.rays->after : edit.rays->before;
        selection_.ray.reset();
    }
    messages_.info(fmt::format("{}: {}", forward ? "Done again" : "Taken back", edit.label));
    return std::nullopt;
}

void Sandbox::restore_body(const Body& from, const Body& to) {
    const bv::BodyId id = to.state.id;
    // Only what the edit had changed: a body may have moved on since it was hidden.
    if (from.position != to.position || from.orientation != to.orientation)
        world_->place(id, to.position, to.orientation);
    if (from.state.hidden != to.state.hidden) world_->set_hidden(id, to.state.hidden);
    if (from.state.own != to.state.own) world_->choose(id, to.state.own);
    Body& body = *world_->edit(id);
    if (from.state.shown != to.state.shown) body.state.shown = to.state.shown;
    if (from.state.velocity != to.state.velocity) body.state.velocity = to.state.velocity;
    if (from.state.angular_velocity != to.state.angular_velocity)
        body.state.angular_velocity = to.state.angular_velocity;
}

}  // namespace lab
