// Commands that add, hide and remove bodies.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "commands/tables.hpp"
#include "results/volume_settings.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "world/world.hpp"
#include "world/world_settings.hpp"

namespace lab::commands {

std::vector<bv::BodyId> bodies_or_selected(const Session& session, ArgReader& read, std::string& problem) {
    std::vector<bv::BodyId> ids;
    while (read.more() && !read.problem()) {
        const bv::BodyId id{static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
        if (!read.problem() && !session.state().world.find(id))
            problem = fmt::format("there is no body {}", id.value);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    if (ids.empty()) ids = session.state().view.selection.bodies;
    if (read.problem()) problem = *read.problem();
    if (ids.empty()) problem = "no body is selected: click on one, or give its number";
    return ids;
}

namespace {

CommandResult spawn(Session& session, CommandArgs args) {
    ArgReader read(args);
    const long long count = read.more() ? read.integer("N", 1, 10000) : session.state().settings[kSpawnCount];
    if (read.problem()) return read.problem();
    const std::string mesh = read.more() ? args[1] : session.state().settings[kSpawnMesh];
    return session.parts().editor.spawn(static_cast<int>(count), mesh);
}

CommandResult spawn_at(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    const long long count = read.more() ? read.integer("N", 1, 10000) : 1;
    if (read.problem()) return read.problem();
    const std::string mesh = read.more() ? args[3] : session.state().settings[kSpawnMesh];
    return session.parts().editor.spawn_at(pixel, static_cast<int>(count), mesh);
}

using BodyAction = CommandResult (*)(Session&, bv::BodyId);
/// Applies `action` to every named body, or to the selected ones if none is named; to none if a name is
/// unknown.
CommandResult on_bodies(Session& session, CommandArgs args, BodyAction action) {
    ArgReader read(args);
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    if (!problem.empty()) return problem;
    for (const bv::BodyId id : ids)
        if (CommandResult refused = action(session, id)) return refused;
    return std::nullopt;
}

CommandResult remove(Session& session, CommandArgs args) {
    // Its key also removes a selected ray.
    if (args.empty() && session.state().view.selection.ray)
        return session.parts().editor.remove_ray(*session.state().view.selection.ray);
    ArgReader read(args);
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    return problem.empty() ? session.parts().editor.remove(ids) : problem;
}

CommandResult clear(Session& session, CommandArgs) {
    session.parts().editor.clear_bodies();
    return std::nullopt;
}

CommandResult hide(Session& session, CommandArgs args) {
    return on_bodies(session, args,
                     [](Session& s, bv::BodyId id) { return s.parts().editor.set_hidden(id, true); });
}

CommandResult show(Session& session, CommandArgs args) {
    if (args.empty() || (args.size() == 1 && args[0] == "all")) {
        session.parts().editor.show_all();
        return std::nullopt;
    }
    return on_bodies(session, args,
                     [](Session& s, bv::BodyId id) { return s.parts().editor.set_hidden(id, false); });
}

CommandResult isolate(Session& session, CommandArgs args) {
    ArgReader read(args);
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    return problem.empty() ? session.parts().editor.isolate(ids) : problem;
}

CommandResult body_set(Session& session, CommandArgs args) {
    const std::string_view assignment = args[0];
    const std::size_t split = assignment.find('=');
    if (split == std::string_view::npos)
        return fmt::format("'{}' should be NAME=VALUE, like {}=exact", assignment, kFitObb.id);
    const std::string_view name = assignment.substr(0, split), value = assignment.substr(split + 1);
    if (value.empty()) return fmt::format("a value is missing: `body.set {}=VALUE`", name);
    ArgReader read(args.subspan(1));
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    if (!problem.empty()) return problem;
    return session.parts().editor.choose(ids, name, value == "all" ? std::string_view() : value);
}

/// The settings that the choice would change if it were made for all bodies; none for `all`.
CommandResult change_for_bodies(Settings& settings, CommandArgs args) {
    return assign(settings, args.first(1));
}

std::string mesh_names(const Session& session) {
    std::string text = "\nmeshes:";
    for (std::string_view name : session.meshes().names())
        text += fmt::format(" {}", quote_word(name));
    return text;
}

constexpr std::array kBodyRows = {
    CommandSpec{
        .id = "spawn",
        .usage = "[N [MESH|any]]",
        .help = "Add N bodies; the spawn settings control size, placement and motion",
        .edit = "Add bodies",
        .category = "Bodies",
        .max_args = 2,
        .run = spawn,
        .keys = {{"N", "", "Spawn bodies"}},
        .details = mesh_names,
    },
    CommandSpec{
        .id = "spawn.at",
        .usage = "X Y [N [MESH|any]]",
        .help = "Add a body, or N bodies, at the point seen at a pixel",
        .edit = "Add a body",
        .category = "Bodies",
        .min_args = 2,
        .max_args = 4,
        .run = spawn_at,
    },
    CommandSpec{
        .id = "remove",
        .usage = "[ID...]",
        .help = "Remove bodies, or the selected ones",
        .edit = "Remove bodies",
        .category = "Bodies",
        .max_args = -1,
        .run = remove,
        .keys = {{"Delete", "", "Remove the selection"}},
    },
    CommandSpec{
        .id = "clear",
        .help = "Remove all bodies",
        .edit = "Remove all bodies",
        .category = "Bodies",
        .run = clear,
    },
    CommandSpec{
        .id = "body.set",
        .usage = "NAME=VALUE [ID...]",
        .help = "Override volume.pair_kind, fit.sphere or fit.obb for bodies, or the selected ones; `all` "
                "removes the override",
        .category = "Bodies",
        .min_args = 1,
        .max_args = -1,
        .run = body_set,
        .change = change_for_bodies,
        .setting = named_setting,
        .per_body = true,
    },
    CommandSpec{
        .id = "hide",
        .usage = "[ID...]",
        .help = "Hide bodies, or the selected ones",
        .edit = "Hide bodies",
        .category = "Bodies",
        .max_args = -1,
        .run = hide,
        .effect = Effect::View,
        .keys = {{"H", "", "Hide the selection"}},
    },
    CommandSpec{
        .id = "show",
        .usage = "[ID...|all]",
        .help = "Show hidden bodies again, or all of them",
        .edit = "Show hidden bodies",
        .category = "Bodies",
        .max_args = -1,
        .run = show,
        .effect = Effect::View,
        .keys = {{"J", "all", "Show everything"}},
    },
    CommandSpec{
        .id = "isolate",
        .usage = "[ID...]",
        .help = "Hide all bodies except these, or except the selected ones",
        .edit = "Hide all other bodies",
        .category = "Bodies",
        .max_args = -1,
        .run = isolate,
        .effect = Effect::View,
        .keys = {{"I", "", "Isolate: hide everything else"}},
    },
};

}  // namespace

std::span<const CommandSpec> body_commands() {
    return kBodyRows;
}

}  // namespace lab::commands
