// Code shared by all broadphases: ids, boxes, and the order of pairs.
#include "bv/broadphase/broadphase.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "broadphase/engines.hpp"
#include "bv/query/raycast.hpp"
#include "bv/shapes/not_finite.hpp"

namespace bv {

std::span<const BroadphaseInfo> broadphase_kinds() noexcept {
    return kBroadphaseKinds;
}

std::unique_ptr<Broadphase> make_broadphase(BroadphaseKind kind, const TreeOptions& tree) {
    for (const detail::EngineFactory& engine : detail::kEngineFactories)
        if (engine.kind == kind) return engine.make(tree);
    return detail::make_wide_tree_broadphase(tree);
}

InsertResult Broadphase::insert(const Aabb& box, std::uint64_t user_data) {
    if (!box.is_finite()) return {TreeStatus::NotFinite, {}};
    if (count_ >= (1u << 28)) return {TreeStatus::Full, {}};
    std::uint32_t index;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(proxies_.size());
        proxies_.emplace_back();
    } else {
        index = free_.back();
        free_.pop_back();
    }
    Proxy& p = proxies_[index];
    p.box = box;
    p.user_data = user_data;
    p.used = true;
    ++count_;
    on_insert(index);
    return {TreeStatus::Ok, {index, proxies_[index].generation}};
}

TreeStatus Broadphase::remove(ProxyId id) {
    if (!contains(id)) return TreeStatus::StaleId;
    on_remove(id.index);
    Proxy& p = proxies_[id.index];
    p.used = false;
    p.box = Aabb{};
    ++p.generation;
    free_.push_back(id.index);
    --count_;
    return TreeStatus::Ok;
}

MoveResult Broadphase::move(ProxyId id, const Aabb& box, const glm::vec3& displacement) {
    if (!contains(id)) return {TreeStatus::StaleId};
    if (!detail::is_finite_box(detail::LoadedBox(box)) || !is_finite(displacement))
        return {TreeStatus::NotFinite};
    proxies_[id.index].box = box;
    return {TreeStatus::Ok, on_move(id.index, displacement)};
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
    stats.tests = search(sink);
    sink.finish();
    sort_found();
    out.clear();
    out.reserve(found_.size());
    for (const IndexPair& p : found_)
        out.emplace_back(id_at(p.a), id_at(p.b));
    stats.pairs = sink.count();
    stats.complete = !sink.is_full();
    stats.memory_bytes = engine_bytes() + proxies_.size() * sizeof(Proxy) +
                         (found_.size() + sorted_.size()) * sizeof(IndexPair) +
                         next_of_.size() * sizeof(std::uint32_t);
    return stats;
}

QueryStats Broadphase::raycast_all(const Ray& ray, RayVisitor visitor, Recording*) const {
    QueryStats stats;
    float limit = ray.t_max;
    for (std::uint32_t i = 0; i < proxies_.size(); ++i) {
        if (!proxies_[i].used) continue;
        ++stats.leaves_tested;
        const auto hit = bv::raycast(Ray{ray.origin, ray.direction, limit}, proxies_[i].box);
        if (!hit) continue;
        ++stats.hits;
        limit = std::min(limit, visitor(id_at(i), proxies_[i].user_data, hit->t));
        if (limit < 0.0f) break;
    }
    return stats;
}

// Counting sort by first proxy, then sorts each short run by second: linear unless a proxy has very many
// pairs.
void Broadphase::sort_found() {
    next_of_.assign(proxies_.size() + 1, 0);
    for (const IndexPair& p : found_)
        ++next_of_[p.a + 1];
    for (std::size_t i = 1; i < next_of_.size(); ++i)
        next_of_[i] += next_of_[i - 1];
    sorted_.resize(found_.size());
    for (const IndexPair& p : found_)
        sorted_[next_of_[p.a]++] = p;
    for (std::size_t begin = 0; begin < sorted_.size();) {
        const std::size_t end = next_of_[sorted_[begin].a];
        if (end - begin < 16) {
            for (std::size_t i = begin + 1; i < end; ++i) {
                const IndexPair pair = sorted_[i];
                std::size_t to = i;
                for (; to > begin && pair.b < sorted_[to - 1].b; --to)
                    sorted_[to] = sorted_[to - 1];
                sorted_[to] = pair;
            }
        } else {
            std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(begin),
                      sorted_.begin() + static_cast<std::ptrdiff_t>(end),
                      [](const IndexPair& x, const IndexPair& y) { return x.b < y.b; });
        }
        begin = end;
    }
    found_.swap(sorted_);
}

Aabb Broadphase::box(ProxyId id) const noexcept {
    return contains(id) ? proxies_[id.index].box : Aabb{};
}
std::optional<std::uint64_t> Broadphase::user_data(ProxyId id) const noexcept {
    if (!contains(id)) return std::nullopt;
    return proxies_[id.index].user_data;
}

}  // namespace bv
