#include "scenes/trees/flat_crowd.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/random.hpp"

namespace lab::scenes {

FlatCrowd::FlatCrowd(int count, std::uint64_t seed, double resting_share) {
    bv::workloads::Random random(seed, 0xfa);
    const float half = std::max(2.0f, 0.5f * std::sqrt(4.5f * static_cast<float>(count)));
    arena_ = {glm::vec3(-half * 1.3f, 0.0f, -half / 1.3f), glm::vec3(half * 1.3f, 1.0f, half / 1.3f)};
    for (int i = 0; i < count; ++i) {
        const float half_z = random.uniform(0.25f, 0.7f);
        const float half_y = random.uniform(0.2f, 0.5f);
        const float half_x = random.uniform(0.25f, 0.7f);
        const glm::vec3 half_size(half_x, half_y, half_z);
        glm::vec3 center = random.in_box(arena_.min + half_size, arena_.max - half_size);
        center.y = half_size.y;
        const glm::vec3 direction = random.direction();
        const float length = std::sqrt(direction.x * direction.x + direction.z * direction.z);
        const bool rests = std::floor(resting_share * (i + 1)) > std::floor(resting_share * i);
        const float share = rests ? 0.0f : random.uniform(0.15f, 1.0f);
        halves_.push_back(half_size);
        centers_.push_back(center);
        courses_.push_back(length > 1e-3f ? share / length * glm::vec3(direction.x, 0.0f, direction.z)
                                          : glm::vec3(share, 0.0f, 0.0f));
    }
}

void FlatCrowd::step(float speed, float dt_s) {
    for (std::size_t i = 0; i < centers_.size(); ++i) {
        centers_[i] += speed * dt_s * courses_[i];
        for (const int axis : {0, 2}) {
            const float course = std::abs(courses_[i][axis]);
            if (centers_[i][axis] - halves_[i][axis] < arena_.min[axis]) courses_[i][axis] = course;
            if (centers_[i][axis] + halves_[i][axis] > arena_.max[axis]) courses_[i][axis] = -course;
        }
    }
}

void FlatCrowd::place(std::size_t i, const glm::vec3& center) {
    centers_[i] = {center.x, centers_[i].y, center.z};
}

}  // namespace lab::scenes
