// Motion of bodies, by kind.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "bv/shapes/aabb.hpp"

namespace lab {

struct Body;

enum class MotionKind : unsigned char {
    Drift,  ///< Straight, reflected by the walls.
    Orbit,  ///< In a circle about the vertical through `anchor`.
    Walk,   ///< A small random push every step; at most as fast as `fastest`.
    Fall,   ///< Gravity and a floor to bounce off: the arena's, or y = 0.
    Still,  ///< Neither moves nor turns.
};

struct Motion {
    MotionKind kind = MotionKind::Drift;
    glm::vec3 anchor{0.0f};
    float fastest = 0.0f;     ///< m/s
    std::uint32_t steps = 0;  ///< Taken so far: the position in the random sequence of a walk.
};

/// The ids of the choices of `spawn.motion`: `drift`, `orbit`, `walk`, `fall`, `still`.
[[nodiscard]] std::string_view id_of(MotionKind kind);
[[nodiscard]] std::optional<MotionKind> motion_kind(std::string_view id);

/// Moves and turns the body by one step. `tight` is the current box around its vertices. An empty `arena` has
/// no walls. Uses only sums, products and square roots, so that every machine gets the same bits.
void advance(Body& body, const bv::Aabb& tight, const bv::Aabb& arena, float dt_s);

}  // namespace lab
