// Trees over meshes, and queries of meshes, in the table.
#include <algorithm>

#include "bv/query/collide.hpp"
#include "bv/query/overlap_triangle.hpp"
#include "bv/query/slice.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/mesh_bvh_build.hpp"
#include "bv/tree/mesh_bvh_wide.hpp"
#include "bv/tree/obb_tree.hpp"
#include "table.hpp"

namespace bv::test {
namespace {

using glm::vec3;

Mesh box_mesh(int turned) {
    return Sample<Mesh>::of(turned);
}
MeshBvh bvh_of(const Mesh& mesh) {
    MeshBvh tree;
    tree.build(mesh.view());
    return tree;
}
MeshBvh8 wide_of(const Mesh& mesh) {
    MeshBvh8 tree;
    tree.build(bvh_of(mesh));
    return tree;
}
/// A copy of a view's contents, for a result that outlives the tree.
template <class T>
std::vector<T> copy_of(std::span<const T> view) {
    return {view.begin(), view.end()};
}
/// The numbers of finite triangles with indices in range.
std::uint32_t finite_triangles(const Mesh& mesh) {
    std::uint32_t count = 0;
    for (const glm::uvec3& t : mesh.triangles) {
        bool finite = true;
        for (int k = 0; k < 3; ++k)
            finite = finite && is_finite_argument(mesh.positions[t[k]]);
        count += finite ? 1 : 0;
    }
    return count;
}
bool indices_in_range(const Mesh& mesh) {
    return std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const glm::uvec3& t) {
        return std::max({t.x, t.y, t.z}) < mesh.positions.size();
    });
}
/// Checks the status that a builder of mesh trees must return for the mesh.
void require_status(MeshBuildStatus status, const Mesh& mesh) {
    const bool range = indices_in_range(mesh);
    const std::uint32_t kept = range ? finite_triangles(mesh) : 0;
    require(status == (!range      ? MeshBuildStatus::IndexOutOfRange
                       : kept == 0 ? MeshBuildStatus::Empty
                                   : MeshBuildStatus::Ok),
            "the status");
}
/// Rays and points against a built tree: no NaN, whatever it contains.
const Ray kRays[] = {{{-5.0f, 0.1f, 0.2f}, {1, 0, 0}}, {{3, 4, 5}, {-0.6f, -0.8f, -1.1f}}};

template <class Tree>
void require_unit_normal(const Tree& tree, const MeshRayResult& result) {
    require(tree.normal(MeshHit{}) == vec3(0.0f), "a normal without a triangle");
    if (!result.hit) return;
    const double length = glm::length(glm::dvec3(tree.normal(*result.hit)));
    require(std::abs(length - 1.0) < 1e-6, "a normal that is not of unit length");
}
template <class Tree>
std::tuple<Aabb, std::vector<MeshRayResult>> query_results(const Tree& tree) {
    std::vector<MeshRayResult> hits;
    for (const Ray& ray : kRays)
        for (const RayMode mode : {RayMode::Fast, RayMode::Watertight})
            hits.push_back(tree.raycast(ray, mode));
    return {tree.bounds(), hits};
}

constexpr MeshBuilder kBuilders[] = {MeshBuilder::Median, MeshBuilder::Morton, MeshBuilder::Agglomerative,
                                     MeshBuilder::BinnedSah, MeshBuilder::SweepSah};

std::vector<Row> bvh_rows() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"MeshBvh::build(MeshView, MeshBvhOptions)", "MeshBvh::build(MeshView, MeshBvhOptions, Recording)",
         "MeshBvh::empty()", "MeshBvh::bounds()", "MeshBvh::skipped_triangles()", "MeshBvh::nodes()",
         "MeshBvh::references()", "MeshBvh::has_repeated_references()", "MeshBvh::triangle(size_t)",
         "MeshBvh::snapshot()", "MeshBvh::validate()", "MeshBvh::memory_bytes()", "MeshBvhNode::is_leaf()",
         "MeshBvhNode::box()"},
        [](const UncheckedMesh& mesh) {
            for (const MeshBuilder builder : kBuilders)
                for (const float spatial : {0.0f, 1.0f}) {
                    MeshBvh tree;
                    MeshBvhOptions options;
                    options.builder = builder;
                    options.spatial_splits = spatial;
                    const MeshBuildStatus status = tree.build(mesh.view(), options);
                    require_status(status, mesh);
                    Recording trace;
                    MeshBvh traced;
                    require(traced.build(mesh.view(), options, trace) == status &&
                                traced.nodes().size() == tree.nodes().size(),
                            "a different tree with a trace");
                    require(tree.validate(), "a broken tree");
                    require(tree.empty() == (status != MeshBuildStatus::Ok) &&
                                tree.empty() == tree.nodes().empty(),
                            "empty");
                    if (indices_in_range(mesh))
                        require(tree.skipped_triangles() == mesh.triangles.size() - finite_triangles(mesh),
                                "skipped");
                    for (std::size_t i = 0; i < tree.references().size(); ++i)
                        require(is_finite_argument(tree.triangle(i)), "a triangle that is not finite");
                    for (const MeshBvhNode& node : tree.nodes())
                        require(node.box().is_finite() && (!node.is_leaf() || node.count > 0),
                                "a box that is not finite");
                    require(tree.empty() || tree.memory_bytes() > 0, "no memory");
                    require(!check_snapshot(tree.snapshot()), "a broken snapshot");
                    require(!has_nan_in(query_results(tree)), "NaN from a ray");
                    require(builder == MeshBuilder::BinnedSah || !tree.has_repeated_references(), "repeated");
                }
        }));
    rows.push_back(no_nan(
        {"MeshBvhBuild::MeshBvhBuild(MeshView, MeshBvhOptions)", "MeshBvhBuild::advance(size_t)",
         "MeshBvhBuild::status()", "MeshBvhBuild::take()",
         "MeshBvh8Build::MeshBvh8Build(MeshBvh, BuildProgress*)", "MeshBvh8Build::advance(size_t)",
         "MeshBvh8Build::status()", "MeshBvh8Build::take()"},
        [](const UncheckedMesh& mesh) {
            MeshBvhBuild build(mesh.view());
            while (build.advance(2)) {
            }
            require_status(build.status(), mesh);
            const MeshBvh tree = build.take();
            require(tree.validate() && tree.empty() == (build.status() != MeshBuildStatus::Ok),
                    "a broken tree");
            MeshBvh8Build widening(tree);
            while (widening.advance(2)) {
            }
            require((widening.status() == MeshBvh8::Status::Ok) != tree.empty(), "the wide tree's status");
            const MeshBvh8 wide = widening.take();
            require(wide.validate() && wide.empty() == tree.empty(), "a broken wide tree");
            return query_results(wide);
        }));
    rows.push_back(no_nan({"MeshBvh::build(MeshView, MeshBvhOptions)"}, [](const MeshBvhOptions& options) {
        MeshBvh tree;
        require(tree.build(box_mesh(1).view(), options) == MeshBuildStatus::Ok && tree.validate(),
                "a broken tree");
        return query_results(tree);
    }));
    rows.push_back(no_nan({"MeshBvh::refit(span<vec3>)"}, [](const Mesh& mesh) {
        MeshBvh tree = bvh_of(box_mesh(0));
        const Aabb before = tree.bounds();
        const bool finite = is_finite_argument(mesh.positions);
        const MeshBuildStatus status = tree.refit(mesh.positions);
        require(status == (finite ? MeshBuildStatus::Ok : MeshBuildStatus::WrongVertexCount), "the status");
        require(finite || tree.bounds() == before, "a rejected refit changed the tree");
        require(tree.validate(), "a broken tree");
        return query_results(tree);
    }));
    rows.push_back(empty_stays_empty(
        {"MeshBvh::raycast(Ray, RayMode)", "MeshBvh::raycast(Ray, RayMode, Recording)",
         "MeshBvh::raycast_any(Ray, RayMode)", "MeshBvh::raycast_any(Ray, RayMode, Recording)",
         "MeshBvh::raycast_all(Ray, vector<MeshHit>, RayMode)", "MeshBvh::normal(MeshHit)"},
        [](const Ray& ray) {
            static const MeshBvh tree = bvh_of(box_mesh(1));
            MeshRayResult result;
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                Recording trace;
                std::vector<MeshHit> all;
                result = tree.raycast(ray, mode);
                tree.raycast_all(ray, all, mode);
                require(result.hit == tree.raycast(ray, mode, trace).hit, "a different hit with a trace");
                require(result.hit.has_value() == tree.raycast_any(ray, mode), "any");
                require(result.hit.has_value() == tree.raycast_any(ray, mode, trace).hit.has_value(), "any");
                require(result.hit.has_value() == !all.empty(), "all");
                require(all.empty() || all.front() == *result.hit, "the first of all hits differs");
                require_unit_normal(tree, result);
                if (result.hit)
                    require(result.hit->t >= ray.t_begin() && result.hit->t <= ray.t_max, "off the ray");
            }
            return result;
        }));
    rows.push_back(empty_stays_empty(
        {"MeshBvh::closest_point(vec3, float)", "MeshBvh::closest_point(vec3, float, Recording)"},
        [](const vec3& p, float limit) {
            static const MeshBvh tree = bvh_of(box_mesh(1));
            const MeshNearestResult r = tree.closest_point(p, limit);
            Recording trace;
            require(tree.closest_point(p, limit, trace).nearest.has_value() == r.nearest.has_value(),
                    "trace");
            if (r.nearest)
                require(r.nearest->distance >= 0.0f && r.nearest->distance <= limit, "beyond the limit");
            return r;
        }));
    rows.push_back(no_nan({"MeshBvh::nearest_triangles(vec3, size_t, vector<MeshNearest>)"},
                          [](const vec3& p, std::size_t count) {
                              static const MeshBvh tree = bvh_of(box_mesh(1));
                              std::vector<MeshNearest> nearest(3);
                              tree.nearest_triangles(p, count, nearest);
                              require(nearest.size() ==
                                          (is_empty_argument(p) ? 0 : std::min<std::size_t>(count, 12)),
                                      "how many");
                              return nearest;
                          }));
    const auto overlaps = [](auto volume) {
        using V = decltype(volume);
        return empty_stays_empty({"MeshBvh::overlap_triangles(Volume, Visitor)"}, [](const V& v) {
            static const MeshBvh tree = bvh_of(box_mesh(1));
            std::uint32_t visited = 0, expected = 0;
            const QueryStats stats = tree.overlap_triangles(v, [&](std::uint32_t) { return ++visited > 0; });
            for (std::size_t i = 0; i < tree.references().size(); ++i)
                expected += overlap(v, tree.triangle(i)) ? 1 : 0;
            require(visited == stats.hits && visited == expected, "not the triangles that overlap");
            return stats;
        });
    };
    append(rows, {overlaps(Aabb{}), overlaps(Sphere{}), overlaps(Obb{}), overlaps(Capsule{}),
                  overlaps(Triangle{})});
    return rows;
}

std::vector<Row> wide_rows() {
    std::vector<Row> rows;
    rows.push_back(no_nan(
        {"MeshBvh8::build(MeshBvh, BuildProgress*)", "MeshBvh8::empty()", "MeshBvh8::node_count()",
         "MeshBvh8::bounds()", "MeshBvh8::nodes()", "MeshBvh8::blocks()", "MeshBvh8::memory_bytes()",
         "MeshBvh8::snapshot()", "MeshBvh8::validate()"},
        [](const Mesh& mesh) {
            const MeshBvh binary = bvh_of(mesh);
            MeshBvh8 tree;
            const auto status = tree.build(binary);
            require(status == (binary.empty() ? MeshBvh8::Status::Empty : MeshBvh8::Status::Ok),
                    "the status");
            require(tree.validate() && tree.empty() == binary.empty(), "a broken tree");
            require(tree.node_count() == tree.nodes().size(), "the nodes");
            require(tree.empty() || (tree.memory_bytes() > 0 && !tree.blocks().empty()), "no memory");
            require(!check_snapshot(tree.snapshot()), "a broken snapshot");
            for (std::size_t i = 0; i < std::size(kRays); ++i)
                require(tree.raycast(kRays[i]).hit.has_value() == binary.raycast(kRays[i]).hit.has_value(),
                        "a different hit than the binary tree's");
            return std::tuple(query_results(tree), copy_of(tree.nodes()), copy_of(tree.blocks()));
        }));
    rows.push_back(no_nan({"MeshBvh8::build(MeshView, MeshBvhOptions)", "MeshBvh8::skipped_triangles()"},
                          [](const UncheckedMesh& mesh) {
                              MeshBvh8 tree;
                              MeshBvh binary;
                              const MeshBuildStatus status = tree.build(mesh.view());
                              require(status == binary.build(mesh.view()), "a status other than MeshBvh's");
                              require(tree.empty() == binary.empty() && tree.validate(), "a broken tree");
                              require(tree.skipped_triangles() == binary.skipped_triangles(), "skipped");
                              return query_results(tree);
                          }));
    rows.push_back(no_nan({"MeshBvh8::build(MeshView, MeshBvhOptions)"}, [](const MeshBvhOptions& options) {
        MeshBvh8 tree;
        require(tree.build(box_mesh(1).view(), options) == MeshBuildStatus::Ok && tree.validate(),
                "a broken tree");
        return query_results(tree);
    }));
    rows.push_back(
        empty_stays_empty({"MeshBvh8::closest_point(vec3, float)"}, [](const vec3& p, float limit) {
            static const MeshBvh8 tree = wide_of(box_mesh(1));
            static const MeshBvh binary = bvh_of(box_mesh(1));
            const MeshNearestResult r = tree.closest_point(p, limit), same = binary.closest_point(p, limit);
            require(r.nearest.has_value() == same.nearest.has_value(), "binary");
            if (r.nearest) require(r.nearest->distance == same.nearest->distance, "another distance");
            return r;
        }));
    rows.push_back(no_nan({"MeshBvh8::nearest_triangles(vec3, size_t, vector<MeshNearest>)"},
                          [](const vec3& p, std::size_t count) {
                              static const MeshBvh8 tree = wide_of(box_mesh(1));
                              std::vector<MeshNearest> nearest(3);
                              tree.nearest_triangles(p, count, nearest);
                              require(nearest.size() ==
                                          (is_empty_argument(p) ? 0 : std::min<std::size_t>(count, 12)),
                                      "how many");
                              return nearest;
                          }));
    const auto overlaps = [](auto volume) {
        using V = decltype(volume);
        return empty_stays_empty({"MeshBvh8::overlap_triangles(Volume, Visitor)"}, [](const V& v) {
            static const MeshBvh8 tree = wide_of(box_mesh(1));
            static const MeshBvh binary = bvh_of(box_mesh(1));
            std::uint32_t visited = 0, expected = 0;
            const QueryStats stats = tree.overlap_triangles(v, [&](std::uint32_t) { return ++visited > 0; });
            for (std::size_t i = 0; i < binary.references().size(); ++i)
                expected += overlap(v, binary.triangle(i)) ? 1 : 0;
            require(visited == stats.hits && visited == expected, "not the triangles that overlap");
            return stats;
        });
    };
    append(rows, {overlaps(Aabb{}), overlaps(Sphere{}), overlaps(Obb{}), overlaps(Capsule{}),
                  overlaps(Triangle{})});
    rows.push_back(no_nan({"MeshBvh8::refit(MeshBvh)"}, [](const Mesh& mesh) {
        MeshBvh binary = bvh_of(box_mesh(0));
        MeshBvh8 tree;
        tree.build(binary);
        binary.refit(mesh.positions);
        tree.refit(binary);
        require(tree.validate(), "a broken tree");
        return std::tuple(query_results(tree), copy_of(tree.nodes()), copy_of(tree.blocks()));
    }));
    rows.push_back(empty_stays_empty(
        {"MeshBvh8::raycast(Ray, RayMode, Simd)", "MeshBvh8::raycast(Ray, RayMode, Recording)",
         "MeshBvh8::raycast_any(Ray, RayMode, Simd)", "MeshBvh8::raycast_any(Ray, RayMode, Recording)",
         "MeshBvh8::normal(MeshHit)", "MeshBvh8::raycast(span<Ray>, span<MeshRayResult>, RayMode, Simd)",
         "MeshBvh8::raycast_all(Ray, vector<MeshHit>, RayMode, Simd)",
         "MeshBvh8::raycast_any(span<Ray>, span<uint8_t>, RayMode, Simd)"},
        [](const Ray& ray) {
            static const MeshBvh binary = bvh_of(box_mesh(1));
            static const MeshBvh8 tree = wide_of(box_mesh(1));
            MeshRayResult result;
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                Recording trace;
                result = tree.raycast(ray, mode, Simd::Scalar);
                require(result.hit == tree.raycast(ray, mode, best_simd()).hit, "a different hit with SIMD");
                require(result.hit == tree.raycast(ray, mode, trace).hit, "a different hit with a trace");
                require(result.hit.has_value() == tree.raycast_any(ray, mode, trace).hit.has_value(), "any");
                require_unit_normal(tree, result);
                require(result.hit.has_value() == binary.raycast(ray, mode).hit.has_value(), "binary");
                for (const Simd simd : {Simd::Scalar, best_simd()})
                    require(result.hit.has_value() == tree.raycast_any(ray, mode, simd), "any");
                for (const Simd simd : {Simd::Scalar, best_simd()}) {
                    std::vector<MeshHit> all(3);
                    tree.raycast_all(ray, all, mode, simd);
                    require(result.hit.has_value() == !all.empty(), "all");
                    require(all.empty() || all.front() == *result.hit, "the first of all hits differs");
                }
                // Among others, which it must not disturb.
                const Ray usual{{-5.0f, 0.1f, 0.2f}, {1.0f, 0.01f, 0.02f}};
                std::vector<Ray> rays(64, usual);
                rays[20] = ray;
                for (const Simd simd : {Simd::Scalar, best_simd()}) {
                    std::vector<MeshRayResult> results(rays.size());
                    std::vector<std::uint8_t> any(rays.size());
                    tree.raycast(rays, results, mode, simd);
                    tree.raycast_any(rays, any, mode, simd);
                    for (std::size_t i = 0; i < rays.size(); ++i) {
                        require(results[i].hit == tree.raycast(rays[i], mode).hit,
                                "a different hit among many");
                        require((any[i] != 0) == results[i].hit.has_value(), "any among many");
                    }
                }
            }
            return result;
        }));
    return rows;
}

template <class Volume>
std::vector<Row> volume_tree_rows() {
    std::vector<Row> rows;
    rows.push_back(
        no_nan({"VolumeTree::build(MeshView, VolumeTreeOptions<Volume>)", "VolumeTree::empty()",
                "VolumeTree::nodes()", "VolumeTree::references()", "VolumeTree::triangle(size_t)",
                "VolumeTree::max_coordinate()", "VolumeTree::snapshot()", "VolumeTree::validate()",
                "VolumeTreeNode::is_leaf()"},
               [](const UncheckedMesh& mesh, const VolumeTreeOptions<Volume>& options) {
                   VolumeTree<Volume> tree;
                   require_status(tree.build(mesh.view(), options), mesh);
                   require(tree.validate() && tree.empty() == tree.nodes().empty(), "a broken tree");
                   for (std::size_t i = 0; i < tree.references().size(); ++i)
                       require(is_finite_argument(tree.triangle(i)), "a triangle that is not finite");
                   std::vector<Volume> volumes;
                   for (const auto& node : tree.nodes()) {
                       volumes.push_back(node.volume);
                       require(node.is_leaf() || node.first < tree.nodes().size(), "a missing child");
                   }
                   const TreeSnapshot snapshot = tree.snapshot();
                   require(!check_snapshot(snapshot), "a broken snapshot");
                   return std::tuple(tree.max_coordinate(), volumes, snapshot);
               }));
    rows.push_back(empty_stays_empty(
        {"collide_pairs(VolumeTree<Volume>, Pose, VolumeTree<Volume>, Pose, CollideExtent, "
         "vector<TrianglePair>)",
         "collide_pairs(VolumeTree<Volume>, Pose, VolumeTree<Volume>, Pose, CollideExtent, "
         "vector<TrianglePair>, Recording)"},
        [](const Pose& a, const Pose& b) {
            const bool rigid = is_orthonormal(glm::mat3(a)) && is_orthonormal(glm::mat3(b));
            static const auto tree = [] {
                VolumeTree<Volume> t;
                t.build(box_mesh(0).view());
                return t;
            }();
            std::vector<TrianglePair> pairs, again, reference;
            Recording trace;
            const CollideStats stats = collide_pairs(tree, a, tree, b, CollideExtent::All, pairs);
            collide_pairs(tree, a, tree, b, CollideExtent::All, again, trace);
            require(pairs == again && stats.hits == pairs.size(), "different pairs with a trace");
            collide_pairs(tree, a, tree, b, CollideExtent::First, again);
            require(again.empty() == pairs.empty(), "First and All disagree");
            static const MeshBvh8 wide = wide_of(box_mesh(0));
            collide_pairs(wide, a, wide, b, reference);
            require(pairs == reference || !rigid, "different pairs than the wide trees'");
            for (const Pose* pose : {&a, &b})
                if (!is_finite_argument(*pose)) require(pairs.empty(), "a pose that is not finite touches");
            return stats;
        }));
    return rows;
}

std::vector<Row> collide_rows() {
    std::vector<Row> rows;
    rows.push_back(empty_stays_empty(
        {"collide(MeshBvh8, Pose, MeshBvh8, Pose, CollideCache*)",
         "collide_pairs(MeshBvh8, Pose, MeshBvh8, Pose, vector<TrianglePair>)",
         "collide_segments(MeshBvh8, Pose, MeshBvh8, Pose, vector<ContactSegment>)"},
        [](const Pose& pose_a, const Pose& pose_b, const CollideCache& given) {
            static const MeshBvh8 a = wide_of(box_mesh(0)), b = wide_of(box_mesh(1));
            const CollideResult plain = collide(a, pose_a, b, pose_b);
            CollideCache cache = given;
            require(collide(a, pose_a, b, pose_b, &cache).touching == plain.touching,
                    "the cache changes the result");
            require(collide(a, pose_a, b, pose_b, &cache).touching == plain.touching,
                    "the cache changes the result");
            std::vector<TrianglePair> pairs;
            std::vector<ContactSegment> contacts;
            collide_pairs(a, pose_a, b, pose_b, pairs);
            collide_segments(a, pose_a, b, pose_b, contacts);
            require(pairs.empty() != plain.touching && contacts.size() == pairs.size(), "two answers");
            for (const Pose* pose : {&pose_a, &pose_b})
                if (!is_finite_argument(*pose)) require(!plain.touching, "a pose that is not finite touches");
            return std::tuple(plain, contacts);
        }));
    // Meshes with special corners.
    rows.push_back(no_nan(
        {"collide(MeshBvh8, Pose, MeshBvh8, Pose, CollideCache*)",
         "collide_segments(MeshBvh8, Pose, MeshBvh8, Pose, vector<ContactSegment>)",
         "mesh_distance(MeshBvh, Pose, MeshBvh, Pose, float)"},
        [](const Mesh& mesh) {
            static const MeshBvh8 other = wide_of(box_mesh(1));
            static const MeshBvh other_binary = bvh_of(box_mesh(1));
            const MeshBvh8 tree = wide_of(mesh);
            const Pose pose = Sample<Pose>::of(1);
            std::vector<ContactSegment> contacts;
            collide_segments(tree, pose, other, Pose(1.0f), contacts);
            require(collide(tree, pose, other, Pose(1.0f)).touching == !contacts.empty(), "two answers");
            const MeshBvh binary = bvh_of(mesh);
            const auto separation = mesh_distance(binary, pose, other_binary, Pose(1.0f));
            require(separation.nearest.has_value() == !binary.empty(), "a distance to an empty mesh");
            return std::tuple(contacts, separation);
        }));
    rows.push_back(empty_stays_empty(
        {"mesh_distance(MeshBvh, Pose, MeshBvh, Pose, float)"},
        [](const Pose& pose_a, const Pose& pose_b, float limit) {
            static const MeshBvh a = bvh_of(box_mesh(0)), b = bvh_of(box_mesh(1));
            const MeshDistanceResult r = mesh_distance(a, pose_a, b, pose_b, limit);
            for (const Pose* pose : {&pose_a, &pose_b})
                if (!is_finite_argument(*pose))
                    require(!r.nearest, "a pose that is not finite has a distance");
            if (r.nearest) require(r.nearest->distance >= 0.0f && r.nearest->distance <= limit, "the limit");
            return r;
        }));
    rows.push_back(formula({"relative_pose(Pose, Pose)"},
                           [](const Pose& a, const Pose& b) { return relative_pose(a, b); }));
    rows.push_back(
        formula({"apply(Pose, vec3)"}, [](const vec3& p) { return apply(Sample<Pose>::of(1), p); }));
    rows.push_back(
        formula({"apply(Pose, Triangle)"}, [](const Triangle& t) { return apply(Sample<Pose>::of(1), t); }));
    rows.push_back(formula({"apply(Pose, vec3)", "apply(Pose, Triangle)"}, [](const Pose& pose) {
        return std::tuple(apply(pose, vec3(0.0f)), apply(pose, Triangle{}));
    }));
    return rows;
}

std::vector<Row> slice_rows() {
    std::vector<Row> rows;
    const auto check = [](const MeshSlice& s, const Mesh& mesh, bool is_plane_finite) {
        for (const MeshPiece* piece : {&s.front, &s.back}) {
            const MeshView view = piece->view();
            for (const glm::uvec3& t : view.triangles)
                require(std::max({t.x, t.y, t.z}) < view.positions.size(), "an index out of range");
            require(is_finite_argument(piece->positions), "a corner that is not finite");
            require(piece->cap_begin <= piece->triangles.size(), "a cap beyond the end");
        }
        if (s.side != Side::Intersecting)
            require(s.front.triangles.empty() && s.back.triangles.empty(), "copied");
        if (!is_plane_finite) require(s.contours.empty(), "a cut by a plane that is not finite");
        (void)mesh;
        return s;
    };
    rows.push_back(
        no_nan({"slice(MeshView, Plane)", "slice(MeshView, Plane, Recording)", "MeshPiece::view()"},
               [check](const Mesh& mesh, const Plane& plane) {
                   Recording trace;
                   (void)check(slice(mesh.view(), plane, trace), mesh, is_finite_argument(plane));
                   return check(slice(mesh.view(), plane), mesh, is_finite_argument(plane));
               }));
    rows.push_back(no_nan({"slice(MeshView, Aabb, Plane)"}, [check](const Aabb& bounds, const Plane& plane) {
        const Mesh mesh = box_mesh(1);
        return check(slice(mesh.view(), bounds, plane), mesh, is_finite_argument(plane));
    }));
    return rows;
}

std::vector<Row> bsp_rows() {
    std::vector<Row> rows;
    const auto inspect = [](const BspTree& tree) {
        std::size_t fragments = 0;
        tree.back_to_front({4, 5, 6}, [&](std::uint32_t i) {
            require(tree.corners(tree.fragments()[i]).size() >= 3, "a piece without corners");
            ++fragments;
        });
        require(fragments == tree.fragments().size(), "some piece not visited exactly once");
        require(tree.empty() || !tree.snapshot().empty(), "no snapshot");
        require(tree.root() >= BspNode::kCell || tree.root() < tree.nodes().size(), "the root");
        require(!check_snapshot(tree.snapshot()), "a broken snapshot");
        require(std::isfinite(tree.tolerance()), "the tolerance");
        const MeshRayResult hit = tree.raycast(kRays[0]);
        return std::tuple(copy_of(tree.nodes()), copy_of(tree.cells()), hit);
    };
    rows.push_back(
        no_nan({"BspTree::build(MeshView, BspOptions)", "BspTree::build(MeshView, BspOptions, Recording)",
                "BspTree::empty()", "BspTree::root()", "BspTree::nodes()", "BspTree::cells()",
                "BspTree::fragments()", "BspTree::corners(BspFragment)", "BspTree::skipped_triangles()",
                "BspTree::tolerance()", "BspTree::snapshot()"},
               [inspect](const UncheckedMesh& mesh) {
                   BspTree tree, traced;
                   Recording trace;
                   const MeshBuildStatus status = tree.build(mesh.view());
                   require(traced.build(mesh.view(), {}, trace) == status, "a different status with a trace");
                   if (!indices_in_range(mesh))
                       require(status == MeshBuildStatus::IndexOutOfRange, "the status");
                   require(tree.skipped_triangles() <= mesh.triangles.size(), "skipped");
                   require(tree.empty() == (status != MeshBuildStatus::Ok), "empty");
                   // A triangle without a normal in double has none in a tree.
                   auto result = inspect(tree);
                   return result;
               }));
    rows.push_back(no_nan({"BspTree::build(MeshView, BspOptions)"}, [inspect](const BspOptions& options) {
        const Mesh mesh = box_mesh(1);
        BspTree tree;
        require(tree.build(mesh.view(), options) == MeshBuildStatus::Ok, "the status");
        require(tree.classify({9, 9, 9}) == BspSide::Outside, "outside");
        return inspect(tree);
    }));
    rows.push_back(no_nan({"BspTree::classify(vec3)", "BspTree::classify(vec3, Recording)",
                           "BspTree::back_to_front(vec3, FunctionRef<void(uint32_t)>)",
                           "BspTree::back_to_front(vec3, FunctionRef<void(uint32_t)>, Recording)",
                           "BspTree::front_to_back(vec3, FunctionRef<void(uint32_t)>)",
                           "BspTree::front_to_back(vec3, FunctionRef<void(uint32_t)>, Recording)"},
                          [](const vec3& p) {
                              static const auto tree = [] {
                                  BspTree t;
                                  t.build(box_mesh(1).view());
                                  return t;
                              }();
                              const BspSide side = tree.classify(p);
                              Recording trace;
                              require(tree.classify(p, trace) == side, "another answer with a trace");
                              if (!is_finite_argument(p) || glm::length(glm::dvec3(p)) > 4.0)
                                  require(side == BspSide::Outside, "outside");
                              std::size_t count = 0;
                              const auto visit = [&](std::uint32_t) { ++count; };
                              tree.back_to_front(p, visit);
                              tree.back_to_front(p, visit, trace);
                              tree.front_to_back(p, visit);
                              tree.front_to_back(p, visit, trace);
                              require(count == 4 * tree.fragments().size(),
                                      "some piece not visited exactly once");
                          }));
    rows.push_back(empty_stays_empty(
        {"BspTree::raycast(Ray, RayMode)", "BspTree::raycast(Ray, RayMode, Recording)"}, [](const Ray& ray) {
            static const auto tree = [] {
                BspTree t;
                t.build(box_mesh(1).view());
                return t;
            }();
            static const MeshBvh reference = bvh_of(box_mesh(1));
            MeshRayResult result;
            for (const RayMode mode : {RayMode::Fast, RayMode::Watertight}) {
                Recording trace;
                result = tree.raycast(ray, mode);
                require(tree.raycast(ray, mode, trace).hit == result.hit, "a different hit with a trace");
                require(reference.raycast(ray, mode).hit == result.hit, "a different hit than MeshBvh's");
            }
            return result;
        }));
    return rows;
}

}  // namespace

std::vector<Row> mesh_rows() {
    std::vector<Row> rows;
    append(rows, bvh_rows());
    append(rows, wide_rows());
    append(rows, volume_tree_rows<Obb>());
    append(rows, volume_tree_rows<Aabb>());
    append(rows, volume_tree_rows<Sphere>());
    append(rows, collide_rows());
    append(rows, slice_rows());
    append(rows, bsp_rows());
    return rows;
}

}  // namespace bv::test
