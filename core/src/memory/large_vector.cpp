#include "bv/large_vector.hpp"

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

std::align_val_t alignment_of(std::size_t bytes, std::size_t alignment) noexcept {
    constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    return std::align_val_t{is_large(bytes) ? kLargePage : alignment < kUsual ? kUsual : alignment};
}

}  // namespace

void* allocate_large(std::size_t bytes, std::size_t alignment) {
    void* const memory = ::operator new(bytes, alignment_of(bytes, alignment));
#if BV_HAS_LARGE_PAGES
    // A wish: without large pages, the memory is as good.
    if (is_large(bytes)) static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
    return memory;
}

void free_large(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    // Without the size: clang knows that form only when asked to.
    ::operator delete(memory, alignment_of(bytes, alignment));
}

}  // namespace bv::detail
