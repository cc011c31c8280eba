// The inspector for a node of a tree and for a pinned ray.
#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "bv/tree/metrics.hpp"
#include "panels/widgets/widgets.hpp"
#include "viz/colors/node_colors.hpp"

namespace lab::panels {
namespace {

using bv::TreeSnapshot;

const TreeSnapshot* tree_of(const PanelContext& c, const TreeNodeRef& ref) {
    const TreeSnapshot* tree = find_tree(c.results().trees, ref.tree);
    return tree && ref.node < tree->size() ? tree : nullptr;
}

/// Number of leaves in the subtree; relies on children following their parents in the array.
std::uint32_t leaves_below(const TreeSnapshot& tree, std::uint32_t root) {
    std::vector<bool> inside(tree.size(), false);
    std::uint32_t leaves = 0;
    for (std::uint32_t node = root; node < tree.size(); ++node) {
        inside[node] = node == root || (node > 0 && inside[tree.parents[node]]);
        if (inside[node] && tree.is_leaf(node)) ++leaves;
    }
    return leaves;
}

std::string body_name(const PanelContext& c, std::uint64_t payload) {
    for (const BodyState& body : c.results().bodies)
        if (body.id.value == payload) return body.name;
    return fmt::format("item {}", payload);
}

void link(const PanelContext& c, const TreeNodeRef& ref, const TreeSnapshot& tree, std::uint32_t node,
          std::string_view what) {
    ImGui::PushID(static_cast<int>(node));
    swatch(c, c.palette.role(tree.is_leaf(node) ? Role::TreeLeaf : Role::TreeNode));
    const std::string content =
        tree.is_leaf(node) ? "leaf" : fmt::format("{} leaves", grouped(leaves_below(tree, node)));
    if (ImGui::Selectable(
            fmt::format("{}: node {}, {}", what, shown_number(c, ref.tree, tree, node), content).c_str()))
        c.push(fmt::format("select.node {} {}", quote_word(ref.tree), node));
    c.mark(fmt::format("node.link.{}", node));
    ImGui::PopID();
}

void node_actions(const PanelContext& c) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - 2.0f * gap) / 3.0f;
    if (button(c, "Frame", "node.frame", {width, 0})) c.push("camera.frame");
    ImGui::SameLine();
    if (button(c, "Parent", "node.parent", {width, 0})) c.push("select.parent");
    ImGui::SameLine();
    const bool isolated = c.results().isolated_node.has_value();
    if (button(c, isolated ? "Whole tree" : "Isolate", "node.isolate", {width, 0})) c.push("tree.isolate");
}

}  // namespace

void node_inspector(const PanelContext& c) {
    const TreeNodeRef& ref = *c.results().selected_node;
    const TreeSnapshot* tree = tree_of(c, ref);
    if (!tree) return;
    const std::uint32_t node = ref.node;
    const bv::Aabb& box = tree->boxes[node];
    const bool leaf = tree->is_leaf(node);
    ImGui::PushFont(c.fonts.title);
    ImGui::TextUnformatted(
        fmt::format("{} {} of {}", leaf ? "Leaf" : "Node", shown_number(c, ref.tree, *tree, node), ref.tree)
            .c_str());
    ImGui::PopFont();
    c.mark(fmt::format("selection.node.{}", node));
    value_row(c, "Depth", std::to_string(tree->depths[node]));
    if (!leaf) value_row(c, "Leaves below", grouped(leaves_below(*tree, node)));
    const glm::vec3 size = box.size();
    value_row(c, "Size, m", fmt::format("{:.2f}  {:.2f}  {:.2f}", size.x, size.y, size.z));
    value_row(c, "Surface",
              fmt::format("{} m\xc2\xb2", short_number(static_cast<double>(box.surface_area()))));
    value_row(c, "Surface / root's",
              fmt::format("{:.1f} %", 100.0 * static_cast<double>(viz::area_share(*tree, node))));
    if (!leaf) {
        value_row(c, "Sibling overlap", fmt::format("{:.1f} %", 100.0 * bv::sibling_overlap(*tree, node)));
        value_row(c, "Dead space", fmt::format("{:.1f} %", 100.0 * bv::dead_space(*tree, node)));
    }
    if (node > 0) link(c, ref, *tree, tree->parents[node], "Parent");
    for (std::uint32_t i = 0; i < std::min(tree->child_count[node], 8u); ++i)
        link(c, ref, *tree, tree->first_child[node] + i, "Child");
    for (std::uint32_t i = 0; leaf && ref.tree == "bodies" && i < std::min(tree->payload_count[node], 8u);
         ++i)
        value_row(c, i == 0 ? "Contains" : "", body_name(c, tree->payloads[tree->first_payload[node] + i]));
    ImGui::Spacing();
    node_actions(c);
    ImGui::Spacing();
}

void ray_inspector(const PanelContext& c) {
    const std::uint32_t number = *c.results().selected_ray;
    std::uint32_t at = 0;
    for (const RayQuery& query : c.results().rays) {
        if (query.kind != RayQuery::Kind::Pinned || at++ != number) continue;
        ImGui::PushFont(c.fonts.title);
        ImGui::TextUnformatted(fmt::format("Pinned ray {}", number).c_str());
        ImGui::PopFont();
        c.mark(fmt::format("selection.ray.{}", number));
        const auto place = [](const glm::vec3& v) {
            return fmt::format("{:.2f}  {:.2f}  {:.2f}", v.x, v.y, v.z);
        };
        value_row(c, "Origin, m", place(query.ray.origin));
        value_row(c, "Direction", place(query.ray.direction));
        value_row(c, "Hits", query.hit ? body_name(c, query.body.value) : "nothing");
        if (query.hit) {
            value_row(c, "Distance", fmt::format("{:.2f} m", query.t * glm::length(query.ray.direction)));
            value_row(c, "Triangle", grouped(query.triangle));
        }
        value_row(c, "Nodes visited", grouped(query.counters.visited));
        value_row(c, "Tests", grouped(query.counters.tested));
        value_row(c, "By brute force", grouped(query.counters.brute_force_tested));
        if (button(c, "Remove", "ray.remove")) c.push(fmt::format("ray.remove {}", number));
        ImGui::Spacing();
    }
}

}  // namespace lab::panels
