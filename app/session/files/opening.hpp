// The data of a file that is being opened; for the sources of the opener only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "io/captures/capture_file.hpp"
#include "io/meshes/mesh_reading.hpp"
#include "session/files/file_opener.hpp"
#include "world/mesh_library.hpp"
#include "world/mesh_making.hpp"
#include "world/tree_recipes.hpp"

namespace lab {

/// The data read by the job, and how it joins the session.
struct FileOpener::Opening {
    std::string path;
    std::uint64_t bytes = 0;                 ///< Size of the file, if the session will hold its contents.
    std::optional<std::string> problem;      ///< The reason of a refusal.
    MeshEntry mesh;                          ///< Also of a voxel model.
    std::optional<io::MeshReading> reading;  ///< Set while the mesh is read.
    std::optional<MeshMaking> making;        ///< Set while the mesh is made.
    std::vector<bv::Aabb> boxes;
    std::vector<std::string> names;  ///< Names of the boxes; empty if none has one.
    std::shared_ptr<const io::CaptureFile> capture;
    bv::TreeSnapshot tree;
    MeasuredTree measured;
    bv::LooseNodes loose;
    std::string message;
    bool unchanged = false;  ///< The file still holds the mesh that was read before.
    void (*take_in)(FileOpener&, Opening&) = nullptr;
    std::string_view
        scene;  ///< The scene that shows it. Not started for files needed by a saved scene or recording.
    /// Called on cancellation; may be null.
    void (*give_up)(FileOpener&, Opening&) = nullptr;
};

}  // namespace lab
