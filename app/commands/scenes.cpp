// Commands that choose a scene and let its time pass.
#include <array>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult scene(Sandbox& sandbox, CommandArgs args) {
    if (args[0] == "next") return sandbox.change_scene(+1);
    if (args[0] == "previous") return sandbox.change_scene(-1);
    return sandbox.load_scene(args[0]);
}

CommandResult restart(Sandbox& sandbox, CommandArgs) {
    sandbox.restart_scene();
    return std::nullopt;
}

CommandResult scene_drag(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const std::string_view id = read.word("ID");
    const glm::vec3 position = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    return sandbox.drag_handle(id, position);
}

CommandResult invaders_left(Sandbox& sandbox, CommandArgs) {
    return sandbox.play("left");
}
CommandResult invaders_right(Sandbox& sandbox, CommandArgs) {
    return sandbox.play("right");
}
CommandResult invaders_fire(Sandbox& sandbox, CommandArgs) {
    return sandbox.play("fire");
}
CommandResult cut(Sandbox& sandbox, CommandArgs) {
    return sandbox.play("cut");
}

CommandResult scene_step(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const long long by = read.more() ? read.integer("N", -1000, 1000) : 1;
    if (read.problem()) return read.problem();
    return sandbox.step_scene(static_cast<int>(by));
}

CommandResult pause(Sandbox& sandbox, CommandArgs args) {
    if (args.empty() || args[0] == "toggle") return sandbox.settings().toggle("sim.paused");
    return sandbox.settings().set("sim.paused", args[0]);
}

CommandResult step(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const auto count = read.more() ? read.integer("N", 1, 10000) : 1;
    if (read.problem()) return read.problem();
    // Steps would be lost in the flow of time.
    if (auto problem = sandbox.settings().set("sim.paused", "true")) return problem;
    sandbox.queue_steps(static_cast<int>(count));
    return std::nullopt;
}

CommandResult speed(Sandbox& sandbox, CommandArgs args) {
    return sandbox.settings().set("sim.speed", args[0]);
}

constexpr std::array kRows = {
    CommandSpec{"scene", "ID|next|previous", "Start a scene", "Scene", 1, 1, scene, kBeforeScene},
    CommandSpec{"restart", "", "Start the scene again, with the same seed", "Scene", 0, 0, restart},
    CommandSpec{"scene.drag", "ID X Y Z", "Drag a handle of the scene to a place", "Scene", 4, 4, scene_drag},
    CommandSpec{"invaders.left", "", "Scene voxel-invaders: move the ship to the left", "Scene", 0, 0,
                invaders_left},
    CommandSpec{"invaders.right", "", "Scene voxel-invaders: move the ship to the right", "Scene", 0, 0,
                invaders_right},
    CommandSpec{"invaders.fire", "", "Scene voxel-invaders: fire", "Scene", 0, 0, invaders_fire},
    CommandSpec{"cut", "", "Scene mesh-cut: cut along the plane", "Scene", 0, 0, cut},
    CommandSpec{"scene.step", "[N]", "Step what the scene shows step by step: nodes, levels", "Scene", 0, 1,
                scene_step},

    CommandSpec{"pause", "[on|off|toggle]", "Stop time, or let it go on", "Time", 0, 1, pause},
    CommandSpec{"step", "[N]", "Stop time and advance it by N fixed steps", "Time", 0, 1, step},
    CommandSpec{"speed", "FACTOR", "Simulated seconds per second", "Time", 1, 1, speed},
};

}  // namespace

std::span<const CommandSpec> scene_commands() {
    return kRows;
}

}  // namespace lab::commands
