// Makes an entry of the mesh library in parts, for jobs where there are no threads: `MeshLibrary::make` is
// all of them.
#pragma once

#include <cstddef>
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

    bool make_next_fit();

    MeshEntry mesh_;
    MeshNeeds needs_;
    std::shared_ptr<bv::MeshBvh> tree_ = std::make_shared<bv::MeshBvh>();
    std::future<void> observed_;
    Part part_ = Part::Bounds;
    std::size_t fits_made_ = 0;  ///< Rows of the table of volumes that were looked at.
};

}  // namespace lab
