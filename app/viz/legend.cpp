#include "viz/legend.hpp"

#include <algorithm>
#include <utility>

namespace lab::viz {
namespace {

constexpr float kRowHeight = 20.0f;
constexpr float kTextSize = 13.0f;
constexpr float kPadding = 9.0f;
constexpr float kSwatchWidth = 18.0f;
constexpr float kScaleWidth = 66.0f;
constexpr float kGap = 8.0f;
constexpr float kMargin = 12.0f;

}  // namespace

void Legend::add(std::string text, Color color, Swatch swatch) {
    const bool known =
        std::any_of(rows_.begin(), rows_.end(), [&](const LegendRow& r) { return r.text == text; });
    if (!known) rows_.push_back({std::move(text), color, swatch});
}

void Legend::add_scale(std::string text, std::string low, std::string high) {
    scale_low_ = std::move(low);
    scale_high_ = std::move(high);
    add(std::move(text), {}, Swatch::Scale);
}

void Legend::draw_swatch(Painter& painter, const LegendRow& row, glm::vec2 at) const {
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
            rect(mid, {9, 9}, row.color, 4.5f);
            break;
        case Swatch::Outline:
            // A frame of four thin bars around a faint filling.
            rect(mid, {14, 12}, row.color.with_alpha(0.22f), 1);
            rect(mid - glm::vec2(0, 5), {14, 2}, row.color, 0);
            rect(mid + glm::vec2(0, 5), {14, 2}, row.color, 0);
            rect(mid - glm::vec2(6, 0), {2, 12}, row.color, 0);
            rect(mid + glm::vec2(6, 0), {2, 12}, row.color, 0);
            break;
        case Swatch::Scale: {
            constexpr int kSteps = 22;
            for (int i = 0; i < kSteps; ++i) {
                const float step = kScaleWidth / kSteps;
                const glm::vec2 from = at + glm::vec2(step * static_cast<float>(i), -5.0f);
                const Color c = painter.colors.scalar(static_cast<float>(i) / (kSteps - 1));
                rects.push_back({from, from + glm::vec2(step, 10.0f), c, 0});
            }
            break;
        }
    }
}

void Legend::draw(Painter& painter, const ViewInfo& view) const {
    if (rows_.empty()) return;
    const float room = view.free_max_px.y - view.free_min_px.y - 90.0f;
    const auto fit = static_cast<std::size_t>(std::max(1.0f, room / kRowHeight));
    const std::size_t shown = rows_.size() <= fit ? rows_.size() : fit - 1;
    const std::string more =
        shown < rows_.size() ? "and " + std::to_string(rows_.size() - shown) + " more" : "";

    const auto text_of = [&](const LegendRow& row) {
        return row.swatch == Swatch::Scale ? row.text + ", " + scale_low_ + " to " + scale_high_ : row.text;
    };
    const auto swatch_width = [](const LegendRow& row) {
        return row.swatch == Swatch::Scale ? kScaleWidth : kSwatchWidth;
    };
    float width = text_width_px(more, kTextSize);
    for (std::size_t i = 0; i < shown; ++i) {
        width = std::max(width, swatch_width(rows_[i]) + kGap + text_width_px(text_of(rows_[i]), kTextSize));
    }
    const float height = kRowHeight * static_cast<float>(shown + (more.empty() ? 0 : 1));
    const glm::vec2 low_left(view.free_min_px.x + kMargin, view.free_max_px.y - kMargin);
    const glm::vec2 top_left = low_left - glm::vec2(0.0f, height + 2.0f * kPadding - 4.0f);
    painter.list.screen_rects.push_back(
        {top_left, {low_left.x + width + 2.0f * kPadding, low_left.y}, painter.colors.plate, 6.0f});

    glm::vec2 at = top_left + glm::vec2(kPadding, kPadding - 2.0f + 0.5f * kRowHeight);
    const auto write = [&](glm::vec2 where, std::string text, Color color) {
        painter.list.screen_texts.push_back(
            {where, std::move(text), color, Color{0, 0, 0, 0}, kTextSize, render::Label::Anchor::Left});
    };
    for (std::size_t i = 0; i < shown; ++i, at.y += kRowHeight) {
        draw_swatch(painter, rows_[i], at);
        write(at + glm::vec2(swatch_width(rows_[i]) + kGap, -0.62f * kTextSize), text_of(rows_[i]),
              painter.colors.text);
    }
    if (!more.empty()) write(at - glm::vec2(0.0f, 0.62f * kTextSize), more, painter.colors.text_dim);
}

}  // namespace lab::viz
