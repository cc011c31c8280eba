#include "bv/tree/mesh_bvh.hpp"

#include <tuple>
#include <vector>

#include "plain_user.hpp"

int plain_user::use_mesh_bvh() {
    const bv::workloads::MeshData mesh = bv::workloads::torus_knot();
    bv::MeshBvh tree;
    int wrong = expect(tree.build(mesh.view()) == bv::MeshBuildStatus::Ok, "mesh_bvh: build");
    const auto answer = [](const bv::MeshBvh& t) {
        std::vector<bv::MeshHit> hits;
        for (const bv::Ray& ray : bv::workloads::rays_from_outside(20, t.bounds(), 3))
            if (const auto hit = t.raycast(ray).hit) hits.push_back(*hit);
        const float near = t.closest_point({2, 3, 4}).nearest->distance;
        return std::tuple(hits, near, t.nodes().size(), t.snapshot().boxes, t.validate());
    };
    wrong += expect(tree.validate() && !std::get<0>(answer(tree)).empty(), "mesh_bvh: rays");
    wrong += expect(tree.snapshot().size() == tree.nodes().size(), "mesh_bvh: count of nodes");
    wrong += expect(tree.refit(mesh.positions) == bv::MeshBuildStatus::Ok, "mesh_bvh: refit");
    return wrong + same_after_copies(tree, "mesh_bvh: copies", answer);
}
