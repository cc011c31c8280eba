// Cells of equal size: a grid over the bounds of all boxes, and a hash of an infinite grid.
//
// A box is entered into every cell that it overlaps. Two boxes may share many cells; their pair is counted in
// the cell that contains the lowest corner of their intersection. Cells are twice as long as the mean box, so
// that most boxes overlap few of them. Boxes over too many cells are kept apart: each is tested against all
// others.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "broadphase/engines.hpp"
#include "bv/shapes/not_finite.hpp"

namespace bv::detail {

namespace {

// Mean edge of all boxes, always positive.
double mean_edge(const auto& items) {
    double sum = 0.0;
    for (const auto& i : items)
        for (int k = 0; k < 3; ++k)
            sum += double{i.box.max[k]} - double{i.box.min[k]};
    return items.empty() ? 0.0 : sum / (3.0 * static_cast<double>(items.size()));
}

// Clamps cells of boxes near the end of the float range.
float finite(double x) {
    constexpr double kMaxFloat = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(x, -kMaxFloat, kMaxFloat));
}

BoxesTested::Verdict verdict_of(bool overlap, bool counted_here) {
    using Verdict = BoxesTested::Verdict;
    return counted_here ? Verdict::Pair : overlap ? Verdict::Duplicate : Verdict::Apart;
}

/// The boxes that are kept apart.
class LargeBoxes {
  public:
    void clear() {
        list_.clear();
        is_large_.clear();
    }
    void add(std::uint32_t item, std::size_t items) {
        is_large_.resize(items);
        is_large_[item] = 1;
        list_.push_back(item);
    }
    [[nodiscard]] bool contains(std::uint32_t item) const { return !list_.empty() && is_large_[item] != 0; }
    [[nodiscard]] std::size_t size() const { return list_.size(); }
    /// Tests a large box against all others; two large boxes are tested once, when the first of them is
    /// searched.
    template <class Item, class Out, class Sink>
    std::uint64_t search(std::size_t at, const std::vector<Item>& items, Out& out, Sink& sink) const {
        const std::uint32_t l = list_[at];
        std::uint64_t tests = 0;
        for (std::uint32_t i = 0; i < items.size() && !out.is_full(); ++i) {
            if (i == l || (is_large_[i] != 0 && i < l)) continue;
            ++tests;
            const bool overlap = overlaps(items[l].box, items[i].box);
            report_test(sink, items[l].index, items[i].index, overlap);
            if (overlap) out.push_back({items[l].index, items[i].index});
        }
        return tests;
    }
    [[nodiscard]] std::size_t bytes() const {
        return list_.size() * sizeof(std::uint32_t) + is_large_.size();
    }

  private:
    std::vector<std::uint32_t> list_;     // Items, ascending.
    std::vector<std::uint8_t> is_large_;  // Per item; empty if none is.
};

class UniformGrid final : public StatelessBroadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::UniformGrid; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<UniformGrid>(*this); }
    BroadphaseLayout layout() const override {
        BroadphaseLayout out;
        for (std::size_t c = 0; c + 1 < start_.size(); ++c) {
            if (start_[c + 1] == start_[c]) continue;
            out.cells.push_back({cell_box(c), static_cast<std::uint32_t>(start_[c + 1] - start_[c]), 0});
        }
        return out;
    }

  private:
    /// With more entries than this per box, boxes over more cells are kept apart.
    static constexpr std::size_t kMaxCells = 64;

    /// The cells that a box overlaps.
    struct Range {
        std::uint32_t lo[3], hi[3];
        [[nodiscard]] std::size_t count() const {
            std::size_t n = 1;
            for (int k = 0; k < 3; ++k)
                n *= hi[k] - lo[k] + 1;
            return n;
        }
    };

    [[nodiscard]] Aabb cell_box(std::size_t c) const {
        const std::size_t at[3] = {c % cells_[0], c / cells_[0] % cells_[1], c / cells_[0] / cells_[1]};
        Aabb box;
        for (int k = 0; k < 3; ++k) {
            const double edge = scale_[k] > 0.0 ? 1.0 / scale_[k] : 0.0;
            box.min[k] = finite(low_[k] + edge * static_cast<double>(at[k]));
            box.max[k] = finite(low_[k] + edge * static_cast<double>(at[k] + 1));
        }
        return box;
    }
    // The cell along one axis; the same monotonic function for boxes and corners.
    [[nodiscard]] std::uint32_t cell(double x, int k) const {
        const double c = (x - low_[k]) * scale_[k];
        return static_cast<std::uint32_t>(clamped_int(c, 0, static_cast<int>(cells_[k] - 1)));
    }
    [[nodiscard]] std::size_t number(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        return (static_cast<std::size_t>(z) * cells_[1] + y) * cells_[0] + x;
    }
    [[nodiscard]] Range range_of(const Aabb& box) const {
        Range range;
        for (int k = 0; k < 3; ++k) {
            range.lo[k] = cell(box.min[k], k);
            range.hi[k] = cell(box.max[k], k);
        }
        return range;
    }
    template <class Visit>
    void for_cells(const Range& range, const Visit& visit) const {
        for (std::uint32_t z = range.lo[2]; z <= range.hi[2]; ++z)
            for (std::uint32_t y = range.lo[1]; y <= range.hi[1]; ++y)
                for (std::uint32_t x = range.lo[0]; x <= range.hi[0]; ++x)
                    visit(number(x, y, z));
    }
    /// The cell in which a pair counts.
    [[nodiscard]] std::size_t counted_in(const Aabb& a, const Aabb& b) const {
        const glm::vec3 p = pair_corner(a, b);
        return number(cell(p.x, 0), cell(p.y, 1), cell(p.z, 2));
    }
    void choose_cells() {
        const Aabb all = bounds();
        double edge = std::max(2.0 * mean_edge(items_), 1e-30);
        const double max_cells = 4.0 * static_cast<double>(items_.size()) + 64.0;
        double size[3];
        for (int k = 0; k < 3; ++k) {
            low_[k] = all.min[k];
            size[k] = double{all.max[k]} - double{all.min[k]};
        }
        // Enlarges cells until there are only a few per box.
        const auto along = [&](int k) { return std::clamp(std::ceil(size[k] / edge), 1.0, 1e9); };
        while (along(0) * along(1) * along(2) > max_cells)
            edge *= 1.25;
        for (int k = 0; k < 3; ++k) {
            cells_[k] = static_cast<std::uint32_t>(along(k));
            scale_[k] = size[k] > 0.0 ? static_cast<double>(cells_[k]) / size[k] : 0.0;
        }
    }
    std::uint64_t collect(PairSink& out) override {
        NoTrace none;
        fill(none);
        return collect_parts(part_count(), out, [this](std::size_t begin, std::size_t end, PairSink& found) {
            NoTrace sink;
            return search(begin, end, found, sink);
        });
    }
    std::uint64_t collect_traced(PairSink& out, Recording& trace) override {
        fill(trace);
        return search(0, part_count(), out, trace);
    }
    [[nodiscard]] std::size_t cell_count() const { return start_.empty() ? 0 : start_.size() - 1; }
    /// A part is a cell or, after all cells, a large box.
    [[nodiscard]] std::size_t part_count() const { return cell_count() + large_.size(); }
    /// Counts the boxes in each cell; false once there are too many entries.
    bool count_entries() {
        start_.assign(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
        std::size_t entries = 0;
        for (std::uint32_t i = 0; i < items_.size(); ++i) {
            if (large_.contains(i)) continue;
            const Range range = range_of(items_[i].box);
            entries += range.count();
            if (entries > kMaxCells * items_.size()) return false;
            for_cells(range, [&](std::size_t c) { ++start_[c + 1]; });
        }
        return true;
    }
    void keep_large_apart() {
        for (std::uint32_t i = 0; i < items_.size(); ++i)
            if (range_of(items_[i].box).count() > kMaxCells) large_.add(i, items_.size());
    }
    /// Enters all boxes into their cells.
    template <class Sink>
    void fill(Sink& sink) {
        gather();
        large_.clear();
        start_.clear();
        next_.clear();
        entries_.clear();
        if (items_.empty()) return;
        choose_cells();
        // Counting sort: all cells are in one array.
        if (!count_entries()) {
            keep_large_apart();
            count_entries();
        }
        for (std::size_t c = 1; c < start_.size(); ++c)
            start_[c] += start_[c - 1];
        entries_.resize(start_.back());
        next_.assign(start_.begin(), start_.end() - 1);
        for (std::uint32_t i = 0; i < items_.size(); ++i) {
            if (large_.contains(i)) continue;
            for_cells(range_of(items_[i].box), [&](std::size_t c) {
                entries_[next_[c]++] = i;
                if constexpr (Sink::kEnabled)
                    sink(CellFilled{cell_box(c), static_cast<std::uint32_t>(c), items_[i].index,
                                    static_cast<std::uint32_t>(next_[c] - start_[c])});
            });
        }
    }
    template <class Sink>
    std::uint64_t search(std::size_t begin, std::size_t end, PairSink& out, Sink& sink) const {
        std::uint64_t tests = 0;
        for (std::size_t part = begin; part < end && !out.is_full(); ++part)
            tests += part < cell_count() ? search_cell(part, out, sink)
                                         : large_.search(part - cell_count(), items_, out, sink);
        return tests;
    }
    /// Tests the boxes in a cell against each other.
    template <class Sink>
    std::uint64_t search_cell(std::size_t c, PairSink& out, Sink& sink) const {
        std::uint64_t tests = 0;
        for (std::size_t a = start_[c]; a < start_[c + 1] && !out.is_full(); ++a)
            for (std::size_t b = a + 1; b < start_[c + 1]; ++b) {
                const Item& x = items_[entries_[a]];
                const Item& y = items_[entries_[b]];
                ++tests;
                const bool overlap = overlaps(x.box, y.box);
                const bool counted_here = overlap && counted_in(x.box, y.box) == c;
                report_test(sink, x.index, y.index, verdict_of(overlap, counted_here), c);
                if (counted_here) out.push_back({x.index, y.index});
            }
        return tests;
    }
    std::size_t engine_bytes() const noexcept override {
        return items_bytes() + (start_.size() + next_.size()) * sizeof(std::size_t) +
               entries_.size() * sizeof(std::uint32_t) + large_.bytes();
    }

    double low_[3] = {};
    double scale_[3] = {};
    std::uint32_t cells_[3] = {1, 1, 1};
    std::vector<std::size_t> start_, next_;
    std::vector<std::uint32_t> entries_;
    LargeBoxes large_;
};

class SpatialHash final : public StatelessBroadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::SpatialHash; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<SpatialHash>(*this); }
    BroadphaseLayout layout() const override {
        BroadphaseLayout out;
        for (std::size_t bucket_at = 0; bucket_at + 1 < start_.size(); ++bucket_at) {
            const std::size_t begin = start_[bucket_at], end = start_[bucket_at + 1];
            for (std::size_t a = begin; a < end; ++a) {
                // Different cells may share a bucket: lists each at its first entry.
                const Cell& cell = sorted_[a].cell;
                const auto same = [&cell](const Entry& e) { return e.cell == cell; };
                const auto first = sorted_.begin() + static_cast<std::ptrdiff_t>(begin);
                const auto current = sorted_.begin() + static_cast<std::ptrdiff_t>(a);
                if (std::any_of(first, current, same)) continue;
                const auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(end);
                const auto count = static_cast<std::uint32_t>(std::count_if(current, last, same));
                out.cells.push_back({cell_box(cell), count, 0});
            }
        }
        return out;
    }

  private:
    static constexpr std::int64_t kFarthest = std::int64_t{1} << 30;
    static constexpr std::int64_t kMaxCells = 64;

    struct Cell {
        std::int32_t x, y, z;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    struct Entry {
        Cell cell;
        std::uint32_t item;
    };

    [[nodiscard]] Aabb cell_box(const Cell& cell) const {
        const double at[3] = {edge_ * cell.x, edge_ * cell.y, edge_ * cell.z};
        Aabb box;
        for (int k = 0; k < 3; ++k) {
            box.min[k] = finite(at[k]);
            box.max[k] = finite(at[k] + edge_);
        }
        return box;
    }
    [[nodiscard]] std::int64_t along(double x) const {
        return static_cast<std::int64_t>(
            std::clamp(std::floor(x / edge_), -double(kFarthest), double(kFarthest)));
    }
    [[nodiscard]] Cell cell_of(const glm::vec3& p) const {
        return {static_cast<std::int32_t>(along(p.x)), static_cast<std::int32_t>(along(p.y)),
                static_cast<std::int32_t>(along(p.z))};
    }
    [[nodiscard]] static std::uint64_t hash(const Cell& c) {
        const std::uint64_t h = static_cast<std::uint32_t>(c.x) * 0x9e3779b97f4a7c15ull ^
                                static_cast<std::uint32_t>(c.y) * 0xc2b2ae3d27d4eb4full ^
                                static_cast<std::uint32_t>(c.z) * 0x165667b19e3779f9ull;
        return h ^ (h >> 32);
    }
    [[nodiscard]] std::size_t bucket(const Cell& c) const {
        return static_cast<std::size_t>(hash(c) & mask_);
    }
    // Enters a box into all its cells; false if there are too many.
    bool enter(std::uint32_t item) {
        const Cell lo = cell_of(items_[item].box.min);
        const Cell hi = cell_of(items_[item].box.max);
        const std::int64_t nx = std::int64_t{hi.x} - lo.x + 1;
        const std::int64_t ny = std::int64_t{hi.y} - lo.y + 1;
        const std::int64_t nz = std::int64_t{hi.z} - lo.z + 1;
        if (nx > kMaxCells || ny > kMaxCells || nz > kMaxCells || nx * ny * nz > kMaxCells) return false;
        for (std::int32_t z = lo.z; z <= hi.z; ++z)
            for (std::int32_t y = lo.y; y <= hi.y; ++y)
                for (std::int32_t x = lo.x; x <= hi.x; ++x)
                    entries_.push_back({{x, y, z}, item});
        return true;
    }
    void sort_by_bucket() {
        mask_ = std::bit_ceil(2 * entries_.size() + 1) - 1;
        start_.assign(mask_ + 2, 0);
        for (const Entry& e : entries_)
            ++start_[bucket(e.cell) + 1];
        for (std::size_t i = 1; i < start_.size(); ++i)
            start_[i] += start_[i - 1];
        sorted_.resize(entries_.size());
        next_.assign(start_.begin(), start_.end() - 1);
        for (const Entry& e : entries_)
            sorted_[next_[bucket(e.cell)]++] = e;
    }
    struct CellHash {
        std::size_t operator()(const Cell& c) const { return static_cast<std::size_t>(hash(c)); }
    };
    /// Reports the boxes in the order in which they were entered; cells are numbered in the order in which
    /// they get their first one. Returns the number of the cell of each sorted entry.
    std::vector<std::uint32_t> report_filled(Recording& trace) const {
        struct Filled {
            std::uint32_t number, boxes;
        };
        std::unordered_map<Cell, Filled, CellHash> cells;
        for (const Entry& e : entries_) {
            Filled& at =
                cells.try_emplace(e.cell, Filled{static_cast<std::uint32_t>(cells.size()), 0}).first->second;
            trace(CellFilled{cell_box(e.cell), at.number, items_[e.item].index, ++at.boxes,
                             static_cast<std::uint32_t>(bucket(e.cell))});
        }
        std::vector<std::uint32_t> numbers;
        numbers.reserve(sorted_.size());
        for (const Entry& e : sorted_)
            numbers.push_back(cells.at(e.cell).number);
        return numbers;
    }
    std::uint64_t collect(PairSink& out) override {
        fill();
        return collect_parts(part_count(), out, [this](std::size_t begin, std::size_t end, PairSink& found) {
            NoTrace sink;
            return search(begin, end, found, sink, {});
        });
    }
    std::uint64_t collect_traced(PairSink& out, Recording& trace) override {
        fill();
        const std::vector<std::uint32_t> numbers = report_filled(trace);
        return search(0, part_count(), out, trace, numbers);
    }
    /// Enters all boxes into the buckets of their cells, those over too many cells apart.
    void fill() {
        gather();
        edge_ = std::max(2.0 * mean_edge(items_), 1e-30);
        entries_.clear();
        large_.clear();
        for (std::uint32_t i = 0; i < items_.size(); ++i)
            if (!enter(i)) large_.add(i, items_.size());
        sort_by_bucket();
    }
    [[nodiscard]] std::size_t bucket_count() const { return start_.size() - 1; }
    /// A part is a bucket or, after all buckets, a large box.
    [[nodiscard]] std::size_t part_count() const { return bucket_count() + large_.size(); }
    /// `numbers` are those of the cells of all sorted entries, only for a trace.
    template <class Sink>
    std::uint64_t search(std::size_t begin, std::size_t end, PairSink& out, Sink& sink,
                         std::span<const std::uint32_t> numbers) const {
        std::uint64_t tests = 0;
        for (std::size_t part = begin; part < end && !out.is_full(); ++part)
            tests += part < bucket_count() ? search_bucket(part, out, sink, numbers)
                                           : large_.search(part - bucket_count(), items_, out, sink);
        return tests;
    }
    template <class Sink>
    std::uint64_t search_bucket(std::size_t c, PairSink& out, Sink& sink,
                                std::span<const std::uint32_t> numbers) const {
        std::uint64_t tests = 0;
        for (std::size_t a = start_[c]; a < start_[c + 1] && !out.is_full(); ++a)
            for (std::size_t b = a + 1; b < start_[c + 1]; ++b) {
                // Different cells may fall into one bucket.
                if (sorted_[a].cell != sorted_[b].cell) continue;
                const Item& x = items_[sorted_[a].item];
                const Item& y = items_[sorted_[b].item];
                ++tests;
                const bool overlap = overlaps(x.box, y.box);
                const bool counted_here = overlap && cell_of(pair_corner(x.box, y.box)) == sorted_[a].cell;
                if constexpr (Sink::kEnabled)
                    report_test(sink, x.index, y.index, verdict_of(overlap, counted_here), numbers[a]);
                if (counted_here) out.push_back({x.index, y.index});
            }
        return tests;
    }
    std::size_t engine_bytes() const noexcept override {
        return items_bytes() + (entries_.size() + sorted_.size()) * sizeof(Entry) +
               (start_.size() + next_.size()) * sizeof(std::size_t) + large_.bytes();
    }

    double edge_ = 1.0;
    std::size_t mask_ = 0;
    std::vector<Entry> entries_, sorted_;
    std::vector<std::size_t> start_, next_;
    LargeBoxes large_;
};

}  // namespace

std::unique_ptr<Broadphase> make_uniform_grid(const TreeOptions& /*options*/) {
    return std::make_unique<UniformGrid>();
}
std::unique_ptr<Broadphase> make_spatial_hash(const TreeOptions& /*options*/) {
    return std::make_unique<SpatialHash>();
}

}  // namespace bv::detail
