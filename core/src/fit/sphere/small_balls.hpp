// The smallest ball around a handful of balls, by trying every set that can determine it.
#pragma once

#include <array>
#include <cstddef>
#include <glm/vec3.hpp>
#include <span>

namespace bv::detail {

struct DBall {
    glm::dvec3 center{0.0};
    double radius = 0.0;
};

/// The smallest ball around balls, and those that determine it by touching it from inside.
struct Basis {
    DBall ball;
    std::array<std::size_t, 4> members{};
    std::size_t count = 0;
};

inline constexpr std::size_t kMaxBalls = 5;

/// Takes 1 to kMaxBalls balls, of which the last is not inside the smallest ball around the others: so it is
/// a member. Of all sets of up to four with it, chooses the ball whose center has the least maximum distance
/// to the far sides of all balls: the smallest enclosing ball minimizes just that function, so the choice is
/// robust for nearly degenerate sets.
[[nodiscard]] Basis smallest_of_few(std::span<const DBall> balls) noexcept;

}  // namespace bv::detail
