// Opening files: what was read joins the session and the scene that shows it starts.
#include <fmt/format.h>

#include <filesystem>

#include "io/box_list.hpp"
#include "io/mesh_file.hpp"
#include "io/tree_file.hpp"
#include "io/voxel_file.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/voxels/voxel_model.hpp"

namespace lab {

CommandResult Sandbox::open(const std::string& path) {
    const CommandResult problem = io::is_mesh_file_name(path)    ? open_mesh(path)
                                  : io::is_box_list_name(path)   ? open_boxes(path)
                                  : io::is_recording_name(path)  ? open_recording(path)
                                  : io::is_scene_file_name(path) ? open_scene(path)
                                  : io::is_tree_file_name(path)  ? open_tree(path)
                                  : io::is_vox_file_name(path)   ? open_voxels(path)
                                                                 : unknown_format(path);
    if (problem) ++file_problems_;
    return problem;
}

CommandResult Sandbox::unknown_format(const std::string& path) {
    return fmt::format(
        "{}: this is no kind of file that can be opened. Meshes end in .obj, .stl, .ply, .off, .gltf or "
        ".glb, voxel models in .vox, lists of boxes in .txt or .csv, saved trees in .bvtree, recordings in "
        ".bvrec, saved scenes in .json",
        path);
}

CommandResult Sandbox::open_mesh(const std::string& path) {
    auto file = io::read_mesh_file(path);
    if (!file) return file.error().text();
    const std::size_t triangles = file->mesh.triangles.size();
    const MeshId id =
        meshes_.add(file->mesh.name, path, std::move(file->mesh.positions), std::move(file->mesh.triangles));
    opened_.meshes.push_back(id);
    std::string text = fmt::format("{}: {} triangles", path, triangles);
    if (file->parts > 1) text += fmt::format(" of {} parts", file->parts);
    if (file->dropped > 0) text += fmt::format("; {} without area were left out", file->dropped);
    messages_.info(std::move(text));
    return load_scene("mesh");
}

CommandResult Sandbox::open_voxels(const std::string& path) {
    const auto file = io::read_vox_file(path);
    if (!file) return file.error().text();
    std::string why;
    const std::optional<MeshId> id = add_voxel_model(meshes_, *file, path, why);
    if (!id) return fmt::format("{}: {}", path, why);
    opened_.voxel_models.push_back(*id);
    std::string text = fmt::format("{}: {} voxels", path, file->voxels.size());
    if (file->parts > 1) text += fmt::format(" of {} models", file->parts);
    messages_.info(std::move(text));
    return load_scene("voxels");
}

CommandResult Sandbox::open_boxes(const std::string& path) {
    auto boxes = io::read_box_list(path);
    if (!boxes) return boxes.error().text();
    messages_.info(fmt::format("{}: {} boxes", path, boxes->size()));
    opened_.box_lists.push_back({std::filesystem::path(path).filename().string(), path, std::move(*boxes)});
    return load_scene("boxes");
}

CommandResult Sandbox::open_tree(const std::string& path) {
    auto tree = io::read_tree_file(path);
    if (!tree) return tree.error().text();
    messages_.info(
        fmt::format("{}: a tree of {} nodes over {} boxes", path, tree->size(), tree->payloads.size()));
    opened_.trees.push_back({std::filesystem::path(path).filename().string(), path, std::move(*tree)});
    return load_scene("tree-file");
}

}  // namespace lab
