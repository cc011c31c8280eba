// What is known of a file while it is on its way in; for the sources of the opener alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "session/files/file_opener.hpp"
#include "world/mesh_library.hpp"
#include "world/tree_recipes.hpp"

namespace lab {

/// What the job that opens a file has read, and what becomes of it.
struct FileOpener::Opening {
    std::string path;
    std::optional<std::string> problem;  ///< Why it is refused.
    MeshEntry mesh;                      ///< Or a voxel model's.
    std::vector<bv::Aabb> boxes;
    bv::TreeSnapshot tree;
    MeasuredTree measured;
    bv::LooseNodes loose;
    std::string message;
    bool unchanged = false;  ///< The mesh that was read from there before is what the file still holds.
    void (*take_in)(FileOpener&, Opening&) = nullptr;
    std::string_view scene;  ///< That shows it. Not started for what a saved scene or a recording needs.
    /// When it is cancelled, if that leaves something to do.
    void (*give_up)(FileOpener&, Opening&) = nullptr;
};

}  // namespace lab
