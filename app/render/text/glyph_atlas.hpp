// A signed distance field per glyph, rasterized on first use at exactly the size at which it is shown. One
// field gives a sharp glyph and a soft halo.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace lab::render {

struct Glyph {
    glm::ivec2 texel{0};        ///< Upper left corner in the atlas.
    glm::ivec2 size{0};         ///< 0 for spaces.
    glm::vec2 offset_px{0.0f};  ///< From the pen on the baseline to the upper left corner, y down.
    float advance_px = 0;
};

struct FontMetrics {
    float cap_height_px = 0;  ///< Baseline to the top of capitals.
    float line_px = 0;        ///< Baseline to baseline.
};

class GlyphAtlas {
  public:
    static constexpr int kWidth = 1024;
    static constexpr int kMaxHeight = 4096;

    /// `font`: TrueType bytes that outlive the atlas. Throws std::runtime_error if they are no font.
    explicit GlyphAtlas(std::span<const std::uint8_t> font);
    ~GlyphAtlas();
    GlyphAtlas(GlyphAtlas&&) noexcept;
    GlyphAtlas& operator=(GlyphAtlas&&) noexcept;

    /// The size is the height of a line of text in px; it is clamped to what is sensible, and rounded
    /// down, so that no text is larger than asked.
    static int usable_size(float size_px);
    /// Px between the values 0 and 255 of the atlas at this size; 128 is the outline.
    static float px_per_value(int size_px);
    /// The widest halo that the fields cover, px.
    static float halo_px(int size_px);

    Glyph glyph(char32_t code_point, int size_px);
    /// The advance of the glyph, without rasterizing it.
    [[nodiscard]] float advance_px(char32_t code_point, int size_px) const;
    [[nodiscard]] float kerning_px(char32_t left, char32_t right, int size_px) const;
    [[nodiscard]] FontMetrics metrics(int size_px) const;

    /// Clears the atlas if it is nearly full. Call between frames: it invalidates glyphs handed out before.
    void make_room();
    /// Rows of `pixels` that changed since the last call, as [first, last); empty when none did.
    glm::ivec2 take_dirty_rows();
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] const std::uint8_t* pixels() const { return pixels_.data(); }

  private:
    struct Font;
    struct Picture {
        std::vector<std::uint8_t> values;
        Glyph glyph;
    };
    Picture rasterize(char32_t code_point, int size_px) const;
    bool place(Picture& picture);

    std::unique_ptr<Font> font_;
    std::unordered_map<std::uint64_t, Glyph> glyphs_;
    std::vector<std::uint8_t> pixels_;
    int height_ = 0;
    glm::ivec2 cursor_{0};  // where the next picture goes
    int row_height_ = 0;
    glm::ivec2 dirty_{0};
};

}  // namespace lab::render
