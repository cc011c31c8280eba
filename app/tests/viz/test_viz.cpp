// build(): what is in the results is in the list, in the color of its role, and the legend names exactly
// that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <string>

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

constexpr float kInfinity = std::numeric_limits<float>::infinity();

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
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"tree nodes, depth 0"})) << "and not in the legend";
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

/// Whatever the depth of the tree.
TEST(Viz, TheScaleOfDepthsEndsWhereTheDrawnNodesDo) {
    Stage stage;
    stage.results.trees.push_back({"bodies", leaning_tree()});
    stage.build();
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"tree depth", "0", "3"})) << "the leaves are not drawn";
    stage.set("draw.tree_leaves", "on");
    stage.build();
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"tree depth", "0", "4"}));
    stage.set("draw.tree_min_depth", "1");
    stage.set("draw.tree_max_depth", "2");
    stage.build();
    EXPECT_EQ(stage.legend(), (std::set<std::string>{"tree depth", "1", "2"}));
    const auto has_rect = [&](float share) {
        return has_color(stage.list.screen_rects, palette(Theme::Dark).scalar(share));
    };
    EXPECT_TRUE(has_rect(0.25f) && has_rect(0.5f)) << "with the colors of the drawn depths";
    EXPECT_FALSE(has_rect(0.0f) || has_rect(1.0f)) << "and of no other";
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
            const auto& colors = palette(Theme::Dark);
            const auto contrast = [&](Color c) {
                return lab::viz::contrast_ratio(c, colors.background_bottom);
            };
            const Color ink = list.labels[0].color;
            EXPECT_GT(contrast(ink), contrast(colors.role(Role::Kdop)));
            EXPECT_LT(contrast(ink), contrast(colors.text)) << "the color is still to be seen";
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
