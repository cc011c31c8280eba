// The commands, and the keys that push them. A handler reads its words and calls one function of the sandbox.
#include <fmt/format.h>

#include <array>
#include <glm/trigonometric.hpp>

#include "sandbox/command_args.hpp"
#include "sandbox/commands.hpp"
#include "sandbox/picking.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/suggest.hpp"
#include "sandbox/world.hpp"

namespace lab {
namespace {

constexpr long long kMaxId = 0xfffffffe;

// ---- settings

struct Assignment {
    std::string name;
    std::optional<std::string> value;
};

/// `a.b=c`, `a.b c` and `a.b = c` all mean the same.
Assignment assignment(CommandArgs args) {
    std::string joined;
    for (const std::string& word : args)
        joined += (joined.empty() ? "" : " ") + word;
    const std::size_t split = joined.find_first_of("= ");
    if (split == std::string::npos) return {joined, std::nullopt};
    std::size_t value = joined.find_first_not_of(' ', split);
    if (value != std::string::npos && joined[value] == '=') value = joined.find_first_not_of(' ', value + 1);
    return {joined.substr(0, split), value == std::string::npos ? "" : joined.substr(value)};
}

CommandResult set_in(Settings& settings, CommandArgs args) {
    const Assignment a = assignment(args);
    if (a.value) return settings.set(a.name, *a.value);
    return fmt::format("a value is missing: `set {}=VALUE`", a.name);
}

CommandResult set(Sandbox& sandbox, CommandArgs args) {
    return set_in(sandbox.settings(), args);
}

CommandResult toggle(Sandbox& sandbox, CommandArgs args) {
    return sandbox.settings().toggle(args[0]);
}

CommandResult reset(Sandbox& sandbox, CommandArgs args) {
    if (args[0] != "all") return sandbox.settings().reset(args[0]);
    sandbox.settings().reset_all();
    return std::nullopt;
}

// ---- scenes and time

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

// ---- bodies

CommandResult spawn(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const long long count =
        read.more() ? read.integer("N", 1, 10000) : sandbox.settings().integer("spawn.count");
    if (read.problem()) return read.problem();
    const std::string mesh = read.more() ? args[1] : sandbox.settings().text("spawn.mesh");
    return sandbox.spawn(static_cast<int>(count), mesh);
}

/// The body that the next word names, or the selected one when there is no more word.
bv::BodyId body_or_selected(Sandbox& sandbox, ArgReader& read) {
    if (read.more()) return {static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
    return sandbox.selected();
}

using BodyAction = CommandResult (*)(Sandbox&, bv::BodyId);
CommandResult on_body(Sandbox& sandbox, CommandArgs args, BodyAction action) {
    ArgReader read(args);
    const bv::BodyId id = body_or_selected(sandbox, read);
    if (read.problem()) return read.problem();
    if (!id.valid()) return "no body is selected: click on one, or give its number";
    return action(sandbox, id);
}

CommandResult remove(Sandbox& sandbox, CommandArgs args) {
    return on_body(sandbox, args, [](Sandbox& s, bv::BodyId id) { return s.remove(id); });
}

CommandResult clear(Sandbox& sandbox, CommandArgs) {
    sandbox.clear_bodies();
    return std::nullopt;
}

CommandResult move(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const bv::BodyId id{static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
    const glm::vec3 position = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    if (sandbox.world().move(id, position)) return std::nullopt;
    return fmt::format("there is no body {} that could go there", id.value);
}

CommandResult select(Sandbox& sandbox, CommandArgs args) {
    if (args[0] == "none") return sandbox.select({});
    ArgReader read(args);
    const bv::BodyId id{static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
    return read.problem() ? read.problem() : sandbox.select(id);
}

CommandResult hide(Sandbox& sandbox, CommandArgs args) {
    return on_body(sandbox, args, [](Sandbox& s, bv::BodyId id) { return s.set_hidden(id, true); });
}

CommandResult show(Sandbox& sandbox, CommandArgs args) {
    if (!args.empty() && args[0] != "all")
        return on_body(sandbox, args, [](Sandbox& s, bv::BodyId id) { return s.set_hidden(id, false); });
    sandbox.show_all();
    return std::nullopt;
}

CommandResult isolate(Sandbox& sandbox, CommandArgs args) {
    return on_body(sandbox, args, [](Sandbox& s, bv::BodyId id) { return s.isolate(id); });
}

// ---- queries

CommandResult pick(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    sandbox.pick(pixel);
    return std::nullopt;
}

CommandResult hover(Sandbox& sandbox, CommandArgs args) {
    if (args[0] == "none") {
        sandbox.set_hover(std::nullopt);
        return std::nullopt;
    }
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    sandbox.set_hover(pixel);
    return std::nullopt;
}

CommandResult ray_pin(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    bv::Ray ray;
    if (args.size() == 2) {
        ray = sandbox.ray_through(read.vec2("a pixel coordinate"));
    } else {
        ray.origin = read.vec3("a coordinate of the origin");
        ray.direction = read.vec3("a coordinate of the direction");
    }
    if (read.problem()) return read.problem();
    if (ray.direction == glm::vec3(0.0f)) return "a ray needs a direction other than 0 0 0";
    return sandbox.pin_ray(ray);
}

CommandResult ray_clear(Sandbox& sandbox, CommandArgs) {
    sandbox.clear_pinned_rays();
    return std::nullopt;
}

CommandResult tree_rebuild(Sandbox& sandbox, CommandArgs args) {
    if (!args.empty())
        if (auto problem = sandbox.settings().set("tree.insertion", args[0])) return problem;
    sandbox.rebuild_tree();
    return std::nullopt;
}

// ---- camera

CommandResult camera_orbit(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 turn = glm::radians(read.vec2("an angle"));
    if (read.problem()) return read.problem();
    sandbox.camera().orbit(turn.x, turn.y);
    return std::nullopt;
}

CommandResult camera_look(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 angles = glm::radians(read.vec2("an angle"));
    const double distance = read.more() ? read.number("DISTANCE", 1e-3, 1e6) : sandbox.camera().distance;
    if (read.problem()) return read.problem();
    Camera& camera = sandbox.camera();
    camera.yaw_rad = camera.pitch_rad = 0.0f;
    camera.orbit(angles.x, angles.y);
    camera.distance = static_cast<float>(distance);
    return std::nullopt;
}

CommandResult camera_target(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 target = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    sandbox.camera().target = target;
    sandbox.camera().fly({});  // into the range that stays precise
    return std::nullopt;
}

CommandResult camera_pan(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 delta = read.vec2("a distance in pixels");
    if (read.problem()) return read.problem();
    sandbox.camera().pan(delta, sandbox.view_size_px());
    return std::nullopt;
}

CommandResult camera_zoom(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const double factor = read.number("FACTOR", 1e-3, 1e3);
    if (read.problem()) return read.problem();
    sandbox.camera().zoom(static_cast<float>(factor));
    return std::nullopt;
}

CommandResult camera_fly(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 way = read.vec3("a distance");
    if (read.problem()) return read.problem();
    sandbox.camera().fly(way);
    return std::nullopt;
}

CommandResult camera_frame(Sandbox& sandbox, CommandArgs args) {
    if (!args.empty() && args[0] == "all") {
        sandbox.frame_camera(sandbox.world().bounds());
        return std::nullopt;
    }
    ArgReader read(args);
    const bv::BodyId id = body_or_selected(sandbox, read);
    if (read.problem()) return read.problem();
    if (!id.valid()) {
        sandbox.frame_camera(sandbox.world().bounds());
        return std::nullopt;
    }
    const Body* body = sandbox.world().find(id);
    if (!body) return fmt::format("there is no body {}", id.value);
    sandbox.frame_camera(body->state.aabb_fixed);
    return std::nullopt;
}

CommandResult camera_center(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    const RayQuery seen = cast_ray(sandbox.world(), RayQuery::Kind::Pick, sandbox.ray_through(pixel));
    if (!seen.hit) return std::nullopt;  // a double-click on nothing leaves the center where it is
    sandbox.camera().distance =
        std::max(glm::dot(seen.point - sandbox.camera().eye(), sandbox.camera().forward()), 1e-3f);
    sandbox.camera().target = seen.point;
    return std::nullopt;
}

CommandResult camera_reset(Sandbox& sandbox, CommandArgs) {
    sandbox.reset_camera();
    return std::nullopt;
}

CommandResult view_size(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const auto width = read.integer("WIDTH", 1, 65536);
    const auto height = read.integer("HEIGHT", 1, 65536);
    ViewRect view;
    view.size_px = {static_cast<float>(width), static_cast<float>(height)};
    if (read.more()) view.min_px = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    sandbox.set_view(view);
    return std::nullopt;
}

// ---- files and the program

CommandResult open(Sandbox& sandbox, CommandArgs args) {
    return sandbox.open(args[0]);
}

CommandResult screenshot(Sandbox& sandbox, CommandArgs args) {
    sandbox.requests().screenshots.push_back(args.empty() ? std::string("bvlab.png") : args[0]);
    return std::nullopt;
}

CommandResult report(Sandbox& sandbox, CommandArgs args) {
    sandbox.requests().reports.push_back(args.empty() ? std::string("bvlab.json") : args[0]);
    return std::nullopt;
}

CommandResult back(Sandbox& sandbox, CommandArgs) {
    if (sandbox.settings().flag("ui.help")) return sandbox.settings().set("ui.help", "false");
    if (sandbox.selected().valid()) return sandbox.select({});
    if (!sandbox.show_all()) sandbox.clear_pinned_rays();
    return std::nullopt;
}

CommandResult no_command(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const CommandSpec& known : command_specs())
        ids.push_back(known.id);
    const std::string hint = did_you_mean(id, ids);
    return fmt::format("there is no command '{}'{}", id,
                       hint.empty() ? "; --list-commands shows them all" : hint);
}

CommandResult help(Sandbox& sandbox, CommandArgs args) {
    if (args.empty()) return sandbox.settings().set("ui.help", "true");
    const CommandSpec* spec = find_command(args[0]);
    if (!spec) return no_command(args[0]);
    std::string text = fmt::format("{} {}: {}", spec->id, spec->usage, spec->help);
    if (spec->id == "spawn") {
        text += "\nmeshes:";
        for (std::string_view name : sandbox.meshes().names())
            text += fmt::format(" {}", quote_word(name));
    }
    sandbox.log().info(std::move(text));
    return std::nullopt;
}

CommandResult palette(Sandbox& sandbox, CommandArgs args) {
    sandbox.requests().palette = args.empty() ? std::string() : args[0];
    return std::nullopt;
}

CommandResult quit(Sandbox& sandbox, CommandArgs) {
    sandbox.requests().quit = true;
    return std::nullopt;
}

constexpr bool kBeforeScene = false;

constexpr std::array kCommands = {
    CommandSpec{"scene", "ID|next|previous", "Start a scene", "Scene", 1, 1, scene, kBeforeScene},
    CommandSpec{"restart", "", "Start the scene again, with the same seed", "Scene", 0, 0, restart},
    CommandSpec{"scene.drag", "ID X Y Z", "Drag a handle of the scene to a place", "Scene", 4, 4, scene_drag},

    CommandSpec{"pause", "[on|off|toggle]", "Stop time, or let it go on", "Time", 0, 1, pause},
    CommandSpec{"step", "[N]", "Stop time and advance it by N fixed steps", "Time", 0, 1, step},
    CommandSpec{"speed", "FACTOR", "Simulated seconds per second", "Time", 1, 1, speed},

    CommandSpec{"spawn", "[N [MESH|any]]", "Add N bodies at random places", "Bodies", 0, 2, spawn},
    CommandSpec{"remove", "[ID]", "Remove a body, or the selected one", "Bodies", 0, 1, remove},
    CommandSpec{"clear", "", "Remove all bodies", "Bodies", 0, 0, clear},
    CommandSpec{"move", "ID X Y Z", "Put a body somewhere else", "Bodies", 4, 4, move},
    CommandSpec{"select", "ID|none", "Select a body", "Bodies", 1, 1, select},
    CommandSpec{"hide", "[ID]", "Hide a body, or the selected one", "Bodies", 0, 1, hide},
    CommandSpec{"show", "[ID|all]", "Show a hidden body, or all", "Bodies", 0, 1, show},
    CommandSpec{"isolate", "[ID]", "Hide every other body", "Bodies", 0, 1, isolate},

    CommandSpec{"pick", "X Y", "Select what is seen at a pixel, counted from the top left", "Query", 2, 2,
                pick},
    CommandSpec{"hover", "X Y|none", "Let the ray follow a pixel, as the mouse does", "Query", 1, 2, hover},
    CommandSpec{"ray.pin", "X Y|OX OY OZ DX DY DZ",
                "Keep a ray in the scene: through a pixel, or from O along D", "Query", 2, 6, ray_pin},
    CommandSpec{"ray.clear", "", "Remove the pinned rays", "Query", 0, 0, ray_clear},
    CommandSpec{"tree.rebuild", "[manhattan|greedy|branch_and_bound]", "Insert all bodies into an empty tree",
                "Tree", 0, 1, tree_rebuild},

    CommandSpec{"camera.orbit", "YAW PITCH", "Turn about the orbit center, in degrees", "View", 2, 2,
                camera_orbit},
    CommandSpec{"camera.pan", "DX DY", "Move what is seen by pixels", "View", 2, 2, camera_pan},
    CommandSpec{"camera.zoom", "FACTOR", "Multiply the distance to the orbit center", "View", 1, 1,
                camera_zoom},
    CommandSpec{"camera.fly", "RIGHT UP FORWARD", "Move the camera, in metres", "View", 3, 3, camera_fly},
    CommandSpec{"camera.frame", "[all|ID]", "Fit the selected body, a body or everything into the picture",
                "View", 0, 1, camera_frame},
    CommandSpec{"camera.center", "X Y", "Make what is seen at a pixel the orbit center", "View", 2, 2,
                camera_center},
    CommandSpec{"camera.look", "YAW PITCH [DISTANCE]", "Set the camera's angles, in degrees", "View", 2, 3,
                camera_look},
    CommandSpec{"camera.target", "X Y Z", "Set the orbit center", "View", 3, 3, camera_target},
    CommandSpec{"camera.reset", "", "Back to the scene's own view", "View", 0, 0, camera_reset},
    CommandSpec{"view.size", "WIDTH HEIGHT [X Y]",
                "Say where in the window the scene is seen, for pick and hover", "View", 2, 4, view_size,
                kBeforeScene},

    CommandSpec{"set", "NAME=VALUE", "Change a setting", "Settings", 1, -1, set, kBeforeScene},
    CommandSpec{"toggle", "NAME", "Turn a setting on or off, or on to its next choice", "Settings", 1, 1,
                toggle, kBeforeScene},
    CommandSpec{"reset", "NAME|all", "Set a setting back to its default", "Settings", 1, 1, reset,
                kBeforeScene},

    CommandSpec{"open", "FILE", "Open a mesh or a list of boxes", "Files", 1, 1, open, kBeforeScene},
    CommandSpec{"screenshot", "[FILE]", "Write the picture as PNG after this frame", "Files", 0, 1,
                screenshot},
    CommandSpec{"report", "[FILE]", "Write the report as JSON after this frame", "Files", 0, 1, report},

    CommandSpec{"help", "[COMMAND]", "Show all keys, or how a command is used", "Program", 0, 1, help,
                kBeforeScene},
    CommandSpec{"palette", "[TEXT]", "Search commands, settings and scenes", "Program", 0, 1, palette},
    CommandSpec{"back", "", "Close the help, else deselect, else show all, else remove pinned rays",
                "Program", 0, 0, back},
    CommandSpec{"quit", "", "End the program", "Program", 0, 0, quit, kBeforeScene},
};

constexpr std::array kShortcuts = {
    Shortcut{"Space", "pause", "Pause or go on"},
    Shortcut{"P", "pause", "Pause or go on"},
    Shortcut{".", "step", "One step"},
    Shortcut{"Shift+.", "step 10", "Ten steps"},
    Shortcut{"R", "restart", "Restart the scene"},
    Shortcut{"[", "scene previous", "Previous scene"},
    Shortcut{"]", "scene next", "Next scene"},
    Shortcut{"N", "spawn", "Spawn bodies"},
    Shortcut{"Delete", "remove", "Remove the selected body"},
    Shortcut{"F", "camera.frame", "Frame the selection, or everything"},
    Shortcut{"Home", "camera.reset", "The scene's own view"},
    Shortcut{"H", "hide", "Hide the selected body"},
    Shortcut{"I", "isolate", "Hide everything else"},
    Shortcut{"J", "show all", "Show everything"},
    Shortcut{"1", "toggle draw.sphere", "Spheres"},
    Shortcut{"2", "toggle draw.aabb_fixed", "Fixed AABBs"},
    Shortcut{"3", "toggle draw.aabb_tight", "Tight AABBs"},
    Shortcut{"4", "toggle draw.obb", "OBBs"},
    Shortcut{"M", "toggle draw.mesh", "Meshes"},
    Shortcut{"T", "toggle draw.tree", "Tree nodes"},
    Shortcut{"C", "toggle draw.contacts", "Overlapping pairs"},
    Shortcut{"V", "toggle draw.volumes_on", "Which bodies show their volumes"},
    Shortcut{"L", "toggle draw.labels", "Names of bodies"},
    Shortcut{"G", "toggle draw.grid", "Grid"},
    Shortcut{"Ctrl+P", "palette", "Search commands, settings and scenes"},
    Shortcut{"Ctrl+O", "palette \"scene \"", "Search scenes"},
    Shortcut{"Tab", "toggle ui.panels", "Panels"},
    Shortcut{"F1", "toggle ui.help", "This list"},
    Shortcut{"?", "toggle ui.help", "This list"},
    Shortcut{"F12", "screenshot", "Write the picture to bvlab.png"},
    Shortcut{"Esc", "back", "One layer back: help, selection, hidden bodies"},
    Shortcut{"Ctrl+Q", "quit", "End the program"},
};

constexpr std::array kGestures = {
    MouseGesture{"Left drag", "Orbit"},
    MouseGesture{"Right drag", "Pan"},
    MouseGesture{"Middle drag", "Pan"},
    MouseGesture{"Wheel", "Zoom"},
    MouseGesture{"Click", "Select"},
    MouseGesture{"Double-click", "Make this point the orbit center"},
    MouseGesture{"Ctrl + left drag", "Move a body"},
    MouseGesture{"Right button + W A S D Q E", "Fly; Shift is faster"},
    MouseGesture{"Drop a file", "Open it"},
};

}  // namespace

std::span<const CommandSpec> command_specs() {
    return kCommands;
}

const CommandSpec* find_command(std::string_view id) {
    for (const CommandSpec& spec : kCommands)
        if (spec.id == id) return &spec;
    return nullptr;
}

CommandResult check_command(std::string_view line) {
    std::string error;
    const auto words = split_words(line, error);
    if (!words) return fmt::format("`{}`: {}", line, error);
    if (words->empty()) return std::nullopt;
    const CommandSpec* spec = find_command(words->front());
    if (!spec) return no_command(words->front());
    const CommandArgs args = CommandArgs(*words).subspan(1);
    const int count = static_cast<int>(args.size());
    if (count < spec->min_args || (spec->max_args >= 0 && count > spec->max_args))
        return fmt::format("`{}`: it is used as `{} {}`", line, spec->id, spec->usage);

    Settings scratch;  // names and ranges can be told without a session
    CommandResult problem;
    if (spec->id == "set") problem = set_in(scratch, args);
    if (spec->id == "toggle") problem = scratch.toggle(args[0]);
    if (spec->id == "reset" && args[0] != "all") problem = scratch.reset(args[0]);
    if (spec->id == "scene" && args[0] != "next" && args[0] != "previous" && !find_scene(args[0]))
        problem = no_scene(args[0]);
    return problem ? fmt::format("`{}`: {}", line, *problem) : problem;
}

std::span<const Shortcut> shortcuts() {
    return kShortcuts;
}
std::span<const MouseGesture> mouse_gestures() {
    return kGestures;
}

}  // namespace lab
