#include "view/picking.hpp"

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <optional>
#include <variant>

#include "bv/query/raycast.hpp"

namespace lab {
namespace {

/// The ray in the mesh's frame. `t` is unchanged, since origin and direction go through the same affine map.
bv::Ray to_local(const bv::Ray& ray, const Body& body) {
    const float scale = body.state.scale;
    const glm::mat3 to_mesh =
        glm::transpose(glm::mat3(body.state.transform[0], body.state.transform[1], body.state.transform[2])) /
        (scale * scale);
    bv::Ray local;
    local.origin = to_mesh * (ray.origin - body.position);
    local.direction = to_mesh * ray.direction;
    local.t_max = ray.t_max;
    local.t_min = ray.t_min;
    return local;
}

/// Replaces `best` by a nearer hit. Bodies come in any order, so ties go to the smaller id.
void take_nearer(const Body& body, float t, std::uint32_t triangle, RayQuery& best) {
    if (best.hit && (t > best.t || (t == best.t && body.state.id > best.body))) return;
    best.hit = true;
    best.t = t;
    best.body = body.state.id;
    best.triangle = triangle;
}

/// Slightly beyond `t`: box tests are in single precision, and a body whose box seems to begin just behind
/// the best hit may be hit just in front of it.
float end_beyond(float t) {
    return t + 1e-5f * t + 1e-30f;
}

/// Looks no farther than the best hit so far.
bv::MeshRayResult test_by_tree(const World& world, const Body& body, const bv::Ray& ray, RayQuery& best) {
    bv::Ray local = to_local(ray, body);
    if (best.hit) local.t_max = std::min(local.t_max, end_beyond(best.t));
    const bv::MeshRayResult found =
        world.bodies().meshes()[body.state.mesh].bvh.raycast(local, world.options().ray_mode);
    best.counters.tested += found.stats.leaves_tested;
    if (found.hit) take_nearer(body, found.hit->t, found.hit->triangle, best);
    return found;
}

void finish(const World& world, RayQuery& query) {
    query.counters.brute_force_tested =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(world.bodies().visible_triangles(), 0xffffffffu));
    if (!query.hit) return;
    query.point = query.ray.at(query.t);
    const Body& body = *world.find(query.body);
    const glm::mat4x3& t = body.state.transform;
    const bv::Triangle local = world.bodies().meshes()[body.state.mesh].view().triangle(query.triangle);
    const glm::vec3 normal = glm::mat3(t[0], t[1], t[2]) * local.normal();
    const float facing = glm::dot(normal, query.ray.direction) > 0.0f ? -1.0f : 1.0f;
    query.normal = facing * normal / std::max(glm::length(normal), 1e-30f);
}

}  // namespace

RayQuery cast_ray(const World& world, RayQuery::Kind kind, const bv::Ray& ray) {
    RayQuery query;
    query.kind = kind;
    query.ray = ray;
    bv::Recording trace;
    const bv::QueryStats stats = world.finder().engine().raycast(
        ray,
        [&](bv::ProxyId, std::uint64_t id, float) {
            const Body* body = world.find({static_cast<std::uint32_t>(id)});
            if (body && !body->state.hidden && world.bodies().ray_meets(ray, *body))
                test_by_tree(world, *body, ray, query);
            return query.hit ? end_beyond(query.t) : ray.t_max;
        },
        trace);
    query.counters.visited = stats.nodes_visited;
    for (const bv::TraceEvent& event : trace.events())
        if (const auto* node = std::get_if<bv::NodeVisited>(&event)) {
            const bool culled = node->verdict == bv::NodeVisited::Verdict::Culled;
            (culled ? query.culled_nodes : query.visited_nodes).push_back(node->node.value);
        }
    finish(world, query);
    return query;
}

RayCost ray_cost(const World& world, const bv::Ray& ray) {
    RayCost cost;
    RayQuery best;
    const bv::QueryStats stats =
        world.finder().engine().raycast(ray, [&](bv::ProxyId, std::uint64_t id, float) {
            const Body* body = world.find({static_cast<std::uint32_t>(id)});
            if (body && !body->state.hidden && world.bodies().ray_meets(ray, *body)) {
                const bv::MeshRayResult found = test_by_tree(world, *body, ray, best);
                cost.nodes += found.stats.nodes_visited;
            }
            return best.hit ? end_beyond(best.t) : ray.t_max;
        });
    cost.nodes += stats.nodes_visited;
    cost.triangles = best.counters.tested;
    return cost;
}

}  // namespace lab
