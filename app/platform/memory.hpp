// The memory that this process may still allocate.
#pragma once

#include <cstdint>
#include <optional>

namespace lab::platform {

/// The least, in bytes, of the machine's free memory and the limits of the cgroup and the process. Nothing if
/// the system does not report them.
[[nodiscard]] std::optional<std::uint64_t> available_memory();

}  // namespace lab::platform
