// A table of the scene: as wide as its panel, sorted by a click on a heading, scrolled so that the row on
// show is in sight. No cell is cut off without a sign. A short table wraps its sentences; in a long one,
// whose rows have one height, they end in "…" and a tooltip has the full text. A table that scrolls sideways
// fades out at its right edge.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "panels/widgets/glossary.hpp"
#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

constexpr std::size_t kFewRows = 40;   ///< May have several lines each.
constexpr float kSentence_em = 16.0f;  ///< A column wider than this holds sentences.
constexpr float kShortest_em = 12.0f;  ///< Less is too little for a sentence.
constexpr std::size_t kSampled = 100;  ///< Rows measured at each end of a table.

/// Numbers by their value, before words by their letters; cells without either come last.
bool comes_before(const Cell& a, const Cell& b) {
    const auto value = [](const Cell& cell) -> const Number* {
        if (const auto* numbers = std::get_if<Numbers>(&cell))
            return numbers->parts.empty() ? nullptr : &numbers->parts.front();
        return std::get_if<Number>(&cell);
    };
    const Number *x = value(a), *y = value(b);
    if (x && y) return x->value < y->value;
    if (x || y) return x != nullptr;
    return to_text(a) < to_text(b);
}

/// The rows in the order on screen: verdicts first, the others as they are or by the chosen column.
std::vector<std::size_t> order_of(const Table& table) {
    std::vector<std::size_t> order;
    for (const bool verdict : {true, false})
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            if ((table.rows[i].mark == RowMark::Verdict) == verdict) order.push_back(i);
    const ImGuiTableSortSpecs* sorting = ImGui::TableGetSortSpecs();
    if (!sorting || sorting->SpecsCount == 0) return order;
    const auto column = static_cast<std::size_t>(sorting->Specs[0].ColumnIndex);
    const bool down = sorting->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    static const Cell kEmpty;
    const auto cell = [&](std::size_t row) -> const Cell& {
        return column < table.rows[row].cells.size() ? table.rows[row].cells[column] : kEmpty;
    };
    const auto first = std::find_if(order.begin(), order.end(), [&](std::size_t row) {
        return table.rows[row].mark != RowMark::Verdict;
    });
    std::stable_sort(first, order.end(), [&](std::size_t a, std::size_t b) {
        return down ? comes_before(cell(b), cell(a)) : comes_before(cell(a), cell(b));
    });
    return order;
}

void table_header(const PanelContext& c, const Table& table) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers, c.row_size().y);
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(k))) continue;
        ImGui::PushID(static_cast<int>(k));
        // ImGui keeps room for an arrow beside every label; only the column that sorts needs it.
        const std::string label = table.columns[k].label();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::TableHeader("##head");
        ImGui::GetWindowDrawList()->AddText(at, pack(c.colors.text), label.c_str());
        const std::string_view meaning = meaning_of(table.columns[k].heading);
        tooltip(fmt::format("{}{}{}", label, meaning.empty() ? "" : "\n", meaning));
        ImGui::PopID();
        c.mark(fmt::format("column.{}.{}", table.id, k));
    }
}

void cell_text(const std::string& text, bool wraps) {
    const float available = ImGui::GetContentRegionAvail().x;
    if (ImGui::CalcTextSize(text.c_str()).x <= available + 0.5f) return ImGui::TextUnformatted(text.c_str());
    if (wraps) return paragraph(text);
    ImGui::TextUnformatted(fitted(text, available).c_str());
    tooltip(text);
}

/// The same for the first cell of a row to click on. Returns whether it was clicked.
bool clickable_text(const std::string& text, bool wraps) {
    const float available = ImGui::GetContentRegionAvail().x;
    const bool fits = ImGui::CalcTextSize(text.c_str()).x <= available + 0.5f;
    const std::string shown = fits || !wraps ? fitted(text, available) : on_lines(text, available);
    const bool clicked = text_row(shown, false, ImGuiSelectableFlags_SpanAllColumns);
    if (!fits && !wraps) tooltip(text);
    return clicked;
}

/// True for a remark: its only cell spans all columns.
bool is_remark(const Table& table, const Row& row) {
    return row.cells.size() == 1 && table.columns.size() > 1 && row.command.empty();
}

/// Text across all columns; if it does not fit, a tooltip has all of it.
void remark_text(const std::string& text) {
    const float width = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ImGui::GetCursorScreenPos().x -
                        ImGui::GetStyle().ScrollbarSize;
    const std::string shown = fitted(text, width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::TablePushBackgroundChannel();  // the cell's own channel would cut the text at its column
    ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
    ImGui::TablePopBackgroundChannel();
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()});
    if (shown != text) tooltip(text);
}

void table_row(const PanelContext& c, const Table& table, std::size_t i, bool wraps) {
    const Row& row = table.rows[i];
    ImGui::TableNextRow();
    if (row.mark != RowMark::None) {
        const render::Color color = row.mark == RowMark::Best    ? c.colors.good
                                    : row.mark == RowMark::Rival ? c.colors.text_dim
                                                                 : c.colors.accent;
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1,
                               pack(color.with_alpha(row.mark == RowMark::Rival ? 0.22f : 0.3f)));
    }
    for (std::size_t k = 0; k < row.cells.size() && k < table.columns.size(); ++k) {
        ImGui::TableNextColumn();
        if (k == 0 && row.mesh)
            swatch(c, c.palette.body(*row.mesh));
        else if (k == 0 && row.role)
            swatch(c, c.palette.role(*row.role));
        const std::string text = to_text(row.cells[k]);
        if (!wraps && is_remark(table, row)) {
            remark_text(text);
            c.mark(fmt::format("row.{}.{}", table.id, i));
            return;
        }
        if (k > 0) {
            cell_text(text, wraps);
            continue;
        }
        if (row.command.empty()) {
            cell_text(text, wraps);
            tooltip(name_of(row.mark));
        } else {
            ImGui::PushID(static_cast<int>(i));
            if (clickable_text(text, wraps))
                for (std::string& line : split_lines(row.command))
                    c.push(std::move(line));
            ImGui::PopID();
        }
        c.mark(fmt::format("row.{}.{}", table.id, i));
    }
}

/// The place of the row on show, if that row has just changed or the table has just appeared. A row is
/// identified by its first cell and, among rows with an equal one, by its number, so that it may move.
std::optional<std::size_t> place_to_follow(const PanelContext& c, const Table& table,
                                           const std::vector<std::size_t>& order) {
    for (std::size_t place = 0; place < order.size(); ++place) {
        const Row& row = table.rows[order[place]];
        if (row.mark != RowMark::Chosen) continue;
        const auto first_cell = [&](const Row& of) { return of.cells.empty() ? "" : to_text(of.cells[0]); };
        const std::string label = first_cell(row);
        const auto end = table.rows.begin() + static_cast<std::ptrdiff_t>(order[place]);
        const auto like_it = std::count_if(table.rows.begin(), end,
                                           [&](const Row& other) { return first_cell(other) == label; });
        std::string name = fmt::format("{} {}", like_it, label);
        UiState::ChosenRow& before = c.state.chosen_rows[table.id];
        if (ImGui::IsWindowAppearing() || before.name != name) before = {name, 0};
        // In its first frames the height of a table is not known, and that limits how far it scrolls.
        constexpr int kDraws = 3;
        return before.draws++ < kDraws ? std::optional(place) : std::nullopt;
    }
    return std::nullopt;
}

void table_rows(const PanelContext& c, const Table& table, bool wraps) {
    const std::vector<std::size_t> order = order_of(table);
    if (ImGuiTableSortSpecs* sorting = ImGui::TableGetSortSpecs(); sorting && sorting->SpecsDirty) {
        sorting->SpecsDirty = false;
        ImGui::SetScrollY(0.0f);
    }
    const std::optional<std::size_t> followed = place_to_follow(c, table, order);
    if (wraps) {
        for (std::size_t place = 0; place < order.size(); ++place) {
            table_row(c, table, order[place], true);
            if (followed == place) ImGui::SetScrollHereY(0.5f);
        }
        return;
    }
    if (followed) {
        // Shows the row as the third one or, in a low panel, as the last that fits whole.
        const float line = ImGui::GetTextLineHeight() + 2.0f * ImGui::GetStyle().CellPadding.y;
        const float below_head = ImGui::GetCurrentWindow()->InnerRect.GetHeight() - line;
        const float above = std::clamp(std::floor(below_head / line) - 1.0f, 0.0f, 2.0f);
        ImGui::SetScrollY(std::max(0.0f, line * (static_cast<float>(*followed) - above)));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(order.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            table_row(c, table, order[static_cast<std::size_t>(i)], false);
}

/// The widths that the headings need.
void measure_head(const PanelContext& c, const Table& table, UiState::TableWidths& widths) {
    const float arrow = c.em + ImGui::GetStyle().FramePadding.x;  // of the column that sorts
    widths.px.clear();
    widths.tight_px.clear();
    for (const Column& column : table.columns) {
        widths.tight_px.push_back(ImGui::CalcTextSize(column.label().c_str()).x + 1.0f);
        widths.px.push_back(widths.tight_px.back() + arrow);
    }
}

/// Widens the columns for their cells; in a long table, for the cells at both ends only.
void measure_cells(const PanelContext& c, const Table& table, UiState::TableWidths& widths) {
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (i == kSampled && table.rows.size() > 2 * kSampled) i = table.rows.size() - kSampled;
        const Row& row = table.rows[i];
        if (is_remark(table, row)) continue;
        for (std::size_t k = 0; k < std::min(row.cells.size(), widths.px.size()); ++k) {
            const float swatch = k == 0 && row.role ? 1.2f * c.em : 0.0f;
            const float text = ImGui::CalcTextSize(to_text(row.cells[k]).c_str()).x;
            for (std::vector<float>* px : {&widths.px, &widths.tight_px})
                (*px)[k] = std::max((*px)[k], text + swatch + 1.0f);
        }
    }
}

/// Measured anew when the number of rows changes or other rows are at the ends. Cells of a short table may
/// get longer meanwhile.
const UiState::TableWidths& widths_of(const PanelContext& c, const Table& table) {
    const auto first = [](const Row& row) {
        return row.cells.empty() ? std::string() : to_text(row.cells[0]);
    };
    std::string key = fmt::format("{} {} {}", table.title, table.rows.size(), c.em);
    if (!table.rows.empty())
        key += fmt::format(" {} {}", first(table.rows.front()), first(table.rows.back()));
    UiState::TableWidths& known = c.state.table_widths[table.id];
    const bool is_new =
        std::exchange(known.measured_for, key) != key || known.px.size() != table.columns.size();
    if (is_new) measure_head(c, table, known);
    constexpr std::size_t kShort = 30;  // rows
    if (is_new || table.rows.size() <= kShort) measure_cells(c, table, known);
    return known;
}

/// How columns are fitted to the width of the panel.
enum class Fit : std::uint8_t {
    All,        ///< There is room for each.
    Sentences,  ///< Every column but those of sentences has the width it needs.
    Scrolled,   ///< Too little room for that: the table scrolls sideways.
};

bool is_sentence(const PanelContext& c, float width) {
    return width > kSentence_em * c.em;
}

Fit fit_of(const PanelContext& c, const std::vector<float>& needed, float padding) {
    float available = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
    float sentences = 0.0f, all = 0.0f, others = 0.0f;
    for (const float width : needed) {
        available -= 2.0f * padding + 1.0f;
        all += width;
        (is_sentence(c, width) ? sentences : others) += is_sentence(c, width) ? 1.0f : width;
    }
    if (all <= available) return Fit::All;
    const bool enough = sentences > 0.0f && available - others > sentences * kShortest_em * c.em;
    return enough ? Fit::Sentences : Fit::Scrolled;
}

/// Widths rounded up, so that one more digit does not always mean a new table.
std::vector<float> in_steps(const PanelContext& c, std::vector<float> widths) {
    const float step = 0.25f * c.em;
    for (float& width : widths)
        if (!is_sentence(c, width)) width = step * std::ceil(width / step);
    return widths;
}

/// ImGui sets column widths only when a table is new, so different widths need a different id.
std::string id_of(const PanelContext& c, const Table& table, const std::vector<float>& needed, Fit fit) {
    std::string id = fmt::format("{}.{}", table.id, static_cast<int>(fit));
    for (const float width : needed)
        if (!is_sentence(c, width)) id += fmt::format(".{:.0f}", width);
    return id;
}

void set_up_columns(const PanelContext& c, const Table& table, const std::vector<float>& needed, Fit fit) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const bool stretches = fit == Fit::All || (fit == Fit::Sentences && is_sentence(c, needed[k]));
        const float max_width = 2.0f * kSentence_em * c.em;
        ImGui::TableSetupColumn(
            table.columns[k].label().c_str(),
            stretches ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed,
            fit == Fit::Scrolled ? std::min(needed[k], max_width) : needed[k]);
    }
}

/// Where columns continue beyond the right edge, they fade out, so that nobody takes half a number for a
/// whole one, and an arrow in the head row points there. Call after EndTable, so that it lies on top of the
/// cells.
void fade_right_edge(const PanelContext& c, const ImGuiTable& table, float head_height) {
    const ImGuiWindow& inner = *table.InnerWindow;
    if (inner.Scroll.x >= inner.ScrollMax.x - 0.5f) return;
    const ImRect& visible = inner.InnerRect;
    const float width = std::min(2.4f * c.em, 0.5f * visible.GetWidth()), arrow = 0.28f * c.em;
    const ImU32 solid = pack(c.colors.panel), clear = pack(c.colors.panel.with_alpha(0.0f));
    ImDrawList& list = *inner.DrawList;
    list.PushClipRect(visible.Min, visible.Max);
    list.AddRectFilledMultiColor({visible.Max.x - width, visible.Min.y}, visible.Max, clear, solid, solid,
                                 clear);
    const ImVec2 tip{visible.Max.x - 0.35f * c.em, visible.Min.y + 0.5f * head_height};
    list.AddTriangleFilled({tip.x - arrow, tip.y - arrow}, tip, {tip.x - arrow, tip.y + arrow},
                           pack(c.colors.text_dim));
    list.PopClipRect();
}

}  // namespace

void result_table(const PanelContext& c, const Table& table) {
    const int columns = static_cast<int>(table.columns.size());
    if (columns == 0 || columns > 60) return;
    // Where columns have too little room, they stand closer together before anything is cut.
    const UiState::TableWidths& widths = widths_of(c, table);
    const float wide = ImGui::GetStyle().CellPadding.x, narrow = std::round(0.2f * c.em);
    const bool roomy = fit_of(c, widths.px, wide) != Fit::Scrolled;
    const std::vector<float> needed = in_steps(c, roomy ? widths.px : widths.tight_px);
    const float padding = roomy ? wide : std::min(wide, narrow);
    const Fit fit = fit_of(c, needed, padding);
    const ImGuiTableFlags flags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
        ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate | ImGuiTableFlags_NoSavedSettings |
        (fit == Fit::Scrolled ? ImGuiTableFlags_ScrollX | ImGuiTableFlags_SizingFixedFit
                              : ImGuiTableFlags_SizingStretchProp);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {padding, std::round(0.08f * c.em)});
    if (ImGui::BeginTable(id_of(c, table, needed, fit).c_str(), columns, flags,
                          ImGui::GetContentRegionAvail())) {
        ImGui::TableSetupScrollFreeze(fit == Fit::Scrolled ? 1 : 0, 1);
        set_up_columns(c, table, needed, fit);
        table_header(c, table);
        table_rows(c, table, table.rows.size() <= kFewRows);
        const ImGuiTable* drawn = ImGui::GetCurrentTable();
        const float head_height = c.row_size().y;
        ImGui::EndTable();
        if (fit == Fit::Scrolled) fade_right_edge(c, *drawn, head_height);
    }
    ImGui::PopStyleVar();
}

}  // namespace lab::panels
