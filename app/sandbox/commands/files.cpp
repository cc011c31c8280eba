// Commands that read and write files.
#include <array>

#include "sandbox/commands/tables.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::commands {
namespace {

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

constexpr std::array kRows = {
    CommandSpec{"open", "FILE", "Open a mesh or a list of boxes", "Files", 1, 1, open, kBeforeScene},
    CommandSpec{"screenshot", "[FILE]", "Write the picture as PNG after this frame", "Files", 0, 1,
                screenshot},
    CommandSpec{"report", "[FILE]", "Write the report as JSON after this frame", "Files", 0, 1, report},
};

}  // namespace

std::span<const CommandSpec> file_commands() {
    return kRows;
}

}  // namespace lab::commands
