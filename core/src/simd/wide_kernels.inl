// Body of the WideTree kernels. Included once per instruction set, inside its namespace, with BV_WIDE_TARGET
// as the function attribute and these primitives defined:
//   Box8 splat(Aabb)                               one box against eight
//   unsigned overlap_mask(WideTreeNode, Box8)      bit i: entry i overlaps; for boxes without an infinite end
//   Ray8 splat(RaySlabs)
//   unsigned ray_mask(WideTreeNode, Ray8, limit, t[8])
//   GrownRay8 splat(RaySlabs, vec3), ray_mask(WideTreeNode, GrownRay8, limit, t[8])   grown boxes
//   void fill_block(WideTreeNode&, WideTreeProxy*) boxes of a block from its proxies
//   Aabb node_bounds(WideTreeNode)
//   bool areas_stay_finite(const WideTreeNode&, Box8)  false where areas of `grow_least` may overflow
//   unsigned grow_least<kFinite>(WideTreeNode&, Box8)  one step of `descend`: the entry, now grown
// Beside these, each instruction set has its own `divide`.

namespace {

using Verdict = NodeVisited::Verdict;

BV_WIDE_TARGET inline unsigned lowest(unsigned mask) {
    return static_cast<unsigned>(__builtin_ctz(mask));
}

inline void record(Recording* trace, std::uint32_t node, std::uint32_t depth, float t, Verdict verdict) {
    if (trace) (*trace)(NodeVisited{NodeIndex{node}, depth, t, verdict});
}

inline void prefetch_node(const WideTreeNode& n) {
    for (std::size_t line = 0; line < sizeof(WideTreeNode); line += 64)
        __builtin_prefetch(reinterpret_cast<const char*>(&n) + line);
}

// The part of a box that a finite box can overlap. Unused entries, from infinity to minus infinity, overlap
// no box whose maxima are finite.
inline Aabb within_floats(const Aabb& box) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    return {box.min, glm::min(box.max, glm::vec3(kLargest))};
}

struct RayEntry {
    float t;
    std::uint32_t node;
};

// Pairs of entries of two blocks, or of one with itself.
BV_WIDE_TARGET void pair_blocks(const WideTreeNode& a, const WideTreeNode& b, const Aabb& b_bounds, bool same,
                                std::vector<WideTreeProxyPair>& out, QueryStats& stats) {
    // Only entries that overlap the other block need tests against all of it.
    unsigned rows = same ? (1u << a.count) - 1u : overlap_mask(a, splat(b_bounds));
    stats.boxes_tested += same ? 0 : 8;
    while (rows) {
        const unsigned i = lowest(rows);
        rows &= rows - 1;
        unsigned hits = overlap_mask(b, splat(a.box(i)));
        if (same) hits &= ~((2u << i) - 1u);
        stats.leaves_tested += 8;
        stats.hits += static_cast<std::uint32_t>(__builtin_popcount(hits));
        while (hits) {
            const unsigned j = lowest(hits);
            hits &= hits - 1;
            out.push_back({a.child[i], b.child[j]});
        }
    }
}

// Pairs of entries of two inner nodes of one level.
template <class Push>
BV_WIDE_TARGET void pair_inner(const WideTreeNode& a, const WideTreeNode& b, bool same, QueryStats& stats,
                               const Push& push) {
    for (unsigned i = 0; i < a.count; ++i) {
        unsigned hits = overlap_mask(b, splat(a.box(i)));
        if (same) hits &= ~((2u << i) - 1u);
        stats.boxes_tested += 8;
        while (hits) {
            const unsigned j = lowest(hits);
            hits &= hits - 1;
            push(WideTreeNodePair{a.child[i], b.child[j]}, b, j);
        }
        if (same) push(WideTreeNodePair{a.child[i], a.child[i]}, a, i);
    }
}

BV_WIDE_TARGET double refit_node(const WideTreeView& tree, std::uint32_t index, const WideFitted*& fitted,
                                 Aabb& bounds) {
    if (fitted && fitted->node == index) {
        bounds = fitted->bounds;
        return fitted++->cost;
    }
    WideTreeNode& n = tree.nodes[index];
    double cost = 0.0;
    if (n.level == 0) {
        fill_block(n, tree.proxies);
    } else {
        for (unsigned i = 0; i < n.count; ++i) {
            if (i + 1 < n.count) __builtin_prefetch(&tree.nodes[n.child[i + 1]].child);
            Aabb box;
            cost += refit_node(tree, n.child[i], fitted, box);
            n.set_box(i, box);
        }
    }
    bounds = node_bounds(n);
    return cost + double{half_area(bounds)};
}

}  // namespace

BV_WIDE_TARGET QueryStats query_box(const WideTreeView& tree, const Aabb& box, WideQueryVisitor visitor,
                                    Recording* trace) {
    QueryStats stats;
    const Box8 target = splat(within_floats(box));
    GrowStack<std::uint32_t, 128> stack;
    stack.push(tree.root);
    const std::uint32_t top = tree.nodes[tree.root].level;
    while (!stack.empty()) {
        const std::uint32_t index = stack.pop();
        const WideTreeNode& n = tree.nodes[index];
        ++stats.nodes_visited;
        unsigned hits = overlap_mask(n, target);
        if (n.level > 0) {
            stats.boxes_tested += n.count;
            if (trace) {
                record(trace, index, top - n.level, 0.0f, Verdict::Entered);
                for (unsigned i = 0; i < n.count; ++i)
                    if (!((hits >> i) & 1u))
                        record(trace, n.child[i], top - n.level + 1, 0.0f, Verdict::Culled);
            }
            while (hits) {
                const std::uint32_t child = n.child[lowest(hits)];
                hits &= hits - 1;
                prefetch_node(tree.nodes[child]);
                stack.push(child);
            }
            continue;
        }
        stats.leaves_tested += n.count;
        record(trace, index, top, 0.0f, hits ? Verdict::LeafHit : Verdict::LeafTested);
        while (hits) {
            const unsigned i = lowest(hits);
            hits &= hits - 1;
            ++stats.hits;
            if (visitor(n.child[i]) == Visit::Stop) return stats;
        }
    }
    return stats;
}

namespace {

/// `AnyRay` is a Ray8, or for boxes that are grown a GrownRay8.
template <class AnyRay>
BV_WIDE_TARGET QueryStats cast(const WideTreeView& tree, const AnyRay& ray, float t_max,
                               WideRayVisitor visitor, Recording* trace) {
    QueryStats stats;
    float limit = t_max;
    GrowStack<RayEntry, 128> stack;
    stack.push({0.0f, tree.root});
    const std::uint32_t top = tree.nodes[tree.root].level;
    alignas(32) float t[8];
    while (!stack.empty()) {
        const RayEntry at = stack.pop();
        const WideTreeNode& n = tree.nodes[at.node];
        if (RaySlabs::is_behind(at.t, limit)) {
            record(trace, at.node, top - n.level, at.t, Verdict::Culled);
            continue;
        }
        ++stats.nodes_visited;
        unsigned hits = ray_mask(n, ray, limit, t);
        RayEntry order[8];
        unsigned count = 0;
        // Far ones first, so that the nearest ends on top of the stack.
        for (; hits; hits &= hits - 1) {
            const unsigned i = lowest(hits);
            unsigned at_place = count++;
            for (; at_place > 0 && order[at_place - 1].t < t[i]; --at_place)
                order[at_place] = order[at_place - 1];
            order[at_place] = {t[i], n.child[i]};
        }
        if (n.level > 0) {
            stats.boxes_tested += n.count;
            record(trace, at.node, top - n.level, at.t, Verdict::Entered);
            for (unsigned i = 0; i < count; ++i)
                stack.push(order[i]);
            // The nearest is next, and all four lines of it will be read.
            if (count > 0) prefetch_node(tree.nodes[order[count - 1].node]);
            if (count > 1) prefetch_node(tree.nodes[order[count - 2].node]);
            continue;
        }
        stats.leaves_tested += n.count;
        record(trace, at.node, top, at.t, count ? Verdict::LeafHit : Verdict::LeafTested);
        while (count > 0) {
            const RayEntry& hit = order[--count];
            if (RaySlabs::is_behind(hit.t, limit)) break;
            const float answer = visitor(hit.node, limit);
            if (answer < 0.0f) return stats;
            limit = answer < limit ? answer : limit;
        }
    }
    return stats;
}

}  // namespace

BV_WIDE_TARGET QueryStats cast_ray(const WideTreeView& tree, const RaySlabs& slabs, float t_max,
                                   WideRayVisitor visitor, Recording* trace) {
    return cast(tree, splat(slabs), t_max, visitor, trace);
}

BV_WIDE_TARGET QueryStats cast_box(const WideTreeView& tree, const RaySlabs& slabs, const glm::vec3& half,
                                   float t_max, WideRayVisitor visitor) {
    return cast(tree, splat(slabs, half), t_max, visitor, nullptr);
}

BV_WIDE_TARGET unsigned overlapping_entries(const WideTreeNode& node, const Aabb& box) {
    return overlap_mask(node, splat(within_floats(box)));
}

namespace {

/// A trace shows the second node of each pair.
template <class Sink>
BV_WIDE_TARGET QueryStats find_pairs_with(const WideTreeView& tree, WidePairStack& open, std::size_t enough,
                                          std::vector<WideTreeProxyPair>& out, Sink& sink) {
    QueryStats stats;
    const auto report = [&](std::uint32_t node, Verdict verdict) {
        if constexpr (Sink::kEnabled) {
            const std::uint32_t depth = tree.nodes[tree.root].level - tree.nodes[node].level;
            sink(NodeVisited{NodeIndex{node}, depth, 0.0f, verdict});
        }
    };
    const auto block_pair = [&](WideTreeNodePair p, const Aabb& b_bounds) {
        ++stats.nodes_visited;
        [[maybe_unused]] const std::size_t before = out.size();
        pair_blocks(tree.nodes[p.a], tree.nodes[p.b], b_bounds, p.a == p.b, out, stats);
        report(p.b, out.size() > before ? Verdict::LeafHit : Verdict::LeafTested);
    };
    while (!open.empty() && out.size() < enough) {
        const WideTreeNodePair at = open.pop();
        const WideTreeNode& a = tree.nodes[at.a];
        const WideTreeNode& b = tree.nodes[at.b];
        if (a.level == 0) {  // Only where a search starts: others are paired with the nodes above them.
            block_pair(at, node_bounds(b));
            continue;
        }
        ++stats.nodes_visited;
        report(at.b, Verdict::Entered);
        if (a.level == 1) {
            pair_inner(a, b, at.a == at.b, stats,
                       [&](WideTreeNodePair p, const WideTreeNode& of, unsigned slot) {
                           block_pair(p, of.box(slot));
                       });
        } else {
            pair_inner(a, b, at.a == at.b, stats,
                       [&](WideTreeNodePair p, const WideTreeNode&, unsigned) { open.push(p); });
        }
    }
    return stats;
}

}  // namespace

BV_WIDE_TARGET QueryStats find_pairs(const WideTreeView& tree, WidePairStack& open, std::size_t enough,
                                     std::vector<WideTreeProxyPair>& out, Recording* trace) {
    if (trace) return find_pairs_with(tree, open, enough, out, *trace);
    NoTrace none;
    return find_pairs_with(tree, open, enough, out, none);
}

BV_WIDE_TARGET QueryStats find_pairs_between(const WideTreeView& here, const WideTreeView& there,
                                             WidePairVisitor visitor) {
    QueryStats stats;
    GrowStack<WideTreeNodePair, 256> stack;
    stack.push({here.root, there.root});
    while (!stack.empty()) {
        const WideTreeNodePair at = stack.pop();
        const WideTreeNode& a = here.nodes[at.a];
        const WideTreeNode& b = there.nodes[at.b];
        ++stats.nodes_visited;
        if (a.level < b.level) {
            // The higher of the two is opened.
            stats.boxes_tested += b.count;
            for (unsigned m = overlap_mask(b, splat(node_bounds(a))); m; m &= m - 1)
                stack.push({at.a, b.child[lowest(m)]});
            continue;
        }
        stats.boxes_tested += a.count;
        for (unsigned rows = overlap_mask(a, splat(node_bounds(b))); rows; rows &= rows - 1) {
            const unsigned i = lowest(rows);
            if (a.level > b.level) {
                stack.push({a.child[i], at.b});
                continue;
            }
            (a.level == 0 ? stats.leaves_tested : stats.boxes_tested) += b.count;
            for (unsigned hits = overlap_mask(b, splat(a.box(i))); hits; hits &= hits - 1) {
                const std::uint32_t other = b.child[lowest(hits)];
                if (a.level > 0) {
                    stack.push({a.child[i], other});
                    continue;
                }
                ++stats.hits;
                if (visitor(a.child[i], other) == Visit::Stop) return stats;
            }
        }
    }
    return stats;
}

BV_WIDE_TARGET QueryStats open_pair(const WideTreeView& tree, WideTreeNodePair start,
                                    std::vector<WideTreeNodePair>& out) {
    QueryStats stats;
    const WideTreeNode& a = tree.nodes[start.a];
    if (a.level == 0) return stats;
    ++stats.nodes_visited;
    pair_inner(a, tree.nodes[start.b], start.a == start.b, stats,
               [&](WideTreeNodePair p, const WideTreeNode&, unsigned) { out.push_back(p); });
    return stats;
}

BV_WIDE_TARGET double refit(const WideTreeView& tree, std::uint32_t node, const WideFitted* fitted,
                            Aabb& bounds) {
    return refit_node(tree, node, fitted, bounds);
}

BV_WIDE_TARGET std::uint32_t descend(const WideTreeView& tree, const Aabb& box, std::uint32_t* path) {
    const Box8 added = splat(box);
    std::uint32_t index = tree.root;
    const bool finite = areas_stay_finite(tree.nodes[index], added);
    for (std::uint32_t level = tree.nodes[index].level; level > 0; --level) {
        WideTreeNode& n = tree.nodes[index];
        const std::uint32_t slot = finite ? grow_least<true>(n, added) : grow_least<false>(n, added);
        path[level] = index * 8 + slot;
        index = tree.nodes[index].child[slot];
    }
    prefetch_node(tree.nodes[index]);
    return index;
}
