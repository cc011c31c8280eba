// Every broadphase against brute force, over the same sequences of operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "bv/broadphase/broadphase.hpp"
#include "bv/query/batch.hpp"
#include "bv/query/raycast.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "many_threads.hpp"
#include "tree_test_util.hpp"
#include "workloads/boxes.hpp"

namespace bv {
namespace {

using test::Random;
using test::scaled;
using test::ShuffledThreads;

class BroadphaseModel : public testing::TestWithParam<BroadphaseInfo> {};

struct Entry {
    ProxyId id;
    Aabb box;
};

void check(Broadphase& engine, const std::vector<Entry>& model) {
    std::vector<ProxyPair> found, expected;
    engine.update();
    const BroadphaseStats stats = engine.find_pairs(found);
    for (std::size_t i = 0; i < model.size(); ++i)
        for (std::size_t j = i + 1; j < model.size(); ++j)
            if (test::boxes_touch(model[i].box, model[j].box))
                expected.emplace_back(std::min(model[i].id, model[j].id), std::max(model[i].id, model[j].id));
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(found, expected);
    ASSERT_EQ(stats.pairs, found.size());
    ASSERT_GT(stats.memory_bytes, 0u);
}

/// The tests of boxes in a trace, as text.
std::string tests_in(const Recording& trace) {
    std::string text = std::to_string(trace.events().size()) + " events";
    for (const TraceEvent& event : trace.events())
        if (const auto* test = std::get_if<BoxesTested>(&event))
            for (const std::uint32_t part :
                 {test->a, test->b, static_cast<std::uint32_t>(test->verdict), test->cell})
                text += ' ' + std::to_string(part);
    return text;
}

TEST_P(BroadphaseModel, SamePairsAfterEveryOperation) {
    const auto engine = make_broadphase(GetParam().kind);
    ASSERT_EQ(engine->kind(), GetParam().kind);
    Random random(13);
    std::vector<Entry> model;
    std::vector<ProxyId> removed;
    std::uint64_t next = 0;
    for (int step = 0; step < scaled(3000); ++step) {
        for (int k = 0; k < 10; ++k) {
            const std::uint32_t what = random.below(10);
            if (model.size() < 10 || (what < 3 && model.size() < 250)) {
                const Aabb box = random.box(12.0f);
                model.push_back({engine->insert(box, next++).id, box});
                ASSERT_EQ(engine->user_data(model.back().id), next - 1);
            } else if (what < 5) {
                const std::uint32_t i = random.below(model.size());
                ASSERT_EQ(engine->remove(model[i].id), TreeStatus::Ok);
                removed.push_back(model[i].id);
                model[i] = model.back();
                model.pop_back();
            } else {
                Entry& e = random.one_of(model);
                const glm::vec3 d = random.in_cube(what < 9 ? 0.3f : 10.0f);
                e.box = {e.box.min + d, e.box.max + d};
                ASSERT_EQ(engine->move(e.id, e.box, d), TreeStatus::Ok);
                ASSERT_EQ(engine->box(e.id), e.box);
            }
        }
        if (!removed.empty()) {
            const ProxyId stale = random.one_of(removed);
            ASSERT_EQ(engine->remove(stale), TreeStatus::StaleId);
            ASSERT_EQ(engine->move(stale, random.box(1.0f)), TreeStatus::StaleId);
        }
        ASSERT_EQ(engine->size(), model.size());
        ASSERT_NO_FATAL_FAILURE(check(*engine, model)) << "step " << step;
    }
}

TEST_P(BroadphaseModel, EveryArrangement) {
    for (const auto& arrangement : workloads::box_arrangements()) {
        const auto engine = make_broadphase(GetParam().kind);
        std::vector<Entry> model;
        for (const Aabb& box : arrangement.make(300, 5))
            model.push_back({engine->insert(box, model.size()).id, box});
        ASSERT_NO_FATAL_FAILURE(check(*engine, model)) << arrangement.id;
    }
}

TEST_P(BroadphaseModel, RejectsBadBoxesAndAcceptsHugeOnes) {
    const auto engine = make_broadphase(GetParam().kind);
    const float big = std::numeric_limits<float>::max();
    std::vector<ProxyPair> pairs;
    EXPECT_EQ(engine->find_pairs(pairs).pairs, 0u);
    EXPECT_EQ(engine->insert(Aabb{}, 0).status, TreeStatus::NotFinite);
    std::vector<Entry> model;
    const auto add = [&](const Aabb& box) { model.push_back({engine->insert(box, 0).id, box}); };
    add({glm::vec3(-big), glm::vec3(big)});
    add({glm::vec3(-big), glm::vec3(-big)});
    add({glm::vec3(big), glm::vec3(big)});
    add({glm::vec3(0), glm::vec3(0)});
    add({glm::vec3(1e-40f), glm::vec3(1e-38f)});
    add({glm::vec3(-big, 0, 0), glm::vec3(big, 1e-30f, 1)});
    Random random(1);
    for (int i = 0; i < 60; ++i)
        add(random.box(1.0f));
    EXPECT_EQ(engine->move(model[3].id, Aabb{glm::vec3(big), glm::vec3(-big)}), TreeStatus::NotFinite);
    EXPECT_EQ(engine->move(model[3].id, model[3].box, glm::vec3(std::numeric_limits<float>::quiet_NaN())),
              TreeStatus::NotFinite);
    check(*engine, model);
}

TEST_P(BroadphaseModel, BadNumbersAreRejectedWithoutEffect) {
    const auto engine = make_broadphase(GetParam().kind);
    Random random(2);
    std::vector<Entry> model;
    for (std::size_t i = 0; i < 30; ++i) {
        const Aabb box = random.box(4.0f);
        model.push_back({engine->insert(box, i).id, box});
    }
    const float inf = std::numeric_limits<float>::infinity();
    const ProxyId id = model[7].id;
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), inf, -inf})
        for (int k = 0; k < 3; ++k) {
            const Aabb good = random.box(4.0f);
            glm::vec3 displacement(0.25f);
            displacement[k] = bad;
            EXPECT_EQ(engine->move(id, good, displacement), TreeStatus::NotFinite);
            for (const bool upper : {false, true}) {
                Aabb box = good;
                (upper ? box.max : box.min)[k] = bad;
                EXPECT_EQ(engine->move(id, box), TreeStatus::NotFinite);
                EXPECT_EQ(engine->insert(box, 99).status, TreeStatus::NotFinite);
            }
            EXPECT_EQ(engine->box(id), model[7].box);
            EXPECT_EQ(engine->size(), model.size());
        }
    ASSERT_NO_FATAL_FAILURE(check(*engine, model));
    // Ids that are stale or were never assigned.
    ASSERT_EQ(engine->remove(id), TreeStatus::Ok);
    model.erase(model.begin() + 7);
    EXPECT_FALSE(engine->contains(id));
    EXPECT_TRUE(engine->box(id).is_empty());
    EXPECT_EQ(engine->user_data(id), std::nullopt);
    EXPECT_EQ(engine->remove(id), TreeStatus::StaleId);
    for (const ProxyId never : {ProxyId{30, 0}, ProxyId{0, 5}, ProxyId{0xffffffffu, 0}}) {
        EXPECT_FALSE(engine->contains(never));
        EXPECT_EQ(engine->move(never, model[0].box), TreeStatus::StaleId);
        EXPECT_EQ(engine->remove(never), TreeStatus::StaleId);
        EXPECT_EQ(engine->user_data(never), std::nullopt);
    }
    EXPECT_EQ(engine->size(), model.size());
    ASSERT_NO_FATAL_FAILURE(check(*engine, model));
    // The freed slot is reused with a new id.
    const Aabb box = random.box(4.0f);
    const ProxyId again = engine->insert(box, 123).id;
    EXPECT_EQ(again.index, id.index);
    EXPECT_NE(again, id);
    EXPECT_EQ(engine->user_data(again), 123u);
    EXPECT_FALSE(engine->contains(id));
    model.push_back({again, box});
    ASSERT_NO_FATAL_FAILURE(check(*engine, model));
}

TEST_P(BroadphaseModel, ACloneIsIndependent) {
    const auto engine = make_broadphase(GetParam().kind);
    workloads::MovingBoxes world(300, 9);
    std::vector<Entry> model;
    for (std::size_t i = 0; i < world.size(); ++i)
        model.push_back({engine->insert(world.box(i), i).id, world.box(i)});
    const auto move_on = [&](Broadphase& moved) {
        for (std::size_t i = 0; i < world.size(); ++i) {
            model[i].box = world.box(i);
            ASSERT_EQ(moved.move(model[i].id, world.box(i), world.displacement(i)), TreeStatus::Ok);
        }
    };
    ASSERT_NO_FATAL_FAILURE(check(*engine, model));
    const auto copy = engine->clone();
    ASSERT_EQ(copy->kind(), engine->kind());
    const std::vector<Entry> before = model;
    for (int step = 0; step < 30; ++step) {
        world.step();
        ASSERT_NO_FATAL_FAILURE(move_on(*engine));
        ASSERT_NO_FATAL_FAILURE(check(*engine, model));
    }
    ASSERT_NO_FATAL_FAILURE(check(*copy, before)) << "moves of the original show in the copy";
    ASSERT_NO_FATAL_FAILURE(move_on(*copy));
    ASSERT_NO_FATAL_FAILURE(check(*copy, model));
    EXPECT_EQ(copy->remove(model[5].id), TreeStatus::Ok);
    EXPECT_TRUE(engine->contains(model[5].id));
    EXPECT_EQ(copy->validate(), std::nullopt);
}

// Pairs, their order, all statistics and the trace, for any number of threads and any order of the jobs; the
// reference is the engine without threads, which the tests above hold against brute force.
TEST_P(BroadphaseModel, ThreadsChangeNothing) {
    const bool is_brute_force = GetParam().kind == BroadphaseKind::BruteForce;
    const auto plain = make_broadphase(GetParam().kind);
    workloads::MovingBoxes world(4000, 6);
    std::vector<ProxyId> ids;
    for (std::size_t i = 0; i < world.size(); ++i)
        ids.push_back(plain->insert(world.box(i), i).id);
    // One over all the others: a large box for the hash, and a proxy with very many pairs.
    ids.push_back(plain->insert(Aabb{glm::vec3(-1e3f), glm::vec3(1e3f)}, world.size()).id);
    ShuffledThreads runners[] = {ShuffledThreads(1), ShuffledThreads(2), ShuffledThreads(3),
                                 ShuffledThreads(8)};
    std::vector<std::unique_ptr<Broadphase>> threaded;
    for (ShuffledThreads& runner : runners) {
        threaded.push_back(plain->clone());
        threaded.back()->set_tasks(&runner);
        threaded.back() = threaded.back()->clone();
    }
    const std::size_t all = std::size_t(-1);
    const PairLimits limits[] = {{}, {100, all}, {all, 1}, {all, 700}, {50, 3000}, {all, 5001}, {all, 0}};
    for (const PairLimits& limit : limits) {
        world.step();
        const auto step = [&](Broadphase& engine) {
            for (std::size_t i = 0; i < world.size(); ++i)
                engine.move(ids[i], world.box(i));
            engine.update();
        };
        step(*plain);
        std::vector<ProxyPair> expected, found;
        const BroadphaseStats stats = plain->find_pairs(expected, limit);
        EXPECT_EQ(expected.empty(), limit.counted == 0);
        EXPECT_EQ(stats.complete, limit.counted == all);
        constexpr std::size_t kEvents = 5000;
        Recording trace(kEvents);
        if (!is_brute_force) (void)plain->find_pairs(expected, limit, trace);
        for (std::size_t k = 0; k < threaded.size(); ++k) {
            Broadphase& engine = *threaded[k];
            step(engine);
            const BroadphaseStats now = engine.find_pairs(found, limit);
            if (!is_brute_force) {
                Recording trace_found(kEvents);
                (void)engine.find_pairs(found, limit, trace_found);
                ASSERT_TRUE(tests_in(trace) == tests_in(trace_found)) << k;
            }
            ASSERT_EQ(found, expected) << k;
            EXPECT_EQ(now.tests, stats.tests) << k;
            EXPECT_EQ(now.pairs, stats.pairs) << k;
            EXPECT_EQ(now.complete, stats.complete) << k;
            EXPECT_EQ(now.memory_bytes, stats.memory_bytes) << k;
            EXPECT_EQ(engine.snapshot().boxes, plain->snapshot().boxes);
            EXPECT_EQ(engine.validate(), std::nullopt);
        }
    }
    EXPECT_EQ(runners[0].runs(), 0);
    for (std::size_t k = 1; k < threaded.size(); ++k)
        EXPECT_GT(runners[k].runs(), 0) << k;
}

TEST_P(BroadphaseModel, RaysMatchBruteForce) {
    const auto engine = make_broadphase(GetParam().kind);
    workloads::MovingBoxes world(400, 4);
    std::vector<ProxyId> ids;
    for (std::size_t i = 0; i < world.size(); ++i)
        ids.push_back(engine->insert(world.box(i), 1000 + i).id);
    engine->remove(ids[17]);
    engine->update();
    Random random(3);
    int hits = 0;
    for (int k = 0; k < 200; ++k) {
        const Ray ray{random.in_cube(12.0f), random.in_cube(1.0f), k % 3 == 0 ? 8.0f : 1e30f};
        float nearest = ray.t_max;
        std::vector<std::uint64_t> hits_data, expected;
        for (std::size_t i = 0; i < world.size(); ++i)
            if (const auto hit = reference::ray_in_box(ray, world.box(i)); hit && i != 17) {
                expected.push_back(1000 + i);
                nearest = std::min(nearest, static_cast<float>((*hit)[0]));
            }
        engine->raycast(ray, [&](ProxyId id, std::uint64_t data, float) {
            EXPECT_EQ(engine->user_data(id), data);
            hits_data.push_back(data);
            return ray.t_max;
        });
        std::sort(hits_data.begin(), hits_data.end());
        ASSERT_EQ(hits_data, expected) << k;
        if (expected.empty()) continue;
        ++hits;
        float found = ray.t_max;
        Recording trace;
        const QueryStats stats = engine->raycast(
            ray, [&](ProxyId, std::uint64_t, float t) { return found = std::min(found, t); }, trace);
        EXPECT_NEAR(found, nearest, 1e-6f * nearest);
        EXPECT_EQ(stats.nodes_visited > 0, engine->has_tree());
        EXPECT_EQ(trace.events().empty(), !engine->has_tree());
    }
    EXPECT_GT(hits, 20);
}

TEST_P(BroadphaseModel, LayoutContainsEveryPair) {
    const auto engine = make_broadphase(GetParam().kind);
    EXPECT_TRUE(engine->layout().cells.empty());
    workloads::MovingBoxes world(250, 8);
    for (std::size_t i = 0; i < world.size(); ++i)
        engine->insert(world.box(i), i);
    std::vector<ProxyPair> pairs;
    engine->update();
    engine->find_pairs(pairs);
    ASSERT_GT(pairs.size(), 20u);
    const BroadphaseLayout layout = engine->layout();
    const bool cells = engine->kind() == BroadphaseKind::UniformGrid ||
                       engine->kind() == BroadphaseKind::SpatialHash || engine->kind() == BroadphaseKind::Bsp;
    EXPECT_EQ(!layout.cells.empty(), cells);
    EXPECT_EQ(!layout.cuts.empty(), engine->kind() == BroadphaseKind::Bsp);
    for (const auto& cell : layout.cells) {
        std::uint32_t reach = 0;
        for (std::size_t i = 0; i < world.size(); ++i)
            reach += test::boxes_touch(cell.box, world.box(i));
        EXPECT_GE(reach, cell.boxes);
        EXPECT_LE(reach, cell.boxes + 3) << "boxes that only touch the cell's upper faces";
    }
    for (const auto& [p, q] : pairs) {
        const Aabb a = engine->box(p), b = engine->box(q);
        const auto both = [&](const auto& cell) {
            return test::boxes_touch(cell.box, a) && test::boxes_touch(cell.box, b);
        };
        ASSERT_TRUE(!cells || std::any_of(layout.cells.begin(), layout.cells.end(), both));
    }
    for (const auto& sorted : layout.axes) {
        ASSERT_EQ(sorted.intervals.size(), world.size());
        for (std::size_t i = 0; i < sorted.intervals.size(); ++i) {
            const auto& interval = sorted.intervals[i];
            EXPECT_EQ(interval.from, world.box(interval.user_data).min[sorted.axis]);
            EXPECT_EQ(interval.to, world.box(interval.user_data).max[sorted.axis]);
            ASSERT_TRUE(i == 0 || sorted.intervals[i - 1].from <= interval.from);
        }
    }
    const std::size_t axes = engine->kind() == BroadphaseKind::SweepAndPrune      ? 1
                             : engine->kind() == BroadphaseKind::IncrementalSweep ? 3
                                                                                  : 0;
    EXPECT_EQ(layout.axes.size(), axes);
}

/// All numbers of a layout; of its intervals those for which `listed(user_data)` holds.
template <class Listed>
std::vector<double> numbers_of(const BroadphaseLayout& layout, const Listed& listed) {
    std::vector<double> numbers;
    const auto add_box = [&](const Aabb& box) {
        for (int k = 0; k < 3; ++k)
            numbers.insert(numbers.end(), {double{box.min[k]}, double{box.max[k]}});
    };
    for (const auto& cell : layout.cells) {
        add_box(cell.box);
        numbers.insert(numbers.end(), {double(cell.boxes), double(cell.depth)});
    }
    for (const auto& cut : layout.cuts) {
        add_box(cut.part);
        numbers.insert(numbers.end(), {double(cut.axis), double{cut.at}, double(cut.depth)});
    }
    for (const auto& sorted : layout.axes)
        for (const auto& interval : sorted.intervals)
            if (listed(interval.user_data))
                numbers.insert(numbers.end(),
                               {double(interval.user_data), double{interval.from}, double{interval.to}});
    return numbers;
}

TEST_P(BroadphaseModel, ChangesShowInTheLayoutAfterTheNextSearch) {
    const auto engine = make_broadphase(GetParam().kind);
    Random random(6);
    std::vector<ProxyId> ids;
    for (std::uint64_t i = 0; i < 60; ++i)
        ids.push_back(engine->insert(random.box(9.0f), i).id);
    std::vector<ProxyPair> pairs;
    engine->update();
    engine->find_pairs(pairs);
    const BroadphaseLayout layout = engine->layout();
    const auto all = [](std::uint64_t) { return true; };
    for (std::size_t i = 0; i < 20; ++i)
        ASSERT_EQ(engine->move(ids[i], random.box(20.0f)), TreeStatus::Ok);
    ASSERT_TRUE(engine->insert(random.box(20.0f), 100));
    EXPECT_EQ(numbers_of(engine->layout(), all), numbers_of(layout, all)) << "moved and inserted";
    // New boxes in the slots of removed ones. The incremental sweep no longer shows what was removed.
    const bool forgets = GetParam().kind == BroadphaseKind::IncrementalSweep;
    const auto kept = [&](std::uint64_t data) { return !forgets || data < 50 || data >= 58; };
    for (std::size_t i = 50; i < 54; ++i) {
        ASSERT_EQ(engine->remove(ids[i]), TreeStatus::Ok);
        ASSERT_TRUE(engine->insert(random.box(20.0f), 200 + i));
    }
    ASSERT_EQ(engine->remove_all(std::span(ids).subspan(54, 4)), TreeStatus::Ok);
    ASSERT_TRUE(engine->insert(random.box(20.0f), 300));
    EXPECT_EQ(numbers_of(engine->layout(), all), numbers_of(layout, kept)) << "removed and inserted";
    ASSERT_EQ(engine->clear(), TreeStatus::Ok);
    EXPECT_EQ(numbers_of(engine->layout(), all), forgets ? std::vector<double>{} : numbers_of(layout, all));
    engine->update();
    EXPECT_EQ(engine->find_pairs(pairs).pairs, 0u);
    EXPECT_TRUE(engine->layout().cells.empty());
    for (const auto& sorted : engine->layout().axes)
        EXPECT_TRUE(sorted.intervals.empty());
    EXPECT_TRUE(engine->layout().cuts.empty());
}

TEST_P(BroadphaseModel, RebuildsAndNewOptionsKeepThePairs) {
    const auto engine = make_broadphase(GetParam().kind);
    workloads::MovingBoxes world(200, 2);
    std::vector<Entry> model;
    for (std::size_t i = 0; i < world.size(); ++i)
        model.push_back({engine->insert(world.box(i), i).id, world.box(i)});
    for (const Builder builder :
         {Builder::Median, Builder::Morton, Builder::BinnedSah, Builder::SweepSah, Builder::Agglomerative}) {
        TreeOptions options;
        options.builder = builder;
        options.upkeep = Upkeep::PartialRebuild;
        engine->set_tree_options(options);
        engine->rebuild(builder);
        EXPECT_EQ(engine->validate(), std::nullopt);
        ASSERT_NO_FATAL_FAILURE(check(*engine, model));
    }
}

// Of the five billion pairs an engine finds little more than it may count before it ends.
TEST_P(BroadphaseModel, ALimitEndsTheSearchOfManyBoxesInOnePlace) {
    constexpr std::size_t kBoxes = 100'000;
    const auto engine = make_broadphase(GetParam().kind);
    const std::vector<Aabb> boxes(kBoxes, Aabb{glm::vec3(0), glm::vec3(1)});
    ASSERT_EQ(engine->insert_all(boxes, std::vector<std::uint64_t>(kBoxes)), TreeStatus::Ok);
    engine->update();
    std::vector<ProxyPair> pairs;
    const BroadphaseStats stats = engine->find_pairs(pairs, {1000, 1000});
    EXPECT_EQ(pairs.size(), 1000u);
    EXPECT_FALSE(stats.complete);
    EXPECT_LT(stats.pairs, 2 * kBoxes);
    ShuffledThreads runner(2);
    engine->set_tasks(&runner);
    EXPECT_EQ(engine->find_pairs(pairs, {1000, 1000}).pairs, stats.pairs);
}

TEST_P(BroadphaseModel, AtLeastOnePairIsKept) {
    const auto engine = make_broadphase(GetParam().kind);
    for (std::uint64_t i = 0; i < 40; ++i)
        ASSERT_TRUE(engine->insert({glm::vec3(0), glm::vec3(1)}, i));
    engine->update();
    std::vector<ProxyPair> one, none;
    const BroadphaseStats stats = engine->find_pairs(one, {1});
    EXPECT_EQ(engine->find_pairs(none, {0}).pairs, stats.pairs);
    EXPECT_EQ(stats.pairs, 40u * 39u / 2u);
    EXPECT_EQ(one.size(), 1u);
    EXPECT_EQ(none, one);
}

INSTANTIATE_TEST_SUITE_P(Engines, BroadphaseModel,
                         testing::ValuesIn(broadphase_kinds().begin(), broadphase_kinds().end()),
                         [](const testing::TestParamInfo<BroadphaseInfo>& p) {
                             std::string name(p.param.id);
                             std::erase(name, '-');
                             return name;
                         });

// Many boxes over all the others, which are so small that the cells are, too.
TEST(Broadphase, CellsTakeMemoryInProportionToTheBoxes) {
    constexpr std::size_t kBoxes = 6000, kHuge = 100;
    Random random(11);
    std::vector<Aabb> boxes;
    std::vector<std::uint64_t> data(kBoxes);
    for (std::size_t i = 0; i < kBoxes; ++i) {
        const glm::vec3 p = random.in_cube(100.0f);
        boxes.push_back(i % 60 == 0 ? Aabb{glm::vec3(-100), glm::vec3(100)} : Aabb{p, p});
    }
    const auto reference = make_broadphase(BroadphaseKind::SweepAndPrune);
    std::vector<ProxyPair> expected, found;
    ASSERT_EQ(reference->insert_all(boxes, data), TreeStatus::Ok);
    ASSERT_EQ(reference->find_pairs(expected).pairs, kHuge * (kBoxes - kHuge) + kHuge * (kHuge - 1) / 2);
    for (const BroadphaseKind kind : {BroadphaseKind::UniformGrid, BroadphaseKind::SpatialHash}) {
        SCOPED_TRACE(broadphase_info(kind).id);
        const auto engine = make_broadphase(kind);
        ASSERT_EQ(engine->insert_all(boxes, data), TreeStatus::Ok);
        const BroadphaseStats few = engine->find_pairs(found, {100, 100});
        EXPECT_LT(few.memory_bytes, 400 * kBoxes);
        EXPECT_LT(few.tests, 5 * kBoxes);
        const BroadphaseStats stats = engine->find_pairs(found);
        EXPECT_TRUE(found == expected);
        EXPECT_LT(stats.tests, 2 * kHuge * kBoxes);
        Recording trace;
        EXPECT_EQ(engine->find_pairs(found, {}, trace).tests, stats.tests);
        EXPECT_TRUE(found == expected);
        ShuffledThreads runner(3);
        engine->set_tasks(&runner);
        EXPECT_EQ(engine->find_pairs(found).tests, stats.tests);
        EXPECT_TRUE(found == expected);
        EXPECT_GT(runner.runs(), 0);
    }
}

// The incremental sweep keeps at most four million pairs between steps.
TEST(Broadphase, WithTooManyPairsToKeepALimitStillEndsTheSearch) {
    constexpr std::size_t kBoxes = 2900, kLeft = 900;
    const auto engine = make_broadphase(BroadphaseKind::IncrementalSweep);
    std::vector<ProxyId> ids(kBoxes);
    std::vector<Aabb> boxes(kBoxes, Aabb{glm::vec3(0), glm::vec3(1)});
    ASSERT_EQ(engine->insert_all(boxes, std::vector<std::uint64_t>(kBoxes), ids), TreeStatus::Ok);
    engine->update();
    std::vector<ProxyPair> pairs;
    const PairLimits limits{100, 100};
    engine->find_pairs(pairs, limits);
    for (int step = 0; step < 3; ++step) {
        // In the last step so many boxes jump that the order is made anew.
        if (step == 2) {
            for (std::size_t i = 0; i < kBoxes; ++i)
                boxes[i] = {glm::vec3(-1.0f - float(i % 2) * 0.5f), glm::vec3(1.0f + float(i * 7 % 5))};
            ASSERT_EQ(engine->move_all(ids, boxes), TreeStatus::Ok);
        }
        engine->update();
        const BroadphaseStats stats = engine->find_pairs(pairs, limits);
        EXPECT_FALSE(stats.complete);
        if (step < 2) {
            EXPECT_LT(stats.tests, 1000u) << step;
        }
        Recording trace(10'000);
        const BroadphaseStats again = engine->find_pairs(pairs, limits, trace);
        const auto is_test = [](const TraceEvent& event) {
            return std::holds_alternative<BoxesTested>(event);
        };
        EXPECT_EQ(std::count_if(trace.events().begin(), trace.events().end(), is_test), again.tests) << step;
    }
    ASSERT_EQ(engine->remove_all(std::span(ids).subspan(kLeft)), TreeStatus::Ok);
    engine->update();
    EXPECT_EQ(engine->find_pairs(pairs, {100}).pairs, kLeft * (kLeft - 1) / 2);
    // Few enough to be kept: nothing is tested.
    EXPECT_EQ(engine->find_pairs(pairs, {100}).pairs, kLeft * (kLeft - 1) / 2);
    EXPECT_EQ(engine->find_pairs(pairs, {100}).tests, 0u);
}

TEST(Broadphase, OnceThePairsAreFewAgainTheyAreKeptWhateverTheLimits) {
    constexpr std::size_t kBoxes = 2900;
    const auto engine = make_broadphase(BroadphaseKind::IncrementalSweep);
    std::vector<ProxyId> ids(kBoxes);
    std::vector<Aabb> boxes(kBoxes, Aabb{glm::vec3(0), glm::vec3(1)});
    ASSERT_EQ(engine->insert_all(boxes, std::vector<std::uint64_t>(kBoxes), ids), TreeStatus::Ok);
    std::vector<ProxyPair> pairs;
    const PairLimits limits{100, 100};
    for (int step = 0; step < 40; ++step) {
        if (step == 3) {
            for (std::size_t i = 0; i < kBoxes; ++i) {
                const glm::vec3 at(static_cast<float>(i) * 0.9f, 0.0f, 0.0f);
                boxes[i] = {at, at + 1.0f};
            }
            ASSERT_EQ(engine->move_all(ids, boxes), TreeStatus::Ok);
        }
        engine->update();
        const BroadphaseStats stats = engine->find_pairs(pairs, limits);
        if (step > 30) {
            EXPECT_EQ(stats.tests, 0u) << step;
        }
    }
    EXPECT_EQ(engine->find_pairs(pairs).pairs, kBoxes - 1);
}

// Blocks that all overlap each other, of thin boxes that do not.
TEST(Broadphase, CountsMoreTestsThan32BitsHold) {
    if (best_simd() != Simd::Avx2) GTEST_SKIP() << "would take long";
    constexpr std::size_t kBlocks = 12'500, kBoxes = 8 * kBlocks;
    const auto engine = make_broadphase(BroadphaseKind::WideTree);
    const std::vector<Aabb> boxes(kBoxes, Aabb{glm::vec3(0), glm::vec3(8)});
    std::vector<std::uint64_t> numbers(kBoxes);
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::vector<ProxyId> ids(kBoxes);
    ASSERT_EQ(engine->insert_all(boxes, numbers, ids), TreeStatus::Ok);
    engine->update();
    // Into the space of the boxes so far, which leaves the tree as it is.
    const TreeSnapshot tree = engine->snapshot();
    for (std::uint32_t node = 0; node < tree.size(); ++node)
        for (std::uint32_t i = 0; tree.is_leaf(node) && i < tree.payload_count[node]; ++i) {
            const float x = static_cast<float>(i) + 4e-6f * static_cast<float>(node);
            const Aabb thin{{x, 0, 0}, {x, 8, 8}};
            ASSERT_EQ(engine->move(ids[tree.payloads[tree.first_payload[node] + i]], thin), TreeStatus::Ok);
        }
    engine->update();
    std::vector<ProxyPair> pairs;
    const BroadphaseStats stats = engine->find_pairs(pairs);
    EXPECT_EQ(stats.pairs, 0u);
    EXPECT_GT(stats.tests, std::uint64_t{1} << 32);
}

TEST(Broadphase, EnginesTestLessThanBruteForce) {
    constexpr std::uint64_t kAllPairs = 2000u * 1999u / 2u;
    for (const BroadphaseInfo& info : broadphase_kinds()) {
        const auto engine = make_broadphase(info.kind);
        workloads::MovingBoxes world(2000, 3);
        std::vector<ProxyId> ids;
        for (std::size_t i = 0; i < world.size(); ++i)
            ids.push_back(engine->insert(world.box(i), i).id);
        std::vector<ProxyPair> pairs;
        engine->update();
        engine->find_pairs(pairs);
        world.step();
        for (std::size_t i = 0; i < world.size(); ++i)
            engine->move(ids[i], world.box(i), world.displacement(i));
        engine->update();
        const std::uint64_t tests = engine->find_pairs(pairs).tests;
        if (info.kind == BroadphaseKind::BruteForce) {
            EXPECT_EQ(tests, kAllPairs);
        } else {
            EXPECT_LT(tests, kAllPairs / 5) << info.id;
        }
        EXPECT_EQ(engine->snapshot().empty(), !engine->has_tree()) << info.id;
    }
}

}  // namespace
}  // namespace bv
