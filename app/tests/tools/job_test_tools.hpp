// For tests of what goes on beside the frames.
#pragma once

#include <chrono>
#include <thread>

#include "session/session.hpp"

namespace lab::testing_tools {

/// Calls `done` now and then until it answers true; false after a minute.
template <class Done>
bool wait_for(Done&& done) {
    for (int i = 0; i < 30000; ++i) {
        if (done()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

inline void frame(Session& session) {
    session.drain();
    session.step(Session::kFixedStep_s);
}

}  // namespace lab::testing_tools
