// Selecting in the view, in the lists and in the diagrams of trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bv/query/raycast.hpp"
#include "session/sandbox.hpp"
#include "view/picking.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxPicks = 100;
/// How near to an edge of a node's box a click must be to mean it.
constexpr float kEdgeReachPx = 7.0f;

float distance_to_segment(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
    const glm::vec2 along = b - a;
    const float length_sq = glm::dot(along, along);
    const float s = length_sq > 0.0f ? std::clamp(glm::dot(p - a, along) / length_sq, 0.0f, 1.0f) : 0.0f;
    return glm::length(p - (a + s * along));
}

/// Distance on screen from a pixel to the nearest edge of a box whose corners are all before the eye.
float distance_to_edges(const Sandbox& sandbox, const bv::Aabb& box, glm::vec2 pixel) {
    glm::vec2 corners[8];
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                               (i & 4) ? box.max.z : box.min.z);
        const auto seen = sandbox.pixel_of(corner);
        if (!seen) return std::numeric_limits<float>::infinity();
        corners[i] = *seen;
    }
    float nearest = std::numeric_limits<float>::infinity();
    for (int i = 0; i < 8; ++i)
        for (const int bit : {1, 2, 4})
            if (!(i & bit))
                nearest = std::min(nearest, distance_to_segment(pixel, corners[i], corners[i | bit]));
    return nearest;
}

}  // namespace

const BodyState* Sandbox::selected_body() const {
    const auto at = std::lower_bound(results_.bodies.begin(), results_.bodies.end(), selected(),
                                     [](const BodyState& b, bv::BodyId id) { return b.id < id; });
    return at == results_.bodies.end() || at->id != selected() ? nullptr : &*at;
}

std::optional<glm::vec3> Sandbox::selection_pivot() const {
    bv::Aabb all;
    for (const bv::BodyId id : selection_.bodies)
        if (const Body* body = std::as_const(*world_).find(id); body && !body->state.hidden)
            all = bv::merge(all, body->position);
    return all.is_empty() ? std::nullopt : std::optional(all.center());
}

std::optional<bv::Triangle> Sandbox::selected_triangle() const {
    if (!selection_.triangle) return std::nullopt;
    const Body* body = std::as_const(*world_).find(selection_.triangle->body);
    if (!body || body->state.hidden) return std::nullopt;
    const bv::MeshView mesh = meshes_[body->state.mesh].view();
    if (selection_.triangle->triangle >= mesh.triangles.size()) return std::nullopt;
    const bv::Triangle local = mesh.triangle(selection_.triangle->triangle);
    const auto place = [&](const glm::vec3& p) { return body->state.transform * glm::vec4(p, 1.0f); };
    return bv::Triangle{place(local.a), place(local.b), place(local.c)};
}

CommandResult Sandbox::select(bv::BodyId id, SelectMode mode) {
    if (id.valid() && !std::as_const(*world_).find(id)) return fmt::format("there is no body {}", id.value);
    selection_.choose(id, mode);
    return std::nullopt;
}

void Sandbox::select_all() {
    selection_.clear();
    for (const Body& body : std::as_const(*world_).bodies())
        if (!body.state.hidden) selection_.bodies.push_back(body.state.id);
}

void Sandbox::select_none() {
    selection_.clear();
    wanted_node_.reset();
}

void Sandbox::select_in_box(glm::vec2 a, glm::vec2 b, SelectMode mode) {
    const glm::vec2 low = glm::min(a, b), high = glm::max(a, b);
    if (mode == SelectMode::Replace) selection_.clear();
    for (const Body& body : std::as_const(*world_).bodies()) {
        const auto seen = body.state.hidden ? std::nullopt : pixel_of(body.state.sphere.center);
        if (!seen || glm::any(glm::lessThan(*seen, low)) || glm::any(glm::greaterThan(*seen, high))) continue;
        if (!selection_.contains(body.state.id)) selection_.bodies.push_back(body.state.id);
    }
}

CommandResult Sandbox::select_node(std::string_view tree, std::uint32_t node) {
    if (results_.frame == 0) {
        wanted_node_ = TreeNodeRef{std::string(tree), node};
        return std::nullopt;
    }
    if (!find_tree(results_.trees, "bodies")) lay_trees_open();
    const bv::TreeSnapshot* found = find_tree(results_.trees, tree);
    if (!found) {
        std::string known;
        for (const auto& [id, snapshot] : results_.trees)
            known += (known.empty() ? "" : ", ") + id;
        return fmt::format("there is no tree '{}'; there is {}", tree, known.empty() ? "none" : known);
    }
    NodeHold hold;
    if (!hold.take(results_.trees, tree, node))
        return fmt::format("tree '{}' has no node {}; its nodes are counted from 0 to {}", tree, node,
                           found->size() - 1);
    selection_.clear();
    selection_.node = hold;
    // A leaf of the bodies' tree and what it holds are the same thing to whoever looks at it.
    if (tree != "bodies" || !found->is_leaf(node)) return std::nullopt;
    for (std::uint32_t i = 0; i < found->payload_count[node]; ++i) {
        const bv::BodyId id{static_cast<std::uint32_t>(found->payloads[found->first_payload[node] + i])};
        if (std::as_const(*world_).find(id)) selection_.bodies.push_back(id);
    }
    return std::nullopt;
}

/// The results know it as it stood after the last step; commands since then may have replaced the trees.
std::optional<TreeNodeRef> Sandbox::selected_node_now() const {
    if (!find_tree(results_.trees, "bodies")) lay_trees_open();
    NodeHold held = selection_.node;
    return held.follow(results_.trees);
}

CommandResult Sandbox::select_parent() {
    if (const auto node = selected_node_now()) {
        const std::uint32_t parent = find_tree(results_.trees, node->tree)->parents[node->node];
        if (parent == bv::TreeSnapshot::kNone) return std::nullopt;  // the root has none
        return select_node(node->tree, parent);
    }
    if (!find_tree(results_.trees, "bodies")) lay_trees_open();
    const bv::TreeSnapshot* tree = find_tree(results_.trees, "bodies");
    for (std::uint32_t node = 0; tree && selected().valid() && node < tree->size(); ++node)
        if (tree->is_leaf(node) && leaf_holds(*tree, node, selected().value))
            return select_node("bodies", node);
    return "select a node of a tree, or a body that stands in one, first";
}

CommandResult Sandbox::select_ray(std::uint32_t number) {
    if (number >= pinned_.size())
        return fmt::format("there is no pinned ray {}; there are {}", number, pinned_.size());
    selection_.clear();
    selection_.ray = number;
    return std::nullopt;
}

CommandResult Sandbox::isolate_node(bool on) {
    if (!on) {
        selection_.isolated.drop();
        return std::nullopt;
    }
    if (!selection_.node.holds()) return "select a node of a tree first";
    selection_.isolated = selection_.node;
    return std::nullopt;
}

const RayQuery& Sandbox::pick(glm::vec2 pixel, SelectMode mode) {
    if (picks_.size() == kMaxPicks) picks_.erase(picks_.begin());
    picks_.push_back(cast_ray(*world_, RayQuery::Kind::Pick, ray_through(pixel)));
    const RayQuery& seen = picks_.back();
    if (scene_->pins_picks()) {
        pinned_.assign(1, mouse_ray(pixel));
        return seen;
    }
    if (mode == SelectMode::Replace || seen.hit) selection_.choose(seen.body, mode);
    if (seen.hit && selection_.contains(seen.body)) selection_.triangle = {seen.body, seen.triangle};
    return picks_.back();
}

void Sandbox::pick_node(glm::vec2 pixel) {
    const auto low = static_cast<std::uint32_t>(settings_.integer("draw.tree_min_depth"));
    const auto high = static_cast<std::uint32_t>(settings_.integer("draw.tree_max_depth"));
    const bool leaves = settings_.flag("draw.tree_leaves");
    if (!find_tree(results_.trees, "bodies")) lay_trees_open();
    const bv::Ray ray = ray_through(pixel);
    std::optional<TreeNodeRef> by_edge, by_box;
    float nearest = kEdgeReachPx, smallest = std::numeric_limits<float>::infinity();
    for (const auto& [id, tree] : results_.trees)
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            if (tree.depths[node] < low || tree.depths[node] > high ||
                (tree.is_leaf(node) && tree.payload_count[node] <= 1 && !leaves))
                continue;
            const float distance = distance_to_edges(*this, tree.boxes[node], pixel);
            if (distance < nearest) {
                nearest = distance;
                by_edge = TreeNodeRef{id, node};
            }
            const float area = tree.boxes[node].surface_area();
            if (area < smallest && bv::raycast(ray, tree.boxes[node])) {
                smallest = area;
                by_box = TreeNodeRef{id, node};
            }
        }
    const std::optional<TreeNodeRef>& found = by_edge ? by_edge : by_box;
    if (!found)
        selection_.node.drop();
    else
        (void)select_node(found->tree, found->node);
}

void Sandbox::forget_what_is_gone() {
    std::erase_if(selection_.bodies, [this](bv::BodyId id) { return !std::as_const(*world_).find(id); });
    if (selection_.triangle && !std::as_const(*world_).find(selection_.triangle->body))
        selection_.triangle.reset();
    if (selection_.ray && *selection_.ray >= pinned_.size()) selection_.ray.reset();
}

/// After a step: what of the selection is still there, and where.
void Sandbox::settle_selection() {
    if (wanted_node_ || selection_.node.holds() || selection_.isolated.holds()) lay_trees_open();
    if (wanted_node_) {
        const TreeNodeRef wanted = *std::exchange(wanted_node_, std::nullopt);
        if (const CommandResult problem = select_node(wanted.tree, wanted.node))
            refuse({}, fmt::format("`select.node {} {}`: {}", wanted.tree, wanted.node, *problem));
    }
    forget_what_is_gone();
    std::vector<bv::BodyId> chosen = selection_.bodies;
    std::sort(chosen.begin(), chosen.end());
    auto next = chosen.begin();
    for (BodyState& body : results_.bodies) {
        body.selected = next != chosen.end() && *next == body.id;
        if (body.selected) ++next;
    }
    results_.selected_triangle = selection_.triangle;
    results_.selected_ray = selection_.ray;
    results_.selected_node = selection_.node.follow(results_.trees);
    results_.isolated_node = selection_.isolated.follow(results_.trees);
}

}  // namespace lab
