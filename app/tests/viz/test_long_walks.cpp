// Pictures of long walks: what cannot be told apart is drawn once or as dots, so that each step costs little
// on any renderer, and what a step is about is always there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "commands/catalog.hpp"
#include "results/put.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "viz/build.hpp"

namespace lab {
namespace {

constexpr const char* kLong[] = {
    "scene sah-split; set split.count=3000",
    "scene sah-split; set split.algorithm=sweep; set split.count=800",
    "scene sah-split; set split.algorithm=morton; set split.count=5000",
    "scene sah-split; set split.algorithm=agglomerative; set split.count=5000",
    "scene sah-split; set split.algorithm=spatial; set split.count=2000",
    "scene sweep; set boxes.count=300",
    "scene sweep; set sweep.algorithm=incremental-sweep; set boxes.count=300",
    "scene grid; set boxes.count=300",
    "scene voxel-pairs; set voxel_pairs.size=0.08",
    "scene mesh-pairs; scene.drag b -0.6 1.4 0",
    "scene hull; set points.preset=sphere; set points.count=2000",
};

/// Lines, each edge of a box counted.
std::size_t lines_of(const render::DrawList& list) {
    return list.lines.size() + list.overlay_lines.size() +
           12 * (list.wire_aabbs.size() + list.wire_boxes.size());
}

TEST(LongWalks, EachStepIsDrawnWithFewLines) {
    for (const char* script : kLong) {
        Session session(command_table());
        const auto run = [&](const std::string& line) {
            session.commands().push_script(line, "test");
            for (int i = 0; i < 2; ++i) {
                session.drain();
                (void)session.step(Session::kFixedStep_s);
            }
        };
        run(script);
        ASSERT_TRUE(session.results().walk) << script;
        const std::size_t size = session.results().walk->of;
        EXPECT_GT(size, 500u) << script;
        for (const std::size_t number : {std::size_t{1}, size / 3, size / 2, size - 1, size}) {
            run(fmt::format("step.goto {}", number));
            render::DrawList list;
            const std::vector<viz::LegendRow> legend =
                viz::build(session.results(), session.state().settings, session.state().view.shown_camera(),
                           {}, {}, list);
            const std::string where = fmt::format("{}, step {}", script, number);
            EXPECT_LT(lines_of(list), 8000u) << where;
            EXPECT_LT(list.points.size(), 4000u) << where;
            EXPECT_LT(list.solid_boxes.size(), 800u) << where;
            EXPECT_FALSE(legend.empty()) << where;
            // What the step is about, in its own color, or in those of a chosen plane and of halves.
            const auto is_now = [](const Exhibit& e) { return e.role == Role::Hit || e.width_px >= 2.0f; };
            EXPECT_TRUE(
                std::any_of(session.results().exhibits.begin(), session.results().exhibits.end(), is_now))
                << where;
        }
    }
}

/// Dots that would lie on each other are drawn once; in a picture with space for all of them none is missing.
TEST(LongWalks, DotsAreDrawnWhereTheyShow) {
    const auto drawn = [](float spacing) {
        FrameResults results;
        std::vector<glm::vec3> points;
        for (int i = 0; i < 400; ++i)
            points.emplace_back(spacing * static_cast<float>(i % 20 - 10),
                                spacing * static_cast<float>(i / 20 - 10), 0.0f);
        put_dots(results, std::move(points), Role::Mesh, "point");
        Camera camera;
        camera.yaw_rad = camera.pitch_rad = 0.0f;
        render::DrawList list;
        Settings settings(setting_catalog());
        (void)viz::build(results, settings, camera, {}, {}, list);
        return list.points.size();
    };
    EXPECT_EQ(drawn(0.2f), 400u);
    EXPECT_LT(drawn(0.005f), 100u);
    EXPECT_GE(drawn(0.005f), 4u);
    EXPECT_EQ(drawn(0.0f), 1u);
}

/// A cloud is thinned where it is dense: a small one not at all, and a large one keeps some points in each
/// part.
TEST(LongWalks, CloudsAreThinnedEvenly) {
    for (const std::size_t count : {kMaxDots, 20 * kMaxDots}) {
        FrameResults results;
        std::vector<glm::vec3> points;
        for (std::size_t i = 0; i + 1 < count; ++i)
            points.emplace_back(static_cast<float>(i % 40), static_cast<float>(i / 40 % 40),
                                static_cast<float>(i / 1600));
        points.emplace_back(100.0f, 0.0f, 0.0f);  // far from the others, which then share few cubes
        put_dots(results, points, Role::Mesh, "point");
        const std::vector<glm::vec3>& dots = std::get<Polytope>(results.exhibits[0].shape).vertices;
        EXPECT_LE(dots.size(), kMaxDots);
        EXPECT_GE(dots.size(), kMaxDots / 5);  // a pass leaves a quarter of a solid cloud
        if (count == kMaxDots) {
            EXPECT_EQ(dots, points);
        }
        EXPECT_EQ(dots.back(), points.back());
    }
}

TEST(LongWalks, ManyBoxesOfOneKindAreDots) {
    for (const std::size_t count : {kMaxOutlines, kMaxOutlines + 1}) {
        FrameResults results;
        const std::vector<bv::Aabb> boxes(count, bv::Aabb{glm::vec3(1.0f), glm::vec3(3.0f)});
        put_boxes(results, boxes, Role::TreeLeaf, 1.0f, "box");
        if (count <= kMaxOutlines) {
            ASSERT_EQ(results.exhibits.size(), count);
            EXPECT_EQ(std::get<bv::Aabb>(results.exhibits[0].shape), boxes[0]);
        } else {
            ASSERT_EQ(results.exhibits.size(), 1u);
            const Polytope& dots = std::get<Polytope>(results.exhibits[0].shape);
            EXPECT_TRUE(is_dots(dots));
            ASSERT_EQ(dots.vertices.size(), count);
            EXPECT_EQ(dots.vertices.front(), glm::vec3(2.0f));
            EXPECT_EQ(bounds_of(results.exhibits[0]), (bv::Aabb{glm::vec3(2.0f), glm::vec3(2.0f)}));
        }
    }
}

}  // namespace
}  // namespace lab
