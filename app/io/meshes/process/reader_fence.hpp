// The sandbox of the mesh reader.
#pragma once

#include <cstdint>

namespace lab::io {

enum class Fence : std::uint32_t {
    Seccomp =
        1,  ///< Only calls that compute: memory, reading what is open, writing to one descriptor, the end.
    Landlock = 2,  ///< No file can be opened, made, removed or run.
};

/// Confines this process irrevocably: it can read its open descriptors, write to `output`, and exit; every
/// other system call kills it with SIGSYS (fails instead in sanitizer builds, which need a few of them).
/// Either fence alone blocks files and programs; seccomp blocks sockets, too. `wanted` and the result are
/// sets of Fence; the result has those that the kernel refused.
std::uint32_t fence_in(int output, std::uint32_t wanted = 3);

}  // namespace lab::io
