// Progress bars of background jobs: reading files, building trees.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"

namespace lab::panels {
namespace {

/// Shorter jobs get no bar: it would only flash.
constexpr double kWorthShowing_s = 0.25;

/// `row_number` counts the visible bars from 1.
void bar(const PanelContext& c, const JobView& job, int row_number, float width) {
    ImGui::PushFont(c.fonts.medium);
    const std::string share = fmt::format("{:.0f} %", 100.0f * job.fraction);
    const float share_width = ImGui::CalcTextSize("100 %").x;
    ImGui::TextUnformatted(fitted(job.title, width - share_width - 0.7f * c.em).c_str());
    if (ImGui::IsItemHovered()) tooltip(job.title);
    ImGui::PopFont();
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + width - ImGui::CalcTextSize(share.c_str()).x);
    ImGui::TextUnformatted(share.c_str());

    const float button_width = ImGui::CalcTextSize("Cancel").x + 1.4f * c.em;
    const float bar_width = width - button_width - 0.7f * c.em;
    const float row = ImGui::GetFrameHeight();
    const float height = std::round(0.5f * c.em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + 0.5f * (row - height);
    const float round = 0.5f * height;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x, top}, {at.x + bar_width, top + height}, pack(c.colors.sunken), round);
    const float filled = std::max(height, bar_width * std::clamp(job.fraction, 0.0f, 1.0f));
    list.AddRectFilled({at.x, top}, {at.x + filled, top + height}, pack(c.colors.accent), round);
    ImGui::Dummy({bar_width, row});
    c.mark(fmt::format("job.bar.{}", row_number));
    ImGui::SameLine(0.0f, 0.7f * c.em);
    ImGui::PushID(static_cast<int>(job.id.value));
    if (button(c, "Cancel", fmt::format("job.cancel.{}", row_number), {button_width, 0.0f}))
        c.push(fmt::format("jobs.cancel {}", job.id.value));
    ImGui::PopID();
    tooltip("Cancel. Nothing already open is lost.");
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(viz::mix(c.colors.text_dim, c.colors.text, 0.45f)));
    ImGui::TextUnformatted(job.phase.empty() ? "waiting" : job.phase.c_str());
    ImGui::PopStyleColor();
}

}  // namespace

void job_bars(const PanelContext& c) {
    std::vector<JobView> jobs = c.session.jobs.views();
    std::erase_if(jobs, [](const JobView& job) { return job.age_s < kWorthShowing_s; });
    const Rect& view = c.layout.view;
    const float margin = std::round(0.8f * c.em);
    const float padding = std::round(0.9f * c.em);
    const float width = std::min(21.0f * c.em, view.size().x - 2.0f * (margin + padding));
    if (jobs.empty() || width < 9.0f * c.em) return;
    // Beside the scene's text, or below it where it does not fit.
    const Rect& card = c.state.scene_card;
    const float right = view.max.x - margin;
    const bool beside = card.is_empty() || card.max.x + margin < right - width - 2.0f * padding;
    const float top = beside ? view.min.y + margin : card.max.y + std::round(0.5f * margin);
    ImGui::SetNextWindowPos({right, top}, ImGuiCond_Always, {1.0f, 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, std::round(0.6f * c.em)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec4(c.colors.panel.with_alpha(0.92f)));
    ImGui::Begin("##jobs", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav);
    int row = 0;
    for (const JobView& job : jobs)
        bar(c, job, ++row, width);
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

}  // namespace lab::panels
