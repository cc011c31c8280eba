#include "bv/tree/mesh_bvh_wide.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "plain_user.hpp"

int plain_user::use_mesh_bvh_wide() {
    const bv::workloads::MeshData mesh = bv::workloads::torus_knot();
    bv::MeshBvh binary;
    bv::MeshBvh8 tree;
    int wrong = expect(binary.build(mesh.view()) == bv::MeshBuildStatus::Ok &&
                           tree.build(binary) == bv::MeshBvh8::Status::Ok,
                       "mesh_bvh_wide: build");
    const auto answer = [](const bv::MeshBvh8& t) {
        std::vector<bv::MeshHit> hits;
        for (const bv::Ray& ray : bv::workloads::rays_from_outside(20, t.bounds(), 3))
            for (const bv::RayMode mode : {bv::RayMode::Fast, bv::RayMode::Watertight})
                if (const auto hit = t.raycast(ray, mode).hit) hits.push_back(*hit);
        return std::tuple(hits, t.node_count(), t.nodes().size(), t.blocks().size(), t.snapshot().boxes,
                          t.validate());
    };
    wrong += expect(tree.validate() && !std::get<0>(answer(tree)).empty(), "mesh_bvh_wide: rays");
    // Inline functions here must agree with the library's counts.
    const bv::TreeSnapshot snapshot = tree.snapshot();
    const auto inner = std::count_if(snapshot.child_count.begin(), snapshot.child_count.end(),
                                     [](std::uint32_t children) { return children != 0; });
    wrong += expect(static_cast<std::size_t>(inner) == tree.node_count(), "mesh_bvh_wide: count of nodes");
    tree.refit(binary);
    return wrong + same_after_copies(tree, "mesh_bvh_wide: copies", answer);
}
