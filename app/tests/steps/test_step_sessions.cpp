// Steps in a session: commands move between them, time and input go on, and what is wrong is said.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

TEST(StepSessions, BoxesAreDraggedAddedAndRemoved) {
    Session session(command_table());
    run(session, "scene sweep; set boxes.count=3", 2);
    run(session, "boxes.add; scene.drag b3 9 1 0", 2);
    EXPECT_EQ(walk_of(session).subject().nodes.size(), 4u);
    EXPECT_NEAR(walk_of(session).subject().nodes[3].center.x, 9.0f, 1e-5f);
    run(session, "boxes.remove", 2);
    EXPECT_EQ(walk_of(session).subject().nodes.size(), 3u);
}

TEST(StepSessions, InputThatIsEmptyOrFullSaysSo) {
    for (const char* kind : {"boxes", "points"}) {
        Session session(command_table());
        run(session,
            kind[0] == 'b' ? "scene sweep; set boxes.count=1" : "scene fit-sphere; set points.count=1", 2);
        for (int i = 0; i < 30; ++i)
            test::frame(session, fmt::format("{}.remove", kind));
        EXPECT_NE(session.messages().messages().back().text.find("to remove: add one first"),
                  std::string::npos)
            << session.messages().messages().back().text;
    }
}

/// The numbers and the picture of the step on show.
std::string shown_step(const Session& session) {
    const std::optional<WalkView>& view = session.results().walk;
    if (!view) return "none";
    return fmt::format("{}/{} {} {}", view->number, view->of, view->sentence,
                       session.results().exhibits.size());
}

TEST(StepSessions, GoingBackInTimeAndOnAgainIsTheSameWithSteps) {
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

TEST(StepSessions, TheStepIsPartOfTheSession) {
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

TEST(StepSessions, AStepIsCountedInTheAlgorithmChosenOnTheSameLine) {
    Session session(command_table());
    run(session, "scene fit-sphere; set fit_sphere.algorithm=centroid", 2);
    EXPECT_EQ(session.results().walk->of, 2u);
    run(session, "set fit_sphere.algorithm=epos98; step.goto 20");
    EXPECT_EQ(session.results().walk->number, 20u);
    run(session, "set fit_sphere.algorithm=ritter; step.last");
    EXPECT_EQ(session.results().walk->number, session.results().walk->of);
    EXPECT_LT(session.results().walk->of, 20u);
    run(session,
        "set fit_sphere.algorithm=centroid; step.goto 0; set fit_sphere.algorithm=epos98; step.back");
    EXPECT_EQ(session.results().walk->number, session.results().walk->of);
    EXPECT_GT(session.results().walk->of, 20u);
}

/// The sentence of every step, or of those with this text.
std::vector<std::string> sentences(const Session& session, std::string_view with = "") {
    const Walk& walk = walk_of(session);
    std::vector<std::string> all;
    for (std::size_t n = 1; n <= walk.size(); ++n) {
        std::string sentence = view_of(walk, {n, false}).sentence;
        if (sentence.find(with) != std::string::npos) all.push_back(std::move(sentence));
    }
    return all;
}

TEST(StepSessions, ASearchByCentersIsNotToldAsOneByCost) {
    Session session(command_table());
    for (const char* line : {"scene insertion; set tree.insertion=manhattan",
                             "scene tree-balance; set tree.insertion=manhattan"}) {
        run(session, line, 2);
        EXPECT_FALSE(sentences(session, "has the nearer center").empty()) << line;
        EXPECT_TRUE(sentences(session, "lowest so far").empty()) << line;
        EXPECT_TRUE(sentences(session, "not below the best").empty()) << line;
    }
    run(session, "set tree.insertion=greedy", 2);
    EXPECT_TRUE(sentences(session, "nearer center").empty());
}

TEST(StepSessions, CornersInThePlaneAreCounted) {
    Session session(command_table());
    run(session, "scene mesh-pairs; set pairs.algorithm=triangles; set pairs.preset=coplanar", 2);
    EXPECT_FALSE(sentences(session, "all three lie in it").empty());
    run(session, "set pairs.preset=neighbors", 2);
    EXPECT_FALSE(sentences(session, "two lie in it").empty());
    run(session, "set pairs.preset=touching", 2);
    EXPECT_FALSE(sentences(session, "one lies in it").empty());
}

/// Every corner of what is drawn is in the picture. Returns the width of the drawing, in pixels of 1280.
float check_in_picture(const Session& session, const std::string& where) {
    const glm::vec2 size(1280.0f, 720.0f);
    float low = size.x, high = 0.0f;
    for (const Exhibit& exhibit : session.results().exhibits) {
        const bv::Aabb box = bounds_of(exhibit);
        for (int corner = 0; corner < 8 && !box.is_empty(); ++corner) {
            const auto at = session.state().view.camera.project(box.corner(corner), size);
            EXPECT_TRUE(at && at->x > 0 && at->x < size.x && at->y > 0 && at->y < size.y) << where;
            if (!at) return 0.0f;
            low = std::min(low, at->x);
            high = std::max(high, at->x);
        }
    }
    return high - low;
}

TEST(StepSessions, APlacementOfGjkIsInThePicture) {
    Session session(command_table());
    run(session, "scene gjk", 2);
    for (const char* preset : {"apart", "touching", "overlapping", "deep", "parallel", "inside", "near"}) {
        run(session, std::string("set gjk.preset=") + preset, 2);
        check_in_picture(session, preset);
    }
    EXPECT_EQ(test::errors_of(session), "");
}

TEST(StepSessions, EachInputOfABuilderFillsThePicture) {
    Session session(command_table());
    run(session, "scene sah-split", 2);
    for (const char* builder : {"binned", "spatial", "median"})
        for (const char* preset :
             {"clusters", "two-clusters", "spread", "line", "sorted", "giant", "equal"}) {
            run(session, fmt::format("set split.algorithm={}; set split.preset={}", builder, preset), 2);
            const std::string where = std::string(builder) + ' ' + preset;
            EXPECT_GT(check_in_picture(session, where), 250.0f) << where;
        }
    EXPECT_EQ(test::errors_of(session), "");
}

TEST(StepSessions, PlayingGoesOnWithTime) {
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

// The ray and its walk are results, which the line of a scene's start comes before.
TEST(StepSessions, ARayStepsInTheFirstFrame) {
    for (const char* line : {"step.change", "step.goto 4", "step.last; step.back"}) {
        Session session(command_table());
        run(session, std::string("scene ray-picking; ") + line, 2);
        EXPECT_EQ(test::errors_of(session), "") << line;
        ASSERT_TRUE(session.results().walk) << line;
        EXPECT_GT(session.results().walk->number, 0u) << line;
    }
}

TEST(StepSessions, LevelsWithoutAResultThatChangesSaySo) {
    Session session(command_table());
    test::frame(session, "scene obb-tree; step.change");
    const std::string why = test::errors_of(session);
    EXPECT_NE(why.find("obb-tree"), std::string::npos) << why;
    EXPECT_NE(why.find("step.next"), std::string::npos) << why;
}

TEST(StepSessions, ASceneWithoutStepsSaysSo) {
    Session session(command_table());
    test::frame(session, "scene stress; step.goto 3");
    EXPECT_NE(test::errors_of(session).find("There are no steps here"), std::string::npos);
}

TEST(StepSessions, PointsAreDraggedAddedAndRemoved) {
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

}  // namespace
}  // namespace lab
