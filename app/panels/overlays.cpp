// Overlays of the view: the scene's text, fading messages, and the help page.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "commands/catalog.hpp"
#include "panels/menus/fuzzy.hpp"
#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"
#include "platform/host.hpp"
#include "settings/program.hpp"

namespace lab::panels {
namespace {

constexpr ImGuiWindowFlags kOverlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                      ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

double lifetime_s(Severity severity) {
    switch (severity) {
        case Severity::Info:
            return 5.0;
        case Severity::Warning:
            return 8.0;
        case Severity::Error:
            return 12.0;
    }
    return 5.0;
}

void take_new_messages(const PanelContext& c) {
    for (const Message& message : c.session.messages.messages()) {
        if (message.number <= c.state.seen_message) continue;
        c.state.seen_message = message.number;
        // A repeated text replaces the toast that is still visible.
        std::erase_if(c.state.toasts,
                      [&](const UiState::Toast& t) { return t.message.text == message.text; });
        c.state.toasts.push_back({message, c.state.clock_s});
    }
    std::erase_if(c.state.toasts, [&](const UiState::Toast& t) {
        return c.state.clock_s - t.born_s > lifetime_s(t.message.severity);
    });
    // In a small window they would cover the scene: it shows the newest, and the list of messages has all.
    const std::size_t max_toasts = c.in_sheet() ? 1 : 4;
    if (c.state.toasts.size() > max_toasts)
        c.state.toasts.erase(c.state.toasts.begin(),
                             c.state.toasts.end() - static_cast<std::ptrdiff_t>(max_toasts));
}

/// Draws one toast with its lower right corner at `corner` and returns its height. A click dismisses it.
float toast(const PanelContext& c, UiState::Toast& t, ImVec2 corner, float width) {
    const double age = c.state.clock_s - t.born_s;
    const double rest = lifetime_s(t.message.severity) - age;
    const auto alpha = static_cast<float>(std::clamp(std::min(age / 0.15 + 0.2, rest / 0.6), 0.0, 1.0));
    const render::Color color = t.message.severity == Severity::Error     ? c.colors.error
                                : t.message.severity == Severity::Warning ? c.colors.warning
                                                                          : c.colors.accent;
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, {1.0f, 1.0f});
    ImGui::SetNextWindowSizeConstraints({width, 0.0f}, {width, 40.0f * c.em});
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, std::max(alpha, 0.05f));
    const float padding_y = (c.in_sheet() ? 0.35f : 0.6f) * c.em;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1.0f * c.em, padding_y});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec4(c.colors.raised));
    ImGui::Begin(fmt::format("##toast{}", t.message.number).c_str(), nullptr, kOverlay);
    // Above the help and the palette, too: feedback for an action must be visible.
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    const std::string times =
        t.message.repeats > 1 ? fmt::format("  ({} times)", t.message.repeats) : std::string();
    const float lines = std::floor(0.2f * c.layout.view.size().y / ImGui::GetTextLineHeight());
    const std::string words = t.message.text + times;
    const std::string shown = c.in_sheet() ? first_lines(words, width - 2.0f * c.em,
                                                         static_cast<std::size_t>(std::max(2.0f, lines)))
                                           : on_lines(words, width - 2.0f * c.em);
    ImGui::TextUnformatted(shown.c_str());
    c.mark(fmt::format("toast.{}", t.message.number));
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRectFullScreen();
    list.AddRectFilled(at, {at.x + std::round(0.3f * c.em), at.y + size.y}, pack(color.with_alpha(alpha)),
                       3.0f);
    list.PopClipRect();
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) t.born_s = -1e9;
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
    return size.y;
}

bool answers(const std::string& query, std::string_view a, std::string_view b) {
    if (query.empty()) return true;
    return fuzzy_score(query, fmt::format("{} {}", a, b)).has_value();
}

/// A row of the help page: the keys left, their effect right.
void help_row(const PanelContext& c, std::string_view keys, std::string_view text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushFont(c.fonts.medium);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(keys.data(), keys.data() + keys.size());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(0.0f);
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(viz::mix(c.colors.text_dim, c.colors.text, 0.5f)));
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
}

bool begin_help_table(const char* id, float key_share) {
    if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings))
        return false;
    ImGui::TableSetupColumn("keys", 0, key_share);
    ImGui::TableSetupColumn("text", 0, 1.0f - key_share);
    return true;
}

/// False if nothing answers the search; likewise `help_commands`.
bool help_keys(const PanelContext& c) {
    const std::string& query = c.state.help_search;
    bool any = false;
    using Row = std::pair<std::string, std::string_view>;  // keys, what they do
    const auto table = [&](const char* title, std::vector<Row> rows) {
        std::erase_if(rows, [&](const Row& row) { return !answers(query, row.first, row.second); });
        if (rows.empty()) return;
        any = true;
        subheading(c, title);
        c.mark(fmt::format("help.{}", title));
        if (!begin_help_table(title, 0.42f)) return;
        for (const auto& [keys, help] : rows)
            help_row(c, keys, help);
        ImGui::EndTable();
    };
    const auto gestures = [](std::span<const MouseGesture> all) {
        std::vector<Row> rows;
        for (const MouseGesture& g : all)
            rows.emplace_back(g.gesture, g.help);
        return rows;
    };
    if (platform::in_browser()) table("Touch", gestures(touch_gestures()));
    table("Mouse", gestures(mouse_gestures()));
    std::vector<Row> rows;
    std::string keys;
    const auto all = command_table().shortcuts();
    for (std::size_t i = 0; i < all.size(); ++i) {
        // Neighbors in the table that do the same share a row.
        keys += (keys.empty() ? "" : "  ") + std::string(all[i].keys);
        if (i + 1 < all.size() && all[i + 1].line == all[i].line) continue;
        rows.emplace_back(std::exchange(keys, {}), all[i].help);
    }
    table("Keys", std::move(rows));
    return any;
}

bool help_commands(const PanelContext& c) {
    std::string_view category;
    bool table = false, any = false;
    for (const CommandSpec& spec : command_table().rows()) {
        const std::string usage = fmt::format("{} {}", spec.id, spec.usage);
        if (!answers(c.state.help_search, usage, spec.help)) continue;
        any = true;
        if (spec.category != category) {
            if (table) ImGui::EndTable();
            category = spec.category;
            subheading(c, fmt::format("Commands: {}", category));
            table = begin_help_table(std::string(category).c_str(), 0.47f);
        }
        if (table) help_row(c, usage, spec.help);
    }
    if (table) ImGui::EndTable();
    return any;
}

}  // namespace

void scene_card(const PanelContext& c) {
    const SceneSpec* spec = find_scene(c.results().scene_id);
    const float view_width = c.layout.view.size().x;
    const bool panels = !c.layout.menu.is_empty() || c.layout.arrangement == Arrangement::Knobs;
    if (!spec || view_width < 14.0f * c.em || !panels) return;
    // In a small view it would hide the scene, so there it opens only on request.
    const bool small = c.layout.arrangement != Arrangement::Around && c.layout.view.size().y < 30.0f * c.em;
    bool& open = small ? c.state.description_open_small : c.state.description_open;
    // Wide and low: the middle of the view belongs to the scene.
    const float margin = std::round(0.8f * c.em);
    const float width = std::min(view_width - 2.0f * margin, 52.0f * c.em);
    const auto height_of = [&](ImFont* font, std::string_view text) {
        if (text.empty()) return 0.0f;
        return font
            ->CalcTextSizeA(font->FontSize, FLT_MAX, width - 1.8f * c.em, text.data(),
                            text.data() + text.size())
            .y;
    };
    // While stepping, the card shows the step's sentence.
    const WalkView* walk = c.results().walk ? &*c.results().walk : nullptr;
    const bool stepping = walk && walk->number > 0;
    const std::string_view summary = stepping ? std::string_view() : spec->summary;
    // In a small view the text would cover the scene: only the title stays.
    constexpr float kMaxOfView = 0.4f;
    const float available = kMaxOfView * c.layout.view.size().y - 4.0f * c.em;
    const float sentence_height =
        walk ? height_of(c.fonts.regular, walk->algorithm) + height_of(c.fonts.reading, walk->sentence)
             : 0.0f;
    const bool shows_sentence = walk && !walk->sentence.empty() && sentence_height < available;
    const bool fits =
        !summary.empty() &&
        height_of(c.fonts.regular, summary) + (shows_sentence ? sentence_height : 0.0f) < available;
    const bool shown = open && fits;
    if (c.layout.view.size().y < 6.0f * c.em) return;
    ImGui::SetNextWindowPos({c.layout.view.min.x + margin, c.layout.view.min.y + margin});
    // A small window has its lists behind tabs: the way to the lessons must be seen before one is opened.
    const bool offers_lessons = c.in_sheet() && c.layout.sheet == Sheet::None &&
                                c.settings()[kLessonsDone].empty() && spec == &scene_specs().front();
    const float narrowest = shown || shows_sentence ? width
                            : offers_lessons        ? std::min(width, 20.0f * c.em)
                                                    : 0.0f;
    ImGui::SetNextWindowSizeConstraints({narrowest, 0.0f}, {width, 60.0f * c.em});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.9f * c.em, 0.6f * c.em});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec4(c.colors.panel.with_alpha(0.86f)));
    ImGui::Begin("##scene.card", nullptr, kOverlay);
    ImGui::PushFont(c.fonts.title);
    ImGui::TextUnformatted(spec->title.data(), spec->title.data() + spec->title.size());
    ImGui::PopFont();
    if (ImGui::IsItemClicked()) open = !open;
    if (fits) tooltip(shown ? "Click to fold" : "Click to read what this scene shows");
    c.mark("scene.card");
    if (!fits) tooltip(spec->summary);
    const auto write = [&](ImFont* font, render::Color color, std::string_view text) {
        ImGui::PushFont(font);
        ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
        paragraph(text, width - 0.9f * c.em);
        ImGui::PopStyleColor();
        ImGui::PopFont();
    };
    if (shown) write(c.fonts.regular, viz::mix(c.colors.text_dim, c.colors.text, 0.45f), summary);
    if (shows_sentence) {
        const std::string heading = walk->heading_below(spec->title);
        if (!heading.empty()) write(c.fonts.regular, c.colors.text_dim, heading);
        write(c.fonts.reading, c.colors.text, walk->sentence);
        c.mark("scene.sentence");
    }
    if (offers_lessons) begin_button(c);
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    c.state.scene_card = {{min.x, min.y}, {min.x + size.x, min.y + size.y}};
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

void complain(const PanelContext& c, std::string text) {
    constexpr std::uint64_t kOwnNumber = 0;  // the session's messages count from 1
    std::erase_if(c.state.toasts, [](const UiState::Toast& t) { return t.message.number == kOwnNumber; });
    Message message;
    message.severity = Severity::Error;
    message.text = std::move(text);
    message.number = kOwnNumber;
    c.state.toasts.push_back({std::move(message), c.state.clock_s});
}

void toasts(const PanelContext& c) {
    take_new_messages(c);
    const float margin = std::round(0.8f * c.em);
    const Rect& view = c.layout.view;
    const float available = view.size().x - 2.0f * margin;
    const float width = c.in_sheet() ? std::min(40.0f * c.em, available) : std::min(26.0f * c.em, available);
    if (width < 6.0f * c.em) return;
    ImVec2 corner{view.max.x - margin, view.max.y - margin};
    for (auto t = c.state.toasts.rbegin(); t != c.state.toasts.rend(); ++t)
        corner.y -= toast(c, *t, corner, width) + 0.4f * c.em;
}

void help_page(const PanelContext& c) {
    if (!c.settings()[kUiHelp]) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::min(64.0f * c.em, display.x - 2.0f * c.em),
                      std::min(42.0f * c.em, display.y - 3.0f * c.em)};
    ImGui::SetNextWindowPos({0.5f * display.x, 0.5f * display.y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1.4f * c.em, 1.0f * c.em});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
    ImGui::Begin("##help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    ImGui::PushFont(c.fonts.title);
    ImGui::TextUnformatted("Keys, mouse and commands");
    ImGui::PopFont();
    c.mark("help.title");
    ImGui::SameLine(size.x - 1.4f * c.em - ImGui::GetFrameHeight());
    if (icon_button(c, Icon::Close, "help.close", "Close (F1)")) c.push(set_line(kUiHelp, "off"));
    search_field(c, "##help.search", "Search keys and commands", c.state.help_search);
    ImGui::BeginChild("help.body", {0.0f, 0.0f}, false);
    const bool wide = size.x > 44.0f * c.em;
    bool any = false;
    if (ImGui::BeginTable("help.columns", wide ? 2 : 1,
                          ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoSavedSettings)) {
        ImGui::TableSetupColumn("left", 0, 0.42f);
        if (wide) ImGui::TableSetupColumn("right", 0, 0.58f);
        ImGui::TableNextColumn();
        any = help_keys(c);
        ImGui::TableNextColumn();
        any |= help_commands(c);
        ImGui::EndTable();
    }
    if (!any) {
        note(c, "Nothing matches. Try fewer letters.");
        c.mark("help.nothing");
    }
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace lab::panels
