// Makes an entry of the mesh library in parts, for jobs: fits the volumes, builds the trees. Touches no
// library; safe from any thread.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bv/tree/mesh_bvh_build.hpp"
#include "world/mesh_library.hpp"

namespace lab {

class MeshMaking {
  public:
    /// Arguments as for `MeshLibrary::add`.
    MeshMaking(std::string name, std::string source, std::vector<glm::vec3> positions,
               std::vector<glm::uvec3> triangles, MeshNeeds needs);
    /// Does one part. True if there is more; false, too, once the job is cancelled.
    bool advance(const JobControl& control);
    /// After the last part; of a cancelled job an unfinished entry, to be discarded.
    [[nodiscard]] MeshEntry take() { return std::move(mesh_); }
    /// All parts at once.
    [[nodiscard]] MeshEntry make();
    /// It is drawn as these voxels.
    void set_voxels(std::shared_ptr<const VoxelSkin> skin, std::shared_ptr<const bv::VoxelGrid> grid) {
        mesh_.voxels = std::move(skin);
        mesh_.grid = std::move(grid);
    }

  private:
    bool build_tree(const JobControl& control, bool with_all_cores);

    enum class Part : unsigned char { Bounds, Obb, Hull, Fits, Tree, WideTree, Drawing, Done };

    MeshEntry mesh_;
    MeshNeeds needs_;
    std::shared_ptr<bv::MeshBvh> tree_ = std::make_shared<bv::MeshBvh>();
    std::optional<bv::MeshBvhBuild> building_;
    std::future<bool> observed_;
    Part part_ = Part::Bounds;
};

}  // namespace lab
