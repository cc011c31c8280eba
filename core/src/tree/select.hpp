// Selection: the n smallest of a range first. std::nth_element leaves both sides in an order that depends on
// the standard library, and so would the leaves of a tree built by it. This one gives the same order
// everywhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <utility>

namespace bv::detail {

/// Moves the median of `a`, `b` and `c` to `to`.
template <class It, class Less>
void median_to(It to, It a, It b, It c, const Less& less) {
    if (less(*b, *a)) std::swap(a, b);
    // Now a <= b.
    std::iter_swap(to, less(*b, *c) ? b : less(*a, *c) ? c : a);
}

/// Reorders [begin, end) so that `nth` holds what a sort would put there, nothing before it is greater and
/// nothing behind it less. `less` is a strict weak order; elements that it holds equal end in an unspecified
/// order, which is the same everywhere. Hoare's quickselect with the median of three; where that makes little
/// progress, a sort. Cost: linear on average, n log n at worst.
template <class It, class Less>
void select_nth(It begin, It nth, It end, const Less& less) {
    if (nth == end) return;
    int rounds = 2 * static_cast<int>(std::bit_width(static_cast<std::size_t>(end - begin)));
    while (end - begin > 3) {
        if (rounds-- == 0) {
            std::stable_sort(begin, end, less);
            return;
        }
        // The pivot stays at `begin` and bounds the search from above; the other two of the three bound both.
        median_to(begin, begin + 1, begin + (end - begin) / 2, end - 1, less);
        It low = begin + 1;
        It high = end;
        for (;;) {
            while (less(*low, *begin))
                ++low;
            --high;
            while (less(*begin, *high))
                --high;
            if (low >= high) break;
            std::iter_swap(low, high);
            ++low;
        }
        (low <= nth ? begin : end) = low;
    }
    // Insertion sort of what is left.
    for (It i = begin; i != end; ++i)
        for (It k = i; k != begin && less(*k, *std::prev(k)); --k)
            std::iter_swap(k, std::prev(k));
}

}  // namespace bv::detail
