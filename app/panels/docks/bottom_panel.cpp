// The bottom panel: costs in numbers and over time, and the tables of the scene.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/text/counted.hpp"
#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/draw.hpp"
#include "settings/volume_table.hpp"
#include "view/node_ranking.hpp"

namespace lab::panels {
namespace {

constexpr float kTabGap_em = 1.3f;

/// A tab of the strip; the active one is underlined in the accent color. True when clicked.
bool tab(const PanelContext& c, const std::string& label, bool chosen, std::string name) {
    ImGui::PushFont(chosen ? c.fonts.medium : c.fonts.regular);
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    const bool first = ImGui::GetCursorPosX() <= ImGui::GetStyle().WindowPadding.x + 1.0f;
    if (!first && size.x > ImGui::GetContentRegionAvail().x) ImGui::NewLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    const bool clicked = hit_area(name.c_str(), {size.x, height});
    const bool bright = chosen || ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText({at.x, at.y + 0.5f * (height - size.y)}, pack(bright ? c.colors.text : c.colors.text_dim),
                 label.c_str());
    if (chosen)
        list.AddRectFilled({at.x, at.y + height - 2.0f}, {at.x + size.x, at.y + height},
                           pack(c.colors.accent));
    ImGui::PopFont();
    c.mark(std::move(name));
    ImGui::SameLine(0.0f, kTabGap_em * c.em);
    return clicked;
}

void heading(const PanelContext& c, std::string_view text) {
    ImGui::PushFont(c.fonts.medium);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopFont();
}

void frame_card(const PanelContext& c) {
    const TimingsMs& t = c.results().timings_ms;
    heading(c, fmt::format("Frame  {:.2f} ms", total_ms(t)));
    // The parts lie side by side in one bar, so their colors must be far apart.
    const auto part = [&](std::string_view name, double ms, Role role) {
        return BarPart{name, ms, c.palette.role(role)};
    };
    const std::array all = {
        part("motion", t.motion, Role::Muted),          part("refit", t.refit, Role::ProjectionA),
        part("broad", t.broadphase, Role::ProjectionB), part("narrow", t.narrowphase, Role::Kdop),
        part("queries", t.queries, Role::Visited),      part("draw", t.viz + t.render, Role::Normal),
        part("verify", t.verify, Role::AabbFixed)};
    const std::span parts(all.data(), c.results().checks.enabled ? all.size() : all.size() - 1);
    stacked_bar(c, parts, {ImGui::GetContentRegionAvail().x, std::round(0.7f * c.em)});
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {std::round(0.35f * c.em), std::round(0.1f * c.em)});
    if (ImGui::BeginTable("times", 2, ImGuiTableFlags_SizingStretchSame)) {
        for (const BarPart& each : parts) {
            ImGui::TableNextColumn();
            swatch(c, each.color);
            value_row(c, each.label, fmt::format("{:.2f}", each.value));
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
}

/// One stage of the funnel: a bar whose length is its share of the first stage.
void funnel_bar(const PanelContext& c, std::string_view label, std::size_t count, std::size_t first,
                render::Color color) {
    value_row(c, label, grouped(count));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = std::max(3.0f, std::round(0.3f * c.em));
    const float share = first == 0 ? 0.0f : static_cast<float>(count) / static_cast<float>(first);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, pack(c.colors.sunken), 2.0f);
    if (count > 0)
        list.AddRectFilled(at, {at.x + std::max(2.0f, width * std::min(share, 1.0f)), at.y + height},
                           pack(color), 2.0f);
    ImGui::Dummy({width, height});
}

void pairs_card(const PanelContext& c) {
    const PairStages& pairs = c.results().pairs;
    const std::size_t n = c.results().bodies.size();
    heading(c, fmt::format("Pairs of {} {}", grouped(n), io::plural(n, "body", "bodies")));
    funnel_bar(c, "Boxes overlap", pairs.broad_count(), pairs.broad_count(), c.palette.role(Role::TreeLeaf));
    funnel_bar(c, "Volumes overlap", pairs.volume.size(), pairs.broad_count(),
               c.palette.role(Role::Touching));
    if (pairs.exact_tested) {
        funnel_bar(c, "Meshes overlap", pairs.exact.size(), pairs.broad_count(), c.palette.role(Role::Hit));
    }
    value_row(c, "Boxes tested", grouped(c.results().broadphase.tests));
    value_row(c, "By brute force", grouped(n > 1 ? n * (n - 1) / 2 : 0));
}

/// The share of false alarms of each kind of volume.
void alarms_card(const PanelContext& c) {
    heading(c, "False alarms");
    for (const FalseAlarms& row : c.results().alarms) {
        swatch(c, c.palette.role(row.role));
        const auto* const spec =
            std::find_if(std::begin(kVolumeSpecs), std::end(kVolumeSpecs),
                         [&](const VolumeSpec& volume) { return volume.id == row.kind; });
        value_row(c, spec == std::end(kVolumeSpecs) ? std::string_view(row.kind) : spec->name,
                  row.passed == 0 ? std::string("none passed")
                                  : fmt::format("{} of {}, {:.0f} %", grouped(row.count()),
                                                grouped(row.passed), 100.0 * row.share()));
    }
    const NarrowCounts& counts = c.results().pairs.counts;
    const TimingsMs& t = c.results().timings_ms;
    if (counts.volume_tests > 0)
        value_row(c, "Volume tests",
                  fmt::format("{}, {:.2f} ms", grouped(counts.volume_tests), t.volume_tests));
    if (counts.exact_tests > 0)
        value_row(c, "Exact tests", fmt::format("{}, {:.2f} ms", grouped(counts.exact_tests), t.exact_tests));
}

/// A warning for a tree higher than twice the optimum, with a button that selects the worst node.
void tree_alarm(const PanelContext& c) {
    const TreeNumbers& t = c.state.history.tree;
    if (t.leaves <= 4 || t.height <= 2 * t.optimal_height) return;
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(c.colors.warning));
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(
        fmt::format("Height {}: more than twice the optimum of {}", t.height, t.optimal_height).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    c.mark("tree.alarm");
    const auto at = std::find_if(c.results().trees.begin(), c.results().trees.end(),
                                 [&](const auto& tree) { return tree.first == t.id; });
    if (at == c.results().trees.end() || !button(c, "Show the node", "tree.alarm.show")) return;
    const std::vector<RankedNode> worst = rank_nodes(at->second, NodeMeasure::Balance, 1);
    const std::uint32_t node = worst.empty() ? 0 : worst.front().node;
    c.state.held = {t.id, node};
    c.state.diagram.tree = t.id;
    c.state.bottom_tab = "tree";
    const glm::vec3 center = at->second.boxes[node].center();
    c.push(fmt::format("camera.target {} {} {}", center.x, center.y, center.z));
}

void tree_card(const PanelContext& c) {
    const TreeNumbers& t = c.state.history.tree;
    heading(c, t.id.empty() || t.id == "bodies" ? std::string("Tree") : "Tree: " + t.id);
    value_row(c, "Leaves, nodes", fmt::format("{}, {}", grouped(t.leaves), grouped(t.nodes)));
    value_row(c, "Height (optimum)", fmt::format("{} ({})", t.height, t.optimal_height));
    tree_alarm(c);  // next to the number that it explains, always visible
    value_row(c, "Area ratio", short_number(t.area_ratio));
    value_row(c, "SAH cost", short_number(t.sah));
}

bool is_asked_for(const RayQuery& ray) {
    return ray.kind != RayQuery::Kind::Hover;
}

/// The newest ray that was picked or pinned, or else the one of the mouse or of the sweep; null without rays.
const RayQuery* ray_of_card(const PanelContext& c) {
    const auto& rays = c.results().rays;
    const auto asked = std::find_if(rays.rbegin(), rays.rend(), is_asked_for);
    if (asked != rays.rend()) return &*asked;
    return rays.empty() ? nullptr : &rays.front();
}

void ray_card(const PanelContext& c) {
    heading(c, "Ray");
    const RayQuery* const shown = ray_of_card(c);
    if (!shown) {
        note(c, "No ray was cast. Move the mouse over the view to cast one.");
        return;
    }
    const RayQuery& ray = *shown;
    std::string hit = "nothing";
    for (const BodyState& body : c.results().bodies) {
        if (ray.hit && body.id == ray.body) hit = body.name;
    }
    value_row(c, "Hits", hit);
    if (ray.hit) value_row(c, "Distance", fmt::format("{:.2f} m", ray.t * glm::length(ray.ray.direction)));
    value_row(c, "Nodes visited", grouped(ray.counters.visited));
    value_row(c, "Tests", grouped(ray.counters.tested));
    value_row(c, "By brute force", grouped(ray.counters.brute_force_tested));
}

void checks_card(const PanelContext& c) {
    const Checks& checks = c.results().checks;
    heading(c, "Against brute force");
    value_row(c, "Pairs compared", grouped(checks.pairs_compared));
    value_row(c, "Rays compared", grouped(checks.rays_compared));
    const bool good = checks.differences.empty();
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(good ? c.colors.good : c.colors.error));
    ImGui::TextUnformatted(
        good ? "All agree" : io::counted(checks.differences.size(), "difference", "differences").c_str());
    ImGui::PopStyleColor();
}

struct Tab {
    std::string name;  ///< Stable, for UiState::bottom_tab and tests.
    std::string label;
    const Table* table = nullptr;
    std::string more = {};  ///< The title after its colon, which is too long for the strip.
};

Tab tab_of(const Table& table) {
    const std::string& title = table.title.empty() ? table.id : table.title;
    const std::size_t colon = title.find(": ");
    if (colon == std::string::npos) return {"table." + table.id, title, &table};
    return {"table." + table.id, title.substr(0, colon), &table, title.substr(colon + 2)};
}

/// The rest of the chosen tab's title: at the end of the strip, or on a line of its own.
void rest_of_title(const Tab& tab) {
    if (tab.more.empty()) return ImGui::NewLine();
    const float width = ImGui::CalcTextSize(tab.more.c_str()).x, available = ImGui::GetContentRegionAvail().x;
    if (width > available) ImGui::NewLine();
    const float x = ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width);
    ImGui::SetCursorPosX(width > available ? ImGui::GetCursorPosX() : x);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", tab.more.c_str());
}

/// The height of the strip, which has several lines in a narrow window.
float height_of(const PanelContext& c, const std::vector<Tab>& tabs) {
    const float available = ImGui::GetContentRegionAvail().x;
    float x = 0.0f, lines = 1.0f;
    for (const Tab& t : tabs) {
        const float width = ImGui::CalcTextSize(t.label.c_str()).x;
        if (x > 0.0f && x + width > available) {
            x = 0.0f;
            ++lines;
        }
        x += width + kTabGap_em * c.em;
    }
    return lines * ImGui::GetFrameHeightWithSpacing();
}

/// Shows the tabs in a strip or, where that would leave no room for their contents, as a list to choose from.
void choose_tab(const PanelContext& c, const std::vector<Tab>& tabs, std::string& chosen) {
    const auto here = std::find_if(tabs.begin(), tabs.end(), [&](const Tab& t) { return t.name == chosen; });
    constexpr float kLeast_em = 3.0f;
    const float strip = height_of(c, tabs), row = ImGui::GetFrameHeightWithSpacing();
    if (strip > row && ImGui::GetContentRegionAvail().y - strip < kLeast_em * c.em) {
        ImGui::SetNextItemWidth(std::min(20.0f * c.em, ImGui::GetContentRegionAvail().x));
        if (ImGui::BeginCombo("##tabs", here->label.c_str())) {
            for (const Tab& t : tabs) {
                if (ImGui::Selectable(t.label.c_str(), t.name == chosen)) chosen = t.name;
                tooltip(t.more);
                c.mark("tab." + t.name);
            }
            ImGui::EndCombo();
        }
        c.mark("tabs");
        return;
    }
    for (const Tab& t : tabs) {
        if (tab(c, t.label, t.name == chosen, "tab." + t.name)) chosen = t.name;
        tooltip(t.more);
    }
    rest_of_title(*std::find_if(tabs.begin(), tabs.end(), [&](const Tab& t) { return t.name == chosen; }));
}

bool has_tree(const PanelContext& c) {
    return !c.results().trees.empty() || c.results().broadphase.has_tree;
}

/// The scene's own tables come first: they are its subject.
std::vector<Tab> tabs_of(const PanelContext& c) {
    std::vector<Tab> tabs;
    for (const Table& table : c.results().tables)
        tabs.push_back(tab_of(table));
    if (c.results().curves) tabs.push_back({"curves", c.results().curves->title});
    tabs.push_back({"statistics", "Statistics"});
    if (c.results().before_after) tabs.push_back({"before_after", "Before and after"});
    if (has_tree(c)) tabs.push_back({"tree", "Tree"});
    tabs.push_back({"plots", "Over time"});
    const std::size_t messages = c.session.messages.messages().size();
    tabs.push_back(
        {"messages", messages == 0 ? std::string("Messages") : fmt::format("Messages  {}", messages)});
    return tabs;
}

}  // namespace

void statistics(const PanelContext& c) {
    const bool checks = c.results().checks.enabled;
    const bool bodies = !c.results().bodies.empty();
    const auto& all = c.results().rays;
    const bool shows_nodes = c.settings()[kDrawRayNodes] && !all.empty();
    const bool asked = shows_nodes || std::any_of(all.begin(), all.end(), is_asked_for);
    // The user asked for checks, and for rays that are picked or pinned or whose nodes are drawn, so their
    // cards stand in the first row.
    std::vector<void (*)(const PanelContext&)> cards = {frame_card};
    if (checks) cards.push_back(checks_card);
    if (asked) cards.push_back(ray_card);
    if (bodies) cards.push_back(pairs_card);
    if (!c.results().alarms.empty()) cards.push_back(alarms_card);
    if (has_tree(c)) cards.push_back(tree_card);
    if (!asked && (bodies || !all.empty())) cards.push_back(ray_card);
    // Cards are at least 11 em wide and wrap to the next row.
    const int columns = std::clamp(static_cast<int>(ImGui::GetContentRegionAvail().x / (11.0f * c.em)), 1,
                                   static_cast<int>(cards.size()));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        {ImGui::GetStyle().ItemSpacing.x, std::round(0.2f * c.em)});
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {std::round(0.7f * c.em), std::round(0.1f * c.em)});
    if (ImGui::BeginTable("cards", columns, ImGuiTableFlags_SizingStretchProp)) {
        // Times have two columns of their own.
        for (int i = 0; i < columns; ++i)
            ImGui::TableSetupColumn("", 0, i == 0 ? 1.4f : 1.0f);
        for (const auto card : cards) {
            ImGui::TableNextColumn();
            card(c);
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar(2);
}

void plots(const PanelContext& c) {
    const History& h = c.state.history;
    const auto& p = c.palette;
    tree_alarm(c);
    const ImVec2 available = ImGui::GetContentRegionAvail();
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const int columns = std::clamp(static_cast<int>(available.x / (11.0f * c.em)), 1, 4);
    const float width =
        std::floor((available.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    const ImVec2 size{width,
                      std::max(4.5f * c.em, columns == 4 ? available.y : std::max(available.y, 4.5f * c.em))};
    const std::array step = {PlotLine{h.step_ms, p.role(Role::ProjectionA), "step"}};
    const std::array pairs = {PlotLine{h.volume, p.role(Role::Touching), "volumes"},
                              PlotLine{h.broad, p.role(Role::TreeLeaf), "boxes"}};
    const std::array heights = {PlotLine{h.height, p.role(Role::ProjectionA), "now"},
                                PlotLine{h.optimal_height, p.role(Role::Muted), "optimum"},
                                PlotLine{h.alarm_height, c.colors.warning, "alarm"}};
    const std::array sah = {PlotLine{h.sah, p.role(Role::Plane), ""}};
    int drawn = 0;
    const auto place = [&] {
        if (drawn % columns != 0) ImGui::SameLine();
        ++drawn;
    };
    place();
    plot(c, "Time", step, " ms", size, Spikes::Cut);
    place();
    plot(c, "Pairs", pairs, "", size);
    place();
    plot(c, "Height", heights, "", size);
    place();
    plot(c, "SAH cost", sah, "", size);
}

void message_log(const PanelContext& c) {
    const auto& messages = c.session.messages.messages();
    if (messages.empty()) note(c, "Nothing to report.");
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        const render::Color color = message->severity == Severity::Error     ? c.colors.error
                                    : message->severity == Severity::Warning ? c.colors.warning
                                                                             : c.colors.text_dim;
        swatch(c, color);
        const std::string times =
            message->repeats > 1 ? fmt::format("  ({} times)", message->repeats) : std::string();
        paragraph(message->text + times);
    }
}

void bottom_panel(const PanelContext& c) {
    time_drawer(c);
    const std::vector<Tab> tabs = tabs_of(c);
    std::string& chosen = c.state.bottom_tab;
    const bool known = std::any_of(tabs.begin(), tabs.end(), [&](const Tab& t) { return t.name == chosen; });
    // A new scene opens on its own table, unless the user keeps the plots or the messages open across scenes.
    const bool new_scene = c.state.bottom_scene != c.results().scene_id;
    c.state.bottom_scene = c.results().scene_id;
    if (!known || (new_scene && chosen != "plots" && chosen != "messages" && chosen != "tree"))
        c.state.bottom_default = chosen = tabs.front().name;
    // A scene that is still processing its mesh gets its tables later.
    if (tabs.front().table && chosen == c.state.bottom_default && !chosen.starts_with("table."))
        c.state.bottom_default = chosen = tabs.front().name;
    // A table that the user has asked for comes to the front when it arrives.
    std::map<std::string, int, std::less<>> asked;
    for (const Table& table : c.results().tables) {
        if (table.asked == 0) continue;
        asked[table.id] = table.asked;
        const auto before = c.state.asked_before.find(table.id);
        if (before == c.state.asked_before.end() || before->second != table.asked)
            chosen = "table." + table.id;
    }
    c.state.asked_before = std::move(asked);
    // On the statistics tab, a change switches to its before-and-after view.
    const std::string change = c.results().before_after ? c.results().before_after->change : std::string();
    if (std::exchange(c.state.change_before, change) != change && !change.empty() && chosen == "statistics")
        chosen = "before_after";
    // While stepping, the table of steps comes before the scene's other tables. Tables that belong to a step,
    // like the queue of an insertion, follow it and stay.
    const std::size_t step = c.results().walk ? c.results().walk->number : 0;
    const auto steps = std::find_if(tabs.begin(), tabs.end(),
                                    [](const Tab& t) { return t.table && t.table->id == "steps"; });
    const auto here = std::find_if(tabs.begin(), tabs.end(), [&](const Tab& t) { return t.name == chosen; });
    if (std::exchange(c.state.step_before, step) != step && step != 0 && steps != tabs.end() &&
        here < steps && chosen.starts_with("table."))
        chosen = steps->name;
    choose_tab(c, tabs, chosen);
    ImGui::BeginChild("tab", {0.0f, 0.0f}, false);
    for (const Tab& t : tabs) {
        if (t.name != chosen) continue;
        if (t.table)
            result_table(c, *t.table);
        else if (t.name == "statistics")
            statistics(c);
        else if (t.name == "curves")
            curve_plots(c, *c.results().curves);
        else if (t.name == "plots")
            plots(c);
        else if (t.name == "before_after")
            before_after(c);
        else if (t.name == "tree")
            tree_diagram(c);
        else
            message_log(c);
    }
    ImGui::EndChild();
}

}  // namespace lab::panels
