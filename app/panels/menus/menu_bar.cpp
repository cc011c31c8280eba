// The menu bar: commands by topic with their keys, and the time controls at its right end.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "commands/catalog.hpp"
#include "panels/menus/menus.hpp"
#include "panels/widgets/widgets.hpp"
#include "platform/host.hpp"
#include "results/volume_settings.hpp"
#include "settings/program.hpp"
#include "world/world_settings.hpp"

namespace lab::panels {
namespace {

/// Runs an item. A line that needs an argument opens the palette, where the user types it.
std::string line_to_run(const std::string& line) {
    return line.ends_with(' ') ? fmt::format("palette {}", quote_word(line)) : line;
}

void item(const PanelContext& c, const MenuItem& row) {
    const std::string label(row.label), text = row.line();
    bool on = false;
    bool checkable = false;
    if (const ParsedLine line = command_table().parse(text); line.changes_setting()) {
        checkable = line.setting->kind == SettingKind::Flag;
        on = checkable && c.settings().flag(*line.setting);
    }
    const bool needs_body = row.needs == Needs::Body && !c.selected_body();
    line_row(c, label, line_to_run(text), checkable && on, !needs_body);
    c.mark(fmt::format("menu.{}", text));
}

void scenes_by_category(const PanelContext& c) {
    std::set<std::string_view> done;
    for (const SceneSpec& first : scene_specs()) {
        if (!done.insert(first.category).second) continue;
        if (!ImGui::BeginMenu(std::string(first.category).c_str())) continue;
        for (const SceneSpec& scene : scene_specs()) {
            if (scene.category != first.category) continue;
            const bool current = c.results().scene_id == scene.id;
            if (ImGui::MenuItem(std::string(scene.title).c_str(), nullptr, current)) {
                c.push(fmt::format("scene {}", scene.id));
            }
            tooltip(scene.summary);
        }
        ImGui::EndMenu();
    }
}

void choices(const PanelContext& c, const SettingSpec& spec) {
    if (!ImGui::BeginMenu(std::string(spec.label).c_str())) return;
    for (const Choice& choice : spec.choices) {
        const bool current = c.settings().choice(spec).id == choice.id;
        if (ImGui::MenuItem(std::string(choice.label).c_str(), nullptr, current)) {
            c.push(fmt::format("set {} {}", spec.id, choice.id));
        }
    }
    ImGui::EndMenu();
}

bool is_offered(const MenuItem& row) {
    if (row.needs == Needs::Desktop) return !platform::in_browser();
    return row.needs != Needs::Site || platform::has_site();
}

void menu(const PanelContext& c, std::string_view name) {
    const std::string title(name);
    const bool open = ImGui::BeginMenu(title.c_str());
    c.mark(fmt::format("menu.{}", name));
    if (!open) return;
    for (const MenuItem& row : menu_items()) {
        if (row.menu != name || !is_offered(row)) continue;
        if (row.line().empty())
            ImGui::Separator();
        else
            item(c, row);
    }
    if (name == "View") {
        ImGui::Separator();
        choices(c, kUiTheme);
        choices(c, kUiQuality);
    } else if (name == "Scene") {
        ImGui::Separator();
        scenes_by_category(c);
    } else if (name == "Simulation") {
        ImGui::Separator();
        choices(c, kSimContact);
        choices(c, kVolumePairKind);
    }
    ImGui::EndMenu();
}

/// The width of the icons at the right end.
float time_width(const PanelContext& c) {
    return (c.in_sheet() ? 4.0f : 3.0f) * (ImGui::GetFrameHeight() + 0.3f * c.em);
}

/// To be called behind the menus. Where they leave too little space, the rate is not shown.
void time_controls(const PanelContext& c) {
    const std::string rate = fmt::format("{:.0f} fps", c.state.frames_per_second);
    float rate_width = c.in_sheet() ? 0.0f : ImGui::CalcTextSize("0000 fps").x + 0.8f * c.em;
    if (ImGui::GetCursorPosX() + time_width(c) + rate_width + 0.8f * c.em > ImGui::GetWindowWidth())
        rate_width = 0.0f;
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - time_width(c) - rate_width - 0.8f * c.em);
    const float line = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(0.5f * (c.layout.menu.size().y - ImGui::GetFrameHeight()));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.3f * c.em, 0.0f});
    if (c.in_sheet() && icon_button(c, Icon::Palette, "menu.palette", "Commands and settings"))
        c.push("palette");
    time_buttons(c);
    ImGui::PopStyleVar();
    if (rate_width == 0.0f) return;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.text_dim));
    ImGui::SetCursorPosY(line);
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - ImGui::CalcTextSize(rate.c_str()).x - 0.8f * c.em);
    ImGui::TextUnformatted(rate.c_str());
    ImGui::PopStyleColor();
}

/// The width of their titles beside each other.
float titles_width(const PanelContext& c) {
    push_row_spacing(c);
    float width = 0.0f;
    for (const std::string_view name : menu_names())
        width += ImGui::CalcTextSize(name.data(), name.data() + name.size()).x +
                 2.0f * ImGui::GetStyle().ItemSpacing.x;
    ImGui::PopStyleVar();
    return width;
}

void all_menus(const PanelContext& c) {
    push_row_spacing(c);
    for (const std::string_view name : menu_names())
        menu(c, name);
    ImGui::PopStyleVar();
}

}  // namespace

void time_buttons(const PanelContext& c) {
    const std::optional<Film>& film = c.results().film;
    const bool paused = c.settings()[kSimPaused] || (film && !c.settings().flag(*film->playing));
    if (icon_button(c, paused ? Icon::Play : Icon::Pause, "time.pause",
                    paused ? "Resume (Space)" : "Pause (Space)", paused))
        c.push(film ? "film.play" : "pause");
    ImGui::SameLine();
    if (icon_button(c, Icon::Step, "time.step", film ? "Next frame (.)" : "One step (.)"))
        c.push(film ? "film.step 1" : "step");
    ImGui::SameLine();
    if (icon_button(c, Icon::Restart, "time.restart", "Restart the scene (R)")) c.push("restart");
}

void menu_bar(const PanelContext& c) {
    if (c.layout.menu.is_empty()) return;
    const Rect& r = c.layout.menu;
    ImGui::SetNextWindowPos({r.min.x, r.min.y});
    ImGui::SetNextWindowSize({r.size().x, r.size().y});
    // The bar is as tall as its text and the padding around it.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {0.55f * c.em, std::max(0.0f, 0.5f * (r.size().y - ImGui::GetFontSize()))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_MenuBar |
                                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("##menu", nullptr, flags) && ImGui::BeginMenuBar()) {
        ImGui::PopStyleVar(3);
        const bool is_folded = c.in_sheet() || titles_width(c) + time_width(c) + 1.6f * c.em > r.size().x;
        if (!is_folded) {
            all_menus(c);
        } else {
            // As tall as the bar, for fingers.
            ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                                {ImGui::GetStyle().ItemSpacing.x, r.size().y - c.em});
            const bool open = ImGui::BeginMenu("Menu");
            ImGui::PopStyleVar();
            c.mark("menu.Menu");
            if (open) {
                all_menus(c);
                ImGui::EndMenu();
            }
        }
        if (c.in_sheet() && c.layout.tabs.is_empty())
            sheet_tabs(c, r.size().x - ImGui::GetCursorPosX() - time_width(c) - 1.6f * c.em);
        time_controls(c);
        ImGui::EndMenuBar();
    } else {
        ImGui::PopStyleVar(3);
    }
    ImGui::End();
}

}  // namespace lab::panels
