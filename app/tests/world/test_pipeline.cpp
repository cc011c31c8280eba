// Pairs, stage by stage: every count against brute force, false alarms per kind of volume, and cut meshes
// that keep their volume.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>

#include "bv/query/convex.hpp"
#include "bv/query/overlap.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "scenes/meshes/cut_pieces.hpp"
#include "scenes/volumes/lineup.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "view/checks/reference.hpp"
#include "volumes_of.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"
#include "world/bodies/rigid.hpp"
#include "world/exact.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::run;

double stat(const io::Report& report, std::string_view name) {
    for (const auto& [id, value] : report.stats)
        if (id == name) return value;
    ADD_FAILURE() << "no " << name;
    return -1;
}

TEST(Pipeline, EveryStageCountsWhatBruteForceCounts) {
    for (const VolumeSpec& spec : kVolumeSpecs) {
        const std::string kind(spec.id);
        Session session{command_table()};
        run(session,
            "set volume.exact=true; set world.seed=5; scene welcome; spawn 12; set volume.pair_kind=" + kind,
            15);
        const World& world = session.state().world;
        const FrameResults& results = session.results();
        std::uint64_t broad = 0, volume = 0, exact = 0;
        const auto& bodies = world.bodies();
        for (std::size_t i = 0; i < bodies.size(); ++i)
            for (std::size_t j = i + 1; j < bodies.size(); ++j) {
                const BodyState &a = bodies[i].state, &b = bodies[j].state;
                broad += reference::overlap(world.bodies().broad_box(bodies[i]),
                                            world.bodies().broad_box(bodies[j]));
                const auto meet = reference::overlap(reference::solid_of(world, bodies[i], spec.kind),
                                                     reference::solid_of(world, bodies[j], spec.kind));
                ASSERT_NE(meet, reference::Answer::Either) << "another seed would do";
                if (meet == reference::Answer::No) continue;
                ++volume;
                const auto touch = reference::meshes_touch(world.bodies().meshes(), a, b);
                ASSERT_NE(touch, reference::Answer::Either) << "another seed would do";
                exact += touch == reference::Answer::Yes;
            }
        EXPECT_EQ(results.pairs.broad.size(), broad) << kind;
        EXPECT_EQ(results.pairs.volume.size(), volume) << kind;
        EXPECT_EQ(results.pairs.exact.size(), exact) << kind;
        EXPECT_EQ(results.pairs.counts.volume_tests, broad);
        EXPECT_EQ(results.pairs.counts.exact_tests, volume);
        ASSERT_EQ(results.alarms.size(), 1u);
        EXPECT_EQ(results.alarms[0].kind, kind);
        EXPECT_EQ(results.alarms[0].count(), volume - exact);
        const io::Report report = make_report(session, "test");
        EXPECT_EQ(stat(report, "false_alarms." + kind), static_cast<double>(volume - exact));
        EXPECT_DOUBLE_EQ(stat(report, "false_alarm_share." + kind),
                         static_cast<double>(volume - exact) / static_cast<double>(volume));
        for (const BodyState& body : results.bodies) {
            const bool in_pair =
                std::any_of(results.pairs.exact.begin(), results.pairs.exact.end(),
                            [&](const BodyPair& p) { return p.a == body.id || p.b == body.id; });
            EXPECT_EQ(body.colliding, in_pair) << body.name;
        }
    }
}

TEST(Pipeline, WithoutTheExactTestNothingIsCalledAFalseAlarm) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 40", 5);
    EXPECT_TRUE(session.results().alarms.empty());
    EXPECT_EQ(session.results().pairs.counts.exact_tests, 0u);
    EXPECT_GT(session.results().pairs.counts.volume_tests, 0u);
}

/// All filled voxels of two bodies, cube against cube, a little larger or smaller.
bool voxels_touch(ExactTester& tester, const MeshLibrary& meshes, const BodyState& a, const BodyState& b,
                  float by) {
    const auto cubes = [&](const BodyState& body) {
        std::vector<bv::Obb> out;
        const bv::VoxelGrid& grid = *tester.grid(meshes, body);
        const bv::RigidTransform pose = rigid_pose(body);
        for (int z = 0; z < grid.size().z; ++z)
            for (int y = 0; y < grid.size().y; ++y)
                for (int x = 0; x < grid.size().x; ++x)
                    if (grid.filled({x, y, z}))
                        out.push_back({pose.rotation * grid.voxel_box({x, y, z}).center() + pose.translation,
                                       glm::vec3(0.5f * grid.voxel_size() + by), pose.rotation});
        return out;
    };
    const std::vector<bv::Obb> in_a = cubes(a), in_b = cubes(b);
    for (const bv::Obb& p : in_a)
        for (const bv::Obb& q : in_b) {
            const float reach = 1.7321f * (p.half_extents.x + q.half_extents.x);
            const glm::vec3 d = p.center - q.center;
            if (glm::dot(d, d) <= reach * reach && bv::overlap(p, q)) return true;
        }
    return false;
}

TEST(Pipeline, ThePairMemorySavesWorkAndChangesNoAnswer) {
    Session session{command_table()};
    run(session, "scene welcome; set volume.exact=true; set volume.pair_kind=sphere; spawn 150", 1);
    std::uint64_t with = 0, without = 0;
    for (int step = 0; step < 30; ++step) {
        run(session, "", 1);
        const PairStages& pairs = session.state().world.finder().pairs();
        std::vector<BodyPair> touching;
        ExactTester afresh;
        NarrowCounts counts;
        for (const BodyPair& pair : pairs.volume)
            if (afresh.touching(session.meshes(), session.state().world.find(pair.a)->state,
                                session.state().world.find(pair.b)->state, ExactBy::Meshes, &counts))
                touching.push_back(pair);
        ASSERT_EQ(touching, pairs.exact) << step;
        EXPECT_EQ(counts.exact_tests, pairs.counts.exact_tests);
        with += pairs.counts.box_tests + pairs.counts.part_tests;
        without += counts.box_tests + counts.part_tests;
    }
    EXPECT_LT(with, without * 3 / 4);
}

TEST(Pipeline, ThePairMemoryDropsPairsThatEnded) {
    const auto pair = [](std::uint32_t a, std::uint32_t b) { return BodyPair{{a}, {b}}; };
    PairMemory memory;
    memory.begin(2);
    memory.of(pair(1, 2)).axis = 3;
    memory.of(pair(1, 5)).axis = 4;
    memory.begin(2);
    EXPECT_EQ(memory.of(pair(1, 3)).axis, -1) << "a new pair";
    EXPECT_EQ(memory.of(pair(1, 5)).axis, 4);
    memory.begin(2);
    EXPECT_EQ(memory.of(pair(1, 2)).axis, -1) << "it had ended";
    PairMemory copy = memory;
    copy.begin(2);
    memory.begin(2);
    EXPECT_EQ(copy.of(pair(1, 2)).axis, memory.of(pair(1, 2)).axis);
    memory.begin(2);
    memory.begin(2);
    EXPECT_EQ(memory.memory_bytes(), 0u);
}

TEST(Pipeline, VoxelContactIsThatOfBruteForce) {
    Session session{command_table()};
    run(session,
        "set volume.exact=true; set volume.exact_by=voxels; set volume.pair_kind=sphere; scene welcome; "
        "spawn 60; "
        "set sim.paused=true",
        2);
    const FrameResults& results = session.results();
    ExactTester tester;
    std::size_t compared = 0, touching = 0;
    for (const BodyPair& pair : results.pairs.volume) {
        const BodyState &a = session.state().world.find(pair.a)->state,
                        &b = session.state().world.find(pair.b)->state;
        const bool sure = voxels_touch(tester, session.meshes(), a, b, -1e-4f);
        if (sure != voxels_touch(tester, session.meshes(), a, b, 1e-4f)) continue;
        const bool found = std::binary_search(results.pairs.exact.begin(), results.pairs.exact.end(), pair);
        EXPECT_EQ(found, sure) << pair.a.value << "-" << pair.b.value;
        ++compared;
        touching += sure;
    }
    EXPECT_GT(compared, 20u);
    EXPECT_GT(touching, 3u);
    EXPECT_GT(results.pairs.counts.box_tests, 0u);
    // Voxels contain the surface: bodies that touch by triangles touch by voxels.
    const auto by_voxels = results.pairs.exact;
    run(session, "set volume.exact_by=meshes", 1);
    for (const BodyPair& pair : session.results().pairs.exact)
        EXPECT_TRUE(std::binary_search(by_voxels.begin(), by_voxels.end(), pair));
    EXPECT_LE(session.results().pairs.exact.size(), by_voxels.size());
}

TEST(Lineup, NoKindMissesAPairAndEachCountIsThatOfBruteForce) {
    Session session{command_table()};
    run(session, "scene narrow-phase", 40);
    const World& world = session.state().world;
    const LineupResult found = compare_volumes(world);
    const auto& bodies = world.bodies();
    std::vector<BodyPair> candidates, touching;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            const BodyState &a = bodies[i].state, &b = bodies[j].state;
            // A mesh is inside its box: another test checks every vertex.
            const auto touch =
                reference::overlap(world.bodies().tight_box(bodies[i]), world.bodies().tight_box(bodies[j]))
                    ? reference::meshes_touch(world.bodies().meshes(), a, b)
                    : reference::Answer::No;
            ASSERT_NE(touch, reference::Answer::Either) << "another seed would do";
            if (touch == reference::Answer::Yes) touching.push_back({a.id, b.id});
            if (bv::overlap(world.bodies().fixed_box(bodies[i]), world.bodies().fixed_box(bodies[j])))
                candidates.push_back({a.id, b.id});
        }
    EXPECT_EQ(found.candidates, candidates);
    EXPECT_EQ(found.touching, touching);
    EXPECT_GT(touching.size(), 3u);
    ASSERT_EQ(found.kinds.size(), kLineup.size());
    for (std::size_t kind = 0; kind < found.kinds.size(); ++kind) {
        const FalseAlarms& row = found.kinds[kind];
        EXPECT_EQ(row.tested, candidates.size());
        EXPECT_EQ(row.touching, touching.size()) << row.kind << " misses a pair of meshes that touch";
        EXPECT_LE(row.passed, row.tested);
        for (std::size_t i = 0; i < bodies.size(); ++i)
            for (std::size_t v = 0; v < world.bodies().meshes()[bodies[i].state.mesh].positions.size();
                 v += 17) {
                const glm::vec3 p =
                    bodies[i].state.transform *
                    glm::vec4(world.bodies().meshes()[bodies[i].state.mesh].positions[v], 1.0f);
                const bv::fit::Volume& volume = found.volumes[kind][i];
                if (const auto* hull = std::get_if<bv::Hull>(&volume)) {
                    ASSERT_LT(bv::distance(bv::ConvexRef(*hull), p), 1e-5f) << bodies[i].state.name;
                } else {
                    const glm::vec3 c = world.bodies().sphere(bodies[i]).center;
                    ASSERT_TRUE(bv::fit::contains_point(volume, p + 1e-4f * (c - p))) << row.kind;
                }
            }
    }
    const auto alarms = [&](std::string_view id) {
        for (const FalseAlarms& row : found.kinds)
            if (row.kind == id) return row.count();
        return std::uint64_t{0};
    };
    EXPECT_GT(alarms("sphere"), alarms("hull"));
    EXPECT_GE(alarms("kdop14"), alarms("kdop26"));
    EXPECT_GE(alarms("kdop26"), alarms("hull"));
    EXPECT_EQ(session.results().alarms.size(), kLineup.size());
}

TEST(Lineup, TheMarkedFalseAlarmsAreThoseOfTheTable) {
    Session session{command_table()};
    run(session, "scene narrow-phase", 1);
    for (const VolumeKind compared : kLineup) {
        const VolumeSpec& kind = spec_of(compared);
        run(session, "set alarms.kind=" + std::string(kind.id), 2);
        std::size_t lines = 0;
        for (const Exhibit& exhibit : session.results().exhibits)
            lines += std::holds_alternative<bv::Segment>(exhibit.shape) &&
                     exhibit.legend == fmt::format("false alarm of the {}", kind.name);
        for (const FalseAlarms& row : session.results().alarms)
            if (row.kind == kind.id) {
                EXPECT_EQ(lines, row.count()) << kind.id;
            }
    }
}

// ---- cutting

TEST(Mass, OfABoxAndABall) {
    const MassProperties box = mass_of(bv::workloads::box({0.5f, 1.0f, 1.5f}).view());
    EXPECT_NEAR(box.volume, 6.0, 1e-6);
    EXPECT_NEAR(box.inertia[0][0], 6.0 / 12.0 * (4.0 + 9.0), 1e-5);
    EXPECT_NEAR(box.inertia[1][1], 6.0 / 12.0 * (1.0 + 9.0), 1e-5);
    EXPECT_NEAR(box.inertia[0][1], 0.0, 1e-6);
    bv::workloads::MeshData ball = bv::workloads::icosphere(4, 1.0f);
    for (glm::vec3& p : ball.positions)
        p += glm::vec3(3, -2, 1);
    const MassProperties m = mass_of(ball.view());
    EXPECT_NEAR(m.volume, 4.18879, 0.02);
    EXPECT_NEAR(glm::length(m.center - glm::dvec3(3, -2, 1)), 0.0, 1e-5);
    EXPECT_NEAR(m.inertia[2][2], 0.4 * m.volume, 0.02);
}

/// In a closed piece every edge, identified by positions, occurs equally often in both directions.
bool is_closed(const scenes::CutPiece& piece) {
    std::vector<std::pair<std::array<float, 3>, std::array<float, 3>>> out, in;
    for (const glm::uvec3& t : piece.triangles)
        for (int k = 0; k < 3; ++k) {
            const glm::vec3 &a = piece.positions[t[k]], &b = piece.positions[t[(k + 1) % 3]];
            out.push_back({{a.x, a.y, a.z}, {b.x, b.y, b.z}});
            in.push_back({{b.x, b.y, b.z}, {a.x, a.y, a.z}});
        }
    std::sort(out.begin(), out.end());
    std::sort(in.begin(), in.end());
    return out == in;
}

TEST(Cut, HalvesOfABoxHaveTheSurfaceOfHalfABox) {
    const scenes::CutPiece box = scenes::whole_piece(bv::workloads::box({1.0f, 0.5f, 0.25f}).view(), 1);
    EXPECT_NEAR(box.surface, 2.0 * (2.0 + 0.5 + 1.0), 1e-6);
    EXPECT_EQ(box.cap_surface, 0.0);
    bv::Plane plane;
    plane.normal = {1.0f, 0.0f, 0.0f};
    const scenes::CutResult halves = scenes::cut_piece(box, plane);
    ASSERT_EQ(halves.front.size() + halves.back.size(), 2u);
    for (const scenes::CutPiece& half : {halves.front.front(), halves.back.front()}) {
        EXPECT_NEAR(half.mass.volume, 0.5, 1e-6);
        EXPECT_NEAR(half.cap_surface, 0.5, 1e-6);
        EXPECT_NEAR(half.surface, 2.0 * (1.0 + 0.5 + 0.5), 1e-6);
    }
}

TEST(Cut, RepeatedCutsKeepTheVolumeAndCloseEveryPiece) {
    bv::workloads::Random random(21);
    for (const char* name : {"torus_knot", "gear", "rock", "pawn", "chain", "spike_ball"}) {
        const auto mesh = bv::workloads::make_mesh(name);
        ASSERT_TRUE(mesh);
        std::vector<scenes::CutPiece> pieces = {scenes::whole_piece(mesh->view(), 1)};
        const double volume = pieces[0].mass.volume;
        for (int cut = 0; cut < 4; ++cut) {
            std::vector<scenes::CutPiece> next;
            for (const scenes::CutPiece& piece : pieces) {
                bv::Plane plane;
                plane.normal = random.direction();
                plane.offset = random.uniform(-0.03f, 0.03f);
                const scenes::CutResult halves = scenes::cut_piece(piece, plane);
                EXPECT_TRUE(halves.closed) << name;
                double sum = 0.0, caps = 0.0;
                for (const auto* list : {&halves.front, &halves.back})
                    for (const scenes::CutPiece& half : *list) {
                        EXPECT_TRUE(is_closed(half)) << name << " cut " << cut;
                        EXPECT_GT(half.mass.volume, 0.0);
                        EXPECT_LT(glm::length(half.mass.center), 1e-4) << "its center of mass is its origin";
                        sum += half.mass.volume;
                        caps += half.cap_surface;
                        next.push_back(half);
                    }
                if (halves.front.empty() && halves.back.empty()) {
                    next.push_back(piece);
                } else {
                    EXPECT_NEAR(sum, piece.mass.volume, 2e-6 * volume) << name;
                    EXPECT_GT(caps, piece.cap_surface) << name;
                }
            }
            pieces = std::move(next);
        }
        double total = 0.0;
        for (const scenes::CutPiece& piece : pieces)
            total += piece.mass.volume;
        EXPECT_NEAR(total, volume, 5e-6 * volume) << name;
        EXPECT_GT(pieces.size(), 6u) << name;
    }
}

TEST(Cut, TheScenePiecesFallToTheFloorAndStayThere) {
    Session session{command_table()};
    run(session, "scene mesh-cut; cut", 400);
    const FrameResults& results = session.results();
    EXPECT_GE(results.bodies.size(), 2u);
    for (const BodyState& body : results.bodies) {
        EXPECT_NEAR(test::tight_of(session, body).min.y, 0.0f, 0.05f) << body.name;
        EXPECT_LT(glm::length(body.velocity), 1.0f) << body.name;
        EXPECT_LT(std::abs(test::sphere_of(session, body).center.x), 6.0f);
    }
    ASSERT_FALSE(results.tables.empty());
    const Table& table = results.tables.front();
    EXPECT_EQ(table.id, "mesh_cut");
    EXPECT_LT(std::abs(std::get<Number>(table.rows[2].cells[2]).value), 5e-6) << "volume is lost";
}

/// A piece is found in the view by the color in the table.
TEST(Cut, ThePiecesOfTheTableHaveTheColorsOfTheirBodies) {
    Session session{command_table()};
    run(session, "scene mesh-cut; cut", 10);
    const FrameResults& results = session.results();
    ASSERT_GE(results.bodies.size(), 2u);
    ASSERT_FALSE(results.tables.empty());
    const std::vector<Row>& rows = results.tables.front().rows;
    for (const BodyState& body : results.bodies) {
        const std::string name = body.name, piece = name.substr(0, name.find(" of "));
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
            return std::get<std::string>(r.cells[0]) == piece;
        });
        ASSERT_NE(row, rows.end()) << body.name;
        EXPECT_EQ(row->mesh, body.mesh.value) << body.name;
    }
}

TEST(Cut, SessionsRepeatToTheBitAndSoDoRestarts) {
    constexpr std::string_view kScript = "scene mesh-cut; set cut.period=40";
    Session a{command_table()}, b{command_table()};
    run(a, kScript, 200);
    run(b, kScript, 60);
    run(b, "restart", 200);
    ASSERT_EQ(a.results().bodies.size(), b.results().bodies.size());
    ASSERT_GT(a.results().bodies.size(), 4u);
    for (std::size_t i = 0; i < a.results().bodies.size(); ++i) {
        const BodyState &p = a.results().bodies[i], &q = b.results().bodies[i];
        EXPECT_EQ(p.name, q.name);
        EXPECT_EQ(std::memcmp(&p.transform, &q.transform, sizeof p.transform), 0) << p.name;
    }
    EXPECT_EQ(a.meshes().size(), b.meshes().size()) << "pieces of the same cuts are kept once";
}

TEST(Cut, LeftAloneMakesNoNewPiecesForever) {
    Session session{command_table()};
    run(session, "scene mesh-cut; set cut.period=20", 200);  // six cuts, and it begins again
    const std::size_t pieces = session.meshes().size();
    run(session, "", 400);
    EXPECT_EQ(session.meshes().size(), pieces);
}

}  // namespace
}  // namespace lab
