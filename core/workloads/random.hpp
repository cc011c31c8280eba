// Random numbers that are the same on every compiler and machine.
//
// PCG32 (XSH-RR 64/32) [O'Neill 2014]: 64 bits of state, 32 bits per draw, and a stream number that gives
// independent sequences from one seed. Nothing here uses the distributions of the standard library, whose
// results differ between its implementations, nor sine or logarithm, whose last bits do: only products, sums
// and square roots.
//
// One draw per statement: in `f(r.uniform(), r.uniform())` and `r.uniform() * r.direction()` each compiler
// chooses its own order.
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <iterator>

namespace bv::workloads {

class Random {
  public:
    /// Equal seeds and streams give equal sequences; any values will do.
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept;

    std::uint32_t next_u32() noexcept;
    /// Uniform in 0..n-1 without bias; 0 when `n` is 0.
    std::uint32_t below(std::uint32_t n) noexcept;
    /// Uniform in [0, 1), a multiple of 2^-24.
    float uniform() noexcept;
    /// Uniform in [low, high], for finite bounds with low <= high.
    float uniform(float low, float high) noexcept;
    /// Each coordinate uniform between those of `low` and `high`.
    glm::vec3 in_box(const glm::vec3& low, const glm::vec3& high) noexcept;
    /// Uniform in the ball of radius 1.
    glm::vec3 in_ball() noexcept;
    /// Uniform on the sphere of radius 1; unit length to a rounding step.
    glm::vec3 direction() noexcept;
    /// Uniform over all rotations; columns orthonormal to a few rounding steps, right-handed.
    glm::mat3 rotation() noexcept;
    /// True with probability `p`.
    bool chance(float p) noexcept { return uniform() < p; }
    /// Any element of a list that is not empty.
    template <class List>
    [[nodiscard]] decltype(auto) one_of(List&& list) noexcept {
        return std::begin(list)[below(static_cast<std::uint32_t>(std::size(list)))];
    }

  private:
    std::uint64_t state_;
    std::uint64_t increment_;
};

}  // namespace bv::workloads
