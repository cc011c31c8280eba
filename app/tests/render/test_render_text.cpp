// What the renderer computes before anything is drawn: normals, glyphs, text layout, places of labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <random>
#include <set>

#include "render/font.hpp"
#include "render/mesh/normals.hpp"
#include "render/mesh/simplify.hpp"
#include "render/text/declutter.hpp"
#include "render/text/glyph_atlas.hpp"
#include "render/text/layout.hpp"
#include "render/text/symbols.hpp"

using namespace lab::render;

namespace {

constexpr float kCrease = 0.7f;

TEST(Normals, ACubeKeepsItsEdges) {
    std::vector<glm::vec3> p;
    for (int i = 0; i < 8; ++i)
        p.emplace_back((i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f, (i & 4) != 0 ? 1.0f : -1.0f);
    const std::vector<glm::uvec3> t{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_EQ(mesh.indices.size(), 36u);
    EXPECT_EQ(mesh.vertices.size(), 24u) << "three normals a corner, shared by the two triangles of a face";
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const LitVertex &a = mesh.vertices[mesh.indices[i]], &b = mesh.vertices[mesh.indices[i + 1]],
                        &c = mesh.vertices[mesh.indices[i + 2]];
        const glm::vec3 face = glm::normalize(glm::cross(b.position - a.position, c.position - a.position));
        EXPECT_GT(glm::dot(face, a.position), 0.5f) << "outward";
        for (const LitVertex* v : {&a, &b, &c})
            EXPECT_GT(glm::dot(v->normal, face), 0.9999f);
    }
}

TEST(Normals, LooseTrianglesOfARoundThingAreSmoothed) {
    // A prism of 24 sides as a triangle soup.
    std::vector<glm::vec3> p;
    std::vector<glm::uvec3> t;
    for (int i = 0; i < 24; ++i) {
        const auto at = [](int k, float y) {
            const float a = 6.2831853f * static_cast<float>(k % 24) / 24.0f;
            return glm::vec3(std::cos(a), y, -std::sin(a));
        };
        const auto n = static_cast<unsigned>(p.size());
        p.insert(p.end(), {at(i, 0), at(i + 1, 0), at(i + 1, 1), at(i, 0), at(i + 1, 1), at(i, 1)});
        t.insert(t.end(), {{n, n + 1, n + 2}, {n + 3, n + 4, n + 5}});
    }
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_LE(mesh.vertices.size(), 2u * 24u) << "welded";
    for (const LitVertex& v : mesh.vertices) {
        const glm::vec3 outward(v.position.x, 0.0f, v.position.z);
        EXPECT_GT(glm::dot(v.normal, glm::normalize(outward)), 0.99f);
    }
}

TEST(Normals, DamagedMeshesLeaveWhatIsGood) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                    kInf = std::numeric_limits<float>::infinity();
    const std::vector<glm::vec3> p{{0, 0, 0},    {1, 0, 0},    {0, 1, 0},
                                   {kNan, 0, 0}, {0, kInf, 0}, {3e38f, -3e38f, 3e38f}};
    const std::vector<glm::uvec3> t{{0, 1, 2}, {0, 1, 3}, {0, 4, 2}, {0, 1, 6},
                                    {0, 0, 0}, {0, 5, 1}, {7, 8, 9}};
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_EQ(mesh.indices.size(), 9u);
    for (const unsigned index : mesh.indices)
        ASSERT_LT(index, mesh.vertices.size());
    for (const LitVertex& v : mesh.vertices)
        EXPECT_NEAR(glm::length(v.normal), 1.0f, 1e-4f);
    EXPECT_TRUE(light({}, {}, kCrease).indices.empty());
    EXPECT_TRUE(light(p, {}, kCrease).indices.empty());
}

TEST(Normals, AHugeFanTakesNoQuadraticTime) {
    std::vector<glm::vec3> p{{0, 0.5f, 0}};
    std::vector<glm::uvec3> t;
    constexpr unsigned kRim = 200'000;
    for (unsigned i = 0; i < kRim; ++i) {
        const float a = 6.2831853f * static_cast<float>(i) / kRim;
        p.emplace_back(std::cos(a), 0.0f, -std::sin(a));
        t.emplace_back(0, i + 1, (i + 1) % kRim + 1);
    }
    const LitMesh mesh = light(p, t, kCrease);
    EXPECT_EQ(mesh.indices.size(), t.size() * 3);
}

// A closed strip of quads around the unit circle, `n` around and `n` along an axis of length 2.
SimpleMesh tube(unsigned n) {
    SimpleMesh mesh;
    for (unsigned j = 0; j <= n; ++j)
        for (unsigned i = 0; i < n; ++i) {
            const float a = 6.2831853f * static_cast<float>(i) / static_cast<float>(n);
            mesh.positions.emplace_back(std::cos(a), 2.0f * static_cast<float>(j) / static_cast<float>(n),
                                        -std::sin(a));
        }
    for (unsigned j = 0; j < n; ++j)
        for (unsigned i = 0; i < n; ++i) {
            const unsigned a = j * n + i, b = j * n + (i + 1) % n;
            mesh.triangles.emplace_back(a, b, a + n);
            mesh.triangles.emplace_back(b, b + n, a + n);
        }
    return mesh;
}

TEST(Simplify, StaysNearTheSurfaceWithFarFewerTriangles) {
    const SimpleMesh fine = tube(120);
    const SimpleMesh coarse = simplify(fine.positions, fine.triangles, 16);
    EXPECT_LT(coarse.triangles.size() * 10, fine.triangles.size());
    EXPECT_GT(coarse.triangles.size(), 200u);
    EXPECT_NEAR(coarse.error, 0.5f * 2.0f / 16.0f, 1e-3f);
    for (const glm::vec3& p : coarse.positions)
        EXPECT_NEAR(std::hypot(p.x, p.z), 1.0f, 2.0f * coarse.error);
    std::set<std::array<unsigned, 3>> seen;
    for (const glm::uvec3& t : coarse.triangles) {
        ASSERT_LT(std::max({t.x, t.y, t.z}), coarse.positions.size());
        EXPECT_TRUE(t.x != t.y && t.y != t.z && t.z != t.x);
        EXPECT_TRUE(seen.insert({t.x, t.y, t.z}).second);
        const glm::vec3 normal = glm::cross(coarse.positions[t.y] - coarse.positions[t.x],
                                            coarse.positions[t.z] - coarse.positions[t.x]);
        const glm::vec3 middle = coarse.positions[t.x] + coarse.positions[t.y] + coarse.positions[t.z];
        EXPECT_GE(normal.x * middle.x + normal.z * middle.z, -1e-3f) << "still facing outward";
    }
}

TEST(Simplify, DamagedMeshesAreHarmless) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<glm::vec3> p{{0, 0, 0},    {1, 0, 0},     {0, 1, 0},
                                   {kNan, 0, 0}, {3e38f, 0, 0}, {-3e38f, 0, 0}};
    const std::vector<glm::uvec3> t{{0, 1, 2}, {0, 1, 3}, {9, 1, 2}};
    EXPECT_TRUE(simplify(p, t, 8).triangles.empty()) << "too large to measure";
    EXPECT_EQ(simplify(std::span(p).first(4), t, 8).triangles.size(), 1u);
    EXPECT_TRUE(simplify({}, {}, 8).positions.empty());
    const std::vector<glm::vec3> same(5, glm::vec3(2.0f));
    EXPECT_TRUE(simplify(same, t, 8).triangles.empty());
}

TEST(Text, Utf8IsReadAndDamageSkipped) {
    const auto all = [](std::string_view text) {
        std::u32string out;
        while (!text.empty())
            out += next_code_point(text);
        return out;
    };
    EXPECT_EQ(all("aé∩😀"), U"aé∩😀");
    EXPECT_EQ(all("\xC3"), U"\xFFFD") << "cut off";
    EXPECT_EQ(all("\x80x"), U"\xFFFDx") << "starts in the middle";
    EXPECT_EQ(all("\xC0\xAF"), U"\xFFFD\xFFFD") << "longer than needed";
    EXPECT_EQ(all("\xED\xA0\x80").substr(0, 1), U"\xFFFD") << "half of a pair";
    EXPECT_EQ(all("\xF7\xBF\xBF\xBF").substr(0, 1), U"\xFFFD") << "beyond the last code point";
}

TEST(Text, LayoutMeasuresAndAligns) {
    GlyphAtlas atlas(roboto_medium());
    const TextBlock one = layout(atlas, "Overlap", 20, TextAlign::Left);
    const TextBlock two = layout(atlas, "Overlap\nno", 20, TextAlign::Right);
    EXPECT_EQ(one.glyphs.size(), 7u);
    EXPECT_GT(one.size_px.x, 50.0f);
    EXPECT_LT(one.size_px.x, 90.0f);
    EXPECT_EQ(two.size_px.x, one.size_px.x);
    EXPECT_NEAR(two.size_px.y - one.size_px.y, atlas.metrics(20).line_px, 1.0f);
    EXPECT_GT(two.glyphs[7].min_px.x, 30.0f) << "the short line ends at the right";
    EXPECT_LT(layout(atlas, "AVAV", 40, TextAlign::Left).size_px.x,
              4.0f * layout(atlas, "A", 40, TextAlign::Left).size_px.x)
        << "kerned";
    EXPECT_TRUE(layout(atlas, "", 20, TextAlign::Left).glyphs.empty());
    EXPECT_NEAR(layout(atlas, "x", 1e9f, TextAlign::Left).font_px, 200, 0) << "sizes are clamped";
}

/// Plates are as wide as their text: measured apart from the layout, and never much wider than it.
TEST(Text, TheMeasuredWidthIsThatOfTheLayout) {
    GlyphAtlas atlas(roboto_medium());
    for (const char* words : {"tree node", "order along the Morton curve", "Cost, m²", "1.333 × 10 m³",
                              "−0.31 m", "AVAVA To Te", "handle: drag it", "0123456789", "…", ""})
        for (const float size : {12.0f, 14.0f, 17.0f, 22.0f}) {
            const float laid_out = layout(atlas, words, size, TextAlign::Left).size_px.x;
            const float measured = text_width_px(words, size);
            EXPECT_GE(measured, laid_out - 0.5f) << words;
            EXPECT_LE(measured, 1.06f * laid_out + 0.5f) << words;
            // At other display scales sizes are fractions.
            for (const float scale : {1.1f, 1.25f, 1.5f, 1.75f, 2.5f})
                EXPECT_LE(layout(atlas, words, scale * size, TextAlign::Left).size_px.x,
                          scale * measured + 0.5f)
                    << words << " at " << scale << " x " << size;
        }
}

TEST(Text, EverySignOfTheLabHasAShape) {
    GlyphAtlas atlas(roboto_medium());
    std::string_view signs = "−×·≤≥∩∪→←↑↓↔°²³µθλαβγΔπΣσφω√∞≠≈∈⊂∅½…–—⟂∥±✓✗▲▼●■ÄÖÜäöüßéñ";
    const Symbol box = missing_symbol();
    while (!signs.empty()) {
        const char32_t code = next_code_point(signs);
        const Glyph glyph = atlas.glyph(code, 24);
        EXPECT_GT(glyph.size.x, 0) << static_cast<unsigned>(code);
        int inside = 0;
        for (int y = 0; y < glyph.size.y; ++y)
            for (int x = 0; x < glyph.size.x; ++x)
                inside += atlas.pixels()[(glyph.texel.y + y) * GlyphAtlas::kWidth + glyph.texel.x + x] >= 128
                              ? 1
                              : 0;
        EXPECT_GT(inside, 4) << static_cast<unsigned>(code);
        // Its picture is about as wide as its advance: a reader that scales a glyph twice is found out here.
        EXPECT_LT(static_cast<float>(glyph.size.x), glyph.advance_px + 24.0f) << static_cast<unsigned>(code);
    }
    EXPECT_NEAR(atlas.glyph(U'轴', 24).advance_px, box.advance * 24.0f, 1e-3f) << "a box for what is missing";
}

TEST(Text, TheAtlasGrowsAndStartsOver) {
    GlyphAtlas atlas(roboto_medium());
    (void)atlas.take_dirty_rows();
    bool full = false;
    for (int size = 200; !full && size > 190; --size)
        for (char32_t c = U'A'; !full && c < 0x7F; ++c)
            full = atlas.glyph(c, size).size.x == 0;
    EXPECT_TRUE(full) << "the last one found no room and stays blank";
    EXPECT_EQ(atlas.height(), GlyphAtlas::kMaxHeight);
    atlas.make_room();
    const Glyph fresh = atlas.glyph(U'A', 100);
    EXPECT_EQ(fresh.texel, glm::ivec2(0));
    EXPECT_GT(fresh.size.x, 0);
    const glm::ivec2 rows = atlas.take_dirty_rows();
    EXPECT_EQ(rows.y - rows.x, GlyphAtlas::kMaxHeight);
}

TEST(Declutter, RandomLabelsNeverOverlap) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> x(20, 1200), y(20, 680), width(20, 120);
    for (const std::size_t count : {2u, 30u, 150u, 600u}) {
        std::vector<LabelBox> labels;
        for (std::size_t i = 0; i < count; ++i) {
            const glm::vec2 at(x(random), y(random));
            const float half = 0.5f * width(random);
            labels.push_back(
                {{at - glm::vec2(half, 26), at + glm::vec2(half, -8)}, at.y, {at - 3.0f, at + 3.0f}});
        }
        const Rect area{{0, 0}, {1280, 720}};
        const std::vector<Rect> legend{{{10, 10}, {240, 120}}};
        const std::vector<LabelPlace> places = declutter(labels, legend, area, 60);
        ASSERT_EQ(places.size(), count);
        std::vector<Rect> placed(legend);
        std::size_t crowded = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (places[i].crowded_out) {
                ++crowded;
                continue;
            }
            const Rect r{labels[i].rect.min + places[i].offset, labels[i].rect.max + places[i].offset};
            EXPECT_GE(r.min.x, -1.0f);
            EXPECT_GE(r.min.y, -1.0f);
            EXPECT_LE(r.max.x, 1281.0f);
            for (const Rect& other : placed)
                ASSERT_FALSE(r.min.x < other.max.x && other.min.x < r.max.x && r.min.y < other.max.y &&
                             other.min.y < r.max.y);
            placed.push_back(r);
        }
        if (count <= 30) {
            EXPECT_EQ(crowded, 0u);
        }
        const std::vector<LabelPlace> again = declutter(labels, legend, area, 60);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(again[i].offset, places[i].offset);
    }
}

TEST(Declutter, ALoneLabelStaysWhereItWantsToBe) {
    const std::vector<LabelBox> one{{{{100, 100}, {150, 118}}, 1.0f, {}}};
    const std::vector<LabelPlace> places = declutter(one, {}, {{0, 0}, {640, 480}}, 50);
    EXPECT_EQ(places[0].offset, glm::vec2(0.0f));
    EXPECT_FALSE(places[0].crowded_out);
    const std::vector<LabelBox> at_edge{{{{-10, 100}, {40, 118}}, 1.0f, {}}};
    EXPECT_EQ(declutter(at_edge, {}, {{0, 0}, {640, 480}}, 50)[0].offset, glm::vec2(10, 0))
        << "into the picture";
}

TEST(Declutter, AmongFewALabelGoesFarther) {
    const std::vector<Rect> plate{{{60, 60}, {190, 160}}};
    std::vector<LabelBox> labels{{{{100, 100}, {150, 118}}, 1.0f, {}}};
    const LabelPlace alone = declutter(labels, plate, {{0, 0}, {640, 480}}, 30)[0];
    EXPECT_FALSE(alone.crowded_out);
    EXPECT_GT(glm::length(alone.offset), 30.0f);
    for (int i = 0; i < 60; ++i) {
        const glm::vec2 at(10 * (i % 20), 200 + 60 * (i / 20));
        labels.push_back({{at, at + 5.0f}, 2.0f, {}});
    }
    EXPECT_TRUE(declutter(labels, plate, {{0, 0}, {640, 480}}, 30)[0].crowded_out);
}

TEST(Declutter, NearerLabelsChooseFirst) {
    const Rect same{{100, 100}, {150, 118}};
    const std::vector<LabelBox> two{{same, 9.0f, {}}, {same, 1.0f, {}}};
    const std::vector<LabelPlace> places = declutter(two, {}, {{0, 0}, {640, 480}}, 50);
    EXPECT_EQ(places[1].offset, glm::vec2(0.0f));
    EXPECT_NE(places[0].offset, glm::vec2(0.0f));
}

}  // namespace
