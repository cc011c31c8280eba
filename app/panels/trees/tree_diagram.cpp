// The whole tree as a diagram below its boxes in the view, in the same colors: stacked bars, or nodes and
// links. The mouse over a node marks its box in the view; a click selects it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bv/tree/metrics.hpp"
#include "panels/trees/tree_layout.hpp"
#include "panels/widgets/choice_list.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/draw.hpp"
#include "viz/colors/node_colors.hpp"
#include "world/world.hpp"

namespace lab::panels {
namespace {

using bv::TreeSnapshot;

/// One tree in one rectangle of the screen.
struct Diagram {
    const PanelContext& c;
    const std::string& id;
    const TreeSnapshot& tree;
    TreeLayout layout;
    viz::NodeColors colors;
    ImVec2 at, size;
    float row;  // height of a level

    [[nodiscard]] float x(float share) const {
        return at.x + (share - c.state.diagram.offset.x) * c.state.diagram.zoom * size.x;
    }
    [[nodiscard]] float y(std::uint32_t depth) const {
        const float whole = row * static_cast<float>(layout.depth + 1);
        return at.y + static_cast<float>(depth) * row - c.state.diagram.offset.y * whole;
    }
    [[nodiscard]] ImVec2 middle(std::uint32_t node) const {
        return {x(0.5f * (layout.left[node] + layout.right[node])), y(tree.depths[node]) + 0.5f * row};
    }
};

const std::pair<std::string, TreeSnapshot>* chosen_tree(const PanelContext& c) {
    const auto& trees = c.results().trees;
    const std::pair<std::string, TreeSnapshot>* first = nullptr;
    for (const auto& tree : trees) {
        if (tree.first == c.state.diagram.tree && !tree.second.empty()) return &tree;
        // Prefer the stepper's tree, if there is one.
        const bool stepped = tree.first == c.results().marked_nodes.tree;
        if ((!first || stepped) && !tree.second.empty()) first = &tree;
    }
    return first;
}

/// Zooms about the mouse, pans by dragging, and shows the whole tree on a double click.
void look_around(Diagram& d) {
    DiagramView& view = d.c.state.diagram;
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered() && io.MouseWheel != 0.0f) {
        const float before = view.zoom;
        view.zoom = std::clamp(view.zoom * std::pow(1.25f, io.MouseWheel), 1.0f, 2000.0f);
        const float mouse = (io.MousePos.x - d.at.x) / d.size.x;
        view.offset.x += mouse / before - mouse / view.zoom;
        d.row *= view.zoom / before;
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
        view.offset.x -= io.MouseDelta.x / (view.zoom * d.size.x);
        view.offset.y -= io.MouseDelta.y / (d.row * static_cast<float>(d.layout.depth + 1));
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) view.zoom = 1.0f;
    const float rows = d.row * static_cast<float>(d.layout.depth + 1);
    view.offset.x = std::clamp(view.offset.x, 0.0f, 1.0f - 1.0f / view.zoom);
    view.offset.y = std::clamp(view.offset.y, 0.0f, std::max(0.0f, 1.0f - d.size.y / rows));
}

/// Nodes that are narrower than a pixel are drawn once for each pixel and level.
template <class Draw>
void each_visible(const Diagram& d, Draw&& draw) {
    std::vector<float> last(d.layout.depth + 1, -1e9f);
    for (std::uint32_t node = 0; node < d.tree.size(); ++node) {
        const float left = d.x(d.layout.left[node]);
        const float right = d.x(d.layout.right[node]);
        const float top = d.y(d.tree.depths[node]);
        if (right < d.at.x || left > d.at.x + d.size.x || top + d.row < d.at.y || top > d.at.y + d.size.y)
            continue;
        float& before = last[d.tree.depths[node]];
        if (right < before + 1.0f) continue;
        before = std::max(right, before);
        draw(node, left, std::max(right, left + 1.0f), top);
    }
}

void draw_bars(const Diagram& d, ImDrawList& list) {
    const float gap = d.row > 4.0f ? 1.0f : 0.0f;
    each_visible(d, [&](std::uint32_t node, float left, float right, float top) {
        const float end = right - left > 3.0f ? right - 1.0f : right;
        list.AddRectFilled({left, top}, {end, top + std::max(1.0f, d.row - gap)}, pack(d.colors(node)));
    });
}

void draw_links(const Diagram& d, ImDrawList& list) {
    const ImU32 link = pack(d.c.colors.text_dim.with_alpha(0.6f));
    const float radius = std::clamp(0.3f * d.row, 1.5f, 0.45f * d.c.em);
    each_visible(d, [&](std::uint32_t node, float, float, float) {
        if (node > 0) list.AddLine(d.middle(d.tree.parents[node]), d.middle(node), link, 1.0f);
    });
    each_visible(d, [&](std::uint32_t node, float, float, float) {
        if (d.tree.is_leaf(node)) {
            const ImVec2 m = d.middle(node);
            list.AddRectFilled({m.x - 0.8f * radius, m.y - 0.8f * radius},
                               {m.x + 0.8f * radius, m.y + 0.8f * radius}, pack(d.colors(node)));
        } else {
            list.AddCircleFilled(d.middle(node), radius, pack(d.colors(node)), 16);
        }
    });
}

void outline(const Diagram& d, ImDrawList& list, std::uint32_t node, render::Color color, float width) {
    if (d.c.state.diagram.links) {
        list.AddCircle(d.middle(node), std::clamp(0.3f * d.row, 1.5f, 0.45f * d.c.em) + 2.0f, pack(color), 16,
                       width);
        return;
    }
    const float left = d.x(d.layout.left[node]);
    const float right = std::max(left + 2.0f, d.x(d.layout.right[node]));
    const float top = d.y(d.tree.depths[node]);
    list.AddRect({left, top}, {right, top + std::max(2.0f, d.row)}, pack(color), 0.0f, 0, width);
}

void outline_path(const Diagram& d, ImDrawList& list, std::uint32_t from) {
    for (std::uint32_t node = from; node != TreeSnapshot::kNone; node = d.tree.parents[node])
        outline(d, list, node, d.c.palette.role(Role::Selected), node == from ? 3.0f : 1.5f);
}

bool selected_here(const Diagram& d) {
    const auto& selected = d.c.results().selected_node;
    return selected && selected->tree == d.id && selected->node < d.tree.size();
}

/// The nodes of the current step with their numbers, in the colors of the view.
void draw_step_marks(const Diagram& d, ImDrawList& list) {
    const MarkedNodes& marked = d.c.results().marked_nodes;
    if (marked.nodes.empty() || marked.tree != d.id) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // by source number
    for (std::uint32_t node = 0; node < d.tree.size(); ++node)
        places.emplace_back(d.tree.source_nodes[node], node);
    std::sort(places.begin(), places.end());
    const auto place_of = [&](const MarkedNode& mark) {
        const auto at = std::lower_bound(places.begin(), places.end(), std::pair(mark.source, 0u));
        return at == places.end() || at->first != mark.source ? TreeSnapshot::kNone : at->second;
    };
    for (const MarkedNode& mark : marked.nodes)
        if (const std::uint32_t node = place_of(mark); node != TreeSnapshot::kNone)
            outline(d, list, node, d.c.palette.role(mark.role), 2.5f);
    // The most important ones come last: their numbers get their places first.
    std::vector<std::pair<ImVec2, ImVec2>> taken;
    for (auto mark = marked.nodes.rbegin(); mark != marked.nodes.rend(); ++mark) {
        const std::uint32_t node = place_of(*mark);
        if (node == TreeSnapshot::kNone) continue;
        const std::string number = fmt::format("{}", mark->source);
        const ImVec2 size = ImGui::CalcTextSize(number.c_str()), m = d.middle(node);
        const ImVec2 low{m.x - 0.5f * size.x - 2.0f, m.y - 0.5f * size.y};
        const ImVec2 high{low.x + size.x + 4.0f, low.y + size.y};
        if (std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
                return other.first.x < high.x && low.x < other.second.x && other.first.y < high.y &&
                       low.y < other.second.y;
            }))
            continue;
        taken.emplace_back(low, high);
        list.AddRectFilled(low, high, pack(d.c.palette.background_bottom), 3.0f);
        list.AddText({low.x + 2.0f, low.y}, pack(d.c.palette.role(mark->role)), number.c_str());
    }
}

/// The path from the selected node, or the selected body's leaf, to the root, and the nodes that the ray
/// visited.
void draw_marks(const Diagram& d, ImDrawList& list) {
    draw_step_marks(d, list);
    const bool here = selected_here(d);
    if (here) outline_path(d, list, d.c.results().selected_node->node);
    if (d.id != "bodies") return;
    if (!d.c.results().rays.empty() && !d.c.results().rays.front().visited_nodes.empty()) {
        std::vector<std::uint32_t> visited = d.c.results().rays.front().visited_nodes;
        std::sort(visited.begin(), visited.end());
        for (std::uint32_t node = 0; node < d.tree.size(); ++node) {
            if (std::binary_search(visited.begin(), visited.end(), d.tree.source_nodes[node])) {
                outline(d, list, node, d.c.palette.role(Role::Ray), 1.5f);
            }
        }
    }
    const BodyState* body = d.c.selected_body();
    if (body && !here) outline_path(d, list, leaf_of(d.tree, body->id.value));
}

/// For scripted sessions: the rectangles of the selected node and of all nodes large enough to click.
void mark_nodes(const Diagram& d) {
    constexpr std::uint32_t kMaxMarked = 64;
    const auto mark = [&](const char* what, std::uint32_t node) {
        const ImVec2 at = d.middle(node);
        d.c.widgets.push_back(
            {fmt::format("tree.{}.{}", what, node), {{at.x - 2, at.y - 2}, {at.x + 2, at.y + 2}}});
    };
    if (selected_here(d)) mark("selected", d.c.results().selected_node->node);
    for (std::uint32_t node = 0; node < std::min<std::size_t>(d.tree.size(), kMaxMarked); ++node) {
        const ImVec2 at = d.middle(node);
        if (d.x(d.layout.right[node]) - d.x(d.layout.left[node]) < 6.0f || at.x < d.at.x ||
            at.x > d.at.x + d.size.x || at.y < d.at.y || at.y > d.at.y + d.size.y)
            continue;
        mark("node", node);
    }
}

/// The names of the bodies in a leaf: one, or the up to eight of a wide tree's block.
std::string body_of_leaf(const Diagram& d, std::uint32_t node) {
    if (d.id != "bodies" || !d.tree.is_leaf(node)) return {};
    std::string names;
    for (std::uint32_t k = 0; k < d.tree.payload_count[node]; ++k) {
        const bv::BodyId id{static_cast<std::uint32_t>(d.tree.payloads[d.tree.first_payload[node] + k])};
        const Body* body = d.c.session.state.world.find(id);
        if (body) names += (names.empty() ? "" : ", ") + body->state.name.str();
    }
    return names;
}

std::string describe(const Diagram& d, std::uint32_t node) {
    const std::string body = body_of_leaf(d, node);
    std::string text = d.tree.is_leaf(node)
                           ? (body.empty() ? std::string("Leaf") : fmt::format("Leaf of {}", body))
                           : fmt::format("Node over {} leaves", grouped(d.layout.leaves[node]));
    text += fmt::format("\nDepth {}\n{:.1f} % of the root's surface", d.tree.depths[node],
                        100.0 * static_cast<double>(viz::area_share(d.tree, node)));
    if (!d.tree.is_leaf(node)) {
        text += fmt::format("\n{:.1f} % sibling overlap\n{:.1f} % dead space",
                            100.0 * bv::sibling_overlap(d.tree, node), 100.0 * bv::dead_space(d.tree, node));
    }
    return text;
}

void point_at(const Diagram& d, std::uint32_t node) {
    d.c.state.pointed = {d.id, node};
}

void draw_canvas(Diagram& d) {
    hit_area("tree.canvas", d.size);
    d.c.mark("tree.canvas");
    const bool hovered = ImGui::IsItemHovered();
    const bool clicked = hovered && ImGui::IsMouseReleased(0) && ImGui::GetMouseDragDelta(0).x == 0.0f;
    look_around(d);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(d.at, {d.at.x + d.size.x, d.at.y + d.size.y}, true);
    if (d.c.state.diagram.links)
        draw_links(d, list);
    else
        draw_bars(d, list);
    draw_marks(d, list);
    mark_nodes(d);
    if (hovered) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const float share =
            (mouse.x - d.at.x) / (d.c.state.diagram.zoom * d.size.x) + d.c.state.diagram.offset.x;
        const float level = (mouse.y - d.y(0)) / d.row;
        const std::uint32_t node = level < 0.0f
                                       ? TreeSnapshot::kNone
                                       : d.layout.node_at(d.tree, share, static_cast<std::uint32_t>(level));
        if (node != TreeSnapshot::kNone) {
            point_at(d, node);
            outline(d, list, node, d.c.palette.role(Role::Selected), 2.0f);
            tooltip(describe(d, node));
            if (clicked) d.c.push(fmt::format("select.node {} {}", quote_word(d.id), node));
        }
    }
    list.PopClipRect();
}

/// The row above the diagram: the choice of the tree and of how it is drawn.
void controls_row(const PanelContext& c, const std::string& id) {
    DiagramView& view = c.state.diagram;
    const auto& trees = c.results().trees;
    if (trees.size() > 1) {
        ImGui::SetNextItemWidth(10.0f * c.em);
        {
            ChoiceList list(c, "##tree", id);
            for (const auto& [other, tree] : trees)
                if (list.is_open() && !tree.empty() && list.row(other, other == id)) view.tree = other;
        }
        ImGui::SameLine();
    }
    if (button(c, view.links ? "Draw bars" : "Draw nodes and links", "tree.links")) view.links = !view.links;
}

}  // namespace

void tree_diagram(const PanelContext& c) {
    const auto* chosen = chosen_tree(c);
    if (!chosen) {
        note(c, "The tree is empty.");
        return;
    }
    const TreeColor mode = viz::tree_color(c.settings(), c.results());
    const viz::NodeScale scale = viz::node_scale(c.results().trees, mode);
    const float width = ImGui::GetContentRegionAvail().x;
    const float side = width > 30.0f * c.em ? std::max(15.0f * c.em, 0.5f * width) : 0.0f;
    if (side > 0.0f) {  // at the right, over all of the height
        ImGui::BeginChild("tree.left", {width - side - 0.8f * c.em, 0.0f}, false);
    }
    controls_row(c, chosen->first);
    const ImVec2 available = ImGui::GetContentRegionAvail();
    Diagram d{c,
              chosen->first,
              chosen->second,
              lay_out(chosen->second),
              viz::NodeColors(c.palette, mode, chosen->second, scale),
              ImGui::GetCursorScreenPos(),
              {std::max(available.x, 20.0f), std::max(available.y, 20.0f)},
              0.0f};
    d.row = std::min(1.8f * c.em, d.size.y / static_cast<float>(d.layout.depth + 1)) * c.state.diagram.zoom;
    d.row = std::min(d.row, 2.2f * c.em);
    draw_canvas(d);
    if (side <= 0.0f) return;
    ImGui::EndChild();
    ImGui::SameLine(0.0f, 0.8f * c.em);
    ImGui::BeginChild("tree.side", {0.0f, 0.0f}, false);
    worst_node_list(c, d.id, d.tree);
    ImGui::EndChild();
}

}  // namespace lab::panels
