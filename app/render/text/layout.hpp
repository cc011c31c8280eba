// Text layout: UTF-8 text -> positioned glyphs.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <string_view>
#include <vector>

#include "render/text/glyph_atlas.hpp"

namespace lab::render {

struct PlacedGlyph {
    Glyph glyph;
    glm::vec2 min_px{0.0f};  ///< Upper left corner of its picture, from the upper left corner of the block.
};

struct TextBlock {
    std::vector<PlacedGlyph> glyphs;
    glm::vec2 size_px{
        0.0f};  ///< Of the lines, without halos: from the top of the capitals to below the last baseline.
    int font_px = 0;
};

enum class TextAlign : std::uint8_t { Left, Center, Right };

/// Lays out UTF-8 text; each invalid byte becomes U+FFFD. `size_px` is the height of a line.
TextBlock layout(GlyphAtlas& atlas, std::string_view text, float size_px, TextAlign align);

/// The next code point of `text`, which must not be empty; removes it from the front.
char32_t next_code_point(std::string_view& text);

}  // namespace lab::render
