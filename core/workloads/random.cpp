#include "workloads/random.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace bv::workloads {

Random::Random(std::uint64_t seed, std::uint64_t stream) noexcept : state_(0), increment_((stream << 1) | 1) {
    next_u32();
    state_ += seed;
    next_u32();
}

std::uint32_t Random::next_u32() noexcept {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ull + increment_;
    const auto mixed = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

std::uint32_t Random::below(std::uint32_t n) noexcept {
    if (n == 0) return 0;
    // The first 2^32 mod n values would make small results likelier: reject them.
    const std::uint32_t unfair = (0u - n) % n;
    for (;;) {
        const std::uint32_t r = next_u32();
        if (r >= unfair) return r % n;
    }
}

float Random::uniform() noexcept {
    return static_cast<float>(next_u32() >> 8) * 0x1p-24f;
}

float Random::uniform(float low, float high) noexcept {
    return std::min(low + (high - low) * uniform(), high);
}

glm::vec3 Random::in_box(const glm::vec3& low, const glm::vec3& high) noexcept {
    // Separate statements: the order of evaluation of arguments is unspecified.
    const float x = uniform(low.x, high.x);
    const float y = uniform(low.y, high.y);
    const float z = uniform(low.z, high.z);
    return {x, y, z};
}

glm::vec3 Random::in_ball() noexcept {
    for (;;) {
        const glm::vec3 p = in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        if (glm::dot(p, p) <= 1.0f) return p;
    }
}

glm::vec3 Random::direction() noexcept {
    for (;;) {
        const glm::vec3 p = in_ball();
        const float length_sq = glm::dot(p, p);
        if (length_sq > 1e-4f) return p / std::sqrt(length_sq);
    }
}

glm::mat3 Random::rotation() noexcept {
    // A point in the unit ball of four dimensions, by rejection, normalized, is a uniform unit quaternion.
    for (;;) {
        const float w = uniform(-1.0f, 1.0f);
        const glm::vec3 v = in_box(glm::vec3(-1.0f), glm::vec3(1.0f));
        const float length_sq = w * w + glm::dot(v, v);
        if (length_sq > 1.0f || length_sq < 1e-4f) continue;
        const float scale = 1.0f / std::sqrt(length_sq);
        return glm::mat3_cast(glm::quat(w * scale, v.x * scale, v.y * scale, v.z * scale));
    }
}

}  // namespace bv::workloads
