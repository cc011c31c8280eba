// Numbers that name states. Caches find the state that they belong to by its number. A counter inside the
// object would not do: a world that was copied, loaded or taken back in time counts up along another branch.
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
