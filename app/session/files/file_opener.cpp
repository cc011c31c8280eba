#include "session/files/file_opener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/file_kind.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "io/trees/box_list.hpp"
#include "io/trees/tree_file.hpp"
#include "io/voxels/voxel_file.hpp"
#include "session/commands/refusal.hpp"
#include "session/files/opening.hpp"
#include "session/parts.hpp"
#include "world/voxels/voxel_model.hpp"

namespace lab {
namespace {

/// Keeps entries of a list unique: a file opened again moves to its end.
template <class Opened>
void forget_file(std::vector<Opened>& opened, const std::string& path) {
    std::erase_if(opened, [&](const Opened& file) { return io::is_same_place(file.source, path); });
}

std::uint64_t size_of(const std::string& path) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    return code ? 0 : size;  // reading reports the error
}

CommandResult unknown_format(const std::string& path) {
    std::error_code code;
    if (path.empty()) return "the name of a file is missing";
    if (std::filesystem::is_directory(path, code))
        return fmt::format("{}: is a folder: give the name of a file in it", path);
    if (!std::filesystem::exists(path, code)) return fmt::format("{}: there is no such file", path);
    std::string names;
    for (const io::FileKindRow& row : io::file_kinds())
        if (row.opens)
            names += fmt::format("{} of {}{} in {}", names.empty() ? "Names" : ",", row.plural,
                                 names.empty() ? " end" : "", io::endings_of(row.kind));
    return fmt::format("{}: this kind of file cannot be opened. {}", path, names);
}

}  // namespace

FileOpener::FileOpener(SessionParts& parts) : parts_(parts), state_(parts.state) {}

bool FileOpener::is_opening() const {
    return parts_.jobs.is_running(opening_);
}

CommandResult FileOpener::open(const std::string& path) {
    CommandResult problem;
    const io::FileKind kind = io::kind_to_open(path);
    if (needed_ && (kind == io::FileKind::Scene || kind == io::FileKind::Recording))
        return fmt::format("{}: {}", path, io::kNotNeededWhy);
    switch (kind) {
        case io::FileKind::Mesh:
            problem = open_mesh(path);
            break;
        case io::FileKind::Boxes:
            problem = open_boxes(path);
            break;
        case io::FileKind::Recording:
            problem = open_recording(path);
            break;
        case io::FileKind::Scene:
            problem = open_scene(path);
            break;
        case io::FileKind::Tree:
            problem = open_tree(path);
            break;
        case io::FileKind::Capture:
            problem = open_capture(path);
            break;
        case io::FileKind::Voxels:
            problem = open_voxels(path);
            break;
        default:
            problem = unknown_format(path);
            break;
    }
    if (problem) {
        ++parts_.file_problems;
        if (!needed_) note_end(path, true);
    }
    return problem;
}

/// Why files of this many bytes, at `path` or needed by it, cannot be opened beside what is open; nothing if
/// they can.
CommandResult FileOpener::beyond_limit(const std::string& path, std::uint64_t bytes) const {
    const std::uint64_t held = parts_.opened.bytes_beside(path);
    if (bytes <= max_bytes_ && held <= max_bytes_ - bytes) return std::nullopt;
    return fmt::format(
        "{}: the open files take {} MB, this would add {} MB, and a session holds at most {} MB. Restart the "
        "program to open it",
        path, held >> 20, bytes >> 20, max_bytes_ >> 20);
}

void FileOpener::note_end(const std::string& path, bool failed) {
    parts_.last_opened = {path, failed, parts_.last_opened.number + 1};
}

/// The file's name without its folder, printable.
std::string name_of(const std::string& path) {
    return io::printable(std::filesystem::path(path).filename().string());
}

CommandResult FileOpener::open_in_job(const std::shared_ptr<Opening>& opening,
                                      std::function<void(const JobControl&)> work,
                                      std::function<bool(const JobControl&)> slice,
                                      std::function<bool(const JobControl&)> more) {
    if (CommandResult problem = beyond_limit(opening->path, opening->bytes)) return problem;
    JobSpec job;
    job.title = name_of(opening->path);
    job.work = std::move(work);
    job.more = std::move(more);
    job.slice = std::move(slice);
    job.end = [this, opening, line = parts_.runner.current(), needed = needed_](JobEnd end,
                                                                                std::string_view why) {
        if (parts_.scenes.is_starting()) parts_.scenes.give_up(std::string(why).c_str());
        if (end != JobEnd::Done && opening->give_up) opening->give_up(*this, *opening);
        if (end == JobEnd::Cancelled) {
            parts_.messages.info(fmt::format("{}: opening was canceled", opening->path));
            return;
        }
        if (end == JobEnd::Failed) opening->problem = fmt::format("{}: {}", opening->path, why);
        // Other files may have been opened meanwhile. (Scenes and recordings count by the files that they
        // need.)
        if (!opening->problem && opening->bytes > 0)
            opening->problem = beyond_limit(opening->path, opening->bytes);
        if (!opening->problem && needed) needed->push_back(opening);
        if (!opening->problem && !needed) opening->take_in(*this, *opening);
        if (!opening->problem && !needed && !opening->scene.empty()) {
            (void)show_opened_files(*find_scene(opening->scene), state_.settings);
            opening->problem = parts_.scenes.load(opening->scene);
        }
        if (!needed && (opening->problem || end == JobEnd::Done))
            note_end(opening->path, opening->problem.has_value());
        // Without a window the command itself returns the problem.
        if (!opening->problem || parts_.jobs.mode() == JobMode::Wait) return;
        ++parts_.file_problems;
        parts_.runner.refuse(line.origin, refusal_text(line, *opening->problem));
    };
    opening_ = parts_.jobs.start(std::move(job));
    return parts_.jobs.mode() == JobMode::Wait ? opening->problem : std::nullopt;
}

CommandResult FileOpener::open_mesh(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->bytes = size_of(path);
    opening->take_in = [](FileOpener& opener, Opening& o) {
        opener.list_mesh(o, opener.parts_.opened.meshes);
    };
    opening->scene = scene_showing(io::FileKind::Mesh).id;
    const std::optional<MeshId> id = parts_.meshes.find_file(path);
    const MeshEntry* const known = id ? &parts_.meshes[*id] : nullptr;
    const auto begin = [opening](const JobControl& control) {
        io::MeshReadOptions options;
        options.may_wait = control.may_wait();
        options.progress = [reading = control.part(0.0f, 0.5f)](float fraction) {
            return reading.report(fraction, "reading");
        };
        opening->reading.emplace(opening->path, std::move(options));
    };
    const auto take = [opening, known, needs = parts_.meshes.needs()] {
        Opening& o = *opening;
        auto file = o.reading->take();
        o.reading.reset();
        if (!file) {
            o.problem = file.error().text();
            return;
        }
        o.message =
            fmt::format("{}: {}", o.path, io::counted(file->mesh.triangles.size(), "triangle", "triangles"));
        if (file->parts > 1) o.message += fmt::format(" of {} parts", file->parts);
        if (file->dropped > 0)
            o.message += fmt::format("; {} without area {} left out", io::grouped(file->dropped),
                                     io::plural(file->dropped, "was", "were"));
        if (const std::string note = io::unknown_lines_note(*file); !note.empty()) o.message += "; " + note;
        if (!file->notice.empty()) o.message += "; " + file->notice;
        o.unchanged = known && known->positions == file->mesh.positions &&
                      known->triangles == file->mesh.triangles && !known->voxels;
        if (o.unchanged)
            o.mesh.source = o.path;
        else
            o.making.emplace(std::move(file->mesh.name), o.path, std::move(file->mesh.positions),
                             std::move(file->mesh.triangles), needs);
    };
    return open_in_job(opening, begin, nullptr, [opening, take](const JobControl& control) {
        if (!opening->reading) return goes_on_making(*opening, control);
        if (opening->reading->advance())
            control.wait();
        else
            take();
        return true;
    });
}

/// A part of the mesh that is being made. False once it is there.
bool FileOpener::goes_on_making(Opening& opening, const JobControl& control) {
    if (!opening.making) return false;
    if (opening.making->advance(control.part(0.5f, 1.0f))) return true;
    opening.mesh = opening.making->take();
    opening.making.reset();
    return false;
}

void FileOpener::list_mesh(Opening& opening, std::vector<MeshId>& list) {
    if (!opening.unchanged) parts_.opened.mesh_files.push_back({opening.path, opening.bytes});
    const MeshId id = opening.unchanged ? *parts_.meshes.find_file(opening.path)
                                        : parts_.meshes.insert_file(std::move(opening.mesh));
    std::erase_if(
        list, [&](MeshId listed) { return io::is_same_place(parts_.meshes[listed].source, opening.path); });
    list.push_back(id);
    parts_.messages.info(std::move(opening.message));
}

CommandResult FileOpener::open_voxels(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->bytes = size_of(path);
    opening->take_in = [](FileOpener& opener, Opening& o) {
        opener.list_mesh(o, opener.parts_.opened.voxel_models);
    };
    opening->scene = scene_showing(io::FileKind::Voxels).id;
    const auto read = [opening, needs = parts_.meshes.needs()](const JobControl& control) {
        Opening& o = *opening;
        control.report(0.0f, "reading");
        const auto file = io::read_vox_file(o.path);
        if (!file) {
            o.problem = file.error().text();
            return;
        }
        o.message = fmt::format("{}: {}", o.path, io::counted(file->voxels.size(), "voxel", "voxels"));
        if (file->parts > 1) o.message += fmt::format(" of {} models", file->parts);
        if (!control.report(0.15f, "finding the surface")) return;
        std::string why;
        o.making = begin_voxel_mesh(*file, o.path, why, needs);
        if (!o.making) o.problem = fmt::format("{}: {}", o.path, why);
    };
    return open_in_job(opening, read, nullptr,
                       [opening](const JobControl& control) { return goes_on_making(*opening, control); });
}

CommandResult FileOpener::open_boxes(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->bytes = size_of(path);
    opening->take_in = [](FileOpener& opener, Opening& o) {
        opener.parts_.messages.info(
            fmt::format("{}: {}", o.path, io::counted(o.boxes.size(), "box", "boxes")));
        forget_file(opener.parts_.opened.box_lists, o.path);
        opener.parts_.opened.box_lists.push_back(
            {name_of(o.path), o.path, std::move(o.boxes), std::move(o.names), o.bytes});
    };
    opening->scene = scene_showing(io::FileKind::Boxes).id;
    return open_in_job(opening, [opening](const JobControl& control) {
        control.report(0.0f, "reading");
        auto boxes = io::read_box_list(opening->path, &opening->names);
        const bool has_names = std::any_of(opening->names.begin(), opening->names.end(),
                                           [](const std::string& name) { return !name.empty(); });
        if (!has_names) opening->names.clear();
        if (boxes)
            opening->boxes = std::move(*boxes);
        else
            opening->problem = boxes.error().text();
    });
}

CommandResult FileOpener::open_tree(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->bytes = size_of(path);
    opening->take_in = [](FileOpener& opener, Opening& o) {
        opener.parts_.messages.info(fmt::format("{}: a tree of {} over {}", o.path,
                                                io::counted(o.tree.size(), "node", "nodes"),
                                                io::counted(o.tree.payloads.size(), "box", "boxes")));
        if (o.loose.count > 0)
            opener.parts_.messages.warning(fmt::format(
                "{}: {} of its nodes {} contents, starting with node {}: queries would miss some boxes. "
                "These nodes are marked and listed",
                o.path, o.loose.count,
                io::plural(o.loose.count, "does not contain its", "do not contain their"),
                o.loose.first.front().node));
        forget_file(opener.parts_.opened.trees, o.path);
        opener.parts_.opened.trees.push_back(
            {name_of(o.path), o.path, std::move(o.tree), std::move(o.measured), std::move(o.loose), o.bytes});
    };
    opening->scene = scene_showing(io::FileKind::Tree).id;
    return open_in_job(opening, [opening](const JobControl& control) {
        control.report(0.0f, "reading");
        auto tree = io::read_tree_file(opening->path);
        if (!tree) {
            opening->problem = tree.error().text();
            return;
        }
        opening->tree = std::move(*tree);
        constexpr std::size_t kMaxMarked = 10'000;
        opening->loose = bv::loose_nodes(opening->tree, kMaxMarked);
        if (control.report(0.3f, "measuring")) opening->measured = measure_tree("file", opening->tree);
    });
}

CommandResult FileOpener::open_capture(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    if (io::CaptureFile::is_read_whole(path)) opening->bytes = size_of(path);
    opening->take_in = [](FileOpener& opener, Opening& o) {
        const std::size_t frames = o.capture->frames().size();
        opener.parts_.messages.info(
            fmt::format("{}: a capture of {}", o.path, io::counted(frames, "frame", "frames")));
        for (const std::string& what : o.capture->notes())
            opener.parts_.messages.warning(fmt::format("{}: {}", o.path, what));
        forget_file(opener.parts_.opened.captures, o.path);
        opener.parts_.opened.captures.push_back({name_of(o.path), o.path, std::move(o.capture), o.bytes});
    };
    opening->scene = scene_showing(io::FileKind::Capture).id;
    return open_in_job(opening, [opening](const JobControl& control) {
        auto capture = io::CaptureFile::open(opening->path, [&control](double done) {
            return control.report(static_cast<float>(done), "indexing");
        });
        if (capture)
            opening->capture = std::make_shared<const io::CaptureFile>(std::move(*capture));
        else
            opening->problem = capture.error().text();
    });
}

}  // namespace lab
