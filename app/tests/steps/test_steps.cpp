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
    const std::size_t begin = all.find("using TraceEvent = std::variant<");
    EXPECT_NE(begin, std::string::npos);
    const std::string list = all.substr(begin + 32, all.find(">;", begin) - begin - 32);
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
           a.splits.size() == b.splits.size() && a.rotations.size() == b.rotations.size();
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
            Board board;
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
            run(session, "scene " + row.scene + "; " + setting + "; pause", 2);
            const std::size_t size = walk_of(session).size();
            EXPECT_GT(size, 0u) << row.scene << ' ' << setting;
            for (std::size_t n = 1; n <= size; n += 1 + size / 40) {
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
    steps::show(walk, {2, false}, results);
    EXPECT_EQ(results.walk->of, 3u);
    EXPECT_EQ(results.walk->dropped, trace.dropped());
    const Table& table = results.tables.back();
    EXPECT_NE(to_text(table.rows.back().cells[1]).find("no room"), std::string::npos);
}

}  // namespace
}  // namespace lab
