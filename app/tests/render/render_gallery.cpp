// Draws every kind of thing that the renderer knows, with labels, into PNG files, to be looked at.
//   render_gallery [FOLDER]
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "render_test_tools.hpp"

using namespace lab;
using namespace lab::render;
using namespace lab::test;

namespace {

// Okabe and Ito's colors, somewhat lifted for a dark ground.
constexpr Color kOrange = rgb(0xE69F00), kSky = rgb(0x56B4E9), kGreen = rgb(0x22B58A),
                kYellow = rgb(0xF0E442), kBlue = rgb(0x4A90D9), kRed = rgb(0xE8703A), kPink = rgb(0xCC79A7),
                kWhite = rgb(0xECEFF4);

struct Meshes {
    MeshHandle cube, torus, ball;
    explicit Meshes(Renderer& renderer) {
        const auto up = [&](const TestMesh& m) { return renderer.upload(m.positions, m.triangles); };
        cube = up(cube_mesh());
        torus = up(torus_mesh(0.38f, 64, 28));
        ball = up(sphere_mesh(48, 24));
    }
};

Label label(glm::vec3 at, std::string text, Color color = kWhite,
            Label::Anchor anchor = Label::Anchor::Center) {
    Label l;
    l.position = at;
    l.text = std::move(text);
    l.color = color;
    l.size_px = 18.0f;
    l.anchor = anchor;
    return l;
}

void legend(DrawList& list, const std::string& title) {
    ScreenText t;
    t.position_px = {28, 24};
    t.text = title;
    t.color = kWhite;
    t.size_px = 24.0f;
    t.panel = {16, 18, 24, 200};
    list.screen_texts.push_back(t);
}

DrawList every_kind(const Meshes& meshes) {
    DrawList list;
    list.ground.height = -1.3f;
    list.ground.axes = false;
    const auto at = [](int i, int j) {
        return glm::vec3(-6.0f + 3.0f * static_cast<float>(i), 0.0f, -3.2f * static_cast<float>(j));
    };
    const auto name = [&](int i, int j, const char* text) {
        list.labels.push_back(label(at(i, j) + glm::vec3(0, 1.5f, 0), text));
    };
    const glm::vec3 tilt = glm::normalize(glm::vec3(0.4f, 1.0f, 0.2f));

    list.meshes.push_back({meshes.torus, placed(at(0, 0), glm::vec3(0.75f), 0.9f, {1, 0, 0.3f}), kSky});
    name(0, 0, "MeshInstance");
    for (int i = 0; i < 5; ++i) {
        const float w = 1.0f + 1.5f * static_cast<float>(i), y = 0.8f - 0.4f * static_cast<float>(i);
        list.lines.push_back(
            {at(1, 0) + glm::vec3(-0.9f, y, 0), kOrange, at(1, 0) + glm::vec3(0.9f, y + 0.25f, 0), w});
    }
    name(1, 0, "Line 1 → 7 px");
    list.wire_aabbs.push_back({at(2, 0) - 0.8f, kGreen, at(2, 0) + 0.8f, 2.5f});
    name(2, 0, "WireAabb");
    list.wire_boxes.push_back({placed(at(3, 0), {0.9f, 0.5f, 0.6f}, 0.7f, tilt), kPink, 2.5f});
    name(3, 0, "WireBox");
    list.wire_spheres.push_back({at(4, 0), 0.95f, kYellow, 2.5f});
    name(4, 0, "WireSphere");
    list.solid_boxes.push_back({placed(at(0, 1), glm::vec3(0.8f), 0.5f), kGreen.with_alpha(0.3f)});
    list.meshes.push_back({meshes.ball, placed(at(0, 1), glm::vec3(0.45f)), kRed});
    name(0, 1, "SolidBox around a mesh");
    list.solid_spheres.push_back({at(1, 1), 0.95f, kSky.with_alpha(0.3f)});
    list.meshes.push_back({meshes.cube, placed(at(1, 1), glm::vec3(0.4f), 0.6f), kOrange});
    name(1, 1, "SolidSphere around a mesh");
    for (int i = 0; i < 4; ++i) {
        const float a = 1.5708f * static_cast<float>(i), b = a + 1.5708f;
        list.solid_triangles.push_back(
            {at(2, 1) + glm::vec3(0, 0.9f, 0), at(2, 1) + glm::vec3(std::cos(a), -0.5f, std::sin(a)),
             at(2, 1) + glm::vec3(std::cos(b), -0.5f, std::sin(b)), kPink.with_alpha(0.4f)});
    }
    name(2, 1, "SolidTriangle × 4");
    for (int i = 0; i < 6; ++i)
        list.points.push_back({at(3, 1) + glm::vec3(-0.9f + 0.36f * static_cast<float>(i),
                                                    -0.4f + 0.2f * static_cast<float>(i), 0),
                               kYellow, 4.0f + 4.0f * static_cast<float>(i)});
    name(3, 1, "Point 4 → 24 px");
    list.meshes.push_back({meshes.cube, placed(at(4, 1), glm::vec3(0.7f), 0.4f), kBlue});
    list.overlay_lines.push_back(
        {at(4, 1) - glm::vec3(1.2f, 0, 0), kRed, at(4, 1) + glm::vec3(1.2f, 0, 0), 4.0f});
    name(4, 1, "overlay Line");
    legend(list, "Every kind of thing in a DrawList");
    return list;
}

void add_body(DrawList& list, MeshHandle mesh, glm::vec3 at, float turn, float size, Color color,
              bool volumes) {
    const glm::vec3 axis = glm::normalize(glm::vec3(0.3f, 1.0f, 0.5f));
    list.meshes.push_back({mesh, placed(at, glm::vec3(size), turn, axis), color});
    if (!volumes) return;
    list.wire_spheres.push_back({at, size * 1.38f, kYellow, 1.6f});
    list.wire_aabbs.push_back({at - size * 1.3f, kGreen, at + size * 1.3f, 1.8f});
    list.wire_boxes.push_back({placed(at, glm::vec3(1.39f, 0.39f, 1.39f) * size, turn, axis), kPink, 1.8f});
}

DrawList scene(const Meshes& meshes) {
    DrawList list;
    list.ground.height = -3.0f;
    for (int i = 0; i < 24; ++i) {
        const float s = static_cast<float>(i);
        const glm::vec3 at(5.5f * std::sin(s * 2.4f), 2.2f * std::sin(s * 1.7f),
                           5.5f * std::cos(s * 2.4f + 0.4f * s));
        const Color colors[] = {rgb(0x9DB4C8), rgb(0xC8B89D), rgb(0x9DC8A9)};
        const MeshHandle kinds[] = {meshes.torus, meshes.cube, meshes.ball};
        add_body(list, kinds[i % 3], at, s, 0.45f + 0.1f * std::sin(s), colors[i % 3], i % 3 == 0);
    }
    list.wire_aabbs.push_back({glm::vec3(-7, -3, -7), kWhite.with_alpha(0.35f), glm::vec3(7, 3, 7), 1.5f});
    list.lines.push_back({{-9, 1, 9}, kRed, {3, 0.2f, -3}, 3.0f});
    list.points.push_back({{3, 0.2f, -3}, kRed, 12.0f});
    list.labels.push_back(label({3, 0.2f, -3}, "hit  t = 12.74 m", kRed, Label::Anchor::Above));
    legend(list, "A scene: meshes, volumes, a ray");
    return list;
}

DrawList text_page() {
    DrawList list;
    list.ground.grid = false;
    list.ground.axes = false;
    const char* const lines[] = {
        "The quick brown fox — 0123456789 (AVAT, Tøp, naïve, Größe)",
        "left ∩ right, A ∪ B, x ∈ S, a ⊂ b, ∅, a ∥ b, n ⟂ d, p ∧ q ∨ r",
        "−1.5 × 10³ m², 90°, ±0.5 µm, θ = λ/2, α β γ Δ π Σ φ ω √2 ≤ x ≥ ∞ ≈ ≠",
        "← ↑ → ↓ ↔ ▲ ▼ ▶ ■ ● ✓ ✗   missing: 轴 凸",
    };
    float y = 30;
    for (const float size : {12.0f, 15.0f, 18.0f, 24.0f, 34.0f}) {
        for (const char* line : lines) {
            ScreenText t;
            t.position_px = {30, y};
            t.text = line;
            t.size_px = size;
            t.color = kWhite;
            list.screen_texts.push_back(t);
            y += size * 1.35f;
        }
        y += 12;
    }
    return list;
}

DrawList crowd_of_labels() {
    DrawList list;
    for (int i = 0; i < 60; ++i) {
        const float s = static_cast<float>(i);
        const glm::vec3 at(3.5f * std::sin(s * 2.4f), 1.8f * std::sin(s * 1.1f), 3.5f * std::cos(s * 1.9f));
        list.points.push_back({at, kSky, 7.0f});
        list.labels.push_back(label(at, "body " + std::to_string(i), kWhite, Label::Anchor::Above));
        list.labels.back().size_px = 15.0f;
    }
    legend(list, "Sixty labels, none over another");
    return list;
}

DrawList light_theme(const Meshes& meshes) {
    DrawList list = every_kind(meshes);
    list.background_top = rgb(0xF7F8FA);
    list.background_bottom = rgb(0xDDE2EA);
    list.ground.line = {70, 80, 95, 120};
    for (Label& l : list.labels) {
        l.color = rgb(0x1B2430);
        l.halo = {255, 255, 255, 210};
    }
    for (ScreenText& t : list.screen_texts) {
        t.color = rgb(0x1B2430);
        t.halo = {255, 255, 255, 0};
        t.panel = {255, 255, 255, 220};
    }
    return list;
}

DrawList nested(const Meshes& meshes) {
    DrawList list;
    list.ground.height = -2.0f;
    list.meshes.push_back(
        {meshes.torus, placed({-3, 0, 0}, glm::vec3(1.0f), 0.8f, {1, 0.3f, 0}), rgb(0xB8C4D0)});
    list.solid_spheres.push_back({{-3, 0, 0}, 1.4f, kYellow.with_alpha(0.16f)});
    list.wire_spheres.push_back({{-3, 0, 0}, 1.4f, kYellow, 2.0f});
    list.solid_boxes.push_back({placed({-3, 0, 0}, glm::vec3(1.4f)), kSky.with_alpha(0.10f)});
    list.wire_aabbs.push_back({glm::vec3(-4.4f, -1.4f, -1.4f), kSky, glm::vec3(-1.6f, 1.4f, 1.4f), 2.0f});
    for (int i = 0; i < 4; ++i) {
        const float s = static_cast<float>(i);
        list.solid_boxes.push_back({placed({2.0f + 0.7f * s, 0, -1.2f * s}, {0.9f, 1.2f, 0.1f}, 0.3f),
                                    (i % 2 == 0 ? kRed : kGreen).with_alpha(0.45f)});
    }
    legend(list, "Translucent volumes, nested and one behind the other");
    return list;
}

bool save(Stage& stage, const std::filesystem::path& folder, const char* name, const DrawList& list,
          const View& view) {
    const Image image = stage.picture(list, view);
    const RenderStats& stats = stage.renderer->stats();
    std::printf("%-16s %ux%u  %u draw calls, %u instances, %u driver errors\n", name, image.size.x,
                image.size.y, stats.draw_calls, stats.instances, stats.driver_errors);
    return write_png(folder / (std::string(name) + ".png"), image);
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "gallery";
    std::filesystem::create_directories(folder);
    const glm::ivec2 size(1280, 720);
    Stage stage(size);
    const Meshes meshes(*stage.renderer);
    const View front = look(size, {0, 3.2f, 10.5f}, {0, 0.1f, -1.2f});
    bool good = save(stage, folder, "kinds", every_kind(meshes), front);
    good &= save(stage, folder, "kinds_light", light_theme(meshes), front);
    good &= save(stage, folder, "scene", scene(meshes), look(size, {11, 6, 14}, {0, -0.5f, 0}));
    good &= save(stage, folder, "text", text_page(), front);
    good &= save(stage, folder, "labels", crowd_of_labels(), look(size, {5, 3, 8}, {0, 0, 0}));
    good &= save(stage, folder, "nested", nested(meshes), look(size, {3, 3, 9}, {0, 0, 0}));
    DrawList origin;
    good &= save(stage, folder, "axes", origin, look(size, {3, 2, 4}, {0, 0, 0}));
    View hidpi = look(size * 2, {0, 3.2f, 10.5f}, {0, 0.1f, -1.2f});
    hidpi.content_scale = 2.0f;
    good &= save(stage, folder, "kinds_scale2", every_kind(meshes), hidpi);
    return good ? 0 : 1;
}
