// The time drawer: step buttons, and a scrubber from the first recorded step to the last.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/widgets/widgets.hpp"
#include "settings/program.hpp"

namespace lab::panels {
namespace {

void buttons(const PanelContext& c) {
    const bool paused = c.settings()[kSimPaused];
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.25f * c.em, ImGui::GetStyle().ItemSpacing.y});
    if (icon_button(c, Icon::Previous, "drawer.back", "One step back (,); ten: Shift+,")) c.push("time.back");
    ImGui::SameLine();
    if (icon_button(c, paused ? Icon::Play : Icon::Pause, "drawer.pause",
                    paused ? "Resume (Space)" : "Pause (Space)", paused))
        c.push("pause");
    ImGui::SameLine();
    if (icon_button(c, Icon::Step, "drawer.step", "One step forward (.); ten: Shift+.")) c.push("step");
    ImGui::PopStyleVar();
    ImGui::SameLine();
}

/// The scrubber. Dragging goes to the step under the mouse.
void scrubber(const PanelContext& c, float width) {
    const Timeline& timeline = c.session.timeline;
    const auto first = static_cast<double>(timeline.first_step());
    const auto last = static_cast<double>(std::max(timeline.last_step(), timeline.first_step() + 1));
    const auto now = static_cast<double>(timeline.place().steps);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    hit_area("drawer.line", {width, height});
    c.mark("drawer.line");
    const float knob = 0.42f * c.em;
    const float left = at.x + knob;
    const float length = width - 2.0f * knob;
    const auto x_of = [&](double step) {
        return left + length * static_cast<float>((step - first) / (last - first));
    };
    if (ImGui::IsItemActive()) {
        const double share =
            std::clamp(static_cast<double>((ImGui::GetIO().MousePos.x - left) / length), 0.0, 1.0);
        const auto goal = static_cast<std::uint64_t>(std::llround(first + share * (last - first)));
        const std::uint64_t reachable = std::min(goal, timeline.last_step());
        if (reachable != timeline.place().steps) c.push(fmt::format("time.goto {}", reachable));
    } else {
        tooltip("Drag to move through time. The marks are your changes: bodies added, moved or removed.");
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::round(at.y + 0.5f * height);
    const float thick = std::max(3.0f, std::round(0.25f * c.em));
    const float here = x_of(now);
    list.AddRectFilled({left, y - 0.5f * thick}, {left + length, y + 0.5f * thick}, pack(c.colors.raised),
                       0.5f * thick);
    list.AddRectFilled({left, y - 0.5f * thick}, {here, y + 0.5f * thick}, pack(c.colors.accent),
                       0.5f * thick);
    for (const std::uint64_t mark : timeline.marks()) {
        const float x = std::round(x_of(static_cast<double>(mark)));
        list.AddRectFilled({x - 1.0f, y - 0.45f * c.em}, {x + 1.0f, y + 0.45f * c.em},
                           pack(c.colors.warning.with_alpha(0.8f)));
    }
    const bool past = c.session.timeline.in_past();
    list.AddCircleFilled({here, y}, knob, pack(past ? c.colors.warning : c.colors.accent));
    list.AddCircle({here, y}, knob, pack(c.colors.panel), 0, 1.5f);
}

}  // namespace

void time_drawer(const PanelContext& c) {
    const Timeline& timeline = c.session.timeline;
    const bool past = c.session.timeline.in_past();
    buttons(c);
    const std::string text =
        past ? fmt::format("step {} of {}", grouped(timeline.place().steps), grouped(timeline.last_step()))
             : fmt::format("step {}  {:.2f} s", grouped(timeline.place().steps), c.results().time_s);
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float now_width = ImGui::CalcTextSize("Now").x + 2.0f * ImGui::GetStyle().FramePadding.x;
    const float text_width = std::max(ImGui::CalcTextSize(text.c_str()).x, 8.5f * c.em);
    const float room = ImGui::GetContentRegionAvail().x - text_width - now_width - 2.0f * gap;
    if (room > 4.0f * c.em) {
        scrubber(c, room);
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    const float x = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(past ? c.colors.warning : c.colors.text_dim));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::SetCursorPosX(x + text_width + gap);
    ImGui::BeginDisabled(!past);
    if (button(c, "Now", "drawer.now")) c.push("time.goto end");
    tooltip("Back to the present");
    ImGui::EndDisabled();
}

}  // namespace lab::panels
