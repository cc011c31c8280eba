// Interval charts: bars over one common line, where a row's number is read at a glance and an empty
// intersection is seen.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "viz/parts.hpp"

namespace lab::viz {
namespace {

constexpr float kRowHeight = 22.0f;
constexpr float kTextSize = 14.0f;
constexpr float kPadding = 12.0f;
constexpr float kMargin = 12.0f;
constexpr float kWidestLine = 260.0f, kNarrowestLine = 110.0f;
/// Charts above the first take no more of the view than this: the picture behind them counts, too.
constexpr float kMostOfView = 0.66f;
/// Texts stand at the top of their capitals; this centers them on a row.
constexpr float kCapitalsUp = -0.36f * kTextSize;

class ChartPainter {
  public:
    ChartPainter(const Context& c, const IntervalChart& chart)
        : c_(c),
          chart_(chart),
          line_width_(std::clamp(0.24f * (c.view.free_max_px.x - c.view.free_min_px.x), kNarrowestLine,
                                 kWidestLine)) {
        for (const IntervalChart::Row& row : chart.rows) {
            name_width_ = std::max(name_width_, text_width_px(row.name, kTextSize));
            note_width_ = std::max(note_width_, text_width_px(row.note, kTextSize));
        }
        size_ = {2.0f * kPadding + name_width_ + 10.0f + line_width_ + 10.0f + note_width_,
                 2.0f * kPadding + kRowHeight * static_cast<float>(chart.rows.size() + 2)};
        size_.x = std::max(size_.x, 2.0f * kPadding + text_width_px(chart.title, kTextSize));
    }
    [[nodiscard]] glm::vec2 size() const { return size_; }

    void draw(glm::vec2 corner) {
        rect(corner, corner + size_, c_.paint.colors.plate, 6.0f);
        line_left_ = corner.x + kPadding + name_width_ + 10.0f;
        float y = corner.y + kPadding + 0.5f * kRowHeight;
        const float right = line_left_ + line_width_;
        text({corner.x + kPadding, y}, chart_.title, c_.paint.colors.text);
        for (const IntervalChart::Row& row : chart_.rows) {
            y += kRowHeight;
            draw_row(row, corner.x + kPadding, y);
        }
        if (chart_.now) {
            const float x = at(*chart_.now);
            rect({x - 1.0f, corner.y + kPadding + kRowHeight}, {x + 1.0f, y + 0.5f * kRowHeight},
                 c_.paint.colors.text, 0);
        }
        y += kRowHeight;
        const Color dim = c_.paint.colors.text_dim;
        text({line_left_, y}, fmt::format("{:g}", chart_.min), dim);
        const std::string end = fmt::format("{:g} {}", chart_.max, chart_.unit);
        text({right - text_width_px(end, kTextSize), y}, end, dim);
    }

  private:
    void draw_row(const IntervalChart::Row& row, float name_x, float y) {
        const Color color = c_.paint.colors.role(row.role);
        text({name_x, y}, row.name, color);
        rect({line_left_, y - 0.5f}, {line_left_ + line_width_, y + 0.5f},
             c_.paint.colors.text_dim.with_alpha(0.5f), 0);
        if (row.from <= row.to && row.to >= chart_.min && row.from <= chart_.max)
            rect({at(row.from) - 1.5f, y - 6.0f}, {at(row.to) + 1.5f, y + 6.0f}, color, 2.0f);
        text({line_left_ + line_width_ + 10.0f, y}, row.note, color);
    }
    [[nodiscard]] float at(float value) const {
        const float share = (value - chart_.min) / std::max(chart_.max - chart_.min, 1e-30f);
        return line_left_ + line_width_ * std::clamp(share, 0.0f, 1.0f);
    }
    void rect(glm::vec2 min, glm::vec2 max, Color color, float radius) {
        c_.paint.list.screen_rects.push_back({min, max, color, radius});
    }
    void text(glm::vec2 left, std::string words, Color color) {
        c_.paint.list.screen_texts.push_back({left + glm::vec2(0.0f, kCapitalsUp), std::move(words), color,
                                              Color{0, 0, 0, 0}, kTextSize, render::Label::Anchor::Left});
    }

    const Context& c_;
    const IntervalChart& chart_;
    float line_width_;
    float name_width_ = 0, note_width_ = 0;
    float line_left_ = 0;
    glm::vec2 size_{0.0f};
};

}  // namespace

void draw_charts(const Context& c) {
    glm::vec2 corner = c.view.free_max_px - kMargin;
    if (c.results.heatmap) corner.y -= heat_plate_size().y + kMargin;
    for (const IntervalChart& chart : c.results.charts) {
        ChartPainter painter(c, chart);
        const bool first = corner.y == c.view.free_max_px.y - kMargin;
        const float highest =
            c.view.free_max_px.y - kMostOfView * (c.view.free_max_px.y - c.view.free_min_px.y);
        corner.y -= painter.size().y;
        if (corner.y < (first ? c.view.free_min_px.y : highest)) return;
        painter.draw({corner.x - painter.size().x, corner.y});
        corner.y -= kMargin;
    }
}

}  // namespace lab::viz
