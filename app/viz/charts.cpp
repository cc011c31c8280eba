// Charts in a corner of the view. Intervals are bars over one common axis, which shows their intersection or
// the lack of one; quantities over time are lines.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "viz/parts.hpp"

namespace lab::viz {
namespace {

constexpr float kRowHeight = 22.0f;
constexpr float kTextSize = 14.0f;
constexpr float kPadding = 12.0f;
constexpr float kMargin = 12.0f;
constexpr float kWidestLine = 260.0f, kNarrowestLine = 110.0f;
/// Largest share of the view for charts after the first: they must not hide the picture.
constexpr float kMaxOfView = 0.66f;
/// Texts are positioned by the top of their capitals; this centers them on a row.
constexpr float kCapitalsUp = -0.36f * kTextSize;

/// Rectangles and texts, for both kinds of chart.
class ChartPen {
  public:
    explicit ChartPen(const Context& c) : c_(c) {}

  protected:
    void rect(glm::vec2 min, glm::vec2 max, Color color, float radius) {
        c_.paint.list.screen_rects.push_back({min, max, color, radius});
    }
    /// `left` is the middle of the line's left end.
    void text(glm::vec2 left, std::string words, Color color) {
        c_.paint.list.screen_texts.push_back({left + glm::vec2(0.0f, kCapitalsUp), std::move(words), color,
                                              Color{0, 0, 0, 0}, kTextSize, render::Label::Anchor::Left});
    }
    const Context& c_;
};

class ChartPainter : private ChartPen {
  public:
    ChartPainter(const Context& c, const IntervalChart& chart)
        : ChartPen(c),
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
        text({line_left_, y}, fmt::format("{:.3g}", chart_.min), dim);
        const std::string end = fmt::format("{:.3g} {}", chart_.max, chart_.unit);
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

    const IntervalChart& chart_;
    float line_width_;
    float name_width_ = 0, note_width_ = 0;
    float line_left_ = 0;
    glm::vec2 size_{0.0f};
};

/// Steps, not slopes: each value is a bar's end from the value before it to its own. NaN leaves a gap; a
/// value with a gap on both sides marks a place: a dot on an upright line.
class LineChartPainter : private ChartPen {
  public:
    LineChartPainter(const Context& c, const LineChart& chart) : ChartPen(c), chart_(chart) {
        find_range();
        for (const LineChart::Line& line : chart.lines)
            names_width_ += name_width(line);
        for (const float end : {low_, high_})
            scale_width_ = std::max(scale_width_, text_width_px(number(end), kTextSize) + 8.0f);
        const float view_width = c.view.free_max_px.x - c.view.free_min_px.x;
        const float heading_width = text_width_px(chart.title + chart.span, kTextSize) + 10.0f;
        width_ = std::max({std::min(kMinWidth, 0.24f * view_width), names_width_, heading_width});
        size_ = {2.0f * kPadding + width_, 2.0f * kPadding + kPlotHeight + 2.0f * kRowHeight};
    }
    [[nodiscard]] glm::vec2 size() const { return size_; }

    void draw(glm::vec2 corner) {
        rect(corner, corner + size_, c_.paint.colors.plate, 6.0f);
        glm::vec2 at = corner + glm::vec2(kPadding, kPadding + 0.3f * kRowHeight);
        text(at, chart_.title, c_.paint.colors.text);
        text({at.x + text_width_px(chart_.title, kTextSize) + 10.0f, at.y}, chart_.span,
             c_.paint.colors.text_dim);
        const glm::vec2 low_left(at.x + scale_width_, at.y + 0.7f * kRowHeight + kPlotHeight);
        frame(low_left);
        for (const LineChart::Line& line : chart_.lines)
            plot(line, low_left);
        at.y = low_left.y + 0.9f * kRowHeight;
        for (const LineChart::Line& line : chart_.lines) {
            name(line, at);
            at.x += name_width(line) + (width_ - names_width_) / static_cast<float>(chart_.lines.size());
        }
    }

  private:
    static constexpr float kMinWidth = 240.0f;
    static constexpr float kPlotHeight = 52.0f;
    static constexpr float kSwatch = 12.0f;

    /// From 0, unless that would leave less than half of the height to what differs.
    void find_range() {
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (const LineChart::Line& line : chart_.lines)
            for (const float value : line.values) {
                if (std::isnan(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
        if (!(low <= high)) return;
        high_ = high;
        low_ = low > 0.5f * high && low < high ? low : std::min(low, 0.0f);
    }
    static std::string number(float value) {
        const auto v = static_cast<double>(value);
        return to_text(std::abs(v) < 1000.0 ? cells::significant(v, 3) : cells::trimmed(v, 0));
    }
    /// Panels leave little space and show the numbers in a table.
    [[nodiscard]] bool with_mean(const LineChart::Line& line) const { return line.mean && !c_.view.panels; }
    [[nodiscard]] float name_width(const LineChart::Line& line) const {
        const float note = with_mean(line) ? 5.0f + text_width_px(to_text(*line.mean), kTextSize) : 0.0f;
        return kSwatch + 5.0f + text_width_px(line.name, kTextSize) + note + 12.0f;
    }
    /// Both ends of the scale, each with its value.
    void frame(glm::vec2 low_left) {
        const Color dim = c_.paint.colors.text_dim;
        for (const float end : {low_, high_}) {
            const float y = height(end, low_left);
            rect({low_left.x, y}, {low_left.x + width_ - scale_width_, y + 1.0f}, dim.with_alpha(0.4f), 0);
            const std::string value = number(end);
            text({low_left.x - 6.0f - text_width_px(value, kTextSize), y}, value, dim);
        }
    }
    [[nodiscard]] float height(float value, glm::vec2 low_left) const {
        const float share = (value - low_) / std::max(high_ - low_, 1e-30f);
        return low_left.y - kPlotHeight * std::clamp(share, 0.0f, 1.0f);
    }
    void plot(const LineChart::Line& line, glm::vec2 low_left) {
        const std::size_t capacity = std::max<std::size_t>(chart_.capacity, 1);
        const float step = (width_ - scale_width_) / static_cast<float>(capacity);
        const std::size_t count = std::min(line.values.size(), capacity);
        const Color color = c_.paint.colors.role(line.role);
        const auto value = [&](std::size_t i) { return line.values[line.values.size() - count + i]; };
        const auto is_gap = [&](std::size_t i) { return i >= count || std::isnan(value(i)); };
        for (std::size_t i = 0; i < count; ++i) {
            if (is_gap(i)) continue;
            const float x = low_left.x + step * static_cast<float>(capacity - count + i);
            const float y = height(value(i), low_left);
            if (count > 1 && is_gap(i - 1) && is_gap(i + 1)) {
                const float middle = x + 0.5f * step;
                rect({middle - 0.8f, low_left.y - kPlotHeight}, {middle + 0.8f, low_left.y}, color, 0);
                rect({middle - 3.2f, y - 3.2f}, {middle + 3.2f, y + 3.2f}, color, 3.2f);
                continue;
            }
            const float before = is_gap(i - 1) ? y : height(value(i - 1), low_left);
            rect({x - 0.8f, std::min(before, y) - 0.8f}, {x + 0.8f, std::max(before, y) + 0.8f}, color, 0);
            rect({x, y - 0.8f}, {x + std::max(step, 1.6f), y + 0.8f}, color, 0);
        }
    }
    void name(const LineChart::Line& line, glm::vec2 at) {
        rect({at.x, at.y - 2.0f}, {at.x + kSwatch, at.y + 2.0f}, c_.paint.colors.role(line.role), 2.0f);
        at.x += kSwatch + 5.0f;
        text(at, line.name, c_.paint.colors.text);
        at.x += text_width_px(line.name, kTextSize) + 5.0f;
        if (with_mean(line)) text(at, to_text(*line.mean), c_.paint.colors.text_dim);
    }

    const LineChart& chart_;
    float low_ = 0, high_ = 0;
    float names_width_ = 0, scale_width_ = 0, width_ = 0;
    glm::vec2 size_{0.0f};
};

/// Puts one chart above those before it, at the right edge; false if it does not fit.
template <class Chart>
bool place(const Context& c, Chart painter, glm::vec2& corner, glm::vec2& reached) {
    const bool first = corner.y == c.view.free_max_px.y - kMargin;
    const float highest = c.view.free_max_px.y - kMaxOfView * (c.view.free_max_px.y - c.view.free_min_px.y);
    corner.y -= painter.size().y;
    if (corner.y < (first ? c.view.free_min_px.y : highest)) return false;
    const glm::vec2 low(corner.x - painter.size().x, corner.y);
    if (!c.plates.take({low, low + painter.size()})) return false;
    painter.draw({corner.x - painter.size().x, corner.y});
    reached = glm::min(reached, {corner.x - painter.size().x, corner.y});
    corner.y -= kMargin;
    return true;
}

}  // namespace

glm::vec2 draw_charts(const Context& c) {
    glm::vec2 corner = c.view.free_max_px - kMargin;
    glm::vec2 reached = c.view.free_max_px;
    if (c.results.heatmap) corner.y -= heat_plate_size().y + kMargin;
    for (const IntervalChart& chart : c.results.charts)
        if (!place(c, ChartPainter(c, chart), corner, reached)) return reached;
    for (const LineChart& chart : c.results.line_charts)
        if (!place(c, LineChartPainter(c, chart), corner, reached)) return reached;
    return reached;
}

}  // namespace lab::viz
