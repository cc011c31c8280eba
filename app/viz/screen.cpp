// The fixed overlay: the scene's title with its counts, PAUSED, and the legend.
#include <string>

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

}  // namespace

void draw_screen(const Context& c) {
    draw_title(c);
    draw_paused(c);
    if (c.settings[kUiLegend]) c.legend.draw(c.paint, c.view);
}

}  // namespace lab::viz
