#include "sandbox/exact.hpp"

#include "bv/query/overlap.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/tree/mesh_bvh.hpp"

namespace lab {
namespace {

/// Rotation and place; the size is in the vertices.
bv::Pose pose_of(const BodyState& body) {
    bv::Pose pose = body.transform;
    for (int i = 0; i < 3; ++i)
        pose[i] /= body.scale;
    return pose;
}

std::vector<glm::vec3> scaled_positions(const MeshEntry& mesh, float scale) {
    std::vector<glm::vec3> positions = mesh.positions;
    for (glm::vec3& p : positions)
        p *= scale;
    return positions;
}

bv::Aabb box_of(const bv::Triangle& t) {
    return bv::merge(bv::merge(bv::Aabb{t.a, t.a}, t.b), t.c);
}

}  // namespace

const bv::MeshBvh8& ExactTester::tree(const MeshLibrary& meshes, const BodyState& body) {
    const std::pair key(body.mesh.value, body.scale);
    if (const auto known = trees_.find(key); known != trees_.end()) return *known->second;
    const MeshEntry& mesh = meshes[body.mesh];
    const std::vector<glm::vec3> positions = scaled_positions(mesh, body.scale);
    bv::MeshBvh binary;
    binary.build({positions, mesh.triangles});
    auto wide = std::make_unique<bv::MeshBvh8>();
    wide->build(binary);
    return *trees_.emplace(key, std::move(wide)).first->second;
}

bool ExactTester::touching(const MeshLibrary& meshes, const BodyState& a, const BodyState& b) {
    if (trees_.size() + 2 > kMostTrees) trees_.clear();  // before either is taken: references must not dangle
    const bv::MeshBvh8& tree_a = tree(meshes, a);
    const bv::MeshBvh8& tree_b = tree(meshes, b);
    return bv::collide(tree_a, pose_of(a), tree_b, pose_of(b)).touching;
}

std::uint64_t triangle_pairs(const MeshLibrary& meshes, const BodyState& a, const BodyState& b) {
    return static_cast<std::uint64_t>(meshes[a.mesh].triangles.size()) * meshes[b.mesh].triangles.size();
}

bool touching_by_brute_force(const MeshLibrary& meshes, const BodyState& a, const BodyState& b) {
    const std::vector<glm::vec3> positions_a = scaled_positions(meshes[a.mesh], a.scale);
    std::vector<glm::vec3> positions_b = scaled_positions(meshes[b.mesh], b.scale);
    const bv::Pose b_in_a = bv::relative_pose(pose_of(a), pose_of(b));
    for (glm::vec3& p : positions_b)
        p = bv::apply(b_in_a, p);
    const bv::MeshView mesh_a{positions_a, meshes[a.mesh].triangles};
    const bv::MeshView mesh_b{positions_b, meshes[b.mesh].triangles};
    std::vector<bv::Aabb> boxes;
    for (std::size_t j = 0; j < mesh_b.triangles.size(); ++j)
        boxes.push_back(box_of(mesh_b.triangle(j)));
    for (std::size_t i = 0; i < mesh_a.triangles.size(); ++i) {
        const bv::Triangle triangle = mesh_a.triangle(i);
        const bv::Aabb box = box_of(triangle);
        for (std::size_t j = 0; j < boxes.size(); ++j)
            if (bv::overlap_nonempty(box, boxes[j]) && bv::overlap(triangle, mesh_b.triangle(j))) return true;
    }
    return false;
}

}  // namespace lab
