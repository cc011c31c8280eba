// A hint to the cache.
#pragma once

namespace bv::detail {

/// Starts to load the cache line at `p`, which may be any address; without effect where compilers have no
/// such hint.
inline void prefetch([[maybe_unused]] const void* p) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(p);
#endif
}

}  // namespace bv::detail
