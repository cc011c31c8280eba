// Commands about the trees.
#include <array>
#include <optional>
#include <string>

#include "sandbox/commands/tables.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/tree_settings.hpp"

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

constexpr std::array kRows = {
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
