// Splits of the top-down builders. Centers are doubled (min + max): only their order and ratios matter.
// Sources: [Wald 2007] for bins, [Goldsmith 1987] for the cost, [Lauterbach 2009] for Morton splits.
#include "tree/dynamic/build_split.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "bv/shapes/not_finite.hpp"
#include "bv/tree/morton.hpp"
#include "tree/box_math.hpp"
#include "tree/select.hpp"

namespace bv::detail {

namespace {

constexpr int kBins = 16;

float center(const BuildItem& item, int axis) {
    // Halve before adding: the sum of two bounds near the end of the float range must not overflow.
    return 0.5f * item.box.min[axis] + 0.5f * item.box.max[axis];
}
glm::vec3 center(const BuildItem& item) {
    return 0.5f * item.box.min + 0.5f * item.box.max;
}

Aabb center_bounds(std::span<const BuildItem> items) {
    Aabb b;
    for (const BuildItem& i : items) {
        const glm::vec3 c = center(i);
        b = merge(b, Aabb{c, c});
    }
    return b;
}

int widest_axis(const Aabb& b) {
    // Halved for the same reason as the centers.
    const glm::vec3 size = 0.5f * b.max - 0.5f * b.min;
    int axis = size.y > size.x ? 1 : 0;
    if (size.z > size[axis]) axis = 2;
    return axis;
}

// A total order: ties of centers are broken by ref, so that every standard library gives the same tree.
struct ByCenter {
    int axis;
    bool operator()(const BuildItem& a, const BuildItem& b) const {
        const float ca = center(a, axis);
        const float cb = center(b, axis);
        return ca < cb || (ca == cb && a.ref < b.ref);
    }
};

// A plane across an axis at `offset`, between the centers on both of its sides, or none.
template <class Sink>
void report(Sink& sink, std::uint32_t node, int axis, std::optional<float> offset, std::size_t left,
            std::size_t count, float cost, bool chosen, int bins = 0) {
    if constexpr (Sink::kEnabled) {
        SplitEvaluated event{NodeIndex{node},
                             static_cast<std::uint8_t>(axis),
                             static_cast<std::uint32_t>(left),
                             static_cast<std::uint32_t>(count - left),
                             cost,
                             chosen};
        if (offset) {
            event.normal[axis] = 1.0f;
            event.offset = *offset;
        }
        event.bins = static_cast<std::uint8_t>(bins);
        sink(event);
    }
}

// Halfway from the last center on the left to the first on the right. If these coincide, no plane lies
// between them, and this is the plane through both.
float between(float last_left, float first_right) {
    return 0.5f * last_left + 0.5f * first_right;
}

// Reports the cost of a split that was chosen without evaluating others.
template <class Sink>
void report_chosen(Sink& sink, std::uint32_t node, int axis, std::span<const BuildItem> items,
                   std::size_t left, bool by_plane) {
    if constexpr (Sink::kEnabled) {
        Aabb a, b;
        for (std::size_t i = 0; i < items.size(); ++i)
            (i < left ? a : b) = merge(i < left ? a : b, items[i].box);
        const float cost =
            half_area(a) * static_cast<float>(left) + half_area(b) * static_cast<float>(items.size() - left);
        float last_left = -std::numeric_limits<float>::infinity(), first_right = -last_left;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const float at = center(items[i], axis);
            if (i < left)
                last_left = std::max(last_left, at);
            else
                first_right = std::min(first_right, at);
        }
        const std::optional<float> offset =
            by_plane ? std::optional(between(last_left, first_right)) : std::nullopt;
        report(sink, node, axis, offset, left, items.size(), 2.0f * cost, true);
    }
}

template <class Sink>
std::size_t split_median(std::span<BuildItem> items, std::uint32_t node, Sink& sink) {
    const Aabb centers = center_bounds(items);
    const int axis = widest_axis(centers);
    const std::size_t half = items.size() / 2;
    detail::select_nth(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(),
                       ByCenter{axis});
    report_chosen(sink, node, axis, items, half, centers.min[axis] < centers.max[axis]);
    return half;
}

template <class Sink>
std::size_t split_morton(std::span<BuildItem> items, std::uint32_t node, Sink& sink) {
    const std::uint32_t first = items.front().code;
    const std::uint32_t differing = first ^ items.back().code;
    std::size_t left = items.size() / 2;
    int axis = 0;
    if (differing) {
        int bit = 31;
        while (!(differing >> bit))
            --bit;
        axis = 2 - bit % 3;
        const auto has_bit = [bit](const BuildItem& i) { return ((i.code >> bit) & 1u) == 0; };
        left = static_cast<std::size_t>(std::partition_point(items.begin(), items.end(), has_bit) -
                                        items.begin());
    }
    report_chosen(sink, node, axis, items, left, differing != 0);
    return left;
}

struct Bin {
    Aabb box;
    std::uint32_t count = 0;
};

// Maps a center to its bin, identically for counting and for partitioning.
struct BinOf {
    int axis;
    float low;
    float scale;
    int operator()(const BuildItem& i) const {
        return clamped_int((center(i, axis) - low) * scale, 0, kBins - 1);
    }
};

template <class Sink>
std::size_t split_binned(std::span<BuildItem> items, std::uint32_t node, Sink& sink) {
    const Aabb centers = center_bounds(items);
    float best_cost = std::numeric_limits<float>::infinity();
    int best_bin = -1;
    BinOf best{0, 0.0f, 0.0f};
    std::size_t best_left = 0;
    [[maybe_unused]] const auto plane_behind = [](const BinOf& bins, int bin) {
        return bins.low + static_cast<float>(bin + 1) / bins.scale;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = centers.max[axis] - centers.min[axis];
        if (!(extent > 0.0f)) continue;
        const BinOf bin_of{axis, centers.min[axis], std::min(static_cast<float>(kBins) / extent, 1e30f)};
        if (!(bin_of.scale > 0.0f) || !std::isfinite(extent)) continue;
        std::array<Bin, kBins> bins;
        for (const BuildItem& i : items) {
            Bin& bin = bins[static_cast<std::size_t>(bin_of(i))];
            bin.box = merge(bin.box, i.box);
            ++bin.count;
        }
        std::array<float, kBins> right_cost{};
        Bin right;
        for (std::size_t i = kBins - 1; i > 0; --i) {
            right.box = merge(right.box, bins[i].box);
            right.count += bins[i].count;
            right_cost[i] = right.count ? half_area(right.box) * static_cast<float>(right.count) : 0.0f;
        }
        Bin left;
        for (std::size_t i = 0; i + 1 < kBins; ++i) {
            left.box = merge(left.box, bins[i].box);
            left.count += bins[i].count;
            if (left.count == 0 || left.count == items.size()) continue;
            const float cost = half_area(left.box) * static_cast<float>(left.count) + right_cost[i + 1];
            const bool better = cost < best_cost;
            report(sink, node, axis, plane_behind(bin_of, static_cast<int>(i)), left.count, items.size(),
                   2.0f * cost, false, kBins);
            if (!better) continue;
            best_cost = cost;
            best_bin = static_cast<int>(i);
            best = bin_of;
            best_left = left.count;
        }
    }
    // All centers coincide, or areas exceed the float range: split by count.
    if (best_bin < 0) return split_median(items, node, sink);
    const auto middle =
        std::partition(items.begin(), items.end(), [&](const BuildItem& i) { return best(i) <= best_bin; });
    report(sink, node, best.axis, plane_behind(best, best_bin), best_left, items.size(), 2.0f * best_cost,
           true, kBins);
    return static_cast<std::size_t>(middle - items.begin());
}

template <class Sink>
std::size_t split_sweep(std::span<BuildItem> items, std::uint32_t node, SplitScratch& scratch, Sink& sink) {
    const std::size_t count = items.size();
    float best_cost = std::numeric_limits<float>::infinity();
    std::size_t best_left = 0;
    int best_axis = -1;
    [[maybe_unused]] float best_offset = 0;
    scratch.areas.resize(count);
    for (int axis = 0; axis < 3; ++axis) {
        std::sort(items.begin(), items.end(), ByCenter{axis});
        Aabb box;
        for (std::size_t i = count; i-- > 1;) {
            box = merge(box, items[i].box);
            scratch.areas[i] = half_area(box) * static_cast<float>(count - i);
        }
        box = Aabb{};
        float axis_cost = std::numeric_limits<float>::infinity();
        std::size_t axis_left = 1;
        [[maybe_unused]] const auto plane_before = [&](std::size_t i) {
            return between(center(items[i - 1], axis), center(items[i], axis));
        };
        for (std::size_t i = 1; i < count; ++i) {
            box = merge(box, items[i - 1].box);
            const float cost = half_area(box) * static_cast<float>(i) + scratch.areas[i];
            if constexpr (Sink::kEnabled)
                report(sink, node, axis, plane_before(i), i, count, 2.0f * cost, false);
            // On equal costs the more even split: it keeps the tree shallow.
            if (cost < axis_cost ||
                (cost == axis_cost && std::max(i, count - i) < std::max(axis_left, count - axis_left))) {
                axis_cost = cost;
                axis_left = i;
            }
        }
        if (axis_cost < best_cost) {
            if constexpr (Sink::kEnabled) best_offset = plane_before(axis_left);
            best_cost = axis_cost;
            best_left = axis_left;
            best_axis = axis;
        }
    }
    if (best_axis < 0) return split_median(items, node, sink);
    if (best_axis != 2)
        detail::select_nth(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(best_left), items.end(),
                           ByCenter{best_axis});
    report(sink, node, best_axis, best_offset, best_left, count, 2.0f * best_cost, true);
    return best_left;
}

}  // namespace

void sort_by_morton(std::span<BuildItem> items, std::vector<BuildItem>& scratch) {
    if (items.empty()) return;
    const MortonGrid grid(center_bounds(items));
    for (BuildItem& item : items)
        item.code = grid.code(center(item));
    // Three stable passes of 10 bits, least significant first.
    scratch.resize(items.size());
    std::span<BuildItem> from = items;
    std::span<BuildItem> to = scratch;
    for (int shift = 0; shift < 30; shift += 10) {
        std::array<std::uint32_t, 1024> start{};
        for (const BuildItem& i : from)
            ++start[(i.code >> shift) & 1023u];
        std::uint32_t sum = 0;
        for (std::uint32_t& s : start) {
            const std::uint32_t n = s;
            s = sum;
            sum += n;
        }
        for (const BuildItem& i : from)
            to[start[(i.code >> shift) & 1023u]++] = i;
        std::swap(from, to);
    }
    // An odd number of passes leaves the result in the scratch.
    std::copy(from.begin(), from.end(), items.begin());
}

template <class Sink>
std::size_t split(std::span<BuildItem> items, Builder builder, std::uint32_t node, SplitScratch& scratch,
                  Sink& sink) {
    switch (builder) {
        case Builder::Morton:
            return split_morton(items, node, sink);
        case Builder::BinnedSah:
            return split_binned(items, node, sink);
        case Builder::SweepSah:
            return split_sweep(items, node, scratch, sink);
        case Builder::Median:
        case Builder::Agglomerative:
            break;
    }
    return split_median(items, node, sink);
}

template std::size_t split(std::span<BuildItem>, Builder, std::uint32_t, SplitScratch&, NoTrace&);
template std::size_t split(std::span<BuildItem>, Builder, std::uint32_t, SplitScratch&, Recording&);

}  // namespace bv::detail
