#include "panels/widgets/choice_list.hpp"

#include <algorithm>

#include "panels/menus/keys.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {

namespace {

/// BeginCombo would cut the text at its first `##`, as `text_row` explains.
bool begin_combo(const char* id, const std::string& shown, int flags) {
    ImDrawList& list = *ImGui::GetWindowDrawList();  // of the window with the list, not of the open list
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const float end = at.x + ImGui::CalcItemWidth() - ImGui::GetFrameHeight();  // where the arrow begins
    const ImVec4 clip{at.x, at.y, std::max(at.x, end), at.y + ImGui::GetFrameHeight()};
    const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
    ImFont* const font = ImGui::GetFont();
    const float size = ImGui::GetFontSize();
    const bool is_open = ImGui::BeginCombo(id, "", flags);
    list.AddText(font, size, {at.x + padding.x, at.y + padding.y}, color, shown.data(),
                 shown.data() + shown.size(), 0.0f, &clip);
    return is_open;
}

}  // namespace

ChoiceList::ChoiceList(const PanelContext& c, const char* id, const std::string& shown, int flags)
    : c_(c), is_open_(begin_combo(id, shown, flags)) {
    if (!is_open_) return;
    push_row_spacing(c);
    UiState& state = c_.state;
    if (ImGui::IsWindowAppearing()) {
        state.lit_choice = -1;
        state.choices = 0;
        return;
    }
    const int by = (pressed(UiKey::Down) ? 1 : 0) - (pressed(UiKey::Up) ? 1 : 0);
    has_moved_ = by != 0;
    if (has_moved_) state.lit_choice = std::clamp(state.lit_choice + by, 0, std::max(state.choices - 1, 0));
}

ChoiceList::~ChoiceList() {
    if (!is_open_) return;
    c_.state.choices = rows_;
    ImGui::PopStyleVar();
    ImGui::EndCombo();
}

bool ChoiceList::row(const std::string& label, bool is_chosen) {
    const int number = rows_++;
    int& lit = c_.state.lit_choice;
    if (lit < 0 && is_chosen) {
        lit = number;
        ImGui::SetScrollHereY(0.5f);
    }
    ImGui::PushID(number);
    const bool clicked = text_row(label, number == lit);
    ImGui::PopID();
    if (number == lit && has_moved_) ImGui::SetScrollHereY(0.5f);
    if (number != lit || !pressed(UiKey::Enter)) return clicked;
    ImGui::CloseCurrentPopup();
    return true;
}

}  // namespace lab::panels
