// Every mesh of a session, with the volumes fitted around it once in its own frame. Bodies refer to meshes by
// id; ids never change and entries are never removed, so whoever mirrors the library (the renderer) only
// looks for new entries.
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
    std::string name;    ///< What `spawn` takes: `torus`, or the file name without its folder.
    std::string source;  ///< `generated`, or the path that it was read from.
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;

    bv::Sphere sphere;  ///< By the default choice, as is `obb`; see `fitted` for the others.
    bv::Aabb aabb_tight;
    bv::Obb obb;
    std::vector<glm::vec3> extremes;  ///< The corners of its hull: no other vertex touches a tight box.
    bv::MeshBvh8 bvh;                 ///< Over the triangles, for rays.
    std::shared_ptr<const bv::MeshBvh> tree;  ///< The binary tree that `bvh` was made from, easier to show.
    std::uint64_t stamp = 0;  ///< Names the mesh, also before it joins a library. See `next_stamp`.

    std::optional<MeshId> replaced;             ///< What was read from the same file before.
    std::shared_ptr<const VoxelSkin> voxels;    ///< Of a voxel model: how it is drawn,
    std::shared_ptr<const bv::VoxelGrid> grid;  ///< and its voxels in the mesh's frame.

    [[nodiscard]] bv::MeshView view() const { return {positions, triangles}; }
    /// Around all vertices, by the algorithm that the choice has for the kind. Made when first asked for,
    /// which can take seconds, and kept. Safe from several threads.
    [[nodiscard]] const Fitted<bv::fit::Volume>& fitted(VolumeKind kind, const VolumeChoice& choice) const;
    /// True if the fits of some kinds are there already, and that of the kind that decides about pairs.
    [[nodiscard]] bool has_fits(const VolumeChoice& choice, VolumeSet kinds = drawn_from_start()) const;
    /// Makes those that are not.
    void make_fits(const VolumeChoice& choice, VolumeSet kinds = drawn_from_start()) const;
    /// In the order of the table of volumes.
    [[nodiscard]] std::vector<FittedVolume> volumes(const VolumeChoice& choice,
                                                    VolumeSet kinds = drawn_from_start()) const;

    struct Fits;
    std::shared_ptr<Fits> fits;  ///< What `fitted` keeps.
    double aabb_tight_ms = 0;    ///< What fitting it took.
};

/// Sees a mesh, named by its stamp, as soon as it is made: a renderer then prepares what drawing it takes.
/// Called from any thread.
using MeshObserver = std::function<void(std::uint64_t stamp, const bv::MeshView&)>;

/// What a session wants of a mesh beyond what every mesh has.
struct MeshNeeds {
    MeshObserver observer;                 ///< If there is one: lets showing it never block a frame.
    VolumeChoice fits;                     ///< That its bodies will ask for,
    VolumeSet kinds = drawn_from_start();  ///< of these kinds.
};

class MeshLibrary {
  public:
    static constexpr std::string_view kGenerated =
        "generated";  ///< MeshEntry::source of what came with the program.
    static constexpr std::string_view kCut =
        "cut";  ///< The same of pieces that a scene made of other meshes.

    /// Adds a mesh and fits its volumes. A taken name gets a number: `cube`, `cube 2`. Every index must be
    /// below the number of positions and every position finite.
    MeshId add(std::string name, std::string source, std::vector<glm::vec3> positions,
               std::vector<glm::uvec3> triangles);
    /// The first half of `add`, for a job: fits the volumes and builds the trees. Touches no library; safe
    /// from any thread. A cancelled job gets an unfinished entry, for nothing but to be thrown away.
    [[nodiscard]] static MeshEntry make(std::string name, std::string source,
                                        std::vector<glm::vec3> positions, std::vector<glm::uvec3> triangles,
                                        const MeshNeeds& needs, const JobControl& control);
    /// The second half: takes it in.
    MeshId insert(MeshEntry mesh);
    /// Takes in what was read from a file. If the same file was read before, either nothing has changed and
    /// that entry stands for it, or the new one takes over its name and the old one, which bodies may have,
    /// gets another.
    MeshId insert_file(MeshEntry mesh);
    /// What was read last from a file, however its path is spelled.
    [[nodiscard]] std::optional<MeshId> find_file(const std::string& path) const;
    /// Forgets the entries after the first `count` again, before anybody has seen them.
    void take_back(std::size_t count);
    /// What the session wants of meshes that are made from now on.
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
    std::deque<MeshEntry> entries_;  // which stay where they are: jobs look at them
    MeshNeeds needs_;
};

}  // namespace lab
