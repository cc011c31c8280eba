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

}  // namespace

bool Broadphase::being_visited() const noexcept {
    const bool visited = detail::VisitGuard::is_visited(this);
    BV_ASSERT(!visited);
    return visited;
}

std::uint32_t Broadphase::allocate(const Aabb& box, std::uint64_t user_data) {
    std::uint32_t index;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(proxies_.size());
        proxies_.emplace_back();
        boxes_.emplace_back();
    } else {
        index = free_.back();
        free_.pop_back();
    }
    Proxy& p = proxies_[index];
    boxes_[index] = box;
    p.user_data = user_data;
    p.used = true;
    ++count_;
    return index;
}

InsertResult Broadphase::insert(const Aabb& box, std::uint64_t user_data) {
    if (being_visited()) return detail::not_inserted(TreeStatus::Busy);
    if (!box.is_finite()) return detail::not_inserted(TreeStatus::NotFinite);
    if (count_ >= kMaxProxies) return detail::not_inserted(TreeStatus::Full);
    const std::uint32_t index = allocate(box, user_data);
    on_insert(index);
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
        indices.push_back(allocate(boxes[i], user_data[i]));
        if (!ids.empty()) ids[i] = id_at(indices.back());
    }
    on_insert_all(indices);
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
    Proxy& p = proxies_[index];
    p.used = false;
    boxes_[index] = Aabb{};
    ++p.generation;
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
        proxies_[id.index].used = false;
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
    boxes_[id.index] = box;
    return {TreeStatus::Ok, on_move(id.index, displacement)};
}

MoveResult Broadphase::move_all(std::span<const ProxyId> ids, std::span<const Aabb> boxes,
                                std::span<const glm::vec3> displacements) {
    if (being_visited()) return {TreeStatus::Busy};
    BV_ASSERT(ids.size() == boxes.size() && (displacements.empty() || displacements.size() == boxes.size()));
    ids = ids.first(detail::common_length(ids.size(), boxes.size(), displacements.size()));
    std::atomic<bool> is_stale{false}, is_not_finite{false}, is_in_order{true};
    for_ranges(ids.size(), ids.size(), [&](std::size_t begin, std::size_t end) {
        bool known = true, finite = true, in_order = true;
        for (std::size_t i = begin; i < end; ++i) {
            known = known && contains(ids[i]);
            finite = finite && detail::is_finite_box(detail::LoadedBox(boxes[i])) &&
                     (displacements.empty() || is_finite(displacements[i]));
            in_order = in_order && (i == 0 || ids[i - 1].index < ids[i].index);
        }
        if (!known) is_stale = true;
        if (!finite) is_not_finite = true;
        if (!in_order) is_in_order = false;
    });
    if (is_stale) return {TreeStatus::StaleId};
    if (is_not_finite) return {TreeStatus::NotFinite};
    const auto set_boxes = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            boxes_[ids[i].index] = boxes[i];
    };
    // Of an id given twice the last box counts: that takes one thread.
    if (is_in_order)
        for_ranges(ids.size(), ids.size(), set_boxes);
    else
        set_boxes(0, ids.size());
    return {TreeStatus::Ok, on_move_all(ids, displacements)};
}

TreeStatus Broadphase::clear() {
    if (being_visited()) return TreeStatus::Busy;
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < proxies_.size(); ++i)
        if (proxies_[i].used) used.push_back(i);
    on_clear(used);
    free_.clear();
    for (std::size_t i = proxies_.size(); i-- > 0;) {
        Proxy& p = proxies_[i];
        if (p.used) ++p.generation;
        p.used = false;
        boxes_[i] = Aabb{};
        free_.push_back(static_cast<std::uint32_t>(i));
    }
    count_ = 0;
    return TreeStatus::Ok;
}

void Broadphase::update() {
    if (!being_visited()) on_update();
}

bool Broadphase::on_move_all(std::span<const ProxyId> ids, std::span<const glm::vec3> displacements) {
    bool fat_box_changed = false;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (on_move(ids[i].index, displacements.empty() ? glm::vec3(0.0f) : displacements[i]))
            fat_box_changed = true;
    return fat_box_changed;
}

void Broadphase::on_insert_all(std::span<const std::uint32_t> indices) {
    for (const std::uint32_t index : indices)
        on_insert(index);
}
void Broadphase::on_remove_all(std::span<const std::uint32_t> indices) {
    for (const std::uint32_t index : indices)
        on_remove(index);
}

/// Sorts the pairs of one first proxy.
void Broadphase::sort_run(std::span<IndexPair> run) {
    if (run.size() >= 16) {
        std::sort(run.begin(), run.end(), [](const IndexPair& x, const IndexPair& y) { return x.b < y.b; });
        return;
    }
    for (std::size_t i = 1; i < run.size(); ++i) {
        const IndexPair pair = run[i];
        std::size_t to = i;
        for (; to > 0 && pair.b < run[to - 1].b; --to)
            run[to] = run[to - 1];
        run[to] = pair;
    }
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
    stats.tests = search(sink);
    sink.finish();
    sort_found(out);
    stats.pairs = sink.count();
    stats.complete = !sink.is_full();
    stats.memory_bytes = engine_bytes() + proxies_.size() * (sizeof(Proxy) + sizeof(Aabb)) +
                         (found_.size() + sorted_.size()) * sizeof(IndexPair) +
                         next_of_.size() * sizeof(std::uint32_t);
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

QueryStats Broadphase::query_all(const Aabb& box, BoxVisitor visitor, Recording*) const {
    QueryStats stats;
    for (std::uint32_t i = 0; i < proxies_.size(); ++i) {
        if (!proxies_[i].used) continue;
        ++stats.leaves_tested;
        if (!detail::overlaps(boxes_[i], box)) continue;
        ++stats.hits;
        if (visitor(id_at(i), proxies_[i].user_data) == Visit::Stop) break;
    }
    return stats;
}

QueryStats Broadphase::raycast_all(const Ray& ray, RayVisitor visitor, Recording*) const {
    QueryStats stats;
    float limit = ray.t_max;
    for (std::uint32_t i = 0; i < proxies_.size(); ++i) {
        if (!proxies_[i].used) continue;
        ++stats.leaves_tested;
        const auto hit = bv::raycast(Ray{ray.origin, ray.direction, limit, ray.t_min}, boxes_[i]);
        if (!hit) continue;
        ++stats.hits;
        limit = std::min(limit, visitor(id_at(i), proxies_[i].user_data, hit->t));
        if (limit < 0.0f) break;
    }
    return stats;
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
    // Bounds the memory for pairs that are not yet in `out`. What is not searched here, is searched below.
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
            out.append(f.kept, f.count);
            tests += f.tests;
        } else {
            tests += search(begin_of(job), begin_of(job + 1), out);
        }
    }
    return tests;
}

// First by ranges of first proxies, in one pass; then each range apart, by a counting sort and sorts of the
// short runs by second proxy: linear unless a proxy has very many pairs. Writes the ids of the sorted pairs
// to `out`.
void Broadphase::sort_found(std::vector<ProxyPair>& out) {
    constexpr int kRanges = 64;      // as many as can be written to at once
    constexpr int kSmallRange = 10;  // the logarithm of a range that the first cache holds
    const std::size_t count = proxies_.size();
    const int shift = std::max(static_cast<int>(std::bit_width(count / kRanges)), kSmallRange);
    std::array<std::uint32_t, kRanges + 1> starts{};
    for (const IndexPair& p : found_)
        ++starts[(p.a >> shift) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::array<std::uint32_t, kRanges + 1> next = starts;
    sorted_.resize(found_.size());
    for (const IndexPair& p : found_)
        sorted_[next[p.a >> shift]++] = p;

    next_of_.resize(count + 1);
    out.resize(sorted_.size());
    const auto sort_range = [&](std::size_t range) {
        const std::size_t first = std::min(range << shift, count);
        const std::size_t last = std::min((range + 1) << shift, count);
        const std::span<const IndexPair> pairs =
            std::span(sorted_).subspan(starts[range], starts[range + 1] - starts[range]);
        std::fill(&next_of_[first], &next_of_[last], 0);
        for (const IndexPair& p : pairs)
            ++next_of_[p.a];
        std::exclusive_scan(&next_of_[first], &next_of_[last], &next_of_[first], starts[range]);
        for (const IndexPair& p : pairs)
            found_[next_of_[p.a]++] = p;
        // Now `next_of_[a]` is the end of the pairs of `a`.
        for (std::size_t begin = starts[range]; begin < starts[range + 1];) {
            const std::size_t end = next_of_[found_[begin].a];
            sort_run(std::span(found_).subspan(begin, end - begin));
            const ProxyId a = id_at(found_[begin].a);
            for (; begin < end; ++begin)
                out[begin] = {a, id_at(found_[begin].b)};
        }
    };
    for_ranges(kRanges, count_, [&](std::size_t first, std::size_t last) {
        for (std::size_t range = first; range < last; ++range)
            sort_range(range);
    });
}

Aabb Broadphase::box(ProxyId id) const noexcept {
    return contains(id) ? boxes_[id.index] : Aabb{};
}
std::optional<std::uint64_t> Broadphase::user_data(ProxyId id) const noexcept {
    if (!contains(id)) return std::nullopt;
    return proxies_[id.index].user_data;
}

}  // namespace bv
