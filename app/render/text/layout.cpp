#include "render/text/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/font.hpp"

namespace lab::render {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Row {
    std::size_t first = 0, last = 0;  // glyphs
    float width = 0;
};

}  // namespace

char32_t next_code_point(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const int length = lead < 0x80         ? 1
                       : (lead >> 5) == 6  ? 2
                       : (lead >> 4) == 14 ? 3
                       : (lead >> 3) == 30 ? 4
                                           : 0;
    char32_t code = length == 1 ? lead : length == 0 ? kReplacement : lead & (0x7Fu >> length);
    bool good = length != 0 && text.size() >= static_cast<std::size_t>(length);
    for (int i = 1; good && i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
        good = (byte >> 6) == 2;
        code = (code << 6) | (byte & 0x3Fu);
    }
    // Neither an overlong encoding, nor a surrogate, nor out of range.
    constexpr char32_t kFirstCode[] = {0, 0, 0x80, 0x800, 0x10000};
    good = good && code >= kFirstCode[length] && code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
    text.remove_prefix(good ? static_cast<std::size_t>(length) : 1);
    return good ? code : kReplacement;
}

TextBlock layout(GlyphAtlas& atlas, std::string_view text, float size_px, TextAlign align) {
    TextBlock block;
    block.font_px = GlyphAtlas::usable_size(size_px);
    const FontMetrics font = atlas.metrics(block.font_px);
    std::vector<Row> rows(1);
    glm::vec2 pen(0.0f, std::round(font.cap_height_px));
    char32_t before = 0;
    while (!text.empty()) {
        const char32_t code = next_code_point(text);
        if (code == U'\n') {
            rows.back().last = block.glyphs.size();
            rows.push_back({block.glyphs.size(), block.glyphs.size(), 0.0f});
            pen = {0.0f, std::round(pen.y + font.line_px)};
            before = 0;
            continue;
        }
        if (code < 0x20) continue;
        if (before != 0) pen.x += atlas.kerning_px(before, code, block.font_px);
        const Glyph glyph = atlas.glyph(code, block.font_px);
        if (glyph.size.x > 0) block.glyphs.push_back({glyph, pen + glyph.offset_px});
        pen.x += glyph.advance_px;
        rows.back().width = pen.x;
        before = code;
    }
    rows.back().last = block.glyphs.size();

    for (const Row& row : rows)
        block.size_px.x = std::max(block.size_px.x, row.width);
    block.size_px.y = pen.y + std::round(0.25f * (font.line_px - font.cap_height_px));
    const float share = align == TextAlign::Left ? 0.0f : align == TextAlign::Center ? 0.5f : 1.0f;
    for (const Row& row : rows)
        for (std::size_t i = row.first; i < row.last; ++i)
            block.glyphs[i].min_px.x += share * (block.size_px.x - row.width);
    return block;
}

float text_width_px(std::string_view text, float size_px) {
    constexpr int kMeasured_px = 1000;
    static const GlyphAtlas atlas(roboto_medium());
    static const std::array<float, 128> ascii = [] {
        std::array<float, 128> advances{};
        for (std::size_t code = 0x20; code < advances.size(); ++code)
            advances[code] = atlas.advance_px(static_cast<char32_t>(code), kMeasured_px);
        return advances;
    }();
    float width = 0.0f;
    while (!text.empty()) {
        const char32_t code = next_code_point(text);
        width += code < ascii.size() ? ascii[code] : atlas.advance_px(code, kMeasured_px);
    }
    return width * size_px / static_cast<float>(kMeasured_px);
}

}  // namespace lab::render
