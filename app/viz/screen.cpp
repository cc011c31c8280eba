// The fixed overlay: the scene's title with its counts, the sentence of the stepper, and PAUSED.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/counted.hpp"
#include "io/text/line_breaks.hpp"
#include "settings/program.hpp"
#include "view/view_rect.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

std::string counts(const FrameResults& results) {
    if (results.bodies.empty()) return {};
    std::string text = io::counted(results.bodies.size(), "body", "bodies");
    if (results.bodies.size() > 1) {
        text += ", " + io::counted(results.pairs.broad_count(), "pair of boxes", "pairs of boxes");
        text += ", " + io::grouped(results.pairs.volume.size()) + " of volumes";
        if (results.pairs.exact_tested) text += ", " + io::grouped(results.pairs.exact.size()) + " of meshes";
    }
    return text;
}

/// The step's sentence stands in the picture; with panels it stands in the scene's card.
bool shows_sentence(const Context& c) {
    return c.results.walk && !c.results.walk->sentence.empty() &&
           !(c.view.card_max_px.y > c.view.card_min_px.y);
}

/// True if the view is too low for a title above the plate of the sentence.
bool is_low(const Context& c) {
    return c.view.size_px.y < kLowHeight_px;
}

void draw_title(const Context& c) {
    if (c.view.title.empty() || c.view.panels || (is_low(c) && shows_sentence(c))) return;
    const glm::vec2 at = c.view.free_min_px + glm::vec2(16.0f, 12.0f);
    auto& texts = c.paint.list.screen_texts;
    texts.push_back({at, std::string(c.view.title), c.paint.colors.text, c.paint.colors.halo, 22.0f,
                     render::Label::Anchor::Left});
    texts.push_back({at + glm::vec2(0.0f, 30.0f), counts(c.results), c.paint.colors.text_dim,
                     c.paint.colors.halo, 14.0f, render::Label::Anchor::Left});
}

/// The lines of a text at most this wide.
std::vector<std::string> wrapped(std::string_view text, float size_px, float width_px) {
    const std::string broken = io::broken_at_blanks(
        text, width_px, [&](std::string_view s) { return text_width_px(std::string(s), size_px); });
    std::vector<std::string> lines(1);
    for (const char c : broken)
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    return lines;
}

/// The sentence of the current step, below the title; in a low picture joined with the title.
void draw_sentence(const Context& c) {
    if (!shows_sentence(c)) return;
    const bool low = is_low(c), titled = !c.view.title.empty() && !c.view.panels;
    const float size = low ? 15.0f : 17.0f, line = low ? 20.0f : 24.0f, padding = low ? 9.0f : 12.0f;
    constexpr float kHeadSize = 14.0f, kWidest = 760.0f;
    constexpr float kBelowTitle = 44.0f, kBelowCounts = 70.0f;
    const WalkView& walk = *c.results.walk;
    const std::string head = !titled ? walk.heading_below({})
                             : low   ? walk.heading_with(c.view.title)
                                     : walk.heading_below(c.view.title);
    const float available =
        std::min(c.view.free_max_px.x - c.view.free_min_px.x - 2.0f * kPlateMargin, kWidest);
    const std::vector<std::string> lines = wrapped(walk.sentence, size, available - 2.0f * padding);
    float width = text_width_px(head, kHeadSize);
    for (const std::string& words : lines)
        width = std::max(width, text_width_px(words, size));
    const float top = !titled || low ? kPlateMargin : c.results.bodies.empty() ? kBelowTitle : kBelowCounts;
    glm::vec2 min = c.view.free_min_px + glm::vec2(kPlateMargin, top);
    glm::vec2 max = min + 2.0f * padding +
                    glm::vec2(width, line * static_cast<float>(lines.size() + (head.empty() ? 0 : 1)) - 6.0f);
    if (!c.plates.is_free({min, max})) {  // below PAUSED
        min.y += kBelowTitle;
        max.y += kBelowTitle;
    }
    if (!c.plates.take({min, max})) return;
    const Palette& colors = c.paint.colors;
    c.paint.list.screen_rects.push_back({min, max, colors.plate, 6.0f});
    glm::vec2 at = min + padding;
    const auto write = [&](const std::string& text, float text_size, Color color) {
        c.paint.list.screen_texts.push_back(
            {at, text, color, Color{0, 0, 0, 0}, text_size, render::Label::Anchor::Left});
        at.y += line;
    };
    if (!head.empty()) write(head, kHeadSize, colors.text_dim);
    for (const std::string& words : lines)
        write(words, size, colors.text);
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

void draw_captions(const Context& c) {
    draw_title(c);
    draw_sentence(c);
}

}  // namespace lab::viz
