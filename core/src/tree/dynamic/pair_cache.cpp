#include "bv/tree/pair_cache.hpp"

#include <algorithm>

#include "tree/box_math.hpp"

namespace bv {

void PairCache::clear() {
    *this = PairCache{};
}

QueryStats PairCache::update(const DynamicTree& tree) {
    QueryStats stats;
    began_.clear();
    ended_.clear();
    touching_.clear();
    fresh_.clear();
    searched_ = 0;
    const std::size_t slots = tree.proxy_slots();
    if (seen_.size() < slots) seen_.resize(slots);
    for (std::uint32_t i = 0; i < seen_.size(); ++i) {
        Seen& seen = seen_[i];
        const ProxyId id = tree.proxy_at(i);
        const bool used = id.valid();
        const Aabb fat = tree.fat_box(id);
        seen.changed = used != seen.used || (used && (id.generation != seen.generation || fat != seen.fat));
        if (!seen.changed) continue;
        seen = {fat, id.generation, used, true};
    }
    for (std::uint32_t i = 0; i < seen_.size(); ++i) {
        if (!seen_[i].changed || !seen_[i].used) continue;
        ++searched_;
        const ProxyId id{i, seen_[i].generation};
        stats += tree.query_fat(seen_[i].fat, [&](ProxyId other, std::uint64_t) {
            // Two that both changed find each other twice: the lower one reports.
            if (other == id || (seen_[other.index].changed && other.index < i)) return;
            fresh_.emplace_back(std::min(id, other), std::max(id, other));
        });
    }
    // Pairs of a proxy that changed were all found anew, so the old ones are only asked whether they touched.
    std::sort(fresh_.begin(), fresh_.end());
    std::vector<Kept> merged;
    merged.reserve(kept_.size() + fresh_.size());
    std::size_t next = 0;
    const auto touches = [&](const Pair& p) {
        ++stats.leaves_tested;
        return detail::overlaps(tree.tight_box(p.first), tree.tight_box(p.second));
    };
    const auto add_fresh = [&](const Pair& p) {
        merged.push_back({p, touches(p)});
        if (merged.back().touching) began_.push_back(p);
    };
    for (const Kept& old : kept_) {
        while (next < fresh_.size() && fresh_[next] < old.pair)
            add_fresh(fresh_[next++]);
        const bool again = next < fresh_.size() && fresh_[next] == old.pair;
        if (again) ++next;
        const bool searched = seen_[old.pair.first.index].changed || seen_[old.pair.second.index].changed;
        const bool alive = again || !searched;
        const bool now = alive && touches(old.pair);
        if (alive) merged.push_back({old.pair, now});
        if (now && !old.touching) began_.push_back(old.pair);
        if (!now && old.touching) ended_.push_back(old.pair);
    }
    while (next < fresh_.size())
        add_fresh(fresh_[next++]);
    kept_ = std::move(merged);
    for (const Kept& k : kept_)
        if (k.touching) touching_.push_back(k.pair);
    stats.hits = static_cast<std::uint32_t>(touching_.size());
    return stats;
}

}  // namespace bv
