// The fixed overlay: the scene's title with its counts, PAUSED, and the legend.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "settings/program.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

std::string plural(std::size_t n, const char* one, const char* many) {
    return std::to_string(n) + (n == 1 ? one : many);
}

std::string counts(const FrameResults& results) {
    if (results.bodies.empty()) return {};
    std::string text = plural(results.bodies.size(), " body", " bodies");
    if (results.bodies.size() > 1) {
        text += ", " + plural(results.pairs.broad_count(), " pair of boxes", " pairs of boxes");
        text += ", " + std::to_string(results.pairs.volume.size()) + " of volumes";
        if (results.pairs.exact_tested)
            text += ", " + std::to_string(results.pairs.exact.size()) + " of meshes";
    }
    return text;
}

void draw_title(const Context& c) {
    if (c.view.title.empty() || c.view.panels) return;
    const glm::vec2 at = c.view.free_min_px + glm::vec2(16.0f, 12.0f);
    auto& texts = c.paint.list.screen_texts;
    texts.push_back({at, std::string(c.view.title), c.paint.colors.text, c.paint.colors.halo, 22.0f,
                     render::Label::Anchor::Left});
    texts.push_back({at + glm::vec2(0.0f, 30.0f), counts(c.results), c.paint.colors.text_dim,
                     c.paint.colors.halo, 14.0f, render::Label::Anchor::Left});
}

void draw_paused(const Context& c) {
    if (!c.results.paused) return;
    const float x = 0.5f * (c.view.free_min_px.x + c.view.free_max_px.x);
    const float y = c.view.free_min_px.y + 14.0f;
    constexpr float kSize = 17.0f;
    const std::string text = c.results.in_past ? "PAUSED, IN THE PAST" : "PAUSED";
    const float half = 0.5f * text_width_px(text, kSize) + 14.0f;
    const Palette& colors = c.paint.colors;
    c.paint.list.screen_rects.push_back({{x - half, y}, {x + half, y + 28.0f}, colors.notice, 5.0f});
    c.paint.list.screen_texts.push_back(
        {{x, y + 14.0f}, text, colors.on_notice, Color{0, 0, 0, 0}, kSize, render::Label::Anchor::Center});
}

/// Words on as many lines as they need; a word that is too long stands alone.
std::vector<std::string> wrapped(std::string_view text, float size_px, float width_px) {
    std::vector<std::string> lines(1);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string longer =
            lines.back() + (lines.back().empty() ? "" : " ") + std::string(text.substr(begin, end - begin));
        if (!lines.back().empty() && text_width_px(longer, size_px) > width_px)
            lines.emplace_back(text.substr(begin, end - begin));
        else
            lines.back() = longer;
        begin = end + 1;
    }
    return lines;
}

/// What the step on show did, at the bottom of the view beside the legend.
void draw_sentence(const Context& c, float left, glm::vec2 charts) {
    if (!c.results.walk || c.results.walk->sentence.empty()) return;
    const WalkView& walk = *c.results.walk;
    constexpr float kSize = 17.0f, kLine = 24.0f, kPadding = 12.0f, kMargin = 12.0f, kNarrow = 260.0f,
                    kBelowTitle = 50.0f;
    float right = charts.x - kMargin, bottom = c.view.free_max_px.y - kMargin;
    if (right - left < kNarrow) {  // charts and legend leave no space: above the charts, then
        right = c.view.free_max_px.x - kMargin;
        bottom = charts.y - kMargin;
    }
    const float room = std::min(right - left - kMargin, 900.0f) - 2.0f * kPadding;
    if (room < 120.0f) return;
    const Palette& colors = c.paint.colors;
    const std::string head = walk.number == 0
                                 ? std::string(walk.algorithm)
                                 : fmt::format("{}, step {} of {}", walk.algorithm, walk.number, walk.of);
    const std::vector<std::string> lines = wrapped(walk.sentence, kSize, room);
    float width = text_width_px(head, 14.0f);
    for (const std::string& line : lines)
        width = std::max(width, text_width_px(line, kSize));
    const float height = kLine * static_cast<float>(lines.size() + 1) + 2.0f * kPadding - 6.0f;
    const float middle = 0.5f * (left + kMargin + right);
    float top = std::max(bottom - height, c.view.free_min_px.y + kMargin);
    // A narrow view, full of charts: the middle belongs to the scene.
    const float center = 0.5f * (c.view.free_min_px.y + c.view.free_max_px.y);
    const bool narrow = c.view.free_max_px.x - c.view.free_min_px.x < kNarrowView_px;
    if (narrow && bottom < charts.y && top < center) top = c.view.free_min_px.y + kBelowTitle;
    const glm::vec2 corner(middle - 0.5f * width - kPadding, top);
    c.paint.list.screen_rects.push_back(
        {corner, corner + glm::vec2(width + 2.0f * kPadding, height), colors.plate, 6.0f});
    glm::vec2 at = corner + kPadding;
    const auto write = [&](const std::string& text, float size, Color color) {
        c.paint.list.screen_texts.push_back(
            {at, text, color, Color{0, 0, 0, 0}, size, render::Label::Anchor::Left});
        at.y += kLine;
    };
    write(head, 14.0f, colors.text_dim);
    for (const std::string& line : lines)
        write(line, kSize, colors.text);
}

}  // namespace

void draw_screen(const Context& c, glm::vec2 charts_px) {
    draw_title(c);
    draw_paused(c);
    const float left =
        c.settings[kUiLegend] ? c.legend.draw(c.paint, c.view, charts_px) : c.view.free_min_px.x;
    draw_sentence(c, left, charts_px);
}

}  // namespace lab::viz
