// What tests of steps share.
#pragma once

#include <gtest/gtest.h>

#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "steps/walk.hpp"

namespace lab::test {

/// The walk of the running scene.
inline const steps::Walk& walk_of(const Session& session) {
    const steps::Walk* walk = session.state().scene.running->stepped_walk();
    EXPECT_NE(walk, nullptr);
    return *walk;
}

}  // namespace lab::test
