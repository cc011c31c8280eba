#include "panels/widgets/widgets.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/thumb.hpp"

namespace lab::panels {
namespace {

void text(std::string_view s) {
    ImGui::TextUnformatted(s.data(), s.data() + s.size());
}

ImVec2 text_size(std::string_view s) {
    return ImGui::CalcTextSize(s.data(), s.data() + s.size());
}

void draw_text(ImVec2 at, render::Color color, std::string_view s) {
    ImGui::GetWindowDrawList()->AddText(at, pack(color), s.data(), s.data() + s.size());
}

/// A tick that fits into the square at `at`.
void draw_tick(ImDrawList& list, ImVec2 at, float size, render::Color color) {
    const ImVec2 points[3] = {{at.x + 0.22f * size, at.y + 0.52f * size},
                              {at.x + 0.43f * size, at.y + 0.73f * size},
                              {at.x + 0.79f * size, at.y + 0.28f * size}};
    list.AddPolyline(points, 3, pack(color), 0, std::max(1.5f, 0.13f * size));
}

render::Color ink_on(render::Color c) {
    const auto dark = render::rgb(0x101216);
    const auto light = render::rgb(0xffffff);
    return viz::contrast_ratio(c, dark) >= viz::contrast_ratio(c, light) ? dark : light;
}

}  // namespace

bool section(const PanelContext& c, const char* title, bool open_at_first) {
    ImGui::Spacing();
    ImGui::PushFont(c.fonts.medium);
    ImGui::PushStyleColor(ImGuiCol_Header, to_vec4(c.colors.raised));
    const bool open = ImGui::CollapsingHeader(title, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    c.mark(fmt::format("section.{}", title));
    return open;
}

void fold_for_scene(const PanelContext& c, std::string_view title, bool open) {
    std::string& folded_for = c.state.folded_for[title];
    if (folded_for == c.results().scene_id) return;
    ImGui::SetNextItemOpen(open);
    // Once the scene is running: its first frame may lack the bodies that it spawns.
    if (c.results().frame > 1) folded_for = c.results().scene_id;
}

void subheading(const PanelContext& c, std::string_view s) {
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.text_dim));
    text(s);
    ImGui::PopStyleColor();
}

void note(const PanelContext& c, std::string_view s) {
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.text_dim));
    paragraph(s);
    ImGui::PopStyleColor();
}

void value_row(const PanelContext& c, std::string_view label, std::string_view value) {
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.text_dim));
    text(label);
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - text_size(value).x));
    text(value);
}

std::string typed_text() {
    std::string text;
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
        char bytes[5] = {};
        if (c >= ' ' && c != 127) text += ImTextCharToUtf8(bytes, c);
    }
    return text;
}

bool field_takes_text() {
    return ImGui::IsItemActive() && !ImGui::IsItemActivated();
}

void put_caret_at_end(ImGuiInputTextCallbackData& data, int& frames) {
    if (frames <= 0) return;
    --frames;
    data.CursorPos = data.SelectionStart = data.SelectionEnd = data.BufTextLen;
}

bool search_field(const PanelContext& c, const char* id, const char* hint, std::string& value) {
    const float cross = value.empty() ? 0.0f : ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
    ImGui::SetNextItemWidth(-std::max(cross, 1.0f));
    const bool enter = ImGui::InputTextWithHint(id, hint, &value, ImGuiInputTextFlags_EnterReturnsTrue);
    c.mark(id + 2);  // ids look like ##scene.search
    if (cross > 0.0f) {
        ImGui::SameLine(0.0f, ImGui::GetStyle().ItemInnerSpacing.x);
        if (icon_button(c, Icon::Close, std::string(id) + ".clear", "Clear the search")) value.clear();
    }
    return enter && !value.empty();
}

bool color_check(const PanelContext& c, const char* id, std::string_view label, bool on,
                 render::Color color) {
    const float size = std::round(1.05f * c.em);
    const float gap = 0.55f * c.em;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(ImGui::GetContentRegionAvail().x, size);
    const std::string words = on_lines(label, width - size - gap);
    const float words_height = text_size(words).y;
    const float height = std::max(std::round((c.fingers ? 2.2f : 1.5f) * c.em), words_height);
    const bool clicked = hit_area(id, ImVec2(width, height));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) {
        list.AddRectFilled({at.x - 3, at.y}, {at.x + width, at.y + height},
                           pack(c.colors.hover.with_alpha(0.6f)), 4.0f);
    }
    const ImVec2 box{at.x, at.y + std::round(0.5f * (height - size))};
    const ImVec2 end{box.x + size, box.y + size};
    const float rounding = 0.22f * size;
    if (on) {
        list.AddRectFilled(box, end, pack(color), rounding);
        draw_tick(list, box, size, ink_on(color));
    } else {
        list.AddRect({box.x + 1, box.y + 1}, {end.x - 1, end.y - 1}, pack(color), rounding, 0,
                     std::max(1.5f, 0.1f * size));
    }
    draw_text({end.x + gap, at.y + 0.5f * (height - words_height)}, on ? c.colors.text : c.colors.text_dim,
              words);
    return clicked;
}

bool slider(const char* id, ImGuiDataType type, void* value, const void* low, const void* high,
            const char* format, ImGuiSliderFlags flags) {
    // ImGui draws the number in the middle: it is hidden and drawn here, unless it is being typed.
    const bool was_typing = ImGui::TempInputIsActive(ImGui::GetID(id));
    if (!was_typing) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
    const bool changed = ImGui::SliderScalar(id, type, value, low, high, format, flags);
    if (!was_typing) ImGui::PopStyleColor();
    if (was_typing || ImGui::TempInputIsActive(ImGui::GetID(id)) || !ImGui::IsItemVisible()) return changed;
    const ImRect frame(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ImRect thumb;
    // An id that nobody drags: the call only computes where the thumb is.
    alignas(std::int64_t) std::array<char, sizeof(std::int64_t)> copy{};
    std::memcpy(copy.data(), value, ImGui::DataTypeGetInfo(type)->Size);
    ImGui::SliderBehavior(frame, ImGui::GetID((std::string(id) + ".thumb").c_str()), type, copy.data(), low,
                          high, format, flags, &thumb);
    std::array<char, 64> number{};
    const int length =
        ImGui::DataTypeFormatString(number.data(), static_cast<int>(number.size()), type, value, format);
    const std::string_view shown(number.data(), static_cast<std::size_t>(length));
    const ImVec2 size = text_size(shown);
    const float x = place_beside({thumb.Min.x, thumb.Max.x}, {frame.Min.x, frame.Max.x}, size.x,
                                 ImGui::GetStyle().ItemInnerSpacing.x);
    const float y = 0.5f * (frame.Min.y + frame.Max.y - size.y);
    ImGui::PushClipRect(frame.Min, frame.Max, true);
    ImGui::GetWindowDrawList()->AddText({std::max(x, frame.Min.x), y}, ImGui::GetColorU32(ImGuiCol_Text),
                                        shown.data(), shown.data() + shown.size());
    ImGui::PopClipRect();
    return changed;
}

void tick(const PanelContext& c) {
    const float size = ImGui::GetFontSize();
    draw_tick(*ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), size, c.colors.good);
    ImGui::Dummy({size, size});
}

void swatch(const PanelContext& c, render::Color color, bool outline) {
    const float size = std::round(0.75f * c.em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + std::round(0.5f * (ImGui::GetFontSize() - size));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (outline)
        list.AddRect({at.x, top}, {at.x + size, top + size}, pack(color), 2.0f, 0, 1.5f);
    else
        list.AddRectFilled({at.x, top}, {at.x + size, top + size}, pack(color), 0.2f * size);
    ImGui::Dummy({size, ImGui::GetFontSize()});
    ImGui::SameLine(0.0f, 0.4f * c.em);
}

std::uint64_t shown_number(const PanelContext& c, std::string_view id, const bv::TreeSnapshot& tree,
                           std::uint32_t node) {
    if (c.results().marked_nodes.tree == id && node < tree.source_nodes.size())
        return tree.source_nodes[node];
    return node_number(c.results(), id, node);
}

void tooltip(std::string_view s) {
    if (s.empty() || !ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    const float available = ImGui::GetIO().DisplaySize.x - 2.0f * ImGui::GetStyle().WindowPadding.x;
    paragraph(s, ImGui::GetCursorPosX() + std::min(24.0f * ImGui::GetFontSize(), available));
    ImGui::EndTooltip();
}

void push_row_spacing(const PanelContext& c) {
    // 41 px from row to row at 15 px of text.
    const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
    const float gap = std::round((c.fingers ? 1.75f : 0.0f) * c.em);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {spacing.x, std::max(spacing.y, gap)});
}

bool list_row(const PanelContext& c, std::string_view label, bool selected, float kept_free) {
    const char *begin = label.data(), *end = label.data() + label.size();
    const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x - kept_free);
    const ImVec2 words = ImGui::CalcTextSize(begin, end, false, width);
    const ImVec2 row = c.row_size();
    const float height = std::max(row.y > 0.0f ? row.y : ImGui::GetTextLineHeight(), words.y);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::Selectable("##row", selected, 0, {row.x, height});
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                                        {at.x, at.y + 0.5f * (height - words.y)},
                                        ImGui::GetColorU32(ImGuiCol_Text), begin, end, width);
    return clicked;
}

bool text_row(const std::string& label, bool selected, int flags) {
    const ImVec2 size = text_size(label);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float base = ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset;  // beside a framed widget
    const bool clicked = ImGui::Selectable("##row", selected, flags | ImGuiSelectableFlags_SpanAvailWidth,
                                           {std::max(size.x, 1.0f), size.y});
    ImGui::GetWindowDrawList()->AddText({at.x, at.y + base}, ImGui::GetColorU32(ImGuiCol_Text), label.data(),
                                        label.data() + label.size());
    return clicked;
}

bool button(const PanelContext& c, const char* label, std::string name, ImVec2 size) {
    ImGui::PushID(name.c_str());
    const bool clicked = ImGui::Button(label, size);
    ImGui::PopID();
    c.mark(std::move(name));
    return clicked;
}

bool main_button(const PanelContext& c, const char* label, std::string name, ImVec2 size) {
    ImGui::PushStyleColor(ImGuiCol_Button, to_vec4(c.colors.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, to_vec4(viz::mix(c.colors.accent, c.colors.text, 0.2f)));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, to_vec4(viz::mix(c.colors.accent, c.colors.panel, 0.25f)));
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.on_accent));
    ImGui::PushFont(c.fonts.medium);
    const bool clicked = button(c, label, std::move(name), size);
    ImGui::PopFont();
    ImGui::PopStyleColor(4);
    return clicked;
}

std::string short_number(double x) {
    const double size = std::abs(x);
    if (!std::isfinite(x)) return "-";
    const std::string sign = x < 0.0 ? "−" : "";
    if (size >= 1e6 || (size > 0.0 && size < 1e-3)) return sign + fmt::format("{:.2e}", size);
    if (size >= 1000.0 || x == std::round(x))
        return sign + grouped(static_cast<std::uint64_t>(std::llround(size)));
    if (size >= 100.0) return sign + fmt::format("{:.1f}", size);
    return sign + fmt::format("{:.{}f}", size, size >= 1.0 ? 2 : 3);
}

}  // namespace lab::panels
