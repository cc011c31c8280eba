// Orders the instances of one kind: opaque ones first; those that are not finite are dropped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "render/finite.hpp"

namespace lab::render {

template <class T>
struct Ordered {
    std::span<const T> all;
    std::size_t opaque = 0;  ///< Count of opaque items at the front.
};

/// The drawable ones among `items`, opaque ones in front, otherwise in the given order. Copies into `scratch`
/// only if the array cannot be used as it is.
template <class T>
Ordered<T> opaque_first(std::span<const T> items, std::vector<T>& scratch) {
    std::size_t opaque = 0, invisible = 0;
    bool in_order = true;
    for (const T& item : items) {
        if (item.color.a == 0 || !drawable(item)) {
            ++invisible;
        } else if (item.color.a == 255) {
            in_order = in_order && &item == &items[opaque];
            ++opaque;
        }
    }
    if (invisible == 0 && in_order) return {items, opaque};
    scratch.clear();
    scratch.reserve(items.size() - invisible);
    for (const T& item : items)
        if (item.color.a == 255 && drawable(item)) scratch.push_back(item);
    for (const T& item : items)
        if (item.color.a != 255 && item.color.a != 0 && drawable(item)) scratch.push_back(item);
    return {scratch, opaque};
}

}  // namespace lab::render
