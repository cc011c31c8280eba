// Commands that choose a scene and let its time pass.
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

CommandResult invaders_left(Session& session, CommandArgs) {
    return session.scenes().play("left");
}
CommandResult invaders_right(Session& session, CommandArgs) {
    return session.scenes().play("right");
}
CommandResult invaders_fire(Session& session, CommandArgs) {
    return session.scenes().play("fire");
}
CommandResult cut(Session& session, CommandArgs) {
    return session.scenes().play("cut");
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

CommandResult pause(Settings& settings, CommandArgs args) {
    if (args.empty() || args[0] == "toggle") return settings.toggle("sim.paused");
    return settings.set("sim.paused", args[0]);
}
std::string_view paused_setting(CommandArgs) {
    return "sim.paused";
}

CommandResult step(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto count = read.more() ? read.integer("N", 1, 10000) : 1;
    if (read.problem()) return read.problem();
    // Steps would be lost in the flow of time.
    if (auto problem = session.state().settings.set("sim.paused", "true")) return problem;
    session.state().clock.queue(static_cast<int>(count));
    return std::nullopt;
}

CommandResult speed(Settings& settings, CommandArgs args) {
    return settings.set("sim.speed", args[0]);
}
std::string_view speed_setting(CommandArgs) {
    return "sim.speed";
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
        .id = "invaders.left",
        .help = "Scene voxel-invaders: move the ship to the left",
        .category = "Scene",
        .run = invaders_left,
        .repeats = true,
    },
    CommandSpec{
        .id = "invaders.right",
        .help = "Scene voxel-invaders: move the ship to the right",
        .category = "Scene",
        .run = invaders_right,
        .repeats = true,
    },
    CommandSpec{
        .id = "invaders.fire",
        .help = "Scene voxel-invaders: fire",
        .category = "Scene",
        .run = invaders_fire,
        .keys = {{"Up", "", "Voxel invaders: fire"}},
        .repeats = true,
    },
    CommandSpec{
        .id = "cut",
        .help = "Scene mesh-cut: cut along the plane",
        .category = "Scene",
        .run = cut,
        .keys = {{"K", "", "Mesh cut: cut along the plane"}},
    },
    CommandSpec{
        .id = "scene.step",
        .usage = "[N]",
        .help = "Step what the scene shows step by step: nodes, levels",
        .category = "Scene",
        .max_args = 1,
        .run = scene_step,
        .effect = Effect::View,
        .keys = {{"Right", "1", "Next node or level; in voxel-invaders the ship goes right"},
                 {"Left", "-1", "The node or level before; in voxel-invaders the ship goes left"}},
        .repeats = true,
        .reads_results = true,
    },

    CommandSpec{
        .id = "pause",
        .usage = "[on|off|toggle]",
        .help = "Stop time, or let it go on",
        .category = "Time",
        .max_args = 1,
        .change = pause,
        .effect = Effect::Outside,
        .keys = {{"Space", "", "Pause or go on"}, {"P", "", "Pause or go on"}},
        .setting = paused_setting,
    },
    CommandSpec{
        .id = "step",
        .usage = "[N]",
        .help = "Stop time and advance it by N fixed steps",
        .category = "Time",
        .max_args = 1,
        .run = step,
        .effect = Effect::Outside,
        .keys = {{".", "", "One step"}, {"Shift+.", "10", "Ten steps"}},
        .repeats = true,
    },
    CommandSpec{
        .id = "speed",
        .usage = "FACTOR",
        .help = "Simulated seconds per second",
        .category = "Time",
        .min_args = 1,
        .max_args = 1,
        .change = speed,
        .effect = Effect::Outside,
        .setting = speed_setting,
    },
};

}  // namespace

std::span<const CommandSpec> scene_commands() {
    return kRows;
}

}  // namespace lab::commands
