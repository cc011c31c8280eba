// Every command, setting and scene behind one search field.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "panels/menus/keys.hpp"
#include "panels/menus/palette_entries.hpp"
#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

constexpr std::size_t kRows = 12;

void close(const PanelContext& c) {
    c.state.palette_open = false;
    c.state.palette_line.clear();
    c.state.palette_row = 0;
}

void choose(const PanelContext& c, const PaletteEntry& entry) {
    if (entry.line.ends_with(' ')) {
        // The command needs arguments: put the line into the field and wait for them.
        c.state.set_palette_line(entry.line);
        return;
    }
    c.push(entry.line);
    close(c);
}

int caret_to_end(ImGuiInputTextCallbackData* data) {
    put_caret_at_end(*data, *static_cast<int*>(data->UserData));
    return 0;
}

float entry_height(const PanelContext& c) {
    return (c.fingers ? 2.2f : 1.5f) * c.em;
}

/// As many as fit: an on-screen keyboard covers half of the window.
std::size_t row_count(const PanelContext& c, float from_y) {
    const float pitch = entry_height(c) + ImGui::GetStyle().ItemSpacing.y;
    const float available = ImGui::GetIO().DisplaySize.y - from_y - ImGui::GetStyle().WindowPadding.y;
    return static_cast<std::size_t>(std::clamp(available / pitch, 2.0f, static_cast<float>(kRows)));
}

void entry_row(const PanelContext& c, const PaletteEntry& entry, std::size_t row) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(row));
    const float height = entry_height(c);
    if (ImGui::Selectable("##entry", row == c.state.palette_row, 0, {0.0f, height})) choose(c, entry);
    ImGui::PopID();
    c.mark(fmt::format("palette.{}", row));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = at.y + 0.5f * (height - c.em);
    const float margin = 0.4f * c.em, inner = width - 2.0f * margin;
    const auto width_of = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    // The label first, then the keys; the usage gets the rest.
    const std::string label = fitted(entry.label, inner);
    const std::string keys = entry.keys.empty() ? "" : "    " + entry.keys;
    const float left = inner - width_of(label) - 1.1f * c.em;
    const std::string detail = fitted(entry.detail, left - width_of(keys));
    const std::string right = width_of(detail + keys) <= left ? detail + keys : "";
    list.AddText({at.x + margin, y}, pack(c.colors.text), label.c_str());
    list.AddText({at.x + margin + inner - width_of(right), y}, pack(c.colors.text_dim), right.c_str());
    if (label != entry.label || detail != entry.detail)
        tooltip(fmt::format("{}\n{}", entry.label, entry.detail));
}

void navigate(const PanelContext& c, const std::vector<PaletteEntry>& entries, bool enter) {
    std::size_t& row = c.state.palette_row;
    if (pressed(UiKey::Down) && row + 1 < entries.size()) ++row;
    if (pressed(UiKey::Up) && row > 0) --row;
    if (entries.empty()) return;
    row = std::min(row, entries.size() - 1);
    if (enter) choose(c, entries[row]);
}

}  // namespace

void command_palette(const PanelContext& c) {
    if (!c.state.palette_open) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(44.0f * c.em, display.x - 2.0f * c.em);
    ImGui::SetNextWindowPos({0.5f * display.x, (c.in_sheet() ? 0.02f : 0.14f) * display.y}, ImGuiCond_Always,
                            {0.5f, 0.0f});
    ImGui::SetNextWindowSize({width, 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::Begin("##palette", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleVar();
    if (c.state.palette_focus) {
        ImGui::SetKeyboardFocusHere();
        c.state.palette_focus = false;
    }
    ImGui::SetNextItemWidth(-1.0f);
    const std::string before = c.state.palette_line, typed = typed_text();
    const char* hint = "Find a command, a setting or a scene, or type a command line";
    ImGui::PushID(c.state.palette_edits);
    const bool enter =
        ImGui::InputTextWithHint("##palette.line", hint, &c.state.palette_line,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways,
                                 caret_to_end, &c.state.palette_caret);
    if (ImGui::IsItemEdited()) c.state.palette_row = 0;
    if (!typed.empty() && !field_takes_text()) c.state.set_palette_line(before + typed);
    ImGui::PopID();
    c.mark("palette.line");
    const auto entries =
        palette_entries(c.state.palette_line, c.settings(), row_count(c, ImGui::GetCursorScreenPos().y));
    navigate(c, entries, enter);
    if (enter && c.state.palette_open) {  // Enter has left the field, and the line goes on there
        c.state.palette_focus = true;
        c.state.palette_caret = 3;
    }
    for (std::size_t row = 0; row < entries.size(); ++row)
        entry_row(c, entries[row], row);
    if (entries.empty()) note(c, why_no_entries(c.state.palette_line));
    const bool outside = ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered();
    ImGui::End();
    // The click or key that opened it must not close it again.
    if (c.state.palette_age++ > 0 && (pressed(UiKey::Escape) || outside)) close(c);
}

}  // namespace lab::panels
