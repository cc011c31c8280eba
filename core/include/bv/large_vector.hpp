// Vectors whose memory the system may serve in large pages. A tree of a million nodes spans tens of thousands
// of ordinary pages, and a query that jumps around in it pays for an address translation on most of its
// jumps.
#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace bv::detail {

/// Memory for `bytes`, aligned to `alignment`, a power of two. From 4 MiB on it is aligned to 2 MiB, and
/// Linux is asked for large pages; elsewhere this is `operator new`. Throws std::bad_alloc.
[[nodiscard]] void* allocate_large(std::size_t bytes, std::size_t alignment);
/// Frees memory from `allocate_large`, given the same `bytes` and `alignment`.
void free_large(void* memory, std::size_t bytes, std::size_t alignment) noexcept;

template <class T>
struct LargeAllocator {
    using value_type = T;
    LargeAllocator() = default;
    template <class U>
    LargeAllocator(const LargeAllocator<U>&) noexcept {}
    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(allocate_large(count * sizeof(T), alignof(T)));
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        free_large(memory, count * sizeof(T), alignof(T));
    }
    friend bool operator==(const LargeAllocator&, const LargeAllocator&) noexcept { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace bv::detail
