// Makes an entry of the mesh library in parts, for jobs where there are no threads: `MeshLibrary::make` is
// all of them.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "bv/tree/mesh_bvh.hpp"
#include "world/mesh_library.hpp"

namespace lab {

class MeshMaking {
  public:
    /// Arguments as for `MeshLibrary::make`.
    MeshMaking(std::string name, std::string source, std::vector<glm::vec3> positions,
               std::vector<glm::uvec3> triangles, MeshNeeds needs);
    /// Does one part. True if there is more; false, too, once the job is cancelled.
    bool advance(const JobControl& control);
    /// After the last part.
    [[nodiscard]] MeshEntry take() { return std::move(mesh_); }

  private:
    enum class Part : unsigned char { Bounds, Obb, Hull, Fits, Tree, WideTree, Drawing };

    MeshEntry mesh_;
    MeshNeeds needs_;
    std::shared_ptr<bv::MeshBvh> tree_ = std::make_shared<bv::MeshBvh>();
    std::future<void> observed_;
    Part part_ = Part::Bounds;
};

}  // namespace lab
