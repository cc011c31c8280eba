// The bodies of a world in order of their ids, and their volumes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "results/body_volumes.hpp"
#include "world/bodies/body.hpp"
#include "world/mesh_library.hpp"
#include "world/volumes.hpp"

namespace lab {

/// A range of bodies. Their volumes are those of the last refit: the tight box of every body, and the volume
/// that it chose. Only its world changes it.
class BodyList {
  public:
    /// `meshes` must outlive the list.
    explicit BodyList(const MeshLibrary& meshes) : meshes_(&meshes) {}
    explicit BodyList(const BodyList&) = default;  // never by accident
    BodyList(BodyList&&) = default;
    BodyList& operator=(const BodyList&) = default;
    BodyList& operator=(BodyList&&) = default;
    ~BodyList() = default;

    [[nodiscard]] auto begin() const { return bodies_.begin(); }
    [[nodiscard]] auto end() const { return bodies_.end(); }
    [[nodiscard]] std::size_t size() const { return bodies_.size(); }
    [[nodiscard]] bool empty() const { return bodies_.empty(); }
    [[nodiscard]] const Body& operator[](std::size_t place) const { return bodies_[place]; }
    [[nodiscard]] const Body& front() const { return bodies_.front(); }
    [[nodiscard]] const Body& back() const { return bodies_.back(); }
    [[nodiscard]] std::span<const Body> all() const { return bodies_; }

    [[nodiscard]] const Body* find(bv::BodyId id) const;
    /// The index of a body of this list.
    [[nodiscard]] std::size_t place_of(const Body& body) const { return index_[body.state.id.value]; }
    [[nodiscard]] const MeshLibrary& meshes() const { return *meshes_; }
    /// Triangles of all visible bodies: the tests of a ray without any tree.
    [[nodiscard]] std::uint64_t visible_triangles() const { return visible_triangles_; }

    // ---- volumes of bodies of this list
    /// Around the vertices.
    [[nodiscard]] const bv::Aabb& tight_box(const Body& body) const;
    /// Computed on demand.
    [[nodiscard]] bv::Sphere sphere(const Body& body) const;
    [[nodiscard]] bv::Aabb fixed_box(const Body& body) const;
    [[nodiscard]] bv::Obb obb(const Body& body) const;
    [[nodiscard]] BodyVolume volume(VolumeKind kind, const Body& body) const;
    /// Contains the body's chosen volume and its mesh. Held by the broadphase.
    [[nodiscard]] bv::Aabb broad_box(const Body& body) const { return broad_box_at(place_of(body)); }
    /// True if the ray hits the body's chosen volume within its t_max.
    [[nodiscard]] bool ray_meets(const bv::Ray& ray, const Body& body) const;
    /// By index. Elements of volumes that a body did not choose are out of date.
    [[nodiscard]] const BodyVolumes& volumes() const { return volumes_; }

  private:
    friend class World;
    friend class PairFinder;

    [[nodiscard]] Body* at(bv::BodyId id);
    [[nodiscard]] bv::Aabb broad_box_at(std::size_t place) const;
    /// For a body that is not in the list. Here and below, `choice` applies to bodies without a choice of
    /// their own.
    [[nodiscard]] bv::Aabb broad_box_of(Body body, const VolumeChoice& choice) const;
    [[nodiscard]] std::size_t triangles_of(const Body& body) const;

    void append(Body body, const VolumeChoice& choice);
    /// Inserts bodies in order of ids, none of which is in the list, at their places.
    void merge(std::vector<Body> added, const VolumeChoice& choice);
    /// Takes a body out of the index. It stays in the list until `drop_unlisted`.
    void unlist(const Body& body);
    void drop_unlisted();
    void clear();
    void set_hidden(Body& body, bool hidden);
    /// Updates index and volumes after a change that was interrupted by an exception.
    void repair(const VolumeChoice& choice);
    /// Updates transform, tight box and chosen volume of one body.
    void refit(std::size_t place, const VolumeChoice& choice);
    void refit_all(const VolumeChoice& choice);
    void refit_column(VolumeKind kind, bool every_body);
    /// Row i becomes what was row `from[i]`, or a new row where `from[i]` is no row.
    void rearrange_volumes(std::span<const std::uint32_t> from);
    void grow_index_to(bv::BodyId last);
    void index_from(std::size_t first) noexcept;

    const MeshLibrary* meshes_;
    std::vector<Body> bodies_;
    std::vector<std::uint32_t> index_;  // the index of the body with each id
    BodyVolumes volumes_;
    VolumeSet kinds_on_ = VolumeKind::AabbTight;  // the columns that are up to date
    std::uint64_t visible_triangles_ = 0;
};

}  // namespace lab
