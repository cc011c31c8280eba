// One variant type and one set of functions for all bounding volumes, so that panels, reports, tests and
// benchmarks treat all kinds alike.
#pragma once

#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <variant>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/capsule.hpp"
#include "bv/shapes/hull.hpp"
#include "bv/shapes/kdop.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/polytope.hpp"
#include "bv/shapes/rect_swept_sphere.hpp"
#include "bv/shapes/sphere.hpp"

namespace bv::fit {

/// Any bounding volume.
using Volume = std::variant<Sphere, Aabb, Obb, Kdop<6>, Kdop<8>, Kdop<14>, Kdop<18>, Kdop<26>, Hull, Capsule,
                            RectSweptSphere>;

/// The kind of a volume, in the order of the alternatives of Volume.
enum class VolumeKind : unsigned char {
    Sphere,
    Aabb,
    Obb,
    Kdop6,
    Kdop8,
    Kdop14,
    Kdop18,
    Kdop26,
    Hull,
    Capsule,
    RectSweptSphere,
};
[[nodiscard]] VolumeKind kind_of(const Volume& volume) noexcept;
/// Stable id of a kind, like `sphere` or `kdop14`, and its display name. Empty for a value outside the enum.
[[nodiscard]] std::string_view id_of(VolumeKind kind) noexcept;
[[nodiscard]] std::string_view name_of(VolumeKind kind) noexcept;

/// True if the volume contains no point.
[[nodiscard]] bool is_empty(const Volume& volume) noexcept;
/// Cubic meters, in double, so that neither small nor large volumes underflow or overflow; 0 when empty or
/// flat, +inf when unbounded. k-DOPs allocate.
[[nodiscard]] double volume_of(const Volume& volume);
/// Square meters; a flat volume counts on both sides. 0 when empty. k-DOPs allocate.
[[nodiscard]] double surface_area_of(const Volume& volume);
/// Its center of symmetry, or the centroid of a hull or k-DOP. Zero when empty.
[[nodiscard]] glm::vec3 center_of(const Volume& volume);
/// The point of the volume farthest along `direction` (any length; zero gives some point of it), in float.
/// Zero when empty or without a finite position.
[[nodiscard]] glm::vec3 support(const Volume& volume, const glm::vec3& direction);
/// True iff the closed volume contains the point: bv::contains_point of its kind.
[[nodiscard]] bool contains_point(const Volume& volume, const glm::vec3& p) noexcept;
/// True iff it contains every finite point.
[[nodiscard]] bool contains_all(const Volume& volume, std::span<const glm::vec3> points) noexcept;
/// Volume of the hull over the volume: 1 for the hull itself, smaller the more empty space is enclosed.
/// Compares surface areas where the hull is flat; 1 if both are points, 0 if either is empty.
[[nodiscard]] double tightness(const Volume& volume, const Hull& hull);
/// A volume of the same kind around the image of this one under an affine map: bv::transformed of its kind.
[[nodiscard]] Volume transformed(const Volume& volume, const glm::mat4x3& affine);
/// Flat faces as a polytope, for boxes, k-DOPs and hulls; empty for round, empty and unbounded ones.
[[nodiscard]] Polytope polytope_of(const Volume& volume);

}  // namespace bv::fit
