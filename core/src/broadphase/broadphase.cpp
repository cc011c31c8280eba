// Code shared by all broadphases: ids, boxes, and the order of pairs.
#include "bv/broadphase/broadphase.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>

#include "broadphase/engines.hpp"
#include "bv/assert.hpp"
#include "bv/query/raycast.hpp"
#include "bv/shapes/not_finite.hpp"
#include "tree/inserted.hpp"
#include "tree/nearest.hpp"
#include "tree/same_length.hpp"
#include "tree/visit_guard.hpp"

namespace bv {

std::span<const BroadphaseInfo> broadphase_kinds() noexcept {
    return kBroadphaseKinds;
}

std::unique_ptr<Broadphase> make_broadphase(BroadphaseKind kind, const TreeOptions& tree) {
    for (const detail::EngineFactory& engine : detail::kEngineFactories)
        if (engine.kind == kind) return engine.make(tree);
    return detail::make_wide_tree_broadphase(tree);
}

namespace {

constexpr std::size_t kMaxProxies = std::size_t{1} << 28;

/// The bits in which pairs differ: first indices start at `first_begin` and differ in their lowest `first`
/// bits, second indices in their lowest `second` bits.
struct IndexBits {
    std::uint32_t first_begin;
    int first, second;
};

/// Sorts by both indices, digit by digit from the lowest: no branch depends on the pairs. Returns the one of
/// the two spans with the result.
template <class Pair>
std::span<const Pair> radix_sort(std::span<Pair> pairs, std::span<Pair> scratch, const IndexBits& bits) {
    constexpr int kDigitBits = 10;
    const int all = std::max(bits.first + bits.second, 1);
    const int digits = (all + kDigitBits - 1) / kDigitBits;
    const int width = (all + digits - 1) / digits;
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    for (int shift = 0; shift < all; shift += width) {
        const auto digit_of = [&](const Pair& p) {
            return (std::uint64_t{p.a - bits.first_begin} << bits.second | p.b) >> shift & mask;
        };
        std::array<std::uint32_t, 1 << kDigitBits> next{};
        for (const Pair& p : pairs)
            ++next[digit_of(p)];
        std::exclusive_scan(next.begin(), next.begin() + std::ptrdiff_t(mask) + 1, next.begin(), 0u);
        for (const Pair& p : pairs)
            scratch[next[digit_of(p)]++] = p;
        std::swap(pairs, scratch);
    }
    return pairs;
}

}  // namespace

bool Broadphase::being_visited() const noexcept {
    const bool visited = detail::VisitGuard::is_visited(this);
    BV_ASSERT(!visited);
    return visited;
}

std::uint32_t Broadphase::allocate(std::uint64_t user_data) {
    std::uint32_t index;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(slots_.size());
        slots_.emplace_back();
        user_data_.emplace_back();
    } else {
        index = free_.back();
        free_.pop_back();
    }
    user_data_[index] = user_data;
    slots_[index].used = true;
    ++count_;
    return index;
}

InsertResult Broadphase::insert(const Aabb& box, std::uint64_t user_data) {
    if (being_visited()) return detail::not_inserted(TreeStatus::Busy);
    if (!box.is_finite()) return detail::not_inserted(TreeStatus::NotFinite);
    if (count_ >= kMaxProxies) return detail::not_inserted(TreeStatus::Full);
    const std::uint32_t index = allocate(user_data);
    on_insert(index, box);
    return detail::inserted(id_at(index));
}

TreeStatus Broadphase::insert_all(std::span<const Aabb> boxes, std::span<const std::uint64_t> user_data,
                                  std::span<ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    BV_ASSERT(user_data.size() == boxes.size() && (ids.empty() || ids.size() == boxes.size()));
    boxes = boxes.first(detail::common_length(boxes.size(), user_data.size(), ids.size()));
    for (const Aabb& box : boxes)
        if (!box.is_finite()) return TreeStatus::NotFinite;
    if (boxes.size() > kMaxProxies - count_) return TreeStatus::Full;
    std::vector<std::uint32_t> indices;
    indices.reserve(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        indices.push_back(allocate(user_data[i]));
        if (!ids.empty()) ids[i] = id_at(indices.back());
    }
    on_insert_all(indices, boxes);
    return TreeStatus::Ok;
}

TreeStatus Broadphase::remove(ProxyId id) {
    if (being_visited()) return TreeStatus::Busy;
    if (!contains(id)) return TreeStatus::StaleId;
    on_remove(id.index);
    release(id.index);
    return TreeStatus::Ok;
}

void Broadphase::release(std::uint32_t index) {
    slots_[index].used = false;
    ++slots_[index].generation;
    free_.push_back(index);
    --count_;
}

TreeStatus Broadphase::remove_all(std::span<const ProxyId> ids) {
    if (being_visited()) return TreeStatus::Busy;
    for (const ProxyId id : ids)
        if (!contains(id)) return TreeStatus::StaleId;
    std::vector<std::uint32_t> indices;
    indices.reserve(ids.size());
    for (const ProxyId id : ids) {
        if (!contains(id)) continue;  // Given twice.
        slots_[id.index].used = false;
        indices.push_back(id.index);
    }
    on_remove_all(indices);
    for (const std::uint32_t index : indices)
        release(index);
    return TreeStatus::Ok;
}

MoveResult Broadphase::move(ProxyId id, const Aabb& box, const glm::vec3& displacement) {
    if (being_visited()) return {TreeStatus::Busy};
    if (!contains(id)) return {TreeStatus::StaleId};
    if (!detail::is_finite_box(detail::LoadedBox(box)) || !is_finite(displacement))
        return {TreeStatus::NotFinite};
    return {TreeStatus::Ok, on_move(id.index, box, displacement)};
}

MoveResult Broadphase::move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                                std::span<const glm::vec3> displacements) {
    if (being_visited()) return {TreeStatus::Busy};
    BV_ASSERT(ids.size() == boxes.size() && (displacements.empty() || displacements.size() == boxes.size()));
    ids = ids.first(detail::common_length(ids.size(), boxes.size(), displacements.size()));
    std::atomic<bool> is_stale{false}, is_not_finite{false}, ascend{true};
    for_ranges(ids.size(), ids.size(), [&](std::size_t begin, std::size_t end) {
        bool known = true, finite = true, in_order = true;
        for (std::size_t i = begin; i < end; ++i) {
            known &= contains(ids[i]);
            finite &= detail::is_finite_box(detail::LoadedBox(boxes[i]));
            in_order &= i == 0 || ids[i - 1].index < ids[i].index;
        }
        if (!displacements.empty())
            for (std::size_t i = begin; i < end; ++i)
                finite &= is_finite(displacements[i]);
        if (!known) is_stale = true;
        if (!finite) is_not_finite = true;
        if (!in_order) ascend = false;
    });
    if (is_stale) return {TreeStatus::StaleId};
    if (is_not_finite) return {TreeStatus::NotFinite};
    return {TreeStatus::Ok, on_move_all({ids, boxes, displacements, ascend})};
}

TreeStatus Broadphase::clear() {
    if (being_visited()) return TreeStatus::Busy;
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
        if (slots_[i].used) used.push_back(i);
    on_clear(used);
    free_.clear();
    for (std::size_t i = slots_.size(); i-- > 0;) {
        Slot& slot = slots_[i];
        if (slot.used) ++slot.generation;
        slot.used = false;
        free_.push_back(static_cast<std::uint32_t>(i));
    }
    count_ = 0;
    return TreeStatus::Ok;
}

void Broadphase::update() {
    if (!being_visited()) on_update();
}

bool Broadphase::on_move_all(const Moves& moves) {
    bool fat_box_changed = false;
    for (std::size_t i = 0; i < moves.ids.size(); ++i)
        if (on_move(moves.ids[i].index, moves.boxes[i],
                    moves.displacements.empty() ? glm::vec3(0.0f) : moves.displacements[i]))
            fat_box_changed = true;
    return fat_box_changed;
}

void Broadphase::on_insert_all(std::span<const std::uint32_t> indices, std::span<const Aabb> boxes) {
    for (std::size_t i = 0; i < indices.size(); ++i)
        on_insert(indices[i], boxes[i]);
}
void Broadphase::on_remove_all(std::span<const std::uint32_t> indices) {
    for (const std::uint32_t index : indices)
        on_remove(index);
}

void Broadphase::PairSink::cut() {
    const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(limits_.kept) - 1;
    std::nth_element(kept_.begin(), last, kept_.end(), before);
    last_ = *last;
    is_cut_ = true;
    kept_.resize(limits_.kept);
}

BroadphaseStats Broadphase::find_pairs(std::vector<ProxyPair>& out, const PairLimits& limits) {
    return find(out, limits, [this](PairSink& sink) { return collect(sink); });
}

BroadphaseStats Broadphase::find_pairs(PairCache& out, const PairLimits& limits) {
    std::vector<ProxyPair> found;
    const BroadphaseStats stats = find_pairs(found, limits);
    out.update(found);
    return stats;
}

BroadphaseStats Broadphase::find_pairs(std::vector<ProxyPair>& out, const PairLimits& limits,
                                       Recording& trace) {
    return find(out, limits, [&](PairSink& sink) { return collect_traced(sink, trace); });
}

template <class Search>
BroadphaseStats Broadphase::find(std::vector<ProxyPair>& out, const PairLimits& limits,
                                 const Search& search) {
    found_.clear();
    PairSink sink(found_, limits);
    BroadphaseStats stats;
    if (being_visited()) {
        out.clear();
        stats.complete = false;
        return stats;
    }
    if (!sink.is_full()) stats.tests = search(sink);
    sink.finish();
    sort_found(out);
    stats.pairs = sink.count();
    stats.complete = !sink.is_full();
    stats.memory_bytes = engine_bytes() + slots_.size() * (sizeof(Slot) + sizeof(std::uint64_t)) +
                         (found_.size() + sorted_.size()) * sizeof(IndexPair);
    return stats;
}

QueryStats Broadphase::visit_ray(const Ray& ray, RayVisitor visitor, Recording* trace) const {
    const detail::VisitGuard guard(this);
    return raycast_all(ray, visitor, trace);
}

QueryStats Broadphase::visit_boxes(const Aabb& box, BoxVisitor visitor, Recording* trace) const {
    if (box.is_empty()) return {};
    const detail::VisitGuard guard(this);
    return query_all(box, visitor, trace);
}

std::optional<ProxyRayHit> Broadphase::raycast_nearest(const Ray& ray) const {
    return detail::first_on_ray(*this, ray);
}

/// The number of jobs that the work of a step is worth: 1 without threads.
std::size_t Broadphase::worth_jobs(std::size_t proxies) const noexcept {
    constexpr std::size_t kFew = 1024;     // waking a thread costs more than their pairs
    constexpr std::size_t kPerThread = 8;  // evens out jobs of different lengths
    constexpr std::size_t kPerJob = 256;   // less is not worth the lists that each job fills
    if (!tasks_ || tasks_->concurrency() < 2 || proxies < kFew) return 1;
    return std::min(kPerThread * tasks_->concurrency(), proxies / kPerJob);
}

void Broadphase::for_ranges(std::size_t count, std::size_t proxies,
                            FunctionRef<void(std::size_t, std::size_t)> part) const {
    const std::size_t jobs = std::min(worth_jobs(proxies), count);
    if (jobs < 2) return part(0, count);
    tasks_->run(jobs, [&](std::size_t job) { part(job * count / jobs, (job + 1) * count / jobs); });
}

std::uint64_t Broadphase::collect_parts(
    std::size_t count, PairSink& out,
    FunctionRef<std::uint64_t(std::size_t, std::size_t, PairSink&)> search) const {
    const std::size_t jobs = std::min(worth_jobs(count_), count);
    if (jobs < 2) return search(0, count, out);
    // Bounds the memory for pairs that are not yet in `out`. Jobs that are skipped here are searched below.
    constexpr std::size_t kHeld = std::size_t{1} << 24;
    struct Found {
        std::vector<IndexPair> kept;
        std::uint64_t count = 0;
        std::uint64_t tests = 0;
        bool done = false;
    };
    std::vector<Found> found(jobs);
    const auto begin_of = [&](std::size_t job) { return job * count / jobs; };
    std::atomic<std::size_t> held{0};
    tasks_->run(jobs, [&](std::size_t job) {
        if (held.load(std::memory_order_relaxed) > kHeld) return;
        Found& f = found[job];
        PairSink sink(f.kept, out.limits());
        f.tests = search(begin_of(job), begin_of(job + 1), sink);
        sink.finish();
        f.count = sink.count();
        f.done = true;
        held += f.kept.size();
    });
    std::uint64_t tests = 0;
    for (std::size_t job = 0; job < jobs && !out.is_full(); ++job) {
        const Found& f = found[job];
        // The job in which the search ends is searched again, to end where it would without threads.
        if (f.done && f.count < out.limits().counted - out.count()) {
            out.append(std::span<const IndexPair>(f.kept), f.count);
            tests += f.tests;
        } else {
            tests += search(begin_of(job), begin_of(job + 1), out);
        }
    }
    return tests;
}

// Each range of first proxies can be sorted apart; without threads, all are one range.
void Broadphase::sort_found(std::vector<ProxyPair>& out) {
    const std::size_t count = slots_.size();
    const int bits = static_cast<int>(std::bit_width(std::max<std::size_t>(count, 1) - 1));
    const auto write_ids = [&](std::span<const IndexPair> pairs, std::size_t begin) {
        std::transform(pairs.begin(), pairs.end(), out.begin() + static_cast<std::ptrdiff_t>(begin),
                       [this](const IndexPair& pair) { return ProxyPair(id_at(pair.a), id_at(pair.b)); });
    };
    out.resize(found_.size());
    sorted_.resize(found_.size());
    if (worth_jobs(count_) < 2) return write_ids(radix_sort<IndexPair>(found_, sorted_, {0, bits, bits}), 0);

    constexpr int kRangeBits = 6;  // as many ranges as can be written to at once
    constexpr std::size_t kRanges = std::size_t{1} << kRangeBits;
    const int shift = std::max(bits - kRangeBits, 0);
    std::array<std::uint32_t, kRanges + 1> starts{};
    for (const IndexPair& p : found_)
        ++starts[(p.a >> shift) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::array<std::uint32_t, kRanges + 1> next = starts;
    for (const IndexPair& p : found_)
        sorted_[next[p.a >> shift]++] = p;
    for_ranges(kRanges, count_, [&](std::size_t first, std::size_t last) {
        for (std::size_t range = first; range < last; ++range) {
            const std::size_t begin = starts[range], size = starts[range + 1] - begin;
            write_ids(
                radix_sort(std::span(sorted_).subspan(begin, size), std::span(found_).subspan(begin, size),
                           {static_cast<std::uint32_t>(range << shift), shift, bits}),
                begin);
        }
    });
}

Aabb Broadphase::box(ProxyId id) const noexcept {
    return contains(id) ? box_of(id.index) : Aabb{};
}

}  // namespace bv
