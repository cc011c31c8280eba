// Threads of the platform besides the main thread.
#pragma once

namespace lab::platform {

/// Whether threads can be started. If not, every job runs between two frames.
[[nodiscard]] bool has_threads();

/// Sleeps, where the main thread may.
void rest(double milliseconds);

}  // namespace lab::platform
