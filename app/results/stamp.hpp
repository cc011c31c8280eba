// Numbers that name states. Whatever is kept for a state is known by its number: counting up inside an object
// would not do, since a world that was copied, loaded or gone back to counts along another way.
#pragma once

#include <atomic>
#include <cstdint>

namespace lab {

/// Larger than any before in this process, and never 0. Safe from several threads.
inline std::uint64_t next_stamp() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace lab
