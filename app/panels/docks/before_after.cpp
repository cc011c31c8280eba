// The bottom panel's tab that compares counts and times before and after the last change of an algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "io/text/counted.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

/// Smaller differences count as noise; times vary more than counts.
constexpr double kSame = 0.005, kSameTime = 0.05;

std::string number(double x) {
    return x >= 1000.0 ? grouped(static_cast<std::uint64_t>(std::llround(x))) : short_number(x);
}

void ratio_cell(const PanelContext& c, const CostRow& row, double before, double after) {
    if (!(before > 0.0 && after > 0.0)) return ImGui::TextUnformatted("-");
    const double ratio = after / before;
    const double same = row.unit == CostRow::Unit::Milliseconds ? kSameTime : kSame;
    const render::Color color = ratio < 1.0 - same   ? c.colors.good
                                : ratio > 1.0 + same ? c.colors.warning
                                                     : c.colors.text_dim;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
    ImGui::TextUnformatted(fmt::format("\xc3\x97 {:.2f}", ratio).c_str());
    ImGui::PopStyleColor();
}

/// By how many tenths a value has grown or shrunk: coarse, so that rows keep their places while means settle.
double change_of(const BeforeAfter& found, FrameCost::Row row) {
    const double before = found.before[row], after = found.after[row];
    return before > 0.0 && after > 0.0 ? std::round(std::abs(std::log(after / before)) / std::log(1.1)) : 0.0;
}

/// The nonzero rows of one kind; counts with the largest change first. Times vary too much for that.
std::vector<CostRow> rows_of(const BeforeAfter& found, bool times) {
    std::vector<CostRow> rows;
    for (const CostRow& row : cost_rows())
        if ((row.unit == CostRow::Unit::Milliseconds) == times &&
            std::max(found.before[row.row], found.after[row.row]) > 0.0)
            rows.push_back(row);
    if (!times)
        std::stable_sort(rows.begin(), rows.end(), [&](const CostRow& a, const CostRow& b) {
            return change_of(found, a.row) > change_of(found, b.row);
        });
    return rows;
}

void half(const PanelContext& c, const BeforeAfter& found, bool times) {
    if (!ImGui::BeginTable(times ? "times" : "counts", 4,
                           ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg))
        return;
    ImGui::TableSetupColumn(times ? "Time" : "Count", 0, 2.2f);
    ImGui::TableSetupColumn("before", 0, 1.0f);
    ImGui::TableSetupColumn("after", 0, 1.0f);
    ImGui::TableSetupColumn("", 0, 0.9f);
    ImGui::TableHeadersRow();
    for (const CostRow& row : rows_of(found, times)) {
        const double before = found.before[row.row], after = found.after[row.row];
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(row.label.data());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(number(before).c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(number(after).c_str());
        ImGui::TableNextColumn();
        ratio_cell(c, row, before, after);
    }
    ImGui::EndTable();
    c.mark(times ? "before_after.times" : "before_after.counts");
}

}  // namespace

void before_after(const PanelContext& c) {
    const BeforeAfter& found = *c.results().before_after;
    ImGui::PushFont(c.fonts.medium);
    ImGui::TextUnformatted(found.change.c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    note(c, fmt::format("Means over {} before the change and the last {} since; pairs and tree values are "
                        "from the frames next to it.",
                        io::counted(found.frames_before, "frame", "frames"),
                        io::counted(found.frames_after, "frame", "frames")));
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {std::round(0.5f * c.em), std::round(0.08f * c.em)});
    if (ImGui::BeginTable("before_after", 2, ImGuiTableFlags_SizingStretchSame)) {
        ImGui::TableNextColumn();
        half(c, found, false);
        ImGui::TableNextColumn();
        half(c, found, true);
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
}

}  // namespace lab::panels
