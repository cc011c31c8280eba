// build(): what is in the results is in the list, in the color of its role, and the legend names exactly
// that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <set>
#include <string>
#include <tuple>

#include "bv/fit/hull.hpp"
#include "bv/fit/kdop.hpp"
#include "scenes/scenes.hpp"
#include "viz/build.hpp"
#include "viz/outline.hpp"

namespace {

using lab::BodyState;
using lab::Exhibit;
using lab::FrameResults;
using lab::Role;
using lab::render::Color;
using lab::render::DrawList;
using lab::viz::palette;
using lab::viz::Theme;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// One call of build() with everything that it needs.
struct Stage {
    FrameResults results;
    lab::Settings settings{lab::setting_catalog()};
    lab::Camera camera;
    lab::viz::MeshHandles meshes;
    lab::viz::ViewInfo view;
    DrawList list;

    Stage() { meshes.by_mesh = {{1}, {2}}; }
    void set(std::string_view id, std::string_view value) {
        const auto problem = settings.set(id, value);
        ASSERT_FALSE(problem) << *problem;
    }
    const DrawList& build() {
        give_volumes();
        lab::viz::build(results, settings, camera, meshes, view, list);
        return list;
    }
    /// Every kind of volume around the places of the bodies.
    void give_volumes() {
        lab::BodyVolumes& v = results.volumes = {};
        for (const BodyState& body : results.bodies) {
            const glm::vec3 at = body.transform[3];
            std::vector<glm::vec3> corners;
            for (int i = 0; i < 8; ++i)
                corners.push_back(at + bv::Aabb{glm::vec3(-0.5f), glm::vec3(0.5f, 0.6f, 0.7f)}.corner(i));
            using K = lab::VolumeKind;
            v.list<bv::Sphere>(K::Sphere).edit().push_back({at, 1.0f});
            v.list<bv::Aabb>(K::AabbFixed).edit().push_back({at - 1.0f, at + 1.0f});
            v.list<bv::Aabb>(K::AabbTight).edit().push_back({at - 0.7f, at + 0.7f});
            v.list<bv::Obb>(K::Obb).edit().push_back({at, glm::vec3(0.5f), glm::mat3(1.0f)});
            v.list<bv::Capsule>(K::Capsule).edit().push_back({at - glm::vec3(0.5f, 0, 0), at, 0.7f});
            v.list<bv::RectSweptSphere>(K::RectSweptSphere)
                .edit()
                .push_back({at, {0.5f, 0.4f}, 0.3f, glm::mat3(1.0f)});
            v.list<bv::Kdop<8>>(K::Kdop8).edit().push_back(bv::fit::kdop<8>(corners));
            v.list<bv::Kdop<14>>(K::Kdop14).edit().push_back(bv::fit::kdop<14>(corners));
            v.list<bv::Kdop<18>>(K::Kdop18).edit().push_back(bv::fit::kdop<18>(corners));
            v.list<bv::Kdop<26>>(K::Kdop26).edit().push_back(bv::fit::kdop<26>(corners));
            v.list<lab::PlacedHull>(K::Hull).edit().push_back(
                {std::make_shared<const bv::Hull>(bv::fit::hull(corners))});
        }
    }
    /// What the legend says. The only texts in the lower left.
    std::set<std::string> legend() {
        std::set<std::string> texts;
        for (const auto& text : list.screen_texts) {
            if (text.position_px.y > 0.3f * view.size_px.y) texts.insert(text.text);
        }
        return texts;
    }
    [[nodiscard]] std::size_t primitives() const {
        return list.lines.size() + list.overlay_lines.size() + list.wire_aabbs.size() +
               list.wire_boxes.size() + list.wire_spheres.size() + list.points.size() +
               list.overlay_points.size();
    }
};

BodyState body(std::uint32_t id, glm::vec3 at) {
    BodyState b;
    b.id = bv::BodyId{id};
    b.name = "body " + std::to_string(id);
    b.mesh = lab::MeshId{id % 2};
    b.transform[3] = at;
    return b;
}

/// A root over two leaves.
bv::TreeSnapshot small_tree() {
    bv::TreeSnapshot t;
    t.boxes = {{glm::vec3(-2), glm::vec3(2)}, {glm::vec3(-2), glm::vec3(0)}, {glm::vec3(-1), glm::vec3(2)}};
    t.parents = {bv::TreeSnapshot::kNone, 0, 0};
    t.first_child = {1, bv::TreeSnapshot::kNone, bv::TreeSnapshot::kNone};
    t.child_count = {2, 0, 0};
    t.depths = {0, 1, 1};
    t.source_nodes = {7, 3, 5};
    t.first_payload = {0, 0, 1};
    t.payload_count = {0, 1, 1};
    t.payloads = {1, 2};
    t.payload_boxes = {t.boxes[1], t.boxes[2]};
    return t;
}

bool has_color(const auto& things, Color c) {
    return std::any_of(things.begin(), things.end(), [&](const auto& x) {
        return x.color.r == c.r && x.color.g == c.g && x.color.b == c.b;
    });
}

}  // namespace

TEST(Viz, EmptyResultsDrawNothingAndHaveNoLegend) {
    Stage stage;
    stage.build();
    EXPECT_EQ(stage.primitives(), 0u);
    EXPECT_TRUE(stage.list.meshes.empty());
    EXPECT_TRUE(stage.list.screen_rects.empty());
    EXPECT_TRUE(stage.list.screen_texts.empty());
    EXPECT_TRUE(stage.list.ground.grid);
}

TEST(Viz, EachBodyHasItsMeshAndFourVolumesInTheirColors) {
    Stage stage;
    for (std::uint32_t i = 0; i < 5; ++i)
        stage.results.bodies.push_back(body(i, glm::vec3(3.0f * static_cast<float>(i), 0, 0)));
    const DrawList& list = stage.build();
    EXPECT_EQ(list.meshes.size(), 5u);
    EXPECT_EQ(list.meshes[1].mesh.id, 2u);
    EXPECT_EQ(list.wire_spheres.size(), 5u);
    EXPECT_EQ(list.wire_aabbs.size(), 10u);
    EXPECT_EQ(list.wire_boxes.size(), 5u);
    const auto& dark = palette(Theme::Dark);
    EXPECT_TRUE(has_color(list.wire_spheres, dark.role(Role::Sphere)));
    EXPECT_TRUE(has_color(list.wire_aabbs, dark.role(Role::AabbFixed)));
    EXPECT_TRUE(has_color(list.wire_aabbs, dark.role(Role::AabbTight)));
    EXPECT_TRUE(has_color(list.wire_boxes, dark.role(Role::Obb)));
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"body", "sphere", "fixed AABB", "tight AABB", "OBB"}));
}

/// By the tables of WCAG 2.1: pure colors against black and white.
TEST(Viz, ContrastIsThatOfTheStandard) {
    using lab::render::rgb;
    using lab::viz::contrast_ratio;
    const Color black = rgb(0), white = rgb(0xffffff);
    const std::pair<std::uint32_t, double> on_black[] = {{0xffffff, 21.0},   {0xff0000, 5.252},
                                                         {0x00ff00, 15.304}, {0x0000ff, 2.444},
                                                         {0x808080, 5.317},  {0x0a0a0a, 1.061}};
    for (const auto& [color, ratio] : on_black) {
        const Color c = rgb(color);
        EXPECT_NEAR(contrast_ratio(c, black), ratio, 0.002) << color;
        EXPECT_DOUBLE_EQ(contrast_ratio(black, c), contrast_ratio(c, black));
        EXPECT_NEAR(contrast_ratio(c, black) * contrast_ratio(c, white), 21.0, 1e-9) << color;
    }
}

/// Where the words about a thing stand: over balls and boxes, in the middle of triangles.
TEST(Viz, LabelsStandAtTheirThings) {
    const auto label_of = [](lab::ExhibitShape shape) {
        Stage stage;
        lab::Exhibit exhibit;
        exhibit.shape = std::move(shape);
        exhibit.label = "here";
        stage.results.exhibits.push_back(exhibit);
        for (const auto& label : stage.build().labels)
            if (label.text == "here") return label.position;
        return glm::vec3(NAN);
    };
    EXPECT_EQ(label_of(bv::Sphere{{1, 2, 3}, 4.0f}), glm::vec3(1, 6, 3));
    EXPECT_EQ(label_of(bv::Aabb{{0, 0, 0}, {2, 4, 6}}), glm::vec3(1, 4, 3));
    EXPECT_EQ(label_of(bv::Triangle{{0, 0, 0}, {3, 0, 0}, {0, 6, 9}}), glm::vec3(1, 2, 3));
    EXPECT_FALSE(label_of(bv::Sphere{{1, 2, 3}, -1.0f}).x == label_of(bv::Sphere{{1, 2, 3}, -1.0f}).x)
        << "nothing to stand at";
}

TEST(Viz, EveryKindOfVolumeIsDrawnWhenItIsSwitchedOnAndNamedInTheLegend) {
    for (const lab::VolumeSpec& spec : lab::kVolumeSpecs)
        for (const char* fill : {"0", "0.2"}) {
            Stage stage;
            stage.results.bodies.push_back(body(0, glm::vec3(0)));
            for (const lab::VolumeSpec& other : lab::kVolumeSpecs)
                stage.set(other.draw_id, "off");
            stage.set("draw.mesh", "off");
            stage.set("draw.fill", fill);
            EXPECT_EQ(stage.primitives(), 0u);
            stage.build();
            EXPECT_EQ(stage.primitives(), 0u) << spec.id;
            stage.set(spec.draw_id, "on");
            const DrawList& list = stage.build();
            EXPECT_GT(stage.primitives(), 0u) << spec.id;
            EXPECT_EQ(stage.legend(), std::set<std::string>{std::string(spec.name)});
            const auto faces =
                list.solid_triangles.size() + list.solid_boxes.size() + list.solid_spheres.size();
            EXPECT_EQ(faces > 0, *fill != '0' || fill[1] != 0) << spec.id;
        }
}

TEST(Viz, TheLightThemeUsesItsOwnColors) {
    Stage stage;
    stage.results.bodies.push_back(body(1, glm::vec3(0)));
    stage.set("ui.theme", "light");
    const DrawList& list = stage.build();
    const auto& light = palette(Theme::Light);
    EXPECT_EQ(list.background_top, light.background_top);
    EXPECT_TRUE(has_color(list.wire_spheres, light.role(Role::Sphere)));
}

TEST(Viz, TogglesRemoveAKindFromPictureAndLegend) {
    Stage stage;
    stage.results.bodies.push_back(body(1, glm::vec3(0)));
    stage.set("draw.sphere", "off");
    stage.set("draw.obb", "off");
    stage.set("draw.mesh", "off");
    const DrawList& list = stage.build();
    EXPECT_TRUE(list.meshes.empty());
    EXPECT_TRUE(list.wire_spheres.empty());
    EXPECT_TRUE(list.wire_boxes.empty());
    EXPECT_EQ(list.wire_aabbs.size(), 2u);
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"fixed AABB", "tight AABB"}));
    stage.set("ui.legend", "off");
    stage.build();
    EXPECT_TRUE(stage.legend().empty());
}

TEST(Viz, VolumesFollowTheBodiesThatTheSettingNames) {
    Stage stage;
    for (std::uint32_t i = 0; i < 4; ++i)
        stage.results.bodies.push_back(body(i, glm::vec3(3.0f * static_cast<float>(i), 0, 0)));
    stage.results.bodies[0].shown = lab::VolumeKind::Sphere;
    stage.results.bodies[1].shown = lab::kShowNone;
    stage.results.bodies[2].colliding = true;
    stage.results.bodies[3].shown = lab::kShowNone;
    EXPECT_EQ(stage.build().wire_spheres.size(), 2u) << "scene";
    stage.set("draw.volumes_on", "colliding");
    EXPECT_EQ(stage.build().wire_spheres.size(), 1u);
    stage.set("draw.volumes_on", "none");
    EXPECT_TRUE(stage.build().wire_spheres.empty());
    EXPECT_FALSE(stage.legend().contains("sphere"));
    stage.results.bodies[3].selected = true;
    EXPECT_EQ(stage.build().wire_spheres.size(), 1u) << "the selected body always shows its volumes";
    stage.results.bodies[3].hidden = true;
    EXPECT_TRUE(stage.build().wire_spheres.empty());
    EXPECT_EQ(stage.list.meshes.size(), 3u);
}

TEST(Viz, CollidingAndSelectedBodiesStandOut) {
    Stage stage;
    for (std::uint32_t i = 0; i < 3; ++i)
        stage.results.bodies.push_back(body(i, glm::vec3(static_cast<float>(i), 0, 0)));
    stage.results.bodies[0].colliding = stage.results.bodies[1].colliding = true;
    stage.results.bodies[2].selected = true;
    stage.results.pairs.volume = {{bv::BodyId{0}, bv::BodyId{1}}};
    const DrawList& list = stage.build();
    EXPECT_EQ(list.meshes[0].color, palette(Theme::Dark).body_colliding);
    EXPECT_NE(list.meshes[2].color, palette(Theme::Dark).body(0));
    ASSERT_EQ(list.labels.size(), 1u) << "only the selected body is named";
    EXPECT_EQ(list.labels[0].text, "body 2");
    // Eight corners of three strokes, and one line that joins the pair.
    EXPECT_EQ(list.overlay_lines.size(), 25u);
    EXPECT_TRUE(stage.legend().contains("colliding body"));
    EXPECT_TRUE(stage.legend().contains("selected"));
    EXPECT_TRUE(stage.legend().contains("overlapping pair"));
}

TEST(Viz, ManySelectedBodiesAreMarkedAndLookAsUsual) {
    Stage stage;
    for (std::uint32_t i = 0; i < 12; ++i) {
        stage.results.bodies.push_back(body(i, glm::vec3(3.0f * static_cast<float>(i), 0, 0)));
        stage.results.bodies[i].selected = true;
        stage.results.bodies[i].shown = i == 0 ? lab::VolumeSet(lab::VolumeKind::Sphere) : lab::kShowNone;
    }
    EXPECT_EQ(stage.build().wire_spheres.size(), 12u) << "few";
    EXPECT_EQ(stage.list.labels.size(), 12u);
    stage.results.bodies.push_back(body(12, glm::vec3(0, 3, 0)));
    stage.results.bodies[12].selected = true;
    stage.results.bodies[12].shown = lab::kShowNone;
    EXPECT_EQ(stage.build().wire_spheres.size(), 1u) << "that of the scene";
    EXPECT_TRUE(stage.list.labels.empty());
    EXPECT_EQ(stage.list.overlay_lines.size(), 13u * 24u) << "the corners of each";
    stage.set("draw.volumes_on", "selected");
    EXPECT_EQ(stage.build().wire_spheres.size(), 13u);
    stage.set("draw.volumes_on", "none");
    EXPECT_TRUE(stage.build().wire_spheres.empty());
}

TEST(Viz, LabelsCanBeOnAllBodiesOrNone) {
    Stage stage;
    for (std::uint32_t i = 0; i < 3; ++i)
        stage.results.bodies.push_back(body(i, glm::vec3(static_cast<float>(i), 0, 0)));
    EXPECT_TRUE(stage.build().labels.empty());
    stage.set("draw.labels", "all");
    EXPECT_EQ(stage.build().labels.size(), 3u);
    stage.set("draw.labels", "none");
    stage.results.bodies[0].selected = true;
    EXPECT_TRUE(stage.build().labels.empty());
}

TEST(Viz, TreeNodesAreLimitedByDepthAndColoredByIt) {
    Stage stage;
    stage.results.trees.push_back({"bodies", small_tree()});
    EXPECT_EQ(stage.build().wire_aabbs.size(), 1u) << "leaves are off at first";
    stage.set("draw.tree_leaves", "on");
    EXPECT_EQ(stage.build().wire_aabbs.size(), 3u);
    EXPECT_TRUE(has_color(stage.list.wire_aabbs, palette(Theme::Dark).scalar(0)));
    EXPECT_TRUE(has_color(stage.list.wire_aabbs, palette(Theme::Dark).scalar(1)));
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"tree depth", "0", "1"}));
    stage.set("draw.tree_min_depth", "1");
    EXPECT_EQ(stage.build().wire_aabbs.size(), 2u);
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"tree nodes, depth 1"}));
    stage.set("draw.tree_min_depth", "5");
    EXPECT_TRUE(stage.build().wire_aabbs.empty());
    EXPECT_TRUE(stage.legend().empty());
}

TEST(Viz, EveryColorModeOfTheTreeDrawsEveryNodeAndExplainsItself) {
    Stage stage;
    stage.results.trees.push_back({"bodies", small_tree()});
    stage.set("draw.tree_leaves", "on");
    for (const lab::Choice& mode : lab::setting_catalog().find("draw.tree_color")->choices) {
        stage.set("draw.tree_color", mode.id);
        EXPECT_EQ(stage.build().wire_aabbs.size(), 3u) << mode.id;
        EXPECT_FALSE(stage.legend().empty()) << mode.id;
    }
}

/// A list of five leaves: node 0 over leaf 1 and node 2, node 2 over leaf 3 and node 4, and so on.
bv::TreeSnapshot leaning_tree() {
    bv::TreeSnapshot t;
    for (std::uint32_t i = 0; i < 9; ++i) {
        const bool inner = i % 2 == 0 && i < 8;
        const float size = static_cast<float>(1u << (4 - i / 2));
        t.boxes.push_back({glm::vec3(0), glm::vec3(size)});
        t.parents.push_back(i == 0 ? bv::TreeSnapshot::kNone : (i - 1) / 2 * 2);
        t.first_child.push_back(inner ? i + 1 : bv::TreeSnapshot::kNone);
        t.child_count.push_back(inner ? 2 : 0);
        t.depths.push_back((i + 1) / 2);
        t.source_nodes.push_back(i);
        t.first_payload.push_back(inner ? 0 : static_cast<std::uint32_t>(t.payloads.size()));
        t.payload_count.push_back(inner ? 0 : 1);
        if (inner) continue;
        t.payloads.push_back(i);
        t.payload_boxes.push_back(t.boxes.back());
    }
    return t;
}

TEST(Viz, BalanceColorsANodeByTheDifferenceOfItsChildrensHeights) {
    Stage stage;
    stage.results.trees = {{"leaning", leaning_tree()}, {"even", small_tree()}};
    stage.set("draw.tree_leaves", "on");
    stage.set("draw.tree_color", "balance");
    const auto& boxes = stage.build().wire_aabbs;
    ASSERT_EQ(boxes.size(), 12u);
    const auto color_is = [&](std::size_t i, float share) {
        const Color wanted = palette(Theme::Dark).scalar(share);
        return boxes[i].color.r == wanted.r && boxes[i].color.g == wanted.g && boxes[i].color.b == wanted.b;
    };
    // Heights of the right children: 3, 2, 1, 0; of the left ones: 0.
    EXPECT_TRUE(color_is(0, 1.0f));
    EXPECT_TRUE(color_is(2, 2.0f / 3.0f));
    EXPECT_TRUE(color_is(4, 1.0f / 3.0f));
    EXPECT_TRUE(color_is(6, 0.0f));
    EXPECT_TRUE(color_is(1, 0.0f)) << "a leaf";
    EXPECT_TRUE(color_is(9, 0.0f)) << "one scale for both trees";
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"height difference", "0", "3"}));
}

TEST(Viz, SahShareAndOverlapHaveTheirScales) {
    Stage stage;
    stage.results.trees = {{"leaning", leaning_tree()}};
    stage.set("draw.tree_color", "area");
    stage.build();
    EXPECT_TRUE(has_color(stage.list.wire_aabbs, palette(Theme::Dark).scalar(1.0f))) << "the root";
    EXPECT_TRUE(stage.legend().contains("SAH share: area"));
    EXPECT_TRUE(stage.legend().contains("100 %"));
    stage.set("draw.tree_color", "overlap");
    stage.build();
    // Of each inner node the children share an eighth: they are half as wide and lie in the same corner.
    EXPECT_TRUE(has_color(stage.list.wire_aabbs, palette(Theme::Dark).scalar(0.125f)));
    EXPECT_TRUE(stage.legend().contains("100 %"));
}

TEST(Viz, TheDepthRangeHoldsInEveryColorMode) {
    Stage stage;
    stage.results.trees = {{"leaning", leaning_tree()}};
    stage.set("draw.tree_leaves", "on");
    stage.set("draw.tree_min_depth", "1");
    stage.set("draw.tree_max_depth", "2");
    for (const lab::Choice& mode : lab::setting_catalog().find("draw.tree_color")->choices) {
        stage.set("draw.tree_color", mode.id);
        EXPECT_EQ(stage.build().wire_aabbs.size(), 4u) << mode.id;
    }
}

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

TEST(Viz, TheNodeUnderTheMouseIsMarkedOverEverything) {
    Stage stage;
    stage.results.trees.push_back({"bodies", small_tree()});
    stage.set("draw.tree", "off");
    stage.view.marked_tree = "bodies";
    stage.view.marked_node = 2;
    EXPECT_EQ(stage.build().overlay_lines.size(), 12u) << "also while the other nodes are off";
    EXPECT_TRUE(stage.legend().contains("node under the mouse"));
    stage.view.marked_node = 77;
    EXPECT_TRUE(stage.build().overlay_lines.empty()) << "the tree has changed since";
}

TEST(Viz, ObbTreesAreDrawnTurned) {
    Stage stage;
    bv::TreeSnapshot tree = small_tree();
    tree.obbs.assign(3, bv::Obb{glm::vec3(0), glm::vec3(1), glm::mat3(1.0f)});
    stage.results.trees.push_back({"mesh", tree});
    stage.set("draw.tree_leaves", "on");
    EXPECT_EQ(stage.build().wire_boxes.size(), 3u);
    EXPECT_TRUE(stage.list.wire_aabbs.empty());
}

TEST(Viz, RaysShowHitNormalAndNodes) {
    Stage stage;
    stage.results.trees.push_back({"bodies", small_tree()});
    stage.set("draw.tree", "off");
    lab::RayQuery ray;
    ray.kind = lab::RayQuery::Kind::Pinned;
    ray.ray = {glm::vec3(-5, 0, 0), glm::vec3(1, 0, 0)};
    ray.hit = true;
    ray.point = glm::vec3(0);
    ray.normal = glm::vec3(-1, 0, 0);
    ray.visited_nodes = {7, 3};
    ray.culled_nodes = {5, 99};
    stage.results.rays = {ray};
    const DrawList& list = stage.build();
    EXPECT_TRUE(has_color(list.overlay_lines, palette(Theme::Dark).role(Role::Ray)));
    EXPECT_TRUE(has_color(list.overlay_lines, palette(Theme::Dark).role(Role::Normal)));
    EXPECT_TRUE(has_color(list.points, palette(Theme::Dark).role(Role::Hit)));
    EXPECT_TRUE(list.wire_aabbs.empty());
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"ray", "hit", "normal"}));
    stage.set("draw.ray_nodes", "on");
    stage.build();
    EXPECT_EQ(stage.list.wire_aabbs.size(), 3u) << "an unknown node is left out";
    EXPECT_TRUE(stage.legend().contains("node the ray visited"));
    EXPECT_TRUE(stage.legend().contains("node the ray skipped"));
    stage.set("draw.rays", "off");
    stage.build();
    EXPECT_EQ(stage.primitives(), 0u);
}

TEST(Viz, ARayFromTheEyeShowsOnlyWhereItArrives) {
    Stage stage;
    stage.results.bounds = {glm::vec3(-1), glm::vec3(1)};
    lab::RayQuery ray;
    ray.ray = {stage.camera.eye(), stage.camera.forward()};
    ray.hit = true;
    ray.normal = glm::vec3(0, 1, 0);
    stage.results.rays = {ray};
    stage.build();
    EXPECT_FALSE(has_color(stage.list.overlay_lines, palette(Theme::Dark).role(Role::Ray)));
    EXPECT_EQ(stage.list.points.size(), 1u);
}

TEST(Viz, EveryKindOfExhibitDrawsSomethingAndItsLabel) {
    const std::vector<lab::ExhibitShape> shapes = {
        lab::Marker{glm::vec3(1)},
        bv::Segment{glm::vec3(0), glm::vec3(1)},
        lab::Polyline{{glm::vec3(0), glm::vec3(1), glm::vec3(1, 2, 3)}},
        bv::Ray{glm::vec3(0), glm::vec3(1, 0, 0)},
        bv::Triangle{glm::vec3(0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)},
        bv::Sphere{glm::vec3(0), 1.0f},
        bv::Aabb{glm::vec3(0), glm::vec3(1)},
        bv::Obb{glm::vec3(0), glm::vec3(1), glm::mat3(1.0f)},
        lab::PlanePatch{{glm::vec3(0, 1, 0), 0.5f}, glm::vec3(0), 2.0f},
        bv::Capsule{glm::vec3(0), glm::vec3(1, 0, 0), 0.5f},
        bv::RectSweptSphere{glm::vec3(0), {1.0f, 0.5f}, 0.25f, glm::mat3(1.0f)},
        lab::Polytope{{glm::vec3(0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)},
                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                      {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}}},
    };
    // A note is but its text, voxels are cubes: below.
    ASSERT_EQ(shapes.size() + 2, std::variant_size_v<lab::ExhibitShape>);
    for (const bool on_top : {false, true}) {
        for (const lab::ExhibitShape& shape : shapes) {
            Stage stage;
            stage.results.exhibits = {Exhibit{shape, Role::Kdop, "it", 0.2f, 2.0f, on_top}};
            const DrawList& list = stage.build();
            EXPECT_GT(stage.primitives(), 0u) << shape.index();
            ASSERT_EQ(list.labels.size(), 1u) << shape.index();
            EXPECT_EQ(list.labels[0].text, "it");
            EXPECT_EQ(list.labels[0].color, palette(Theme::Dark).role(Role::Kdop));
            EXPECT_TRUE(stage.legend().contains("k-DOP")) << shape.index();
        }
    }
}

TEST(Viz, AVoxelBlockIsOneCubeForEachCell) {
    Stage stage;
    stage.meshes.cube = {7};
    auto cells = std::make_shared<lab::VoxelCells>(3);
    (*cells)[2].at = glm::vec3(2, 0, 0);
    lab::VoxelBlock block;
    block.cells = cells;
    block.transform[3] = glm::vec3(10, 0, 0);
    block.size = glm::vec3(3, 1, 1);
    stage.results.exhibits = {Exhibit{block, Role::Mesh, "it"}};
    const DrawList& list = stage.build();
    ASSERT_EQ(list.meshes.size(), 3u);
    EXPECT_EQ(list.meshes[2].mesh, lab::render::MeshHandle{7});
    EXPECT_EQ(list.meshes[2].transform[3], glm::vec3(12, 0, 0));
    ASSERT_EQ(list.labels.size(), 1u);
    EXPECT_EQ(list.labels[0].text, "it");
}

TEST(Viz, ANoteIsItsText) {
    Stage stage;
    stage.results.exhibits = {Exhibit{lab::Note{glm::vec3(1, 2, 3)}, Role::Hit, "look here"}};
    const DrawList& list = stage.build();
    EXPECT_EQ(stage.primitives(), 0u);
    ASSERT_EQ(list.labels.size(), 1u);
    EXPECT_EQ(list.labels[0].position, glm::vec3(1, 2, 3));
}

TEST(Viz, FilledExhibitsHaveFaces) {
    Stage stage;
    stage.results.exhibits = {
        Exhibit{bv::Triangle{glm::vec3(0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)}, Role::Hit, "", 0.5f},
        Exhibit{bv::Aabb{glm::vec3(0), glm::vec3(1)}, Role::AabbTight, "", 0.5f},
        Exhibit{bv::Sphere{glm::vec3(0), 1.0f}, Role::Sphere, "", 0.5f},
        Exhibit{lab::PlanePatch{}, Role::Plane, "", 0.5f}};
    const DrawList& list = stage.build();
    EXPECT_EQ(list.solid_triangles.size(), 3u);
    EXPECT_EQ(list.solid_boxes.size(), 1u);
    EXPECT_EQ(list.solid_spheres.size(), 1u);
    EXPECT_EQ(list.solid_boxes[0].color.a, 128);
    EXPECT_TRUE(list.labels.empty());
}

TEST(Viz, APlanePatchLiesInItsPlane) {
    Stage stage;
    const glm::vec3 n = glm::normalize(glm::vec3(1, 2, -0.5f));
    stage.results.exhibits = {
        Exhibit{lab::PlanePatch{{n, 3.0f}, glm::vec3(5, -1, 2), 2.0f}, Role::Plane, "", 0.3f}};
    for (const auto& t : stage.build().solid_triangles) {
        for (const glm::vec3& p : {t.a, t.b, t.c})
            EXPECT_NEAR(glm::dot(n, p), 3.0f, 1e-5f);
    }
}

TEST(Viz, HandlesAreRingsWithTheirName) {
    Stage stage;
    stage.results.handles = {{"a", glm::vec3(1, 2, 3), "corner A"}};
    const DrawList& list = stage.build();
    EXPECT_EQ(list.overlay_points.size(), 2u) << "seen also inside a mesh";
    ASSERT_EQ(list.labels.size(), 1u);
    EXPECT_EQ(list.labels[0].text, "corner A");
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"handle: drag it"}));
}

TEST(Viz, VelocitiesAndRoom) {
    Stage stage;
    stage.results.bodies = {body(0, glm::vec3(0)), body(1, glm::vec3(3, 0, 0))};
    stage.results.bodies[1].velocity = glm::vec3(0, 4, 0);
    stage.results.arena = {glm::vec3(-5), glm::vec3(5)};
    stage.set("draw.volumes_on", "none");
    stage.set("draw.velocity", "on");
    const DrawList& list = stage.build();
    EXPECT_EQ(list.wire_aabbs.size(), 1u);
    EXPECT_EQ(list.ground.height, -5.0f);
    EXPECT_FALSE(list.overlay_lines.empty());
    EXPECT_TRUE(stage.legend().contains("velocity: displacement in 0.5 s"));
    stage.set("draw.room", "off");
    EXPECT_TRUE(stage.build().wire_aabbs.empty());
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
    // Three rows are there all the same.
    EXPECT_TRUE(texts_with(everywhere, true).contains("c with a rather long text"));
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

TEST(Viz, ThingsThatAreNotFiniteAreLeftOut) {
    Stage stage;
    const float nan = std::nanf("");
    BodyState bad = body(0, glm::vec3(nan, 0, 0));
    bad.selected = true;
    stage.results.bodies = {bad};
    stage.results.exhibits = {
        Exhibit{bv::Aabb{}, Role::AabbTight, "empty"},
        Exhibit{bv::Sphere{glm::vec3(0), kInfinity}, Role::Sphere, ""},
        Exhibit{bv::Sphere{}, Role::Sphere, "empty"},
        Exhibit{bv::Obb{}, Role::Obb, "empty"},
        Exhibit{lab::Polyline{}, Role::Ray, "empty"},
        Exhibit{lab::Polytope{}, Role::Hull, "empty"},
        Exhibit{lab::Polytope{{glm::vec3(0)}, {{0, 1, 2}}, {{0, 9}}}, Role::Hull, "", 1.0f},
        Exhibit{bv::Segment{glm::vec3(nan), glm::vec3(0)}, Role::Ray, "nan"},
        Exhibit{bv::Ray{glm::vec3(nan), glm::vec3(0)}, Role::Ray, "nan"}};
    const DrawList& list = stage.build();
    EXPECT_TRUE(list.meshes.empty());
    EXPECT_EQ(stage.primitives(), 0u);
    EXPECT_TRUE(list.labels.empty());
    EXPECT_TRUE(list.solid_triangles.empty());
}

TEST(Viz, TheSameInputGivesTheSameListAndMemoryIsKept) {
    Stage stage;
    for (std::uint32_t i = 0; i < 50; ++i)
        stage.results.bodies.push_back(body(i, glm::vec3(static_cast<float>(i), 0, 0)));
    stage.build();
    const auto* memory = stage.list.wire_aabbs.data();
    const std::size_t count = stage.primitives();
    stage.build();
    EXPECT_EQ(stage.list.wire_aabbs.data(), memory);
    EXPECT_EQ(stage.primitives(), count);
}

TEST(Viz, TenThousandBoxesAreAllDrawnWithoutNewMemory) {
    Stage stage;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        stage.results.bodies.push_back(
            body(i, glm::vec3(static_cast<float>(i % 100), static_cast<float>(i / 100), 0)));
    }
    for (const char* id : {"draw.mesh", "draw.sphere", "draw.aabb_fixed", "draw.obb"})
        stage.set(id, "off");
    stage.build();
    const auto* memory = stage.list.wire_aabbs.data();
    for (int round = 0; round < 3; ++round)
        stage.build();
    EXPECT_EQ(stage.list.wire_aabbs.size(), 10000u);
    EXPECT_EQ(stage.list.wire_aabbs.data(), memory);
}
