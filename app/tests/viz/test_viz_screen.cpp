// build(): what is fixed to the screen. Charts, PAUSED, titles, the legend and the outline that it leaves in
// sight.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "viz/outline.hpp"
#include "viz_stage.hpp"

namespace {

using lab::BodyState;
using lab::Exhibit;
using lab::FrameResults;
using lab::Role;
using lab::render::Color;
using lab::render::DrawList;
using lab::test::body;
using Stage = lab::test::VizStage;
using lab::viz::palette;
using lab::viz::Theme;

}  // namespace

TEST(Viz, ALineChartShowsEachLineItsNameAndItsTop) {
    Stage stage;
    stage.set("ui.legend", "off");
    lab::LineChart chart;
    chart.title = "re-insertions";
    chart.span = "the last 4 s";
    chart.capacity = 8;
    chart.lines = {{"none", Role::Hit, {1, 5, 3}, lab::cells::fixed(3.0, 1)},
                   {"fixed", Role::Ray, {0, 0, 0}, std::nullopt}};
    stage.results.line_charts.push_back(chart);
    stage.build();
    std::set<std::string> texts;
    for (const auto& text : stage.list.screen_texts)
        texts.insert(text.text);
    for (const char* wanted : {"re-insertions", "the last 4 s", "none", "3.0", "fixed", "5"})
        EXPECT_TRUE(texts.contains(wanted)) << wanted;
    const auto bars = [&](Role role) {
        const Color color = palette(Theme::Dark).role(role);
        return std::count_if(
            stage.list.screen_rects.begin(), stage.list.screen_rects.end(),
            [&](const auto& rect) { return rect.color.r == color.r && rect.color.g == color.g; });
    };
    EXPECT_EQ(bars(Role::Hit), 7) << "three values, each with its rise, and the swatch";
    for (const auto& rect : stage.list.screen_rects) {
        EXPECT_GE(rect.min_px.x, 0.0f);
        EXPECT_LE(rect.max_px.x, stage.view.size_px.x);
        EXPECT_LE(rect.max_px.y, stage.view.size_px.y);
    }
}

/// A bar beyond the scale would leave no trace.
TEST(Viz, AnIntervalBeyondTheScalePointsToWhereItIs) {
    Stage stage;
    stage.set("ui.legend", "off");
    lab::IntervalChart chart;
    chart.title = "slabs";
    chart.unit = "t";
    chart.min = -2.0f;
    chart.max = 2.0f;
    chart.rows = {{"below", -9, -5, Role::Hit, "-9 to -5"},
                  {"above", 3, 4, Role::Ray, "3 to 4"},
                  {"across", -9, 0, Role::Plane, "-9 to 0"},
                  {"empty", 1, 0, Role::Touching, "nothing left"}};
    stage.results.charts.push_back(chart);
    stage.build();
    const auto drawn = [&](Role role, const auto& things) {
        const Color color = palette(Theme::Dark).role(role);
        return std::count_if(things.begin(), things.end(), [&](const auto& thing) {
            return thing.color.r == color.r && thing.color.g == color.g && thing.color.b == color.b;
        });
    };
    // Each arrow is made of strips that widen away from its end of the line.
    const auto strips = [&](Role role) {
        std::map<float, float> heights;  // by their left side
        const Color color = palette(Theme::Dark).role(role);
        for (const auto& rect : stage.list.screen_rects)
            if (rect.color.r == color.r && rect.color.g == color.g && rect.color.b == color.b)
                heights[rect.min_px.x] = rect.max_px.y - rect.min_px.y;
        return heights;
    };
    const auto below = strips(Role::Hit), above = strips(Role::Ray);
    ASSERT_EQ(below.size(), 5u);
    ASSERT_EQ(above.size(), 5u);
    EXPECT_LT(below.begin()->second, below.rbegin()->second) << "points to the left";
    EXPECT_GT(above.begin()->second, above.rbegin()->second) << "points to the right";
    EXPECT_LT(below.rbegin()->first + 50.0f, above.begin()->first);
    EXPECT_EQ(drawn(Role::Plane, stage.list.screen_rects), 1);
    EXPECT_EQ(drawn(Role::Touching, stage.list.screen_rects), 0);
}

/// The scale begins at 0 only where that leaves room for what differs.
TEST(Viz, ALineChartShowsSmallDifferences) {
    for (const auto& [values, low, high] : {std::tuple{std::vector<float>{1010, 1000, 1020}, "1000", "1020"},
                                            std::tuple{std::vector<float>{1, 5, 3}, "0", "5"},
                                            std::tuple{std::vector<float>{7, 7}, "0", "7"}}) {
        Stage stage;
        lab::LineChart chart;
        chart.title = "cost";
        chart.lines = {{"x", Role::Hit, values, std::nullopt}};
        stage.results.line_charts.push_back(chart);
        stage.build();
        float low_y = 0, high_y = 0;
        for (const auto& text : stage.list.screen_texts) {
            if (text.text == low) low_y = text.position_px.y;
            if (text.text == high) high_y = text.position_px.y;
        }
        EXPECT_GT(low_y, high_y) << low << " stands below " << high;
        EXPECT_GT(high_y, 0.0f);
    }
}

/// The numbers at the ends of the scale are those at which its lines stand: a value lies where they say.
TEST(Viz, ALineChartsScaleAndItsCurveAgree) {
    for (const auto& [top, low_text, high_text] :
         {std::tuple{2156.8f, "0", "2200"}, std::tuple{0.2357f, "0", "0.24"}, std::tuple{9.7f, "0", "9.7"}}) {
        Stage stage;
        stage.set("ui.legend", "off");
        lab::LineChart chart;
        chart.title = "cost";
        chart.capacity = 2;
        chart.lines = {{"x", Role::Hit, {top, top}, std::nullopt}};
        stage.results.line_charts.push_back(chart);
        stage.build();
        // Texts are placed by the top of their capitals: both ends have the same distance from their lines.
        float low_y = 0, high_y = 0, curve_y = 1e9f;
        for (const auto& text : stage.list.screen_texts) {
            if (text.text == low_text) low_y = text.position_px.y;
            if (text.text == high_text) high_y = text.position_px.y;
        }
        ASSERT_GT(low_y, high_y) << top;
        ASSERT_GT(high_y, 0.0f) << top;
        const Color color = palette(Theme::Dark).role(Role::Hit), dim = palette(Theme::Dark).text_dim;
        float high_line = 1e9f, low_line = 0.0f;
        for (const auto& rect : stage.list.screen_rects) {
            if (rect.color.r == color.r && rect.color.g == color.g)
                curve_y = std::min(curve_y, 0.5f * (rect.min_px.y + rect.max_px.y));
            if (rect.color.r == dim.r && rect.color.g == dim.g) {
                high_line = std::min(high_line, rect.min_px.y);
                low_line = std::max(low_line, rect.min_px.y);
            }
        }
        const float share = top / std::stof(high_text);
        EXPECT_NEAR(curve_y, low_line - share * (low_line - high_line), 0.6f) << top;
    }
}

TEST(Viz, PausedIsPlainToSee) {
    Stage stage;
    const auto says_paused = [&] {
        const auto& texts = stage.build().screen_texts;
        return std::any_of(texts.begin(), texts.end(), [](const auto& t) { return t.text == "PAUSED"; });
    };
    EXPECT_FALSE(says_paused());
    stage.results.paused = true;
    EXPECT_TRUE(says_paused());
}

TEST(Viz, TheTitleStepsAsideForPanels) {
    Stage stage;
    stage.results.bodies = {body(0, glm::vec3(0))};
    stage.view.title = "Welcome";
    stage.build();
    EXPECT_EQ(stage.list.screen_texts.front().text, "Welcome");
    stage.view.panels = true;
    for (const auto& text : stage.build().screen_texts)
        EXPECT_NE(text.text, "Welcome");
}

TEST(Viz, TheLegendNamesEachThingOnce) {
    Stage stage;
    lab::RayQuery ray;
    ray.kind = lab::RayQuery::Kind::Pinned;
    ray.ray = {glm::vec3(-5, 0, 0), glm::vec3(1, 0, 0)};
    stage.results.rays = {ray, ray};
    stage.results.exhibits = {Exhibit{bv::Sphere{glm::vec3(0), 1.0f}, Role::Sphere, ""},
                              Exhibit{bv::Sphere{glm::vec3(1), 1.0f}, Role::Sphere, ""}};
    stage.build();
    std::multiset<std::string> texts;
    for (const auto& text : stage.list.screen_texts)
        texts.insert(text.text);
    EXPECT_EQ(texts, (std::multiset<std::string>{"ray", "sphere"}));
}

TEST(Viz, TheLegendStaysInTheFreePart) {
    Stage stage;
    stage.results.bodies = {body(0, glm::vec3(0))};
    stage.view.free_min_px = {300, 40};
    stage.view.free_max_px = {900, 600};
    for (const auto& rect : stage.build().screen_rects) {
        EXPECT_GE(rect.min_px.x, 300.0f);
        EXPECT_LE(rect.max_px.x, 900.0f);
        EXPECT_GE(rect.min_px.y, 40.0f);
        EXPECT_LE(rect.max_px.y, 600.0f);
    }
    // A low view shows as many rows as fit and says how many are missing.
    stage.view.free_max_px = {900, 200};
    bool more = false;
    for (const auto& text : stage.build().screen_texts)
        more = more || text.text.starts_with("and ");
    EXPECT_TRUE(more);
}

TEST(Viz, ALegendThatFoldsKeepsWhatTheUserAskedFor) {
    Stage stage;
    lab::RayQuery ray;
    ray.kind = lab::RayQuery::Kind::Pinned;
    ray.ray = {glm::vec3(-5, 0, 0), glm::vec3(1, 0, 0)};
    stage.results.rays = {ray};
    const char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    for (const char* name : names) {
        stage.results.exhibits.push_back(Exhibit{bv::Sphere{glm::vec3(0), 1.0f}, Role::Sphere, ""});
        stage.results.exhibits.back().legend = name;
    }
    for (const bool panels : {false, true}) {
        stage.view.panels = panels;
        stage.view.free_max_px = {300, 240};
        std::set<std::string> texts;
        for (const auto& text : stage.build().screen_texts)
            texts.insert(text.text);
        EXPECT_FALSE(texts.contains("l")) << "too low for all";
        EXPECT_TRUE(texts.contains("ray")) << "although it comes after the others";
    }
    // Beside panels, all rows are there where a few lines have room.
    stage.view.free_max_px = {900, 600};
    const auto& list = stage.build();
    float highest = 1e9f;
    std::size_t rows = 0;
    for (const auto& text : list.screen_texts) {
        highest = std::min(highest, text.position_px.y);
        ++rows;
    }
    EXPECT_EQ(rows, std::size(names) + 1);
    EXPECT_GT(highest, 600.0f - 110.0f);
}

/// A key over empty ground has all of its rows; one over the scene folds, or lies in columns where it hides
/// less.
TEST(Viz, TheLegendHidesTheSceneRatherThanEmptyGround) {
    Stage stage;
    stage.view.size_px = {480, 360};
    const auto texts_with = [&](bv::Aabb where, bool panels) {
        stage.view.panels = panels;
        stage.results.exhibits.clear();
        for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
            stage.results.exhibits.push_back(Exhibit{where, Role::AabbTight, ""});
            stage.results.exhibits.back().legend = std::string(name) + " with a rather long text";
        }
        std::set<std::string> texts;
        for (const auto& text : stage.build().screen_texts)
            texts.insert(text.text);
        return texts;
    };
    const bv::Aabb above{glm::vec3(0, 1.5f, 0), glm::vec3(1, 2.5f, 1)};
    EXPECT_TRUE(texts_with(above, true).contains("g with a rather long text"));
    EXPECT_FALSE(texts_with(above, true).contains("and 1 more"));
    const bv::Aabb everywhere{glm::vec3(-9), glm::vec3(9)};
    EXPECT_FALSE(texts_with(everywhere, true).contains("g with a rather long text"));
    // Three rows are there all the same, and the pointer on them brings the others.
    EXPECT_TRUE(texts_with(everywhere, true).contains("c with a rather long text"));
    stage.view.pointer_px = glm::vec2(40, 330);
    EXPECT_TRUE(texts_with(everywhere, true).contains("g with a rather long text"));
    stage.view.pointer_px = glm::vec2(40, 100);
    EXPECT_FALSE(texts_with(everywhere, true).contains("g with a rather long text"));
}

TEST(Viz, TheOutlineOfASceneIsItsConvexHull) {
    using lab::viz::Outline;
    const Outline diamond({{0, 10}, {10, 0}, {20, 10}, {10, 20}, {10, 10}, {12, 11}});
    EXPECT_FLOAT_EQ(diamond.area_in({0, 0}, {20, 20}), 200.0f);
    EXPECT_FLOAT_EQ(diamond.area_in({0, 0}, {10, 10}), 50.0f);
    EXPECT_FLOAT_EQ(diamond.area_in({-50, -50}, {90, 10}), 100.0f);
    EXPECT_FLOAT_EQ(diamond.area_in({5, 5}, {15, 15}), 100.0f) << "all of it inside";
    EXPECT_EQ(diamond.area_in({0, 0}, {4, 4}), 0.0f);
    EXPECT_EQ(Outline({{0, 0}, {5, 5}, {9, 9}}).area_in({0, 0}, {20, 20}), 0.0f) << "a line hides nothing";
    EXPECT_EQ(Outline(std::vector<glm::vec2>{}).area_in({0, 0}, {20, 20}), 0.0f);
}

/// A card names each thing once.
TEST(Viz, TheHeadingOfASentenceRepeatsNoName) {
    lab::WalkView walk;
    walk.algorithm = "Quickhull";
    walk.sentence = "Quickhull: 16 corners.";
    EXPECT_EQ(walk.heading_below("Quickhull"), "");
    EXPECT_EQ(walk.heading_below("Hulls"), "");
    EXPECT_EQ(walk.heading_with("Quickhull"), "");
    EXPECT_EQ(walk.heading_with("Hulls"), "Hulls");
    walk.number = 3;
    walk.of = 1794;
    walk.sentence = "Point 13 is a corner.";
    EXPECT_EQ(walk.heading_below("Quickhull"), "Step 3 of 1,794");
    EXPECT_EQ(walk.heading_with("Quickhull"), "Quickhull, step 3 of 1,794");
    EXPECT_EQ(walk.heading_below("Hulls"), "Quickhull, step 3 of 1,794");
    EXPECT_EQ(walk.heading_with("Hulls"), "Hulls: Quickhull, step 3 of 1,794");
}
