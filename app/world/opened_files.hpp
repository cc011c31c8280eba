// The files opened in this session. They outlive scenes, so that visiting another scene loses nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "io/captures/capture_file.hpp"
#include "results/frame_results.hpp"

namespace lab {

struct BoxList {
    std::string name;    ///< File name without its folder.
    std::string source;  ///< Path.
    std::vector<bv::Aabb> boxes;
    std::vector<std::string> names;  ///< One for each box, empty without; none at all if no box has one.
    std::uint64_t bytes = 0;         ///< Of the file.
};

/// A file, as it was when it was read.
struct HeldFile {
    std::string source;  ///< Path.
    std::uint64_t bytes = 0;
};

struct OpenedTree {
    std::string name;    ///< File name without its folder.
    std::string source;  ///< Path.
    bv::TreeSnapshot tree;
    MeasuredTree measured;
    bv::LooseNodes loose;     ///< Its defects.
    std::uint64_t bytes = 0;  ///< Of the file.
};

struct OpenedCapture {
    std::string name;                             ///< File name without its folder, or the engine's.
    std::string source;                           ///< Path; empty for a live capture.
    std::shared_ptr<const io::CaptureFile> file;  ///< For readers of their own: see CaptureFile::another.
    std::uint64_t bytes = 0;                      ///< Of the file, if all of it is in memory.
    [[nodiscard]] bool is_from_engine() const { return source.empty(); }
};

/// How opening a file ended the last time. Files that another file needs do not count.
struct LastOpened {
    std::string path;
    bool failed = false;
    std::uint64_t number = 0;  ///< Counts the files that were opened, or failed.
};

struct OpenedFiles {
    std::vector<MeshId> meshes;  ///< In the order in which they were opened.
    std::vector<BoxList> box_lists;
    std::vector<OpenedTree> trees;
    std::vector<OpenedCapture> captures;
    std::vector<MeshId> voxel_models;  ///< Their surfaces are meshes of the library, too.
    std::vector<HeldFile> mesh_files;  ///< Of all meshes and voxel models: the library keeps them.

    /// Total size of all files held, except the one that `path` will replace.
    [[nodiscard]] std::uint64_t bytes_beside(const std::string& path) const;
};

}  // namespace lab
