// The files opened in this session. They outlive scenes, so that visiting another scene loses nothing.
#pragma once

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
};

struct OpenedTree {
    std::string name;    ///< File name without its folder.
    std::string source;  ///< Path.
    bv::TreeSnapshot tree;
    MeasuredTree measured;
    bv::LooseNodes loose;  ///< What is broken about it.
};

struct OpenedCapture {
    std::string name;                             ///< File name without its folder, or the engine's.
    std::string source;                           ///< Path; empty for what an engine delivers.
    std::shared_ptr<const io::CaptureFile> file;  ///< For readers of their own: see CaptureFile::another.
    [[nodiscard]] bool is_from_engine() const { return source.empty(); }
};

struct OpenedFiles {
    std::vector<MeshId> meshes;  ///< In the order in which they were opened.
    std::vector<BoxList> box_lists;
    std::vector<OpenedTree> trees;
    std::vector<OpenedCapture> captures;
    std::vector<MeshId> voxel_models;  ///< Their surfaces are meshes of the library, too.
};

}  // namespace lab
