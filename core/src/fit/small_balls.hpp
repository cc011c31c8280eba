// The smallest ball around at most a handful of balls, by trying every set that can determine it.
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

/// The smallest ball around balls, and which of them determine it by touching it from inside.
struct Basis {
    DBall ball;
    std::array<std::size_t, 4> members{};
    std::size_t count = 0;
};

inline constexpr std::size_t kMostBalls = 5;

/// At least one ball and at most kMostBalls. Of all sets of up to four that ball is taken whose center has
/// the least distance to the far sides of all: the smallest enclosing ball is the minimum of just that
/// function, so the choice is safe where sets are nearly degenerate.
[[nodiscard]] Basis smallest_of_few(std::span<const DBall> balls) noexcept;

}  // namespace bv::detail
