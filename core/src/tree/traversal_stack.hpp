// A stack for walking trees: a fixed part that is enough for every sensible tree, and a vector for the
// others.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace bv::detail {

template <class Entry, std::size_t kInline = 96>
class TraversalStack {
    static_assert(std::is_trivially_copyable_v<Entry>);

  public:
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    void push(const Entry& entry) {
        if (size_ < kInline) {
            fixed_[size_++] = entry;
            return;
        }
        more_.push_back(entry);
        ++size_;
    }
    /// Precondition: not empty.
    Entry pop() noexcept {
        --size_;
        if (size_ < kInline) return fixed_[size_];
        const Entry top = more_.back();
        more_.pop_back();
        return top;
    }

  private:
    Entry fixed_[kInline];
    std::size_t size_ = 0;
    std::vector<Entry> more_;
};

}  // namespace bv::detail
