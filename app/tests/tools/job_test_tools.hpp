// Helpers for tests of background jobs.
#pragma once

#include <chrono>
#include <thread>

namespace lab::test {

/// Polls `done` until it returns true; false after a minute.
template <class Done>
bool wait_for(Done&& done) {
    for (int i = 0; i < 30000; ++i) {
        if (done()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

}  // namespace lab::test
