#include "io/file_kind.hpp"

#include <system_error>

#include "io/trees/box_list.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "io/trees/tree_file.hpp"
#include "io/voxels/voxel_file.hpp"

namespace lab::io {
namespace {

namespace fs = std::filesystem;

fs::path full(const fs::path& path) {
    std::error_code code;
    const fs::path absolute = fs::absolute(path, code);
    return (code ? path : absolute).lexically_normal();
}

}  // namespace

FileKind kind_of_file(const fs::path& path) {
    if (is_mesh_file_name(path)) return FileKind::Mesh;
    if (is_box_list_name(path)) return FileKind::Boxes;
    if (is_recording_name(path)) return FileKind::Recording;
    if (is_scene_file_name(path)) return FileKind::Scene;
    if (is_tree_file_name(path)) return FileKind::Tree;
    return is_vox_file_name(path) ? FileKind::Voxels : FileKind::Unknown;
}

bool may_be_needed(const fs::path& path) {
    const FileKind kind = kind_of_file(path);
    return kind == FileKind::Mesh || kind == FileKind::Voxels || kind == FileKind::Boxes ||
           kind == FileKind::Tree;
}

std::string path_in_file(const fs::path& file, const std::string& path) {
    const fs::path target = full(path);
    const fs::path relative = target.lexically_relative(full(file).parent_path());
    const bool inside = !relative.empty() && *relative.begin() != "..";
    return (inside ? relative : target).string();
}

std::string path_from_file(const fs::path& file, const std::string& written) {
    const fs::path path(written);
    return path.is_absolute() ? written : (file.parent_path() / path).lexically_normal().string();
}

bool is_same_place(const fs::path& a, const fs::path& b) {
    return a == b || full(a) == full(b);
}

}  // namespace lab::io
