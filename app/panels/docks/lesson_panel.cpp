// The active lesson, in place of the left panel: its page, task and progress. Also the list of lessons.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lessons/player.hpp"
#include "panels/widgets/rich_text.hpp"
#include "panels/widgets/widgets.hpp"
#include "scenes/scenes.hpp"
#include "settings/program.hpp"

namespace lab::panels {
namespace {

using lessons::Page;
using lessons::Player;

bool is_done(const PanelContext& c, std::string_view id) {
    return lessons::is_finished(c.settings(), id);
}

/// The next in teaching order; null after the last one.
const lessons::LessonSpec* lesson_after(const lessons::LessonSpec& lesson) {
    const auto all = lessons::lesson_specs();
    const auto at = static_cast<std::size_t>(&lesson - all.data()) + 1;
    return at < all.size() ? &all[at] : nullptr;
}

/// The first that is not done; null if all are.
const lessons::LessonSpec* next_to_do(const PanelContext& c) {
    const auto all = lessons::lesson_specs();
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const lessons::LessonSpec& lesson) { return !is_done(c, lesson.id); });
    return at == all.end() ? nullptr : &*at;
}

/// One mark per page; a click opens the page. Pages with an open task have a ring.
void progress(const PanelContext& c, const Player& player) {
    const std::size_t pages = player.lesson().pages.size();
    const float height = ImGui::GetFrameHeight();
    const float gap = std::round(0.3f * c.em);
    const std::string text = fmt::format("{} / {}", player.page() + 1, pages);
    const float available = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize("00 / 00").x - c.em;
    const float width =
        std::floor((available - gap * static_cast<float>(pages - 1)) / static_cast<float>(pages));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < pages; ++i) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const std::string name = fmt::format("lesson.page.{}", i + 1);
        if (hit_area(name.c_str(), {width, height})) c.push(fmt::format("lesson.page {}", i + 1));
        const bool hovered = ImGui::IsItemHovered();
        tooltip(fmt::format("Page {}", i + 1));
        c.mark(name);
        const bool here = i == player.page();
        const bool task = !player.lesson().pages[i].task.text.empty();
        const render::Color color = here                ? c.colors.accent
                                    : player.done(i)    ? c.colors.good
                                    : i < player.page() ? viz::mix(c.colors.panel, c.colors.accent, 0.5f)
                                                        : c.colors.border;
        const float thick = std::round((here || hovered ? 0.42f : 0.28f) * c.em);
        const float middle = at.y + 0.5f * height;
        list.AddRectFilled({at.x, middle - 0.5f * thick}, {at.x + width, middle + 0.5f * thick}, pack(color),
                           0.5f * thick);
        if (task) {
            const ImVec2 center{at.x + 0.5f * width, middle};
            list.AddCircleFilled(center, 0.36f * c.em, pack(player.done(i) ? c.colors.good : c.colors.panel));
            list.AddCircle(center, 0.36f * c.em, pack(player.done(i) ? c.colors.good : color), 0, 2.0f);
        }
        ImGui::SameLine(0.0f, gap);
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                         ImGui::CalcTextSize(text.c_str()).x);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
}

void header(const PanelContext& c, const Player& player) {
    if (is_done(c, player.spec()->id)) {
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
        tick(c);
        c.mark("lesson.finished");
        ImGui::SameLine();
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().FramePadding.y);
    }
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.text_dim));
    ImGui::AlignTextToFramePadding();
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x -
                           ImGui::GetFrameHeight() - 0.4f * c.em);
    ImGui::TextUnformatted(fmt::format("Lesson: {}", player.spec()->title).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    c.mark("lesson.title");
    ImGui::SameLine(ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - ImGui::GetFrameHeight());
    if (icon_button(c, Icon::Close, "lesson.close", "Close the lesson")) c.push("lesson.close");
    progress(c, player);
}

/// In a scene other than the page's: shows the way back.
void foreign_scene(const PanelContext& c, const Player& player) {
    if (c.results().scene_id == player.scene().id) return;
    note(c, fmt::format("This page is about another scene: {}.", player.scene().title));
    if (button(c, "Open it again", "lesson.again")) c.push(fmt::format("lesson.page {}", player.page() + 1));
    ImGui::Spacing();
}

/// The task, with a tick once it is done.
void task_card(const PanelContext& c, const Player& player) {
    const Page& page = player.current();
    if (page.task.text.empty()) return;
    const bool done = player.done(player.page());
    const render::Color color = done ? c.colors.good : c.colors.accent;
    const float pad = std::round(0.7f * c.em);
    const float mark = std::round(1.5f * c.em);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.ChannelsSplit(2);
    list.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({at.x + pad + mark + 0.6f * c.em, at.y + pad});
    ImGui::BeginGroup();
    const float inner = width - 2.0f * pad - mark - 0.6f * c.em;
    flowing_text(c, page.task.words, inner);
    if (done) {
        ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.good));
        ImGui::PushFont(c.fonts.reading_strong);
        ImGui::TextUnformatted("Done.");
        ImGui::PopFont();
        ImGui::PopStyleColor();
        c.mark("lesson.done");
    } else if (!page.task.show.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Button, to_vec4(c.colors.hover));  // the card has a button's color
        if (button(c, "Show me", "lesson.show")) c.push("lesson.show");
        ImGui::PopStyleColor();
    }
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y + pad;
    list.ChannelsSetCurrent(0);
    list.AddRectFilled(at, {at.x + width, bottom}, pack(c.colors.raised), 5.0f);
    list.AddRect(at, {at.x + width, bottom}, pack(color), 5.0f, 0, 1.5f);
    const ImVec2 center{at.x + pad + 0.5f * mark, at.y + pad + 0.5f * mark};
    if (done) {
        list.AddCircleFilled(center, 0.5f * mark, pack(color));
        const ImVec2 tick[3] = {{center.x - 0.24f * mark, center.y + 0.02f * mark},
                                {center.x - 0.06f * mark, center.y + 0.2f * mark},
                                {center.x + 0.26f * mark, center.y - 0.2f * mark}};
        list.AddPolyline(tick, 3, pack(c.colors.panel), 0, std::max(2.0f, 0.12f * mark));
    } else {
        list.AddCircle(center, 0.46f * mark, pack(color), 0, 2.0f);
    }
    list.ChannelsMerge();
    ImGui::SetCursorScreenPos({at.x, bottom});
    ImGui::Dummy({width, 0.3f * c.em});
    c.mark("lesson.task");
}

void footer(const PanelContext& c, const Player& player) {
    const bool last = player.page() + 1 == player.lesson().pages.size();
    const lessons::LessonSpec* next = last ? lesson_after(*player.spec()) : nullptr;
    const float count = next ? 3.0f : 2.0f, gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = std::floor((ImGui::GetContentRegionAvail().x - (count - 1.0f) * gap) / count);
    const ImVec2 size{width, std::round(2.1f * c.em)};
    ImGui::BeginDisabled(player.page() == 0);
    if (button(c, "Back", "lesson.back", size)) c.push("lesson.back");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (!last) {
        if (main_button(c, "Next", "lesson.next", size)) c.push("lesson.next");
        return;
    }
    const bool ended = next ? button(c, "Finish", "lesson.end", size)
                            : main_button(c, "Close the lesson", "lesson.end", size);
    if (ended) c.push("lesson.close");
    if (!next) return;
    ImGui::SameLine();
    if (main_button(c, "Next lesson", "lesson.onward", size)) c.push(fmt::format("lesson {}", next->id));
    tooltip(next->title);
}

}  // namespace

void lesson_panel(const PanelContext& c) {
    const Player& player = *c.state.lesson;
    header(c, player);
    const float foot = std::round(2.1f * c.em) + 2.0f * ImGui::GetStyle().ItemSpacing.y;
    ImGui::BeginChild("lesson.text", {0.0f, -foot}, false);
    if (c.state.lesson_turn != player.turns()) ImGui::SetScrollY(0.0f);
    c.state.lesson_turn = player.turns();
    foreign_scene(c, player);
    rich_text(c, player.current().blocks);
    task_card(c, player);
    ImGui::EndChild();
    footer(c, player);
}

void begin_button(const PanelContext& c) {
    if (!c.settings()[kLessonsDone].empty()) return;
    const lessons::LessonSpec& first = lessons::lesson_specs().front();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushFont(c.fonts.medium);
    const char* label = "Begin here: the first lesson";
    if (ImGui::CalcTextSize(label).x + 2.0f * ImGui::GetStyle().FramePadding.x > width) label = "Begin here";
    ImGui::PopFont();
    if (main_button(c, label, "lesson.begin", {width, 0.0f})) c.push(fmt::format("lesson {}", first.id));
    tooltip(fmt::format("{}. {}", first.title, first.summary));
}

void lesson_list(const PanelContext& c) {
    const lessons::LessonSpec* next = next_to_do(c);
    if (next && next != &lessons::lesson_specs().front()) {
        if (button(c, "Continue with the lessons", "lesson.continue",
                   {ImGui::GetContentRegionAvail().x, 0.0f}))
            c.push(fmt::format("lesson {}", next->id));
        tooltip(fmt::format("{}. {}", next->title, next->summary));
    }
    std::string_view category;
    for (const lessons::LessonSpec& lesson : lessons::lesson_specs()) {
        if (lesson.category != category) {
            category = lesson.category;
            subheading(c, category);
        }
        ImGui::PushID(lesson.id.data(), lesson.id.data() + lesson.id.size());
        const bool done = is_done(c, lesson.id);
        if (list_row(c, lesson.title, false, done ? 1.6f * c.em : 0.0f))
            c.push(fmt::format("lesson {}", lesson.id));
        ImGui::PopID();
        c.mark(fmt::format("lesson.{}", lesson.id));
        tooltip(lesson.summary);
        if (!done) continue;
        ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - 1.2f * c.em);
        tick(c);
        c.mark(fmt::format("lesson.tick.{}", lesson.id));
    }
}

}  // namespace lab::panels
