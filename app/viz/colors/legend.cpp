#include "viz/colors/legend.hpp"

#include <algorithm>
#include <utility>

#include "view/view_rect.hpp"

namespace lab::viz {
namespace {

constexpr float kRowHeight = 18.0f;
constexpr float kTextSize = 13.0f;
constexpr float kPadding = 9.0f;
constexpr float kSwatchWidth = 18.0f;
/// The largest share of the view for the legend and the charts together; the second is for a narrow view.
constexpr float kMaxHidden = 0.4f, kMaxHiddenOfNarrow = 0.18f;
/// The largest share for the legend alone: usually, in a low view, in a low view with the fewest rows, and
/// where it hides nothing.
constexpr float kMaxShare = 0.16f, kMaxShareOfLow = 0.08f, kMaxShareOfFew = 0.12f, kMaxShareOfFree = 0.24f;
constexpr std::size_t kFewest = 3;
constexpr float kTexts = 90.0f;  // of the height, for title and sentence
constexpr float kColumnGap = 16.0f;
constexpr float kScaleWidth = 60.0f;
constexpr float kGap = 8.0f;

/// The position of a text whose capitals are centered on a row: positions are the top of the capitals.
constexpr float kCapitalsUp = -0.36f * kTextSize;

void write(Painter& painter, glm::vec2 at, std::string text, Color color) {
    painter.list.screen_texts.push_back({at + glm::vec2(0.0f, kCapitalsUp), std::move(text), color,
                                         Color{0, 0, 0, 0}, kTextSize, render::Label::Anchor::Left});
}

void draw_swatch(Painter& painter, const LegendRow& row, glm::vec2 at) {
    auto& rects = painter.list.screen_rects;
    const glm::vec2 mid = at + glm::vec2(0.5f * kSwatchWidth, 0.0f);
    const auto rect = [&](glm::vec2 center, glm::vec2 size, Color color, float radius) {
        rects.push_back({center - 0.5f * size, center + 0.5f * size, color, radius});
    };
    switch (row.swatch) {
        case Swatch::Fill:
            rect(mid, {14, 12}, row.color, 3);
            break;
        case Swatch::Line:
            rect(mid, {kSwatchWidth, 3}, row.color, 1.5f);
            break;
        case Swatch::Dot:
            rect(mid, {10, 10}, row.color, 5);
            break;
        case Swatch::Plane:
            rect(mid, {10, 1}, row.color.with_alpha(0.7f), 0);
            rect(mid, {1, 8}, row.color.with_alpha(0.7f), 0);
            [[fallthrough]];
        case Swatch::Outline:
            // A frame of four thin bars around a faint filling.
            rect(mid, {14, 12}, row.color.with_alpha(0.22f), 1);
            rect(mid - glm::vec2(0, 5), {14, 2}, row.color, 0);
            rect(mid + glm::vec2(0, 5), {14, 2}, row.color, 0);
            rect(mid - glm::vec2(6, 0), {2, 12}, row.color, 0);
            rect(mid + glm::vec2(6, 0), {2, 12}, row.color, 0);
            break;
        case Swatch::Scale:
            break;
    }
}

void draw_scale(Painter& painter, const LegendRow& row, glm::vec2 at) {
    constexpr int kSteps = 20;
    constexpr float kStep = kScaleWidth / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const glm::vec2 from = at + glm::vec2(kStep * static_cast<float>(i), -5.0f);
        const float share = static_cast<float>(i) / (kSteps - 1);
        const Color color = painter.colors.scalar(row.from + (row.to - row.from) * share);
        painter.list.screen_rects.push_back({from, from + glm::vec2(kStep, 10.0f), color, 0});
    }
}

float row_width(const LegendRow& row) {
    float width = kSwatchWidth + kGap + text_width_px(row.text, kTextSize);
    if (row.swatch == Swatch::Scale) {
        width = text_width_px(row.text, kTextSize) + text_width_px(row.low, kTextSize) +
                text_width_px(row.high, kTextSize) + kScaleWidth + 3.0f * kGap;
    }
    return width;
}

void draw_row(Painter& painter, const LegendRow& row, glm::vec2 at) {
    const Color text = painter.colors.text;
    if (row.swatch != Swatch::Scale) {
        draw_swatch(painter, row, at);
        write(painter, at + glm::vec2(kSwatchWidth + kGap, 0.0f), row.text, text);
        return;
    }
    const auto forward = [&at](float width) { at.x += width + kGap; };
    write(painter, at, row.text, text);
    forward(text_width_px(row.text, kTextSize));
    write(painter, at, row.low, painter.colors.text_dim);
    forward(text_width_px(row.low, kTextSize));
    draw_scale(painter, row, at);
    forward(kScaleWidth);
    write(painter, at, row.high, painter.colors.text_dim);
}

/// In the lower left corner of the free part of the view.
Plates::Rect place(const ViewInfo& view, glm::vec2 size) {
    const glm::vec2 min(view.free_min_px.x + kPlateMargin, view.free_max_px.y - kPlateMargin - size.y);
    return {min, min + size};
}

/// `hidden` is the area of the scene under it.
bool is_too_large(const ViewInfo& view, glm::vec2 size, glm::vec2 charts_px, float hidden,
                  std::size_t rows = kFewest + 1) {
    constexpr float kNothing = 0.002f;
    constexpr float kMinAreaForFew = 150'000.0f;  // square pixels; less than beside the panels of a laptop
    const glm::vec2 free = view.free_max_px - view.free_min_px;
    const float area = free.x * free.y, own = size.x * size.y;
    const float max_hidden = free.x < kNarrowView_px ? kMaxHiddenOfNarrow : kMaxHidden;
    const bool is_few = rows <= kFewest && area >= kMinAreaForFew;
    const float max_share = hidden <= kNothing * area ? kMaxShareOfFree
                            : !view.is_low()          ? kMaxShare
                            : is_few                  ? kMaxShareOfFew
                                                      : kMaxShareOfLow;
    return own > max_share * area || own + charts_px.x * charts_px.y > max_hidden * area;
}

}  // namespace

void Legend::add(std::string text, Color color, Swatch swatch, Rank rank) {
    const auto at =
        std::find_if(rows_.begin(), rows_.end(), [&](const LegendRow& r) { return r.text == text; });
    if (at != rows_.end()) {
        Rank& known = ranks_[static_cast<std::size_t>(at - rows_.begin())];
        known = std::max(known, rank);
        return;
    }
    rows_.push_back({.text = std::move(text), .color = color, .swatch = swatch});
    ranks_.push_back(rank);
}

void Legend::add_scale(std::string text, std::string low, std::string high, float from, float to) {
    const bool known =
        std::any_of(rows_.begin(), rows_.end(), [&](const LegendRow& r) { return r.text == text; });
    if (known) return;
    rows_.push_back({std::move(text), {}, Swatch::Scale, std::move(low), std::move(high), from, to});
    ranks_.push_back(Rank::Usual);
}

std::vector<const LegendRow*> Legend::kept(std::size_t count) const {
    std::vector<bool> stays(rows_.size(), false);
    for (const Rank rank : {Rank::Asked, Rank::Usual})
        for (std::size_t i = 0; i < rows_.size() && count > 0; ++i)
            if (ranks_[i] == rank) {
                stays[i] = true;
                --count;
            }
    std::vector<const LegendRow*> rows;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (stays[i]) rows.push_back(&rows_[i]);
    return rows;
}

/// The number of rows that leave the handles above them visible; all of them if that would be too few.
std::size_t Legend::rows_below(const std::vector<glm::vec2>& handles_px, glm::vec2 low_left,
                               std::size_t fewest) const {
    constexpr float kHandle = 14.0f;
    float width = 0.0f;
    for (const LegendRow& row : rows_)
        width = std::max(width, row_width(row));
    std::size_t rows = rows_.size();
    for (const glm::vec2& at : handles_px) {
        const float available = low_left.y - at.y - kHandle - 2.0f * kPadding;
        if (at.x > low_left.x + width + 2.0f * kPadding + kHandle || available < 0.0f) continue;
        const auto fit = static_cast<std::size_t>(available / kRowHeight);
        if (fit >= fewest && rows > fit) rows = fit - 1;  // and one that says how many more there are
    }
    return rows;
}

std::optional<Legend::Columns> Legend::columns_of(std::size_t lines) const {
    constexpr std::size_t kFewRows = 4, kMaxColumns = 5;
    const std::size_t count = (rows_.size() + lines - 1) / lines;
    if (count > kMaxColumns || (count > 1 && rows_.size() <= kFewRows)) return std::nullopt;
    Columns columns{std::vector<float>(count, 0.0f), lines, {}};
    for (std::size_t i = 0; i < rows_.size(); ++i)
        columns.widths[i / lines] = std::max(columns.widths[i / lines], row_width(rows_[i]));
    columns.size = {2.0f * kPadding - kColumnGap,
                    kRowHeight * static_cast<float>(std::min(lines, rows_.size())) + 2.0f * kPadding - 4.0f};
    for (const float width : columns.widths)
        columns.size.x += width + kColumnGap;
    return columns;
}

std::optional<Legend::Columns> Legend::best_columns(const ViewInfo& view, glm::vec2 charts_px,
                                                    const Plates& plates) const {
    constexpr std::size_t kLowest = 3, kTallest = 6;
    constexpr float kHandle = 14.0f;
    // A layout other than the first choice must hide clearly less, so that small motions do not rearrange the
    // rows.
    constexpr float kClearly = 0.7f, kLittle = 0.003f;
    const glm::vec2 free = view.free_max_px - view.free_min_px;
    const float area = free.x * free.y;
    // One column has room beside the scene of a high picture.
    const bool is_small = view.panels || view.size_px.y < kLowHeight_px;
    std::vector<std::size_t> choices;
    for (std::size_t lines = kLowest; is_small && lines <= kTallest; ++lines)
        choices.push_back(lines);
    choices.insert(view.panels ? choices.end() : choices.begin(), rows_.size());
    std::optional<Columns> best;
    float best_hidden = 0.0f;
    for (const std::size_t lines : choices) {
        const std::optional<Columns> columns = columns_of(lines);
        if (!columns) continue;
        const Plates::Rect rect = place(view, columns->size);
        const Plates::Rect reach{rect.min - kHandle, rect.max + kHandle};
        const bool hides_a_handle =
            std::any_of(plates.handles_px().begin(), plates.handles_px().end(), [&](glm::vec2 at) {
                return reach.overlaps({at - 0.5f, at + 0.5f});
            });
        const float hidden = plates.hidden_by(rect);
        if (rect.min.y < view.free_min_px.y + kTexts) continue;
        if (hides_a_handle || is_too_large(view, columns->size, charts_px, hidden) || !plates.is_free(rect))
            continue;
        if (best && (best_hidden < kLittle * area || hidden > kClearly * best_hidden)) continue;
        best = columns;
        best_hidden = hidden;
    }
    return best;
}

std::optional<Legend::Columns> Legend::unfolded(const ViewInfo& view, const Plates& plates) const {
    for (std::size_t lines = rows_.size(); lines > 0; --lines)
        if (std::optional<Columns> columns = columns_of(lines);
            columns && plates.is_free(place(view, columns->size)))
            return columns;
    return std::nullopt;
}

void Legend::draw_columns(Painter& painter, const Columns& columns, const Plates::Rect& rect) const {
    painter.list.screen_rects.push_back({rect.min, rect.max, painter.colors.plate, 6.0f});
    glm::vec2 top = rect.min + glm::vec2(kPadding, kPadding - 2.0f + 0.5f * kRowHeight);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::size_t line = i % columns.lines;
        draw_row(painter, rows_[i], top + glm::vec2(0.0f, kRowHeight * static_cast<float>(line)));
        if (line + 1 == columns.lines) top.x += columns.widths[i / columns.lines] + kColumnGap;
    }
}

void Legend::draw(Painter& painter, const ViewInfo& view, glm::vec2 charts_px, Plates& plates) const {
    if (rows_.empty()) return;
    if (const std::optional<Columns> columns = best_columns(view, charts_px, plates)) {
        const Plates::Rect rect = place(view, columns->size);
        (void)plates.take(rect);
        return draw_columns(painter, *columns, rect);
    }
    const glm::vec2 free = view.free_max_px - view.free_min_px;
    const float available = free.y - kTexts;
    const auto fit = static_cast<std::size_t>(std::max(1.0f, available / kRowHeight));
    std::size_t shown = rows_.size() <= fit ? rows_.size() : fit - 1;
    const glm::vec2 low_left(view.free_min_px.x + kPlateMargin, view.free_max_px.y - kPlateMargin);
    // Beside panels people drag handles: there a short legend is better than a hidden handle.
    const std::size_t fewest = view.panels ? 1 : 3;
    shown = std::min(shown, rows_below(plates.handles_px(), low_left, fewest));
    if (shown == 0) return;
    std::string more;
    std::vector<const LegendRow*> rows;
    Plates::Rect rect;
    for (;; --shown) {
        more = shown < rows_.size() ? "and " + std::to_string(rows_.size() - shown) + " more" : "";
        float width = text_width_px(more, kTextSize);
        rows = kept(shown);
        for (const LegendRow* row : rows)
            width = std::max(width, row_width(*row));
        const float lines = static_cast<float>(shown + (more.empty() ? 0 : 1));
        rect = place(view, {width + 2.0f * kPadding, kRowHeight * lines + 2.0f * kPadding - 4.0f});
        const glm::vec2 size = rect.max - rect.min;
        if (free.x < kNarrowView_px &&
            size.x * size.y + charts_px.x * charts_px.y > kMaxHiddenOfNarrow * free.x * free.y)
            return;
        if (is_too_large(view, size, charts_px, plates.hidden_by(rect), shown) && shown > 1) continue;
        if (plates.is_free(rect)) break;
        if (shown <= 1) return;
    }
    const auto is_in = [](glm::vec2 at, const Plates::Rect& r) { return r.overlaps({at - 0.5f, at + 0.5f}); };
    if (!more.empty() && view.pointer_px && is_in(*view.pointer_px, rect))
        if (const std::optional<Columns> all = unfolded(view, plates)) {
            rect = place(view, all->size);
            (void)plates.take(rect);
            return draw_columns(painter, *all, rect);
        }
    (void)plates.take(rect);
    painter.list.screen_rects.push_back({rect.min, rect.max, painter.colors.plate, 6.0f});
    glm::vec2 at = rect.min + glm::vec2(kPadding, kPadding - 2.0f + 0.5f * kRowHeight);
    for (const LegendRow* row : rows) {
        draw_row(painter, *row, at);
        at.y += kRowHeight;
    }
    if (!more.empty()) write(painter, at, more, painter.colors.text_dim);
}

}  // namespace lab::viz
