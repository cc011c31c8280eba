#include "bv/assert.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace bv {
namespace {

void print_and_abort(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: contract broken: %s\n", file, line, condition);
    std::abort();
}

std::atomic<AssertHandler> g_handler{&print_and_abort};

}  // namespace

AssertHandler set_assert_handler(AssertHandler handler) noexcept {
    return g_handler.exchange(handler ? handler : &print_and_abort);
}

void detail::assert_failed(const char* condition, const char* file, int line) {
    g_handler.load()(condition, file, line);
}

}  // namespace bv
