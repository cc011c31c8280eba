// What the renderer computes before text is drawn: glyphs, layout, places of labels.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "render/font.hpp"
#include "render/text/declutter.hpp"
#include "render/text/glyph_atlas.hpp"
#include "render/text/layout.hpp"
#include "render/text/symbols.hpp"

using namespace lab::render;

namespace {

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
