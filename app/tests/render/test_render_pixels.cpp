// Pictures without a display, looked at pixel by pixel: lines, boxes, meshes, labels, the frame itself.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "render_test_tools.hpp"

using namespace lab;
using namespace lab::render;
using namespace lab::test;

namespace {

constexpr glm::ivec2 kSize(200, 160);
constexpr Color kRed = rgb(0xE04020), kGreen = rgb(0x20C060), kWhite = rgb(0xFFFFFF);

// Nothing but a plain background.
DrawList plain(Color background = rgb(0x102030)) {
    DrawList list;
    list.background_top = list.background_bottom = background;
    list.ground.grid = list.ground.axes = false;
    return list;
}

std::array<int, 3> pixel(const Image& image, int x, int y) {
    const std::uint8_t* p = image.at(x, y);
    return {p[0], p[1], p[2]};
}
std::array<int, 3> bytes(Color c) {
    return {c.r, c.g, c.b};
}

::testing::AssertionResult near(std::array<int, 3> a, std::array<int, 3> b, int tolerance = 2) {
    for (std::size_t i = 0; i < 3; ++i)
        if (std::abs(a[i] - b[i]) > tolerance)
            return ::testing::AssertionFailure()
                   << a[0] << ' ' << a[1] << ' ' << a[2] << " is not " << b[0] << ' ' << b[1] << ' ' << b[2];
    return ::testing::AssertionSuccess();
}

// How many pixels differ from the background.
int touched(const Image& image, Color background = rgb(0x102030)) {
    int count = 0;
    for (int y = 0; y < image.size.y; ++y)
        for (int x = 0; x < image.size.x; ++x)
            count += near(pixel(image, x, y), bytes(background), 2) ? 0 : 1;
    return count;
}

struct Pixels : ::testing::Test {
    Stage stage{kSize};
    View view = pixel_view(kSize);
    ~Pixels() override { EXPECT_EQ(stage.renderer->stats().driver_errors, 0u); }
    Image picture(const DrawList& list) { return stage.picture(list, view); }
};

TEST_F(Pixels, TheBackgroundKeepsItsBytes) {
    const Image image = picture(plain());
    ASSERT_EQ(image.size, kSize);
    for (const glm::ivec2 at : {glm::ivec2(0, 0), glm::ivec2(199, 159), glm::ivec2(100, 80)})
        EXPECT_TRUE(near(pixel(image, at.x, at.y), {0x10, 0x20, 0x30}, 0));
    DrawList gradient = plain();
    gradient.background_top = rgb(0xC0C0C0);
    const Image graded = picture(gradient);
    EXPECT_TRUE(near(pixel(graded, 5, 0), {0xC0, 0xC0, 0xC0})) << "row 0 is the top";
    EXPECT_TRUE(near(pixel(graded, 5, 159), {0x10, 0x20, 0x30}));
}

TEST_F(Pixels, ALineIsAsWideAsItSays) {
    for (const float width : {1.0f, 2.0f, 3.0f, 5.0f, 9.0f}) {
        DrawList list = plain();
        list.lines.push_back({{-60, 0.5f, 0}, kWhite, {60, 0.5f, 0}, width});
        const Image image = picture(list);
        // The sum of coverages down one column, in linear light over a dark ground.
        double covered = 0;
        for (int y = 0; y < kSize.y; ++y) {
            const double s = pixel(image, 100, y)[1] / 255.0;
            const double linear = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
            covered += (linear - 0.0144) / (1.0 - 0.0144);
        }
        EXPECT_NEAR(covered, width, 0.15) << "width " << width;
        EXPECT_TRUE(near(pixel(image, 100, 79), bytes(kWhite))) << "width " << width;
        EXPECT_TRUE(near(pixel(image, 30, 79), {0x10, 0x20, 0x30})) << "ends where it ends";
    }
}

TEST_F(Pixels, WidthFollowsTheDisplayScale) {
    DrawList list = plain();
    list.lines.push_back({{-60, 0, 0}, kWhite, {60, 0, 0}, 4.0f});
    const auto rows = [](const Image& image) {
        int n = 0;
        for (int y = 0; y < kSize.y; ++y)
            n += pixel(image, 100, y)[0] > 200 ? 1 : 0;
        return n;
    };
    EXPECT_EQ(rows(picture(list)), 4);
    view.content_scale = 2.0f;
    EXPECT_EQ(rows(picture(list)), 8);
}

TEST_F(Pixels, HairlinesGetFaintInsteadOfDotted) {
    DrawList list = plain(rgb(0x000000));
    list.lines.push_back({{-60, 0.5f, 0}, kWhite, {60, 0.5f, 0}, 0.25f});
    const Image image = picture(list);
    const int first = pixel(image, 60, 79)[0];
    EXPECT_GT(first, 40);
    EXPECT_LT(first, 200);
    for (int x = 50; x < 150; ++x)
        EXPECT_EQ(pixel(image, x, 79)[0], first);
}

TEST_F(Pixels, WireBoxesHaveTheirEdgesAndNothingElse) {
    DrawList list = plain();
    list.wire_aabbs.push_back({{-40.5f, -30.5f, -5}, kGreen, {40.5f, 30.5f, 5}, 3.0f});
    Image image = picture(list);
    const auto check = [&] {
        EXPECT_TRUE(near(pixel(image, 100, 80 - 31), bytes(kGreen))) << "top edge";
        EXPECT_TRUE(near(pixel(image, 59, 80), bytes(kGreen))) << "left edge";
        EXPECT_TRUE(near(pixel(image, 140, 80), bytes(kGreen))) << "right edge";
        EXPECT_TRUE(near(pixel(image, 100, 110), bytes(kGreen))) << "bottom edge";
        EXPECT_TRUE(near(pixel(image, 100, 80), {0x10, 0x20, 0x30})) << "empty inside";
        EXPECT_TRUE(near(pixel(image, 30, 80), {0x10, 0x20, 0x30})) << "empty outside";
    };
    check();
    list = plain();
    list.wire_boxes.push_back({placed({0, 0, 0}, {40.5f, 30.5f, 5}), kGreen, 3.0f});
    image = picture(list);
    check();
    list.wire_boxes[0].transform = placed({0, 0, 0}, {30.5f, 40.5f, 5}, 1.5707963f, {0, 0, 1});
    image = picture(list);
    check();
}

TEST_F(Pixels, ThinLinesTakeOverAboveALargeCount) {
    Stage fast(kSize, Quality::Fast);
    DrawList list = plain();
    for (int i = 0; i < 40000; ++i)
        list.wire_aabbs.push_back({{-40, -30, 0}, kGreen, {40, 30, 1}, 9.0f});
    const Image image = fast.picture(list, view);
    int rows = 0;
    for (int y = 0; y < 80; ++y)
        rows += near(pixel(image, 100, y), {0x10, 0x20, 0x30}) ? 0 : 1;
    EXPECT_GE(rows, 1);
    EXPECT_LE(rows, 2) << "not nine";
}

TEST_F(Pixels, AWireSphereShowsItsOutline) {
    DrawList list = plain();
    list.wire_spheres.push_back({{0, 0, 0}, 50.0f, kRed, 3.0f});
    const Image image = picture(list);
    EXPECT_TRUE(near(pixel(image, 149, 80), bytes(kRed), 12));
    EXPECT_TRUE(near(pixel(image, 100, 30), bytes(kRed), 12));
    EXPECT_TRUE(near(pixel(image, 135, 45), bytes(kRed), 60)) << "on the diagonal";
    EXPECT_TRUE(near(pixel(image, 160, 80), {0x10, 0x20, 0x30})) << "nothing outside";
    EXPECT_FALSE(near(pixel(image, 100, 60), {0x10, 0x20, 0x30}, 6)) << "a faint great circle";
    EXPECT_TRUE(near(pixel(image, 120, 60), {0x10, 0x20, 0x30})) << "open between the circles";
}

TEST_F(Pixels, TheOutlineOfASphereInPerspectiveIsTheConeOfTangents) {
    // Radius 1 at distance 2: the tangent cone has a half angle of 30 degrees.
    view = look(kSize, {0, 0, 2}, {0, 0, 0}, 1.5f);
    DrawList list = plain();
    list.wire_spheres.push_back({{0, 0, 0}, 1.0f, kWhite, 2.0f});
    const Image image = picture(list);
    const float radius_px = 80.0f * std::tan(0.5235988f) / std::tan(0.75f);
    int outermost = 0;
    for (int x = 100; x < 200; ++x)
        if (pixel(image, x, 80)[0] > 128) outermost = x;
    EXPECT_NEAR(static_cast<float>(outermost) + 0.5f - 100.0f, radius_px, 1.6f);
}

TEST_F(Pixels, APointIsADisc) {
    DrawList list = plain();
    list.points.push_back({{0.5f, 0.5f, 0}, kGreen, 20.0f});
    const Image image = picture(list);
    EXPECT_TRUE(near(pixel(image, 100, 79), bytes(kGreen)));
    EXPECT_NEAR(touched(image), 3.14159 * 100, 40);
    EXPECT_LT(pixel(image, 100, 70)[1], 100) << "a dark rim";
}

TEST_F(Pixels, AMeshCoversItsPixelsAndHidesWhatIsBehind) {
    const TestMesh cube = cube_mesh();
    const MeshHandle mesh = stage.renderer->upload(cube.positions, cube.triangles);
    DrawList list = plain();
    list.meshes.push_back({mesh, placed({0, 0, 0}, {30, 20, 10}), rgb(0x808080)});
    list.lines.push_back({{-90, 0, -50}, kRed, {90, 0, -50}, 5.0f});
    list.lines.push_back({{-90, 30, 50}, kGreen, {90, 30, 50}, 5.0f});
    Image image = picture(list);
    EXPECT_FALSE(near(pixel(image, 100, 80), {0x10, 0x20, 0x30}, 10));
    EXPECT_FALSE(near(pixel(image, 100, 80), bytes(kRed), 40)) << "the line is behind";
    EXPECT_TRUE(near(pixel(image, 50, 80), bytes(kRed))) << "and shows beside it";
    EXPECT_TRUE(near(pixel(image, 100, 50), bytes(kGreen)));
    list.overlay_lines.push_back({{-90, 0, -50}, kRed, {90, 0, -50}, 5.0f});
    list.overlay_points.push_back({{-15, 10, -50}, kRed, 9.0f});
    list.points.push_back({{15, 10, -50}, kRed, 9.0f});
    image = picture(list);
    EXPECT_TRUE(near(pixel(image, 100, 80), bytes(kRed))) << "overlay lines are never hidden";
    EXPECT_TRUE(near(pixel(image, 85, 70), bytes(kRed))) << "nor are overlay points";
    EXPECT_FALSE(near(pixel(image, 115, 70), bytes(kRed), 40)) << "others are";

    stage.renderer->remove(mesh);
    EXPECT_TRUE(near(pixel(picture(list), 100, 65), {0x10, 0x20, 0x30})) << "a removed mesh draws nothing";
    EXPECT_EQ(stage.renderer->upload({}, {}).id == 0, false);
}

TEST_F(Pixels, ManyInstancesOfSeveralMeshesLandWhereTheyBelong) {
    const TestMesh cube = cube_mesh(), ball = sphere_mesh(24, 12);
    const MeshHandle a = stage.renderer->upload(cube.positions, cube.triangles);
    const MeshHandle b = stage.renderer->upload(ball.positions, ball.triangles);
    DrawList list = plain(rgb(0x000000));
    for (int i = 0; i < 8; ++i)
        list.meshes.push_back({i % 2 == 0 ? a : b,
                               placed({-70.0f + 20.0f * static_cast<float>(i), 0, 0}, glm::vec3(7)),
                               i % 3 == 0 ? rgb(0xFF0000) : rgb(0x0000FF)});
    const Image image = picture(list);
    for (int i = 0; i < 8; ++i) {
        const auto p = pixel(image, 30 + 20 * i, 80);
        EXPECT_EQ(p[0] > p[2], i % 3 == 0) << i;
        EXPECT_TRUE(near(pixel(image, 40 + 20 * i, 80), {0, 0, 0})) << i;
        EXPECT_EQ(near(pixel(image, 30 + 20 * i + 6, 80 - 6), {0, 0, 0}), i % 2 == 1)
            << "a ball has no corner " << i;
    }
}

TEST_F(Pixels, SmallBodiesAreDrawnCoarserAndLargeOnesInFull) {
    const TestMesh torus = torus_mesh(0.38f, 96, 48);
    const MeshHandle mesh = stage.renderer->upload(torus.positions, torus.triangles);
    DrawList list = plain();
    list.meshes.push_back({mesh, placed({0, 0, 0}, glm::vec3(50), 1.2f, {1, 0, 0}), kWhite});
    const Image large = picture(list);
    EXPECT_EQ(stage.renderer->stats().triangles, torus.triangles.size());
    list.meshes[0].transform = placed({0, 0, 0}, glm::vec3(5), 1.2f, {1, 0, 0});
    const Image small = picture(list);
    EXPECT_LT(stage.renderer->stats().triangles, torus.triangles.size() / 4);
    // A tenth of the size covers a hundredth of the pixels, coarse or not, and some more that it only
    // touches.
    EXPECT_NEAR(touched(small), touched(large) / 100.0, 25.0);
}

TEST_F(Pixels, WhatIsNotFiniteIsLeftOut) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                    kInf = std::numeric_limits<float>::infinity();
    const TestMesh cube = cube_mesh();
    const MeshHandle mesh = stage.renderer->upload(cube.positions, cube.triangles);
    DrawList list = plain();
    list.meshes.push_back({mesh, placed({kNan, 0, 0}), kWhite});
    list.meshes.push_back({MeshHandle{9999}, placed({0, 0, 0}, glm::vec3(50)), kWhite});
    list.lines.push_back({{kInf, 0, 0}, kWhite, {0, 0, 0}, 2});
    list.wire_aabbs.push_back({glm::vec3(kInf), kWhite, glm::vec3(-kInf), 2});
    list.wire_boxes.push_back({placed({0, kNan, 0}), kWhite, 2});
    list.wire_spheres.push_back({{0, 0, 0}, kInf, kWhite, 2});
    list.wire_spheres.push_back({{0, 0, 0}, -1.0f, kWhite, 2});
    list.solid_boxes.push_back({placed({0, 0, kInf}), kWhite});
    list.solid_spheres.push_back({{0, 0, kNan}, 5, kWhite});
    list.solid_triangles.push_back({{0, 0, 0}, {kNan, 0, 0}, {50, 50, 0}, kWhite});
    list.points.push_back({{0, 0, 0}, kWhite, kNan});
    Label label;
    label.position = {0, 0, kNan};
    label.text = "nowhere";
    list.labels.push_back(label);
    list.ground.spacing = kNan;
    list.ground.grid = list.ground.axes = true;
    EXPECT_EQ(touched(picture(list)), 0);
    view.view[0][0] = kNan;
    EXPECT_NO_FATAL_FAILURE(picture(list));
}

TEST_F(Pixels, ALabelIsWrittenBesideItsPoint) {
    DrawList list = plain();
    Label label;
    label.position = {0, 0, 0};
    label.text = "AABB";
    label.color = kWhite;
    label.size_px = 24;
    label.anchor = Label::Anchor::Left;
    list.labels.push_back(label);
    const Image image = picture(list);
    int bright_left = 0, bright_right = 0, dark = 0;
    for (int y = 60; y < 100; ++y)
        for (int x = 0; x < kSize.x; ++x) {
            const int g = pixel(image, x, y)[1];
            (x < 100 ? bright_left : bright_right) += g > 200 ? 1 : 0;
            dark += g < 0x14 ? 1 : 0;
        }
    EXPECT_EQ(bright_left, 0);
    EXPECT_GT(bright_right, 150);
    EXPECT_GT(dark, 100) << "the halo";
}

TEST_F(Pixels, LabelsAreNotHiddenAndDoNotOverlap) {
    DrawList list = plain();
    for (int i = 0; i < 3; ++i) {
        Label label;
        label.position = {0, 0, -100.0f};
        label.text = "same place";
        label.color = kWhite;
        list.labels.push_back(label);
    }
    const TestMesh cube = cube_mesh();
    list.meshes.push_back({stage.renderer->upload(cube.positions, cube.triangles),
                           placed({0, 0, 0}, glm::vec3(60)), rgb(0x202020)});
    const Image one_over_another = picture(list);
    EXPECT_EQ(stage.renderer->stats().labels_moved, 2u);
    EXPECT_EQ(stage.renderer->stats().labels_faded, 0u);
    int bright = 0;
    for (int y = 0; y < kSize.y; ++y)
        for (int x = 0; x < kSize.x; ++x)
            bright += pixel(one_over_another, x, y)[1] > 200 ? 1 : 0;
    EXPECT_GT(bright, 150);
}

TEST_F(Pixels, ScreenRectsAndTextsCountFromTheirEdges) {
    DrawList list = plain();
    list.screen_rects.push_back({{10, 10}, {30, 20}, kRed, 0});
    list.screen_rects.push_back({{-30, -20}, {-10, -10}, kGreen, 0});
    ScreenText text;
    text.position_px = {-10, 50};
    text.anchor = Label::Anchor::Right;
    text.text = "right";
    text.color = kWhite;
    text.panel = rgb(0x000000);
    list.screen_texts.push_back(text);
    const Image image = picture(list);
    EXPECT_TRUE(near(pixel(image, 10, 10), bytes(kRed))) << "first pixel inside";
    EXPECT_TRUE(near(pixel(image, 29, 19), bytes(kRed))) << "last pixel inside";
    EXPECT_TRUE(near(pixel(image, 30, 15), {0x10, 0x20, 0x30}));
    EXPECT_TRUE(near(pixel(image, 9, 15), {0x10, 0x20, 0x30}));
    EXPECT_TRUE(near(pixel(image, 170, 140), bytes(kGreen)));
    EXPECT_TRUE(near(pixel(image, 189, 149), bytes(kGreen)));
    int bright = 0;
    for (int y = 48; y < 66; ++y)
        for (int x = 150; x < 190; ++x)
            bright += pixel(image, x, y)[0] > 200 ? 1 : 0;
    EXPECT_GT(bright, 30);
    EXPECT_TRUE(near(pixel(image, 192, 55), {0, 0, 0})) << "the panel reaches around the text";
}

TEST_F(Pixels, TheGridIsThereAndFades) {
    DrawList list = plain();
    list.ground.grid = list.ground.axes = true;
    view = look(kSize, {3, 4, 8}, {0, 0, 0});
    EXPECT_GT(touched(picture(list)), 1000);
    view = look(kSize, {5000, 4, 5008}, {5000, 0, 5000});
    const Image far_away = picture(list);
    int strongest = 0;
    for (int x = 0; x < kSize.x; ++x)
        strongest = std::max(strongest, pixel(far_away, x, 120)[0]);
    EXPECT_GT(strongest, 0x20) << "lines are still sharp five kilometers out";
    view = look(kSize, {0, 5, 10}, {0, 5.5f, 0});
    const Image horizon = picture(list);
    for (int x = 0; x < kSize.x; ++x)
        EXPECT_TRUE(near(pixel(horizon, x, 10), {0x10, 0x20, 0x30})) << "sky";
}

TEST_F(Pixels, AFrameOfSizeZeroIsSkipped) {
    DrawList list = plain();
    view.framebuffer_px = {0, 0};
    stage.renderer->draw(list, view);
    EXPECT_TRUE(stage.renderer->read_pixels().empty());
    view.framebuffer_px = {200, 0};
    view.projection = glm::mat4(std::numeric_limits<float>::quiet_NaN());
    stage.renderer->draw(list, view);
    EXPECT_TRUE(stage.renderer->read_pixels().empty());
    view = pixel_view({64, 32});
    EXPECT_EQ(picture(list).size, glm::ivec2(64, 32)) << "and the next one is drawn, at another size";
}

DrawList busy() {
    DrawList list;
    for (int i = 0; i < 40; ++i) {
        const auto s = static_cast<float>(i);
        const glm::vec3 at(3 * std::sin(s * 2.1f), std::sin(s), 3 * std::cos(s * 1.3f));
        list.wire_aabbs.push_back({at - 0.3f, kGreen, at + 0.3f, 1.5f});
        list.wire_spheres.push_back({at, 0.4f, kRed, 1.5f});
        list.solid_spheres.push_back({at, 0.3f, kRed.with_alpha(0.3f)});
        Label label;
        label.position = at;
        label.text = "n" + std::to_string(i);
        list.labels.push_back(label);
    }
    return list;
}

TEST_F(Pixels, TheSameListGivesTheSamePixels) {
    view = look(kSize, {3, 4, 8}, {0, 0, 0});
    const Image first = picture(busy());
    const Image second = picture(busy());
    EXPECT_EQ(first.rgba, second.rgba);
    Stage other(kSize);
    EXPECT_EQ(other.picture(busy(), view).rgba, first.rgba) << "in a new context, too";
}

TEST_F(Pixels, UnchangedInstancesAreNotSentAgain) {
    view = look(kSize, {3, 4, 8}, {0, 0, 0});
    DrawList list;
    for (int i = 0; i < 1000; ++i)
        list.wire_aabbs.push_back({glm::vec3(0), kGreen, glm::vec3(1), 1.0f});
    picture(list);
    EXPECT_GE(stage.renderer->stats().bytes_uploaded, 32'000u);
    picture(list);
    EXPECT_LT(stage.renderer->stats().bytes_uploaded, 1'000u);
    list.wire_aabbs[500].max.x = 2.0f;
    picture(list);
    EXPECT_GE(stage.renderer->stats().bytes_uploaded, 32'000u);
}

TEST_F(Pixels, PanesShareTheFramebuffer) {
    const DrawList left = plain(rgb(0x800000)), right = plain(rgb(0x000080));
    View half = pixel_view(kSize);
    const std::array panes{Pane{&left, half, {0, 0}, {100, 160}}, Pane{&right, half, {100, 0}, {100, 160}}};
    stage.renderer->draw(panes);
    const Image image = stage.renderer->read_pixels();
    EXPECT_TRUE(near(pixel(image, 99, 80), {0x80, 0, 0}));
    EXPECT_TRUE(near(pixel(image, 100, 80), {0, 0, 0x80}));
}

TEST_F(Pixels, EveryQualityDrawsTheSameScene) {
    view = look(kSize, {3, 4, 8}, {0, 0, 0});
    const Image best = Stage(kSize, Quality::Best).picture(busy(), view);
    const Image fast = Stage(kSize, Quality::Fast).picture(busy(), view);
    double difference = 0;
    for (std::size_t i = 0; i < best.rgba.size(); ++i)
        difference += std::abs(best.rgba[i] - fast.rgba[i]);
    EXPECT_LT(difference / static_cast<double>(best.rgba.size()), 4.0);
    EXPECT_GT(difference, 0.0) << "multisampling and seams differ";
}

TEST_F(Pixels, ReadingMakesNoAlpha) {
    DrawList list = busy();
    const Image image = picture(list);
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        ASSERT_EQ(image.rgba[i], 255);
}

TEST_F(Pixels, TexturesForPanelsComeAndGo) {
    TextureStore& textures = stage.renderer->textures();
    Image image;
    image.size = {2, 2};
    image.rgba.assign(16, 200);
    const TextureHandle handle = textures.create(image);
    EXPECT_NE(handle.native, 0u);
    image.size = {4, 1};
    textures.update(handle, image);
    image.rgba.pop_back();
    textures.update(handle, image);  // too short: ignored
    textures.remove(handle);
    textures.update(handle, image);
    picture(plain());
}

}  // namespace
