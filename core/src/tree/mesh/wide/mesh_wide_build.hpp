// Makes a wide tree of a binary one, a little at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "bv/tree/mesh_bvh_wide.hpp"
#include "tree/mesh/wide/mesh_wide_collapse.hpp"

namespace bv::detail {

class WideBuild {
  public:
    /// Clears `wide`. All three must stay where they are until the last slice.
    WideBuild(const MeshBvh& tree, MeshBvh8& wide, BuildProgress& progress);
    /// Plans `references` binary nodes, or makes wide nodes over about that many references. True if there is
    /// more to do.
    bool advance(std::size_t references);
    [[nodiscard]] MeshBvh8::Status status() const noexcept { return status_; }

  private:
    struct Waiting {
        std::uint32_t binary, wide, depth;
    };
    enum class Slice : std::uint8_t { Plan, Begin, Grow, None };

    bool end(MeshBvh8::Status status);
    void begin_nodes();
    void make_node(const Waiting& now);
    bool finish();

    const MeshBvh& tree_;
    MeshBvh8& wide_;
    BuildProgress& progress_;
    WideCollapse collapse_;
    std::vector<Waiting> waiting_;
    std::size_t reported_ = 0;  ///< Blocks.
    Slice next_ = Slice::Plan;
    MeshBvh8::Status status_ = MeshBvh8::Status::Ok;
};

}  // namespace bv::detail
