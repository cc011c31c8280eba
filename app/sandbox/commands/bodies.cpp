// Commands that add, move, hide and remove bodies.
#include <fmt/format.h>

#include <array>

#include "sandbox/commands/tables.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/world.hpp"

namespace lab::commands {
namespace {

CommandResult spawn(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const long long count =
        read.more() ? read.integer("N", 1, 10000) : sandbox.settings().integer("spawn.count");
    if (read.problem()) return read.problem();
    const std::string mesh = read.more() ? args[1] : sandbox.settings().text("spawn.mesh");
    return sandbox.spawn(static_cast<int>(count), mesh);
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

constexpr std::array kRows = {
    CommandSpec{"spawn", "[N [MESH|any]]", "Add N bodies at random places", "Bodies", 0, 2, spawn},
    CommandSpec{"remove", "[ID]", "Remove a body, or the selected one", "Bodies", 0, 1, remove},
    CommandSpec{"clear", "", "Remove all bodies", "Bodies", 0, 0, clear},
    CommandSpec{"move", "ID X Y Z", "Put a body somewhere else", "Bodies", 4, 4, move},
    CommandSpec{"select", "ID|none", "Select a body", "Bodies", 1, 1, select},
    CommandSpec{"hide", "[ID]", "Hide a body, or the selected one", "Bodies", 0, 1, hide},
    CommandSpec{"show", "[ID|all]", "Show a hidden body, or all", "Bodies", 0, 1, show},
    CommandSpec{"isolate", "[ID]", "Hide every other body", "Bodies", 0, 1, isolate},
};

}  // namespace

std::span<const CommandSpec> body_commands() {
    return kRows;
}

}  // namespace lab::commands
