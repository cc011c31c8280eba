// The stepper: every kind of event is told, every algorithm walks forward and back through the same states,
// the last state is the untraced answer, and a session keeps where it stands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "bv/fit/catalog.hpp"
#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "commands/catalog.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "steps/telling.hpp"
#include "steps/walk.hpp"
#include "workloads/clouds.hpp"

namespace lab {
namespace {

using steps::Board;
using steps::Subject;
using steps::Walk;
using test::run;

constexpr const char* kPresets[] = {"cloud", "clusters", "line", "plane", "sphere", "cube", "sorted", "mesh"};

/// The walk of the running scene.
const Walk& walk_of(const Session& session) {
    const Walk* walk = session.state().scene.running->stepped_walk();
    EXPECT_NE(walk, nullptr);
    return *walk;
}

std::vector<std::string> event_names() {
    std::ifstream file(BV_EVENTS_HEADER);
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::size_t variant = all.find("std::variant<", all.find("using TraceEvent ="));
    EXPECT_NE(variant, std::string::npos);
    const std::size_t begin = all.find('<', variant);
    const std::string list = all.substr(begin, all.find(">;", begin) - begin);
    const std::regex name("[A-Z][A-Za-z]+");
    return {std::sregex_token_iterator(list.begin(), list.end(), name), std::sregex_token_iterator()};
}

/// `SphereGrown` as `sphere_grown`.
std::string as_id(const std::string& name) {
    std::string id;
    for (const char c : name) {
        if (std::isupper(static_cast<unsigned char>(c)) && !id.empty()) id += '_';
        id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return id;
}

/// Scenes with steps, each with its choices of algorithm.
struct Stepped {
    std::string scene;
    std::vector<std::string> settings;  ///< `set` lines; one empty one where there is no choice.
};
std::vector<Stepped> stepped_scenes() {
    std::vector<Stepped> scenes;
    for (const SceneSpec& spec : scene_specs()) {
        Session session(command_table());
        run(session, "scene " + std::string(spec.id), 2);
        if (!session.state().scene.running->stepped_walk()) continue;
        Stepped row{std::string(spec.id), {}};
        for (const SettingSpec* setting : spec.settings)
            if (setting->id.ends_with(".algorithm"))
                for (const Choice& choice : setting->choices)
                    row.settings.push_back(set_line(*setting, choice.id));
        if (spec.id == "aabb-tree")  // removals and moves, too
            row.settings.emplace_back("set grow.period=1; set grow.count=5; set grow.then=churn");
        if (row.settings.empty()) row.settings.emplace_back();
        scenes.push_back(std::move(row));
    }
    return scenes;
}

bool same(const Board& a, const Board& b) {
    const auto same_box = [](const auto& x, const auto& y) {
        return x.has_value() == y.has_value() && (!x || (x->box == y->box && x->volume == y->volume));
    };
    const auto alive = [](const Board& board) {
        std::multiset<std::array<std::uint32_t, 3>> faces;
        for (const Board::HullFace& face : board.faces)
            if (face.alive) faces.insert(face.vertex);
        return faces;
    };
    return a.ball == b.ball && a.support == b.support && same_box(a.best_box, b.best_box) &&
           alive(a) == alive(b) && a.face_count == b.face_count && a.seen_faces == b.seen_faces &&
           a.hull_points == b.hull_points && a.axes.size() == b.axes.size() &&
           a.slabs.size() == b.slabs.size() && a.visited.size() == b.visited.size() &&
           a.pairs.size() == b.pairs.size() && a.siblings.size() == b.siblings.size() &&
           a.splits.size() == b.splits.size() && a.tree == b.tree && a.refitted == b.refitted &&
           a.found == b.found && a.tests.size() == b.tests.size() && a.cells.size() == b.cells.size() &&
           a.planes.size() == b.planes.size() && a.cuts.size() == b.cuts.size() &&
           a.loops.size() == b.loops.size() && a.voxels.size() == b.voxels.size();
}

/// The last state against the answer of the fast algorithm.
void expect_answer(const Board& board, const bv::fit::FitEntry& entry, const bv::MeshView& mesh,
                   const Subject& subject) {
    const bv::fit::Volume answer = entry.fit(mesh);
    if (const auto* ball = std::get_if<bv::Sphere>(&answer)) {
        ASSERT_EQ(board.ball.has_value(), !ball->is_empty()) << entry.id;
        if (board.ball) {
            EXPECT_EQ(*board.ball, *ball) << entry.id;
        }
    } else if (const auto* box = std::get_if<bv::Obb>(&answer)) {
        ASSERT_EQ(board.best_box.has_value(), !box->is_empty()) << entry.id;
        if (board.best_box) {
            EXPECT_EQ(board.best_box->box, *box) << entry.id;
        }
    } else if (const auto* hull = std::get_if<bv::Hull>(&answer)) {
        if (hull->dimension < 3) return;
        // Faces with coplanar corners left out are the same solid: every corner is one of the answer's or
        // lies inside it.
        const auto inside = [&](const glm::vec3& p) {
            for (const glm::uvec3& t : hull->triangles) {
                const glm::dvec3 a(hull->vertices[t.x]), b(hull->vertices[t.y]), c(hull->vertices[t.z]);
                const glm::dvec3 n = glm::normalize(glm::cross(b - a, c - a));
                if (glm::dot(n, glm::dvec3(p) - a) > 1e-6) return false;
            }
            return true;
        };
        double volume = 0;
        for (const Board::HullFace& face : board.faces) {
            if (!face.alive) continue;
            const glm::dvec3 o(hull->vertices[0]);
            const glm::dvec3 a(subject.point(face.vertex[0])), b(subject.point(face.vertex[1]));
            const glm::dvec3 c(subject.point(face.vertex[2]));
            volume += glm::dot(a - o, glm::cross(b - o, c - o)) / 6.0;
            for (const std::uint32_t v : face.vertex)
                EXPECT_TRUE(inside(subject.point(v)));
        }
        EXPECT_NEAR(volume, bv::fit::volume_of(answer), 1e-5 * std::max(volume, 1e-6));
    } else {
        // Slabs: as many as the k-DOP has, with the same bounds.
        std::visit(
            [&](const auto& dop) {
                using Dop = std::decay_t<decltype(dop)>;
                if constexpr (requires { Dop::kDirections; }) {
                    ASSERT_EQ(board.slabs_fitted.size(), dop.is_empty() ? 0u : dop.min.size());
                    for (std::size_t k = 0; k < board.slabs_fitted.size(); ++k) {
                        EXPECT_EQ(board.slabs_fitted[k].min, dop.min[k]);
                        EXPECT_EQ(board.slabs_fitted[k].max, dop.max[k]);
                    }
                } else {
                    ADD_FAILURE() << "no check of " << entry.id;
                }
            },
            answer);
    }
}

TEST(Steps, EveryKindOfEventIsTold) {
    const std::vector<std::string> names = event_names();
    const std::vector<std::string_view> ids = steps::all_kinds();
    ASSERT_EQ(names.size(), ids.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(as_id(names[i]), ids[i]);
    std::set<std::size_t> with_a_line;
    for (const steps::Algorithm& row : steps::algorithms()) {
        EXPECT_GE(row.code.size(), 7u) << row.id;
        EXPECT_LE(row.code.size(), 20u) << row.id;
        for (const steps::CodeLine& line : row.code) {
            if (line.kind != steps::kNoEvent) with_a_line.insert(line.kind);
            EXPECT_LE(line.text.size(), 44u) << line.text;
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_TRUE(with_a_line.contains(i)) << names[i] << " has no line of pseudo-code";
}

TEST(Steps, EveryTracedFitHasAnAlgorithm) {
    for (const bv::fit::FitEntry& entry : bv::fit::fit_catalog()) {
        if (!entry.fit_traced) continue;
        EXPECT_EQ(steps::algorithm(entry.id).id, entry.id);
    }
}

TEST(Steps, WalkingBackGivesTheSameStates) {
    for (const Stepped& row : stepped_scenes())
        for (const std::string& setting : row.settings) {
            Session session(command_table());
            run(session, "scene " + row.scene + "; " + setting, 2);
            const Walk& walk = walk_of(session);
            Board board = walk.board(0);
            for (std::size_t n = 0; n < std::min<std::size_t>(walk.size(), 300); ++n) {
                EXPECT_TRUE(same(board, walk.board(n))) << row.scene << ' ' << setting << ' ' << n;
                EXPECT_EQ(board.apply(walk.event(n)), walk.changes_answer(n));
            }
        }
}

TEST(Steps, EveryStepHasASentenceALineAndAPicture) {
    std::set<std::size_t> shown;
    for (const Stepped& row : stepped_scenes())
        for (const std::string& setting : row.settings) {
            Session session(command_table());
            run(session, "scene " + row.scene + "; " + setting, 12);
            run(session, "pause");
            const std::size_t size = walk_of(session).size();
            EXPECT_GT(size, 0u) << row.scene << ' ' << setting;
            std::set<std::size_t> numbers = {size}, kinds;
            for (std::size_t n = 1; n <= size; ++n)
                if (n % (1 + size / 40) == 0 || kinds.insert(walk_of(session).event(n - 1).index()).second)
                    numbers.insert(n);
            for (const std::size_t n : numbers) {
                run(session, "step.goto " + std::to_string(n));
                const std::optional<WalkView>& view = session.results().walk;
                ASSERT_TRUE(view.has_value());
                EXPECT_EQ(view->number, n);
                EXPECT_EQ(view->of, size);
                EXPECT_LT(view->code_line, view->code.size()) << row.scene << ' ' << view->sentence;
                EXPECT_GT(view->sentence.size(), 10u);
                EXPECT_EQ(view->sentence.find(" nan"), std::string::npos) << view->sentence;
                EXPECT_FALSE(view->values.empty());
                EXPECT_FALSE(session.results().exhibits.empty());
                shown.insert(walk_of(session).event(n - 1).index());
            }
        }
    const std::vector<std::string> names = event_names();
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_TRUE(shown.contains(i)) << names[i] << " is shown in no scene";
}

TEST(Steps, TheLastStateIsTheAnswer) {
    for (const char* scene : {"fit-sphere", "fit-obb", "fit-kdop", "hull"})
        for (const Stepped& row : stepped_scenes()) {
            if (row.scene != scene) continue;
            for (const std::string& setting : row.settings)
                for (const char* preset : kPresets) {
                    Session session(command_table());
                    run(session,
                        fmt::format("scene {}; {}; set points.preset={}; set points.count=60", scene, setting,
                                    preset),
                        2);
                    const Walk& walk = walk_of(session);
                    const bv::fit::FitEntry* entry = bv::fit::find_fit(walk.algorithm().id);
                    ASSERT_NE(entry, nullptr);
                    SCOPED_TRACE(fmt::format("{} {}", entry->id, preset));
                    expect_answer(walk.board(walk.size()), *entry, {walk.subject().points, {}},
                                  walk.subject());
                }
        }
}

TEST(Steps, TheLastStateIsTheAnswerOfRandomClouds) {
    for (const bv::workloads::CloudKind& kind : bv::workloads::cloud_kinds())
        for (const bv::fit::FitEntry& entry : bv::fit::fit_catalog()) {
            if (!entry.fit_traced) continue;
            SCOPED_TRACE(fmt::format("{} {}", entry.id, kind.id));
            const auto points = bv::workloads::make_cloud(kind.id, 150, 5);
            bv::Recording trace(1'000'000);
            (void)entry.fit_traced({points, {}}, trace);
            Subject subject;
            subject.points = points;
            const Walk walk(steps::algorithm(entry.id), subject, trace, {});
            expect_answer(walk.board(walk.size()), entry, {points, {}}, subject);
        }
}

/// A tree without the numbers that a mere list of boxes does not know.
void expect_same_tree(const bv::TreeSnapshot& told, const bv::TreeSnapshot& tree) {
    EXPECT_EQ(told.boxes, tree.boxes);
    EXPECT_EQ(told.parents, tree.parents);
    EXPECT_EQ(told.source_nodes, tree.source_nodes);
    EXPECT_EQ(told.payloads, tree.payloads);
}

TEST(Steps, TheLastTreeIsTheTree) {
    for (const char* balance : {"none", "height", "sah"})
        for (const char* insertion : {"manhattan", "greedy", "branch_and_bound"})
            for (const char* scene :
                 {"scene aabb-tree; set grow.period=1; set grow.count=25; set grow.then=churn",
                  "scene tree-balance", "scene insertion"}) {
                SCOPED_TRACE(fmt::format("{} {} {}", scene, balance, insertion));
                Session session(command_table());
                run(session,
                    fmt::format("set tree.balance={}; set tree.insertion={}; {}", balance, insertion, scene),
                    90);
                run(session, "pause", 2);
                const Walk& walk = walk_of(session);
                const auto shown = [&session, name = walk.subject().tree_name] {
                    for (const auto& [id, tree] : session.results().trees)
                        if (id == name) return tree;
                    ADD_FAILURE() << "no tree " << name;
                    return bv::TreeSnapshot{};
                };
                const bv::TreeSnapshot tree = shown();
                expect_same_tree(walk.board(walk.size()).tree.snapshot(), tree);
                run(session, "step.last");
                expect_same_tree(shown(), tree);
            }
}

/// Pairs of boxes that overlap, by comparing all.
std::set<steps::BoxPair> pairs_of(const Subject& subject) {
    std::set<steps::BoxPair> pairs;
    for (std::uint32_t a = 0; a < subject.nodes.size(); ++a)
        for (std::uint32_t b = a + 1; b < subject.nodes.size(); ++b) {
            const bv::Obb &x = subject.nodes[a], &y = subject.nodes[b];
            bool apart = false;
            for (int k = 0; k < 3; ++k)
                apart = apart || x.center[k] + x.half_extents[k] < y.center[k] - y.half_extents[k] ||
                        y.center[k] + y.half_extents[k] < x.center[k] - x.half_extents[k];
            if (!apart) pairs.emplace(a, b);
        }
    return pairs;
}

TEST(Steps, TheLastStateOfASearchIsAllPairs) {
    for (const Stepped& row : stepped_scenes()) {
        if (row.scene != "sweep" && row.scene != "grid") continue;
        for (const std::string& setting : row.settings)
            for (const char* preset : {"scattered", "row", "pile", "sizes"})
                for (const int count : {1, 2, 10, 40})
                    for (const int seed : {1, 2, 3}) {
                        SCOPED_TRACE(fmt::format("{} {} {} {}", setting, preset, count, seed));
                        Session session(command_table());
                        run(session,
                            fmt::format(
                                "set world.seed={}; scene {}; {}; set boxes.preset={}; set boxes.count={}",
                                seed, row.scene, setting, preset, count),
                            2);
                        const Walk& walk = walk_of(session);
                        ASSERT_EQ(walk.dropped(), 0u);
                        EXPECT_EQ(walk.board(walk.size()).found, pairs_of(walk.subject()));
                    }
    }
}

TEST(Steps, BoxesAreDraggedAddedAndRemoved) {
    Session session(command_table());
    run(session, "scene sweep; set boxes.count=3", 2);
    run(session, "boxes.add; scene.drag b3 9 1 0", 2);
    EXPECT_EQ(walk_of(session).subject().nodes.size(), 4u);
    EXPECT_NEAR(walk_of(session).subject().nodes[3].center.x, 9.0f, 1e-5f);
    run(session, "boxes.remove", 2);
    EXPECT_EQ(walk_of(session).subject().nodes.size(), 3u);
}

/// The numbers and the picture of the step on show.
std::string shown_step(const Session& session) {
    const std::optional<WalkView>& view = session.results().walk;
    if (!view) return "none";
    return fmt::format("{}/{} {} {}", view->number, view->of, view->sentence,
                       session.results().exhibits.size());
}

TEST(Steps, GoingBackInTimeAndOnAgainIsTheSameWithSteps) {
    for (const char* scene :
         {"ray-aabb", "aabb-sweep", "frustum", "aabb-tree", "rectangles", "ray-triangle"}) {
        SCOPED_TRACE(scene);
        Session session(command_table());
        run(session, fmt::format("scene {}", scene), 30);
        run(session, "step.goto 2", 20);  // time stands still
        EXPECT_EQ(session.results().steps, 30u);
        const std::string stepped = shown_step(session);
        run(session, "step.goto 0", 30);
        run(session, "pause", 1);
        const std::uint64_t end = session.results().steps;
        const std::string at_end = shown_step(session);
        // In the past a step belongs to the viewer alone: the future stays as it was recorded.
        run(session, "time.goto 30", 3);
        run(session, "step.goto 2", 3);
        EXPECT_EQ(shown_step(session), stepped);
        run(session, fmt::format("step.goto 0; time.goto {}", end), 3);
        EXPECT_EQ(session.results().steps, end);
        EXPECT_EQ(shown_step(session), at_end);
        EXPECT_EQ(test::errors_of(session), "");
    }
}

TEST(Steps, TheStepIsPartOfTheSession) {
    Session session(command_table());
    run(session, "scene fit-sphere; pause; step.first; step.next 3");
    EXPECT_EQ(session.results().walk->number, 4u);
    run(session, "step.back");
    EXPECT_EQ(session.results().walk->number, 3u);
    run(session, "step.goto 0; step.back");
    EXPECT_EQ(session.results().walk->number, session.results().walk->of);
    run(session, "step.next 100");
    EXPECT_EQ(session.results().walk->number, session.results().walk->of);
    run(session, "step.goto 1; step.change");
    EXPECT_TRUE(session.results().walk->changed_answer);
    const std::size_t changed = session.results().walk->number;
    run(session, "step.next; step.change back");
    EXPECT_EQ(session.results().walk->number, changed);
    run(session, "scene hull");
    EXPECT_EQ(session.results().walk->number, 0u);
}

TEST(Steps, PlayingGoesOnWithTime) {
    Session session(command_table());
    run(session, "scene fit-sphere; set step.speed=6; step.goto 1; step.play");
    EXPECT_TRUE(session.results().walk->playing);
    run(session, "", 30);
    EXPECT_EQ(session.results().walk->number, 4u);
    run(session, "step.play off");
    EXPECT_FALSE(session.results().walk->playing);
    const std::size_t stopped = session.results().walk->number;
    run(session, "", 30);
    EXPECT_EQ(session.results().walk->number, stopped);
    run(session, "step.play; ", 300);
    EXPECT_EQ(session.results().walk->number, session.results().walk->of);
    EXPECT_FALSE(session.results().walk->playing);
}

TEST(Steps, ASceneWithoutStepsSaysSo) {
    Session session(command_table());
    test::frame(session, "scene stress; step.goto 3");
    EXPECT_NE(test::errors_of(session).find("no algorithm step by step"), std::string::npos);
}

TEST(Steps, PointsAreDraggedAddedAndRemoved) {
    Session session(command_table());
    run(session, "scene fit-sphere; set fit_sphere.algorithm=exact; set points.count=4", 2);
    const std::size_t before = walk_of(session).subject().points.size();
    run(session, "points.add; scene.drag p4 9 1 0", 2);
    EXPECT_EQ(walk_of(session).subject().points.size(), before + 1);
    EXPECT_EQ(walk_of(session).subject().points[4], glm::vec3(9, 1, 0));
    EXPECT_GT(walk_of(session).board(walk_of(session).size()).ball->radius, 3.5f);
    run(session, "points.remove", 2);
    EXPECT_EQ(walk_of(session).subject().points.size(), before);
    test::frame(session, "scene.drag p77 0 0 0");
    EXPECT_NE(test::errors_of(session).find("no handle"), std::string::npos);
}

TEST(Steps, ARecordingThatOverflowedSaysSo) {
    bv::Recording trace(3);
    const std::vector<glm::vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    (void)bv::fit::hull(points, trace);
    ASSERT_TRUE(trace.overflowed());
    Subject subject;
    subject.points = points;
    const Walk walk(steps::algorithm("hull.quickhull"), subject, trace, "x");
    FrameResults results;
    results.walk = steps::view_of(walk, {2, false});
    steps::show(walk, {2, false}, results);
    EXPECT_EQ(results.walk->of, 3u);
    EXPECT_EQ(results.walk->dropped, trace.dropped());
    const Table& table = results.tables.back();
    EXPECT_NE(to_text(table.rows.back().cells[1]).find("no room"), std::string::npos);
}

}  // namespace
}  // namespace lab
