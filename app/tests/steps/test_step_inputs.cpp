// What goes into the algorithms that are stepped (handles on large inputs, vertices of a mesh, flat hulls),
// and sentences whose words depend on it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "bv/query/raycast.hpp"
#include "commands/catalog.hpp"
#include "session/session.hpp"
#include "session_test_tools.hpp"
#include "step_test_tools.hpp"
#include "steps/event_spec.hpp"
#include "steps/walk.hpp"

namespace lab {
namespace {

using steps::Walk;
using test::run;
using test::walk_of;

std::string sentence_of(const Walk& walk, std::size_t n) {
    return view_of(walk, {n, false}).sentence;
}

std::string value_of(const Walk& walk, std::size_t n, std::string_view name) {
    for (const auto& [key, value] : view_of(walk, {n, false}).values)
        if (key == name) return to_text(value);
    return "none";
}

std::string all_messages(const Session& session) {
    std::string all;
    for (const Message& message : session.messages().messages())
        all += message.text + '\n';
    return all;
}

/// Of more than forty the last forty have handles, so one that was just added can be dragged.
TEST(StepInputs, TheLastOfManyHaveHandles) {
    for (const auto& [scene, settings, add, handle] :
         {std::tuple{"fit-sphere", "set points.count=60", "points.add", "p60"},
          std::tuple{"hull", "set points.count=41", "points.add", "p41"},
          std::tuple{"sweep", "set boxes.count=45", "boxes.add", "b45"},
          std::tuple{"sah-split", "set split.count=40", "boxes.add", "b40"}}) {
        SCOPED_TRACE(scene);
        Session session(command_table());
        run(session, fmt::format("scene {}; {}", scene, settings), 2);
        run(session, add, 2);
        const std::vector<Handle>& handles = session.results().handles;
        const auto in_view = [](const Handle& h) { return h.given.in_view; };
        EXPECT_EQ(std::count_if(handles.begin(), handles.end(), in_view), 40);
        EXPECT_TRUE(
            std::any_of(handles.begin(), handles.end(), [&](const Handle& h) { return h.id == handle; }));
    }
}

TEST(StepInputs, AMeshGivesAsManyPointsAsAreWanted) {
    Session session(command_table());
    run(session, "scene hull; set points.preset=mesh; set points.mesh=teapot", 2);
    const auto points = [&session] { return walk_of(session).subject().points; };
    run(session, "set points.count=2000", 1);
    bv::Aabb whole;
    for (const glm::vec3& p : points())
        whole = bv::merge(whole, p);
    for (const int count : {1, 2, 3, 5, 8, 10, 24, 25, 40, 100, 500}) {
        SCOPED_TRACE(count);
        run(session, fmt::format("set points.count={}", count), 1);
        EXPECT_EQ(points().size(), static_cast<std::size_t>(count));
        bv::Aabb box;
        float nearest = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < points().size(); ++i) {
            box = bv::merge(box, points()[i]);
            for (std::size_t k = 0; k < i; ++k)
                nearest = std::min(nearest, glm::distance(points()[i], points()[k]));
        }
        EXPECT_GT(nearest, 0.5f * glm::length(whole.size()) / static_cast<float>(count));
        if (count >= 5) {
            EXPECT_GT(glm::length(box.size()), 0.7f * glm::length(whole.size()));
        }
    }
}

TEST(StepInputs, AFlatHullNamesEveryCorner) {
    Session session(command_table());
    run(session, "scene hull; set points.preset=plane", 2);
    const Walk& walk = walk_of(session);
    ASSERT_GE(walk.size(), 4u);
    EXPECT_NE(walk.verdict().find(fmt::format("{} corners", walk.size())), std::string::npos)
        << walk.verdict();
    std::set<std::string> named;
    for (std::size_t n = 1; n <= walk.size(); ++n) {
        EXPECT_NE(sentence_of(walk, n).find("corner of the polygon"), std::string::npos)
            << sentence_of(walk, n);
        named.insert(value_of(walk, n, "point"));
    }
    EXPECT_EQ(named.size(), walk.size());
}

TEST(StepInputs, TheHullOfALineHasNoSurface) {
    Session session(command_table());
    run(session, "scene fit-obb; set fit_obb.algorithm=pca_hull; set points.preset=line", 2);
    bool told = false;
    for (std::size_t n = 1; n <= walk_of(session).size(); ++n) {
        const std::string sentence = sentence_of(walk_of(session), n);
        EXPECT_EQ(sentence.find("surface"), std::string::npos) << sentence;
        told = told || sentence.find("standard deviations of the hull's corners") != std::string::npos;
    }
    EXPECT_TRUE(told);
}

/// The length along the direction is what a box or a slab takes.
TEST(StepInputs, ExtremesSayHowLongTheyAreAlongTheirDirection) {
    Session session(command_table());
    run(session, "scene fit-sphere; set fit_sphere.algorithm=aabb_center", 2);
    const Walk& walk = walk_of(session);
    bv::Aabb box;
    for (const glm::vec3& p : walk.subject().points)
        box = bv::merge(box, p);
    for (int axis = 0; axis < 3; ++axis) {
        const auto n = static_cast<std::size_t>(axis) + 1;
        const std::string extent = steps::in_meters(static_cast<double>(box.size()[axis]));
        EXPECT_NE(sentence_of(walk, n).find(extent + " along it"), std::string::npos) << sentence_of(walk, n);
        EXPECT_EQ(value_of(walk, n, "extent"), extent);
    }
}

/// Of points on one sphere many lie on the first ball, but four define it.
TEST(StepInputs, PointsOnASphereLieOnIt) {
    Session session(command_table());
    run(session, "scene fit-sphere; set fit_sphere.algorithm=epos26; set points.preset=sphere", 2);
    bool told = false;
    for (std::size_t n = 1; n <= walk_of(session).size(); ++n) {
        const std::string sentence = sentence_of(walk_of(session), n);
        told = told || sentence.find(" lie on it") != std::string::npos;
        EXPECT_EQ(sentence.find(" define it"), std::string::npos) << sentence;
    }
    EXPECT_TRUE(told);
}

/// Seen from the back it is negative, as the pseudo-code computes it.
TEST(StepInputs, TheDeterminantHasItsSign) {
    const bv::Triangle triangle{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    for (const float side : {1.0f, -1.0f}) {
        const bv::Ray ray{{0.5f, 0.5f, side}, {0, 0, -side}};
        const float determinant =
            glm::dot(triangle.b - triangle.a, glm::cross(ray.direction, triangle.c - triangle.a));
        bv::Recording trace;
        ASSERT_TRUE(bv::raycast(ray, triangle, trace).has_value());
        for (const bv::TraceEvent& event : trace.events()) {
            const steps::StepValues values = steps::values_of(event, {}, {});
            EXPECT_EQ(values.front().first, "determinant");
            EXPECT_EQ(to_text(values.front().second), to_text(cells::brief(determinant)));
        }
        EXPECT_EQ(determinant > 0, side > 0);
    }
}

/// The bounds of two balls are equal at once.
TEST(StepInputs, GjkSaysItsEndOnce) {
    for (const char* a : {"box", "hull", "capsule", "ball"})
        for (const char* preset : {"apart", "near", "touching", "overlapping", "parallel"}) {
            Session session(command_table());
            run(session, fmt::format("scene gjk; set gjk.a={}; set gjk.b=ball; set gjk.preset={}", a, preset),
                2);
            const Walk& walk = walk_of(session);
            for (std::size_t n = 2; n <= walk.size(); ++n)
                EXPECT_NE(sentence_of(walk, n), sentence_of(walk, n - 1)) << a << ' ' << preset;
        }
}

/// A plane at the result has passed every end.
TEST(StepInputs, NothingIsToComeAtTheResultOfASweep) {
    Session session(command_table());
    run(session, "scene sweep; set boxes.count=6; set boxes.preset=pile", 2);
    const auto to_come = [&session] {
        const std::vector<Row>& rows = test::table_of(session, "ends").rows;
        return std::count_if(rows.begin(), rows.end(),
                             [](const Row& row) { return to_text(row.cells.back()) == "to come"; });
    };
    EXPECT_EQ(to_come(), 0);
    run(session, "step.goto 1", 1);
    EXPECT_GT(to_come(), 5);
}

/// A box of the step is not also drawn as one of those around it.
TEST(StepInputs, NoBoxOfASearchIsNumberedTwice) {
    for (const char* scene : {"sweep", "grid"}) {
        Session session(command_table());
        run(session, fmt::format("scene {}", scene), 2);
        for (std::size_t n = 1; n <= walk_of(session).size(); n += 3) {
            run(session, fmt::format("step.goto {}", n), 1);
            std::multiset<std::string> labels;
            for (const Exhibit& e : session.results().exhibits)
                if (std::holds_alternative<bv::Obb>(e.shape) && !e.label.empty()) labels.insert(e.label);
            for (const std::string& label : labels)
                EXPECT_EQ(labels.count(label), 1u) << scene << " step " << n << ": " << label;
        }
    }
}

/// The tree that a builder made is there at the result, for the panels and to be saved.
TEST(StepInputs, ABuilderHasItsTreeAtTheResult) {
    for (const char* builder : {"binned", "sweep", "median", "morton", "spatial", "agglomerative"}) {
        SCOPED_TRACE(builder);
        Session session(command_table());
        run(session, fmt::format("scene sah-split; set split.algorithm={}", builder), 2);
        const auto tree = [&session]() -> const bv::TreeSnapshot* {
            for (const auto& [id, snapshot] : session.results().trees)
                if (id == "split") return &snapshot;
            return nullptr;
        };
        ASSERT_NE(tree(), nullptr);
        EXPECT_GT(tree()->size(), 40u);
        const auto nodes = [&session] {
            const auto& all = session.results().exhibits;
            return std::count_if(all.begin(), all.end(),
                                 [](const Exhibit& e) { return e.legend == "depth of the node"; });
        };
        EXPECT_GT(nodes(), 20);
        run(session, "step.goto 2", 1);
        EXPECT_EQ(tree(), nullptr);
        EXPECT_EQ(nodes(), 0);
    }
}

TEST(StepInputs, TimeThatAStepHoldsSaysSo) {
    Session session(command_table());
    run(session, "scene obb-sat; pause on; step.goto 3", 2);
    EXPECT_EQ(all_messages(session).find("held"), std::string::npos);
    run(session, "pause off", 2);
    EXPECT_NE(all_messages(session).find("Time stands still while a step is shown"), std::string::npos);
}

}  // namespace
}  // namespace lab
