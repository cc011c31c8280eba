// Meshes from files: .obj .stl .ply .off .gltf .glb.
//
// An untrusted file can make its parser crash, loop or exhaust memory. So a small program of its own
// (bvlab-mesh-reader, beside the main one) reads it, limited in CPU time, wall time and memory, in a sandbox
// that restricts it to the descriptors it was given (see reader_fence.hpp). The mesh returns over a pipe,
// framed and checksummed, and is validated again here. Files beside a .gltf are opened here, after a check of
// their names, when the reader asks for them. Whatever the file contains, the caller gets a valid mesh or an
// error that names the file. In a page, a worker of the browser takes the reader's place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "io/file_error.hpp"
#include "workloads/meshes.hpp"

namespace lab::io {

/// A mesh from a file. Positions are finite and below 1e12 in magnitude, indices in range, triangles have
/// area, equal positions are one vertex, and every vertex is used.
struct MeshFile {
    bv::workloads::MeshData mesh;  ///< Named after the file, without folder and extension.
    std::uint32_t parts = 0;       ///< Objects of the file that were merged, each with its transform applied.
    std::uint64_t dropped = 0;     ///< Triangles without area that were left out.
    std::uint64_t unknown_lines = 0;  ///< With statements that its format does not have; left out.
    std::uint64_t first_unknown_line = 0;
    std::string notice = {};  ///< A note for the user, once: the kernel refuses a part of the fence.
};

/// `3 lines with unknown statements, the first at line 7, were left out`; empty without any.
[[nodiscard]] std::string unknown_lines_note(const MeshFile& file);

struct MeshReadOptions {
    double cpu_s = 0;                                       ///< 0: 5 s and 1 s for each 2 MiB of the file.
    double wall_s = 0;                                      ///< 0: twice the processor time.
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;    ///< Of address space for the reading program.
    std::uint64_t max_file_bytes = std::uint64_t{2} << 30;  ///< Together with the files beside it.
    /// Called about twenty times a second from this thread with the fraction done. Return false to give up.
    std::function<bool(float)> progress;
    /// For `MeshReading` in a page: another part may come with a later frame.
    bool may_wait = false;
    /// The reading program; empty: $BVLAB_MESH_READER, else the one that belongs to this program.
    std::filesystem::path reader;
};

/// Reads a mesh; blocks until it is done. Refuses a file that is missing, not regular, empty, of another
/// kind, damaged or without triangles; a position that is NaN, infinite or beyond 1e12 m; an index out of
/// range; and a file that needs more time or memory than the limits. Thread-safe.
Result<MeshFile> read_mesh_file(const std::filesystem::path& path, const MeshReadOptions& options = {});

}  // namespace lab::io
