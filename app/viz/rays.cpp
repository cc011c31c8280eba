// Draws rays with their hits and, on demand, the tree nodes that they visited and culled.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "viz/parts.hpp"

namespace lab::viz {
namespace {

/// The end of the drawn part of a ray: the hit, else its own end or a point well behind the scene.
glm::vec3 visible_end(const Context& c, const RayQuery& query) {
    if (query.hit) return query.point;
    const float length = glm::length(query.ray.direction);
    if (!(length > 0.0f)) return query.ray.origin;
    const bv::Aabb& bounds = c.results.bounds;
    const float reach = bounds.is_finite()
                            ? glm::length(bounds.size()) + glm::distance(bounds.center(), query.ray.origin)
                            : 100.0f;
    return query.ray.at(std::min(query.ray.t_max, reach / length));
}

void draw_nodes(const Context& c, const RayQuery& query) {
    for (const auto& named : c.results.trees) {
        if (named.first != "bodies") continue;
        const bv::TreeSnapshot& tree = named.second;
        std::unordered_map<std::uint32_t, std::uint32_t> place;
        if (query.visited_nodes.size() + query.culled_nodes.size() > 0)
            for (std::uint32_t i = 0; i < tree.size(); ++i)
                place.emplace(tree.source_nodes[i], i);
        const auto draw = [&](const std::vector<std::uint32_t>& nodes, Role role, const char* text,
                              float alpha) {
            bool any = false;
            for (const std::uint32_t source : nodes) {
                const auto at = place.find(source);
                if (at == place.end()) continue;
                const std::uint32_t node = at->second;
                // Leaves matter most: inner nodes are drawn fainter.
                const bool leaf = tree.is_leaf(node);
                c.paint.box(
                    tree.boxes[node],
                    {c.paint.colors.role(role).with_alpha(leaf ? alpha : 0.55f * alpha), leaf ? 1.8f : 1.2f});
                any = true;
            }
            if (any) c.legend.add(text, c.paint.colors.role(role), Swatch::Outline, Legend::Rank::Asked);
        };
        draw(query.culled_nodes, Role::Culled, "node the ray skipped", 0.55f);
        draw(query.visited_nodes, Role::Visited, "node the ray visited", 0.95f);
    }
}

void draw_hit(const Context& c, const RayQuery& query) {
    const Palette& colors = c.paint.colors;
    c.paint.point(query.point, colors.role(Role::Hit), 11.0f);
    c.legend.add("hit", colors.role(Role::Hit), Swatch::Dot, Legend::Rank::Asked);
    const float length = glm::length(query.normal);
    if (!(length > 0.0f)) return;
    const glm::vec3 tip = query.point + query.normal / length * (46.0f * c.paint.metres_per_px(query.point));
    c.paint.arrow(query.point, tip, {colors.role(Role::Normal), 2.5f, true}, 10.0f);
    c.legend.add("normal", colors.role(Role::Normal), Swatch::Line);
}

}  // namespace

void draw_rays(const Context& c) {
    if (!c.settings[kDrawRays]) return;
    const bool nodes = c.settings[kDrawRayNodes];
    std::uint32_t pinned_number = 0;
    for (const RayQuery& query : c.results.rays) {
        const bool pinned = query.kind == RayQuery::Kind::Pinned;
        const bool selected = pinned && c.results.selected_ray == pinned_number;
        if (pinned) ++pinned_number;
        if (!bv::is_finite(query.ray.origin) || !bv::is_finite(query.ray.direction)) continue;
        const Palette& colors = c.paint.colors;
        // A ray from the eye is seen end on: only its hit can be shown.
        const float near_eye =
            30.0f * c.paint.metres_per_px(c.results.bounds.is_finite() ? c.results.bounds.center()
                                                                       : query.ray.origin);
        const bool from_eye = glm::distance(query.ray.origin, c.paint.eye()) < near_eye;
        if (!from_eye) {
            const glm::vec3 end = visible_end(c, query);
            const Stroke stroke{colors.role(selected ? Role::Selected : Role::Ray),
                                selected ? 4.0f
                                : pinned ? 2.5f
                                         : 2.0f,
                                true};
            c.paint.arrow(query.ray.origin, end, stroke, query.hit ? 10.0f : 14.0f);
            c.paint.point(query.ray.origin, colors.role(Role::Ray), 8.0f);
            c.legend.add(selected ? "selected ray" : "ray", stroke.color, Swatch::Line, Legend::Rank::Asked);
        }
        if (query.hit) draw_hit(c, query);
        if (nodes) draw_nodes(c, query);
    }
}

}  // namespace lab::viz
