// The memory of this process: how much it may still allocate, and when it gives some back.
#pragma once

#include <cstdint>
#include <optional>

namespace lab::platform {

/// The least, in bytes, of the machine's free memory and the limits of the cgroup and the process. Nothing if
/// the system does not report them.
[[nodiscard]] std::optional<std::uint64_t> available_memory();

/// Keeps up to 128 MiB of freed memory instead of giving it back at once. A software renderer allocates and
/// frees tens of megabytes in each frame: that took two thirds of a frame of 10,000 bodies.
void keep_freed_memory();

}  // namespace lab::platform
