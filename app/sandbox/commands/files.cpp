// Commands that read and write files.
#include <fmt/format.h>

#include <array>

#include "sandbox/commands/tables.hpp"
#include "sandbox/sandbox.hpp"

namespace lab::commands {
namespace {

CommandResult open(Sandbox& sandbox, CommandArgs args) {
    return sandbox.open(args[0]);
}

CommandResult jobs_cancel(Sandbox& sandbox, CommandArgs args) {
    if (args.empty() || args[0] == "all") {
        sandbox.jobs().cancel_all();
        return std::nullopt;
    }
    ArgReader read(args);
    const JobId id{static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
    if (read.problem()) return read.problem();
    if (sandbox.jobs().cancel(id)) return std::nullopt;
    return fmt::format("job {} has ended already, or never was", id.value);
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
    CommandSpec{"jobs.cancel", "[ID|all]", "Give up reading a file or building a tree, or all of it", "Files",
                0, 1, jobs_cancel, kBeforeScene},
    CommandSpec{"screenshot", "[FILE]", "Write the picture as PNG after this frame", "Files", 0, 1,
                screenshot},
    CommandSpec{"report", "[FILE]", "Write the report as JSON after this frame", "Files", 0, 1, report},
};

}  // namespace

std::span<const CommandSpec> file_commands() {
    return kRows;
}

}  // namespace lab::commands
