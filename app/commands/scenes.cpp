// Commands that choose a scene and work in it.
#include <array>

#include "commands/tables.hpp"
#include "session/scene_runner.hpp"
#include "session/session.hpp"
#include "view/probe.hpp"

namespace lab::commands {
namespace {

CommandResult scene(Session& session, CommandArgs args) {
    if (args[0] == "next") return session.scenes().change(+1);
    if (args[0] == "previous") return session.scenes().change(-1);
    return session.scenes().load(args[0]);
}

CommandResult restart(Session& session, CommandArgs) {
    session.scenes().restart();
    return std::nullopt;
}

CommandResult scene_drag(Session& session, CommandArgs args) {
    ArgReader read(args);
    const std::string_view id = read.word("ID");
    const glm::vec3 position = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    if (drag_probe(session.state().settings, session.results(), id, position)) return std::nullopt;
    return session.scenes().drag_handle(id, position);
}

CommandResult scene_step(Session& session, CommandArgs args) {
    ArgReader read(args);
    const long long by = read.more() ? read.integer("N", -1000, 1000) : 1;
    if (read.problem()) return read.problem();
    return session.scenes().step_counter(static_cast<int>(by));
}

CommandResult check_scene(CommandArgs args) {
    const bool known = args[0] == "next" || args[0] == "previous" || find_scene(args[0]);
    return known ? std::nullopt : CommandResult(no_scene(args[0]));
}

constexpr std::array kRows = {
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
        .help = "Start the scene again, with the same seed",
        .category = "Scene",
        .run = restart,
        .effect = Effect::Outside,
        .keys = {{"R", "", "Restart the scene"}},
    },
    CommandSpec{
        .id = "scene.drag",
        .usage = "ID X Y Z",
        .help = "Drag a handle of the scene to a place",
        .category = "Scene",
        .min_args = 4,
        .max_args = 4,
        .run = scene_drag,
    },
    CommandSpec{
        .id = "scene.step",
        .usage = "[N]",
        .help = "Step what the scene shows step by step: nodes, levels",
        .category = "Scene",
        .max_args = 1,
        .run = scene_step,
        .effect = Effect::View,
        .keys = {{"Right", "1", "Next node or level; in a game, to the right"},
                 {"Left", "-1", "The node or level before; in a game, to the left"}},
        .repeats = true,
        .reads_results = true,
    },
};

}  // namespace

std::span<const CommandSpec> scene_commands() {
    return kRows;
}

}  // namespace lab::commands
