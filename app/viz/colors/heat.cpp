#include "viz/colors/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "settings/view.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

constexpr float kPadding = 12.0f;
constexpr float kTextSize = 14.0f;
constexpr float kRowHeight = 22.0f;
constexpr float kScaleWidth = 288.0f;  // six pixels for each bin
constexpr float kBarsHeight = 44.0f;
constexpr float kScaleHeight = 10.0f;
/// Texts are positioned by the top of their capitals; this centers them on a row.
constexpr float kCapitalsUp = -0.36f * kTextSize;

/// Color and height of everything that the plate under the histogram shows.
class ScalePainter {
  public:
    ScalePainter(const Context& c, glm::vec2 corner) : c_(c), corner_(corner) {}

    void draw(const Heatmap& map) {
        rect(corner_, corner_ + heat_plate_size(), c_.paint.colors.plate, 6.0f);
        const glm::vec2 inner = corner_ + kPadding;
        text(inner + glm::vec2(0.0f, 0.5f * kRowHeight), fmt::format("Rays by {}", map.counter),
             c_.paint.colors.text);
        const std::string state =
            map.complete ? fmt::format("{} px", map.cell_px) : fmt::format("{} px, refining", map.cell_px);
        text_right(inner + glm::vec2(kScaleWidth, 0.5f * kRowHeight), state);
        const float bars_floor = inner.y + kRowHeight + kBarsHeight;
        draw_bars(map, {inner.x, bars_floor});
        draw_scale({inner.x, bars_floor + 2.0f});
        const float y = bars_floor + 2.0f + kScaleHeight + 0.5f * kRowHeight;
        text({inner.x, y}, "0", c_.paint.colors.text_dim);
        const std::string middle = fmt::format("mean {:.1f}, max {}", map.mean, map.max_count);
        text({inner.x + 0.5f * (kScaleWidth - text_width_px(middle, kTextSize)), y}, middle,
             c_.paint.colors.text_dim);
        text_right({inner.x + kScaleWidth, y},
                   fmt::format("{}{}", map.max_count > map.top ? "≥ " : "", map.top));
    }

  private:
    void draw_bars(const Heatmap& map, glm::vec2 floor) {
        // Square-root scale: it keeps the few expensive rays visible.
        const auto tallest = std::sqrt(
            static_cast<float>(std::max(1u, *std::max_element(map.histogram.begin(), map.histogram.end()))));
        const float width = kScaleWidth / static_cast<float>(Heatmap::kBins);
        for (std::size_t i = 0; i < Heatmap::kBins; ++i) {
            if (map.histogram[i] == 0) continue;
            const float height =
                std::max(1.0f, kBarsHeight * std::sqrt(static_cast<float>(map.histogram[i])) / tallest);
            const float x = floor.x + width * static_cast<float>(i);
            rect({x, floor.y - height}, {x + width - 1.0f, floor.y}, color_of(i), 0.0f);
        }
    }
    void draw_scale(glm::vec2 at) {
        const float width = kScaleWidth / static_cast<float>(Heatmap::kBins);
        for (std::size_t i = 0; i < Heatmap::kBins; ++i) {
            const float x = at.x + width * static_cast<float>(i);
            rect({x, at.y}, {x + width + 0.5f, at.y + kScaleHeight}, color_of(i), 0.0f);
        }
    }
    [[nodiscard]] Color color_of(std::size_t bin) const {
        return c_.paint.colors.scalar((static_cast<float>(bin) + 0.5f) / static_cast<float>(Heatmap::kBins));
    }
    void rect(glm::vec2 min, glm::vec2 max, Color color, float radius) {
        c_.paint.list.screen_rects.push_back({min, max, color, radius});
    }
    void text(glm::vec2 left, std::string words, Color color) {
        c_.paint.list.screen_texts.push_back({left + glm::vec2(0.0f, kCapitalsUp), std::move(words), color,
                                              Color{0, 0, 0, 0}, kTextSize, render::Label::Anchor::Left});
    }
    void text_right(glm::vec2 right, const std::string& words) {
        text({right.x - text_width_px(words, kTextSize), right.y}, words, c_.paint.colors.text_dim);
    }

    const Context& c_;
    glm::vec2 corner_;
};

}  // namespace

const std::shared_ptr<const render::Image>& HeatPicture::of(const std::shared_ptr<const Heatmap>& map,
                                                            Theme theme) {
    if (map == map_ && theme == theme_) return image_;
    map_ = map;
    theme_ = theme;
    image_ = nullptr;
    if (!map) return image_;
    std::array<Color, 256> colors;
    for (std::size_t i = 0; i < colors.size(); ++i)
        colors[i] = palette(theme).scalar(static_cast<float>(i) / 255.0f);
    auto image = std::make_shared<render::Image>();
    image->size = map->cells;
    image->rgba.reserve(4 * map->counts.size());
    for (const std::uint32_t count : map->counts) {
        const Color color = colors[std::min<std::uint64_t>(std::uint64_t{count} * 255 / map->top, 255)];
        const std::uint8_t alpha = count == 0 ? 0 : 255;  // cells without cost are transparent
        image->rgba.insert(image->rgba.end(), {color.r, color.g, color.b, alpha});
    }
    image_ = std::move(image);
    return image_;
}

glm::vec2 heat_plate_size() {
    return {2.0f * kPadding + kScaleWidth,
            2.0f * kPadding + 2.0f * kRowHeight + kBarsHeight + kScaleHeight + 2.0f};
}

void draw_heat(const Context& c) {
    if (!c.results.heatmap || !c.view.heat) return;
    const Heatmap& map = *c.results.heatmap;
    // The last column and row of cells may reach beyond the view.
    const glm::vec2 covered = glm::vec2(map.cells) * static_cast<float>(map.cell_px) / map.view_px;
    c.paint.list.pictures.push_back({c.view.heat, glm::vec2(0.0f), covered, c.settings[kHeatOpacity]});
    const glm::vec2 corner = c.view.free_max_px - 12.0f - heat_plate_size();
    if (c.plates.take({corner, corner + heat_plate_size()})) ScalePainter(c, corner).draw(map);
}

}  // namespace lab::viz
