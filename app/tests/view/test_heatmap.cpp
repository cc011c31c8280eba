// The heatmap: every cell has the cost of its ray, from coarse to fine, for any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "commands/catalog.hpp"
#include "platform/threads/thread_pool.hpp"
#include "session/session.hpp"
#include "view/heatmap.hpp"
#include "view/picking.hpp"
#include "viz/colors/heat.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

constexpr glm::vec2 kView(203.0f, 117.0f);  // no multiple of any cell

struct Stage {
    Session session{command_table()};
    HeatCaster caster;
    HeatOptions options;

    Stage() {
        session.commands().push_script("scene welcome; pause on; step 5", "test");
        session.drain();
        session.step(Session::kFixedStep_s);
        options.rays_per_frame = 4000;
    }
    std::shared_ptr<const Heatmap> frame() {
        return caster.advance(session.state().world, session.state().view.camera, kView, options);
    }
    std::shared_ptr<const Heatmap> finished() {
        std::shared_ptr<const Heatmap> map = frame();
        for (int i = 0; i < 100 && !map->complete; ++i)
            map = frame();
        return map;
    }
};

TEST(Heatmap, EveryCellIsTheCostOfItsRay) {
    for (const HeatCounter counter : {HeatCounter::Nodes, HeatCounter::Triangles}) {
        Stage stage;
        stage.options.counter = counter;
        stage.options.finest_px = 3;
        const auto map = stage.finished();
        ASSERT_TRUE(map->complete);
        ASSERT_EQ(map->cells, glm::ivec2(68, 39));
        for (int y = 0; y < map->cells.y; ++y)
            for (int x = 0; x < map->cells.x; ++x) {
                const glm::vec2 pixel = glm::min((glm::vec2(x, y) + 0.5f) * 3.0f, kView);
                const RayCost cost = ray_cost(stage.session.state().world,
                                              stage.session.state().view.camera.ray_through(pixel, kView));
                const auto at = static_cast<std::size_t>(y * map->cells.x + x);
                ASSERT_EQ(map->counts[at], counter == HeatCounter::Nodes ? cost.nodes : cost.triangles)
                    << x << ", " << y;
            }
        EXPECT_EQ(map->max_count, *std::max_element(map->counts.begin(), map->counts.end()));
        EXPECT_GT(map->max_count, 1u);
        EXPECT_EQ(std::accumulate(map->histogram.begin(), map->histogram.end(), std::size_t{0}),
                  map->counts.size());
    }
}

TEST(Heatmap, ACostEqualsTheCountersOfTheSamePick) {
    Stage stage;
    for (int i = 0; i < 200; ++i) {
        const glm::vec2 pixel(static_cast<float>(i), 0.5f * kView.y);
        const bv::Ray ray = stage.session.state().view.camera.ray_through(pixel, kView);
        const RayQuery query = cast_ray(stage.session.state().world, RayQuery::Kind::Pick, ray);
        const RayCost cost = ray_cost(stage.session.state().world, ray);
        EXPECT_EQ(cost.triangles, query.counters.tested);
        EXPECT_GE(cost.nodes, query.counters.visited);
    }
}

TEST(Heatmap, RefinesAFewRaysPerFrameAndThenStops) {
    Stage stage;
    stage.options.rays_per_frame = 500;
    auto map = stage.frame();
    EXPECT_FALSE(map->complete);
    EXPECT_GE(map->cell_px, 4);
    int frames = 1;
    for (; !map->complete && frames < 1000; ++frames)
        map = stage.frame();
    EXPECT_EQ(map->cell_px, 2);
    // Cells of 16, 8, 4 and 2 pixels: 13 x 8 + 26 x 15 + 51 x 30 + 102 x 59 rays.
    EXPECT_EQ(frames, (104 + 390 + 1530 + 6018 + 499) / 500);
    EXPECT_EQ(stage.frame(), map) << "nothing changed: the same object, which is not sent to the GPU again";
}

TEST(Heatmap, IsIndependentOfThreadsAndOfRaysPerFrame) {
    Stage one, many;
    many.options.rays_per_frame = 1'000'000;
    platform::all_cores().set_threads(1);
    const auto a = one.finished();
    platform::all_cores().set_threads(4);
    const auto b = many.finished();
    platform::all_cores().set_threads(0);
    EXPECT_EQ(a->counts, b->counts);
    EXPECT_EQ(a->top, b->top);
}

TEST(Heatmap, RestartsWhenCameraOrBodiesMove) {
    Stage stage;
    const auto before = stage.finished();
    stage.session.commands().push("camera.orbit 30 5");
    stage.session.drain();
    auto map = stage.frame();
    EXPECT_FALSE(map->complete);
    map = stage.finished();
    EXPECT_NE(map->counts, before->counts);
    for (const char* line : {"step 1", "hide 3", "remove 4", "set volume.pair_kind=sphere"}) {
        stage.session.commands().push(line);
        stage.session.drain();
        stage.session.step(Session::kFixedStep_s);
        EXPECT_FALSE(stage.frame()->complete) << line;
        EXPECT_TRUE(stage.finished()->complete);
    }
}

TEST(Heatmap, TheScaleFollowsTheCountsOrStaysWhereItWasSet) {
    Stage stage;
    const auto automatic = stage.finished();
    EXPECT_LE(automatic->top, automatic->max_count);
    stage.options.top = 7;
    const auto fixed = stage.frame();
    EXPECT_EQ(fixed->top, 7u);
    EXPECT_EQ(fixed->counts, automatic->counts) << "another scale needs no new ray";
}

TEST(Heatmap, AViewWithoutPixelsHasNone) {
    Stage stage;
    EXPECT_EQ(stage.caster.advance(stage.session.state().world, stage.session.state().view.camera,
                                   {0.0f, 90.0f}, stage.options),
              nullptr);
}

TEST(Heatmap, ThePictureHasOneColorPerCellAndIsTransparentWithoutCost) {
    auto map = std::make_shared<Heatmap>();
    map->cells = {3, 1};
    map->counts = {0, 5, 50};
    map->top = 10;
    viz::HeatPicture picture;
    const auto image = picture.of(map, viz::Theme::Dark);
    ASSERT_TRUE(image && image->consistent());
    EXPECT_EQ(image->at(0, 0)[3], 0);
    const viz::Color middle = viz::palette(viz::Theme::Dark).scalar(127.0f / 255.0f);
    const viz::Color end = viz::palette(viz::Theme::Dark).scalar(1.0f);
    EXPECT_EQ(image->at(1, 0)[0], middle.r);
    EXPECT_EQ(image->at(1, 0)[3], 255);
    EXPECT_EQ(image->at(2, 0)[1], end.g);
    EXPECT_EQ(picture.of(map, viz::Theme::Dark), image);
    EXPECT_NE(picture.of(map, viz::Theme::Light), image);
    EXPECT_EQ(picture.of(nullptr, viz::Theme::Dark), nullptr);
}

}  // namespace
}  // namespace lab
