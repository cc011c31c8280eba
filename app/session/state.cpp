#include "session/state.hpp"

#include <algorithm>
#include <utility>

#include "world/mesh_library.hpp"

namespace lab {

void SessionClock::queue(int count) {
    constexpr int kMaxQueued = 1'000'000'000;
    queued_steps = std::min(queued_steps, kMaxQueued - count) + count;
}

Settings SessionState::settings_without_presets() const {
    Settings own = settings;
    for (const Preset& preset : scene.presets)
        if (own.get_as_text(*preset.setting) == preset.set_to) (void)own.set(*preset.setting, preset.was);
    return own;
}

std::optional<glm::vec3> SessionState::selection_pivot() const {
    bv::Aabb all;
    for (const bv::BodyId id : view.selection.bodies)
        if (const Body* body = world.find(id); body && !body->state.hidden)
            all = bv::merge(all, body->position);
    return all.is_empty() ? std::nullopt : std::optional(all.center());
}

std::optional<bv::Triangle> SessionState::selected_triangle() const {
    const std::optional<TriangleRef>& selected = view.selection.triangle;
    if (!selected) return std::nullopt;
    const Body* body = world.find(selected->body);
    if (!body || body->state.hidden) return std::nullopt;
    const bv::MeshView mesh = world.bodies().meshes()[body->state.mesh].view();
    if (selected->triangle >= mesh.triangles.size()) return std::nullopt;
    const bv::Triangle local = mesh.triangle(selected->triangle);
    const auto place = [&](const glm::vec3& p) { return body->state.transform * glm::vec4(p, 1.0f); };
    return bv::Triangle{place(local.a), place(local.b), place(local.c)};
}

HeldView hold_view(const SessionState& state) {
    HeldView held{state.view,
                  state.settings,
                  {},
                  state.edits.is_grouping(),
                  {},
                  state.edits.times_cleared(),
                  state.clipboard,
                  state.clipboard_record != 0};
    if (const std::string* group = state.edits.fresh_group()) held.fresh_group = *group;
    for (const Body& body : state.world.bodies())
        if (body.state.hidden) held.hidden.push_back(body.state.id);
    return held;
}

void put_view(SessionState& state, const HeldView& held) {
    state.view = held.view;
    std::erase_if(state.view.selection.bodies,
                  [&](bv::BodyId id) { return !std::as_const(state.world).find(id); });
    for (const Body& body : std::as_const(state.world).bodies()) {
        const bool hidden = std::binary_search(held.hidden.begin(), held.hidden.end(), body.state.id);
        (void)state.world.set_hidden(body.state.id, hidden);
    }
    for (const SettingSpec* row : state.settings.catalog().rows())
        if (row->effect == Effect::View) (void)state.settings.set(*row, held.settings.get_as_text(*row));
}

}  // namespace lab
