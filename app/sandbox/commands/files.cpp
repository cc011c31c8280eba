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

CommandResult clip(Sandbox& sandbox, CommandArgs args) {
    ArgReader read(args);
    ClipRequest request;
    request.folder = std::string(read.word("FOLDER"));
    request.frames = static_cast<int>(read.integer("FRAMES", 1, 99999));
    if (read.problem()) return read.problem();
    sandbox.requests().clip = std::move(request);
    return std::nullopt;
}

constexpr std::array kRows = {
    CommandSpec{"open", "FILE", "Open a mesh, a list of boxes or a recording", "Files", 1, 1, open,
                kBeforeScene},
    CommandSpec{"screenshot", "[FILE]", "Write the picture as PNG after this frame", "Files", 0, 1,
                screenshot},
    CommandSpec{"clip", "FOLDER FRAMES", "Write the pictures of the coming frames as numbered PNG files",
                "Files", 2, 2, clip},
    CommandSpec{"report", "[FILE]", "Write the report as JSON after this frame", "Files", 0, 1, report},
};

}  // namespace

std::span<const CommandSpec> file_commands() {
    return kRows;
}

}  // namespace lab::commands
