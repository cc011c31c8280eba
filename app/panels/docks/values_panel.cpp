// The values of the scene: every handle and shape as numbers, which follow a drag and can be typed, copied
// and pasted.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "commands/given_values.hpp"
#include "io/text/printable.hpp"
#include "panels/menus/keys.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

constexpr std::size_t kMaxRowsShown = 8;  // further ones are folded at first
constexpr float kNameShare = 0.4f;

/// Parses a number like a pasted value; a leading plus is allowed, too.
std::optional<float> typed_number(const Handle& handle, std::string typed) {
    const std::size_t sign = typed.find_first_not_of(" \t");
    if (sign != std::string::npos && typed[sign] == '+' && typed.find_first_of("+-", sign + 1) != sign + 1)
        typed.erase(sign, 1);
    Handle one = handle;
    one.given.parts = 1;
    const ParsedValues parsed = parse_values(fmt::format("{} = {}", handle.id, typed), {one});
    return parsed.changes.empty() ? std::nullopt : std::optional(parsed.changes.front().numbers.x);
}

/// Four decimals, and more digits for a number too small for them. Numbers below 1e-6 count as the rounding
/// of a drag.
std::string field_text(float number) {
    constexpr float kSmall = 1e-3f, kRounding = 1e-6f;
    const float size = std::abs(number);
    if (size < kSmall && size >= kRounding) return fmt::format("{:.4g}", number);
    return plain_number(std::round(number * 1e4f) / 1e4f);
}

/// One number. While it is typed, the field keeps its text; Enter, Tab or a click elsewhere sends it.
void number_field(const PanelContext& c, const Handle& handle, const glm::vec3& numbers, int axis) {
    const std::string name = fmt::format("value.{}.{}", handle.id, "xyz"[axis]);
    std::string& typed = c.state.typed[name];
    ImGui::InputText(("##" + name).c_str(), &typed, ImGuiInputTextFlags_AutoSelectAll);
    c.mark(name);
    if (ImGui::IsItemDeactivatedAfterEdit() && !pressed(UiKey::Escape)) {
        const std::optional<float> number = typed_number(handle, typed);
        if (!number)
            return complain(c, fmt::format("{}: '{}' is no number. Type one like 0.5, -2 or 1e-3",
                                           handle.name(), io::printable(typed, io::LineEnds::Escape, 40)));
        std::string line = fmt::format("scene.value {}", quote_word(handle.id));
        for (int k = 0; k < handle.given.parts; ++k)
            line += " " + (k == axis ? fmt::format("{}", *number) : plain_number(numbers[k]));
        c.push(std::move(line));
    } else if (!ImGui::IsItemActive()) {
        typed = field_text(numbers[axis]);
    }
}

void value_row(const PanelContext& c, const Handle& handle) {
    const glm::vec3 numbers = numbers_of(c.results().handles, handle);
    const float start = ImGui::GetCursorPosX();
    const float width = ImGui::GetContentRegionAvail().x;
    const float gap = std::round(0.25f * c.em);
    ImGui::AlignTextToFramePadding();
    const bool held = c.state.held_handle == handle.id;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(held ? c.palette.role(Role::Selected) : c.colors.text_dim));
    ImGui::TextUnformatted(handle.name().c_str());
    ImGui::PopStyleColor();
    const GivenValue& given = handle.given;
    std::string help = handle.name();
    if (!given.unit.empty()) help += fmt::format(", in {}", given.unit);
    if (!given.note.empty()) help += fmt::format("; {}", given.note);
    tooltip(help);
    const float field = (width - std::round(kNameShare * width) - 2.0f * gap) / 3.0f;
    for (int axis = 0; axis < handle.given.parts; ++axis) {
        ImGui::SameLine(start + std::round(kNameShare * width) + static_cast<float>(axis) * (field + gap));
        ImGui::SetNextItemWidth(field);
        number_field(c, handle, numbers, axis);
        tooltip(help);
    }
    if (handle.given.parts >= 3 || handle.given.unit.empty()) return;
    ImGui::SameLine(0.0f, gap);
    ImGui::TextUnformatted(handle.given.unit.data(), handle.given.unit.data() + handle.given.unit.size());
}

void paste(const PanelContext& c) {
    const char* text = ImGui::GetClipboardText();
    std::string line = text ? text : "";
    std::replace(line.begin(), line.end(), '\n', ';');
    std::erase(line, '\r');
    c.push(fmt::format("scene.values {}", quote_word(line)));
}

}  // namespace

void values_panel(const PanelContext& c) {
    const std::vector<Handle>& handles = c.results().handles;
    const auto count = static_cast<std::size_t>(std::count_if(
        handles.begin(), handles.end(), [](const Handle& handle) { return handle.given.listed; }));
    if (count == 0 || !section(c, "Values", count <= kMaxRowsShown)) return;
    const float pad = ImGui::GetStyle().FramePadding.x;
    // Tight rows, except where a finger must hit them.
    const float high = c.fingers ? ImGui::GetStyle().FramePadding.y : std::round(0.12f * c.em);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::round(0.25f * c.em), high});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {pad, std::round(0.2f * c.em)});
    for (const Handle& handle : handles)
        if (handle.given.listed) value_row(c, handle);
    ImGui::PopStyleVar(2);
    const float width = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    if (button(c, "Copy", "values.copy", {width, 0})) ImGui::SetClipboardText(values_text(handles).c_str());
    tooltip("Copy all values as text, one per line");
    ImGui::SameLine();
    if (button(c, "Paste", "values.paste", {width, 0})) paste(c);
    tooltip("Paste values from text, one per line: 'A, center = (1, 2, 3)'");
}

}  // namespace lab::panels
