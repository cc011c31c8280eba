// All meshes of a session, each with volumes fitted once in its own frame. Bodies refer to meshes by id. Ids
// never change and entries are never removed, so a mirror of the library (the renderer) only adds entries.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bv/fit/volume.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/shapes/triangle.hpp"
#include "bv/shapes/voxel_grid.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "platform/jobs.hpp"
#include "results/frame_results.hpp"
#include "results/volume_choice.hpp"

namespace lab {

/// A volume fitted in the mesh's frame, for tables and reports.
struct FittedVolume {
    VolumeKind kind = VolumeKind::Sphere;
    std::string algorithm;  ///< Like `ritter`.
    double volume = 0;
    double surface = 0;
    double fit_ms = 0;
};

template <class Volume>
struct Fitted {
    Volume volume;  ///< In the mesh's frame.
    double fit_ms = 0;
};

struct MeshEntry {
    std::string name;    ///< As `spawn` takes it: `torus`, or the file name without its folder.
    std::string wanted;  ///< The name that it would have in an empty library.
    std::string source;  ///< `generated`, or the path of its file.
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    bv::Sphere sphere;  ///< By the default algorithm, as is `obb`; `fitted` has the others.
    bv::Aabb aabb_tight;
    bv::Obb obb;
    std::vector<glm::vec3> extremes;          ///< Vertices of its hull: no others can touch a tight box.
    bv::MeshBvh8 bvh;                         ///< Over the triangles, for rays.
    std::shared_ptr<const bv::MeshBvh> tree;  ///< The binary tree from which `bvh` was built; easier to show.
    std::uint64_t stamp = 0;  ///< Identifies the mesh, also outside of a library. See `next_stamp`.

    std::optional<MeshId> replaced;             ///< The mesh read earlier from the same file.
    std::shared_ptr<const VoxelSkin> voxels;    ///< For a voxel model: how it is drawn,
    std::shared_ptr<const bv::VoxelGrid> grid;  ///< and its voxels in the mesh's frame.

    [[nodiscard]] bv::MeshView view() const { return {positions, triangles}; }
    /// The volume around all vertices, by the algorithm that `choice` names for the kind. Fitted on the first
    /// call, which can take seconds, then cached. Safe from several threads.
    [[nodiscard]] const Fitted<bv::fit::Volume>& fitted(VolumeKind kind, const VolumeChoice& choice) const;
    /// True if the fits of `kinds`, and of the kind that pair tests use, are cached.
    [[nodiscard]] bool has_fits(const VolumeChoice& choice, VolumeSet kinds = drawn_from_start()) const;
    /// Makes the first missing fit. False if none was missing.
    bool make_next_fit(const VolumeChoice& choice, VolumeSet kinds) const;
    /// The fitted volumes, in the order of the table of volumes.
    [[nodiscard]] std::vector<FittedVolume> volumes(const VolumeChoice& choice,
                                                    VolumeSet kinds = drawn_from_start()) const;

    struct Fits;
    [[nodiscard]] static std::shared_ptr<Fits> no_fits();
    std::shared_ptr<Fits> fits;  ///< The cache of `fitted`.
    double aabb_tight_ms = 0;    ///< Time to fit it.

  private:
    /// The first kind of `has_fits` that is not cached; null if all are.
    [[nodiscard]] const VolumeSpec* missing_fit(const VolumeChoice& choice, VolumeSet kinds) const;
};

/// Called with each new mesh and its stamp, from any thread: a renderer prepares its buffers there. If it may
/// wait, it can return false at once, and is called again with the next frame until it returns true.
using MeshObserver = std::function<bool(std::uint64_t stamp, const bv::MeshView&, bool may_wait)>;

/// Optional parts of new meshes that a session needs.
struct MeshNeeds {
    MeshObserver observer;                 ///< May be empty. With it, showing a mesh never blocks a frame.
    VolumeChoice fits;                     ///< The algorithms that its bodies will need,
    VolumeSet kinds = drawn_from_start();  ///< for these kinds.
};

class MeshLibrary {
  public:
    static constexpr std::string_view kGenerated = "generated";  ///< MeshEntry::source of built-in meshes.
    static constexpr std::string_view kCut =
        "cut";  ///< MeshEntry::source of pieces that a scene cut from other meshes.

    /// Adds a mesh and fits its volumes. A taken name gets a number: `cube`, `cube 2`. Every index must be
    /// below the number of positions and every position finite.
    MeshId add(std::string name, std::string source, std::vector<glm::vec3> positions,
               std::vector<glm::uvec3> triangles);
    /// The same for an entry that MeshMaking has made.
    MeshId insert(MeshEntry mesh);
    /// Adds a mesh read from a file. If the same file was read before and has not changed, returns the old
    /// entry. If it has changed, the new entry takes over the name, and the old one, which bodies may still
    /// use, gets another.
    MeshId insert_file(MeshEntry mesh);
    /// The mesh read last from a file, however its path is spelled.
    [[nodiscard]] std::optional<MeshId> find_file(const std::string& path) const;
    using Names = std::vector<std::pair<MeshId, std::string>>;
    /// The names that the meshes would have if they alone were added to the generated ones, in this order.
    [[nodiscard]] Names fresh_names(const std::vector<MeshId>& meshes) const;
    /// Names the meshes. Others that have such a name get a different one, except for generated meshes: then
    /// the newly named mesh gets a number.
    void rename(const Names& names);
    /// Removes the entries after the first `count`, which nothing may refer to yet.
    void take_back(std::size_t count);
    /// Applied to meshes made from now on.
    [[nodiscard]] const MeshNeeds& needs() const { return needs_; }
    void set_observer(MeshObserver observer) { needs_.observer = std::move(observer); }
    void set_fits(const VolumeChoice& fits, VolumeSet kinds) {
        needs_.fits = fits;
        needs_.kinds = kinds;
    }
    /// Adds the generated meshes (cube, torus, ...) in a fixed order.
    void add_generated();

    [[nodiscard]] std::optional<MeshId> find(std::string_view name) const;
    /// `id` must come from this library.
    [[nodiscard]] const MeshEntry& operator[](MeshId id) const;
    [[nodiscard]] const std::deque<MeshEntry>& entries() const { return entries_; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// Names in order of ids, for lists and suggestions; without the pieces that a scene has cut.
    [[nodiscard]] std::vector<std::string_view> names() const;

  private:
    [[nodiscard]] std::string free_name(const std::string& wanted) const;

    std::deque<MeshEntry> entries_;  // at stable addresses: jobs read them
    MeshNeeds needs_;
};

}  // namespace lab
