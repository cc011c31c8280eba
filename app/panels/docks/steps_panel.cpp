// The stepper: buttons, a slider, the pseudo-code with its current line, the variables, and the curve of the
// quantity that matters. The sentence itself is in the scene's card.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "panels/docks/curve_range.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/steps.hpp"

namespace lab::panels {
namespace {

void step_buttons(const PanelContext& c, const WalkView& walk) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - 5.0f * gap) / 6.0f;
    const auto row = [&](Icon icon, const char* name, const char* help, const char* command) {
        if (icon_button(c, icon, name, help, false, width)) c.push(command);
    };
    row(Icon::First, "steps.first", "First step", "step.first");
    ImGui::SameLine();
    row(Icon::Previous, "steps.back", "Previous step (Left)", "step.back");
    ImGui::SameLine();
    row(walk.playing ? Icon::Pause : Icon::Play, "steps.play", "Play the steps automatically", "step.play");
    c.mark(std::string(kStepPlaying.id));
    ImGui::SameLine();
    row(Icon::Next, "steps.next", "Next step (Right)", "step.next");
    ImGui::SameLine();
    row(Icon::Last, "steps.last", "Last step", "step.last");
    ImGui::SameLine();
    row(Icon::NextChange, "steps.change", "Next step that changes the result (Shift+Right)", "step.change");
}

/// The answer, number 0, is at the right end: it follows the last step.
void step_slider(const PanelContext& c, const WalkView& walk) {
    const auto answer = static_cast<int>(std::min<std::size_t>(walk.of, kMaxStepNumber)) + 1;
    int place = walk.number == 0 ? answer : static_cast<int>(walk.number);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const std::string text =
        walk.number == 0 ? fmt::format("result, after {}", io::counted(walk.of, "step", "steps"))
                         : fmt::format("step {} of {}", io::grouped(walk.number), io::grouped(walk.of));
    const int first = 1, last = std::max(answer, 2);
    if (slider("##steps", ImGuiDataType_S32, &place, &first, &last, text.c_str()))
        c.push(fmt::format("step.goto {}", place >= answer ? 0 : std::max(place, 1)));
    c.mark(std::string(kStepAt.id));
}

/// Scrolls the panel to the current line when that has changed and is out of sight; not while the mouse is
/// over the panel, where a button would move from under it.
void follow_line(const PanelContext& c, const WalkView& walk, ImVec2 at) {
    const std::string line = fmt::format("{} {}", walk.algorithm, walk.code_line);
    if (std::exchange(c.state.code_line, line) == line) return;
    const ImVec2 end(at.x + 1.0f, at.y + ImGui::GetTextLineHeight());
    const bool visible =
        ImGui::IsRectVisible(at, {end.x, at.y + 1.0f}) && ImGui::IsRectVisible({at.x, end.y - 1.0f}, end);
    if (!visible && !ImGui::IsWindowHovered()) ImGui::SetScrollHereY(1.0f);
}

void code(const PanelContext& c, const WalkView& walk) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < walk.code.size(); ++i) {
        const bool here = i == walk.code_line;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (here)
            list.AddRectFilled({at.x - 0.2f * c.em, at.y - 0.1f * c.em},
                               {at.x + width, at.y + ImGui::GetTextLineHeight() + 0.1f * c.em},
                               pack(c.colors.accent.with_alpha(0.45f)), 3.0f);
        const std::size_t indent = std::min(walk.code[i].find_first_not_of(' '), walk.code[i].size());
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 0.5f * c.em * static_cast<float>(indent) + 0.1f * c.em);
        ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(here ? c.colors.text : c.colors.text_dim));
        const std::string_view line = walk.code[i].substr(indent);
        ImGui::TextUnformatted(line.data(), line.data() + line.size());
        ImGui::PopStyleColor();
        if (here) follow_line(c, walk, at);
    }
}

/// The values of all steps from left to right, with a mark at the one on show. A click goes to a step.
void curve(const PanelContext& c, const WalkView& walk) {
    if (!walk.curve || walk.quantity.empty()) return;
    const std::vector<float>& values = *walk.curve;
    const std::optional<CurveRange> range = range_of(values);
    if (!range) return;
    const std::string low = to_text(cells::quantity(static_cast<double>(range->low)));
    const std::string high = to_text(cells::quantity(static_cast<double>(range->high)));
    subheading(c, range->low < range->high ? fmt::format("{}: {} to {}{}", walk.quantity, low, high,
                                                         range->logarithmic ? ", logarithmic" : "")
                                           : fmt::format("{}: {}", walk.quantity, low));
    const ImVec2 size(ImGui::GetContentRegionAvail().x, 3.0f * c.em);
    if (size.x < 1.0f) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    hit_area("steps.curve", size);
    c.mark("steps.curve");
    const auto count = static_cast<float>(std::max<std::size_t>(values.size(), 1));
    if (ImGui::IsItemActive()) {
        const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x) / size.x, 0.0f, 1.0f);
        const auto goal = 1 + static_cast<std::size_t>(std::lround(share * (count - 1.0f)));
        if (goal != walk.number) c.push(fmt::format("step.goto {}", goal));
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, pack(c.colors.raised), 3.0f);
    const auto place = [&](std::size_t i) {
        const float x = at.x + size.x * (static_cast<float>(i) + 0.5f) / count;
        return ImVec2(x, at.y + size.y - 3.0f - (size.y - 6.0f) * range->share(values[i]));
    };
    // Long walks have many steps per pixel: only the lowest and the highest of them are drawn, in order.
    const std::size_t stride =
        std::max<std::size_t>(1, values.size() / static_cast<std::size_t>(size.x + 1.0f));
    std::optional<ImVec2> before;
    const auto go_to = [&](std::size_t i) {
        const ImVec2 here = place(i);
        if (before) list.AddLine(*before, here, pack(c.colors.accent), 1.5f);
        if (count < 60) list.AddCircleFilled(here, 2.0f, pack(c.colors.accent));
        before = here;
    };
    for (std::size_t begin = 0; begin < values.size(); begin += stride) {
        std::optional<std::size_t> lowest, highest;
        for (std::size_t i = begin; i < std::min(begin + stride, values.size()); ++i) {
            if (!std::isfinite(values[i])) continue;
            if (!lowest || values[i] < values[*lowest]) lowest = i;
            if (!highest || values[i] > values[*highest]) highest = i;
        }
        if (!lowest) continue;
        go_to(std::min(*lowest, *highest));
        if (*lowest != *highest) go_to(std::max(*lowest, *highest));
    }
    if (walk.number == 0 || walk.number > values.size()) return;
    const float x = at.x + size.x * (static_cast<float>(walk.number) - 0.5f) / count;
    list.AddLine({x, at.y}, {x, at.y + size.y}, pack(c.colors.text), 1.0f);
    if (std::isfinite(values[walk.number - 1]))
        list.AddCircleFilled(place(walk.number - 1), 4.0f, pack(c.palette.role(Role::Hit)));
}

}  // namespace

void steps_panel(const PanelContext& c) {
    const std::optional<WalkView>& walk = c.results().walk;
    if (!walk || !section(c, "Steps")) return;
    step_buttons(c, *walk);
    step_slider(c, *walk);
    curve(c, *walk);
    if (walk->dropped > 0)
        note(c, fmt::format("The recording was full: {} not shown.",
                            io::counted(walk->dropped, "more step is", "more steps are")));
    ImGui::Spacing();
    subheading(c, walk->algorithm);
    // Tight lines: code and variables are read together.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0.15f * c.em});
    code(c, *walk);
    ImGui::Dummy({0.0f, 0.2f * c.em});
    for (const auto& [name, value] : walk->values)
        value_row(c, name, to_text(value));
    ImGui::PopStyleVar();
    setting_editor(c, kStepSpeed);
}

}  // namespace lab::panels
