// Plots over all values of a setting: one small plot for each quantity, with a mark at the current value. A
// click or a drag changes the setting.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "panels/docks/curve_range.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

struct Range {
    float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
};

/// From 0, unless all values are far from it.
Range range_of(const std::vector<float>& values) {
    Range range;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    if (range.low > 0.0f && range.low < 0.5f * range.high) range.low = 0.0f;
    // Rounding alone is drawn flat.
    if (is_rounding(range.low, range.high)) range.high = range.low;
    return range;
}

/// The horizontal position of a value of the setting, as a share of the width.
float share_of(const Curves& curves, int value) {
    const auto from = static_cast<float>(curves.at.front()), to = static_cast<float>(curves.at.back());
    return to > from ? std::clamp((static_cast<float>(value) - from) / (to - from), 0.0f, 1.0f) : 0.0f;
}

/// The last measured value at or before the current one.
float value_now(const Curves& curves, const Curves::Line& line, int now) {
    float found = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t i = 0; i < curves.at.size() && i < line.values.size() && curves.at[i] <= now; ++i)
        if (std::isfinite(line.values[i])) found = line.values[i];
    return found;
}

void draw_line(const PanelContext& c, const Curves& curves, const Curves::Line& line, ImVec2 at,
               ImVec2 size) {
    const Range range = range_of(line.values);
    if (!(range.low <= range.high)) return;
    const float span = std::max(range.high - range.low, 1e-30f);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = pack(c.palette.role(line.role));
    // A column of pixels shows the minimum and the maximum of the values that fall into it.
    std::optional<ImVec2> before;
    const std::size_t count = std::min(curves.at.size(), line.values.size());
    for (std::size_t i = 0; i < count;) {
        const float x = std::floor(share_of(curves, curves.at[i]) * (size.x - 1.0f));
        float low = std::numeric_limits<float>::infinity(), high = -low, last = 0.0f;
        for (; i < count && std::floor(share_of(curves, curves.at[i]) * (size.x - 1.0f)) <= x; ++i) {
            if (!std::isfinite(line.values[i])) continue;
            low = std::min(low, line.values[i]);
            high = std::max(high, line.values[i]);
            last = line.values[i];
        }
        if (!(low <= high)) continue;
        const auto y = [&](float v) {
            return at.y + size.y - 3.0f - (size.y - 6.0f) * (v - range.low) / span;
        };
        const ImVec2 here(at.x + x, y(last));
        if (high > low) list.AddLine({here.x, y(low)}, {here.x, y(high)}, color, 1.0f);
        if (before) list.AddLine(*before, here, color, 1.5f);
        before = here;
    }
}

}  // namespace

void curve_plots(const PanelContext& c, const Curves& curves) {
    if (curves.at.empty() || curves.lines.empty()) return note(c, "Nothing has been measured yet.");
    const int now = c.settings().integer(*curves.setting);
    const ImVec2 available = ImGui::GetContentRegionAvail();
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const int columns = std::clamp(static_cast<int>(available.x / (11.0f * c.em)), 1, 5);
    const float width =
        std::floor((available.x - gap * static_cast<float>(columns)) / static_cast<float>(columns));
    const ImVec2 size(width, 2.6f * c.em);
    int drawn = 0;
    for (const Curves::Line& line : curves.lines) {
        if (drawn++ % columns != 0) ImGui::SameLine();
        ImGui::BeginGroup();
        const float value = value_now(curves, line, now);
        swatch(c, c.palette.role(line.role));
        ImGui::TextUnformatted(
            fmt::format("{}  {}", line.name,
                        std::isfinite(value) ? short_number(static_cast<double>(value)) : "-")
                .c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const std::string name = fmt::format("curve.{}", line.name);
        hit_area(name.c_str(), size);
        c.mark(name);
        if (ImGui::IsItemActive()) {
            const float share =
                std::clamp((ImGui::GetIO().MousePos.x - at.x) / std::max(size.x - 1.0f, 1.0f), 0.0f, 1.0f);
            const double from = curves.at.front(), to = curves.at.back();
            const int goal = static_cast<int>(std::lround(from + static_cast<double>(share) * (to - from)));
            if (goal != now) c.push(fmt::format("set {} {}", curves.setting->id, goal));
        }
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, pack(c.colors.raised), 3.0f);
        draw_line(c, curves, line, at, size);
        const float x = at.x + std::floor(share_of(curves, now) * (size.x - 1.0f));
        list.AddLine({x, at.y}, {x, at.y + size.y}, pack(c.colors.text), 1.0f);
        ImGui::EndGroup();
    }
}

}  // namespace lab::panels
