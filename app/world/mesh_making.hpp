// Makes an entry of the mesh library in parts, for jobs: fits the volumes, builds the trees. Touches no
// library; safe from any thread.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/tree/mesh_bvh_build.hpp"
#include "platform/errand.hpp"
#include "world/mesh_library.hpp"

namespace lab {

class MeshMaking {
  public:
    /// Arguments as for `MeshLibrary::add`.
    MeshMaking(std::string name, std::string source, std::vector<glm::vec3> positions,
               std::vector<glm::uvec3> triangles, MeshNeeds needs);
    /// Does one part. True if there is more; false, too, once the job is cancelled.
    bool advance(const JobControl& control);
    /// Call after the last part. After a canceled job, the entry is unfinished and must be discarded.
    [[nodiscard]] MeshEntry take() { return std::move(mesh_); }
    /// All parts at once.
    [[nodiscard]] MeshEntry make();
    /// The mesh is drawn as these voxels.
    void set_voxels(std::shared_ptr<const VoxelSkin> skin, std::shared_ptr<const bv::VoxelGrid> grid) {
        mesh_.voxels = std::move(skin);
        mesh_.grid = std::move(grid);
    }

  private:
    [[nodiscard]] bool may_send(const JobControl& control) const;
    bool find_extremes(const JobControl& control);
    bool build_wide(const JobControl& control);
    bool build_tree(const JobControl& control, bool with_all_cores);

    enum class Part : unsigned char { Bounds, Obb, Hull, Fits, Tree, WideTree, Drawing, Done };

    MeshEntry mesh_;
    MeshNeeds needs_;
    std::shared_ptr<bv::MeshBvh> tree_ = std::make_shared<bv::MeshBvh>();
    std::optional<bv::MeshBvhBuild> building_;
    std::optional<bv::MeshBvh8Build> widening_;
    std::unique_ptr<platform::Errand> for_extremes_;
    std::future<bool> observed_;
    Part part_ = Part::Bounds;
};

/// The work of platform::ErrandKind::FindExtremes.
std::string extremes_of_bytes(std::string_view positions);

}  // namespace lab
