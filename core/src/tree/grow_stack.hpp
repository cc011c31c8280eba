// A traversal stack that cannot overflow: the first N entries live on the machine stack, the rest on the
// heap. A tree of ordinary height never allocates, and no input can make a query fail.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace bv::detail {

template <class T, std::size_t N>
class GrowStack {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    GrowStack() noexcept {
    }  // leaves the inline entries uninitialized on purpose: they are written before they are read

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    void push(const T& value) {
        if (size_ < N)
            inline_.items[size_] = value;
        else
            spill_.push_back(value);
        ++size_;
    }
    T pop() noexcept {
        --size_;
        if (size_ < N) return inline_.items[size_];
        const T value = spill_.back();
        spill_.pop_back();
        return value;
    }

  private:
    union Storage {
        Storage() noexcept {}
        T items[N];
    };
    Storage inline_;
    std::vector<T> spill_;
    std::size_t size_ = 0;
};

}  // namespace bv::detail
