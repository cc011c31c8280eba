// The context passed to every panel: the session to read, the queue to push to, the style and the window
// state. Only files of this folder include this.
#pragma once

#include <imgui.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "panels/docks/history.hpp"
#include "panels/layout.hpp"
#include "panels/trees/node_ages.hpp"
#include "panels/ui.hpp"
#include "panels/widgets/style.hpp"
#include "session/session.hpp"
#include "session/time/timeline.hpp"

namespace lab::lessons {
class Player;
}

namespace lab::panels {

/// View state of the tree diagram.
struct DiagramView {
    std::string tree;    ///< Id of the tree on show.
    bool links = false;  ///< Nodes and links instead of stacked bars.
    float zoom = 1.0f;
    glm::vec2 offset{0.0f};  ///< The upper left corner, as a fraction of the whole diagram.
};

/// The file browser's window.
struct FileBrowser {
    struct Entry {
        std::string name;
        bool is_folder = false;
        std::optional<std::uint64_t> bytes;  ///< File size; none without one, as for a dangling link.
    };
    bool open = false, focus = false;
    int age = 0;                     ///< Frames since it opened.
    std::string folder;              ///< The current one, without a slash at its end.
    std::string typed;               ///< A path, or letters that the names must contain.
    std::size_t kind = 0;            ///< Filter: 0 every kind that opens, then one kind each, then any file.
    std::size_t row = 0;             ///< The selected row.
    std::string clicked;             ///< The file in `listed` that a click has selected.
    std::string listed;              ///< The folder that `entries` belongs to.
    std::string problem;             ///< Why `listed` cannot be read.
    std::string missing;             ///< The path chosen last that leads nowhere.
    std::vector<Entry> entries;      ///< All of its entries, folders first.
    int edits = 0;                   ///< Counts texts set by the program, as `palette_edits`.
    int caret = 0;                   ///< As `palette_caret`.
    std::vector<std::string> asked;  ///< Files that were chosen and are not open yet.
    std::uint64_t seen_end = 0;      ///< `LastOpened::number` as of the last file noted.
};

/// The state of a window. Nothing here changes what the session does.
struct UiState {
    std::string scene_search, body_search, help_search;
    std::string palette_line;
    std::size_t palette_row = 0;
    bool palette_open = false, palette_focus = false;
    int palette_age = 0;  ///< Frames since it opened.
    int palette_edits =
        0;  ///< Counts texts set by the program: ImGui keeps its own text while a field is active.
    int palette_caret = 0;  ///< Frames in which the caret still has to be sent to the end.
    FileBrowser files;
    /// The marked row that a table was last scrolled to, and for how many frames it has been.
    struct ChosenRow {
        std::string name;
        int draws = 0;
    };
    std::unordered_map<std::string, ChosenRow> chosen_rows;  ///< By table.
    std::string code_line;  ///< The marked line of pseudo-code last scrolled to.
    /// Column widths needed by each table, by its id.
    struct TableWidths {
        std::string measured_for;
        std::vector<float> px;        ///< With room for the arrow of the column that sorts.
        std::vector<float> tight_px;  ///< Without that room.
    };
    std::unordered_map<std::string, TableWidths> table_widths;
    /// By section: the scene for which it was opened or folded. A panel that is not shown leaves it for
    /// later.
    std::unordered_map<std::string_view, std::string> folded_for;
    bool description_open = true, description_open_small = false;
    Rect scene_card;  ///< Its rectangle in this frame; empty: not shown.
    /// Texts being typed, by setting, until Enter sends them.
    std::unordered_map<std::string, std::string> typed;
    std::string held_handle;   ///< The handle of the scene that the mouse holds; empty: none.
    std::string scene_before;  ///< To scroll the list when the scene changes elsewhere.
    std::uint64_t selected_before = 0xffffffffu;  ///< To scroll a list when the selection changes elsewhere.
    NodeRef pointed;
    NodeRef held;                   ///< Highlighted while the mouse points at no other node.
    std::uint64_t held_record = 0;  ///< The record that `held` belongs to.
    const lessons::Player* lesson = nullptr;
    unsigned lesson_turn = 0;          ///< The page drawn last: a new one starts at its top.
    std::optional<glm::vec2> menu_at;  ///< Where to open the context menu.
    glm::vec2 menu_pixel{0.0f};        ///< Where it is open.
    DiagramView diagram;
    std::string bottom_tab;  ///< Name of the chosen tab: `statistics`, `before_after`, `tree`, `plots`,
                             ///< `messages`, `table.ID`.
    std::map<std::string, int, std::less<>> asked_before;  ///< `Table::asked` of the tables shown last.
    std::string change_before;                             ///< The change of algorithm shown last.
    std::size_t step_before = 0;                           ///< The step shown last; 0: none.
    std::string bottom_scene;    ///< The scene for which a tab was chosen at its start.
    std::string bottom_default;  ///< The tab that a new scene came with.
    std::string right_scene;     ///< The scene shown last in the right panel; a new one starts at its top.
    int lit_choice = -1;         ///< The row of the open list that Enter takes; -1: the chosen one.
    int choices = 0;             ///< Rows of the open list.
    double clock_s = 0;          ///< Sum of frame times, for fading.
    float frame_ms = 0, mean_dt_s = 0, frames_per_second = 0;
    std::uint64_t seen_message = 0;
    struct Toast {
        Message message;
        double born_s = 0;
    };
    std::vector<Toast> toasts;
    History history;
    NodeAges ages;

    /// Sets the text of the palette's field and puts the caret behind it.
    void set_palette_line(std::string_view text) {
        palette_line = text;
        palette_row = 0;
        palette_focus = true;
        ++palette_edits;
        palette_caret = 3;
    }
};

struct PanelContext {
    const ShownSession& session;
    CommandQueue& queue;
    UiState& state;
    const Layout& layout;
    const PanelColors& colors;
    const viz::Palette& palette;
    const Fonts& fonts;
    float em;
    glm::vec2 to_framebuffer;  ///< Framebuffer pixels per unit of ImGui.
    std::vector<WidgetRect>& widgets;
    bool fingers = false;  ///< The pointer is a finger.

    void push(std::string line) const { queue.push(std::move(line)); }
    /// Records the rectangle of the last item for Ui::widget_rects.
    void mark(std::string name) const {
        const ImVec2 a = ImGui::GetItemRectMin();
        const ImVec2 b = ImGui::GetItemRectMax();
        if (ImGui::IsItemVisible()) widgets.push_back({std::move(name), {{a.x, a.y}, {b.x, b.y}}});
    }
    /// A row of a list that a finger can hit, as the height of a Selectable.
    [[nodiscard]] ImVec2 row_size() const { return {0.0f, fingers ? std::round(1.9f * em) : 0.0f}; }
    [[nodiscard]] bool in_sheet() const { return layout.arrangement == Arrangement::Sheet; }
    [[nodiscard]] const Settings& settings() const { return session.state.settings; }
    [[nodiscard]] const FrameResults& results() const { return session.results; }
    [[nodiscard]] const BodyState* selected_body() const {
        return find_body(results(), session.state.selected());
    }
};

void menu_bar(const PanelContext& c);
/// A row of a menu that pushes the line, with its keys unless the user has only fingers.
void line_row(const PanelContext& c, const std::string& label, const std::string& line, bool checked = false,
              bool enabled = true);
/// The tabs that choose the panel of a small window: at its lower edge, or in the menu bar.
void sheet_strip(const PanelContext& c);
void sheet_tabs(const PanelContext& c, float width);
/// The scene's own settings, its steps and the time controls, for a small embedded view.
void knobs(const PanelContext& c);
/// Scrolls the current panel to its top when a different scene is shown.
void start_at_top(const PanelContext& c);
/// Pause, step and restart.
void time_buttons(const PanelContext& c);
void lesson_panel(const PanelContext& c);
void lesson_list(const PanelContext& c);
/// Starts the first lesson; not shown once a lesson is finished.
void begin_button(const PanelContext& c);
void time_drawer(const PanelContext& c);
void left_panel(const PanelContext& c);
void right_panel(const PanelContext& c);
void bottom_panel(const PanelContext& c);
void scene_card(const PanelContext& c);
void toasts(const PanelContext& c);
/// Progress of running jobs over the upper right corner of the view, each with a Cancel button.
void job_bars(const PanelContext& c);
void help_page(const PanelContext& c);
void command_palette(const PanelContext& c);
void file_browser(const PanelContext& c);
/// The context menu of the selection.
void context_menu(const PanelContext& c);
/// Its rows, for any popup.
void selection_menu(const PanelContext& c);

// Parts of the side panels.
void scene_list(const PanelContext& c);
void body_list(const PanelContext& c);
void spawn_panel(const PanelContext& c);
void inspector(const PanelContext& c);
void node_inspector(const PanelContext& c);
void ray_inspector(const PanelContext& c);
void scene_settings(const PanelContext& c);
void values_panel(const PanelContext& c);
void steps_panel(const PanelContext& c);
void draw_toggles(const PanelContext& c);
void algorithm_settings(const PanelContext& c);

// Tabs of the bottom panel.
void statistics(const PanelContext& c);
void plots(const PanelContext& c);
void before_after(const PanelContext& c);  ///< There must have been a change.
void curve_plots(const PanelContext& c, const Curves& curves);
void tree_diagram(const PanelContext& c);
/// The worst nodes of a tree by the chosen measure, and how long they have been so.
void worst_node_list(const PanelContext& c, const std::string& id, const bv::TreeSnapshot& tree);
void result_table(const PanelContext& c, const Table& table);
void message_log(const PanelContext& c);

}  // namespace lab::panels
