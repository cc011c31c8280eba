// Contract checks of the library. A broken precondition is a bug in the caller: BV_ASSERT reports it through
// a handler that the program may replace. Bad data never breaks a contract; it yields an empty std::optional
// or a status.
#pragma once

namespace bv {

/// Receives the failed condition and its location. If it returns, the checked function continues: its result
/// is then unspecified, but it accesses no memory out of bounds.
using AssertHandler = void (*)(const char* condition, const char* file, int line);

/// Installs `handler` (nullptr restores the default, which prints to stderr and aborts) and returns the
/// previous one. Safe to call from any thread.
AssertHandler set_assert_handler(AssertHandler handler) noexcept;

namespace detail {
void assert_failed(const char* condition, const char* file, int line);
}

}  // namespace bv

// Checks are on in every build unless BV_NO_ASSERT is defined: they guard operations that cost far more.
#ifdef BV_NO_ASSERT
#define BV_ASSERT(condition) static_cast<void>(0)
#else
#define BV_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::bv::detail::assert_failed(#condition, __FILE__, __LINE__))
#endif
