// The contents of a small window: the tabs that choose its one panel, and the knobs of an embedded scene.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lessons/player.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/program.hpp"

namespace lab::panels {
namespace {

struct SheetTab {
    Sheet sheet;
    const char* id;
    const char* label;
};
constexpr std::array kTabs = {SheetTab{Sheet::Scenes, "scenes", "Scenes"},
                              SheetTab{Sheet::Settings, "settings", "Settings"},
                              SheetTab{Sheet::Results, "results", "Results"}};

void tab(const PanelContext& c, const SheetTab& row, const char* label, const char* id, bool open,
         ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string name = fmt::format("sheet.{}", row.id);
    if (hit_area(name.c_str(), size)) c.push(fmt::format("set {} {}", kUiSheet.id, open ? "none" : id));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool lit = open || ImGui::IsItemHovered();
    if (open) list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, pack(c.colors.raised));
    const ImVec2 text = ImGui::CalcTextSize(label);
    list.AddText({at.x + std::max(0.0f, 0.5f * (size.x - text.x)), at.y + 0.5f * (size.y - text.y)},
                 pack(lit ? c.colors.text : c.colors.text_dim), label);
    if (open)
        list.AddRectFilled({at.x, at.y}, {at.x + size.x, at.y + std::round(0.15f * c.em)},
                           pack(c.colors.accent));
    c.mark(name);
}

}  // namespace

void sheet_tabs(const PanelContext& c, float width) {
    const bool lesson = c.state.lesson && c.state.lesson->spec();
    const float height = c.layout.menu.size().y;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0f, 0.0f});
    const ImVec2 size{std::max(1.0f, std::floor(width / static_cast<float>(kTabs.size()))), height};
    for (const SheetTab& row : kTabs) {
        const bool first = row.sheet == Sheet::Scenes;
        if (!first) ImGui::SameLine();
        const bool open = c.layout.sheet == row.sheet || (first && c.layout.sheet == Sheet::Lesson);
        tab(c, row, first && lesson ? "Lesson" : row.label, first && lesson ? "lesson" : row.id, open, size);
    }
    ImGui::PopStyleVar();
}

void sheet_strip(const PanelContext& c) {
    const Rect& r = c.layout.tabs;
    if (r.is_empty()) return;
    ImGui::SetNextWindowPos({r.min.x, r.min.y});
    ImGui::SetNextWindowSize({r.size().x, r.size().y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
    ImGui::Begin("##sheet.strip", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar(3);
    sheet_tabs(c, r.size().x);
    ImGui::End();
}

void knobs(const PanelContext& c) {
    start_at_top(c);
    time_buttons(c);
    scene_settings(c);
    steps_panel(c);
}

}  // namespace lab::panels
