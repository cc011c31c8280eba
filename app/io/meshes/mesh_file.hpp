// Meshes from files: .obj .stl .ply .off .gltf .glb.
//
// A file from anywhere can make its parser crash, loop or eat memory. So it is read by a small program of its
// own (bvlab-mesh-reader, beside the main one) under limits of processor time, time and memory, behind a
// fence that leaves it the descriptors it is given and nothing else (see reader_fence.hpp). Only the finished
// mesh comes back over a pipe, framed, checksummed and checked once more here. The files beside a .gltf file
// are opened here, after a look at their names, when the reader asks for them. Whatever the file does, the
// caller gets a mesh that is sound or an error that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "io/file_error.hpp"
#include "workloads/meshes.hpp"

namespace lab::io {

/// A mesh as it was found in a file. Every position is finite and below 1e12 in size, every index in range,
/// every triangle has area; equal positions are one vertex; every vertex is used.
struct MeshFile {
    bv::workloads::MeshData mesh;  ///< Named after the file, without folder and extension.
    std::uint32_t parts = 0;       ///< Objects of the file that were merged, each with its transform applied.
    std::uint64_t dropped = 0;     ///< Triangles without area that were left out.
    std::string notice = {};  ///< What a user should know once: that the kernel refuses a part of the fence.
};

struct MeshReadOptions {
    double cpu_s = 0;                                       ///< 0: 5 s and 1 s for each 2 MiB of the file.
    double wall_s = 0;                                      ///< 0: twice the processor time.
    std::size_t memory_bytes = std::size_t{4} << 30;        ///< Of address space for the reading program.
    std::uint64_t max_file_bytes = std::uint64_t{2} << 30;  ///< Together with the files beside it.
    /// Called about twenty times a second from this thread with the part done so far, 0 to 1. False gives up.
    std::function<bool(float)> progress;
    /// The reading program; empty: $BVLAB_MESH_READER, else the one that belongs to this program.
    std::filesystem::path reader;
};

/// Blocks until the mesh is there or refused. Refused: what is missing, no file, empty, of another kind,
/// damaged, without triangles; a position that is NaN, infinite or beyond 1e12 m; an index out of range; what
/// needs more time or memory than the limits. May be called from several threads at once.
Result<MeshFile> read_mesh_file(const std::filesystem::path& path, const MeshReadOptions& options = {});

/// True if the name ends, in any case, like one of the formats above.
bool is_mesh_file_name(const std::filesystem::path& path);

}  // namespace lab::io
