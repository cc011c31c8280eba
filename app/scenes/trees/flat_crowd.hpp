// A crowd of boxes that move on the floor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace lab::scenes {

/// Boxes in one flat layer, so that every one is visible. A share of them rests, the others have various
/// speeds, and walls reflect them.
class FlatCrowd {
  public:
    FlatCrowd(int count, std::uint64_t seed, double resting_share);
    void step(float speed, float dt_s);
    /// Moves a box; its height above the floor stays.
    void place(std::size_t i, const glm::vec3& center);

    [[nodiscard]] std::size_t size() const { return centers_.size(); }
    [[nodiscard]] bv::Aabb box(std::size_t i) const {
        return {centers_[i] - halves_[i], centers_[i] + halves_[i]};
    }
    [[nodiscard]] const glm::vec3& center(std::size_t i) const { return centers_[i]; }
    /// The velocity at a speed of 1.
    [[nodiscard]] const glm::vec3& course(std::size_t i) const { return courses_[i]; }
    [[nodiscard]] bool rests(std::size_t i) const { return courses_[i] == glm::vec3(0.0f); }
    [[nodiscard]] const bv::Aabb& arena() const { return arena_; }

  private:
    std::vector<glm::vec3> centers_, halves_, courses_;
    bv::Aabb arena_;
};

}  // namespace lab::scenes
