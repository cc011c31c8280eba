// What is compared with brute force in each frame, and that every planted difference is noticed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "commands/catalog.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "view/checks/reference.hpp"
#include "view/checks/verify.hpp"
#include "view/picking.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

TEST(Session, EveryPairKindAndTreeStrategyAgreesWithBruteForce) {
    for (const char* kind : {"sphere", "aabb_fixed", "aabb_tight", "obb"})
        for (const char* insertion : {"manhattan", "greedy", "branch_and_bound"}) {
            Session session{command_table()};
            run(session,
                std::string("scene welcome; spawn 40; set verify=true; set broadphase.kind=dynamic-tree; "
                            "set volume.pair_kind=") +
                    kind + "; tree.rebuild " + insertion,
                20);
            run(session, "toggle tree.balance; toggle tree.margin_kind", 20);
            const Checks& checks = session.results().checks;
            EXPECT_TRUE(checks.differences.empty())
                << kind << " " << insertion << ": " << checks.differences.front();
            EXPECT_GT(checks.pairs_compared, 100u);
            EXPECT_GE(checks.rays_compared, 40u);
            EXPECT_EQ(checks.trees_validated, 40u);
        }
}

// Also where a test of slabs cannot tell that solids are apart, and where rounding is as large as the bodies.
TEST(Session, CrowdsOfEveryKindAndBodiesFarAwayAgreeWithBruteForce) {
    for (const char* kind : {"kdop8", "kdop14", "capsule", "hull"})
        for (const char* lines :
             {"scene broadphases", "scene welcome; spawn 150", "scene welcome; select all; move.by -2e5 0 0",
              "scene welcome; select all; move.by 0 -1e6 1e6"}) {
            Session session{command_table()};
            run(session, std::string("set verify=true; set volume.pair_kind=") + kind + "; " + lines);
            run(session, std::string("set verify=true; set volume.pair_kind=") + kind, 30);
            const Checks& checks = session.results().checks;
            EXPECT_TRUE(checks.differences.empty())
                << kind << ", " << lines << ": " << checks.differences.front();
        }
    Session session{command_table()};
    run(session, "scene narrow-phase; set verify=true; move.by -1e6 5 5 1 2 3 4", 40);
    const Checks& checks = session.results().checks;
    EXPECT_TRUE(checks.differences.empty()) << checks.differences.front();
}

TEST(Verify, FindsAMissingAWrongAndADoublePairAndAWrongHit) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 60", 30);
    const FrameResults good = session.results();
    ASSERT_FALSE(good.pairs.volume.empty());
    ASSERT_FALSE(good.rays.empty());
    const auto differences = [&](FrameResults results) {
        verify_frame(session.state().world, results);
        return results.checks.differences;
    };
    EXPECT_TRUE(differences(good).empty());

    FrameResults missing = good;
    {
        auto& list = missing.pairs.volume.edit();
        list.erase(list.begin());
    }
    ASSERT_EQ(differences(missing).size(), 1u);
    EXPECT_NE(differences(missing).front().find("is missing"), std::string::npos);

    FrameResults doubled = good;
    {
        auto& list = doubled.pairs.broad.edit();
        list.insert(list.begin(), BodyPair(list.front()));
    }
    EXPECT_EQ(differences(doubled).size(), 1u);

    FrameResults wrong = good;
    wrong.pairs.broad.edit().push_back({{9998}, {9999}});
    EXPECT_EQ(differences(wrong).size(), 1u);

    FrameResults ray = good;
    ray.rays.front().hit = !ray.rays.front().hit;
    EXPECT_EQ(differences(ray).size(), 1u);
}

TEST(Verify, NoticesEveryLostOrAddedPairInEveryStage) {
    for (const VolumeSpec& spec : kVolumeSpecs) {
        const std::string kind(spec.id);
        Session session{command_table()};
        run(session,
            "scene welcome; spawn 25; set volume.exact=true; body.set volume.pair_kind=obb 1 2 3 4 5; "
            "body.set volume.pair_kind=sphere 6 7 8 9; set volume.pair_kind=" +
                kind,
            10);
        const World& world = session.state().world;
        FrameResults good = session.results();
        good.rays.clear();
        const auto& bodies = world.bodies();
        std::size_t undecided = 0, pairs = 0, exact = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            for (std::size_t j = i + 1; j < bodies.size(); ++j) {
                const BodyState &a = bodies[i].state, &b = bodies[j].state;
                const BodyPair pair{a.id, b.id};
                const auto notices = [&](SharedList<BodyPair> PairStages::*stage) {
                    FrameResults wrong = good;
                    wrong.pairs.exact_tested = stage == &PairStages::exact;
                    std::vector<BodyPair>& list = (wrong.pairs.*stage).edit();
                    const auto at = std::lower_bound(list.begin(), list.end(), pair);
                    if (at != list.end() && *at == pair)
                        list.erase(at);
                    else
                        list.insert(at, pair);
                    // Alone, or the budget for one frame may end before it.
                    if (stage == &PairStages::exact) wrong.pairs.volume = {pair};
                    verify_frame(world, wrong);
                    const char* const name = stage == &PairStages::broad    ? "broad pair"
                                             : stage == &PairStages::volume ? "volume pair"
                                                                            : "exact pair";
                    const auto& all = wrong.checks.differences;
                    return std::any_of(all.begin(), all.end(), [&](const std::string& difference) {
                        return difference.find(name) != std::string::npos;
                    });
                };
                const bool near = reference::overlap(world.bodies().fixed_box(bodies[i]),
                                                     world.bodies().fixed_box(bodies[j]));
                if (!near && (i + j) % 50 != 0) continue;
                ++pairs;
                EXPECT_TRUE(notices(&PairStages::broad)) << kind << " " << i << "-" << j;
                const bool volume = notices(&PairStages::volume);
                undecided += volume ? 0u : 1u;
                if (std::binary_search(good.pairs.volume.begin(), good.pairs.volume.end(), pair) &&
                    exact++ < 12)
                    undecided += notices(&PairStages::exact) ? 0u : 1u;
            }
        EXPECT_GT(pairs, 50u);
        EXPECT_LE(undecided, pairs / 20) << kind << ": within the band, either answer is right";
    }
}

void shrink(bv::Sphere& ball) {
    ball.radius *= 0.98f;
}
void shrink(bv::Aabb& box) {
    box.max.y -= 0.3f * box.size().y;
}
void shrink(bv::Obb& box) {
    box.half_extents.z *= 0.98f;
}
void shrink(bv::Capsule& capsule) {
    capsule.radius *= 0.98f;
}
void shrink(bv::RectSweptSphere& rect) {
    rect.radius *= 0.98f;
}
template <int K>
void shrink(bv::Kdop<K>& dop) {
    dop.max[K / 2 - 1] -= 0.01f * (dop.max[K / 2 - 1] - dop.min[K / 2 - 1]);
}
void shrink(PlacedHull& placed) {
    bv::Hull hull = *placed.hull;
    // The farthest vertex: others can lie in a face of their neighbors, up to rounding.
    const glm::vec3 middle = hull.centroid();
    glm::vec3& vertex = *std::max_element(hull.vertices.begin(), hull.vertices.end(),
                                          [&](const glm::vec3& a, const glm::vec3& b) {
                                              return glm::distance(a, middle) < glm::distance(b, middle);
                                          });
    vertex = glm::mix(vertex, middle, 0.02f);
    placed.hull = std::make_shared<const bv::Hull>(std::move(hull));
}

TEST(Verify, NoticesAVolumeThatDoesNotContainItsMesh) {
    Session session{command_table()};
    run(session, "scene welcome; set sim.paused=true", 2);
    for (const VolumeSpec& spec : kVolumeSpecs) {
        run(session, fmt::format("set volume.pair_kind={}", spec.id), 1);
        World world(session.state().world);
        const std::size_t place = world.bodies().place_of(*world.find({3}));
        auto& kept = const_cast<BodyVolumes&>(world.bodies().volumes());
        std::visit([place](auto& list) { shrink(list.edit()[place]); }, kept.column(spec.kind));
        FrameResults results = session.results();
        results.rays.clear();
        verify_frame(world, results);
        const auto& all = results.checks.differences;
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const std::string& difference) {
            return difference.find("body 3 does not contain") != std::string::npos;
        })) << spec.id;
    }
}

TEST(Reference, TreesWithALostADoubleOrAnOutsideBodyAreFound) {
    Session session{command_table()};
    run(session, "scene welcome; set broadphase.kind=dynamic-tree", 5);
    const World& world = session.state().world;
    const bv::TreeSnapshot good = world.finder().engine().snapshot();
    EXPECT_EQ(reference::check_tree(world, good), std::nullopt);
    std::uint32_t leaf = 0;
    while (!good.is_leaf(leaf))
        ++leaf;
    bv::TreeSnapshot lost = good, twice = good, gone = good, outside = good, child = good;
    lost.payload_count[leaf] = 0;
    EXPECT_NE(reference::check_tree(world, lost), std::nullopt);
    twice.payloads[twice.first_payload[leaf]] = twice.payloads[twice.first_payload[leaf] == 0 ? 1 : 0];
    EXPECT_NE(reference::check_tree(world, twice), std::nullopt);
    gone.payloads[gone.first_payload[leaf]] = 12345;
    EXPECT_NE(reference::check_tree(world, gone), std::nullopt);
    outside.boxes[leaf].max.x = outside.boxes[leaf].min.x;
    EXPECT_NE(reference::check_tree(world, outside), std::nullopt);
    child.boxes[0].max.y -= 0.5f;
    EXPECT_NE(reference::check_tree(world, child), std::nullopt);
}

TEST(Reference, PairsByHand) {
    using reference::Answer;
    const auto solid = [](VolumeKind kind, const glm::vec3& at, float turn_rad) {
        const float c = std::cos(turn_rad), s = std::sin(turn_rad);
        const glm::mat3 axes(c, 0, -s, 0, 1, 0, s, 0, c);
        std::vector<glm::vec3> corners;
        for (int i = 0; i < 8; ++i)
            corners.push_back(bv::Obb{at, glm::vec3(1.0f), axes}.corner(i));
        switch (kind) {
            case VolumeKind::Sphere:
                return reference::solid_of(bv::Sphere{at, 1.0f});
            case VolumeKind::Obb:
                return reference::solid_of(bv::Obb{at, glm::vec3(1.0f), axes});
            case VolumeKind::Capsule:
                return reference::solid_of(
                    bv::Capsule{at - glm::vec3(0, 2, 0), at + glm::vec3(0, 2, 0), 1.0f});
            case VolumeKind::RectSweptSphere:
                return reference::solid_of(bv::RectSweptSphere{at, {0.75f, 3.0f}, 0.25f, glm::mat3(1.0f)});
            case VolumeKind::Kdop14:
                return reference::solid_of(bv::fit::kdop<14>(corners));
            case VolumeKind::Kdop18:
                return reference::solid_of(bv::fit::kdop<18>(corners));
            case VolumeKind::Hull:
                return reference::solid_of(PlacedHull{
                    std::make_shared<const bv::Hull>(bv::fit::hull(corners)), glm::mat4x3(1.0f), 0.0f});
            default:
                return reference::solid_of(bv::Aabb{at - 1.0f, at + 1.0f});
        }
    };
    const auto meet = [&](VolumeKind a, VolumeKind b, float distance, float turn_rad = 0.0f) {
        return reference::overlap(solid(a, {0, 0, 0}, 0.0f), solid(b, {distance, 0.3f, 0}, turn_rad));
    };
    constexpr float kQuarter = 0.785398163f;
    // All extend 1 m along x.
    for (const VolumeKind one : {VolumeKind::AabbTight, VolumeKind::Obb, VolumeKind::Capsule,
                                 VolumeKind::RectSweptSphere, VolumeKind::Kdop14, VolumeKind::Hull})
        for (const VolumeKind other : {VolumeKind::AabbTight, VolumeKind::Obb, VolumeKind::Capsule,
                                       VolumeKind::RectSweptSphere, VolumeKind::Kdop18, VolumeKind::Hull}) {
            EXPECT_EQ(meet(one, other, 1.99f), Answer::Yes) << volume_id(one) << " " << volume_id(other);
            EXPECT_EQ(meet(one, other, 2.01f), Answer::No) << volume_id(one) << " " << volume_id(other);
        }
    EXPECT_EQ(meet(VolumeKind::Kdop14, VolumeKind::Kdop14, 2.41f, kQuarter), Answer::Yes);
    EXPECT_EQ(meet(VolumeKind::Hull, VolumeKind::Hull, 2.41f, kQuarter), Answer::Yes) << "1 + sqrt(2)";
    EXPECT_EQ(meet(VolumeKind::Hull, VolumeKind::Hull, 2.42f, kQuarter), Answer::No);
    EXPECT_EQ(meet(VolumeKind::Capsule, VolumeKind::Hull, 2.41f, kQuarter), Answer::Yes);
    EXPECT_EQ(meet(VolumeKind::Capsule, VolumeKind::Hull, 2.42f, kQuarter), Answer::No);
    for (const VolumeKind box : {VolumeKind::AabbFixed, VolumeKind::AabbTight, VolumeKind::Obb})
        for (const VolumeKind other : {VolumeKind::AabbFixed, VolumeKind::AabbTight, VolumeKind::Obb}) {
            EXPECT_EQ(meet(box, other, 1.99f), Answer::Yes);
            EXPECT_EQ(meet(box, other, 2.01f), Answer::No);
            EXPECT_EQ(meet(box, other, 2.0f), Answer::Either);
        }
    EXPECT_EQ(meet(VolumeKind::AabbTight, VolumeKind::Obb, 2.41f, kQuarter), Answer::Yes) << "1 + sqrt(2)";
    EXPECT_EQ(meet(VolumeKind::AabbTight, VolumeKind::Obb, 2.42f, kQuarter), Answer::No);
    EXPECT_EQ(meet(VolumeKind::Sphere, VolumeKind::Sphere, 1.97f), Answer::Yes) << "sqrt(4 - 0.09) = 1.977";
    EXPECT_EQ(meet(VolumeKind::Sphere, VolumeKind::Sphere, 1.98f), Answer::No);
    EXPECT_EQ(meet(VolumeKind::Sphere, VolumeKind::AabbTight, 1.99f), Answer::Yes);
    EXPECT_EQ(meet(VolumeKind::Obb, VolumeKind::Sphere, 2.01f), Answer::No);
}

TEST(Session, TheExactStageKeepsTheBodiesThatTouch) {
    Session session{command_table()};
    run(session,
        "set verify=true; set volume.exact=true; set volume.pair_kind=sphere; scene welcome; spawn 60", 20);
    FrameResults results = session.results();
    EXPECT_TRUE(results.pairs.exact_tested);
    EXPECT_LT(results.pairs.exact.size(), results.pairs.volume.size()) << "spheres give false alarms";
    EXPECT_GT(results.pairs.exact.size(), 0u);
    EXPECT_TRUE(results.checks.differences.empty()) << results.checks.differences.front();
    // The comparison can fail: remove a pair that touches, add one that does not.
    results.pairs.exact = {};
    verify_frame(session.state().world, results);
    EXPECT_FALSE(results.checks.differences.empty());
    results = session.results();
    results.pairs.exact = results.pairs.volume;
    verify_frame(session.state().world, results);
    EXPECT_FALSE(results.checks.differences.empty());
    run(session, "set volume.exact=false", 1);
    EXPECT_EQ(session.results().pairs.exact, session.results().pairs.volume);
}

TEST(Rays, AgreeWithBruteForceOverEveryTriangle) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 60; pause on", 1);
    FrameResults results = session.results();
    results.rays.clear();
    bv::workloads::Random random(11);
    for (int i = 0; i < 150; ++i) {
        bv::Ray ray;
        ray.origin = random.in_box(2.0f * results.arena.min, 2.0f * results.arena.max);
        ray.direction = random.in_box(results.arena.min, results.arena.max) - ray.origin;
        results.rays.push_back(cast_ray(session.state().world, RayQuery::Kind::Pinned, ray));
    }
    const auto hits =
        std::count_if(results.rays.begin(), results.rays.end(), [](const RayQuery& q) { return q.hit; });
    EXPECT_GT(hits, 40);
    std::uint64_t tested = 0, brute = 0;
    for (const RayQuery& ray : results.rays) {
        tested += ray.counters.tested;
        brute += ray.counters.brute_force_tested;
    }
    EXPECT_LT(100 * tested, brute) << "the trees avoid nearly all triangles";
    verify_frame(session.state().world, results);
    for (const std::string& difference : results.checks.differences)
        ADD_FAILURE() << difference;

    // A moved hit, a wrong triangle, a lost hit: all are noticed.
    int hits_left = 8;
    for (const RayQuery& right : results.rays)
        for (int fault = 0; fault < 6 && right.hit && hits_left > 0; hits_left -= ++fault == 6 ? 1 : 0) {
            FrameResults wrong = session.results();
            wrong.rays = {right};
            RayQuery& q = wrong.rays[0];
            if (fault == 0) q.t *= 0.99f;
            if (fault == 1) q.body.value += 1;
            if (fault == 2) q.triangle += 1;
            if (fault == 3) q.normal = -q.normal;
            if (fault == 4) q.point += 0.01f;
            if (fault == 5) q.hit = false;
            // For a hit very close to an edge either answer is right.
            const bool edge = fault == 5 && !reference::check_ray(session.state().world, q);
            verify_frame(session.state().world, wrong);
            EXPECT_EQ(wrong.checks.differences.size(), edge ? 0u : 1u) << fault;
        }
}

TEST(Volumes, ContainEveryVertexAtItsCurrentPosition) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 100", 40);
    const World& world = session.state().world;
    for (const Body& body : world.bodies()) {
        const bv::Aabb tight = world.bodies().tight_box(body), fixed = world.bodies().fixed_box(body);
        const bv::Sphere sphere = world.bodies().sphere(body);
        const bv::Obb obb = world.bodies().obb(body);
        for (const glm::vec3& local : session.meshes()[body.state.mesh].positions) {
            const glm::vec3 p = body.state.transform * glm::vec4(local, 1.0f);
            ASSERT_TRUE(bv::merge(tight, p) == tight) << body.state.name;
            ASSERT_TRUE(bv::merge(fixed, p) == fixed) << body.state.name;
            ASSERT_LE(glm::length(glm::dvec3(p) - glm::dvec3(sphere.center)), sphere.radius)
                << body.state.name;
            for (int k = 0; k < 3; ++k)
                ASSERT_LE(std::abs(glm::dot(glm::dvec3(p) - glm::dvec3(obb.center), glm::dvec3(obb.axes[k]))),
                          obb.half_extents[k])
                    << body.state.name;
        }
    }
}
}  // namespace
}  // namespace lab
