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
    queried_ = 0;
    const std::size_t slots = tree.proxy_slots();
    if (states_.size() < slots) states_.resize(slots);
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        ProxyState& state = states_[i];
        const ProxyId id = tree.proxy_at(i);
        const bool used = id.valid();
        const Aabb fat = tree.fat_box(id);
        state.changed =
            used != state.used || (used && (id.generation != state.generation || fat != state.fat));
        if (!state.changed) continue;
        state = {fat, id.generation, used, true};
    }
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (!states_[i].changed || !states_[i].used) continue;
        ++queried_;
        const ProxyId id{i, states_[i].generation};
        stats += tree.query_fat(states_[i].fat, [&](ProxyId other, std::uint64_t) {
            // Two changed proxies find each other twice: the lower one reports.
            if (other == id || (states_[other.index].changed && other.index < i)) return;
            fresh_.emplace_back(std::min(id, other), std::max(id, other));
        });
    }
    // All pairs of a changed proxy were found again; the old ones only provide whether they touched.
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
        const bool queried = states_[old.pair.first.index].changed || states_[old.pair.second.index].changed;
        const bool alive = again || !queried;
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
