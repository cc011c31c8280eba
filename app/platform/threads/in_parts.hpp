// Loops over many elements on the program's threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platform/threads/thread_pool.hpp"

namespace lab::platform {

/// For loops over bodies: enough of them to outweigh the start of a thread.
inline constexpr std::size_t kBodiesPerPart = 1024;

/// Calls `work(begin, end)` for consecutive ranges of `length` elements, the last one perhaps shorter, that
/// together are 0 to `count`. The ranges do not depend on the number of threads; a single one is worked
/// on by the caller.
template <class Work>
void in_parts(std::size_t count, std::size_t length, const Work& work) {
    const std::size_t parts = (count + length - 1) / length;
    if (parts <= 1) {
        if (parts == 1) work(std::size_t{0}, count);
        return;
    }
    all_cores().run(parts,
                    [&](std::size_t part) { work(part * length, std::min(count, (part + 1) * length)); });
}

/// The same where each range makes a list by `make(begin, end, list)`: appends them to `out` in order.
template <class List, class Make>
void append_in_parts(std::size_t count, std::size_t length, List& out, const Make& make) {
    if (count <= length) return make(std::size_t{0}, count, out);
    std::vector<List> made((count + length - 1) / length);
    in_parts(count, length,
             [&](std::size_t begin, std::size_t end) { make(begin, end, made[begin / length]); });
    std::size_t total = out.size();
    for (const List& part : made)
        total += part.size();
    out.reserve(total);
    for (const List& part : made)
        out.insert(out.end(), part.begin(), part.end());
}

}  // namespace lab::platform
