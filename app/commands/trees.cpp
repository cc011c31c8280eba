// Commands about the trees.
#include <array>
#include <optional>
#include <string>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"
#include "world/tree_settings.hpp"

namespace lab::commands {
namespace {

/// The argument names a builder, or a way of inserting one body after the other.
CommandResult tree_rebuild(Sandbox& sandbox, CommandArgs args) {
    Settings& settings = sandbox.settings();
    std::string wanted = args.empty() ? settings.choice("tree.builder") : args[0];
    if (wanted == "sah") wanted = "binned";
    if (has_choice("tree.insertion", wanted)) {
        if (auto problem = settings.set("tree.insertion", wanted)) return problem;
        sandbox.rebuild_tree(std::nullopt);
        return std::nullopt;
    }
    if (auto problem = settings.set("tree.builder", wanted)) return problem;
    sandbox.rebuild_tree(chosen_row<bv::Builder>(settings, "tree.builder"));
    return std::nullopt;
}

CommandResult tree_undo(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const auto count = read.more() ? read.integer("N", 1, 1000) : 1;
    return read.problem() ? read.problem() : sandbox.step_operations(-static_cast<int>(count));
}

CommandResult tree_redo(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    const auto count = read.more() ? read.integer("N", 1, 1000) : 1;
    return read.problem() ? read.problem() : sandbox.step_operations(static_cast<int>(count));
}

CommandResult tree_isolate(Sandbox& sandbox, CommandArgs args) {
    const bool isolated = sandbox.selection().isolated.holds();
    const std::string wanted = args.empty() ? "toggle" : args[0];
    if (wanted == "on") return sandbox.isolate_node(true);
    if (wanted == "off") return sandbox.isolate_node(false);
    if (wanted == "toggle") return sandbox.isolate_node(!isolated);
    return "it is `tree.isolate on`, `off` or `toggle`";
}

constexpr std::array kRows = {
    CommandSpec{"tree.isolate", "[on|off|toggle]", "Draw of the tree only what is below the selected node",
                "Tree", 0, 1, tree_isolate},
    CommandSpec{"tree.rebuild",
                "[median|morton|binned|sweep|agglomerative|manhattan|greedy|branch_and_bound]",
                "Build the tree of bodies at once by a builder, or by inserting one body after the other",
                "Tree", 0, 1, tree_rebuild},
    CommandSpec{"tree.undo", "[N]", "Show the scene's tree N operations earlier", "Tree", 0, 1, tree_undo},
    CommandSpec{"tree.redo", "[N]", "Show the scene's tree N operations later", "Tree", 0, 1, tree_redo},
};

}  // namespace

std::span<const CommandSpec> tree_commands() {
    return kRows;
}

}  // namespace lab::commands
