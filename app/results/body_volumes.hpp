// The volumes of bodies: for each kind that is on, an array of its shape in the order of the bodies.
#pragma once

#include <array>
#include <cstddef>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <variant>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/kdop.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"
#include "results/shared_list.hpp"
#include "settings/volume_table.hpp"

namespace lab {

/// A hull in its body's pose: the one in the mesh's frame, and the map to world space. Vertices of the mesh
/// may be rounded out of it by up to `slack`.
struct PlacedHull {
    std::shared_ptr<const bv::Hull> hull;  ///< Shared by the bodies of a mesh; null: empty.
    glm::mat4x3 transform{1.0f};
    float slack = 0.0f;  ///< m
    [[nodiscard]] bool is_empty() const { return !hull || hull->is_empty(); }
    [[nodiscard]] glm::vec3 vertex(std::size_t i) const {
        return transform * glm::vec4(hull->vertices[i], 1.0f);
    }
    /// A copy with its vertices in world space, rounded, to draw and to measure.
    [[nodiscard]] bv::Hull placed() const;
    [[nodiscard]] double volume() const { return placed().volume(); }
    [[nodiscard]] double surface_area() const { return placed().surface_area(); }
    /// The same solid, whoever owns the hull.
    friend bool operator==(const PlacedHull& a, const PlacedHull& b) {
        return a.transform == b.transform && a.slack == b.slack &&
               (a.hull == b.hull || (a.hull && b.hull && *a.hull == *b.hull));
    }
};

/// A volume in world space, of the shape that its row of the table names.
using BodyVolume = std::variant<bv::Sphere, bv::Aabb, bv::Obb, bv::Capsule, bv::RectSweptSphere, bv::Kdop<8>,
                                bv::Kdop<14>, bv::Kdop<18>, bv::Kdop<26>, PlacedHull>;

namespace detail {
template <class Volume>
struct ColumnOf;
template <class... Shapes>
struct ColumnOf<std::variant<Shapes...>> {
    using type = std::variant<SharedList<Shapes>...>;
};
}  // namespace detail

/// The volumes of one kind.
using VolumeColumn = detail::ColumnOf<BodyVolume>::type;

/// Without elements, of the shape of a kind.
[[nodiscard]] VolumeColumn empty_column(VolumeKind kind);

/// Copies share their arrays until they change them.
class BodyVolumes {
  public:
    BodyVolumes();

    [[nodiscard]] const VolumeColumn& column(VolumeKind kind) const {
        return columns_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] VolumeColumn& column(VolumeKind kind) { return columns_[static_cast<std::size_t>(kind)]; }
    /// `Shape` must be that of the kind.
    template <class Shape>
    [[nodiscard]] const SharedList<Shape>& list(VolumeKind kind) const {
        return std::get<SharedList<Shape>>(column(kind));
    }
    template <class Shape>
    [[nodiscard]] SharedList<Shape>& list(VolumeKind kind) {
        return std::get<SharedList<Shape>>(column(kind));
    }
    /// The volume of the body at a place. Only for kinds that it has.
    template <class Shape>
    [[nodiscard]] const Shape& get(VolumeKind kind, std::size_t place) const {
        return list<Shape>(kind)[place];
    }
    void clear(VolumeKind kind) { column(kind) = empty_column(kind); }

  private:
    std::array<VolumeColumn, kVolumeKinds> columns_;
};

}  // namespace lab
