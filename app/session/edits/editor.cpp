#include "session/edits/editor.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "bv/portable_math.hpp"
#include "io/limits.hpp"
#include "io/text/counted.hpp"
#include "session/parts.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/suggest.hpp"
#include "world/bodies/spawner.hpp"
#include "world/tree_settings.hpp"
#include "world/world_settings.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxPinned = 16;

std::string no_body(bv::BodyId id) {
    return fmt::format("there is no body {}", id.value);
}

std::string unknown_choice(std::string_view setting, std::string_view value) {
    const auto settings = body_settings();
    if (std::find(settings.begin(), settings.end(), setting) == settings.end())
        return fmt::format("'{}' cannot be set for a single body; these can: {}", setting,
                           fmt::join(settings, ", "));
    std::vector<std::string_view> ids;
    for (const Choice& choice : setting_catalog().find(setting)->choices)
        ids.push_back(choice.id);
    return fmt::format("{} of a body is one of {}, or `all` for the common setting, not '{}'", setting,
                       fmt::join(ids, ", "), value);
}

/// The name of a line's edit in the undo list.
std::string name_of_edit(const ParsedLine& line) {
    if (line.command->per_body && line.setting) return fmt::format("{} of a body", line.setting->label);
    return std::string(line.changes_setting() ? line.setting->label : line.command->edit);
}

}  // namespace

Editor::Editor(SessionParts& parts) : parts_(parts), state_(parts.state) {}

CommandResult Editor::run(const ParsedLine& line, bool is_edit) {
    const CommandSpec& spec = *line.command;
    // Every command finds the engine up to date, except that a run of the same command shares one update.
    // A replay has only the recorded lines, and must update the engine as often.
    if (line.effect() != Effect::Outside) {
        if (&spec != last_) state_.world.settle();
        last_ = &spec;
    }
    const auto perform = [&] {
        if (!spec.scene_action.empty()) return parts_.scenes.play(spec.scene_action);
        if (spec.run) return spec.run(parts_.session, line.args());
        if (!spec.change) return CommandResult();
        const auto change = [&] { return spec.change(state_.settings, line.args()); };
        const bool of_scene = !spec.per_body && line.effect() == Effect::World;
        return of_scene ? parts_.scenes.change_settings(change) : change();
    };
    if (is_edit)
        state_.edits.begin(name_of_edit(line), line.merge_key(), parts_.recorder.timeline().place().frame);
    if (is_edit && spec.change && !spec.per_body) state_.edits.touch_settings(state_.settings);
    CommandResult problem = perform();
    if (is_edit) state_.edits.end(state_.world, state_.settings, state_.view.pinned_rays);
    state_.view.set_z_up(state_.settings[kDrawZUp]);
    return problem;
}

CommandResult Editor::spawn(int count, std::string_view mesh_name, const bv::Aabb& at) {
    SpawnOptions options;
    options.radius = state_.settings[kSpawnSize];
    options.speed = state_.settings[kSpawnSpeed];
    options.spread = state_.settings[kSpawnSpread];
    options.motion = state_.settings[kSpawnMotion];
    options.placement = state_.settings[kSpawnPlacement];
    if (mesh_name != "any") {
        options.mesh = parts_.meshes.find(mesh_name);
        if (!options.mesh) {
            const std::string hint = did_you_mean(mesh_name, parts_.meshes.names());
            return fmt::format("there is no mesh '{}'{}", mesh_name,
                               hint.empty() ? "; `help spawn` lists them" : hint);
        }
    }
    bv::Aabb space = at.is_empty() ? state_.world.arena() : at;
    const Camera& camera = state_.view.camera;
    if (space.is_empty()) space = bv::grown({camera.target, camera.target}, 0.4f * camera.distance);
    // Each spawn of a scene has its own random stream, independent of how many bodies others added.
    const std::uint64_t seed = state_.scene.seed + (++state_.clock.spawned << 32);
    const std::uint32_t first = state_.world.next_id().value;
    const int added = spawn_bodies(state_.world, count, space, options, seed);
    note_added(first);
    return outcome_of_adding(static_cast<std::size_t>(added), static_cast<std::size_t>(count));
}

CommandResult Editor::spawn_at(glm::vec2 pixel, int count, std::string_view mesh_name) {
    const bv::Ray ray = state_.view.ray_through(pixel);
    const RayQuery seen = parts_.frame.cast(RayQuery::Kind::Pick, ray);
    const float floor = state_.world.arena().is_empty() ? 0.0f : state_.world.arena().min.y;
    const float size = state_.settings[kSpawnSize];
    const float distance = state_.view.shown_camera().distance;
    glm::vec3 place = ray.at(distance);
    if (seen.hit) {
        place = seen.point + size * seen.normal;
    } else if (const float t = (floor - ray.origin.y) / ray.direction.y; std::isfinite(t) && t > 0.0f) {
        // On the floor, unless that is far beyond the arena.
        if (t < 4.0f * distance) place = ray.at(t) + glm::vec3(0.0f, size, 0.0f);
    }
    // One body at the position itself, more around it.
    const float reach = count > 1 ? size * (1.0f + 1.5f * bv::cbrt(static_cast<float>(count))) : 0.0f;
    return spawn(count, mesh_name, bv::grown({place, place}, reach));
}

CommandResult Editor::outcome_of_adding(std::size_t added, std::size_t wanted) const {
    if (added == wanted) return std::nullopt;
    const std::string why = state_.world.bodies().size() >= World::kMaxBodies
                                ? fmt::format("a world holds at most {}", World::kMaxBodies)
                            : state_.world.next_id().value > io::limits::kBodyId
                                ? "all numbers for bodies are used up; `restart` begins again"
                                : "the others would be too large or too far away";
    return fmt::format("only {} of {} bodies were added: {}", added, wanted, why);
}

void Editor::note_added(std::uint32_t first_id) {
    for (std::uint32_t id = first_id; id < state_.world.next_id().value; ++id)
        state_.edits.touch_new({id});
}

CommandResult Editor::remove(std::span<const bv::BodyId> ids) {
    for (const bv::BodyId id : ids)
        if (!state_.world.find(id)) return no_body(id);
    std::vector<bv::BodyId> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    for (const bv::BodyId id : sorted)
        state_.edits.touch(state_.world, id);
    state_.world.remove(sorted);
    forget_removed();
    return std::nullopt;
}

void Editor::forget_removed() {
    Selection& selection = state_.view.selection;
    const auto gone = [this](bv::BodyId id) { return !state_.world.find(id); };
    std::erase_if(selection.bodies, gone);
    if (selection.triangle && gone(selection.triangle->body)) selection.triangle.reset();
}

void Editor::clear_bodies() {
    for (const Body& body : state_.world.bodies())
        state_.edits.touch(state_.world, body.state.id);
    state_.world.remove_all();
    state_.view.selection.bodies.clear();
    state_.view.selection.triangle.reset();
}

CommandResult Editor::move(bv::BodyId id, const glm::vec3& position) {
    state_.edits.touch(state_.world, id);
    if (state_.world.move(id, position)) return std::nullopt;
    return fmt::format("there is no body {}", id.value);
}

CommandResult Editor::transform(std::span<const bv::BodyId> ids, const glm::vec3& pivot,
                                const glm::quat& turn, const glm::vec3& by) {
    for (const bv::BodyId id : ids)
        if (!state_.world.find(id)) return no_body(id);
    const bool turns = turn.x != 0.0f || turn.y != 0.0f || turn.z != 0.0f;
    for (const bv::BodyId id : ids) {
        state_.edits.touch(state_.world, id);
        const Body& body = *state_.world.find(id);
        const glm::vec3 position = turns ? pivot + turn * (body.position - pivot) : body.position;
        const glm::quat orientation = turns ? turn * body.orientation : body.orientation;
        if (!state_.world.place(id, position + by, orientation))
            return fmt::format("{} cannot be moved there: it is too far away", body.state.name.str());
    }
    return std::nullopt;
}

CommandResult Editor::set_hidden(bv::BodyId id, bool hidden) {
    const Body* body = state_.world.find(id);
    if (!body) return no_body(id);
    if (body->state.hidden == hidden) return std::nullopt;
    state_.edits.touch(state_.world, id);
    state_.world.set_hidden(id, hidden);
    return std::nullopt;
}

CommandResult Editor::choose(std::span<const bv::BodyId> ids, std::string_view setting,
                             std::string_view value) {
    OwnChoice scratch;
    if (!set_own_choice(scratch, setting, value)) return unknown_choice(setting, value);
    for (const bv::BodyId id : ids) {
        const Body* body = state_.world.find(id);
        if (!body) return no_body(id);
        OwnChoice own = body->state.own;
        (void)set_own_choice(own, setting, value);
        state_.edits.touch(state_.world, id);
        if (!state_.world.choose(id, own))
            return fmt::format("{} would become too large or too far away", body->state.name.str());
    }
    const SettingSpec& spec = *setting_catalog().find(setting);
    const std::string whose = ids.size() == 1 ? state_.world.find(ids[0])->state.name.str()
                                              : io::counted(ids.size(), "body", "bodies");
    parts_.meter.begin(fmt::format("{}, {}: {}", whose, spec.label,
                                   value.empty() ? std::string("as all") : spec.shown(std::string(value))));
    return std::nullopt;
}

CommandResult Editor::isolate(std::span<const bv::BodyId> ids) {
    for (const bv::BodyId id : ids)
        if (!state_.world.find(id)) return no_body(id);
    std::vector<bv::BodyId> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    for (const Body& body : state_.world.bodies()) {
        const bool kept = std::binary_search(sorted.begin(), sorted.end(), body.state.id);
        (void)set_hidden(body.state.id, !kept);
    }
    return std::nullopt;
}

bool Editor::show_all() {
    bool any = false;
    for (const Body& body : state_.world.bodies()) {
        any = any || body.state.hidden;
        (void)set_hidden(body.state.id, false);
    }
    return any;
}

// ---- copies

CommandResult Editor::copy() {
    if (state_.view.selection.bodies.empty()) return "no body is selected: click on one first";
    std::vector<Body> bodies;
    for (const bv::BodyId id : state_.view.selection.bodies)
        if (const Body* body = state_.world.find(id)) bodies.push_back(*body);
    state_.clipboard = std::make_shared<const std::vector<Body>>(std::move(bodies));
    state_.clipboard_record = parts_.recorder.timeline().id();
    return std::nullopt;
}

CommandResult Editor::paste() {
    if (!state_.clipboard || state_.clipboard->empty())
        return "nothing has been copied: select bodies and use `copy` first";
    bv::Aabb all;
    const std::vector<Body>& copied = *state_.clipboard;
    for (const Body& body : copied)
        all = bv::merge(all, std::get<bv::Aabb>(state_.world.bodies().volume(VolumeKind::AabbTight, body)));
    // Offset from the originals, in the plane of the picture.
    const glm::vec3 aside = 0.6f * all.size().x * state_.view.camera.right();
    const std::uint32_t first = state_.world.next_id().value;
    std::vector<bv::BodyId> added;
    for (const Body& body : copied) {
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
        if (const bv::BodyId id = state_.world.add(spec); id.valid()) added.push_back(id);
    }
    const std::size_t count = added.size();
    if (count > 0) {
        state_.view.selection.clear();
        state_.view.selection.bodies = std::move(added);
    }
    note_added(first);
    // A record cannot tell where pasted bodies came from if they were copied before it began, or at another
    // moment of its past.
    if (count > 0 && state_.clipboard_record == 0)
        parts_.recorder.lose_past();
    else if (count > 0 && state_.clipboard_record != parts_.recorder.timeline().id())
        parts_.recorder.lose_start();
    return outcome_of_adding(count, copied.size());
}

// ---- rays

CommandResult Editor::pin_ray(const bv::Ray& ray) {
    if (state_.view.pinned_rays.size() >= kMaxPinned)
        return fmt::format(
            "{} rays are already pinned; at most {} can be: remove some first, in the menu Simulation",
            state_.view.pinned_rays.size(), kMaxPinned);
    state_.edits.touch_rays(state_.view.pinned_rays);
    state_.view.pinned_rays.push_back(ray);
    return std::nullopt;
}

void Editor::clear_rays() {
    state_.edits.touch_rays(state_.view.pinned_rays);
    state_.view.pinned_rays.clear();
    state_.view.selection.ray.reset();
}

CommandResult Editor::remove_ray(std::uint32_t number) {
    if (number >= state_.view.pinned_rays.size())
        return fmt::format("there is no pinned ray {}; there {} {}", number,
                           io::plural(state_.view.pinned_rays.size(), "is", "are"),
                           state_.view.pinned_rays.size());
    state_.edits.touch_rays(state_.view.pinned_rays);
    state_.view.pinned_rays.erase(state_.view.pinned_rays.begin() + number);
    state_.view.selection.ray.reset();
    return std::nullopt;
}

// ---- undo and redo

CommandResult Editor::undo() {
    const std::shared_ptr<const Edit> edit = state_.edits.undo();
    if (!edit) parts_.messages.info("There is nothing to undo");
    return edit ? apply(*edit, false) : std::nullopt;
}

CommandResult Editor::redo() {
    const std::shared_ptr<const Edit> edit = state_.edits.redo();
    if (!edit) parts_.messages.info("There is nothing to redo");
    return edit ? apply(*edit, true) : std::nullopt;
}

CommandResult Editor::apply(const Edit& edit, bool forward) {
    // Changed settings make a scene rebuild its input, and it may then change further settings: the second
    // pass sets the edit's own settings after that.
    for (int pass = 0; pass < 2 && !edit.settings.empty(); ++pass) {
        for (const SettingChange& change : edit.settings)
            (void)state_.settings.set(change.id, forward ? change.after : change.before);
        parts_.scenes.let_scene_adapt();
    }
    std::vector<bv::BodyId> removed;
    std::vector<Body> restored;
    std::size_t missing = 0;
    for (const BodyChange& change : edit.bodies) {
        const std::optional<Body>& from = forward ? change.before : change.after;
        const std::optional<Body>& to = forward ? change.after : change.before;
        const bool exists = state_.world.find(change.id) != nullptr;
        if (!to)
            removed.push_back(change.id);
        else if (!exists && !from)
            restored.push_back(*to);
        else if (!exists)
            ++missing;  // something other than this edit has removed it
        else if (from)
            restore_body(*from, *to);
    }
    state_.world.remove(removed);
    missing += restored.size();
    missing -= state_.world.put_back(std::move(restored));
    forget_removed();
    if (edit.input && forward)
        parts_.scenes.restore_input(edit.input->before, edit.input->after);
    else if (edit.input)
        parts_.scenes.restore_input(edit.input->after, edit.input->before);
    for (const HandleChange& change : edit.handles)
        (void)parts_.scenes.drag_handle(change.id, forward ? change.after : change.before);
    if (edit.rays) {
        state_.view.pinned_rays = forward ? edit.rays->after : edit.rays->before;
        state_.view.selection.ray.reset();
    }
    const std::string except = missing == 0 ? ""
                                            : fmt::format(", except for {} that could not be restored",
                                                          io::counted(missing, "body", "bodies"));
    parts_.messages.info(fmt::format("{}: {}{}", forward ? "Redone" : "Undone", edit.label, except));
    return std::nullopt;
}

void Editor::restore_body(const Body& from, const Body& to) {
    const bv::BodyId id = to.state.id;
    // Restores only what the edit changed: a hidden body may have moved since.
    if (from.position != to.position || from.orientation != to.orientation)
        state_.world.place(id, to.position, to.orientation);
    if (from.state.hidden != to.state.hidden) state_.world.set_hidden(id, to.state.hidden);
    if (from.state.own != to.state.own) state_.world.choose(id, to.state.own);
    Body& body = *state_.world.edit(id);
    if (from.state.shown != to.state.shown) body.state.shown = to.state.shown;
    if (from.state.velocity != to.state.velocity) body.state.velocity = to.state.velocity;
    if (from.state.angular_velocity != to.state.angular_velocity)
        body.state.angular_velocity = to.state.angular_velocity;
}

}  // namespace lab
