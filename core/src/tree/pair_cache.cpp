#include "bv/tree/pair_cache.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/wide_tree.hpp"
#include "tree/box_math.hpp"

namespace bv {

void PairCache::swap(PairCache& other) noexcept {
    states_.swap(other.states_);
    kept_.swap(other.kept_);
    touching_.swap(other.touching_);
    before_.swap(other.before_);
    began_.swap(other.began_);
    persisted_.swap(other.persisted_);
    ended_.swap(other.ended_);
    fresh_.swap(other.fresh_);
    std::swap(queried_, other.queried_);
}

void PairCache::clear() {
    *this = PairCache{};
}

QueryStats PairCache::update(const DynamicTree& tree) {
    return update_from(tree);
}
QueryStats PairCache::update(const WideTree& tree) {
    return update_from(tree);
}

void PairCache::update(std::span<const Pair> pairs) {
    queried_ = 0;
    before_.swap(touching_);
    touching_.assign(pairs.begin(), pairs.end());
    compare();
}

void PairCache::compare() {
    began_.clear();
    persisted_.clear();
    ended_.clear();
    auto now = touching_.begin();
    auto then = before_.begin();
    while (now != touching_.end() || then != before_.end()) {
        if (then == before_.end() || (now != touching_.end() && *now < *then)) {
            began_.push_back(*now++);
        } else if (now == touching_.end() || *then < *now) {
            ended_.push_back(*then++);
        } else {
            persisted_.push_back(*now++);
            ++then;
        }
    }
}

template <class Tree>
QueryStats PairCache::find_fresh(const Tree& tree) {
    QueryStats stats;
    if constexpr (std::is_same_v<Tree, WideTree>) {
        // Finding all pairs costs less than this many queries.
        if (8 * queried_ > tree.size()) {
            return tree.for_each_part([&](std::span<const Pair> part) {
                for (const auto& [a, b] : part)
                    if (states_[a.index].changed || states_[b.index].changed)
                        fresh_.emplace_back(std::min(a, b), std::max(a, b));
            });
        }
    }
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (!states_[i].changed || !states_[i].used) continue;
        const ProxyId id{i, states_[i].generation};
        stats += tree.query_fat(states_[i].fat, [&](ProxyId other, std::uint64_t) {
            // Two changed proxies find each other twice: the lower one reports.
            if (other == id || (states_[other.index].changed && other.index < i)) return;
            fresh_.emplace_back(std::min(id, other), std::max(id, other));
        });
    }
    return stats;
}

template <class Tree>
QueryStats PairCache::update_from(const Tree& tree) {
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
        queried_ += used ? 1 : 0;
    }
    fresh_.clear();
    QueryStats stats = find_fresh(tree);
    // `fresh_` has all pairs of the changed proxies, so their old pairs are dropped.
    std::sort(fresh_.begin(), fresh_.end());
    std::erase_if(kept_, [&](const Pair& p) {
        return states_[p.first.index].changed || states_[p.second.index].changed;
    });
    before_.clear();
    std::merge(kept_.begin(), kept_.end(), fresh_.begin(), fresh_.end(), std::back_inserter(before_));
    kept_.swap(before_);

    before_.swap(touching_);
    touching_.clear();
    for (const Pair& p : kept_) {
        ++stats.leaves_tested;
        if (detail::overlaps(tree.tight_box(p.first), tree.tight_box(p.second))) touching_.push_back(p);
    }
    compare();
    stats.hits = static_cast<std::uint32_t>(touching_.size());
    return stats;
}

}  // namespace bv
