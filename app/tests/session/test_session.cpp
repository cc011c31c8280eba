// Whole sessions without a window: scenes, commands, determinism, and comparison with brute force.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "commands/catalog.hpp"
#include "io/sessions/report.hpp"
#include "scenes/scenes.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "settings/draw.hpp"
#include "temp_dir.hpp"
#include "view/checks/reference.hpp"
#include "view/checks/verify.hpp"
#include "view/picking.hpp"
#include "volumes_of.hpp"
#include "workloads/random.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

using test::frame;
using test::frames;
using test::run;

std::string last_error(const Session& session) {
    for (auto it = session.messages().messages().rbegin(); it != session.messages().messages().rend(); ++it)
        if (it->severity == Severity::Error) return it->text;
    return "";
}

/// The last error after one line.
std::string refusal(Session& session, const std::string& line) {
    const auto before = session.refused_commands();
    session.commands().push(line);
    session.drain();
    EXPECT_EQ(session.refused_commands(), before + 1) << line;
    return last_error(session);
}

template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

constexpr std::string_view kBusyScript =
    "set world.seed=7; scene welcome\nset verify=true; spawn 30; set sim.contact=bounce\nhover 500 300; pick "
    "640 360\n"
    "ray.pin -8 3 0 1 0 0.1; remove 3; camera.orbit 20 5; set volume.pair_kind=sphere";

TEST(Session, EverySceneOpensAndRunsWithoutADifference) {
    const char* const scale = std::getenv("BV_TEST_SCALE");  // the sanitizers run a part of it
    const auto frames = static_cast<unsigned>(std::clamp(scale ? 60.0 * std::atof(scale) : 60.0, 6.0, 60.0));
    for (const SceneSpec& spec : scene_specs()) {
        Session session{command_table()};
        run(session, "set verify=true; scene " + std::string(spec.id), static_cast<int>(frames) - 1);
        const FrameResults& results = session.step(Session::kFixedStep_s, StepInput{true});
        EXPECT_EQ(results.scene_id, spec.id);
        EXPECT_EQ(results.frame, frames);
        EXPECT_EQ(results.steps, frames);
        EXPECT_FALSE(results.trees.empty()) << spec.id;
        EXPECT_FALSE(results.bounds.is_empty()) << spec.id;
        EXPECT_EQ(results.checks.frames, frames);
        EXPECT_TRUE(results.checks.differences.empty())
            << spec.id << ": " << results.checks.differences.front();
        for (const BodyState& body : results.bodies) {
            EXPECT_TRUE(test::tight_of(session, body).is_finite()) << body.name;
            EXPECT_FALSE(test::obb_of(session, body).is_empty()) << body.name;
        }
    }
}

/// Neither the camera nor a setting of a scene stays behind for the next one.
TEST(Session, ASceneStartsTheSameAfterAnyOther) {
    const auto scenes = scene_specs();
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        Session fresh(command_table()), session(command_table());
        run(fresh, fmt::format("scene {}", scenes[i].id), 1);
        const SceneSpec& other = scenes[(7 * i + 3) % scenes.size()];
        run(session, fmt::format("scene {}; camera.orbit 40 20", other.id), 2);
        run(session, fmt::format("scene {}", scenes[i].id), 1);
        SCOPED_TRACE(fmt::format("{} after {}", scenes[i].id, other.id));
        EXPECT_EQ(session.state().view.camera, fresh.state().view.camera);
        for (const SettingSpec* row : fresh.state().settings.catalog().rows())
            EXPECT_TRUE(row->id == "capture.frame" ||  // where the film stopped
                        session.state().settings.get_as_text(*row) ==
                            fresh.state().settings.get_as_text(*row))
                << row->id;
    }
}

TEST(Session, WelcomeShowsItsVolumes) {
    Session session{command_table()};
    run(session, "scene welcome", 120);
    const FrameResults& results = session.results();
    EXPECT_NEAR(static_cast<double>(results.bodies.size()), 40.0, 3.0);
    VolumeSet shown;
    unsigned bare = 0;
    for (const BodyState& body : results.bodies) {
        shown |= body.shown;
        bare += body.shown == kShowNone;
    }
    EXPECT_EQ(shown, kShowAll) << "all four kinds of volumes are on show";
    EXPECT_GT(bare, 0u) << "not every body carries one";
    EXPECT_GT(results.pairs.volume.size(), 0u);
    ASSERT_FALSE(results.rays.empty()) << "without a mouse the ray sweeps";
    EXPECT_EQ(results.trees.front().second.payloads.size(), results.bodies.size());
}

TEST(Session, TwoRunsAreEqualBitForBit) {
    Session a{command_table()}, b{command_table()};
    run(a, kBusyScript, 90);
    run(b, kBusyScript, 90);
    const FrameResults &ra = a.results(), &rb = b.results();
    ASSERT_EQ(ra.bodies.size(), rb.bodies.size());
    for (std::size_t i = 0; i < ra.bodies.size(); ++i) {
        EXPECT_TRUE(same_bits(ra.bodies[i].transform, rb.bodies[i].transform)) << i;
        EXPECT_TRUE(same_bits(test::tight_of(a, ra.bodies[i]), test::tight_of(b, rb.bodies[i]))) << i;
        EXPECT_TRUE(same_bits(ra.bodies[i].velocity, rb.bodies[i].velocity)) << i;
    }
    EXPECT_EQ(ra.pairs.volume, rb.pairs.volume);
    ASSERT_EQ(ra.rays.size(), rb.rays.size());
    for (std::size_t i = 0; i < ra.rays.size(); ++i) {
        EXPECT_EQ(ra.rays[i].visited_nodes, rb.rays[i].visited_nodes);
        EXPECT_TRUE(same_bits(ra.rays[i].t, rb.rays[i].t));
    }
    EXPECT_EQ(ra.trees.front().second.source_nodes, rb.trees.front().second.source_nodes);
}

TEST(Session, ReportsAreEqualExceptForTimings) {
    const auto text = [] {
        Session session{command_table()};
        run(session, kBusyScript, 30);
        io::Report report = make_report(session, "test");
        io::erase_timings(report);
        return io::report_text(report);
    };
    const std::string first = text();
    EXPECT_EQ(first, text());
    EXPECT_NE(first.find("\"pick\""), std::string::npos);
}

TEST(Session, AnotherSeedGivesAnotherSession) {
    Session a{command_table()}, b{command_table()};
    run(a, "set world.seed=1; scene welcome", 2);
    run(b, "set world.seed=2; scene welcome", 2);
    EXPECT_FALSE(same_bits(a.results().bodies[1].transform, b.results().bodies[1].transform));
}

TEST(Session, StepsAreWholeAndIndependentOfTheFrameRate) {
    Session slow{command_table()}, fast{command_table()};
    run(slow, "scene welcome", 1);
    run(fast, "scene welcome", 1);
    for (int i = 0; i < 30; ++i)
        slow.step(2 * Session::kFixedStep_s);
    for (int i = 0; i < 120; ++i)
        fast.step(0.5 * Session::kFixedStep_s);
    EXPECT_EQ(slow.results().steps, 61u);
    EXPECT_EQ(fast.results().steps, 61u);
    EXPECT_TRUE(same_bits(slow.results().bodies[5].transform, fast.results().bodies[5].transform));
}

TEST(Session, PauseStepAndSpeed) {
    Session session{command_table()};
    run(session, "pause on", 5);
    EXPECT_EQ(session.results().steps, 0u);
    EXPECT_EQ(session.results().frame, 5u);
    EXPECT_TRUE(session.results().paused);
    run(session, "step 10", 3);
    EXPECT_EQ(session.results().steps, 10u);
    run(session, "pause off; speed 3", 2);
    EXPECT_EQ(session.results().steps, 16u);
    run(session, "speed 0", 4);
    EXPECT_EQ(session.results().steps, 16u);
    run(session, "restart", 1);
    EXPECT_EQ(session.results().frame, 1u);
}

TEST(Session, ALongFrameDoesNotPileUpTime) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    session.step(3600.0);
    EXPECT_LE(session.results().steps, 20u);
    const auto before = session.results().steps;
    session.step(Session::kFixedStep_s);
    EXPECT_LE(session.results().steps, before + 2);
}

TEST(Session, StepsThatTakeTooLongAreNotCaughtUpWith) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    const auto before = session.results().steps;
    session.step(6.0 * Session::kFixedStep_s, {.catch_up_ms = 0.0});
    EXPECT_EQ(session.results().steps, before + 1);
    session.step(Session::kFixedStep_s, {.catch_up_ms = 0.0});
    EXPECT_EQ(session.results().steps, before + 2);  // nothing is owed any more
    session.commands().push_script("step 5; pause off", "test");
    session.drain();
    session.step(6.0 * Session::kFixedStep_s, {.catch_up_ms = 0.0});
    EXPECT_EQ(session.results().steps, before + 8);  // what a command asks for is done, and one more
    session.step(6.0 * Session::kFixedStep_s);
    EXPECT_EQ(session.results().steps, before + 14);
}

TEST(Session, SpawnSelectHideRemove) {
    Session session{command_table()};
    run(session, "scene welcome; clear; spawn 5 torus; spawn 2", 1);
    ASSERT_EQ(session.results().bodies.size(), 7u);
    const bv::BodyId first = session.results().bodies.front().id;
    EXPECT_EQ(session.meshes()[session.results().bodies[4].mesh].name, "torus");
    const std::string id = std::to_string(first.value);
    run(session, "select " + id, 1);
    ASSERT_NE(find_body(session.results(), session.state().selected()), nullptr);
    EXPECT_TRUE(find_body(session.results(), session.state().selected())->selected);
    run(session, "isolate", 1);
    EXPECT_FALSE(session.results().bodies[0].hidden);
    EXPECT_TRUE(session.results().bodies[1].hidden);
    run(session, "show all; hide", 1);
    EXPECT_TRUE(session.results().bodies[0].hidden);
    EXPECT_FALSE(session.results().bodies[1].hidden);
    run(session, "remove", 1);
    EXPECT_EQ(session.results().bodies.size(), 6u);
    EXPECT_FALSE(session.state().selected().valid());
    run(session, "spawn 1", 1);
    EXPECT_GT(session.results().bodies.back().id, first) << "ids are not used again";
}

TEST(Session, RefusedCommandsChangeNothingAndSayWhy) {
    Session session{command_table()};
    run(session, "scene welcome", 1);
    const std::size_t bodies = session.results().bodies.size();
    EXPECT_NE(refusal(session, "spawn 10 trous").find("did you mean 'torus'"), std::string::npos);
    EXPECT_NE(refusal(session, "spawn ten").find("whole number from 1 to 10000"), std::string::npos);
    EXPECT_NE(refusal(session, "spawn 0").find("whole number"), std::string::npos);
    EXPECT_NE(refusal(session, "select 12345").find("no body 12345"), std::string::npos);
    EXPECT_NE(refusal(session, "hide").find("no body is selected"), std::string::npos);
    EXPECT_NE(refusal(session, "pick nan 3").find("is a number"), std::string::npos);
    EXPECT_NE(refusal(session, "move 1 1 2 inf").find("is a number"), std::string::npos);
    EXPECT_NE(refusal(session, "open nothing.xyz").find("no such file"), std::string::npos);
    EXPECT_NE(refusal(session, "open no-such-file.obj").find("no-such-file.obj"), std::string::npos);
    EXPECT_NE(refusal(session, "scene.drag a 1 2 3").find("no handle 'a'"), std::string::npos);
    EXPECT_NE(refusal(session, "ray.pin 0 0 0 0 0 0").find("direction"), std::string::npos);
    EXPECT_NE(refusal(session, "view.size 0 100").find("whole number"), std::string::npos);
    session.step(Session::kFixedStep_s);
    EXPECT_EQ(session.results().bodies.size(), bodies);
    EXPECT_EQ(session.results().scene_id, "welcome");
    EXPECT_EQ(session.file_problems(), 2u);
}

TEST(Session, ErrorsNameTheirOrigin) {
    Session session{command_table()};
    session.commands().push_script("pause\n\nselect 999", "setup.txt");
    session.drain();
    EXPECT_EQ(last_error(session).rfind("setup.txt:3: ", 0), 0u) << last_error(session);
}

TEST(Session, PickFindsTheBodyUnderThePixelAndTheRayAgrees) {
    Session session{command_table()};
    run(session, "view.size 1000 800; scene welcome; pause on", 1);
    int found = 0;
    for (const BodyState& body : session.results().bodies) {
        const Camera camera = session.state().view.shown_camera();
        const glm::vec4 clip = camera.projection({1000, 800}) * camera.view() *
                               glm::vec4(test::sphere_of(session, body).center, 1.0f);
        const glm::vec2 pixel = (glm::vec2(clip.x, -clip.y) / clip.w * 0.5f + 0.5f) * glm::vec2(1000, 800);
        run(session, "pick " + std::to_string(pixel.x) + " " + std::to_string(pixel.y), 1);
        const RayQuery& pick = session.state().view.picks.back();
        EXPECT_EQ(reference::check_ray(session.state().world, pick), std::nullopt);
        EXPECT_EQ(session.state().selected(), pick.body);
        EXPECT_LE(pick.counters.tested, pick.counters.brute_force_tested);
        found += pick.body == body.id;
    }
    EXPECT_GT(found, 15) << "most bodies are seen, not hidden behind another";
    run(session, "pick -10000 -10000", 1);
    EXPECT_FALSE(session.state().selected().valid()) << "a click on nothing deselects";
}

TEST(Session, HiddenBodiesAreNotHit) {
    Session session{command_table()};
    run(session, "scene welcome; clear; spawn 1 icosphere; pause on; camera.frame all", 0);
    session.drain();
    session.step(Session::kFixedStep_s);
    const BodyState body = session.results().bodies.front();
    bv::Ray ray;
    ray.origin = test::sphere_of(session, body).center + glm::vec3(0, 0, 10);
    ray.direction = {0, 0, -1};
    EXPECT_TRUE(cast_ray(session.state().world, RayQuery::Kind::Pick, ray).hit);
    run(session, "hide " + std::to_string(body.id.value), 1);
    EXPECT_FALSE(cast_ray(session.state().world, RayQuery::Kind::Pick, ray).hit);
    EXPECT_EQ(reference::check_ray(session.state().world,
                                   cast_ray(session.state().world, RayQuery::Kind::Pick, ray)),
              std::nullopt);
}

TEST(Session, BodiesStayInTheArena) {
    Session session{command_table()};
    run(session, "scene welcome; spawn 40; set sim.contact=bounce", 1);
    for (int i = 0; i < 900; ++i)
        session.step(4 * Session::kFixedStep_s);
    const bv::Aabb arena = bv::grown(session.results().arena, 1.0f);
    for (const BodyState& body : session.results().bodies)
        for (int k = 0; k < 3; ++k) {
            EXPECT_GT(test::sphere_of(session, body).center[k], arena.min[k]) << body.name;
            EXPECT_LT(test::sphere_of(session, body).center[k], arena.max[k]) << body.name;
        }
}

TEST(Session, PresetsAreRevertedUnlessTheUserChangedThem) {
    Session session{command_table()};
    const std::string before = Settings(setting_catalog()).get_as_text(kDrawTreeMaxDepth);
    run(session, "scene boxes", 1);
    ASSERT_NE(session.state().settings.get_as_text(kDrawTreeMaxDepth), before) << "boxes presets it";
    EXPECT_EQ(session.state().settings_without_presets().get_as_text(kDrawTreeMaxDepth), before);
    run(session, "scene mesh", 1);
    EXPECT_EQ(session.state().settings.get_as_text(kDrawTreeMaxDepth), before);
    run(session, "scene boxes; set draw.tree_max_depth=2; scene mesh", 1);
    EXPECT_EQ(session.state().settings.get_as_text(kDrawTreeMaxDepth), "2");
    run(session, "scene welcome; scene boxes; restart", 1);
    EXPECT_EQ(session.state().settings_without_presets().get_as_text(kDrawTreeMaxDepth), "2");
}

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
void shrink(PlacedHull& hull) {
    // The farthest vertex: others can lie in a face of their neighbors, up to rounding.
    const glm::dvec3 middle = hull.hull.centroid();
    glm::dvec3& corner = *std::max_element(hull.corners.begin(), hull.corners.end(),
                                           [&](const glm::dvec3& a, const glm::dvec3& b) {
                                               return glm::distance(a, middle) < glm::distance(b, middle);
                                           });
    corner = glm::mix(corner, middle, 0.02);
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
                return reference::solid_of(
                    PlacedHull{bv::fit::hull(corners), {corners.begin(), corners.end()}, 0.0f});
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

/// What a refused command answers; empty if it was accepted.
std::string refusal_of(Session& session, std::string_view line) {
    const auto before = session.refused_commands();
    frame(session, line);
    return session.refused_commands() == before ? std::string() : session.messages().messages().back().text;
}

/// The scenes that a text names, as commands.
std::vector<std::string> scenes_named_in(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; (at = text.find("`scene ", at)) != std::string::npos; ++at)
        lines.push_back(text.substr(at + 1, text.find('`', at + 1) - at - 1));
    return lines;
}

TEST(Refusals, NameAllScenesInWhichTheCommandWorksAndNoOther) {
    for (const SceneSpec& scene : scene_specs())
        for (const SceneCommand& command : scene.commands) {
            Session session{command_table()};
            frame(session, "scene welcome");
            const std::string why = refusal_of(session, command.id);
            EXPECT_NE(why.find(command.id), std::string::npos) << why;
            const std::vector<std::string> named = scenes_named_in(why);
            for (const SceneSpec& other : scene_specs()) {
                const bool knows_it =
                    std::any_of(other.commands.begin(), other.commands.end(),
                                [&](const SceneCommand& its) { return its.id == command.id; });
                EXPECT_EQ(std::count(named.begin(), named.end(), fmt::format("scene {}", other.id)),
                          knows_it ? 1 : 0)
                    << why;
            }
            for (const std::string& line : named) {
                frames(session, line, 3);
                EXPECT_EQ(refusal_of(session, command.id), "") << line;
            }
        }
}

TEST(Refusals, AFileIsNamedOnce) {
    const test::TempDir folder;
    const std::string missing = (folder / "missing.obj").string(), odd = (folder / "odd.xyz").string();
    const std::string list = folder.write("list.txt", "1 2 3\n").string();
    for (const std::string& path : {missing, odd, list}) {
        Session session{command_table()};
        frame(session, "scene welcome");
        const std::string why = refusal_of(session, "open " + path);
        ASSERT_NE(why.find(path), std::string::npos) << why;
        EXPECT_EQ(why.find(path), why.rfind(path)) << why;
    }
}

TEST(Refusals, SteppingWithoutStepsNamesASceneWithSteps) {
    for (const char* line :
         {"step.next", "step.last", "step.goto 3", "step.change", "step.play", "scene.step"}) {
        Session session{command_table()};
        frame(session, "scene welcome");
        const std::string why = refusal_of(session, line);
        EXPECT_NE(why.find("There are no steps here"), std::string::npos) << line << ": " << why;
        const std::vector<std::string> named = scenes_named_in(why);
        ASSERT_EQ(named.size(), 1u) << why;
        frames(session, named[0], 3);
        EXPECT_EQ(refusal_of(session, line), "") << named[0];
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
