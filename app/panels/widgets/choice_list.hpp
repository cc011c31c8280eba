// A list of choices that a click opens. While it is open, Up and Down move through its rows, Enter takes the
// lit one and Escape leaves it as it was; the program's own keys rest meanwhile (Ui::wants_keyboard).
#pragma once

#include <string>

#include "panels/context.hpp"

namespace lab::panels {

class ChoiceList {
  public:
    /// `shown` is the text of the closed list. Nothing else may be drawn until it is destroyed.
    ChoiceList(const PanelContext& c, const char* id, const std::string& shown, int flags = 0);
    ~ChoiceList();
    ChoiceList(const ChoiceList&) = delete;
    ChoiceList& operator=(const ChoiceList&) = delete;

    [[nodiscard]] bool is_open() const { return is_open_; }
    /// Adds a row to the open list. True when it is taken, by a click or by Enter.
    [[nodiscard]] bool row(const std::string& label, bool is_chosen);

  private:
    const PanelContext& c_;
    bool is_open_;
    int rows_ = 0;
    bool has_moved_ = false;  ///< By an arrow key, in this frame.
};

}  // namespace lab::panels
