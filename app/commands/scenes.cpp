// Commands that choose a scene and work in it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/vector_relational.hpp>
#include <vector>

#include "commands/given_values.hpp"
#include "commands/tables.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "view/probe.hpp"

namespace lab::commands {
namespace {

CommandResult scene(Session& session, CommandArgs args) {
    if (args[0] == "next") return session.parts().scenes.change(+1);
    if (args[0] == "previous") return session.parts().scenes.change(-1);
    return session.parts().scenes.load(args[0]);
}

CommandResult restart(Session& session, CommandArgs) {
    session.parts().scenes.restart();
    return std::nullopt;
}

bool is_of_probe(std::string_view handle) {
    return handle == kProbeHandle || handle == kProbeAimHandle;
}

CommandResult put_value(Session& session, std::string_view id, const glm::vec3& position) {
    SessionState& state = session.state();
    if (is_of_probe(id)) {
        session.parts().frame.update_before_first();
        state.edits.touch_settings(state.settings);
    }
    if (drag_probe(state.settings, session.results(), id, position)) return std::nullopt;
    return session.parts().scenes.drag_handle(id, position);
}

CommandResult scene_drag(Session& session, CommandArgs args) {
    ArgReader read(args);
    const std::string_view id = read.word("ID");
    const glm::vec3 position = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    return put_value(session, id, position);
}

/// The position that gives a handle these numbers. It is not computed as an offset from the old position,
/// which would round the numbers at that position's size.
glm::vec3 position_for(const std::vector<Handle>& handles, const Handle& handle, const glm::vec3& numbers) {
    const Handle* base = handle.given.from.empty() ? nullptr : find_handle(handles, handle.given.from);
    return base ? base->position + numbers : numbers;
}

CommandResult negative_size(const Handle& handle, const glm::vec3& numbers) {
    if (!handle.given.is_size || glm::all(glm::greaterThanEqual(numbers, glm::vec3(0.0f))))
        return std::nullopt;
    return fmt::format("`{}` cannot be negative", handle.name());
}

/// Refuses numbers that would lose their digits: numbers that count from another handle are stored as a
/// position, which is too coarse for them far from the origin.
CommandResult lost_digits(const std::vector<Handle>& handles, const Handle& handle,
                          const glm::vec3& numbers) {
    const Handle* base = handle.given.from.empty() ? nullptr : find_handle(handles, handle.given.from);
    if (!base) return std::nullopt;
    const glm::vec3 kept = position_for(handles, handle, numbers) - base->position;
    constexpr float kLost = 1e-3f;
    if (glm::distance(kept, numbers) <= kLost * glm::length(numbers)) return std::nullopt;
    return fmt::format(
        "`{}` would be ({}, {}, {}): so far from the origin, single precision has no more digits. Move {} "
        "closer to it, or give larger numbers",
        handle.name(), kept.x, kept.y, kept.z, base->name());
}

CommandResult scene_value(Session& session, CommandArgs args) {
    if (probe_of(session.state().settings)) session.parts().frame.update_before_first();
    const std::vector<Handle> handles = session.parts().scenes.handles();
    ArgReader read(args);
    const std::string_view id = read.word("ID");
    const Handle* handle = find_handle(handles, id);
    if (!handle) return session.parts().scenes.no_value(id);
    if (args.size() != 1 + static_cast<std::size_t>(handle->given.parts))
        return fmt::format("{} takes {} {}", handle->name(), handle->given.parts,
                           handle->given.parts == 1 ? "number" : "numbers");
    glm::vec3 numbers(0.0f);
    for (int k = 0; k < handle->given.parts; ++k)
        numbers[k] = static_cast<float>(read.number(handle->name(), -1e6, 1e6));
    if (read.problem()) return read.problem();
    if (CommandResult problem = negative_size(*handle, numbers)) return problem;
    if (CommandResult problem = lost_digits(handles, *handle, numbers)) return problem;
    return put_value(session, id, position_for(handles, *handle, numbers));
}

CommandResult scene_values(Session& session, CommandArgs args) {
    if (probe_of(session.state().settings)) session.parts().frame.update_before_first();
    std::vector<Handle> handles = session.parts().scenes.handles();
    const ParsedValues parsed = parse_values(args[0], handles);
    if (!parsed.problem.empty()) return parsed.problem;
    for (const ValueChange& change : parsed.changes)
        if (CommandResult problem = negative_size(*find_handle(handles, change.id), change.numbers))
            return problem;
    // All are checked before the first is set. A base that an earlier line moves counts at its new position.
    for (const ValueChange& change : parsed.changes) {
        const auto place = std::find_if(handles.begin(), handles.end(),
                                        [&](const Handle& handle) { return handle.id == change.id; });
        if (CommandResult problem = lost_digits(handles, *place, change.numbers)) return problem;
        place->position = position_for(handles, *place, change.numbers);
    }
    for (const ValueChange& change : parsed.changes)
        if (CommandResult problem = put_value(session, change.id, find_handle(handles, change.id)->position))
            return problem;
    return std::nullopt;
}

CommandResult scene_step(Session& session, CommandArgs args) {
    ArgReader read(args);
    const long long by = read.more() ? read.integer("N", -1000, 1000) : 1;
    if (read.problem()) return read.problem();
    return session.parts().stepper.move_by(static_cast<int>(by));
}

CommandResult check_scene(CommandArgs args) {
    const bool known = args[0] == "next" || args[0] == "previous" || find_scene(args[0]);
    return known ? std::nullopt : CommandResult(no_scene(args[0]));
}

constexpr std::array kSceneRows = {
    CommandSpec{
        .id = "scene",
        .usage = "ID|next|previous",
        .help = "Start a scene",
        .category = "Scene",
        .min_args = 1,
        .max_args = 1,
        .run = scene,
        .effect = Effect::Outside,
        .keys = {{"[", "previous", "Previous scene"}, {"]", "next", "Next scene"}},
        .check = check_scene,
        .names = Names::Scene,
        .needs_scene = false,
    },
    CommandSpec{
        .id = "restart",
        .help = "Restart the scene with the same seed",
        .category = "Scene",
        .run = restart,
        .effect = Effect::Outside,
        .keys = {{"R", "", "Restart the scene"}},
    },
    CommandSpec{
        .id = "scene.drag",
        .usage = "ID X Y Z",
        .help = "Move a handle of the scene to a position",
        .category = "Scene",
        .min_args = 4,
        .max_args = 4,
        .run = scene_drag,
        .merges = true,
        .reads_results_for = [](CommandArgs args) { return is_of_probe(args[0]); },
    },
    CommandSpec{
        .id = "scene.value",
        .usage = "ID X [Y Z]",
        .help = "Set a value of the scene, as the panel Values shows it",
        .category = "Scene",
        .min_args = 2,
        .max_args = 4,
        .run = scene_value,
        .merges = true,
        .reads_results = true,
    },
    CommandSpec{
        .id = "scene.values",
        .usage = "TEXT",
        .help = "Set several values: \"A, center = (1, 2, 3); B, center = (0, 1, 0)\"",
        .edit = "Set values",
        .category = "Scene",
        .min_args = 1,
        .max_args = 1,
        .run = scene_values,
        .reads_results = true,
    },
    CommandSpec{
        .id = "scene.step",
        .usage = "[N]",
        .help = "Step through what the scene shows: an algorithm, nodes or levels",
        .category = "Scene",
        .max_args = 1,
        .run = scene_step,
        .effect = Effect::View,
        .moves_step = true,
        .keys = {{"Right", "1", "Next step, node or level; in a game, move right"},
                 {"Left", "-1", "Previous step, node or level; in a game, move left"}},
        .repeats = true,
        .reads_results = true,
    },
};

}  // namespace

std::span<const CommandSpec> scene_commands() {
    return kSceneRows;
}

}  // namespace lab::commands
