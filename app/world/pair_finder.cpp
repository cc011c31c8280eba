#include "world/pair_finder.hpp"

#include <algorithm>
#include <atomic>

#include "platform/clock.hpp"
#include "platform/threads/in_parts.hpp"

namespace lab {

/// For loops on the program's threads.
constexpr std::size_t kFoundPerPart = 8192;

PairFinder::PairFinder(const WorldOptions& options)
    : engine_(bv::make_broadphase(options.broadphase, options.tree)) {
    engine_->set_tasks(&platform::all_cores());
}

// ---- the engine

bv::BroadphaseKind PairFinder::affordable_kind(const BodyList& bodies, const WorldOptions& options) const {
    const bool too_many =
        options.broadphase == bv::BroadphaseKind::BruteForce && bodies.size() > kMaxBruteForce;
    return too_many || is_too_slow(options) ? bv::BroadphaseKind::WideTree : options.broadphase;
}

void PairFinder::restart(BodyList& bodies, const WorldOptions& options) {
    engine_ = OwnBroadphase(bv::make_broadphase(affordable_kind(bodies, options),
                                                options.tree));  // a new one restarts proxy indices, too
    engine_->set_tasks(&platform::all_cores());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        enter(bodies.bodies_[i], bodies.broad_box_at(i));
    engine_->update();
    engine_due_ = false;
}

void PairFinder::rebuild_tree(bv::Builder builder) {
    settle();
    engine_->rebuild(builder);
}

void PairFinder::enter(Body& body, const bv::Aabb& box) {
    body.proxy = engine_->insert(box, body.state.id.value).id;
    if (!body.proxy.valid()) return;
    if (body.proxy.index >= body_of_proxy_.size()) body_of_proxy_.resize(body.proxy.index + 1);
    body_of_proxy_[body.proxy.index] = body.state.id;
}

bool PairFinder::move(const Body& body, const bv::Aabb& box) {
    const bool taken = engine_->move(body.proxy, box) == bv::TreeStatus::Ok;
    engine_due_ = engine_due_ || taken;
    return taken;
}

void PairFinder::follow(const BodyList& bodies, float dt_s) {
    StepMemory& m = step_memory_;
    m.proxies.resize(bodies.size());
    m.boxes.resize(bodies.size());
    m.displacements.resize(bodies.size());
    platform::in_parts(bodies.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            m.proxies[i] = bodies[i].proxy;
            m.boxes[i] = bodies.broad_box_at(i);
            m.displacements[i] = dt_s * bodies[i].state.velocity;
        }
    });
    // Moves all at once; if the engine rejects a body, moves all others one by one.
    if (engine_->move_all(m.proxies, m.boxes, m.displacements) != bv::TreeStatus::Ok)
        for (std::size_t i = 0; i < bodies.size(); ++i)
            engine_->move(m.proxies[i], m.boxes[i], m.displacements[i]);
    engine_->update();
    engine_due_ = false;
}

void PairFinder::settle() {
    if (!engine_due_) return;
    engine_due_ = false;
    engine_->update();
}

// ---- pairs

void PairFinder::forget() {
    pairs_ = {};
    remembered_.clear();
}

void PairFinder::forget_lost(const BodyList& bodies) {
    const auto lost = [&](const BodyPair& pair) { return !bodies.find(pair.a) || !bodies.find(pair.b); };
    for (auto* list : {&pairs_.broad, &pairs_.volume, &pairs_.exact})
        if (std::any_of(list->begin(), list->end(), lost)) std::erase_if(list->edit(), lost);
}

void PairFinder::find(BodyList& bodies, const WorldOptions& options, TimingsMs& timings, For purpose) {
    const std::optional<PairMemory> kept =
        purpose == For::Picture ? std::optional(remembered_) : std::nullopt;
    {
        const platform::Stopwatch watch(timings.broadphase);
        find_broad_pairs();
    }
    const platform::Stopwatch watch(timings.narrowphase);
    pairs_.counts = {};
    {
        const platform::Stopwatch volume_watch(timings.volume_tests);
        find_volume_pairs(bodies);
    }
    pairs_.exact = pairs_.volume;
    pairs_.exact_tested = options.exact && pairs_.volume.size() <= kMaxExactPairs;
    if (pairs_.exact_tested) {
        const platform::Stopwatch exact_watch(timings.exact_tests);
        find_exact_pairs(bodies, options.exact_by);
    } else {
        remembered_.begin(0);
    }
    if (kept) remembered_ = *kept;
    mark_colliding(bodies);
}

void PairFinder::find_broad_pairs() {
    settle();
    const bv::BroadphaseStats stats = engine_->find_pairs(found_, {kMaxPairs, kMaxCountedPairs});
    // If at least a tenth of the tests find a pair, no engine needs far fewer.
    if (stats.tests > kMaxTests && stats.tests / 10 > stats.pairs) too_slow_ = engine_->kind();
    pairs_.left_out = stats.pairs - found_.size();
    pairs_.all_counted = stats.complete;
    std::vector<BodyPair>& broad = pairs_.broad.rewrite();
    broad.resize(found_.size());
    const auto pair_at = [&](std::size_t i) -> BodyPair {
        const bv::BodyId a = body_of_proxy_[found_[i].first.index];
        const bv::BodyId b = body_of_proxy_[found_[i].second.index];
        return {std::min(a, b), std::max(a, b)};
    };
    std::atomic<bool> is_sorted{true};
    platform::in_parts(found_.size(), kFoundPerPart, [&](std::size_t begin, std::size_t end) {
        bool in_order = true;
        BodyPair before = pair_at(begin > 0 ? begin - 1 : 0);
        for (std::size_t i = begin; i < end; ++i) {
            const BodyPair pair = broad[i] = pair_at(i);
            in_order = in_order && !(pair < before);
            before = pair;
        }
        if (!in_order) is_sorted = false;
    });
    // The engine sorts by proxy, which is the order of bodies as long as no proxy was reused.
    if (!is_sorted) std::sort(broad.begin(), broad.end());
    frame_ = {bv::broadphase_info(engine_->kind()).id, stats.tests, stats.pairs, stats.memory_bytes,
              engine_->has_tree()};
}

void PairFinder::find_volume_pairs(const BodyList& bodies) {
    std::vector<VolumeKind>& kinds = step_memory_.kinds;
    kinds.resize(bodies.size());
    platform::in_parts(bodies.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            kinds[i] = bodies[i].state.volumes.kind;
    });
    std::vector<BodyPair>& volume = pairs_.volume.rewrite();
    volume.clear();
    find_overlapping(bodies.volumes_, kinds, bodies.index_, pairs_.broad.read(), volume);
    pairs_.counts.volume_tests = pairs_.broad.size();
}

void PairFinder::find_exact_pairs(const BodyList& bodies, ExactBy by) {
    const std::vector<BodyPair>& pairs = pairs_.volume.read();
    remembered_.begin(pairs.size());
    std::vector<ExactTest> tests(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        tests[i] = {&bodies.find(pairs[i].a)->state, &bodies.find(pairs[i].b)->state,
                    by == ExactBy::Meshes ? &remembered_.of(pairs[i]) : nullptr};
    exact_.test_all(bodies.meshes(), tests, by);
    std::vector<BodyPair>& exact = pairs_.exact.rewrite();
    exact.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs_.counts.exact_tests += tests[i].counts.exact_tests;
        pairs_.counts.box_tests += tests[i].counts.box_tests;
        pairs_.counts.part_tests += tests[i].counts.part_tests;
        if (tests[i].touching) exact.push_back(pairs[i]);
    }
}

/// The bodies in pairs of the last stage that ran.
void PairFinder::mark_colliding(BodyList& bodies) {
    std::vector<std::uint8_t>& colliding = step_memory_.colliding;
    colliding.assign(bodies.size(), 0);
    for (const BodyPair& pair : pairs_.exact)
        colliding[bodies.index_[pair.a.value]] = colliding[bodies.index_[pair.b.value]] = 1;
    platform::in_parts(bodies.size(), platform::kBodiesPerPart, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            bodies.bodies_[i].state.colliding = colliding[i] != 0;
    });
}

std::size_t PairFinder::memory_bytes() const {
    const std::size_t pairs = pairs_.broad.size() + pairs_.volume.size() + pairs_.exact.size();
    return pairs * sizeof(BodyPair) + remembered_.memory_bytes() + frame_.memory_bytes;
}

}  // namespace lab
