// Charts in a corner of the view. Intervals are bars over one common axis, which shows their intersection or
// the lack of one; quantities over time are lines.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "viz/parts.hpp"

namespace lab::viz {
namespace {

constexpr float kRowHeight = 22.0f, kLeastRowHeight = 16.0f;
constexpr float kTextSize = 14.0f;
constexpr float kPadding = 12.0f;
constexpr float kWidestLine = 260.0f, kNarrowestLine = 110.0f;
/// Largest share of the view for charts after the first: they must not hide the picture.
constexpr float kMaxOfView = 0.45f;
/// Largest share of the view's height for a chart of bars, as far as it has rows that may be left out.
constexpr float kMaxChart = 0.45f;
/// Largest share of the view's area for one chart; the second is for a low view.
constexpr float kMaxArea = 0.25f, kMaxAreaOfLow = 0.07f;
/// The same for a chart of bare bars.
constexpr float kMaxAreaOfBare = 0.12f;
/// Texts are positioned by the top of their capitals; this centers them on a row.
constexpr float kCapitalsUp = -0.36f * kTextSize;
/// Charts are drawn smaller by this factor where they would hide too much.
constexpr float kSmall = 0.75f, kBare = 0.85f;

/// Rectangles and texts, for both kinds of chart. They are laid out at full size and drawn at their scale,
/// around the upper left corner of the chart.
class ChartPen {
  public:
    explicit ChartPen(const Context& c) : c_(c) {}
    void shrink(float scale) { scale_ = scale; }

  protected:
    /// Where the point of the full-size layout lies.
    [[nodiscard]] glm::vec2 placed(glm::vec2 at) const { return origin_ + scale_ * (at - origin_); }
    glm::vec2 origin_{0.0f};  ///< Stays where it is.
    float scale_ = 1.0f;
    void rect(glm::vec2 min, glm::vec2 max, Color color, float radius) {
        c_.paint.list.screen_rects.push_back({placed(min), placed(max), color, scale_ * radius});
    }
    /// `left` is the middle of the line's left end.
    void text(glm::vec2 left, std::string words, Color color) {
        c_.paint.list.screen_texts.push_back({placed(left + glm::vec2(0.0f, kCapitalsUp)), std::move(words),
                                              color, Color{0, 0, 0, 0}, scale_ * kTextSize,
                                              render::Label::Anchor::Left});
    }
    const Context& c_;
};

class ChartPainter : private ChartPen {
  public:
    ChartPainter(const Context& c, const IntervalChart& chart)
        : ChartPen(c),
          chart_(chart),
          row_height_(row_height_in(chart, max_height(c))),
          rows_(rows_in(chart, max_height(c), row_height_)),
          line_width_(std::clamp(0.24f * (c.view.free_max_px.x - c.view.free_min_px.x), kNarrowestLine,
                                 kWidestLine)) {
        for (const IntervalChart::Row& row : rows_) {
            name_width_ = std::max(name_width_, text_width_px(row.name, kTextSize));
            note_width_ = std::max(note_width_, text_width_px(row.note, kTextSize));
        }
        measure();
    }
    using ChartPen::shrink;
    /// If bare, only names and bars are drawn, without the title, the numbers and the axis.
    void strip(bool is_bare) {
        is_bare_ = is_bare;
        measure();
    }
    [[nodiscard]] glm::vec2 size() const { return scale_ * size_; }

    void draw(glm::vec2 corner) {
        origin_ = corner;
        rect(corner, corner + size_, c_.paint.colors.plate, 6.0f);
        line_left_ = corner.x + kPadding + name_width_ + 10.0f;
        float y = corner.y + kPadding - 0.5f * row_height_;
        const float right = line_left_ + line_width_;
        if (!is_bare_) {
            y += row_height_;
            text({corner.x + kPadding, y}, chart_.title, c_.paint.colors.text);
        }
        const float top = y + 0.5f * row_height_;
        for (const IntervalChart::Row& row : rows_) {
            y += row_height_;
            draw_row(row, corner.x + kPadding, y);
        }
        if (chart_.now) {
            const float x = at(*chart_.now);
            rect({x - 1.0f, top}, {x + 1.0f, y + 0.5f * row_height_}, c_.paint.colors.text, 0);
        }
        if (is_bare_) return;
        y += row_height_;
        const Color dim = c_.paint.colors.text_dim;
        if (rows_.size() < chart_.rows.size())
            text({corner.x + kPadding, y}, fmt::format("+{}", chart_.rows.size() - rows_.size()), dim);
        const auto end_of = [](float value) { return cells::significant(static_cast<double>(value), 3); };
        text({line_left_, y}, to_text(end_of(chart_.min)), dim);
        const std::string end = to_text(end_of(chart_.max).in(chart_.unit));
        text({right - text_width_px(end, kTextSize), y}, end, dim);
    }

  private:
    void draw_row(const IntervalChart::Row& row, float name_x, float y) {
        const Color color = c_.paint.colors.role(row.role);
        text({name_x, y}, row.name, color);
        rect({line_left_, y - 0.5f}, {line_left_ + line_width_, y + 0.5f},
             c_.paint.colors.text_dim.with_alpha(0.5f), 0);
        const float line_right = line_left_ + line_width_;
        if (!(row.from <= row.to)) {
            // An empty interval.
        } else if (row.to < chart_.min) {
            arrow({line_left_, y}, 1.0f, color);
        } else if (row.from > chart_.max) {
            arrow({line_right, y}, -1.0f, color);
        } else {
            rect({at(row.from) - 1.5f, y - 6.0f}, {at(row.to) + 1.5f, y + 6.0f}, color, 2.0f);
        }
        if (!is_bare_) text({line_right + 10.0f, y}, row.note, color);
    }
    /// Out of the scale: the tip is at an end of the line, and the arrow widens along `inward`, 1 or -1.
    void arrow(glm::vec2 tip, float inward, Color color) {
        for (int k = 0; k < 5; ++k) {
            const float from = tip.x + inward * 2.0f * static_cast<float>(k), to = from + inward * 2.0f;
            const float half = 1.0f + 1.25f * static_cast<float>(k);
            rect({std::min(from, to), tip.y - half}, {std::max(from, to), tip.y + half}, color, 0.0f);
        }
    }
    void measure() {
        const float notes = is_bare_ ? 0.0f : 10.0f + note_width_;
        const std::size_t lines = rows_.size() + (is_bare_ ? 0 : 2);
        size_ = {2.0f * kPadding + name_width_ + 10.0f + line_width_ + notes,
                 2.0f * kPadding + row_height_ * static_cast<float>(lines)};
        if (!is_bare_) size_.x = std::max(size_.x, 2.0f * kPadding + text_width_px(chart_.title, kTextSize));
    }
    [[nodiscard]] float at(float value) const {
        const float share = (value - chart_.min) / std::max(chart_.max - chart_.min, 1e-30f);
        return line_left_ + line_width_ * std::clamp(share, 0.0f, 1.0f);
    }

    static float max_height(const Context& c) {
        return kMaxChart * (c.view.free_max_px.y - c.view.free_min_px.y);
    }
    /// Rows move closer where that leaves space for all of them.
    static float row_height_in(const IntervalChart& chart, float height) {
        const float all = (height - 2.0f * kPadding) / static_cast<float>(chart.rows.size() + 2);
        return all >= kLeastRowHeight ? std::min(all, kRowHeight) : kRowHeight;
    }
    /// All rows; in a low view without the last muted ones.
    static std::span<const IntervalChart::Row> rows_in(const IntervalChart& chart, float height,
                                                       float row_height) {
        constexpr std::size_t kFewest = 3;
        std::span<const IntervalChart::Row> rows = chart.rows;
        while (rows.size() > kFewest && rows.back().role == Role::Muted &&
               2.0f * kPadding + row_height * static_cast<float>(rows.size() + 2) > height + 0.5f)
            rows = rows.first(rows.size() - 1);
        return rows;
    }

    const IntervalChart& chart_;
    float row_height_;
    std::span<const IntervalChart::Row> rows_;
    float line_width_;
    float name_width_ = 0, note_width_ = 0;
    float line_left_ = 0;
    bool is_bare_ = false;
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
    using ChartPen::shrink;
    [[nodiscard]] glm::vec2 size() const { return scale_ * size_; }

    void draw(glm::vec2 corner) {
        origin_ = corner;
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

    /// The range starts at 0, unless the differences would then get less than half of the height.
    void find_range() {
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (const LineChart::Line& line : chart_.lines)
            for (const float value : line.values) {
                if (std::isnan(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
        if (!(low <= high)) return;
        low_ = low > 0.5f * high && low < high ? low : std::min(low, 0.0f);
        high_ = high;
        // The ends are round, so that the numbers beside them say exactly where they are.
        constexpr float kSlack = 1e-3f;  // of rounding, in the last digit
        const float range = high_ - low_;
        if (!(range > 0.0f) || !std::isfinite(range)) return;
        const float place = std::floor(std::log10(range)) - 1.0f, digit = std::pow(10.0f, place);
        high_ = digit * std::ceil(high_ / digit - kSlack);
        low_ = digit * std::floor(low_ / digit + kSlack);
        decimals_ = static_cast<int>(std::clamp(-place, 0.0f, 6.0f));
    }
    [[nodiscard]] std::string number(float value) const {
        return to_text(cells::trimmed(static_cast<double>(value), decimals_));
    }
    /// Means are hidden with panels, which leave little space and show the numbers in a table.
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
    int decimals_ = 0;  ///< Of the numbers at the ends.
    float names_width_ = 0, scale_width_ = 0, width_ = 0;
    glm::vec2 size_{0.0f};
};

/// The charts of a scene on top of each other at the right edge of the view: upward from its lower corner, or
/// downward from its upper one, and smaller, where that hides fewer handles.
class Column {
  public:
    explicit Column(const Context& c) : c_(c) {
        for (const IntervalChart& chart : c.results.charts)
            bars_.emplace_back(c, chart);
        for (const LineChart& chart : c.results.line_charts)
            lines_.emplace_back(c, chart);
    }

    /// Returns the size of the part that they cover. Where all would hide a handle, or much of a small view,
    /// bare bars take their place; a chart that would do so, too, is left out: the scene's table has its
    /// numbers.
    glm::vec2 draw() {
        glm::vec2 covered(0.0f);
        const bool down = choose_place();
        for_each_place(down, [&](auto& painter, const Plates::Rect& rect) {
            if (hides_a_handle(rect) || !c_.plates.take(rect)) return false;
            painter.draw(rect.min);
            covered = {std::max(covered.x, c_.view.free_max_px.x - rect.min.x),
                       down ? rect.max.y - c_.view.free_min_px.y : c_.view.free_max_px.y - rect.min.y};
            return true;
        });
        return covered;
    }

  private:
    /// Sets the scale with which most charts are shown, and returns whether they go downward.
    bool choose_place() {
        struct Place {
            bool down;
            float scale;
            bool is_bare = false;
        };
        constexpr Place kPlaces[] = {{false, 1.0f},  {true, 1.0f},         {false, kSmall},
                                     {true, kSmall}, {false, kBare, true}, {true, kBare, true}};
        const Place* best = kPlaces;
        std::size_t max_shown = 0;
        for (const Place& place : kPlaces) {
            if (place.is_bare && max_shown > 0) break;  // bare charts only if otherwise none could be shown
            shrink(place.scale, place.is_bare);
            std::size_t shown = 0;
            for_each_place(place.down, [&](auto&, const Plates::Rect& rect) {
                if (hides_a_handle(rect) || !c_.plates.is_free(rect)) return false;
                ++shown;
                return true;
            });
            if (shown > max_shown) {
                max_shown = shown;
                best = &place;
            }
        }
        shrink(best->scale, best->is_bare);
        return best->down;
    }

    void shrink(float scale, bool is_bare) {
        is_bare_ = is_bare;
        for (ChartPainter& painter : bars_) {
            painter.shrink(scale);
            painter.strip(is_bare);
        }
        for (LineChartPainter& painter : lines_)
            painter.shrink(scale);
    }

    /// Calls `use` with each chart and its place until it returns false, or there is no more space.
    template <class Use>
    void for_each_place(bool down, Use&& use) {
        const glm::vec2 min = c_.view.free_min_px, max = c_.view.free_max_px, free = max - min;
        float edge = down ? min.y + kPlateMargin : max.y - kPlateMargin;
        if (!down && c_.results.heatmap) edge -= heat_plate_size().y + kPlateMargin;
        const float first = edge;
        const auto next = [&](auto& painter) {
            const glm::vec2 size = painter.size();
            const float max_area = !c_.view.is_low() ? kMaxArea : is_bare_ ? kMaxAreaOfBare : kMaxAreaOfLow;
            if (size.x * size.y > max_area * free.x * free.y) return false;
            Plates::Rect rect{{max.x - kPlateMargin - size.x, down ? edge : edge - size.y},
                              {max.x - kPlateMargin, down ? edge + size.y : edge}};
            if (down) {
                const float by = c_.plates.clear_below(rect) - rect.min.y;
                rect = {rect.min + glm::vec2(0.0f, by), rect.max + glm::vec2(0.0f, by)};
            }
            const float reached = down ? max.y - rect.max.y : rect.min.y - min.y;
            const float least = edge == first ? 0.0f : (1.0f - kMaxOfView) * free.y;
            if (reached < least || !use(painter, rect)) return false;
            edge = down ? rect.max.y + kPlateMargin : rect.min.y - kPlateMargin;
            return true;
        };
        for (ChartPainter& painter : bars_)
            if (!next(painter)) return;
        for (LineChartPainter& painter : lines_)
            if (!next(painter)) return;
    }

    [[nodiscard]] bool hides_a_handle(const Plates::Rect& rect) const {
        constexpr float kHandle = 10.0f;
        const auto& handles = c_.plates.handles_px();
        return std::any_of(handles.begin(), handles.end(), [&](glm::vec2 at) {
            return rect.overlaps({at - kHandle, at + kHandle});
        });
    }

    const Context& c_;
    std::vector<ChartPainter> bars_;
    std::vector<LineChartPainter> lines_;
    bool is_bare_ = false;
};

}  // namespace

glm::vec2 draw_charts(const Context& c) {
    return Column(c).draw();
}

}  // namespace lab::viz
