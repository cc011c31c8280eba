// Whether every coordinate is a number and none is infinite.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>

namespace bv::detail {

[[nodiscard]] inline bool is_finite(const glm::vec3& p) noexcept {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

}  // namespace bv::detail
