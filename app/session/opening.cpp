// Opening files: a job reads one and builds what it needs; then it joins the session, and the scene that
// shows it starts. Writing them is a job, too.
#include <fmt/format.h>

#include <filesystem>

#include "io/file_kind.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io/printable.hpp"
#include "io/trees/box_list.hpp"
#include "io/trees/tree_file.hpp"
#include "io/voxels/voxel_file.hpp"
#include "session/opening.hpp"
#include "world/voxels/voxel_model.hpp"

namespace lab {

CommandResult Sandbox::open(const std::string& path) {
    CommandResult problem;
    switch (io::kind_of_file(path)) {
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
        case io::FileKind::Voxels:
            problem = open_voxels(path);
            break;
        case io::FileKind::Unknown:
            problem = unknown_format(path);
            break;
    }
    if (problem) ++file_problems_;
    return problem;
}

/// The file's name without its folder, as it is shown.
std::string Sandbox::name_of(const std::string& path) {
    return io::printable(std::filesystem::path(path).filename().string());
}

CommandResult Sandbox::unknown_format(const std::string& path) {
    return fmt::format(
        "{}: this is no kind of file that can be opened. Meshes end in .obj, .stl, .ply, .off, .gltf or "
        ".glb, voxel models in .vox, lists of boxes in .txt or .csv, saved trees in .bvtree, recordings in "
        ".bvrec, saved scenes in .json",
        path);
}

CommandResult Sandbox::open_in_job(const std::shared_ptr<Opening>& opening,
                                   std::function<void(const JobControl&)> work,
                                   std::function<bool(const JobControl&)> slice) {
    JobSpec job;
    job.title = name_of(opening->path);
    job.work = std::move(work);
    job.slice = std::move(slice);
    job.end = [this, opening, line = current_](JobEnd end, std::string_view why) {
        if (end == JobEnd::Cancelled) {
            if (opening->give_up) opening->give_up(*this, *opening);
            messages_.info(fmt::format("{}: opening it was cancelled", opening->path));
            return;
        }
        if (end == JobEnd::Failed) opening->problem = fmt::format("{}: {}", opening->path, why);
        if (!opening->problem) opening->problem = opening->take_in(*this, *opening);
        // Without a window the command itself still gives the answer.
        if (!opening->problem || jobs_.mode() == JobMode::Wait) return;
        ++file_problems_;
        refuse(line.origin, fmt::format("`{}`: {}", line.text, *opening->problem));
    };
    opening_ = jobs_.start(std::move(job));
    return jobs_.mode() == JobMode::Wait ? opening->problem : std::nullopt;
}

void Sandbox::write_file(const std::string& path, std::function<std::optional<io::FileError>()> write) {
    auto error = std::make_shared<std::optional<io::FileError>>();
    JobSpec job;
    job.title = name_of(path);
    job.writes = true;
    job.work = [error, write = std::move(write)](const JobControl& control) {
        if (control.report(0.0f, "writing")) *error = write();
    };
    job.end = [this, error, path](JobEnd end, std::string_view why) {
        if (end == JobEnd::Cancelled) return messages_.info(fmt::format("{}: writing it was given up", path));
        if (end == JobEnd::Done && !*error) return messages_.info(fmt::format("{} was written", path));
        ++file_problems_;
        messages_.error(*error ? (*error)->text() : fmt::format("{}: {}", path, why));
    };
    jobs_.start(std::move(job));
}

CommandResult Sandbox::open_mesh(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->take_in = [](Sandbox& sandbox, Opening& o) {
        sandbox.opened_.meshes.push_back(sandbox.meshes_.insert(std::move(o.mesh)));
        sandbox.messages_.info(std::move(o.message));
        return sandbox.load_scene("mesh");
    };
    return open_in_job(opening, [opening, needs = meshes_.needs()](const JobControl& control) {
        Opening& o = *opening;
        const JobControl reading = control.part(0.0f, 0.5f);
        io::MeshReadOptions options;
        options.progress = [&reading](float fraction) { return reading.report(fraction, "reading"); };
        auto file = io::read_mesh_file(o.path, options);
        if (!file) {
            o.problem = file.error().text();
            return;
        }
        o.message = fmt::format("{}: {} triangles", o.path, file->mesh.triangles.size());
        if (file->parts > 1) o.message += fmt::format(" of {} parts", file->parts);
        if (file->dropped > 0) o.message += fmt::format("; {} without area were left out", file->dropped);
        if (!file->notice.empty()) o.message += "; " + file->notice;
        o.mesh = MeshLibrary::make(std::move(file->mesh.name), o.path, std::move(file->mesh.positions),
                                   std::move(file->mesh.triangles), needs, control.part(0.5f, 1.0f));
    });
}

CommandResult Sandbox::open_voxels(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->take_in = [](Sandbox& sandbox, Opening& o) {
        sandbox.opened_.voxel_models.push_back(sandbox.meshes_.insert(std::move(o.mesh)));
        sandbox.messages_.info(std::move(o.message));
        return sandbox.load_scene("voxels");
    };
    return open_in_job(opening, [opening, needs = meshes_.needs()](const JobControl& control) {
        Opening& o = *opening;
        control.report(0.0f, "reading");
        const auto file = io::read_vox_file(o.path);
        if (!file) {
            o.problem = file.error().text();
            return;
        }
        o.message = fmt::format("{}: {} voxels", o.path, file->voxels.size());
        if (file->parts > 1) o.message += fmt::format(" of {} models", file->parts);
        std::string why;
        auto mesh = make_voxel_mesh(*file, o.path, why, needs, control.part(0.15f, 1.0f));
        if (mesh)
            o.mesh = std::move(*mesh);
        else
            o.problem = fmt::format("{}: {}", o.path, why);
    });
}

CommandResult Sandbox::open_boxes(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->take_in = [](Sandbox& sandbox, Opening& o) {
        sandbox.messages_.info(fmt::format("{}: {} boxes", o.path, o.boxes.size()));
        sandbox.opened_.box_lists.push_back({name_of(o.path), o.path, std::move(o.boxes)});
        return sandbox.load_scene("boxes");
    };
    return open_in_job(opening, [opening](const JobControl& control) {
        control.report(0.0f, "reading");
        auto boxes = io::read_box_list(opening->path);
        if (boxes)
            opening->boxes = std::move(*boxes);
        else
            opening->problem = boxes.error().text();
    });
}

CommandResult Sandbox::open_tree(const std::string& path) {
    auto opening = std::make_shared<Opening>();
    opening->path = path;
    opening->take_in = [](Sandbox& sandbox, Opening& o) {
        sandbox.messages_.info(fmt::format("{}: a tree of {} nodes over {} boxes", o.path, o.tree.size(),
                                           o.tree.payloads.size()));
        if (o.loose.count > 0)
            sandbox.messages_.warning(fmt::format(
                "{}: {} of its nodes {} not contain what lies in {}, node {} the first: queries would miss "
                "it. These nodes are marked and listed",
                o.path, o.loose.count, o.loose.count == 1 ? "does" : "do", o.loose.count == 1 ? "it" : "them",
                o.loose.first.front().node));
        sandbox.opened_.trees.push_back(
            {name_of(o.path), o.path, std::move(o.tree), std::move(o.measured), std::move(o.loose)});
        return sandbox.load_scene("tree-file");
    };
    return open_in_job(opening, [opening](const JobControl& control) {
        control.report(0.0f, "reading");
        auto tree = io::read_tree_file(opening->path);
        if (!tree) {
            opening->problem = tree.error().text();
            return;
        }
        opening->tree = std::move(*tree);
        constexpr std::size_t kMostMarked = 10'000;
        opening->loose = bv::loose_nodes(opening->tree, kMostMarked);
        if (control.report(0.3f, "measuring")) opening->measured = measure_tree("file", opening->tree);
    });
}

}  // namespace lab
