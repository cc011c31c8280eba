// A body of the world: the state that results show, and its motion.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "bv/ids.hpp"
#include "results/frame_results.hpp"
#include "world/bodies/motion.hpp"

namespace lab {

struct Body {
    BodyState state;
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    Motion motion;
    bv::ProxyId proxy;
};

}  // namespace lab
