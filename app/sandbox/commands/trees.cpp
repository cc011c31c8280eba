// Commands about the trees.
#include <array>

#include "sandbox/commands/tables.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult tree_rebuild(Sandbox& sandbox, CommandArgs args) {
    if (!args.empty())
        if (auto problem = sandbox.settings().set("tree.insertion", args[0])) return problem;
    sandbox.rebuild_tree();
    return std::nullopt;
}

constexpr std::array kRows = {
    CommandSpec{"tree.rebuild", "[manhattan|greedy|branch_and_bound]", "Insert all bodies into an empty tree",
                "Tree", 0, 1, tree_rebuild},
};

}  // namespace

std::span<const CommandSpec> tree_commands() {
    return kRows;
}

}  // namespace lab::commands
