#include "sandbox/picking.hpp"

#include <cmath>
#include <glm/mat3x3.hpp>
#include <variant>

#include "bv/query/raycast.hpp"

namespace lab {
namespace {

/// The ray in the mesh's frame. `t` stays what it is, since direction and origin go through the same affine
/// map.
bv::Ray to_local(const bv::Ray& ray, const Body& body) {
    const float scale = body.state.scale;
    const glm::mat3 to_mesh =
        glm::transpose(glm::mat3(body.state.transform[0], body.state.transform[1], body.state.transform[2])) /
        (scale * scale);
    bv::Ray local;
    local.origin = to_mesh * (ray.origin - body.position);
    local.direction = to_mesh * ray.direction;
    local.t_max = ray.t_max;
    return local;
}

/// Takes over any triangle of the body that is hit nearer than what `best` has. Bodies must come in any
/// order: ties go to the smaller id.
void test_body(const World& world, const Body& body, const bv::Ray& ray, RayQuery& best) {
    const bv::MeshView mesh = world.meshes()[body.state.mesh].view();
    bv::Ray local = to_local(ray, body);
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        ++best.counters.tested;
        const auto hit = bv::raycast(local, mesh.triangle(i));
        if (!hit) continue;
        const bool nearer = !best.hit || hit->t < best.t || (hit->t == best.t && body.state.id < best.body);
        if (!nearer) continue;
        best.hit = true;
        best.t = hit->t;
        best.body = body.state.id;
        best.triangle = i;
        best.normal = hit->normal;  // in the mesh's frame until the search is over
    }
}

std::uint32_t count_triangles(const World& world) {
    std::uint64_t count = 0;
    for (const Body& body : world.bodies())
        if (!body.state.hidden) count += world.meshes()[body.state.mesh].triangles.size();
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xffffffffu));
}

void finish(const World& world, RayQuery& query) {
    query.counters.brute_force_tested = count_triangles(world);
    if (!query.hit) return;
    query.point = query.ray.at(query.t);
    const glm::mat4x3& t = world.find(query.body)->state.transform;
    const glm::vec3 normal = glm::mat3(t[0], t[1], t[2]) * query.normal;
    query.normal = normal / std::max(glm::length(normal), 1e-30f);
}

/// A little beyond `t`: the tree's box test is single precision, and a body whose box seems to begin just
/// behind the best hit may still be hit just before it.
float end_beyond(float t) {
    return t + 1e-5f * t + 1e-30f;
}

}  // namespace

RayQuery cast_ray(const World& world, RayQuery::Kind kind, const bv::Ray& ray) {
    RayQuery query;
    query.kind = kind;
    query.ray = ray;
    bv::Recording trace;
    const VolumeKind volume = world.options().pair_kind;
    const bv::QueryStats stats = world.tree().raycast(
        ray,
        [&](bv::ProxyId, std::uint64_t id, float) {
            const Body* body = world.find({static_cast<std::uint32_t>(id)});
            if (body && !body->state.hidden && ray_meets(volume, ray, body->state))
                test_body(world, *body, ray, query);
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

RayQuery cast_by_brute_force(const World& world, RayQuery::Kind kind, const bv::Ray& ray) {
    RayQuery query;
    query.kind = kind;
    query.ray = ray;
    for (const Body& body : world.bodies())
        if (!body.state.hidden) test_body(world, body, ray, query);
    finish(world, query);
    return query;
}

}  // namespace lab
