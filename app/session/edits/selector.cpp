#include "session/edits/selector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bv/query/raycast.hpp"
#include "io/text/counted.hpp"
#include "platform/threads/in_parts.hpp"
#include "session/parts.hpp"
#include "settings/draw.hpp"

namespace lab {
namespace {

constexpr std::size_t kMaxPicks = 100;
/// Maximum distance between a click and an edge of a node's box.
constexpr float kEdgeReachPx = 7.0f;

float distance_to_segment(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
    const glm::vec2 along = b - a;
    const float length_sq = glm::dot(along, along);
    const float s = length_sq > 0.0f ? std::clamp(glm::dot(p - a, along) / length_sq, 0.0f, 1.0f) : 0.0f;
    return glm::length(p - (a + s * along));
}

/// Distance on screen from a pixel to the nearest edge of a box whose corners are all in front of the eye.
float distance_to_edges(const View& view, const bv::Aabb& box, glm::vec2 pixel) {
    glm::vec2 corners[8];
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 corner((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                               (i & 4) ? box.max.z : box.min.z);
        const auto seen = view.pixel_of(corner);
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

Selector::Selector(SessionParts& parts) : parts_(parts), state_(parts.state), view_(parts.state.view) {}

void Selector::need_bodies_tree() {
    parts_.frame.update_before_first();
    if (!find_tree(parts_.results.trees, "bodies")) parts_.frame.add_bodies_tree();
}

CommandResult Selector::select(bv::BodyId id, SelectMode mode) {
    if (id.valid() && !state_.world.find(id)) return fmt::format("there is no body {}", id.value);
    view_.selection.choose(id, mode);
    return std::nullopt;
}

void Selector::select_all() {
    view_.selection.clear();
    for (const Body& body : state_.world.bodies())
        if (!body.state.hidden) view_.selection.bodies.push_back(body.state.id);
}

void Selector::select_none() {
    view_.selection.clear();
    view_.wanted_node.reset();
}

void Selector::select_in_box(glm::vec2 a, glm::vec2 b, SelectMode mode) {
    const glm::vec2 low = glm::min(a, b), high = glm::max(a, b);
    if (mode == SelectMode::Replace)
        view_.selection.clear();
    else
        view_.selection.leave_bodies();
    for (const Body& body : state_.world.bodies()) {
        const auto seen =
            body.state.hidden ? std::nullopt : view_.pixel_of(state_.world.bodies().sphere(body).center);
        if (!seen || glm::any(glm::lessThan(*seen, low)) || glm::any(glm::greaterThan(*seen, high))) continue;
        if (!view_.selection.contains(body.state.id)) view_.selection.bodies.push_back(body.state.id);
    }
}

CommandResult Selector::select_node(std::string_view tree, std::uint32_t node,
                                    const std::optional<std::vector<bv::BodyId>>& bodies) {
    WantedNode wanted{{std::string(tree), node}, bodies};
    if (parts_.results.frame > 0 || parts_.recorder.replays_look()) return hold_node(wanted);
    view_.wanted_node = std::move(wanted);
    return std::nullopt;
}

CommandResult Selector::hold_node(const WantedNode& wanted) {
    const auto& [tree, node] = wanted.node;
    if (!find_tree(parts_.results.trees, "bodies")) parts_.frame.add_bodies_tree();
    const bv::TreeSnapshot* found = find_tree(parts_.results.trees, tree);
    if (!found) {
        std::string known;
        for (const auto& [id, snapshot] : parts_.results.trees)
            known += (known.empty() ? "" : ", ") + id;
        return fmt::format("there is no tree '{}'; there is {}", tree, known.empty() ? "none" : known);
    }
    if (found->empty()) return fmt::format("tree '{}' has no nodes", tree);
    NodeHold hold;
    if (!hold.take(parts_.results.trees, tree, node))
        return fmt::format("tree '{}' has no node {}; its nodes are numbered from 0 to {}", tree, node,
                           found->size() - 1);
    view_.selection.clear();
    view_.selection.node = hold;
    // Users do not distinguish a leaf of the bodies' tree from its body.
    if (tree != "bodies" || !found->is_leaf(node)) return std::nullopt;
    if (wanted.bodies) {
        view_.selection.bodies = *wanted.bodies;
        forget_missing();
        return std::nullopt;
    }
    for (std::uint32_t i = 0; i < found->payload_count[node]; ++i) {
        const bv::BodyId id{static_cast<std::uint32_t>(found->payloads[found->first_payload[node] + i])};
        if (state_.world.find(id)) view_.selection.bodies.push_back(id);
    }
    return std::nullopt;
}

/// As of the results of the last step; later commands may have replaced the trees.
std::optional<TreeNodeRef> Selector::selected_node_now() {
    if (!view_.selection.node.holds()) return std::nullopt;
    need_bodies_tree();
    NodeHold held = view_.selection.node;
    return held.follow(parts_.results.trees);
}

CommandResult Selector::select_parent() {
    if (const auto node = selected_node_now()) {
        const std::uint32_t parent = find_tree(parts_.results.trees, node->tree)->parents[node->node];
        if (parent == bv::TreeSnapshot::kNone) return std::nullopt;  // the root has none
        return hold_node({{node->tree, parent}, std::nullopt});
    }
    need_bodies_tree();
    const bv::TreeSnapshot* tree = find_tree(parts_.results.trees, "bodies");
    for (std::uint32_t node = 0; tree && state_.selected().valid() && node < tree->size(); ++node)
        if (tree->is_leaf(node) && leaf_holds(*tree, node, state_.selected().value))
            return hold_node({{"bodies", node}, std::nullopt});
    return "first select a node of a tree, or a body that is in one";
}

CommandResult Selector::select_ray(std::uint32_t number) {
    if (number >= view_.pinned_rays.size())
        return fmt::format("there is no pinned ray {}; there {} {}", number,
                           io::plural(view_.pinned_rays.size(), "is", "are"), view_.pinned_rays.size());
    view_.selection.clear();
    view_.selection.ray = number;
    return std::nullopt;
}

CommandResult Selector::select_triangle(bv::BodyId id, std::uint32_t triangle) {
    const Body* const body = state_.world.find(id);
    if (!body) return fmt::format("there is no body {}", id.value);
    const std::size_t count = state_.world.bodies().meshes()[body->state.mesh].view().triangles.size();
    if (triangle >= count)
        return fmt::format("{} has no triangle {}; its triangles are numbered from 0 to {}",
                           body->state.name.str(), triangle, count - 1);
    view_.selection.choose(id, view_.selection.contains(id) ? SelectMode::Add : SelectMode::Replace);
    view_.selection.triangle = {id, triangle};
    return std::nullopt;
}

CommandResult Selector::isolate_node(bool on) {
    if (!on) {
        view_.selection.isolated.drop();
        return std::nullopt;
    }
    if (!selected_node_now()) return "first select a node of a tree";
    view_.selection.isolated = view_.selection.node;
    return std::nullopt;
}

RayQuery Selector::cast(RayQuery::Kind kind, const bv::Ray& ray) {
    return parts_.frame.cast(kind, ray);
}

RayQuery Selector::pick(glm::vec2 pixel, SelectMode mode) {
    RayQuery seen = parts_.frame.cast(RayQuery::Kind::Pick, view_.ray_through(pixel));
    if (view_.picks.size() == kMaxPicks) view_.picks.erase(view_.picks.begin());
    view_.picks.push_back(seen);
    if (state_.scene.running->pins_picks()) {
        view_.pinned_rays.assign(1, parts_.frame.pointing_ray(seen));
        return seen;
    }
    if (!seen.hit) parts_.scenes.pick(seen.ray);
    if (mode == SelectMode::Replace || seen.hit) view_.selection.choose(seen.body, mode);
    if (seen.hit && view_.selection.contains(seen.body))
        view_.selection.triangle = {seen.body, seen.triangle};
    return seen;
}

void Selector::pick_node(glm::vec2 pixel) {
    const auto low = static_cast<std::uint32_t>(state_.settings[kDrawTreeMinDepth]);
    const auto high = static_cast<std::uint32_t>(state_.settings[kDrawTreeMaxDepth]);
    const bool leaves = state_.settings[kDrawTreeLeaves];
    need_bodies_tree();
    const bv::Ray ray = view_.ray_through(pixel);
    std::optional<TreeNodeRef> by_edge, by_box;
    float nearest = kEdgeReachPx, smallest = std::numeric_limits<float>::infinity();
    for (const auto& [id, tree] : parts_.results.trees)
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            if (tree.depths[node] < low || tree.depths[node] > high ||
                (tree.is_leaf(node) && tree.payload_count[node] <= 1 && !leaves))
                continue;
            const float distance = distance_to_edges(view_, tree.boxes[node], pixel);
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
        view_.selection.node.drop();
    else
        (void)hold_node({*found, std::nullopt});
}

void Selector::frame_selection() {
    bv::Aabb box;
    if (const auto node = selected_node_now()) {
        box = find_tree(parts_.results.trees, node->tree)->boxes[node->node];
    } else if (view_.selection.ray && *view_.selection.ray < view_.pinned_rays.size()) {
        const RayQuery seen =
            parts_.frame.cast(RayQuery::Kind::Pinned, view_.pinned_rays[*view_.selection.ray]);
        box = bv::merge(box, seen.ray.origin);
        box = bv::merge(box, seen.hit ? seen.point : seen.ray.origin + glm::normalize(seen.ray.direction));
    } else {
        for (const bv::BodyId id : view_.selection.bodies)
            if (const Body* body = state_.world.find(id))
                box = bv::merge(box, state_.world.bodies().fixed_box(*body));
    }
    if (box.is_empty()) {
        parts_.frame.update_before_first();
        box = parts_.results.marked_bounds;
    }
    if (box.is_empty()) return frame_everything();
    view_.camera.frame(box);
}

void Selector::frame_everything() {
    parts_.frame.update_before_first();
    view_.frame_everything(parts_.results);
}

void Selector::forget_missing() {
    std::erase_if(view_.selection.bodies, [this](bv::BodyId id) { return !state_.world.find(id); });
    if (view_.selection.triangle && !state_.world.find(view_.selection.triangle->body) &&
        !parts_.recorder.keeps_missing())
        view_.selection.triangle.reset();
    if (view_.selection.ray && *view_.selection.ray >= view_.pinned_rays.size()) view_.selection.ray.reset();
}

void Selector::settle() {
    Selection& selection = view_.selection;
    FrameResults& results = parts_.results;
    if (view_.wanted_node || selection.node.holds() || selection.isolated.holds())
        parts_.frame.add_bodies_tree();
    if (view_.wanted_node) {
        const WantedNode wanted = *std::exchange(view_.wanted_node, std::nullopt);
        const auto& [tree, node] = wanted.node;
        if (const CommandResult problem = hold_node(wanted))
            parts_.runner.refuse({}, fmt::format("`select.node {} {}`: {}", tree, node, *problem));
    }
    forget_missing();
    std::vector<bv::BodyId> chosen = selection.bodies;
    std::sort(chosen.begin(), chosen.end());
    platform::in_parts(results.bodies.size(), platform::kBodiesPerPart,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i)
                               results.bodies[i].selected =
                                   std::binary_search(chosen.begin(), chosen.end(), results.bodies[i].id);
                       });
    results.selected_triangle = selection.triangle;
    if (selection.triangle && !state_.world.find(selection.triangle->body)) results.selected_triangle.reset();
    results.selected_ray = selection.ray;
    const auto place = [&](NodeHold& hold) {
        return parts_.recorder.keeps_missing() ? NodeHold(hold).follow(results.trees)
                                               : hold.follow(results.trees);
    };
    results.selected_node = place(selection.node);
    results.isolated_node = place(selection.isolated);
    if (std::exchange(view_.wants_marks_framed, false)) view_.camera.frame(results.marked_bounds);
}

}  // namespace lab
