// In a page the mesh is read by the program itself: a file can do no more harm than the page may, and the
// page may do nothing. Byte budgets apply, time budgets do not: no other process could end the reader.
#include "io/meshes/mesh_file.hpp"

#include <algorithm>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/meshes/mesh_import.hpp"
#include "io/meshes/process/mesh_wire.hpp"

namespace lab::io {

namespace fs = std::filesystem;

Result<MeshFile> read_mesh_file(const fs::path& path, const MeshReadOptions& options) {
    if (!has_ending_of(FileKind::Mesh, path))
        return FileError{path.string(), "", "is not a supported kind of mesh",
                         "Use " + endings_of(FileKind::Mesh)};
    const auto limit = static_cast<std::size_t>(
        std::min<std::uint64_t>(options.max_file_bytes, std::numeric_limits<std::size_t>::max()));
    const Result<std::string> bytes = read_whole_file(path, limit);
    if (!bytes) return bytes.error();
    if (bytes->empty()) return FileError{path.string(), "", "is empty", "Export the mesh again"};
    const auto progress = [&](float fraction) {
        if (options.progress) options.progress(fraction);
    };
    Siblings siblings;
    // A file that refers to others is read twice: first to learn their names, then with them.
    for (int round = 0;; ++round) {
        std::vector<NeededFile> needs;
        Result<MeshFile> file = import_mesh(path.extension().string(), *bytes, siblings, needs, progress);
        if (needs.empty() || round > 0) {
            if (file) {
                file->mesh.name = path.stem().string();
                return file;
            }
            FileError error = file.error();
            error.path = path.string();
            return error;
        }
        for (const NeededFile& needed : needs) {
            std::string fault = fault_of_sibling_name(needed.name);
            if (fault.empty()) {
                Result<std::string> sibling = read_whole_file(path.parent_path() / needed.name, limit);
                if (sibling)
                    siblings.emplace(needed.name, std::move(*sibling));
                else
                    fault = sibling.error().what;
            }
            if (!fault.empty())
                return FileError{path.string(), needed.where,
                                 "refers to \"" + needed.name + "\", which " + fault,
                                 "Open all files of the mesh together"};
        }
    }
}

}  // namespace lab::io
