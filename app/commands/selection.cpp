// Commands that select bodies, nodes of trees, triangles and rays.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "commands/tables.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"
#include "world/world.hpp"

namespace lab::commands {
namespace {

/// Takes the word `add` or `toggle` if it is there.
SelectMode read_mode(ArgReader& read) {
    if (read.peek() == "add") return (void)read.word("add"), SelectMode::Add;
    if (read.peek() == "toggle") return (void)read.word("toggle"), SelectMode::Toggle;
    return SelectMode::Replace;
}

CommandResult select(Session& session, CommandArgs args) {
    if (args.size() == 1 && (args[0] == "none" || args[0] == "all")) {
        if (args[0] == "none")
            session.parts().selector.select_none();
        else
            session.parts().selector.select_all();
        return std::nullopt;
    }
    ArgReader read(args);
    const SelectMode mode = read_mode(read);
    if (!read.more()) return "the body numbers are missing";
    std::string problem;
    const std::vector<bv::BodyId> ids = bodies_or_selected(session, read, problem);
    if (!problem.empty()) return problem;
    if (mode == SelectMode::Replace) session.parts().selector.select_none();
    for (const bv::BodyId id : ids)
        (void)session.parts().selector.select(id, mode == SelectMode::Toggle ? mode : SelectMode::Add);
    return std::nullopt;
}

CommandResult select_box(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 a = read.vec2("a pixel coordinate");
    const glm::vec2 b = read.vec2("a pixel coordinate");
    const SelectMode mode = read_mode(read);
    if (read.problem()) return read.problem();
    if (read.more()) return fmt::format("'{}' is neither `add` nor `toggle`", read.peek());
    session.parts().selector.select_in_box(a, b, mode);
    return std::nullopt;
}

CommandResult select_node(Session& session, CommandArgs args) {
    if (args.size() == 1) {
        if (args[0] != "none") return "give a tree and a node number, or `none`";
        session.parts().selector.select_none();
        return std::nullopt;
    }
    ArgReader read(args);
    const std::string_view tree = read.word("TREE");
    const auto node = static_cast<std::uint32_t>(read.integer("INDEX", 0, kMaxId));
    if (read.problem()) return read.problem();
    if (!read.more()) return session.parts().selector.select_node(tree, node);
    std::string problem;
    std::vector<bv::BodyId> ids;
    if (args.size() > 3 || args[2] != "none") ids = bodies_or_selected(session, read, problem);
    return problem.empty() ? session.parts().selector.select_node(tree, node, ids) : problem;
}

CommandResult select_parent(Session& session, CommandArgs) {
    return session.parts().selector.select_parent();
}

CommandResult select_ray(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto number = read.integer("N", 0, 1000);
    if (read.problem()) return read.problem();
    return session.parts().selector.select_ray(static_cast<std::uint32_t>(number));
}

CommandResult select_triangle(Session& session, CommandArgs args) {
    ArgReader read(args);
    const auto body = read.integer("ID", 1, kMaxId);
    const auto triangle = read.integer("INDEX", 0, kMaxId);
    if (read.problem()) return read.problem();
    return session.parts().selector.select_triangle({static_cast<std::uint32_t>(body)},
                                                    static_cast<std::uint32_t>(triangle));
}

CommandResult pick(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    const SelectMode mode = read_mode(read);
    if (read.problem()) return read.problem();
    if (read.more()) return fmt::format("'{}' is neither `add` nor `toggle`", read.peek());
    session.parts().selector.pick(pixel, mode);
    return std::nullopt;
}

CommandResult pick_node(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    session.parts().selector.pick_node(pixel);
    return std::nullopt;
}

CommandResult menu(Session& session, CommandArgs args) {
    ArgReader read(args);
    const glm::vec2 pixel = read.vec2("a pixel coordinate");
    if (read.problem()) return read.problem();
    session.requests().menu = pixel;
    return std::nullopt;
}

constexpr std::array kSelectionRows = {
    CommandSpec{
        .id = "select",
        .usage = "[add|toggle] ID...|all|none",
        .help = "Select bodies",
        .category = "Selection",
        .min_args = 1,
        .max_args = -1,
        .run = select,
        .effect = Effect::View,
        .keys = {{"Ctrl+A", "all", "Select all bodies"}},
    },
    CommandSpec{
        .id = "select.box",
        .usage = "X0 Y0 X1 Y1 [add|toggle]",
        .help = "Select the bodies in a rectangle between two pixels",
        .category = "Selection",
        .min_args = 4,
        .max_args = 5,
        .run = select_box,
        .effect = Effect::View,
        .reads_results = true,
    },
    CommandSpec{
        .id = "select.node",
        .usage = "TREE INDEX [ID...|none]|none",
        .help = "Select a node of a tree; the root has index 0. With a leaf: its bodies, or these",
        .category = "Selection",
        .min_args = 1,
        .max_args = -1,
        .run = select_node,
        .effect = Effect::View,
        .reads_results = true,
    },
    CommandSpec{
        .id = "select.parent",
        .help = "Select the parent of the selected node, or the leaf of the selected body",
        .category = "Selection",
        .run = select_parent,
        .effect = Effect::View,
        .keys = {{"PageUp", "", "Select the parent node"}},
        .reads_results = true,
    },
    CommandSpec{
        .id = "select.ray",
        .usage = "N",
        .help = "Select a pinned ray; numbers start at 0",
        .category = "Selection",
        .min_args = 1,
        .max_args = 1,
        .run = select_ray,
        .effect = Effect::View,
        .reads_results = true,
    },
    CommandSpec{
        .id = "select.triangle",
        .usage = "ID INDEX",
        .help = "Select a triangle of a body; numbers start at 0",
        .category = "Selection",
        .min_args = 2,
        .max_args = 2,
        .run = select_triangle,
        .effect = Effect::View,
    },
    CommandSpec{
        .id = "pick",
        .usage = "X Y [add|toggle]",
        .help = "Select what is seen at a pixel; 0 0 is the top left",
        .category = "Selection",
        .min_args = 2,
        .max_args = 3,
        .run = pick,
        .effect = Effect::View,
        .clicks = true,
    },
    CommandSpec{
        .id = "pick.node",
        .usage = "X Y",
        .help = "Select the tree node whose box is seen at a pixel",
        .category = "Selection",
        .min_args = 2,
        .max_args = 2,
        .run = pick_node,
        .effect = Effect::View,
        .reads_results = true,
    },
    CommandSpec{
        .id = "menu",
        .usage = "X Y",
        .help = "Open the context menu of the selection at a pixel",
        .category = "Selection",
        .min_args = 2,
        .max_args = 2,
        .run = menu,
        .effect = Effect::Outside,
    },
};

}  // namespace

std::span<const CommandSpec> selection_commands() {
    return kSelectionRows;
}

}  // namespace lab::commands
