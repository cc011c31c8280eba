// What keeps the mesh reader harmless whatever a file makes it do.
#pragma once

#include <cstdint>

namespace lab::io {

enum class Fence : std::uint32_t {
    Seccomp =
        1,  ///< Only calls that compute: memory, reading what is open, writing to one descriptor, the end.
    Landlock = 2,  ///< No file can be opened, made, removed or run.
};

/// Shuts this process in for good: from now on it can read what it has open, write to `output`, and end;
/// every other call into the kernel ends it with SIGSYS (in builds with sanitizers, which need a few of them,
/// it fails instead). Each fence alone keeps files and programs out of reach; seccomp, sockets, too. `wanted`
/// and the result are sets of Fence; the result has those that the kernel refused.
std::uint32_t fence_in(int output, std::uint32_t wanted = 3);

}  // namespace lab::io
