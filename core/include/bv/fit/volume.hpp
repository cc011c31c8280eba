// Any bounding volume, behind one set of functions: so that panels, reports, tests and benchmarks treat all
// kinds alike.
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

/// Any one of the volumes.
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
/// Stable id of a kind, like `sphere` or `kdop14`, and its name for people. Empty for a value that is no kind.
[[nodiscard]] std::string_view id_of(VolumeKind kind) noexcept;
[[nodiscard]] std::string_view name_of(VolumeKind kind) noexcept;

/// True for the volume around nothing.
[[nodiscard]] bool is_empty(const Volume& volume) noexcept;
/// Cubic metres, in double, so that small and large ones neither vanish nor overflow; 0 when empty or flat,
/// +inf when unbounded. k-DOPs allocate.
[[nodiscard]] double volume_of(const Volume& volume);
/// Square metres; a flat volume counts on both sides. 0 when empty. k-DOPs allocate.
[[nodiscard]] double surface_area_of(const Volume& volume);
/// Where the volume is centered: its center of symmetry, or the centroid of a hull or k-DOP. Zero when empty.
[[nodiscard]] glm::vec3 center_of(const Volume& volume);
/// The point of the volume farthest along `direction` (any length; zero gives some point of it), in float.
/// Zero when empty or nowhere.
[[nodiscard]] glm::vec3 support(const Volume& volume, const glm::vec3& direction);
/// True iff the closed volume holds the point: bv::contains_point of its kind.
[[nodiscard]] bool contains_point(const Volume& volume, const glm::vec3& p) noexcept;
/// True iff it holds every point that is finite.
[[nodiscard]] bool contains_all(const Volume& volume, std::span<const glm::vec3> points) noexcept;
/// Volume of the hull over the volume: 1 for the hull itself, less the more empty space is enclosed. Where
/// the hull is flat, surfaces are compared instead; 1 if both are points, 0 if either is empty.
[[nodiscard]] double tightness(const Volume& volume, const Hull& hull);
/// A volume of the same kind around the image of this one under an affine map: bv::transformed of its kind.
[[nodiscard]] Volume transformed(const Volume& volume, const glm::mat4x3& affine);
/// Flat faces as a polytope, for boxes, k-DOPs and hulls; nothing for round, empty and unbounded ones.
[[nodiscard]] Polytope polytope_of(const Volume& volume);

}  // namespace bv::fit
