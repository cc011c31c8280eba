// Widgets made of shapes rather than text: icons, plots over time, bars of shares.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

void draw_icon(ImDrawList& list, Icon icon, ImVec2 center, float r, ImU32 color) {
    const auto at = [&](float x, float y) { return ImVec2(center.x + x * r, center.y + y * r); };
    const float stroke = std::max(1.5f, 0.22f * r);
    switch (icon) {
        case Icon::Play:
            list.AddTriangleFilled(at(-0.7f, -1), at(-0.7f, 1), at(1, 0), color);
            break;
        case Icon::Pause:
            list.AddRectFilled(at(-0.8f, -0.95f), at(-0.2f, 0.95f), color, 1.0f);
            list.AddRectFilled(at(0.2f, -0.95f), at(0.8f, 0.95f), color, 1.0f);
            break;
        case Icon::Restart: {
            list.PathArcTo(center, 0.85f * r, -0.9f, 4.2f, 20);
            list.PathStroke(color, 0, stroke);
            const ImVec2 tip = at(0.85f * std::cos(-0.9f), 0.85f * std::sin(-0.9f));
            list.AddTriangleFilled({tip.x - 0.55f * r, tip.y - 0.15f * r},
                                   {tip.x + 0.3f * r, tip.y - 0.5f * r}, {tip.x + 0.2f * r, tip.y + 0.5f * r},
                                   color);
            break;
        }
        case Icon::Previous:
            list.PathLineTo(at(0.4f, -0.85f));
            list.PathLineTo(at(-0.45f, 0));
            list.PathLineTo(at(0.4f, 0.85f));
            list.PathStroke(color, 0, 1.3f * stroke);
            break;
        case Icon::Next:
            list.PathLineTo(at(-0.4f, -0.85f));
            list.PathLineTo(at(0.45f, 0));
            list.PathLineTo(at(-0.4f, 0.85f));
            list.PathStroke(color, 0, 1.3f * stroke);
            break;
        case Icon::First:
            list.AddRectFilled(at(-0.95f, -0.9f), at(-0.5f, 0.9f), color, 1.0f);
            list.AddTriangleFilled(at(0.9f, -0.9f), at(0.9f, 0.9f), at(-0.5f, 0), color);
            break;
        case Icon::Step:
        case Icon::Last:
            list.AddTriangleFilled(at(-0.9f, -0.9f), at(-0.9f, 0.9f), at(0.5f, 0), color);
            list.AddRectFilled(at(0.5f, -0.9f), at(0.95f, 0.9f), color, 1.0f);
            break;
        case Icon::NextChange:
            list.AddTriangleFilled(at(-1.3f, -0.9f), at(-1.3f, 0.9f), at(0.0f, 0), color);
            list.AddCircleFilled(at(0.75f, 0), 0.5f * r, color);
            break;
        case Icon::Close:
            list.AddLine(at(-0.65f, -0.65f), at(0.65f, 0.65f), color, stroke);
            list.AddLine(at(-0.65f, 0.65f), at(0.65f, -0.65f), color, stroke);
            break;
        case Icon::Palette:
            list.AddCircle(at(-0.15f, -0.15f), 0.65f * r, color, 24, stroke);
            list.AddLine(at(0.35f, 0.35f), at(0.95f, 0.95f), color, stroke * 1.2f);
            break;
    }
}

/// The next 1, 2 or 5 times a power of ten: a scale that stays stable from frame to frame.
float scale_for(float highest) {
    if (!(highest > 0.0f)) return 1.0f;
    const float power = std::pow(10.0f, std::floor(std::log10(highest)));
    for (const float step : {1.0f, 2.0f, 5.0f, 10.0f}) {
        if (highest <= step * power) return step * power;
    }
    return 10.0f * power;
}

void draw_line(ImDrawList& list, const Series& series, ImVec2 low, ImVec2 high, float scale, ImU32 color) {
    static_assert(Series::kCapacity <= 512);
    std::array<ImVec2, Series::kCapacity> points;
    const float step = (high.x - low.x) / static_cast<float>(Series::kCapacity - 1);
    for (std::size_t i = 0; i < series.size(); ++i) {
        const float share = std::clamp(series[i] / scale, 0.0f, 1.0f);
        points[i] = {high.x - step * static_cast<float>(series.size() - 1 - i),
                     high.y - share * (high.y - low.y)};
    }
    list.AddPolyline(points.data(), static_cast<int>(series.size()), color, 0, 1.5f);
}

}  // namespace

bool icon_button(const PanelContext& c, Icon icon, std::string name, std::string_view help, bool lit,
                 float width) {
    const float size = ImGui::GetFrameHeight();
    if (width <= 0.0f) width = size;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = hit_area(name.c_str(), {width, size});
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (lit)
        list.AddRectFilled(at, {at.x + width, at.y + size}, pack(c.colors.accent),
                           ImGui::GetStyle().FrameRounding);
    else if (hovered)
        list.AddRectFilled(at, {at.x + width, at.y + size}, pack(c.colors.hover),
                           ImGui::GetStyle().FrameRounding);
    const render::Color ink = lit ? c.colors.on_accent : hovered ? c.colors.text : c.colors.text_dim;
    draw_icon(list, icon, {at.x + 0.5f * width, at.y + 0.5f * size}, 0.26f * size, pack(ink));
    tooltip(help);
    c.mark(std::move(name));
    return clicked;
}

void plot(const PanelContext& c, std::string_view title, std::span<const PlotLine> lines, const char* unit,
          ImVec2 size, Spikes spikes) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, pack(c.colors.sunken), 4.0f);
    const float pad = std::round(0.4f * c.em);
    float highest = 0.0f;
    for (const PlotLine& line : lines) {
        highest = std::max(
            highest, spikes == Spikes::Shown ? line.series.max() : 1.3f * line.series.percentile(0.95f));
    }
    const float scale = scale_for(highest);

    // The newest values follow the title, each in the color of its line, and wrap into rows below it.
    struct LabelPlace {
        std::string text;
        float width = 0.0f;
        std::size_t row = 0;
    };
    std::vector<LabelPlace> labels;
    const float gap = 0.8f * c.em;
    std::vector<float> row_widths{ImGui::CalcTextSize(title.data(), title.data() + title.size()).x};
    for (const PlotLine& line : lines) {
        std::string text = fmt::format("{}{}{}{}", line.label, line.label.empty() ? "" : " ",
                                       short_number(static_cast<double>(line.series.last())), unit);
        const float width = ImGui::CalcTextSize(text.c_str()).x + gap;
        if (row_widths.back() + width > size.x - 2.0f * pad + (row_widths.size() > 1 ? gap : 0.0f))
            row_widths.push_back(0.0f);
        row_widths.back() += width;
        labels.push_back({std::move(text), width, row_widths.size() - 1});
    }
    const float head = static_cast<float>(row_widths.size()) * ImGui::GetFontSize() + pad;
    const ImVec2 low{at.x + pad, at.y + head + pad};
    const ImVec2 high{at.x + size.x - pad, at.y + size.y - pad};
    if (high.y - low.y < 4.0f || high.x - low.x < 10.0f) return;
    for (const float share : {0.0f, 0.5f, 1.0f}) {
        const float y = std::round(high.y - share * (high.y - low.y)) + 0.5f;
        list.AddLine({low.x, y}, {high.x, y}, pack(c.colors.border.with_alpha(share == 0.0f ? 1.0f : 0.5f)));
    }
    list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
    for (std::size_t i = lines.size(); i-- > 0;)
        draw_line(list, lines[i].series, low, high, scale, pack(lines[i].color));
    list.AddText({low.x, at.y + 0.6f * pad}, pack(c.colors.text_dim), title.data(),
                 title.data() + title.size());

    float x = high.x;
    for (std::size_t i = lines.size(); i-- > 0;) {
        if (i + 1 < lines.size() && labels[i].row != labels[i + 1].row) x = high.x;
        list.AddText({x - labels[i].width + gap,
                      at.y + 0.6f * pad + static_cast<float>(labels[i].row) * ImGui::GetFontSize()},
                     pack(lines[i].color), labels[i].text.c_str());
        x -= labels[i].width;
    }
    const std::string top = short_number(static_cast<double>(scale));
    list.AddText(c.fonts.regular, 0.8f * c.em, {low.x + 2, low.y + 1},
                 pack(c.colors.text_dim.with_alpha(0.8f)), top.c_str());
    list.PopClipRect();
}

void stacked_bar(const PanelContext& c, std::span<const BarPart> parts, ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, pack(c.colors.sunken), 3.0f);
    double total = 0.0;
    for (const BarPart& part : parts)
        total += std::max(0.0, part.value);
    if (!(total > 0.0)) return;
    float x = at.x;
    for (const BarPart& part : parts) {
        const float width = size.x * static_cast<float>(std::max(0.0, part.value) / total);
        if (width >= 0.5f)
            list.AddRectFilled({x, at.y}, {x + std::max(1.0f, width - 1.0f), at.y + size.y}, pack(part.color),
                               2.0f);
        if (ImGui::IsMouseHoveringRect({x, at.y}, {x + width, at.y + size.y})) {
            ImGui::SetTooltip("%s: %.3f ms", std::string(part.label).c_str(), part.value);
        }
        x += width;
    }
}

}  // namespace lab::panels
