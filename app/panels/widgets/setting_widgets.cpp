// Editors of settings: the widget follows from the type, range and choices in the registry, so a new setting
// needs no code here.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "panels/widgets/choice_list.hpp"
#include "panels/widgets/widgets.hpp"
#include "world/mesh_title.hpp"

namespace lab::panels {
namespace {

void push_value(const PanelContext& c, const SettingSpec& spec, std::string_view value) {
    c.push(fmt::format("set {} {}", spec.id, quote_word(value)));
}

std::string help_of(const SettingSpec& spec) {
    return fmt::format("{}.\n{}", spec.help, spec.id);
}

/// The width at which a closed list shows its widest choice, plus `more`; 0 without choices.
float width_of_choices(const SettingSpec& spec, const char* more = "") {
    if (spec.choices.empty()) return 0.0f;
    float width = 0.0f;
    for (const Choice& choice : spec.choices)
        width = std::max(width, ImGui::CalcTextSize((std::string(choice.label) + more).c_str()).x);
    return width + 2.0f * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight();
}

/// Puts the label at the left, dim when the value is the default. The editor takes the rest of the row, or
/// the row below if either needs more than its part.
void label_column(const PanelContext& c, const SettingSpec& spec, bool changed, float needed) {
    const float start = ImGui::GetCursorPosX();
    const float width = ImGui::GetContentRegionAvail().x;
    const float column = std::round(0.42f * width);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(changed ? c.colors.text : c.colors.text_dim));
    ImGui::TextUnformatted(spec.label.data(), spec.label.data() + spec.label.size());
    ImGui::PopStyleColor();
    tooltip(help_of(spec));
    const bool label_fits = ImGui::GetItemRectSize().x + ImGui::GetStyle().ItemInnerSpacing.x <= column;
    if (label_fits && needed <= width - column) ImGui::SameLine(start + column);
    ImGui::SetNextItemWidth(-1.0f);
}

/// The format for ImGui's sliders, or the words that stand for a 0 that is not a quantity.
std::string printf_format(const SettingSpec& spec, double value) {
    if (value == 0.0 && !spec.zero.empty()) return std::string(spec.zero);
    std::string format = spec.kind == SettingKind::Integer ? "%lld" : "%.2f";
    if (!spec.unit.empty()) format += " " + std::string(spec.unit);
    return format;
}

void integer_editor(const PanelContext& c, const SettingSpec& spec, const char* id) {
    // Wider than the setting: a typed number beyond the range must not wrap around into it.
    std::int64_t value = c.settings().integer(spec);
    const auto low = static_cast<std::int64_t>(spec.min);
    auto high = static_cast<std::int64_t>(spec.max);
    // The step of an algorithm, as the stepper shows it: beyond the last one there are none.
    const SceneSpec* scene = c.session.state.scene.spec;
    if (const auto& walk = c.results().walk; walk && scene && scene->steps == &spec) {
        value = static_cast<std::int64_t>(walk->number);
        high = std::min(high, std::max(static_cast<std::int64_t>(walk->of), low + 1));
    }
    // What the user has added or removed counts, too.
    const bool counts_input = scene && scene->count == &spec && c.session.state.scene.running;
    if (counts_input) value = static_cast<std::int64_t>(c.session.state.scene.running->input_size());
    // Words in place of 0 have no number to read.
    const bool is_typing = ImGui::TempInputIsActive(ImGui::GetID(id));
    const std::string format = printf_format(spec, is_typing ? 1.0 : static_cast<double>(value));
    // A slider over millions would jump by thousands: use a field to drag and type into instead.
    const bool wide = spec.max - spec.min > 100'000.0;
    const int flags = spec.max - spec.min > 500.0 ? ImGuiSliderFlags_Logarithmic : 0;
    const bool changed =
        wide ? ImGui::DragScalar(id, ImGuiDataType_S64, &value, 1.0f, &low, &high, format.c_str())
             : slider(id, ImGuiDataType_S64, &value, &low, &high, format.c_str(), flags);
    if (!changed) return;
    value = std::clamp(value, low, high);
    if (counts_input && c.results().rearranged && value == c.settings().integer(spec))
        c.push("restart");  // as many as at the beginning
    else
        push_value(c, spec, std::to_string(value));
}

void real_editor(const PanelContext& c, const SettingSpec& spec, const char* id) {
    float value = c.settings().real(spec);
    const auto low = static_cast<float>(spec.min);
    const auto high = static_cast<float>(spec.max);
    const std::string format = printf_format(spec, static_cast<double>(value));
    const int flags = spec.max - spec.min > 5.0 ? ImGuiSliderFlags_Logarithmic : 0;
    if (slider(id, ImGuiDataType_Float, &value, &low, &high, format.c_str(), flags)) {
        push_value(c, spec, fmt::format("{:.6g}", std::clamp(value, low, high)));
    }
}

/// Appended to the name of a placement in which the user has moved something.
constexpr const char* kChanged = ", changed";

void choice_editor(const PanelContext& c, const SettingSpec& spec, const char* id) {
    const Choice& value = c.settings().choice(spec);
    const bool is_rearranged = c.results().rearranged == &spec;
    ChoiceList list(c, id, std::string(value.label) + (is_rearranged ? kChanged : ""));
    if (!list.is_open()) return c.mark(std::string(spec.id));
    for (const Choice& choice : spec.choices) {
        const bool is_chosen = choice.id == value.id;
        if (list.row(std::string(choice.label), is_chosen)) {
            if (is_chosen && is_rearranged)
                c.push("restart");  // puts everything back where this choice has it
            else
                push_value(c, spec, choice.id);
        }
        c.mark(fmt::format("{}.{}", spec.id, choice.id));
    }
}

void text_editor(const PanelContext& c, const SettingSpec& spec, const char* id) {
    std::string& typed = c.state.typed[std::string(spec.id)];
    const bool sent = ImGui::InputText(id, &typed, ImGuiInputTextFlags_EnterReturnsTrue);
    if (sent) push_value(c, spec, typed);
    // Unless it is being edited, the field follows the setting.
    if (!ImGui::IsItemActive() && !sent) typed = c.settings().text(spec);
}

/// A mesh is chosen from the library, not typed.
void mesh_editor(const PanelContext& c, const SettingSpec& spec, const char* id) {
    const std::string& value = c.settings().text(spec);
    const std::optional<MeshId> chosen = c.session.meshes.find(value);
    const std::string shown = chosen ? title_of(c.session.meshes[*chosen]) : spec.shown(value);
    ChoiceList list(c, id, shown, ImGuiComboFlags_HeightLarge);
    if (!list.is_open()) return c.mark(std::string(spec.id));
    if (list.row(spec.shown("any"), value == "any")) push_value(c, spec, "any");
    for (const MeshEntry& mesh : c.session.meshes.entries()) {
        if (mesh.source == MeshLibrary::kCut && mesh.name != value) continue;  // as in `names`
        if (list.row(title_of(mesh), mesh.name == value)) push_value(c, spec, mesh.name);
        c.mark(fmt::format("{}.{}", spec.id, mesh.name));
    }
}

}  // namespace

void setting_toggle(const PanelContext& c, const SettingSpec& spec, render::Color color) {
    const std::string name(spec.id);
    const bool on = c.settings().flag(spec);
    if (color_check(c, name.c_str(), spec.label, on, color)) push_value(c, spec, on ? "off" : "on");
    c.mark(name);
    tooltip(help_of(spec));
}

void own_choice_editor(const PanelContext& c, const SettingSpec& spec, const BodyState& body) {
    const std::string_view own = own_choice(body.own, spec.id);
    const std::string as_all = spec.shown(c.settings().get_as_text(spec)) + ", as all";
    const std::string name = fmt::format("selection.{}", spec.id);
    label_column(c, spec, !own.empty(), width_of_choices(spec, ", as all"));
    const std::string now = own.empty() ? as_all : spec.shown(std::string(own));
    ChoiceList list(c, ("##" + name).c_str(), now);
    if (!list.is_open()) return c.mark(name);
    if (list.row(as_all, own.empty())) c.push(fmt::format("body.set {}=all", spec.id));
    c.mark(name + ".all");
    for (const Choice& choice : spec.choices) {
        if (list.row(std::string(choice.label), choice.id == own))
            c.push(fmt::format("body.set {}={}", spec.id, choice.id));
        c.mark(fmt::format("{}.{}", name, choice.id));
    }
}

void setting_editor(const PanelContext& c, const SettingSpec& spec) {
    if (spec.kind == SettingKind::Flag) {
        setting_toggle(c, spec, c.colors.accent);
        return;
    }
    label_column(c, spec, !c.settings().is_default(spec),
                 width_of_choices(spec, c.results().rearranged == &spec ? kChanged : ""));
    const std::string id = fmt::format("##{}", spec.id);
    switch (spec.kind) {
        case SettingKind::Flag:
            break;
        case SettingKind::Integer:
            integer_editor(c, spec, id.c_str());
            break;
        case SettingKind::Real:
            real_editor(c, spec, id.c_str());
            break;
        case SettingKind::Choice:
            choice_editor(c, spec, id.c_str());
            return;
        case SettingKind::Text:
            if (spec.is_mesh) {
                mesh_editor(c, spec, id.c_str());
                return;
            }
            text_editor(c, spec, id.c_str());
            break;
    }
    c.mark(std::string(spec.id));
    tooltip(help_of(spec));
}

}  // namespace lab::panels
