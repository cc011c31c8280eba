// Probes against brute force and against the library's own queries of the same tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <set>
#include <string>
#include <utility>

#include "bv/tree/dynamic_tree.hpp"
#include "commands/catalog.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "view/checks/probe_reference.hpp"
#include "view/probe.hpp"
#include "view/selection.hpp"
#include "volumes_of.hpp"
#include "workloads/random.hpp"

namespace lab {
namespace {

using test::run;

constexpr std::array kKinds = {ProbeKind::Ray,        ProbeKind::BoxCast,      ProbeKind::SphereOverlap,
                               ProbeKind::BoxOverlap, ProbeKind::ClosestPoint, ProbeKind::KNearest,
                               ProbeKind::Frustum};

struct Crowd {
    bv::DynamicTree tree;
    std::vector<bv::Aabb> boxes;
};

Crowd crowd(std::size_t count, std::uint64_t seed) {
    bv::workloads::Random random(seed);
    Crowd made;
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec3 center = random.in_box(glm::vec3(-6.0f), glm::vec3(6.0f));
        const glm::vec3 half = random.in_box(glm::vec3(0.05f), glm::vec3(0.8f));
        made.boxes.push_back({center - half, center + half});
        made.tree.insert(made.boxes.back(), i);
    }
    return made;
}

Probe probe_at_random(ProbeKind kind, bv::workloads::Random& random) {
    Probe probe;
    probe.kind = kind;
    probe.at = random.in_box(glm::vec3(-8.0f), glm::vec3(8.0f));
    probe.aim = random.in_box(glm::vec3(-8.0f), glm::vec3(8.0f));
    probe.size = random.uniform(0.0f, 3.0f);
    probe.count = 1 + random.below(9);
    return probe;
}

std::set<std::uint64_t> payloads(const ProbeResult& found) {
    std::set<std::uint64_t> out;
    for (const ProbeHit& hit : found.hits)
        out.insert(hit.payload);
    return out;
}

TEST(Probe, EveryKindAgreesWithBruteForce) {
    bv::workloads::Random random(5);
    for (const std::size_t count : {0, 1, 2, 40, 300}) {
        const Crowd made = crowd(count, 10 + count);
        const bv::TreeSnapshot tree = made.tree.snapshot();
        for (const ProbeKind kind : kKinds)
            for (int round = 0; round < 60; ++round) {
                const ProbeResult found = run_probe(probe_at_random(kind, random), tree);
                const auto problem = reference::check_probe(found, tree);
                EXPECT_FALSE(problem) << static_cast<int>(kind) << " of " << count << ": " << *problem;
            }
    }
}

// Small boxes kilometers away, and whole worlds smaller than an atom: the reference must not doubt what is
// right.
TEST(Probe, FarAndTinyBoxesAreNoFalseAlarm) {
    bv::workloads::Random random(7);
    for (const auto& [far, size] :
         {std::pair{2000.0f, 0.01f}, {5000.0f, 0.05f}, {0.0f, 1e-5f}, {0.0f, 1e-30f}})
        for (int round = 0; round < 60; ++round) {
            bv::DynamicTree tree;
            const glm::vec3 origin = far * random.direction();
            for (std::uint64_t i = 0; i < 20; ++i) {
                const glm::vec3 low = origin + 5.0f * size * random.in_ball();
                tree.insert({low, low + glm::vec3(size)}, i);
            }
            for (const ProbeKind kind : {ProbeKind::Ray, ProbeKind::BoxCast}) {
                Probe probe;
                probe.kind = kind;
                probe.at = origin - 6.0f * size * random.direction();
                probe.aim = 2.0f * origin - probe.at + size * random.in_ball();
                probe.size = 0.5f * size;
                const ProbeResult found = run_probe(probe, tree.snapshot());
                const auto problem = reference::check_probe(found, tree.snapshot());
                EXPECT_FALSE(problem) << far << " " << size << ": " << *problem;
            }
        }
}

TEST(Probe, TheReferenceNoticesALostAndAFalseHit) {
    bv::workloads::Random random(6);
    const Crowd made = crowd(200, 3);
    const bv::TreeSnapshot tree = made.tree.snapshot();
    for (const ProbeKind kind : kKinds) {
        int lost = 0, wrong = 0;
        for (int round = 0; round < 40; ++round) {
            ProbeResult found = run_probe(probe_at_random(kind, random), tree);
            if (found.hits.empty() || found.hits.size() == tree.payloads.size()) continue;
            const ProbeHit last = found.hits.back();
            found.hits.pop_back();
            lost += reference::check_probe(found, tree).has_value();
            // Replace a hit by a box that is none.
            const std::set<std::uint64_t> right = payloads(found);
            for (std::uint32_t place = 0; place < tree.payloads.size(); ++place)
                if (place != last.place && !right.contains(tree.payloads[place])) {
                    found.hits.push_back({place, tree.payloads[place], last.value});
                    break;
                }
            wrong += reference::check_probe(found, tree).has_value();
        }
        EXPECT_GT(lost, 5) << static_cast<int>(kind);
        EXPECT_GT(wrong, 5) << static_cast<int>(kind);
    }
}

TEST(Probe, TheReferenceSaysWhatIsWrong) {
    const Crowd made = crowd(40, 3);
    const bv::TreeSnapshot tree = made.tree.snapshot();
    Probe probe;
    probe.kind = ProbeKind::KNearest;
    probe.count = 3;
    const ProbeResult right = run_probe(probe, tree);
    ASSERT_EQ(right.hits.size(), 3u);
    ASSERT_EQ(reference::check_probe(right, tree), std::nullopt);
    const auto change = [&](const auto& what) {
        ProbeResult found = right;
        what(found);
        return reference::check_probe(found, tree).value_or("nothing");
    };
    const std::string last = std::to_string(right.hits.back().payload);
    EXPECT_EQ(change([](ProbeResult& r) { r.hits[1] = r.hits[2]; }), "box " + last + " was found twice");
    EXPECT_EQ(change([](ProbeResult& r) { r.hits[2].place = 40; }), "box " + last + " was found twice");
    EXPECT_EQ(change([](ProbeResult& r) { r.probe.count = 2; }), "3 boxes were found, not 2");
    ProbeResult lost = right;
    lost.probe.kind = ProbeKind::ClosestPoint;
    lost.hits.resize(1);
    ASSERT_EQ(reference::check_probe(lost, tree), std::nullopt);
    lost.hits[0] = right.hits[1];
    EXPECT_EQ(reference::check_probe(lost, tree),
              "box " + std::to_string(right.hits[0].payload) + " was missed");
    const std::string moved = change([](ProbeResult& r) { r.hits[2].value += 1.0f; });
    EXPECT_TRUE(moved.starts_with("box " + last + " is at ")) << moved;
    ProbeResult sphere = right;
    sphere.probe.kind = ProbeKind::SphereOverlap;
    sphere.probe.size = 0.0f;
    sphere.probe.at = glm::vec3(1e3f);
    const std::string far = reference::check_probe(sphere, tree).value_or("nothing");
    EXPECT_TRUE(far.ends_with(" was found, but is out of range")) << far;
}

TEST(Probe, FindsWhatTheLibrarysQueriesOfTheTreeFind) {
    bv::workloads::Random random(7);
    const Crowd made = crowd(250, 4);
    const bv::TreeSnapshot tree = made.tree.snapshot();
    for (int round = 0; round < 200; ++round) {
        std::set<std::uint64_t> expected;
        const auto keep = [&](bv::ProxyId, std::uint64_t data) { expected.insert(data); };
        const Probe sphere = probe_at_random(ProbeKind::SphereOverlap, random);
        made.tree.query_volume(bv::Sphere{sphere.at, sphere.size}, keep);
        EXPECT_EQ(payloads(run_probe(sphere, tree)), expected);

        expected.clear();
        const Probe box = probe_at_random(ProbeKind::BoxOverlap, random);
        made.tree.query(bv::Aabb{box.at - box.size, box.at + box.size}, keep);
        EXPECT_EQ(payloads(run_probe(box, tree)), expected);

        expected.clear();
        const Probe view = probe_at_random(ProbeKind::Frustum, random);
        made.tree.query_frustum(frustum_of(view).planes, keep);
        EXPECT_EQ(payloads(run_probe(view, tree)), expected);

        const Probe near = probe_at_random(ProbeKind::KNearest, random);
        std::vector<bv::Neighbor> neighbors(near.count);
        neighbors.resize(made.tree.k_nearest(near.at, neighbors));
        const ProbeResult found = run_probe(near, tree);
        ASSERT_EQ(found.hits.size(), neighbors.size());
        for (std::size_t i = 0; i < neighbors.size(); ++i)
            EXPECT_NEAR(found.hits[i].value * found.hits[i].value, neighbors[i].distance_sq, 1e-3f);

        const Probe cast = probe_at_random(ProbeKind::BoxCast, random);
        float first = 2.0f;
        made.tree.cast_box({cast.at - cast.size, cast.at + cast.size}, cast.aim - cast.at,
                           [&](bv::ProxyId, std::uint64_t, float t) { return first = std::min(first, t); });
        const ProbeResult hit = run_probe(cast, tree);
        ASSERT_EQ(hit.hits.empty(), first > 1.0f);
        if (!hit.hits.empty()) {
            EXPECT_NEAR(hit.hits[0].value, first, 1e-5f);
        }
    }
}

TEST(Probe, NodesAreCountedOnceAndMostAreSkipped) {
    bv::workloads::Random random(8);
    const Crowd made = crowd(300, 9);
    const bv::TreeSnapshot tree = made.tree.snapshot();
    for (const ProbeKind kind : kKinds) {
        std::uint64_t tested = 0, all = 0;
        for (int round = 0; round < 50; ++round) {
            Probe probe = probe_at_random(kind, random);
            probe.size = std::min(probe.size, 1.0f);
            const ProbeResult found = run_probe(probe, tree);
            std::set<std::uint32_t> nodes(found.visited.begin(), found.visited.end());
            nodes.insert(found.culled.begin(), found.culled.end());
            EXPECT_EQ(nodes.size(), found.visited.size() + found.culled.size());
            EXPECT_EQ(found.stats.boxes_tested, nodes.size());
            EXPECT_EQ(found.stats.nodes_visited, found.visited.size());
            tested += found.stats.leaves_tested;
            all += found.brute_force_tested;
        }
        EXPECT_LT(tested, all / 2) << static_cast<int>(kind);
    }
}

// ---- in a session

TEST(Probe, IsShownCountedReportedAndVerifiedInAnyTree) {
    for (const char* scene : {"welcome", "tree-balance", "mesh-bvh", "boxes"}) {
        Session session(command_table());
        run(session, std::string("set verify=true; scene ") + scene + "; probe 0.4 1.1 0.2", 2);
        for (const ProbeKindRow& kind : kProbeKinds) {
            if (kind.kind == ProbeKind::Off) continue;
            run(session, "set probe.kind=" + std::string(kind.id), 3);
            const std::optional<ProbeResult>& found = session.results().probe;
            ASSERT_TRUE(found) << scene;
            EXPECT_FALSE(find_tree(session.results().trees, found->probe.tree)->empty()) << scene;
            const io::Report report = make_report(session, "test");
            const auto row = std::find_if(report.queries.begin(), report.queries.end(),
                                          [](const io::ReportQuery& q) { return q.probe.has_value(); });
            ASSERT_NE(row, report.queries.end());
            EXPECT_EQ(row->kind, "probe." + std::string(kind.id));
            EXPECT_EQ(row->probe->found.size(), found->hits.size());
            EXPECT_EQ(row->visited, found->visited.size());
            const Table& table = session.results().tables.back();
            EXPECT_EQ(table.id, "probe");
            EXPECT_EQ(std::get<Number>(table.rows[1].cells[1]).value,
                      static_cast<double>(found->visited.size()));
            EXPECT_TRUE(session.results().checks.differences.empty())
                << scene << ": " << session.results().checks.differences.front();
        }
        run(session, "set probe.kind=off", 1);
        EXPECT_FALSE(session.results().probe);
    }
}

TEST(Probe, IsPlacedByItsHandleAPixelAndTheMouse) {
    Session session(command_table());
    run(session, "scene welcome; pause on; probe 1 2 3; scene.drag probe 2 2.5 3", 1);
    EXPECT_EQ(probe_of(session.state().settings)->at, glm::vec3(2.0f, 2.5f, 3.0f));
    EXPECT_EQ(probe_of(session.state().settings)->kind, ProbeKind::ClosestPoint)
        << "what was off begins as this";
    const glm::vec2 pixel =
        *session.state().view.pixel_of(test::tight_of(session, session.results().bodies[0]).center());
    run(session, "probe.pixel " + std::to_string(pixel.x) + " " + std::to_string(pixel.y), 1);
    const glm::vec3 at = probe_of(session.state().settings)->at;
    const bv::Aabb body = test::tight_of(session, session.results().bodies[0]);
    EXPECT_LT(glm::distance(at, body.center()), glm::length(body.size()));
    run(session,
        "set probe.mouse=true; set ray.from=eye; probe 9 9 9; hover " + std::to_string(pixel.x) + " " +
            std::to_string(pixel.y),
        1);
    ASSERT_FALSE(session.results().rays.empty());
    if (session.results().rays.front().hit) {
        EXPECT_EQ(session.results().probe->probe.at, session.results().rays.front().point);
    }
}

TEST(Probe, StandsBesideTheTreeUntilItIsDragged) {
    for (const char* scene : {"welcome", "tree-balance", "mesh-bvh"}) {
        Session session(command_table());
        run(session, std::string("scene ") + scene + "; pause on; set probe.kind=frustum", 2);
        ASSERT_TRUE(session.results().probe) << scene;
        const Probe before = session.results().probe->probe;
        const bv::Aabb tree = find_tree(session.results().trees, before.tree)->boxes.front();
        EXPECT_LT(glm::distance(before.aim, tree.center()), 1e-4f);
        EXPECT_FALSE(session.results().probe->hits.empty()) << scene;
        // Drag one end: the other stays.
        run(session, "scene.drag probe.aim 1 2 3", 1);
        const Probe after = session.results().probe->probe;
        EXPECT_EQ(after.aim, glm::vec3(1, 2, 3));
        EXPECT_LT(glm::distance(after.at, before.at), 1e-3f * (1.0f + glm::length(before.at)));
        EXPECT_NEAR(after.size, before.size, 1e-3f * before.size);
    }
}

}  // namespace
}  // namespace lab
