// How much memory this process may still take.
#pragma once

#include <cstdint>
#include <optional>

namespace lab::platform {

/// Bytes: what the machine has free, its group of processes and its own limit allow. Nothing if the system
/// does not say.
[[nodiscard]] std::optional<std::uint64_t> available_memory();

}  // namespace lab::platform
