// Commands that read and write files.
#include <fmt/format.h>

#include <array>

#include "commands/tables.hpp"
#include "session/sandbox.hpp"

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

CommandResult save(Sandbox& sandbox, CommandArgs args) {
    if (!io::is_scene_file_name(args[0]))
        return fmt::format("{}: the name of a scene ends in .json", args[0]);
    sandbox.requests().scenes.push_back(args[0]);
    return std::nullopt;
}

CommandResult screenshot(Sandbox& sandbox, CommandArgs args) {
    sandbox.requests().screenshots.push_back(args.empty() ? std::string("bvlab.png") : args[0]);
    return std::nullopt;
}

CommandResult report(Sandbox& sandbox, CommandArgs args) {
    sandbox.requests().reports.push_back(args.empty() ? std::string("bvlab.json") : args[0]);
    return std::nullopt;
}

CommandResult write(Sandbox& sandbox, CommandArgs args, TreeFileRequest::What what) {
    sandbox.requests().tree_files.push_back({what, args[0], args.size() > 1 ? args[1] : std::string()});
    return std::nullopt;
}

CommandResult save_boxes(Sandbox& sandbox, CommandArgs args) {
    return write(sandbox, args, TreeFileRequest::What::Boxes);
}

CommandResult save_tree(Sandbox& sandbox, CommandArgs args) {
    return write(sandbox, args, TreeFileRequest::What::Snapshot);
}

CommandResult export_tree(Sandbox& sandbox, CommandArgs args) {
    return write(sandbox, args, TreeFileRequest::What::Structure);
}

CommandResult export_metrics(Sandbox& sandbox, CommandArgs args) {
    return write(sandbox, args, TreeFileRequest::What::Metrics);
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
    CommandSpec{"open", "FILE",
                "Open a mesh, a voxel model, a list of boxes, a saved scene, tree or recording", "Files", 1,
                1, open, kBeforeScene},
    CommandSpec{"save", "FILE", "Save the scene as JSON after this frame, to be opened again", "Files", 1, 1,
                save},
    CommandSpec{"jobs.cancel", "[ID|all]", "Give up reading a file or building a tree, or all of it", "Files",
                0, 1, jobs_cancel, kBeforeScene},
    CommandSpec{"screenshot", "[FILE]", "Write the picture as PNG after this frame", "Files", 0, 1,
                screenshot},
    CommandSpec{"save.boxes", "FILE.txt|FILE.csv [TREE]",
                "Write the boxes in a tree as a list that can be opened, after this frame", "Files", 1, 2,
                save_boxes},
    CommandSpec{"save.tree", "FILE.bvtree [TREE]",
                "Write a tree as it stands, so that it can be opened, after this frame", "Files", 1, 2,
                save_tree},
    CommandSpec{"export.tree", "FILE.json|FILE.dot [TREE]",
                "Write a tree's nodes as JSON or for Graphviz, after this frame", "Files", 1, 2, export_tree},
    CommandSpec{"export.metrics", "FILE.csv|FILE.json [TREE]",
                "Write the numbers of all trees, or of one, after this frame", "Files", 1, 2, export_metrics},
    CommandSpec{"clip", "FOLDER FRAMES", "Write the pictures of the coming frames as numbered PNG files",
                "Files", 2, 2, clip},
    CommandSpec{"report", "[FILE]", "Write the report as JSON after this frame", "Files", 0, 1, report},
};

}  // namespace

std::span<const CommandSpec> file_commands() {
    return kRows;
}

}  // namespace lab::commands
