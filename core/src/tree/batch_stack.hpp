// A traversal stack whose top entries are taken several at once. It cannot overflow: it starts on the machine
// stack, N entries long, and moves to the heap when it outgrows that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace bv::detail {

template <class T, std::size_t N>
class BatchStack {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    BatchStack() noexcept {
    }  // leaves the inline entries uninitialized on purpose: they are written before they are read
    BatchStack(const BatchStack&) = delete;
    BatchStack& operator=(const BatchStack&) = delete;

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] const T& top() const noexcept { return items_[size_ - 1]; }
    void drop() noexcept { --size_; }
    void push(const T& value) {
        T* const end = reserve(1);
        *end = value;
        end_at(end + 1);
    }
    /// Makes space for `count` more entries, and returns where they go.
    [[nodiscard]] T* reserve(std::size_t count) {
        if (capacity_ - size_ < count) grow(count);
        return items_ + size_;
    }
    /// Sets the end of the entries, within the space that was reserved.
    void end_at(const T* end) noexcept { size_ = static_cast<std::size_t>(end - items_); }
    /// Takes as many entries from the top as fit and exist, the top one last; returns their number.
    template <std::size_t Count>
    std::size_t pop(T (&out)[Count]) noexcept {
        const std::size_t count = std::min(Count, size_);
        size_ -= count;
        std::copy_n(items_ + size_, count, out);
        return count;
    }

  private:
    void grow(std::size_t count) {
        std::vector<T> larger(2 * (size_ + count));
        std::copy_n(items_, size_, larger.begin());
        heap_.swap(larger);
        items_ = heap_.data();
        capacity_ = heap_.size();
    }

    union Storage {
        Storage() noexcept {}
        T items[N];
    };
    Storage inline_;
    std::vector<T> heap_;
    T* items_ = inline_.items;
    std::size_t size_ = 0;
    std::size_t capacity_ = N;
};

}  // namespace bv::detail
