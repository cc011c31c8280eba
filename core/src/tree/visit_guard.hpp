// Marks a container as being visited by this thread, to catch a visitor that tries to change it. The marks
// are a linked list on the machine stack with one head per thread, so queries on several threads share
// nothing.
#pragma once

#include <cstddef>

namespace bv::detail {

/// Pairs found before a visitor gets them: far more than an ordinary part of a tree has, and few bytes.
inline constexpr std::size_t kPairsAtOnce = std::size_t{1} << 14;

class VisitGuard {
  public:
    explicit VisitGuard(const void* visited) noexcept : visited_(visited), outer_(head()) { head() = this; }
    ~VisitGuard() { head() = outer_; }
    VisitGuard(const VisitGuard&) = delete;
    VisitGuard& operator=(const VisitGuard&) = delete;

    [[nodiscard]] static bool is_visited(const void* object) noexcept {
        for (const VisitGuard* g = head(); g; g = g->outer_)
            if (g->visited_ == object) return true;
        return false;
    }

  private:
    static const VisitGuard*& head() noexcept {
        static thread_local const VisitGuard* innermost = nullptr;
        return innermost;
    }
    const void* visited_;
    const VisitGuard* outer_;
};

}  // namespace bv::detail
