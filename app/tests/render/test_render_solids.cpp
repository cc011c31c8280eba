// Translucent volumes: which of two lies over the other, and how dense they look.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "render_test_tools.hpp"

using namespace lab;
using namespace lab::render;
using namespace lab::test;

namespace {

constexpr glm::ivec2 kSize(120, 120);

DrawList plain(Color background) {
    DrawList list;
    list.background_top = list.background_bottom = background;
    list.ground.grid = list.ground.axes = false;
    return list;
}

struct Solids : ::testing::Test {
    Stage stage{kSize};
    View view = look(kSize, {0, 0, 10}, {0, 0, 0});
    std::array<int, 3> middle(const DrawList& list) {
        const Image image = stage.picture(list, view);
        const std::uint8_t* p = image.at(60, 60);
        return {p[0], p[1], p[2]};
    }
    ~Solids() override { EXPECT_EQ(stage.renderer->stats().driver_errors, 0u); }
};

constexpr Color kRed = rgb(0xFF2020), kBlue = rgb(0x2020FF);

TEST_F(Solids, TheNearerOneDominatesWhateverTheOrderInTheList) {
    const SolidBox near_red{placed({0, 0, 2}, {2, 2, 0.1f}), kRed.with_alpha(0.6f)};
    const SolidBox far_blue{placed({0, 0, -2}, {2, 2, 0.1f}), kBlue.with_alpha(0.6f)};
    DrawList list = plain(rgb(0x000000));
    list.solid_boxes = {near_red, far_blue};
    const auto a = middle(list);
    list.solid_boxes = {far_blue, near_red};
    const auto b = middle(list);
    EXPECT_EQ(a, b);
    EXPECT_GT(a[0], a[2] + 40) << "red is in front";
    EXPECT_GT(a[2], 25) << "and blue shines through";
}

TEST_F(Solids, OrderHoldsAcrossKinds) {
    DrawList list = plain(rgb(0x000000));
    list.solid_spheres.push_back({{0, 0, -3}, 1.5f, kBlue.with_alpha(0.6f)});
    list.solid_boxes.push_back({placed({0, 0, 2}, {2, 2, 0.1f}), kRed.with_alpha(0.6f)});
    auto p = middle(list);
    EXPECT_GT(p[0], p[2] + 40);
    list = plain(rgb(0x000000));
    list.solid_spheres.push_back({{0, 0, 3}, 1.5f, kBlue.with_alpha(0.6f)});
    list.solid_boxes.push_back({placed({0, 0, -2}, {2, 2, 0.1f}), kRed.with_alpha(0.6f)});
    p = middle(list);
    EXPECT_GT(p[2], p[0] + 15);
    list.solid_triangles.push_back({{-3, -3, 6}, {3, -3, 6}, {0, 3, 6}, rgb(0x20FF20).with_alpha(0.7f)});
    p = middle(list);
    EXPECT_GT(p[1], p[2]) << "the triangle is nearest";
}

TEST_F(Solids, ABoxInsideASphereLiesBetweenItsHalves) {
    // Far half of the sphere, box, near half: red over blue over red.
    DrawList list = plain(rgb(0x000000));
    list.solid_spheres.push_back({{0, 0, 0}, 2.0f, kRed.with_alpha(0.5f)});
    list.solid_boxes.push_back({placed({0, 0, 0}, glm::vec3(0.7f)), kBlue.with_alpha(0.9f)});
    const auto p = middle(list);
    EXPECT_GT(p[0], 90) << "the near half tints the box";
    EXPECT_GT(p[2], 90) << "the box covers the far half";
}

TEST_F(Solids, OpaqueThingsHideThemAndTheyDoNotHideEachOther) {
    const TestMesh cube = cube_mesh();
    const MeshHandle mesh = stage.renderer->upload(cube.positions, cube.triangles);
    DrawList list = plain(rgb(0x000000));
    list.meshes.push_back({mesh, placed({0, 0, 3}), rgb(0x20FF20)});
    const auto alone = middle(list);
    list.solid_boxes.push_back({placed({0, 0, -2}, glm::vec3(1.5f)), kRed.with_alpha(0.9f)});
    EXPECT_EQ(middle(list), alone);
    list.solid_boxes.push_back({placed({0, 0, 6}, {1, 1, 0.1f}), kRed.with_alpha(0.9f)});
    EXPECT_GT(middle(list)[0], alone[0] + 60);
}

TEST_F(Solids, MirroredBoxesLookTheSame) {
    DrawList list = plain(rgb(0x304050));
    list.solid_boxes.push_back({placed({0, 0, 0}, {1, 1, 1}, 0.6f, {1, 1, 0}), kRed.with_alpha(0.5f)});
    const Image straight = stage.picture(list, view);
    glm::mat4x3& m = list.solid_boxes[0].transform;
    m[0] = -m[0];
    const Image mirrored = stage.picture(list, view);
    int different = 0;
    for (std::size_t i = 0; i < straight.rgba.size(); ++i)
        different += std::abs(straight.rgba[i] - mirrored.rgba[i]) > 3 ? 1 : 0;
    EXPECT_LT(different, 60);
}

TEST_F(Solids, OpacityLooksTheSameOnDarkAndOnLight) {
    // One film of half opacity, without the shading of a face: halfway between the two in sRGB, whatever is
    // behind.
    for (const int ground : {0x18, 0xF0}) {
        const auto g = static_cast<std::uint8_t>(ground);
        DrawList list = plain({g, g, g, 255});
        list.lines.push_back({{-2, 0, 0}, rgb(0x808080).with_alpha(0.5f), {2, 0, 0}, 21.0f});
        EXPECT_NEAR(middle(list)[0], (ground + 0x80) / 2, 8) << ground;
    }
}

TEST_F(Solids, ManyAreDrawnUnsortedButAllOfThem) {
    DrawList list = plain(rgb(0x000000));
    for (int i = 0; i < 9000; ++i)
        list.solid_boxes.push_back({placed({i == 4567 ? 0.0f : 50.0f, 0, 0}), kRed.with_alpha(0.9f)});
    EXPECT_GT(middle(list)[0], 150);
}

TEST_F(Solids, ATranslucentMeshShowsItsInside) {
    const TestMesh ball = sphere_mesh(32, 16);
    const MeshHandle mesh = stage.renderer->upload(ball.positions, ball.triangles);
    DrawList list = plain(rgb(0x000000));
    list.lines.push_back({{-3, 0, 0}, rgb(0xFFFFFF), {3, 0, 0}, 5.0f});
    list.meshes.push_back({mesh, placed({0, 0, 0}, glm::vec3(1.5f)), kRed.with_alpha(0.4f)});
    const auto p = middle(list);
    EXPECT_GT(p[1], 90) << "the white line inside shines through";
    EXPECT_GT(p[0], p[1] + 8) << "tinted";
}

TEST_F(Solids, ATranslucentMeshIsTwoFilmsThick) {
    const TestMesh ball = sphere_mesh(32, 16);
    TestMesh reversed = ball;
    std::reverse(reversed.triangles.begin(), reversed.triangles.end());
    const MeshHandle meshes[] = {stage.renderer->upload(ball.positions, ball.triangles),
                                 stage.renderer->upload(reversed.positions, reversed.triangles)};
    for (const float side : {1.0f, -1.0f}) {  // mirrored, too
        std::vector<std::array<int, 3>> looks;
        for (const MeshHandle mesh : meshes) {
            std::array<std::array<int, 3>, 2> on{};
            for (const bool light : {false, true}) {
                DrawList list = plain(light ? rgb(0xFFFFFF) : rgb(0x000000));
                list.meshes.push_back(
                    {mesh, placed({0, 0, 0}, glm::vec3(side * 1.5f, 1.5f, 1.5f)), kRed.with_alpha(0.4f)});
                on[light ? 1 : 0] = middle(list);
            }
            // Two films of 0.4 let 92 of 255 through, a little more where they are seen face on; four
            // only 33.
            EXPECT_GT(on[1][2] - on[0][2], 75) << "what shines through both faces";
            EXPECT_LT(on[1][2] - on[0][2], 140) << "what shines through both faces";
            looks.push_back(on[0]);
        }
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(looks[0][k], looks[1][k], 3) << "whatever the order of its triangles";
    }
}

TEST_F(Solids, TheNearerTranslucentMeshDominates) {
    const TestMesh ball = sphere_mesh(32, 16);
    const MeshHandle mesh = stage.renderer->upload(ball.positions, ball.triangles);
    const MeshInstance near_red{mesh, placed({0, 0, 2}), kRed.with_alpha(0.6f)};
    const MeshInstance far_blue{mesh, placed({0, 0, -2}), kBlue.with_alpha(0.6f)};
    for (const auto& order : {std::array{near_red, far_blue}, std::array{far_blue, near_red}}) {
        DrawList list = plain(rgb(0x000000));
        list.meshes.assign(order.begin(), order.end());
        const auto p = middle(list);
        EXPECT_GT(p[0], p[2] + 25) << "red is in front";
    }
}

}  // namespace
