// Sweep tests: the time at which two solids touch when one of them translates along a straight line.
//
// Moving a against fixed b is the same as a point against the Minkowski sum of b and -a: each sweep is a ray
// cast against that sum. For boxes the sum is bounded by the separating axes, each of which gives an interval
// of time; for balls it is a box with round edges. For two moving solids, pass the difference of their
// velocities.
//
// Solids are closed: touching counts, at the start, at the end, and in between. An axis without velocity is
// decided by position, without a division. An empty shape or a velocity that is not finite hits nothing.
// Velocity in meters per second, times in seconds. Computed in double precision. No allocation, safe from any
// thread. Source: Ericson 2005, 5.5.
#pragma once

#include <glm/vec3.hpp>
#include <limits>
#include <optional>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
#include "bv/shapes/sphere.hpp"
#include "bv/trace/trace.hpp"

namespace bv {

/// The time during which the solids overlap.
struct SweepHit {
    float t_enter = 0;       ///< First contact, in [0, duration]; 0 if they overlap at the start.
    float t_leave = 0;       ///< Last contact; may lie beyond the duration. +inf if they never separate.
    glm::vec3 normal{0.0f};  ///< Unit, at first contact, from the fixed solid to the moving one; zero if they
                             ///< overlap at the start, which includes touching.
};

inline constexpr float kForever = std::numeric_limits<float>::infinity();

/// Moves `moving` along `velocity` for `duration` seconds; empty if it does not hit `fixed`.
[[nodiscard]] std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Aabb& fixed,
                                            float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity,
                                            const Sphere& fixed, float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity,
                                            const Aabb& fixed, float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Sphere& moving, const glm::vec3& velocity, const Obb& fixed,
                                            float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Obb& fixed,
                                            float duration = kForever) noexcept;
/// By the 15 axes of the overlap test. Crosses of edges that are parallel to within 1e-6 are skipped.
[[nodiscard]] std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Obb& fixed,
                                            float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity,
                                            const Sphere& fixed, float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Sphere& fixed,
                                            float duration = kForever) noexcept;
[[nodiscard]] std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Aabb& fixed,
                                            float duration = kForever) noexcept;

/// The same results with one `SlabClipped` per axis, in seconds: three for AABBs, up to 15 for OBBs (`axis`
/// numbers them in the order of the overlap test), and then a `RangeClipped` if the boxes ever touch.
[[nodiscard]] std::optional<SweepHit> sweep(const Aabb& moving, const glm::vec3& velocity, const Aabb& fixed,
                                            float duration, Recording& trace);
[[nodiscard]] std::optional<SweepHit> sweep(const Obb& moving, const glm::vec3& velocity, const Obb& fixed,
                                            float duration, Recording& trace);

}  // namespace bv
