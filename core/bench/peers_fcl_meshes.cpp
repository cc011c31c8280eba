// FCL's headers bring standard containers, whose inline functions other sources may share: they come first in
// the link, and a processor that cannot run these does not get here.
#include "peers_fcl_meshes.hpp"

#ifdef BVLAB_HAVE_FCL

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>

namespace bv::bench {
namespace {

template <class Volume>
std::shared_ptr<fcl::CollisionGeometryf> model(const workloads::MeshData& mesh) {
    auto out = std::make_shared<fcl::BVHModel<Volume>>();
    std::vector<fcl::Vector3f> points;
    std::vector<fcl::Triangle> triangles;
    for (const glm::vec3& p : mesh.positions)
        points.emplace_back(p.x, p.y, p.z);
    for (const glm::uvec3& t : mesh.triangles)
        triangles.emplace_back(t.x, t.y, t.z);
    out->beginModel();
    out->addSubModel(points, triangles);
    out->endModel();
    return out;
}

std::shared_ptr<fcl::CollisionGeometryf> model(const workloads::MeshData& mesh, FclTree kind) {
    switch (kind) {
        case FclTree::Obb:
            return model<fcl::OBBf>(mesh);
        case FclTree::Rss:
            return model<fcl::RSSf>(mesh);
        default:
            return model<fcl::OBBRSSf>(mesh);
    }
}

fcl::Transform3f placed(const Pose& pose) {
    fcl::Transform3f place = fcl::Transform3f::Identity();
    for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
            place(r, c) = pose[c][r];
    return place;
}

}  // namespace

bool fcl_meshes_run_here() noexcept {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

struct FclMeshPair::Models {
    std::shared_ptr<fcl::CollisionGeometryf> a, b;
};

FclMeshPair::FclMeshPair(const workloads::MeshData& a, const workloads::MeshData& b, FclTree kind)
    : models_(new Models{model(a, kind), model(b, kind)}) {}

FclMeshPair::~FclMeshPair() {
    delete models_;
}

float FclMeshPair::distance(const Pose& pose_b) const {
    const fcl::DistanceRequestf request(true);
    fcl::DistanceResultf result;
    return fcl::distance(models_->a.get(), fcl::Transform3f::Identity(), models_->b.get(), placed(pose_b),
                         request, result);
}

std::size_t FclMeshPair::contacts(const Pose& pose_b, bool all) const {
    const fcl::CollisionRequestf request(all ? std::numeric_limits<std::size_t>::max() : 1, false);
    fcl::CollisionResultf result;
    return fcl::collide(models_->a.get(), fcl::Transform3f::Identity(), models_->b.get(), placed(pose_b),
                        request, result);
}

}  // namespace bv::bench

#else

namespace bv::bench {

bool fcl_meshes_run_here() noexcept {
    return false;
}
FclMeshPair::FclMeshPair(const workloads::MeshData&, const workloads::MeshData&, FclTree)
    : models_(nullptr) {}
FclMeshPair::~FclMeshPair() = default;
float FclMeshPair::distance(const Pose&) const {
    return 0.0f;
}
std::size_t FclMeshPair::contacts(const Pose&, bool) const {
    return 0;
}

}  // namespace bv::bench

#endif
