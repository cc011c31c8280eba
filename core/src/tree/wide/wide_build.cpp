// Builds a WideTree top down: each node's proxies are split into up to eight parts of equal count by three
// binary splits, each along the axis of largest spread of the centers. The number of parts is that of full
// nodes, so blocks come out nearly full, as is best for eight-wide tests.
//
// Long ranges are split by counting: a histogram of 256 bins along the axis finds the bin of the median, one
// pass partitions the range around that bin, and only the bin itself is searched exactly.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/wide_tree.hpp"
#include "simd/wide_kernels.hpp"
#include "tree/select.hpp"
#include "tree/wide/wide_dispatch.hpp"

namespace bv {

using detail::WideTreeItem;
using detail::WideTreeNode;

namespace {

constexpr std::size_t kBins = 256;
constexpr std::size_t kCountFrom = 384;  // below this an exact search is faster than counting

struct Spread {
    float low;
    float high;
    int axis;
};

Spread widest(std::span<const WideTreeItem> items) {
    float low[3] = {items[0].center[0], items[0].center[1], items[0].center[2]};
    float high[3] = {low[0], low[1], low[2]};
    for (const WideTreeItem& item : items)
        for (int k = 0; k < 3; ++k) {
            low[k] = item.center[k] < low[k] ? item.center[k] : low[k];
            high[k] = item.center[k] > high[k] ? item.center[k] : high[k];
        }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    return {low[axis], high[axis], axis};
}

void cut_exactly(std::span<WideTreeItem> items, std::size_t left, int axis) {
    if (left == 0 || left >= items.size()) return;
    detail::select_nth(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(left), items.end(),
                       [axis](const WideTreeItem& a, const WideTreeItem& b) {
                           return a.center[axis] < b.center[axis] ||
                                  (a.center[axis] == b.center[axis] && a.proxy < b.proxy);
                       });
}

// Reorders so that the `left` items with the lowest centers along the widest axis come first.
void cut(std::span<WideTreeItem> items, std::span<WideTreeItem> scratch, std::size_t left) {
    const Spread spread = widest(items);
    const float extent = spread.high - spread.low;
    const float scale = static_cast<float>(kBins) / extent;
    if (items.size() < kCountFrom || !(extent > 0.0f) || !std::isfinite(extent) || !std::isfinite(scale))
        return cut_exactly(items, left, spread.axis);
    const int axis = spread.axis;
    const auto bin_of = [&](const WideTreeItem& i) {
        return static_cast<std::uint32_t>(
            detail::clamped_int((i.center[axis] - spread.low) * scale, 0, kBins - 1));
    };
    std::array<std::uint32_t, kBins> counts{};
    for (const WideTreeItem& i : items)
        ++counts[bin_of(i)];
    std::size_t before = 0;
    std::uint32_t middle = 0;
    while (before + counts[middle] <= left)
        before += counts[middle++];
    std::array<std::size_t, 3> to{0, before, before + counts[middle]};
    for (const WideTreeItem& i : items) {
        const std::uint32_t bin = bin_of(i);
        scratch[to[static_cast<std::size_t>(bin >= middle) + static_cast<std::size_t>(bin > middle)]++] = i;
    }
    std::copy_n(scratch.begin(), items.size(), items.begin());
    cut_exactly(items.subspan(before, counts[middle]), left - before, axis);
}

// The maximum number of proxies below a node of this level.
std::size_t capacity(std::uint32_t level) {
    return std::size_t{8} << (3 * level);
}

// The number of parts that `count` proxies are divided into below a node of this level.
std::size_t parts_of(std::size_t count, std::uint32_t level) {
    return (count + capacity(level - 1) - 1) / capacity(level - 1);
}

// The number of nodes that `build` makes of `parts` subtrees of this level, cut as there.
std::size_t nodes_of(std::size_t count, std::size_t parts, std::uint32_t level) {
    if (parts == 1) return 1 + (level == 0 ? 0 : nodes_of(count, parts_of(count, level), level - 1));
    const std::size_t left = count * (parts / 2) / parts;
    return nodes_of(left, parts / 2, level) + nodes_of(count - left, parts - parts / 2, level);
}

struct Part {
    std::size_t begin;
    std::size_t end;
    std::size_t parts;
};

}  // namespace

std::uint32_t WideTree::build(std::span<WideTreeItem> items, std::span<WideTreeItem> scratch,
                              std::uint32_t level) {
    const std::uint32_t index = allocate_node(level);
    if (level == 0) {
        WideTreeNode& n = nodes_[index];
        n.count = static_cast<std::uint32_t>(items.size());
        for (std::uint32_t i = 0; i < n.count; ++i) {
            n.child[i] = items[i].proxy;
            proxies_[items[i].proxy].place = index * 8 + i;
        }
        if (has_categories()) node_categories_[index] = categories_below(index);
        return index;
    }
    std::array<Part, 8> open{};
    std::size_t open_count = 1;
    open[0] = {0, items.size(), parts_of(items.size(), level)};
    std::uint32_t count = 0;
    while (open_count > 0) {
        const Part part = open[--open_count];
        const std::span<WideTreeItem> range = items.subspan(part.begin, part.end - part.begin);
        if (part.parts > 1) {
            const std::size_t first_parts = part.parts / 2;
            const std::size_t left = range.size() * first_parts / part.parts;
            cut(range, scratch.subspan(part.begin, range.size()), left);
            open[open_count++] = {part.begin + left, part.end, part.parts - first_parts};
            open[open_count++] = {part.begin, part.begin + left, first_parts};
            continue;
        }
        const std::uint32_t child = build(range, scratch.subspan(part.begin, range.size()), level - 1);
        nodes_[child].parent = index;
        nodes_[index].child[count++] = child;
    }
    nodes_[index].count = count;
    if (has_categories()) node_categories_[index] = categories_below(index);
    return index;
}

void WideTree::build_all() {
    nodes_.clear();
    node_categories_.clear();
    free_node_ = kNone;
    root_ = kNone;
    if (proxy_count_ == 0) return;
    // Freed after the build: if kept, it would take a third as much memory as the tree.
    const auto scratch = std::unique_ptr<WideTreeItem[]>(new WideTreeItem[2 * std::size_t{proxy_count_}]);
    std::size_t used = 0;
    for (std::uint32_t i = 0; i < proxies_.size(); ++i) {
        const detail::WideTreeProxy& p = proxies_[i];
        if (p.place == kNone) continue;
        // Halve before adding: the sum of two bounds near the end of the float range must not overflow.
        const glm::vec3 c = 0.5f * p.min + 0.5f * p.max;
        scratch[used++] = {{c.x, c.y, c.z}, i};
    }
    std::uint32_t level = 0;
    while (capacity(level) < used)
        ++level;
    const std::size_t nodes = nodes_of(used, 1, level);
    if (nodes_.capacity() > 2 * nodes) nodes_.shrink_to_fit();  // Empty: frees all.
    nodes_.reserve(nodes);
    const std::span<WideTreeItem> all(scratch.get(), 2 * used);
    root_ = build(all.first(used), all.subspan(used), level);
    is_fitted_ = false;
    fit();
    built_cost_ = cost_;
}

}  // namespace bv
