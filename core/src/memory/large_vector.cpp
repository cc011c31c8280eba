#include "bv/large_vector.hpp"

#include <cstddef>
#include <limits>
#include <new>

#if defined(__linux__) && !defined(__EMSCRIPTEN__)
#define BV_HAS_LARGE_PAGES 1
#include <sys/mman.h>
#else
#define BV_HAS_LARGE_PAGES 0
#endif

namespace bv::detail {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

constexpr bool is_large(std::size_t bytes) noexcept {
    return BV_HAS_LARGE_PAGES != 0 && bytes >= 2 * kLargePage;
}

}  // namespace

void* allocate_large(std::size_t bytes, std::size_t alignment) {
    // An aligned operator new rounds up to its alignment, and may do so beyond the largest number.
    if (bytes > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) throw std::bad_alloc();
    if (is_large(bytes)) {
        void* const memory = ::operator new (bytes, std::align_val_t{kLargePage});
#if BV_HAS_LARGE_PAGES
        // Only a hint: without large pages, the memory works as well.
        static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
        return memory;
    }
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
    return ::operator new (bytes, std::align_val_t{alignment});
}

void free_large(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    // The form without a size: clang supports the sized one only on request.
    if (is_large(bytes)) return ::operator delete (memory, std::align_val_t{kLargePage});
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator delete(memory);
    ::operator delete (memory, std::align_val_t{alignment});
}

}  // namespace bv::detail
