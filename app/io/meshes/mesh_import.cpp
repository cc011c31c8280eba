#include "io/meshes/mesh_import.hpp"

#include <utility>

#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/utf16.hpp"

namespace lab::io {

Result<MeshFile> import_mesh(std::string_view extension, std::string_view bytes, const Siblings& siblings,
                             std::vector<NeededFile>& needs, const ReadProgress& progress) {
    const auto ends = [extension](std::string_view lower) { return same_word(extension, lower); };
    MeshBuilder builder;
    if ((ends(".obj") || ends(".ply") || ends(".off") || ends(".gltf")) && is_utf16(bytes))
        return FileError{"", "", kIsUtf16, kSaveAsUtf8};
    ReadOutcome outcome = ends(".obj")    ? read_obj(bytes, builder, progress)
                          : ends(".stl")  ? read_stl(bytes, builder, progress)
                          : ends(".ply")  ? read_ply(bytes, builder, progress)
                          : ends(".off")  ? read_off(bytes, builder, progress)
                          : ends(".gltf") ? read_gltf(bytes, false, siblings, needs, builder, progress)
                          : ends(".glb")  ? read_gltf(bytes, true, siblings, needs, builder, progress)
                                          : ReadOutcome::wrong("", "is not a supported kind of mesh");
    // A binary STL file may begin with any bytes.
    if (!outcome.ok() && ends(".stl") && is_utf16(bytes)) return FileError{"", "", kIsUtf16, kSaveAsUtf8};
    if (!outcome.ok())
        return FileError{"", std::move(outcome.where), std::move(outcome.what),
                         "Repair the mesh, or export it again, in the program that made it"};
    return builder.finish("", outcome.parts);
}

}  // namespace lab::io
