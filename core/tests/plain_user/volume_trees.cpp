#include <tuple>
#include <vector>

#include "bv/tree/obb_tree.hpp"
#include "plain_user.hpp"

namespace {

template <class Volume>
int use_volume_tree(const char* what) {
    const bv::workloads::MeshData mesh = bv::workloads::torus_knot();
    bv::VolumeTree<Volume> tree;
    int wrong = plain_user::expect(tree.build(mesh.view()) == bv::MeshBuildStatus::Ok, what);
    const auto answer = [](const bv::VolumeTree<Volume>& t) {
        const bv::Pose pose_a{1.0f};
        bv::Pose pose_b{1.0f};
        pose_b[3] = {0.1f, 0.2f, 0.05f};
        std::vector<bv::TrianglePair> pairs;
        bv::collide_pairs(t, pose_a, t, pose_b, bv::CollideExtent::All, pairs);
        return std::tuple(pairs, t.nodes().size(), t.snapshot().boxes, t.validate());
    };
    wrong += plain_user::expect(tree.validate() && !std::get<0>(answer(tree)).empty(), what);
    wrong += plain_user::expect(tree.snapshot().size() == tree.nodes().size(), what);
    return wrong + plain_user::same_after_copies(tree, what, answer);
}

}  // namespace

int plain_user::use_volume_trees() {
    return use_volume_tree<bv::Obb>("obb tree") + use_volume_tree<bv::Aabb>("aabb tree") +
           use_volume_tree<bv::Sphere>("sphere tree");
}
