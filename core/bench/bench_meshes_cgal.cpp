// CGAL's AABB tree, the exact but slow peer for rays.
#include "bench_meshes.hpp"

#ifdef BVLAB_HAVE_CGAL

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

namespace bv::bench {
namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using CgalTree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

Kernel::Point_3 point(const glm::vec3& p) {
    return {p.x, p.y, p.z};
}

}  // namespace

struct CgalCaster::Tree {
    Triangles triangles;
    CgalTree tree;
};

CgalCaster::CgalCaster(const workloads::MeshData& mesh) : tree_(new Tree) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle t = mesh.view().triangle(i);
        tree_->triangles.emplace_back(point(t.a), point(t.b), point(t.c));
    }
    tree_->tree.insert(tree_->triangles.cbegin(), tree_->triangles.cend());
    tree_->tree.build();
}
CgalCaster::~CgalCaster() {
    delete tree_;
}
bool CgalCaster::available() noexcept {
    return true;
}
bool CgalCaster::hit(const Ray& ray) const {
    const Kernel::Ray_3 query(point(ray.origin),
                              Kernel::Vector_3(ray.direction.x, ray.direction.y, ray.direction.z));
    return static_cast<bool>(tree_->tree.first_intersected_primitive(query));
}

}  // namespace bv::bench

#else

namespace bv::bench {

struct CgalCaster::Tree {};
CgalCaster::CgalCaster(const workloads::MeshData&) : tree_(nullptr) {}
CgalCaster::~CgalCaster() = default;
bool CgalCaster::available() noexcept {
    return false;
}
bool CgalCaster::hit(const Ray&) const {
    return false;
}

}  // namespace bv::bench

#endif
