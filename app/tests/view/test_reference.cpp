// The reference of `verify` for every kind of bounding volume: right in cases computed by hand, in agreement
// with the library in random cases, and able to notice faults.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "bv/query/overlap_kdop.hpp"
#include "commands/catalog.hpp"
#include "scenes/volumes/lineup.hpp"
#include "session_test_tools.hpp"
#include "view/checks/reference_volumes.hpp"
#include "view/checks/verify.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

using bv::fit::Volume;
using bv::workloads::Random;
using reference::Answer;
using test::frame;
using test::frames;

constexpr float kHalfRoot = 0.70710678f;

TEST(Reference, ComputesTheDistanceOfAPointOutside) {
    const auto expect = [](const Volume& volume, glm::dvec3 point, double away) {
        EXPECT_NEAR(reference::outside(volume)(point), away, 1e-5) << volume.index() << ' ' << point.x;
    };
    expect(bv::Sphere{{1, 2, 3}, 2.0f}, {4, 2, 3}, 1.0);
    expect(bv::Sphere{{1, 2, 3}, 2.0f}, {1, 2, 3}, -2.0);
    expect(bv::Aabb{{0, 0, 0}, {2, 4, 6}}, {5, 8, 3}, 5.0);
    expect(bv::Aabb{{0, 0, 0}, {2, 4, 6}}, {1.5, 2, 3}, -0.5);
    const glm::mat3 turned{{kHalfRoot, kHalfRoot, 0}, {-kHalfRoot, kHalfRoot, 0}, {0, 0, 1}};
    expect(bv::Obb{{0, 0, 0}, {2, 1, 1}, turned}, {3, 3, 0}, std::sqrt(18.0) - 2.0);
    expect(bv::Obb{{0, 0, 0}, {2, 1, 1}, turned}, {-1, 1, 0}, std::sqrt(2.0) - 1.0);
    expect(bv::Capsule{{0, 0, 0}, {4, 0, 0}, 1.0f}, {2, 3, 0}, 2.0);
    expect(bv::Capsule{{0, 0, 0}, {4, 0, 0}, 1.0f}, {7, 4, 0}, 4.0);
    expect(bv::Capsule{{1, 0, 0}, {1, 0, 0}, 1.0f}, {1, 0, 3}, 2.0);
    expect(bv::RectSweptSphere{{0, 0, 1}, {2, 1}, 0.5f}, {1, 0.5, 3}, 1.5);
    expect(bv::RectSweptSphere{{0, 0, 1}, {2, 1}, 0.5f}, {5, 5, 1}, 4.5);
    bv::Kdop<14> dop;
    dop.min.fill(-1.0f);
    dop.max.fill(1.0f);
    expect(dop, {1, 1, 1}, 2.0 / std::sqrt(3.0));
    expect(dop, {0, 0, 0}, -1.0 / std::sqrt(3.0));
    const std::vector<glm::vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Volume tet = bv::fit::hull(corners);
    expect(tet, {-2, 0.1, 0.1}, 2.0);
    expect(tet, {1, 1, 1}, 2.0 / std::sqrt(3.0));
    expect(tet, {0.1, 0.2, 0.3}, -0.1);
    const std::vector<glm::vec3> square = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    expect(bv::fit::hull(square), {0.5, 0.5, -3}, 3.0);
    expect(bv::fit::hull(square), {0.5, 0.5, 0}, 0.0);
    for (const Volume& empty :
         {Volume(bv::Sphere{{}, -1.0f}), Volume(bv::Aabb{}), Volume(bv::Obb{{}, {-1, -1, -1}}),
          Volume(bv::Capsule{}), Volume(bv::RectSweptSphere{}), Volume(bv::Kdop<18>{}), Volume(bv::Hull{})})
        EXPECT_EQ(reference::outside(empty)({0, 0, 0}), std::numeric_limits<double>::infinity());
}

TEST(Reference, DecidesWhichVolumesOverlap) {
    const auto expect = [](const Volume& a, const Volume& b, Answer answer) {
        EXPECT_EQ(reference::overlap(a, b), answer) << a.index();
        EXPECT_EQ(reference::overlap(b, a), answer) << a.index();
    };
    const bv::Capsule bar{{-2, 0, 0}, {2, 0, 0}, 0.5f};
    expect(bar, bv::Capsule{{0, -2, 0.999f}, {0, 2, 0.999f}, 0.5f}, Answer::Yes);
    expect(bar, bv::Capsule{{0, -2, 1.001f}, {0, 2, 1.001f}, 0.5f}, Answer::No);
    expect(bar, bv::Capsule{{0, -2, 1}, {0, 2, 1}, 0.5f}, Answer::Either);
    expect(bar, bv::Capsule{{4, 3, 0}, {4, 9, 0}, 3.2f}, Answer::Yes);
    expect(bar, bv::Capsule{{5, 4, 0}, {5, 9, 0}, 4.0f}, Answer::No);
    const bv::RectSweptSphere plate{{0, 0, 0}, {3, 3}, 0.25f};
    expect(plate, bv::RectSweptSphere{{1, 1, 0.4f}, {0, 0}, 0.25f}, Answer::Yes);
    expect(plate, bv::RectSweptSphere{{1, 1, 0.6f}, {0, 0}, 0.25f}, Answer::No);
    const glm::mat3 upright{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
    expect(plate, bv::RectSweptSphere{{0, 0, 0}, {0.5f, 9}, 0.0f, upright}, Answer::Yes);
    const std::vector<glm::vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    std::vector<glm::vec3> mirrored;
    mirrored.reserve(corners.size());
    for (const glm::vec3& c : corners)
        mirrored.push_back(glm::vec3(0.67f) - c);
    const Volume tet = bv::fit::hull(corners);
    expect(tet, bv::fit::hull(mirrored), Answer::No);
    for (glm::vec3& c : mirrored)
        c -= 0.1f;
    expect(tet, bv::fit::hull(mirrored), Answer::Yes);
    expect(tet, tet, Answer::Yes);
    expect(bv::Hull{}, tet, Answer::No);
    bv::Kdop<26> a, b;
    a.min.fill(-1.0f), a.max.fill(1.0f);
    b.min.fill(1.0f), b.max.fill(2.0f);
    expect(a, b, Answer::Yes);
    b.min[25 / 2] = 1.00001f;
    expect(a, b, Answer::No);
}

/// Volumes around random points: every kind of the catalog, by its fast algorithms.
std::vector<Volume> volumes_around(const std::vector<glm::vec3>& points) {
    std::vector<Volume> volumes;
    for (const char* id : {"sphere.ritter", "aabb.tight", "obb.pca", "kdop14.tight", "kdop18.tight",
                           "kdop26.tight", "hull.quickhull", "capsule.tight", "rss.tight"})
        if (const bv::fit::FitEntry* entry = bv::fit::find_fit(id))
            volumes.push_back(entry->fit({points, {}}));
    return volumes;
}

bool library_says(const Volume& a, const Volume& b) {
    return std::visit(
        [&](const auto& shape) {
            using Shape = std::decay_t<decltype(shape)>;
            const Shape& other = std::get<Shape>(b);
            if constexpr (std::is_same_v<Shape, bv::Hull> || std::is_same_v<Shape, bv::Capsule> ||
                          std::is_same_v<Shape, bv::RectSweptSphere>)
                return bv::overlap(bv::ConvexRef(shape), other);
            else
                return bv::overlap(shape, other);
        },
        a);
}

TEST(Reference, AgreesWithTheLibraryAboutRandomVolumes) {
    Random random(5);
    int meet = 0, apart = 0, either = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<glm::vec3> points[2];
        const glm::vec3 center = random.in_box(glm::vec3(-30.0f), glm::vec3(30.0f));
        for (int side = 0; side < 2; ++side) {
            const glm::vec3 middle = center + random.in_box(glm::vec3(-1.2f), glm::vec3(1.2f));
            const glm::vec3 half = random.in_box(glm::vec3(0.05f), glm::vec3(1.5f));
            for (int i = 0; i < 12; ++i)
                points[side].push_back(middle + random.in_box(-half, half));
        }
        const auto a = volumes_around(points[0]), b = volumes_around(points[1]);
        ASSERT_GE(a.size(), 9u) << "the catalog has other names";
        for (std::size_t kind = 0; kind < a.size(); ++kind) {
            const auto outside = reference::outside(a[kind]);
            for (const glm::vec3& point : points[0])
                ASSERT_LE(outside(point), 1e-5) << a[kind].index();
            const Answer answer = reference::overlap(a[kind], b[kind]);
            (answer == Answer::Yes ? meet : answer == Answer::No ? apart : either) += 1;
            ASSERT_TRUE(accepts(answer, library_says(a[kind], b[kind])))
                << "round " << round << ", kind " << a[kind].index();
        }
    }
    EXPECT_GT(meet, 500);
    EXPECT_GT(apart, 500);
    EXPECT_LT(either, 40) << "the reference decides";
}

/// Damages the results in each of many frames and returns the differences that `verify` reports.
std::string differences(const Session& session, FrameResults changed) {
    changed.checks = {};
    for (int i = 0; i < 60 && changed.checks.differences.empty(); ++i, ++changed.frame)
        verify_frame(session.state().world, changed);
    return changed.checks.differences.empty() ? "" : changed.checks.differences.front();
}

TEST(Reference, NoticesAFaultInTheLineUp) {
    Session session{command_table()};
    frame(session, "scene narrow-phase");
    frames(session, 20);
    ASSERT_TRUE(session.results().lineup);
    EXPECT_EQ(differences(session, session.results()), "");
    for (std::size_t kind = 0; kind < kLineup.size(); ++kind) {
        const std::string name(volume_id(kLineup[kind]));
        const auto change = [&](const auto& what) {
            LineupResult lineup = *session.results().lineup;
            what(lineup);
            FrameResults results = session.results();
            results.lineup = std::make_shared<const LineupResult>(std::move(lineup));
            return differences(session, std::move(results));
        };
        const std::string missing = change([&](LineupResult& l) {
            ASSERT_FALSE(l.touching.empty());  // which surely meet
            std::erase(l.passed[kind], l.touching.front());
        });
        EXPECT_NE(missing.find(name + " pair"), std::string::npos) << missing;
        const std::string wrong = change([&](LineupResult& l) { l.passed[kind] = l.candidates; });
        if (name != "aabb_fixed") {
            EXPECT_NE(wrong.find(name + " pair"), std::string::npos) << name << wrong;
        }
        const std::string shrunk = change([&](LineupResult& l) {
            for (std::size_t i = 0; i < l.volumes[kind].size(); ++i) {
                const glm::vec3 c =
                    session.state().world.bodies().sphere(session.state().world.bodies()[i]).center;
                glm::mat4x3 smaller(0.98f);
                smaller[3] = 0.02f * c;
                l.volumes[kind][i] = bv::fit::transformed(l.volumes[kind][i], smaller);
            }
        });
        EXPECT_NE(shrunk.find("the " + name + " of body"), std::string::npos) << name << shrunk;
    }
}

TEST(Reference, NoticesAVolumeThatDoesNotContainItsMesh) {
    Session session{command_table()};
    frame(session, "scene volumes");
    frames(session, 3);
    ASSERT_GE(session.results().fits.size(), 13u);
    EXPECT_EQ(differences(session, session.results()), "");
    for (std::size_t i = 0; i < session.results().fits.size(); ++i) {
        FrameResults results = session.results();
        FitRow& fit = results.fits[i];
        ASSERT_TRUE(fit.shape) << fit.algorithm;
        const glm::vec3 c = bv::fit::center_of(*fit.shape);
        glm::mat4x3 smaller(0.97f);
        smaller[3] = 0.03f * c;
        fit.shape = std::make_shared<const Volume>(bv::fit::transformed(*fit.shape, smaller));
        const std::string& algorithm = session.results().fits[i].algorithm;
        const std::string found = differences(session, std::move(results));
        EXPECT_NE(found.find(algorithm), std::string::npos) << algorithm << found;
    }
}

/// The message of the first difference, behind its frame.
std::string first_difference(const Session& session, FrameResults changed) {
    const std::string all = differences(session, std::move(changed));
    return all.substr(std::min(all.size(), all.find(": ") + 2));
}

TEST(Reference, SaysWhatIsWrongWithPairs) {
    Session session{command_table()};
    frame(session, "scene narrow-phase; set volume.exact=true");
    frames(session, 20);
    FrameResults right = session.results();
    right.lineup.reset();  // has a test of its own
    verify_frame(session.state().world, right);
    ASSERT_TRUE(right.checks.differences.empty());
    ASSERT_GE(right.pairs.exact.size(), 1u);
    const auto words = [](const BodyPair& p) { return fmt::format("{}-{}", p.a.value, p.b.value); };
    for (const auto& [name, list] :
         {std::pair{"broad", &PairStages::broad}, std::pair{"volume", &PairStages::volume},
          std::pair{"exact", &PairStages::exact}}) {
        SCOPED_TRACE(name);
        const bool is_exact = std::string_view(name) == "exact";
        const auto& pairs = right.pairs.*list;
        FrameResults results = right;
        (results.pairs.*list).edit().erase((results.pairs.*list).edit().begin());
        EXPECT_EQ(first_difference(session, results),
                  fmt::format("{} pair {} is missing", name, words(pairs.front())));
        if (is_exact) {
            results = right;
            results.pairs.exact = right.pairs.volume;
            const std::string found = first_difference(session, results);
            EXPECT_TRUE(right.pairs.exact.size() == right.pairs.volume.size() || found.ends_with(" is wrong"))
                << found;
            continue;
        }
        results = right;
        auto& twice = (results.pairs.*list).edit();
        twice.push_back(pairs.back());
        EXPECT_EQ(first_difference(session, results),
                  fmt::format("{} pair {} is wrong or there twice", name, words(pairs.back())));
        results = right;
        // Two that are far apart.
        BodyPair apart{};
        for (const BodyState& a : right.bodies)
            for (const BodyState& b : right.bodies)
                if (a.id < b.id && glm::distance(a.transform[3], b.transform[3]) > 5.0f) apart = {a.id, b.id};
        auto& wrong = (results.pairs.*list).edit();
        wrong.insert(std::lower_bound(wrong.begin(), wrong.end(), apart), apart);
        EXPECT_EQ(first_difference(session, results),
                  fmt::format("{} pair {} is wrong or there twice", name, words(apart)));
        results = right;
        (results.pairs.*list).edit().push_back({bv::BodyId{900}, bv::BodyId{901}});
        EXPECT_EQ(first_difference(session, results),
                  fmt::format("{} pair 900-901 is wrong or not in its place", name));
    }
}

TEST(Reference, SaysWhatIsWrongWithARay) {
    Session session{command_table()};
    frame(session, "view.size 1000 600; scene welcome; pause on");
    const glm::vec3 target = session.results().bodies.front().transform[3];
    const glm::vec2 at = *session.state().view.camera.project(target, session.state().view.rect.size_px);
    frames(session, fmt::format("ray.pin {} {}", at.x, at.y), 2);
    const FrameResults& right = session.results();
    ASSERT_EQ(differences(session, right), "");
    const auto hit =
        std::find_if(right.rays.begin(), right.rays.end(), [](const RayQuery& q) { return q.hit; });
    ASSERT_NE(hit, right.rays.end());
    const auto place = static_cast<std::size_t>(hit - right.rays.begin());
    const std::string answer =
        fmt::format("a ray gives body {}, triangle {}, t = ", hit->body.value, hit->triangle);
    const struct {
        void (*change)(RayQuery& ray);
        std::string begin, end;
    } kFaults[] = {
        {[](RayQuery& r) { r.body = bv::BodyId{999}; }, "a ray gives body 999", "body 999 cannot be hit"},
        {[](RayQuery& r) { r.triangle = 1'000'000; }, "a ray gives body",
         fmt::format("body {} has no triangle 1000000", hit->body.value)},
        {[](RayQuery& r) { r.triangle = r.triangle == 0 ? 200 : 0; }, "a ray gives body",
         fmt::format("triangle {} is not hit", hit->triangle == 0 ? 200 : 0)},
        {[](RayQuery& r) { r.t *= 1.01f; }, answer, "but the triangle is hit at t = "},
        {[](RayQuery& r) { r.normal = -r.normal; }, answer, "but its normal is not that of the triangle"},
        {[](RayQuery& r) { r.point += glm::vec3(0, 0.01f, 0); }, answer,
         "but its point is not on the ray there"},
        {[](RayQuery& r) { r.hit = false; }, "a ray gives no hit, but body ", " is hit at t = "},
    };
    for (const auto& fault : kFaults) {
        FrameResults results = right;
        fault.change(results.rays[place]);
        const std::string found = first_difference(session, results);
        EXPECT_TRUE(found.starts_with(fault.begin)) << found << " instead of " << fault.begin;
        EXPECT_NE(found.find(fault.end), std::string::npos) << found << " instead of " << fault.end;
    }
}

TEST(Reference, SaysWhatIsWrongWithATree) {
    Session session{command_table()};
    frame(session, "set broadphase.kind=dynamic-tree; scene welcome");
    frames(session, 5);
    const World& world = session.state().world;
    const bv::TreeSnapshot right = world.finder().engine().snapshot();
    ASSERT_EQ(reference::check_tree(world, right), std::nullopt);
    const std::size_t bodies = world.bodies().size();
    std::uint32_t leaf = 0;
    while (!right.is_leaf(leaf))
        ++leaf;
    const std::uint32_t parent = right.parents[leaf];
    const std::uint64_t body = right.payloads[right.first_payload[leaf]];
    const std::uint64_t other = right.payloads[right.first_payload[leaf] == 0 ? 1 : 0];
    const auto change = [&](const auto& what) {
        bv::TreeSnapshot tree = right;
        what(tree);
        return reference::check_tree(world, tree).value_or("nothing");
    };
    EXPECT_EQ(change([&](bv::TreeSnapshot& t) { t.boxes[leaf].max.y += 1e3f; }),
              fmt::format("node {} sticks out of its parent {}", leaf, parent));
    EXPECT_EQ(change([&](bv::TreeSnapshot& t) { t.boxes[leaf].min = t.boxes[leaf].max; }),
              fmt::format("body {} sticks out of its leaf {}", body, leaf));
    EXPECT_EQ(change([&](bv::TreeSnapshot& t) { t.payloads[t.first_payload[leaf]] = 4321; }),
              fmt::format("node {} holds body 4321, which is gone", leaf));
    EXPECT_EQ(change([&](bv::TreeSnapshot& t) { t.payload_count[leaf] = 0; }),
              fmt::format("its leaves hold {} bodies, not each of {} once", bodies - 1, bodies));
    // One body twice, in a box that holds it, in place of another.
    EXPECT_EQ(change([&](bv::TreeSnapshot& t) {
                  for (std::uint32_t node = leaf; node != bv::TreeSnapshot::kNone; node = t.parents[node])
                      t.boxes[node] = t.boxes[0];
                  t.payloads[t.first_payload[leaf]] = other;
              }),
              fmt::format("its leaves hold {} bodies, not each of {} once", bodies, bodies));
}

}  // namespace
}  // namespace lab
