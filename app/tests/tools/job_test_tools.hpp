// For tests of what goes on beside the frames.
#pragma once

#include <chrono>
#include <thread>

namespace lab::test {

/// Calls `done` now and then until it answers true; false after a minute.
template <class Done>
bool wait_for(Done&& done) {
    for (int i = 0; i < 30000; ++i) {
        if (done()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

}  // namespace lab::test
