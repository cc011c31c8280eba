// Builds a MeshBvh and its wide form in slices, for a program whose frames must not wait and that has no
// thread to spare.
#pragma once

#include <cstddef>
#include <memory>

#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"

namespace bv {

/// The tree is that of `MeshBvh::build` with the same options.
class MeshBvhBuild {
  public:
    /// Only prepares the build. `options.tasks` is ignored. The mesh must not change until the last slice.
    explicit MeshBvhBuild(const MeshView& mesh, const MeshBvhOptions& options = {});
    ~MeshBvhBuild();
    MeshBvhBuild(MeshBvhBuild&&) noexcept;
    MeshBvhBuild& operator=(MeshBvhBuild&&) noexcept;

    /// Does a slice; true if there is more to do. With the builders Median, and BinnedSah without spatial
    /// splits, a slice divides nodes until these held about `references` references in all, but at least one
    /// node: 100,000 references take about 3 ms. The first slice copies the mesh and the last one numbers its
    /// triangles, which is as much work as dividing all references once or twice. Re-insertion and the other
    /// builders are one slice each.
    bool advance(std::size_t references);
    /// Ok after the last slice, or why there is no tree; Ok before it, too.
    [[nodiscard]] MeshBuildStatus status() const noexcept;
    /// After the last slice: the tree. Empty before it, after an error, and the second time.
    [[nodiscard]] MeshBvh take();

  private:
    struct State;
    std::unique_ptr<State> state_;  ///< Null after a move.
};

/// The tree is that of `MeshBvh8::build`.
class MeshBvh8Build {
  public:
    /// Only prepares the build. `tree` and `progress`, which may be null, must outlive the last slice.
    explicit MeshBvh8Build(const MeshBvh& tree, BuildProgress* progress = nullptr);
    ~MeshBvh8Build();
    MeshBvh8Build(MeshBvh8Build&&) noexcept;
    MeshBvh8Build& operator=(MeshBvh8Build&&) noexcept;

    /// Does a slice: plans `references` nodes of the binary tree, or makes wide nodes over about that many
    /// references. True if there is more to do. 100,000 take about 5 ms.
    bool advance(std::size_t references);
    /// Ok after the last slice, or why there is no tree; Ok before it, too.
    [[nodiscard]] MeshBvh8::Status status() const noexcept;
    /// After the last slice: the tree. Empty before it, after an error, and the second time.
    [[nodiscard]] MeshBvh8 take();

  private:
    struct State;
    std::unique_ptr<State> state_;  ///< Null after a move.
};

}  // namespace bv
