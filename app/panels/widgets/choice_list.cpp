#include "panels/widgets/choice_list.hpp"

#include <algorithm>

#include "panels/menus/keys.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {

ChoiceList::ChoiceList(const PanelContext& c, const char* id, const std::string& shown, int flags)
    : c_(c), is_open_(ImGui::BeginCombo(id, shown.c_str(), flags)) {
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
    const bool clicked = ImGui::Selectable(label.c_str(), number == lit);
    ImGui::PopID();
    if (number == lit && has_moved_) ImGui::SetScrollHereY(0.5f);
    if (number != lit || !pressed(UiKey::Enter)) return clicked;
    ImGui::CloseCurrentPopup();
    return true;
}

}  // namespace lab::panels
