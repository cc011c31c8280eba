#include "bv/tree/bsp_tree.hpp"

#include <tuple>
#include <vector>

#include "plain_user.hpp"

int plain_user::use_bsp_tree() {
    const bv::workloads::MeshData mesh = bv::workloads::torus();
    bv::BspTree tree;
    int wrong = expect(tree.build(mesh.view()) == bv::MeshBuildStatus::Ok, "bsp_tree: build");
    const auto answer = [](const bv::BspTree& t) {
        std::vector<bv::MeshHit> hits;
        for (const bv::Ray& ray : bv::workloads::rays_from_outside(20, bv::Aabb{{-1, -1, -1}, {1, 1, 1}}, 3))
            if (const auto hit = t.raycast(ray).hit) hits.push_back(*hit);
        std::vector<std::uint32_t> order;
        t.back_to_front({3, 2, 1}, [&](std::uint32_t fragment) { order.push_back(fragment); });
        return std::tuple(hits, order, t.classify({0.35f, 0, 0}), t.classify({9, 9, 9}), t.snapshot().boxes);
    };
    wrong += expect(!std::get<0>(answer(tree)).empty(), "bsp_tree: rays");
    wrong += expect(std::get<3>(answer(tree)) == bv::BspSide::Outside, "bsp_tree: classify");
    return wrong + same_after_copies(tree, "bsp_tree: copies", answer);
}
