#include "platform/threads/threads.hpp"

#include <chrono>
#include <thread>

namespace lab::platform {

bool has_threads() {
    return true;
}

void rest(double milliseconds) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

}  // namespace lab::platform
