// The list of a tree's worst nodes: by which measure, how bad, and for how long.
#include <fmt/format.h>

#include <algorithm>

#include "io/text/counted.hpp"
#include "panels/widgets/paragraph.hpp"
#include "panels/widgets/widgets.hpp"
#include "view/node_ranking.hpp"

namespace lab::panels {
namespace {

constexpr std::size_t kListed = 10;

struct Since {
    std::string text, command, help;
};

Since since_in_capture(const PanelContext& c, const CapturedNodes& captured, std::uint32_t node) {
    const auto& film = c.results().film;
    if (!captured.since || !film) return {"-", "", "The capture is still being examined"};
    const auto place = captured.since(node);
    if (!place || *place >= film->numbers->size()) return {"-", "", "Its history is unknown"};
    const std::string frame = std::to_string((*film->numbers)[*place]);
    return {fmt::format("frame {}", frame),
            set_line(*film->playing, "false") + "; " + set_line(*film->frame, frame),
            "Go to the frame in which it got its subtree"};
}

/// From the stepper's own record of the tree if there is one, otherwise from what was observed of it.
Since since_of(const PanelContext& c, const std::string& id, const bv::TreeSnapshot& tree,
               std::uint32_t node) {
    const std::uint32_t source = tree.source_nodes[node];
    const auto& history = c.results().tree_history;
    if (history && history->tree == id) {
        const NodeChange change = source < history->nodes.size() ? history->nodes[source] : NodeChange{};
        if (change.step == 0) return {"the start", "", "It was like this before the first build step"};
        return {fmt::format("build step {}, {}", io::grouped(change.step), change.operation),
                fmt::format("step.goto {}", change.step), "Show the step that gave it its children"};
    }
    for (const CapturedNodes& captured : c.results().captured_nodes)
        if (captured.tree == id) return since_in_capture(c, captured, node);
    const auto age = c.state.ages.of(id, source);
    if (!age) return {"-", "", "Its history is unknown"};
    if (age->operation.empty())
        return {fmt::format("before step {}", io::grouped(age->step + 1)), "",
                "It has had its children since it was first observed"};
    return {fmt::format("step {}, {}", io::grouped(age->step), age->operation),
            fmt::format("pause on; time.goto {}", age->step),
            "Go back to the step that gave it its children"};
}

}  // namespace

void worst_node_list(const PanelContext& c, const std::string& id, const bv::TreeSnapshot& tree) {
    setting_editor(c, kUiWorstBy);
    const NodeMeasure measure = c.settings()[kUiWorstBy];
    const std::vector<RankedNode> worst = rank_nodes(tree, measure, kListed);
    if (worst.empty()) {
        note(c, "No node is bad by this measure.");
        return;
    }
    // Nodes and values are as wide as their texts; the last column wraps in the rest.
    const ImGuiTableFlags flags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    if (!ImGui::BeginTable("worst", 3, flags)) return;
    ImGui::TableSetupColumn("Worst nodes");
    ImGui::TableSetupColumn("Value");
    ImGui::TableSetupColumn("Since", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    for (std::size_t i = 0; i < worst.size(); ++i) {
        const std::uint32_t node = worst[i].node;
        ImGui::PushID(static_cast<int>(i));
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const bool chosen = c.results().selected_node && c.results().selected_node->tree == id &&
                            c.results().selected_node->node == node;
        const std::string name =
            fmt::format("{}. {} {}, depth {}", i + 1, tree.is_leaf(node) ? "leaf" : "node",
                        shown_number(c, id, tree, node), tree.depths[node]);
        if (ImGui::Selectable((name + "###node").c_str(), chosen))
            c.push(fmt::format("select.node {} {}", quote_word(id), node));
        if (ImGui::IsItemHovered()) c.state.pointed = {id, node};
        tooltip("Select this node");
        c.mark(fmt::format("worst.node.{}", i));
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(measure_text(measure, worst[i].value).c_str());
        ImGui::TableNextColumn();
        const Since since = since_of(c, id, tree, node);
        const std::string words = on_lines(since.text, ImGui::GetContentRegionAvail().x);
        if (since.command.empty()) {
            ImGui::TextUnformatted(words.c_str());
        } else if (ImGui::Selectable((words + "###since").c_str())) {
            for (std::string& line : split_lines(since.command))
                c.push(std::move(line));
        }
        tooltip(since.help);
        c.mark(fmt::format("worst.since.{}", i));
        ImGui::PopID();
    }
    ImGui::EndTable();
}

}  // namespace lab::panels
