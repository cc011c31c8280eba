#include "scenes/trees/pair_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/text/counted.hpp"
#include "results/put.hpp"

namespace lab::scenes {
namespace {

constexpr bv::BroadphaseKind kTraced[] = {bv::BroadphaseKind::BruteForce, bv::BroadphaseKind::SweepAndPrune,
                                          bv::BroadphaseKind::IncrementalSweep,
                                          bv::BroadphaseKind::UniformGrid, bv::BroadphaseKind::SpatialHash};

/// As the engine keeps them: starts before ends of the same value.
std::vector<steps::BoxEnd> sorted_ends(const std::vector<bv::Aabb>& boxes, int axis) {
    std::vector<steps::BoxEnd> ends;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        ends.push_back({i, false});
        ends.push_back({i, true});
    }
    const auto at = [&](const steps::BoxEnd& e) {
        return (e.upper ? boxes[e.box].max : boxes[e.box].min)[axis];
    };
    std::stable_sort(ends.begin(), ends.end(), [&](const steps::BoxEnd& a, const steps::BoxEnd& b) {
        return at(a) < at(b) || (at(a) == at(b) && !a.upper && b.upper);
    });
    return ends;
}

/// The result of a search over boxes that the engine has not seen before.
struct Anew {
    bv::BroadphaseStats stats;
    /// The incremental sweep entered them one by one, by swaps, instead of sorting all of them: two boxes are
    /// tested on each axis on which a swap lets them begin to overlap.
    bool by_swaps = false;
};
Anew search_anew(bv::BroadphaseKind kind, const std::vector<bv::Aabb>& boxes) {
    const auto engine = bv::make_broadphase(kind);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        (void)engine->insert(boxes[i], i);
    std::vector<bv::ProxyPair> pairs;
    bv::Recording trace;
    Anew found{engine->find_pairs(pairs, {}, trace), false};
    found.by_swaps = std::any_of(
        trace.events().begin(), trace.events().end(),
        [](const bv::TraceEvent& event) { return std::holds_alternative<bv::EndsExchanged>(event); });
    return found;
}

}  // namespace

std::shared_ptr<const steps::Walk> walk_of_search(bv::BroadphaseKind kind, const std::vector<bv::Aabb>& boxes,
                                                  const std::vector<bv::Aabb>& before) {
    const auto engine = bv::make_broadphase(kind);
    const std::vector<bv::Aabb>& first = before.empty() ? boxes : before;
    std::vector<bv::ProxyId> ids;
    for (std::size_t i = 0; i < first.size(); ++i)
        ids.push_back(engine->insert(first[i], i).id);
    std::vector<bv::ProxyPair> pairs;
    steps::Subject subject;
    if (!before.empty()) {
        (void)engine->find_pairs(pairs);
        for (const auto& [a, b] : pairs)
            subject.pairs.emplace_back(std::min(a.index, b.index), std::max(a.index, b.index));
        if (kind == bv::BroadphaseKind::IncrementalSweep)
            for (std::size_t axis = 0; axis < 3; ++axis)
                subject.ends[axis] = sorted_ends(before, static_cast<int>(axis));
        for (std::size_t i = 0; i < boxes.size(); ++i)
            (void)engine->move(ids[i], boxes[i]);
    }
    subject.boxes = boxes;
    for (const bv::Aabb& box : boxes)
        subject.nodes.push_back(steps::as_obb(box));
    bv::Recording trace;
    const bv::BroadphaseStats stats = engine->find_pairs(pairs, {}, trace);
    return std::make_shared<const steps::Walk>(
        steps::algorithm(fmt::format("broadphase.{}", bv::broadphase_info(kind).id)), std::move(subject),
        trace,
        fmt::format("{} among {} by {}{}; brute force takes {}.", io::counted(stats.pairs, "pair", "pairs"),
                    io::counted(boxes.size(), "box", "boxes"), io::counted(stats.tests, "test", "tests"),
                    before.empty()
                        ? std::string()
                        : fmt::format(", since the order of the last frame is known ({} without it)",
                                      io::grouped(search_anew(kind, boxes).stats.tests)),
                    io::grouped(boxes.size() * (boxes.size() - 1) / 2)));
}

void show_motion(const std::vector<bv::Aabb>& before, const std::vector<bv::Aabb>& now,
                 FrameResults& results) {
    constexpr std::size_t kMaxBoxes = 60;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] == now[i]) continue;
        const bool few = before.size() <= kMaxBoxes;
        Exhibit& old = few ? put(results, before[i], Role::Muted)
                           : put(results, bv::Segment{before[i].center(), now[i].center()}, Role::Muted);
        old.width_px = 1.0f;
        old.legend = few ? "the box in the last frame" : "its motion since the last frame";
    }
}

Table compare_searches(bv::BroadphaseKind chosen, const std::vector<bv::Aabb>& boxes,
                       const std::vector<bv::Aabb>& before) {
    Table table{"searches", "The same boxes in every broadphase", {"broadphase", "tests", "pairs", "boxes"}};
    const auto add = [&](bv::BroadphaseKind kind, const bv::BroadphaseStats& stats, const char* which,
                         bool here) {
        table.add({std::string(bv::broadphase_info(kind).title), cells::grouped(stats.tests),
                   cells::grouped(stats.pairs), std::string(which)},
                  here ? Role::Selected : Role::Muted, here ? RowMark::Chosen : RowMark::None);
    };
    for (const bv::BroadphaseKind kind : kTraced) {
        const Anew anew = search_anew(kind, boxes);
        add(kind, anew.stats, anew.by_swaps ? "all new, by swaps on each axis" : "all new",
            kind == chosen && before.empty());
        if (kind != chosen || before.empty()) continue;
        const auto engine = bv::make_broadphase(kind);
        std::vector<bv::ProxyId> ids;
        for (std::size_t i = 0; i < before.size(); ++i)
            ids.push_back(engine->insert(before[i], i).id);
        std::vector<bv::ProxyPair> pairs;
        (void)engine->find_pairs(pairs);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            (void)engine->move(ids[i], boxes[i]);
        add(kind, engine->find_pairs(pairs), "moved since the last frame", true);
    }
    return table;
}

}  // namespace lab::scenes
