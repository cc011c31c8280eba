// How bodies move between two steps, by the kind of motion that each was given.
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
    Drift,  ///< Straight on, reflected by the walls.
    Orbit,  ///< In a circle about the vertical through `anchor`.
    Walk,   ///< A little push every step, never faster than `fastest`.
    Fall,   ///< Gravity, and a floor to bounce off: the room's, or y = 0.
    Still,  ///< Neither moves nor turns.
};

struct Motion {
    MotionKind kind = MotionKind::Drift;
    glm::vec3 anchor{0.0f};
    float fastest = 0.0f;     ///< m/s
    std::uint32_t steps = 0;  ///< Taken so far: where a walk is in its random numbers.
};

/// As the choices of `spawn.motion`: `drift`, `orbit`, `walk`, `fall`, `still`.
[[nodiscard]] std::string_view id_of(MotionKind kind);
[[nodiscard]] std::optional<MotionKind> motion_kind(std::string_view id);

/// Moves and turns the body by one step. `tight` is the box around its vertices as they stand. `room` may be
/// empty: then there are no walls. Only sums, products
/// and square roots, so that every machine gets the same bits.
void advance(Body& body, const bv::Aabb& tight, const bv::Aabb& room, float dt_s);

}  // namespace lab
