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

constexpr float kSentenceSize = 17.0f, kSentenceLine = 24.0f, kSentencePadding = 12.0f, kMargin = 12.0f;

/// A place for the sentence: its text in the lines that fit between two sides, above a height.
struct SentencePlace {
    std::vector<std::string> lines;
    Plates::Rect rect;

    SentencePlace(const WalkView& walk, const std::string& head, float left, float right, float bottom) {
        const float room = std::min(right - left, 900.0f) - 2.0f * kSentencePadding;
        if (room < 120.0f) return;
        lines = wrapped(walk.sentence, kSentenceSize, room);
        float width = text_width_px(head, 14.0f);
        for (const std::string& line : lines)
            width = std::max(width, text_width_px(line, kSentenceSize));
        const float height =
            kSentenceLine * static_cast<float>(lines.size() + 1) + 2.0f * kSentencePadding - 6.0f;
        const float middle = 0.5f * (left + right), half = 0.5f * width + kSentencePadding;
        rect = {{middle - half, bottom - height}, {middle + half, bottom}};
    }
};

/// What the step on show did: at the bottom of the view between legend and charts, or wherever there is room.
void draw_sentence(const Context& c, float legend_right, glm::vec2 charts) {
    if (!c.results.walk || c.results.walk->sentence.empty()) return;
    const WalkView& walk = *c.results.walk;
    const std::string head = walk.number == 0
                                 ? std::string(walk.algorithm)
                                 : fmt::format("{}, step {} of {}", walk.algorithm, walk.number, walk.of);
    constexpr float kNarrow = 200.0f, kBelowTitle = 50.0f;
    constexpr std::size_t kMostLines = 5;
    const float left = legend_right + kMargin;
    const float right = c.view.free_max_px.x - kMargin, bottom = c.view.free_max_px.y - kMargin;
    std::vector<SentencePlace> places;
    if (charts.x - kMargin - left >= kNarrow)
        places.emplace_back(walk, head, left, charts.x - kMargin, bottom);
    if (!places.empty() && places.back().lines.size() > kMostLines) places.clear();
    places.emplace_back(walk, head, left, right, charts.y - kMargin);  // above the charts
    // A narrow view, full of charts: the middle belongs to the scene.
    const float center = 0.5f * (c.view.free_min_px.y + c.view.free_max_px.y);
    const bool narrow = c.view.free_max_px.x - c.view.free_min_px.x < kNarrowView_px;
    if (Plates::Rect& rect = places.back().rect; narrow && rect.max.y < charts.y && rect.min.y < center) {
        const float up = rect.min.y - (c.view.free_min_px.y + kBelowTitle);
        rect.min.y -= up;
        rect.max.y -= up;
    }
    for (float y = bottom; y > c.view.free_min_px.y + 60.0f; y -= kSentenceLine)
        places.emplace_back(walk, head, c.view.free_min_px.x + kMargin, right, y);
    const auto place = std::find_if(places.begin(), places.end(), [&](const SentencePlace& p) {
        return !p.lines.empty() && c.plates.take(p.rect);
    });
    if (place == places.end()) return;
    const Palette& colors = c.paint.colors;
    c.paint.list.screen_rects.push_back({place->rect.min, place->rect.max, colors.plate, 6.0f});
    glm::vec2 at = place->rect.min + kSentencePadding;
    const auto write = [&](const std::string& text, float size, Color color) {
        c.paint.list.screen_texts.push_back(
            {at, text, color, Color{0, 0, 0, 0}, size, render::Label::Anchor::Left});
        at.y += kSentenceLine;
    };
    write(head, 14.0f, colors.text_dim);
    for (const std::string& line : place->lines)
        write(line, kSentenceSize, colors.text);
}

}  // namespace

void draw_paused(const Context& c) {
    if (!c.results.paused) return;
    const float x = 0.5f * (c.view.free_min_px.x + c.view.free_max_px.x);
    constexpr float kSize = 17.0f, kHeight = 28.0f;
    const std::string text = c.results.in_past ? "PAUSED, IN THE PAST" : "PAUSED";
    const float half = 0.5f * text_width_px(text, kSize) + 14.0f;
    // At the top, or below the scene's text where that reaches to the middle.
    for (const float y : {c.view.free_min_px.y + 14.0f, c.view.card_max_px.y + 8.0f}) {
        if (!c.plates.take({{x - half, y}, {x + half, y + kHeight}})) continue;
        const Palette& colors = c.paint.colors;
        c.paint.list.screen_rects.push_back({{x - half, y}, {x + half, y + kHeight}, colors.notice, 5.0f});
        c.paint.list.screen_texts.push_back({{x, y + 0.5f * kHeight},
                                             text,
                                             colors.on_notice,
                                             Color{0, 0, 0, 0},
                                             kSize,
                                             render::Label::Anchor::Center});
        return;
    }
}

void draw_screen(const Context& c, glm::vec2 charts_px) {
    draw_title(c);
    const float left =
        c.settings[kUiLegend] ? c.legend.draw(c.paint, c.view, charts_px, c.plates) : c.view.free_min_px.x;
    draw_sentence(c, left, charts_px);
}

}  // namespace lab::viz
