// Bulk operations, box queries, nearest rays and events of every broadphase against a plain list of boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bv/assert.hpp"
#include "bv/broadphase/broadphase.hpp"
#include "many_threads.hpp"
#include "tree_test_util.hpp"

namespace bv {
namespace {

using glm::vec3;
using test::Random;
using test::scaled;

class BroadphaseOperations : public testing::TestWithParam<BroadphaseInfo> {};

struct Entry {
    ProxyId id;
    Aabb box;
    std::uint64_t data;
};
using Pairs = std::set<ProxyPair>;

/// An engine, and the list that says what it holds.
struct World {
    std::unique_ptr<Broadphase> engine;
    std::vector<Entry> list;
    std::vector<ProxyId> removed;
    PairCache events;
    Pairs touching;
    std::uint64_t next = 1000;

    void add(Random& random, std::size_t count) {
        std::vector<Aabb> boxes;
        std::vector<std::uint64_t> data;
        for (; count > 0; --count) {
            boxes.push_back(random.box(9.0f));
            data.push_back(next++);
        }
        std::vector<ProxyId> ids(boxes.size());
        ASSERT_EQ(engine->insert_all(boxes, data, ids), TreeStatus::Ok);
        for (std::size_t i = 0; i < ids.size(); ++i)
            list.push_back({ids[i], boxes[i], data[i]});
    }
    void add_one(Random& random) {
        const Aabb box = random.box(9.0f);
        list.push_back({engine->insert(box, next).id, box, next});
        ++next;
    }
    void take(Random& random, std::size_t count) {
        std::vector<ProxyId> ids;
        for (; count > 0 && !list.empty(); --count) {
            const std::uint32_t i = random.below(list.size());
            ids.push_back(list[i].id);
            removed.push_back(list[i].id);
            list[i] = list.back();
            list.pop_back();
        }
        if (ids.empty()) return;
        ids.push_back(ids[0]);  // Given twice, removed once.
        ASSERT_EQ(engine->remove_all(ids), TreeStatus::Ok);
    }
    void take_one(Random& random) {
        const std::uint32_t i = random.below(list.size());
        ASSERT_EQ(engine->remove(list[i].id), TreeStatus::Ok);
        removed.push_back(list[i].id);
        list[i] = list.back();
        list.pop_back();
    }
    void move_all(Random& random) {
        std::vector<ProxyId> ids;
        std::vector<Aabb> boxes;
        std::vector<vec3> displacements;
        for (Entry& e : list) {
            displacements.push_back(random.in_cube(0.3f));
            e.box = {e.box.min + displacements.back(), e.box.max + displacements.back()};
            ids.push_back(e.id);
            boxes.push_back(e.box);
        }
        if (random.chance(0.5)) displacements.clear();
        ASSERT_EQ(engine->move_all(ids, boxes, displacements), TreeStatus::Ok);
    }
    void clear() {
        for (const Entry& e : list)
            removed.push_back(e.id);
        list.clear();
        ASSERT_EQ(engine->clear(), TreeStatus::Ok);
    }

    void check(Random& random) {
        engine->update();
        ASSERT_EQ(engine->size(), list.size());
        ASSERT_FALSE(engine->validate().has_value());
        for (const Entry& e : list) {
            ASSERT_EQ(engine->box(e.id), e.box);
            ASSERT_EQ(engine->user_data(e.id), e.data);
        }
        const Aabb box = random.box(10.0f);
        std::set<ProxyId> found, traced, expected;
        const auto into = [&](std::set<ProxyId>& ids) {
            return [&](ProxyId id, std::uint64_t data) {
                EXPECT_EQ(engine->user_data(id), data);
                EXPECT_TRUE(ids.insert(id).second);
            };
        };
        Recording trace;
        const QueryStats stats = engine->query(box, into(found));
        EXPECT_EQ(engine->query(box, into(traced), trace), stats);
        for (const Entry& e : list)
            if (test::boxes_touch(e.box, box)) expected.insert(e.id);
        ASSERT_EQ(found, expected);
        ASSERT_EQ(traced, expected);
        ASSERT_EQ(stats.hits, expected.size());
        int visits = 0;
        engine->query(box, [&](ProxyId, std::uint64_t) {
            ++visits;
            return Visit::Stop;
        });
        ASSERT_EQ(visits, expected.empty() ? 0 : 1);
        ASSERT_EQ(engine->query(Aabb{}, into(found)).hits, 0u);

        const Ray ray = random.ray(10.0f);
        const std::optional<ProxyRayHit> first = engine->raycast_nearest(ray);
        double nearest = std::numeric_limits<double>::infinity();
        for (const Entry& e : list)
            if (const auto hit = reference::ray_in_box(ray, e.box))
                nearest = std::min(nearest, static_cast<double>((*hit)[0]));
        ASSERT_EQ(first.has_value(), nearest < std::numeric_limits<double>::infinity());
        if (first) {
            ASSERT_NEAR(first->t, nearest, 1e-6 * nearest);
            ASSERT_EQ(engine->user_data(first->id), first->user_data);
        }

        const Pairs before = std::move(touching);
        touching.clear();
        for (std::size_t i = 0; i < list.size(); ++i)
            for (std::size_t j = i + 1; j < list.size(); ++j)
                if (test::boxes_touch(list[i].box, list[j].box))
                    touching.insert(std::minmax(list[i].id, list[j].id));
        ASSERT_EQ(engine->find_pairs(events).pairs, touching.size());
        Pairs began, persisted, ended;
        for (const ProxyPair& p : touching)
            (before.contains(p) ? persisted : began).insert(p);
        for (const ProxyPair& p : before)
            if (!touching.contains(p)) ended.insert(p);
        const auto set_of = [](std::span<const ProxyPair> span) { return Pairs(span.begin(), span.end()); };
        ASSERT_EQ(set_of(events.touching()), touching);
        ASSERT_EQ(set_of(events.began()), began);
        ASSERT_EQ(set_of(events.persisted()), persisted);
        ASSERT_EQ(set_of(events.ended()), ended);

        for (std::size_t i = 0; i < removed.size(); i += 1 + removed.size() / 8) {
            ASSERT_FALSE(engine->contains(removed[i]));
            ASSERT_EQ(engine->remove(removed[i]), TreeStatus::StaleId);
            if (list.empty()) continue;
            const Entry& e = random.one_of(list);
            ASSERT_EQ(engine->remove_all(std::array{e.id, removed[i]}), TreeStatus::StaleId);
            ASSERT_EQ(engine->move_all(std::array{e.id, removed[i]}, std::array{box, box}),
                      TreeStatus::StaleId);
            ASSERT_EQ(engine->move_all(std::array{e.id, e.id}, std::array{box, Aabb{}}),
                      TreeStatus::NotFinite);
            ASSERT_EQ(engine->insert_all(std::array{box, Aabb{}}, std::array<std::uint64_t, 2>{}),
                      TreeStatus::NotFinite);
            ASSERT_EQ(engine->size(), list.size());
            ASSERT_EQ(engine->box(e.id), e.box);
        }
    }
};

TEST_P(BroadphaseOperations, MatchTheList) {
    World world{make_broadphase(GetParam().kind), {}, {}, {}, {}};
    Random random(21);
    for (int step = 0; step < scaled(400); ++step) {
        const std::uint32_t what = random.below(100);
        if (world.list.size() < 10 || what < 20) {
            ASSERT_NO_FATAL_FAILURE(world.add(random, what % 3 == 0 && world.list.size() < 150 ? 90 : 3));
        } else if (what < 35) {
            ASSERT_NO_FATAL_FAILURE(world.take(random, what == 34 ? world.list.size() : 1 + random.below(9)));
        } else if (what < 45) {
            world.add_one(random);
        } else if (what < 55) {
            ASSERT_NO_FATAL_FAILURE(world.take_one(random));
        } else if (what < 57) {
            ASSERT_NO_FATAL_FAILURE(world.clear());
        } else if (what < 62) {
            world.engine = world.engine->clone();
        } else {
            ASSERT_NO_FATAL_FAILURE(world.move_all(random));
        }
        ASSERT_NO_FATAL_FAILURE(world.check(random)) << "step " << step;
        if (HasFailure()) FAIL() << "step " << step;
    }
}

// A copy made before, and one made after, a clear go on as the original does.
TEST_P(BroadphaseOperations, ClonesAndClearsAreIndependent) {
    Random random(4);
    World a{make_broadphase(GetParam().kind), {}, {}, {}, {}};
    ASSERT_NO_FATAL_FAILURE(a.add(random, 80));
    ASSERT_NO_FATAL_FAILURE(a.check(random));
    World b{a.engine->clone(), a.list, a.removed, a.events, a.touching, a.next};
    ASSERT_NO_FATAL_FAILURE(a.clear());
    ASSERT_NO_FATAL_FAILURE(a.check(random));
    ASSERT_NO_FATAL_FAILURE(b.check(random));
    World c{a.engine->clone(), a.list, a.removed, a.events, a.touching, a.next};
    for (World* world : {&a, &b, &c}) {
        Random same(9);
        ASSERT_NO_FATAL_FAILURE(world->add(same, 30));
        ASSERT_NO_FATAL_FAILURE(world->move_all(same));
        ASSERT_NO_FATAL_FAILURE(world->take(same, 5));
        ASSERT_NO_FATAL_FAILURE(world->check(same));
    }
    for (std::size_t i = 0; i < a.list.size(); ++i)
        EXPECT_EQ(a.list[i].id, c.list[i].id);
}

TEST_P(BroadphaseOperations, ChangesByAVisitorAreRejected) {
    static int asserted = 0;
    asserted = 0;
    const auto engine = make_broadphase(GetParam().kind);
    const Aabb box{vec3(0), vec3(1)};
    const ProxyId id = engine->insert(box, 1).id;
    engine->update();
    const AssertHandler handler = set_assert_handler([](const char*, const char*, int) { ++asserted; });
    int visits = 0;
    const auto change = [&] {
        ++visits;
        std::vector<ProxyPair> pairs;
        EXPECT_EQ(engine->insert(box, 1).status, TreeStatus::Busy);
        EXPECT_EQ(engine->insert_all(std::array{box}, std::array<std::uint64_t, 1>{}), TreeStatus::Busy);
        EXPECT_EQ(engine->remove(id), TreeStatus::Busy);
        EXPECT_EQ(engine->remove_all(std::array{id}), TreeStatus::Busy);
        EXPECT_EQ(engine->move(id, box), TreeStatus::Busy);
        EXPECT_EQ(engine->move_all(std::array{id}, std::array{box}), TreeStatus::Busy);
        EXPECT_EQ(engine->clear(), TreeStatus::Busy);
        EXPECT_FALSE(engine->find_pairs(pairs).complete);
        engine->update();
    };
    engine->query(box, [&](ProxyId, std::uint64_t) { change(); });
    engine->raycast(Ray{vec3(0.5f), vec3(1, 0, 0)}, [&](ProxyId, std::uint64_t, float t) {
        change();
        return t;
    });
    set_assert_handler(handler);
    EXPECT_EQ(visits, 2);
    EXPECT_EQ(asserted, 18);
    EXPECT_EQ(engine->size(), 1u);
    EXPECT_FALSE(engine->validate());
}

/// Enough boxes to be worth threads: of an id given twice the last box counts, and where anything is rejected
/// nothing is moved.
TEST_P(BroadphaseOperations, ManyMovesOnThreads) {
    Random random(17);
    test::ShuffledThreads threads(3);
    const auto engine = make_broadphase(GetParam().kind), alone = make_broadphase(GetParam().kind);
    engine->set_tasks(&threads);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 3000; ++i)
        boxes.push_back(random.box(30.0f));
    std::vector<ProxyId> ids(boxes.size());
    for (Broadphase* each : {engine.get(), alone.get()})
        ASSERT_EQ(each->insert_all(boxes, std::vector<std::uint64_t>(boxes.size()), ids), TreeStatus::Ok);
    const auto expect_the_same = [&] {
        std::vector<ProxyPair> found, expected;
        for (Broadphase* each : {engine.get(), alone.get()})
            each->update();
        engine->find_pairs(found);
        alone->find_pairs(expected);
        ASSERT_FALSE(expected.empty());
        ASSERT_EQ(found, expected);
        for (const ProxyId id : ids)
            ASSERT_EQ(engine->box(id), alone->box(id));
    };
    for (int step = 0; step < 6; ++step) {
        std::vector<ProxyId> moved = ids;
        std::vector<Aabb> to;
        std::vector<glm::vec3> displacements(ids.size(), glm::vec3(0.0f));
        for (std::size_t i = 0; i < ids.size(); ++i)
            to.push_back(random.box(30.0f));
        if (step == 1) moved[2999] = moved[1];
        if (step == 2) std::reverse(moved.begin(), moved.end());
        if (step == 3) ++moved[2500].generation;
        if (step == 4) to[2999].max.x = std::numeric_limits<float>::quiet_NaN();
        if (step == 5) displacements[2999].y = std::numeric_limits<float>::infinity();
        const MoveResult result = engine->move_all(moved, to, displacements);
        EXPECT_EQ(result, step < 3    ? TreeStatus::Ok
                          : step == 3 ? TreeStatus::StaleId
                                      : TreeStatus::NotFinite);
        for (std::size_t i = 0; step < 3 && i < moved.size(); ++i)
            ASSERT_EQ(alone->move(moved[i], to[i], displacements[i]), TreeStatus::Ok);
        ASSERT_NO_FATAL_FAILURE(expect_the_same());
    }
}

INSTANTIATE_TEST_SUITE_P(All, BroadphaseOperations, testing::ValuesIn(kBroadphaseKinds),
                         [](const testing::TestParamInfo<BroadphaseInfo>& p) {
                             std::string name(p.param.id);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace bv
