#include "render/text/glyph_atlas.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "render/text/symbols.hpp"

// Internal to this file: other libraries bring their own copy of the same functions.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#pragma GCC diagnostic pop

namespace lab::render {

namespace {

constexpr int kOutline = 128;
constexpr int kFirstHeight = 256;

int padding(int size_px) {
    return std::max(3, static_cast<int>(std::ceil(static_cast<float>(size_px) * 0.2f)) + 1);
}
float value_per_px(int size_px) {
    return 127.0f / static_cast<float>(padding(size_px));
}

}  // namespace

struct GlyphAtlas::Font {
    stbtt_fontinfo info{};
};

GlyphAtlas::GlyphAtlas(std::span<const std::uint8_t> font) : font_(std::make_unique<Font>()) {
    if (font.empty() || stbtt_InitFont(&font_->info, font.data(), 0) == 0)
        throw std::runtime_error("the embedded font is damaged");
    height_ = kFirstHeight;
    pixels_.assign(static_cast<std::size_t>(kWidth) * kFirstHeight, 0);
    dirty_ = {0, kFirstHeight};
}
GlyphAtlas::~GlyphAtlas() = default;
GlyphAtlas::GlyphAtlas(GlyphAtlas&&) noexcept = default;
GlyphAtlas& GlyphAtlas::operator=(GlyphAtlas&&) noexcept = default;

int GlyphAtlas::usable_size(float size_px) {
    // Rounds down, 25.5 to 25, since text must not outgrow the space measured for it. The summand absorbs
    // rounding: 10 * 1.8f still gives 18.
    return static_cast<int>(std::floor(std::clamp(size_px, 6.0f, 200.0f) + 1e-3f));
}
float GlyphAtlas::px_per_value(int size_px) {
    return 255.0f / value_per_px(size_px);
}
float GlyphAtlas::halo_px(int size_px) {
    return static_cast<float>(padding(size_px)) - 1.0f;
}

FontMetrics GlyphAtlas::metrics(int size_px) const {
    int ascent = 0, descent = 0, gap = 0;
    stbtt_GetFontVMetrics(&font_->info, &ascent, &descent, &gap);
    const float scale = stbtt_ScaleForPixelHeight(&font_->info, static_cast<float>(size_px));
    int x0 = 0, y0 = 0, x1 = 0, cap = 0;
    stbtt_GetCodepointBox(&font_->info, 'H', &x0, &y0, &x1, &cap);
    return {static_cast<float>(cap) * scale, static_cast<float>(ascent - descent + gap) * scale};
}

float GlyphAtlas::kerning_px(char32_t left, char32_t right, int size_px) const {
    const float scale = stbtt_ScaleForPixelHeight(&font_->info, static_cast<float>(size_px));
    return scale * static_cast<float>(stbtt_GetCodepointKernAdvance(&font_->info, static_cast<int>(left),
                                                                    static_cast<int>(right)));
}

float GlyphAtlas::advance_px(char32_t code_point, int size_px) const {
    const stbtt_fontinfo* font = &font_->info;
    const int index = stbtt_FindGlyphIndex(font, static_cast<int>(code_point));
    if (index == 0 || drawn_better(code_point))
        return find_symbol(code_point).value_or(missing_symbol()).advance * static_cast<float>(size_px);
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(font, index, &advance, &bearing);
    return static_cast<float>(advance) * stbtt_ScaleForPixelHeight(font, static_cast<float>(size_px));
}

Glyph GlyphAtlas::glyph(char32_t code_point, int size_px) {
    const std::uint64_t key = (static_cast<std::uint64_t>(size_px) << 32) | code_point;
    if (const auto found = glyphs_.find(key); found != glyphs_.end()) return found->second;
    Picture picture = rasterize(code_point, size_px);
    if (!place(picture))
        return picture.glyph;  // no room: left blank this frame, make_room() helps the next one
    glyphs_.emplace(key, picture.glyph);
    return picture.glyph;
}

namespace {

std::vector<std::uint8_t> draw_symbol(const Symbol& symbol, int size_px, Glyph& glyph) {
    const auto size = static_cast<float>(size_px);
    const int pad = padding(size_px);
    glyph.size = {static_cast<int>(std::ceil(symbol.advance * size)) + 2 * pad, size_px + 2 * pad};
    const float top = std::ceil(0.8f * size) + static_cast<float>(pad);
    glyph.offset_px = {-static_cast<float>(pad), -top};
    glyph.advance_px = symbol.advance * size;
    std::vector<std::uint8_t> out;
    out.reserve(static_cast<std::size_t>(glyph.size.x) * static_cast<std::size_t>(glyph.size.y));
    for (int y = 0; y < glyph.size.y; ++y)
        for (int x = 0; x < glyph.size.x; ++x) {
            const glm::vec2 at((static_cast<float>(x - pad) + 0.5f) / size,
                               (top - static_cast<float>(y) - 0.5f) / size);
            const float value = kOutline + distance_inside(symbol, at) * size * value_per_px(size_px);
            out.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0f, 255.0f)));
        }
    return out;
}

}  // namespace

GlyphAtlas::Picture GlyphAtlas::rasterize(char32_t code_point, int size_px) const {
    Picture out;
    const stbtt_fontinfo* font = &font_->info;
    const int index = stbtt_FindGlyphIndex(font, static_cast<int>(code_point));
    if (index == 0 || drawn_better(code_point)) {
        out.values = draw_symbol(find_symbol(code_point).value_or(missing_symbol()), size_px, out.glyph);
        return out;
    }
    const float scale = stbtt_ScaleForPixelHeight(font, static_cast<float>(size_px));
    out.glyph.advance_px = advance_px(code_point, size_px);
    int x = 0, y = 0;
    unsigned char* values =
        stbtt_GetGlyphSDF(font, scale, index, padding(size_px), kOutline, value_per_px(size_px),
                          &out.glyph.size.x, &out.glyph.size.y, &x, &y);
    if (!values) {
        out.glyph.size = {0, 0};  // a space
        return out;
    }
    out.glyph.offset_px = glm::vec2(x, y);
    out.values.assign(values, values + static_cast<std::ptrdiff_t>(out.glyph.size.x) * out.glyph.size.y);
    stbtt_FreeSDF(values, nullptr);
    return out;
}

// Rows from left to right, each as high as its highest picture, with one empty texel around each for the
// filter.
bool GlyphAtlas::place(Picture& picture) {
    Glyph& glyph = picture.glyph;
    if (glyph.size.x == 0) return true;
    if (cursor_.x + glyph.size.x + 1 > kWidth) cursor_ = {0, cursor_.y + row_height_}, row_height_ = 0;
    while (cursor_.y + glyph.size.y + 1 > height_ && height_ < kMaxHeight) {
        height_ *= 2;
        pixels_.resize(static_cast<std::size_t>(kWidth) * static_cast<std::size_t>(height_), 0);
        dirty_ = {0, height_};
    }
    if (cursor_.y + glyph.size.y + 1 > height_ || glyph.size.x + 1 > kWidth) {
        glyph.size = {0, 0};
        return false;
    }
    glyph.texel = cursor_;
    for (int y = 0; y < glyph.size.y; ++y)
        std::copy_n(picture.values.begin() + static_cast<std::ptrdiff_t>(y) * glyph.size.x, glyph.size.x,
                    pixels_.begin() + static_cast<std::ptrdiff_t>(cursor_.y + y) * kWidth + cursor_.x);
    const glm::ivec2 rows(cursor_.y, cursor_.y + glyph.size.y);
    dirty_ = dirty_.x == dirty_.y ? rows : glm::ivec2(std::min(dirty_.x, rows.x), std::max(dirty_.y, rows.y));
    cursor_.x += glyph.size.x + 1;
    row_height_ = std::max(row_height_, glyph.size.y + 1);
    return true;
}

void GlyphAtlas::make_room() {
    if (height_ < kMaxHeight || cursor_.y < kMaxHeight * 3 / 4) return;
    glyphs_.clear();
    std::fill(pixels_.begin(), pixels_.end(), std::uint8_t{0});
    cursor_ = {0, 0};
    row_height_ = 0;
    dirty_ = {0, height_};
}

glm::ivec2 GlyphAtlas::take_dirty_rows() {
    const glm::ivec2 rows = dirty_;
    dirty_ = {0, 0};
    return rows;
}

}  // namespace lab::render
