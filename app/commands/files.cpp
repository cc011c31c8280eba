// Commands that read and write files.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "commands/tables.hpp"
#include "io/file_kind.hpp"
#include "platform/jobs.hpp"
#include "session/files/link.hpp"
#include "session/parts.hpp"
#include "session/session.hpp"

namespace lab::commands {
namespace {

CommandResult open(Session& session, CommandArgs args) {
    return session.parts().opener.open(args[0]);
}

CommandResult jobs_cancel(Session& session, CommandArgs args) {
    if (args.empty() || args[0] == "all") {
        session.jobs().cancel_all();
        return std::nullopt;
    }
    ArgReader read(args);
    const JobId id{static_cast<std::uint32_t>(read.integer("ID", 1, kMaxId))};
    if (read.problem()) return read.problem();
    if (session.jobs().cancel(id)) return std::nullopt;
    return fmt::format("there is no job {}: it has ended, or never existed", id.value);
}

CommandResult open_packed(Session& session, CommandArgs args) {
    return session.parts().opener.open_packed(args[0]);
}

CommandResult open_link(Session& session, CommandArgs args) {
    std::vector<std::string> lines;
    if (CommandResult problem = read_link(args[0], session.command_table(), lines)) return problem;
    std::vector<std::string>& linked = session.requests().linked;
    linked.insert(linked.end(), lines.begin(), lines.end());
    for (std::string& line : lines)
        session.commands().push(std::move(line), std::string(kLinkOrigin));
    return std::nullopt;
}

CommandResult link_copy(Session& session, CommandArgs) {
    session.requests().link = true;
    return std::nullopt;
}

/// Queues a file to be written after this frame, if its extension is known.
CommandResult request(std::vector<std::string>& files, io::FileKind kind, const std::string& path) {
    if (const auto wrong = io::wrong_ending(kind, path)) return wrong->text();
    files.push_back(path);
    return std::nullopt;
}

CommandResult save(Session& session, CommandArgs args) {
    return request(session.requests().scenes, io::FileKind::Scene, args[0]);
}

CommandResult screenshot(Session& session, CommandArgs args) {
    return request(session.requests().screenshots, io::FileKind::Picture,
                   args.empty() ? "bvlab.png" : args[0]);
}

CommandResult report(Session& session, CommandArgs args) {
    return request(session.requests().reports, io::FileKind::Report, args.empty() ? "bvlab.json" : args[0]);
}

CommandResult write(Session& session, CommandArgs args, TreeFileRequest::What what, io::FileKind kind) {
    if (const auto wrong = io::wrong_ending(kind, args[0])) return wrong->text();
    session.requests().tree_files.push_back({what, args[0], args.size() > 1 ? args[1] : std::string()});
    return std::nullopt;
}

CommandResult save_boxes(Session& session, CommandArgs args) {
    return write(session, args, TreeFileRequest::What::Boxes, io::FileKind::Boxes);
}

CommandResult save_tree(Session& session, CommandArgs args) {
    return write(session, args, TreeFileRequest::What::Snapshot, io::FileKind::Tree);
}

CommandResult export_tree(Session& session, CommandArgs args) {
    return write(session, args, TreeFileRequest::What::Structure, io::FileKind::TreeExport);
}

CommandResult export_metrics(Session& session, CommandArgs args) {
    return write(session, args, TreeFileRequest::What::Metrics, io::FileKind::Metrics);
}

CommandResult save_capture(Session& session, CommandArgs args) {
    constexpr std::string_view kEnding = ".bvcap";
    if (args[0].size() <= kEnding.size() || !args[0].ends_with(kEnding))
        return fmt::format("{}: the name of a capture must end in {}", args[0], kEnding);
    session.requests().captures.push_back(args[0]);
    return std::nullopt;
}

CommandResult show_capture(Session& session, CommandArgs args) {
    ArgReader read(args);
    const long long number = read.integer("N", 1, 1'000'000);
    if (read.problem()) return read.problem();
    return session.parts().live.show(static_cast<std::size_t>(number));
}

CommandResult check_listen(CommandArgs args) {
    return args.empty() || args[0] == "off" ? std::nullopt : LiveCaptures::check(args[0]);
}

CommandResult listen(Session& session, CommandArgs args) {
    if (!args.empty() && args[0] == "off") return session.parts().live.stop();
    return session.parts().live.listen(args.empty() ? std::string_view() : args[0]);
}

CommandResult clip(Session& session, CommandArgs args) {
    ArgReader read(args);
    ClipRequest request;
    request.folder = std::string(read.word("FOLDER"));
    request.frames = static_cast<int>(read.integer("FRAMES", 1, 99999));
    if (read.problem()) return read.problem();
    if (request.folder.empty()) return "the name of a folder is missing";
    if (session.requests().clip)
        return fmt::format("another clip starts in this frame, in {}", session.requests().clip->folder);
    session.requests().clip = std::move(request);
    return std::nullopt;
}

constexpr std::array kFileRows = {
    CommandSpec{
        .id = "open",
        .usage = "FILE",
        .help = "Open a mesh, a voxel model, a list of boxes, a capture, a saved scene, tree or recording",
        .category = "Files",
        .min_args = 1,
        .max_args = 1,
        .run = open,
        .effect = Effect::Outside,
        .needs_scene = false,
        .touches_files = true,
    },
    CommandSpec{
        .id = "link",
        .usage = "LINK",
        .help = "Open a link",
        .category = "Files",
        .min_args = 1,
        .max_args = 1,
        .run = open_link,
        .effect = Effect::Outside,
        .needs_scene = false,
    },
    CommandSpec{
        .id = "link.saved",
        .usage = "TEXT",
        .help = "Open the session stored in a link after `saved=`",
        .category = "Files",
        .min_args = 1,
        .max_args = 1,
        .run = open_packed,
        .effect = Effect::Outside,
        .needs_scene = false,
    },
    CommandSpec{
        .id = "link.copy",
        .help = "Copy a link that reproduces this session as it is now",
        .category = "Files",
        .run = link_copy,
        .effect = Effect::Outside,
        .keys = {{"Ctrl+Shift+L", "", "Copy a link to this session"}},
        .acts_on_window = true,
    },
    CommandSpec{
        .id = "save",
        .usage = "FILE",
        .help = "Save the scene as JSON after this frame; `open` restores it",
        .category = "Files",
        .min_args = 1,
        .max_args = 1,
        .run = save,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "jobs.cancel",
        .usage = "[ID|all]",
        .help = "Cancel a background job, such as reading a file, or all of them",
        .category = "Files",
        .max_args = 1,
        .run = jobs_cancel,
        .effect = Effect::Outside,
        .needs_scene = false,
        .during_replay = true,
        .acts_on_window = true,
    },
    CommandSpec{
        .id = "screenshot",
        .usage = "[FILE]",
        .help = "Save the picture as PNG after this frame",
        .category = "Files",
        .max_args = 1,
        .run = screenshot,
        .effect = Effect::Outside,
        .keys = {{"F12", "", "Save the picture to bvlab.png"}},
        .key_in_browser = KeyBinding{"F9", "", "Save the picture to bvlab.png"},
        .touches_files = true,
    },
    CommandSpec{
        .id = "save.boxes",
        .usage = "FILE.txt|FILE.csv [TREE]",
        .help = "Save the boxes in a tree as a list after this frame; `open` reads it",
        .category = "Files",
        .min_args = 1,
        .max_args = 2,
        .run = save_boxes,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "save.tree",
        .usage = "FILE.bvtree [TREE]",
        .help = "Save a tree, node for node, after this frame; `open` reads it",
        .category = "Files",
        .min_args = 1,
        .max_args = 2,
        .run = save_tree,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "export.tree",
        .usage = "FILE.json|FILE.dot [TREE]",
        .help = "Export a tree's nodes as JSON or for Graphviz after this frame",
        .category = "Files",
        .min_args = 1,
        .max_args = 2,
        .run = export_tree,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "export.metrics",
        .usage = "FILE.csv|FILE.json [TREE]",
        .help = "Export the metrics of all trees, or of one, after this frame",
        .category = "Files",
        .min_args = 1,
        .max_args = 2,
        .run = export_metrics,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "save.capture",
        .usage = "FILE.bvcap",
        .help = "Save the capture opened last, or what an engine has sent so far",
        .category = "Files",
        .min_args = 1,
        .max_args = 1,
        .run = save_capture,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "capture.show",
        .usage = "N",
        .help =
            "Make a capture of this session the newest one, which is shown and saved; see the table Captures",
        .category = "Files",
        .min_args = 1,
        .max_args = 1,
        .run = show_capture,
        .effect = Effect::Outside,
    },
    CommandSpec{
        .id = "listen",
        .usage = "[PORT|ADDRESS:PORT|off]",
        .help = "Receive captures from running engines; from this computer only, unless an address is given",
        .category = "Files",
        .max_args = 1,
        .run = listen,
        .effect = Effect::Outside,
        .check = check_listen,
        .needs_scene = false,
        .touches_files = true,
    },
    CommandSpec{
        .id = "clip",
        .usage = "FOLDER FRAMES",
        .help = "Save the next frames as numbered PNG pictures in a folder, which is created if missing",
        .category = "Files",
        .min_args = 2,
        .max_args = 2,
        .run = clip,
        .effect = Effect::Outside,
        .touches_files = true,
    },
    CommandSpec{
        .id = "report",
        .usage = "[FILE]",
        .help = "Save the report as JSON after this frame",
        .category = "Files",
        .max_args = 1,
        .run = report,
        .effect = Effect::Outside,
        .keys = {{"Shift+F12", "", "Save the report to bvlab.json"}},
        .key_in_browser = KeyBinding{"Shift+F9", "", "Save the report to bvlab.json"},
        .touches_files = true,
    },
};

}  // namespace

std::span<const CommandSpec> file_commands() {
    return kFileRows;
}

}  // namespace lab::commands
