// Commands that move and copy bodies, and that take edits back.
#include <fmt/format.h>

#include <array>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>
#include <vector>

#include "bv/portable_math.hpp"
#include "commands/tables.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "world/world.hpp"

namespace lab::commands {
namespace {

CommandResult move(Session& session, CommandArgs args) {
    ArgReader read(args);
    const bv::BodyId id{static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
    const glm::vec3 position = read.vec3("a coordinate");
    if (read.problem()) return read.problem();
    return session.parts().editor.move(id, position);
}

/// The center of these bodies, about which they turn.
glm::vec3 pivot_of(const Session& session, const std::vector<bv::BodyId>& ids) {
    // One body turns about its own origin: its box changes while it turns, and the body would wander.
    if (ids.size() == 1) return session.state().world.find(ids.front())->position;
    bv::Aabb all;
    for (const bv::BodyId id : ids)
        all = bv::merge(all, session.state().world.find(id)->position);
    return all.center();
}

CommandResult move_by(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 by = read.vec3("a distance");
    if (read.problem()) return read.problem();
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    if (!problem.empty()) return problem;
    return session.parts().editor.transform(ids, {}, glm::quat(1.0f, 0.0f, 0.0f, 0.0f), by);
}

CommandResult turn(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec3 axis = read.vec3("a coordinate of the axis");
    const auto degrees = static_cast<float>(read.number("DEGREES", -36000, 36000));
    if (read.problem()) return read.problem();
    const float length = glm::length(axis);
    if (!(length > 1e-6f)) return "an axis needs a direction other than 0 0 0";
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    if (!problem.empty()) return problem;
    const float half = 0.5f * glm::radians(degrees);
    const glm::quat rotation(bv::cos(half), bv::sin(half) * (axis / length));
    return session.parts().editor.transform(ids, pivot_of(session, ids), rotation, glm::vec3(0.0f));
}

CommandResult copy(Session& session, CommandArgs) {
    return session.parts().editor.copy();
}

CommandResult paste(Session& session, CommandArgs) {
    return session.parts().editor.paste();
}

CommandResult duplicate(Session& session, CommandArgs) {
    SessionState& state = session.parts().state;
    const auto clipboard = state.clipboard;
    const std::uint64_t record = state.clipboard_record;
    const bv::BodyId next = state.world.next_id();
    if (CommandResult problem = session.parts().editor.copy()) return problem;
    CommandResult problem = session.parts().editor.paste();
    if (problem && state.world.next_id() == next) {
        state.clipboard = clipboard;
        state.clipboard_record = record;
    }
    return problem;
}

CommandResult undo(Session& session, CommandArgs) {
    return session.parts().editor.undo();
}

CommandResult redo(Session& session, CommandArgs) {
    return session.parts().editor.redo();
}

CommandResult edit_begin(Session& session, CommandArgs args) {
    constexpr std::size_t kLongest = 60;  // undo, and its row in the menu, show the name
    const std::string name = args.empty() ? std::string() : std::string(args[0]);
    if (name.size() > kLongest)
        return fmt::format("the name of an edit has at most {} bytes, not {}", kLongest, name.size());
    session.state().edits.group(name.empty() ? "Several edits" : name);
    return std::nullopt;
}

CommandResult edit_end(Session& session, CommandArgs) {
    session.state().edits.ungroup();
    return std::nullopt;
}

CommandResult edit_forget(Session& session, CommandArgs) {
    session.state().edits.clear();
    return std::nullopt;
}

constexpr std::array kEditingRows = {
    CommandSpec{
        .id = "move",
        .usage = "ID X Y Z",
        .help = "Move a body to a position",
        .edit = "Move a body",
        .category = "Editing",
        .min_args = 4,
        .max_args = 4,
        .run = move,
        .merges = true,
    },
    CommandSpec{
        .id = "move.by",
        .usage = "DX DY DZ [ID...]",
        .help = "Move bodies, or the selected ones, by a distance in meters",
        .edit = "Move bodies",
        .category = "Editing",
        .min_args = 3,
        .max_args = -1,
        .run = move_by,
    },
    CommandSpec{
        .id = "turn",
        .usage = "AX AY AZ DEGREES [ID...]",
        .help = "Turn bodies, or the selected ones, about an axis through their center",
        .edit = "Turn bodies",
        .category = "Editing",
        .min_args = 4,
        .max_args = -1,
        .run = turn,
    },
    CommandSpec{
        .id = "copy",
        .help = "Copy the selected bodies for `paste`",
        .category = "Editing",
        .run = copy,
        .effect = Effect::View,
        .keys = {{"Ctrl+C", "", "Copy the selected bodies"}},
    },
    CommandSpec{
        .id = "paste",
        .help = "Paste the copied bodies beside the originals",
        .edit = "Paste bodies",
        .category = "Editing",
        .run = paste,
        .keys = {{"Ctrl+V", "", "Paste the copied bodies"}},
    },
    CommandSpec{
        .id = "duplicate",
        .help = "Duplicate the selected bodies",
        .edit = "Duplicate bodies",
        .category = "Editing",
        .run = duplicate,
        .keys = {{"Ctrl+D", "", "Duplicate the selection"}},
    },
    CommandSpec{
        .id = "undo",
        .help = "Undo the last edit",
        .category = "Editing",
        .run = undo,
        .keys = {{"Ctrl+Z", "", "Undo the last edit"}},
        .is_edit = false,
        .reads_results = true,
    },
    CommandSpec{
        .id = "redo",
        .help = "Redo the last undone edit",
        .category = "Editing",
        .run = redo,
        .keys = {{"Ctrl+Shift+Z", "", "Redo"}, {"Ctrl+Y", "", "Redo"}},
        .is_edit = false,
        .reads_results = true,
    },
    CommandSpec{
        .id = "edit.begin",
        .usage = "[NAME]",
        .help = "Group all edits until `edit.end` into one for `undo`",
        .category = "Editing",
        .max_args = 1,
        .run = edit_begin,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "edit.end",
        .help = "End the group that `edit.begin` started",
        .category = "Editing",
        .run = edit_end,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "edit.forget",
        .help = "Forget all edits: what was done so far can no longer be undone",
        .category = "Editing",
        .run = edit_forget,
        .effect = Effect::View,
        .is_edit = false,
    },
};

}  // namespace

std::span<const CommandSpec> editing_commands() {
    return kEditingRows;
}

}  // namespace lab::commands
