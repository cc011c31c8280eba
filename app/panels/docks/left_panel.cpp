// The left panel: the list of scenes, the spawn controls and the list of bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lessons/player.hpp"
#include "panels/menus/fuzzy.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/program.hpp"
#include "world/world_settings.hpp"

namespace lab::panels {
namespace {

/// A scrolling list whose rows keep some distance from its edges.
void begin_list(const char* id, float height, float em) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {std::round(0.4f * em), std::round(0.25f * em)});
#if IMGUI_VERSION_NUM < 19000
    ImGui::BeginChild(id, {0.0f, height}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
#else
    ImGui::BeginChild(id, {0.0f, height}, ImGuiChildFlags_AlwaysUseWindowPadding);
#endif
    ImGui::PopStyleVar();
}

void scene_row(const PanelContext& c, const SceneSpec& scene) {
    const bool current = c.results().scene_id == scene.id;
    ImGui::PushID(scene.id.data(), scene.id.data() + scene.id.size());
    if (list_row(c, scene.title, current)) c.push(fmt::format("scene {}", scene.id));
    ImGui::PopID();
    c.mark(fmt::format("scene.{}", scene.id));
    if (current && c.state.scene_before != scene.id) {
        // The list may get its height only after its first frame.
        const bool seen = ImGui::GetItemRectMax().y <= ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
        if (seen || c.in_sheet()) c.state.scene_before = scene.id;
        if (!c.in_sheet()) ImGui::SetScrollHereY(0.5f);
    }
    tooltip(scene.summary);
}

/// With `chooses`, starts the best match of the search.
void scene_rows(const PanelContext& c, bool chooses) {
    const auto scenes = scene_specs();
    if (!c.state.scene_search.empty()) {
        // A match in the title counts like one in the category: the searched text holds both.
        std::vector<std::string> texts;
        for (const SceneSpec& scene : scenes)
            texts.push_back(fmt::format("{} {} {}", scene.title, scene.id, scene.category));
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        const auto order = fuzzy_rank(c.state.scene_search, views);
        if (chooses && !order.empty()) c.push(fmt::format("scene {}", scenes[order.front()].id));
        for (const std::size_t i : order)
            scene_row(c, scenes[i]);
        if (order.empty()) note(c, "No scene matches. Try fewer letters.");
        return;
    }
    std::string_view category;
    for (const SceneSpec& scene : scenes) {
        if (scene.category != category) {
            category = scene.category;
            subheading(c, category);
        }
        scene_row(c, scene);
    }
}

void body_menu(const PanelContext& c, const BodyState& body) {
    // Select the clicked body before its menu opens.
    if (ImGui::IsItemClicked(1) && !body.selected) c.push(fmt::format("select {}", body.id.value));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.6f * c.em, 0.5f * c.em});
    if (ImGui::BeginPopupContextItem()) {
        push_row_spacing(c);
        selection_menu(c);
        ImGui::PopStyleVar();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

/// A click selects one body; Ctrl toggles it, Shift adds the range up to it.
void click_on_body(const PanelContext& c, const BodyState& body) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl) {
        c.push(fmt::format("select toggle {}", body.id.value));
    } else if (io.KeyShift && c.session.state.selected().valid()) {
        const bv::BodyId from = std::min(body.id, c.session.state.selected());
        const bv::BodyId to = std::max(body.id, c.session.state.selected());
        std::string line = "select add";
        for (const BodyState& other : c.results().bodies)
            if (other.id >= from && other.id <= to) line += fmt::format(" {}", other.id.value);
        c.push(line);
    } else {
        c.push(fmt::format("select {}", body.id.value));
    }
}

void body_row(const PanelContext& c, const BodyState& body) {
    const render::Color color = body.colliding ? c.palette.body_colliding : c.palette.body(body.mesh.value);
    ImGui::PushID(static_cast<int>(body.id.value));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##row", body.selected, ImGuiSelectableFlags_AllowDoubleClick)) {
        click_on_body(c, body);
        if (ImGui::IsMouseDoubleClicked(0)) c.push(fmt::format("camera.frame {}", body.id.value));
    }
    c.mark(fmt::format("body.{}", body.id.value));
    body_menu(c, body);
    const float size = std::round(0.7f * c.em);
    const float top = at.y + std::round(0.5f * (ImGui::GetFontSize() - size));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x + 2, top}, {at.x + 2 + size, top + size},
                       pack(body.hidden ? color.with_alpha(0.3f) : color), 0.2f * size);
    const render::Color ink = body.hidden ? c.colors.text_dim : c.colors.text;
    list.AddText({at.x + size + 0.6f * c.em, at.y}, pack(ink), body.name.c_str());
    if (body.hidden) {
        const float width = ImGui::CalcTextSize("hidden").x;
        list.AddText({at.x + ImGui::GetContentRegionAvail().x - width, at.y}, pack(c.colors.text_dim),
                     "hidden");
    }
    ImGui::PopID();
}

/// Indices of the bodies whose names match the search, best first; all of them when it is empty.
std::vector<std::size_t> found_bodies(const PanelContext& c) {
    const auto& bodies = c.results().bodies;
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (c.state.body_search.empty()) return order;
    std::vector<std::string_view> names;
    names.reserve(bodies.size());
    for (const BodyState& body : bodies)
        names.push_back(body.name.str());
    return fuzzy_rank(c.state.body_search, names);
}

}  // namespace

void scene_list(const PanelContext& c) {
    const bool chooses = search_field(c, "##scene.search", "Search scenes", c.state.scene_search);
    const float line = ImGui::GetTextLineHeightWithSpacing();
    std::string_view category;
    float rows = 0.0f;
    for (const SceneSpec& scene : scene_specs()) {
        rows += 1.0f + (scene.category != category ? 1.25f : 0.0f);
        category = scene.category;
    }
    // A third of the panel, more when the list of bodies is short.
    const float bodies = std::min(10.0f, static_cast<float>(c.results().bodies.size()) + 1.0f) * line;
    const float height = c.layout.left.size().y;
    const float max_height = std::max({6.0f * line, 0.3f * height, height - bodies - 28.0f * c.em});
    if (c.in_sheet()) {  // a single scrolling list, not one inside another
        scene_rows(c, chooses);
        return;
    }
    begin_list("scenes", std::min((rows + 0.6f) * line, max_height), c.em);
    scene_rows(c, chooses);
    ImGui::EndChild();
}

void spawn_panel(const PanelContext& c) {
    // Settings that rarely change are folded, which leaves space for the list of bodies.
    setting_editor(c, kSpawnCount);
    setting_editor(c, kSpawnMesh);
    const bool open = ImGui::TreeNodeEx("Size, motion, placement", ImGuiTreeNodeFlags_NoTreePushOnOpen);
    c.mark("spawn.more");
    for (const SettingSpec* spec : kSpawnSettings)
        if (open && spec != &kSpawnCount && spec != &kSpawnMesh) setting_editor(c, *spec);
    ImGui::Spacing();
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    if (main_button(c, "Spawn", "spawn.button", {width, 0.0f})) c.push("spawn");
    tooltip("Add bodies at random places (N)");
    const float half = 0.5f * (width - gap);
    ImGui::BeginDisabled(!c.selected_body());
    if (button(c, "Remove", "spawn.remove", {half, 0.0f})) c.push("remove");
    ImGui::EndDisabled();
    tooltip("Remove the selected body (Delete)");
    ImGui::SameLine();
    ImGui::BeginDisabled(c.results().bodies.empty());
    if (button(c, "Remove all", "spawn.clear", {half, 0.0f})) c.push("clear");
    ImGui::EndDisabled();
}

void body_list(const PanelContext& c) {
    const auto& bodies = c.results().bodies;
    bool chooses = false;
    if (bodies.size() > 12)
        chooses = search_field(c, "##body.search", "Search bodies", c.state.body_search);
    else
        c.state.body_search.clear();
    const std::vector<std::size_t> order = found_bodies(c);
    if (chooses && !order.empty()) c.push(fmt::format("select {}", bodies[order.front()].id.value));
    const float rest = std::max((c.in_sheet() ? 15.0f : 6.0f) * c.em, ImGui::GetContentRegionAvail().y);
    begin_list("bodies", rest, c.em);
    if (bodies.empty())
        note(c, "No bodies in this scene.");
    else if (order.empty())
        note(c, "No body matches. Try fewer letters.");

    // Selected elsewhere: bring the row into view.
    const std::uint64_t selected = c.session.state.selected().value;
    if (selected != c.state.selected_before) {
        c.state.selected_before = selected;
        for (std::size_t row = 0; row < order.size(); ++row) {
            if (bodies[order[row]].selected) {
                const float y = static_cast<float>(row) * ImGui::GetTextLineHeightWithSpacing();
                if (y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + rest - 2.0f * c.em)
                    ImGui::SetScrollY(y - 0.4f * rest);
            }
        }
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(order.size()), ImGui::GetTextLineHeightWithSpacing());
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            body_row(c, bodies[order[static_cast<std::size_t>(row)]]);
    }
    ImGui::EndChild();
}

void left_panel(const PanelContext& c) {
    if (c.state.lesson && c.state.lesson->spec()) {
        lesson_panel(c);
        return;
    }
    begin_button(c);
    const std::string bodies = fmt::format("Bodies  {}###Bodies", grouped(c.results().bodies.size()));
    if (section(c, "Lessons", false)) lesson_list(c);
    if (c.in_sheet()) {
        // The list of scenes is long: whatever came after it would be overlooked.
        if (section(c, "Spawn", false)) spawn_panel(c);
        if (section(c, bodies.c_str(), false)) body_list(c);
        if (section(c, "Scenes")) scene_list(c);
        return;
    }
    if (section(c, "Scenes")) scene_list(c);
    fold_for_scene(c, "Spawn", !c.results().bodies.empty());
    if (section(c, "Spawn")) spawn_panel(c);
    fold_for_scene(c, "Bodies", !c.results().bodies.empty());
    if (section(c, bodies.c_str())) body_list(c);
}

}  // namespace lab::panels
