// Lists the numeric fields of the library's types, so that generic code can change each number of an argument
// and inspect each number of a result.
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/fit/obb.hpp"
#include "bv/fit/volume.hpp"
#include "bv/query/classify.hpp"
#include "bv/query/closest.hpp"
#include "bv/query/collide.hpp"
#include "bv/query/convex.hpp"
#include "bv/query/obb_sat.hpp"
#include "bv/query/raycast.hpp"
#include "bv/query/separation.hpp"
#include "bv/query/slice.hpp"
#include "bv/query/sweep.hpp"
#include "bv/query/voxels.hpp"
#include "bv/shapes/obb2.hpp"
#include "bv/shapes/voxel_grid.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/mesh_bvh.hpp"
#include "bv/tree/metrics.hpp"
#include "bv/tree/obb_tree.hpp"
#include "bv/tree/operation_log.hpp"
#include "bv/tree/tree_io.hpp"
#include "bv/tree/wide_tree.hpp"

namespace bv::test {

/// A mesh with its arrays. The indices are in range, as MeshView requires.
struct Mesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
    [[nodiscard]] MeshView view() const { return {positions, triangles}; }
};
/// A mesh for functions that check the indices themselves.
struct UncheckedMesh : Mesh {};

// Leaves out counts to which the cost is proportional, and indices that must be in range.
#define BV_FIELDS(Type, ...)                                     \
    template <class X, class F>                                  \
    requires std::same_as<std::remove_const_t<X>, Type>          \
    void fields([[maybe_unused]] X& x, [[maybe_unused]] F&& f) { \
        f(__VA_ARGS__);                                          \
    }

BV_FIELDS(Sphere, x.center, x.radius)
BV_FIELDS(Aabb, x.min, x.max)
BV_FIELDS(CenterExtents, x.center, x.half_extents)
BV_FIELDS(MinSize, x.min, x.size)
BV_FIELDS(Obb, x.center, x.half_extents, x.axes)
BV_FIELDS(Obb2, x.center, x.half_extents, x.axes)
BV_FIELDS(Capsule, x.a, x.b, x.radius)
BV_FIELDS(Segment, x.a, x.b)
BV_FIELDS(RectSweptSphere, x.center, x.half_extents, x.radius, x.axes)
BV_FIELDS(Triangle, x.a, x.b, x.c)
BV_FIELDS(Hull, x.vertices)
BV_FIELDS(Polytope, x.vertices)
BV_FIELDS(Kdop<6>, x.min, x.max)
BV_FIELDS(Kdop<8>, x.min, x.max)
BV_FIELDS(Kdop<14>, x.min, x.max)
BV_FIELDS(Kdop<18>, x.min, x.max)
BV_FIELDS(Kdop<26>, x.min, x.max)
BV_FIELDS(Plane, x.normal, x.offset)
BV_FIELDS(Ray, x.origin, x.direction, x.t_max, x.t_min)
BV_FIELDS(Mesh, x.positions)
BV_FIELDS(UncheckedMesh, x.positions, x.triangles)
BV_FIELDS(ObbPair, x.half_a, x.half_b, x.b_in_a, x.center_b_in_a)
BV_FIELDS(Frustum, x.planes)
BV_FIELDS(FrustumHint, x.first, x.undecided, x.undecided_below)
BV_FIELDS(RigidTransform, x.rotation, x.translation)
BV_FIELDS(CollideCache, x.block_a, x.block_b, x.axis)
BV_FIELDS(ProxyId, x.index, x.generation)
BV_FIELDS(NodeIndex, x.value)
BV_FIELDS(Categories, x.bits)
BV_FIELDS(PairLimits, x.kept, x.counted)
BV_FIELDS(TreeOptions, x.margin_m, x.margin_relative, x.velocity_steps, x.rebuild_period, x.reinsertions)
BV_FIELDS(WideTreeOptions, x.rebuild_growth)
BV_FIELDS(BspOptions, x.candidates, x.split_cost, x.imbalance_cost, x.max_depth, x.max_fragments_per_triangle,
          x.tolerance)
BV_FIELDS(MeshBvhOptions, x.max_leaf_triangles, x.traversal_cost, x.intersection_cost, x.spatial_splits)
BV_FIELDS(MetricOptions, x.traversal_cost, x.intersection_cost, x.seed)
BV_FIELDS(fit::ObbExactOptions, x.complete_up_to_edges)
BV_FIELDS(VolumeTreeOptions<Obb>, x.max_leaf_triangles, x.max_depth)
BV_FIELDS(VolumeTreeOptions<Aabb>, x.max_leaf_triangles, x.max_depth)
BV_FIELDS(VolumeTreeOptions<Sphere>, x.max_leaf_triangles, x.max_depth)
BV_FIELDS(TreeSnapshot, x.boxes, x.parents, x.first_child, x.child_count, x.depths, x.source_nodes,
          x.first_payload, x.payload_count, x.payloads, x.payload_boxes, x.obbs)

// Results.
BV_FIELDS(RayHit, x.t, x.point, x.normal, x.t_enter, x.t_exit, x.u, x.v)
BV_FIELDS(SweepHit, x.t_enter, x.t_leave, x.normal)
BV_FIELDS(PlaneProjection, x.distance, x.radius)
BV_FIELDS(ClosestPoints, x.distance, x.on_a, x.on_b)
BV_FIELDS(Contact, x.point, x.depth)
BV_FIELDS(Separation, x.distance, x.axis, x.on_a, x.on_b, x.contacts)
BV_FIELDS(MeshHit, x.t, x.u, x.v)
BV_FIELDS(MeshRayResult, x.hit)
BV_FIELDS(MeshNearest, x.point, x.distance)
BV_FIELDS(MeshNearestResult, x.nearest)
BV_FIELDS(MeshDistance, x.distance, x.point_a, x.point_b)
BV_FIELDS(MeshDistanceResult, x.nearest)
BV_FIELDS(ContactSegment, x.segment)
BV_FIELDS(MeshPiece, x.positions)
BV_FIELDS(MeshSlice, x.front, x.back, x.contours)
BV_FIELDS(MeshBvhNode, x.min, x.max)
BV_FIELDS(BspNode, x.normal, x.offset, x.box)
BV_FIELDS(BspCell, x.box)
BV_FIELDS(Neighbor, x.distance_sq)
BV_FIELDS(ProxyRayHit, x.t)
BV_FIELDS(TreeMetrics, x.area_ratio, x.sah, x.epo, x.sibling_overlap, x.max_sibling_overlap, x.dead_space,
          x.fatness, x.mean_leaf_depth, x.nodes_per_ray, x.nodes_per_box)
BV_FIELDS(BroadphaseLayout::Cell, x.box)
BV_FIELDS(BroadphaseLayout::Cut, x.part, x.at)
BV_FIELDS(BroadphaseLayout::Interval, x.from, x.to)
BV_FIELDS(BroadphaseLayout::SortedAxis, x.intervals)
BV_FIELDS(BroadphaseLayout, x.cells, x.cuts, x.axes)
BV_FIELDS(LooseNode, x.excess)
BV_FIELDS(LooseNodes, x.first)
BV_FIELDS(BoxList, x.boxes)
BV_FIELDS(SnapshotResult, x.tree)
BV_FIELDS(QueryStats, x.hits)
BV_FIELDS(CollideResult, x.stats.hits)
BV_FIELDS(CollideStats, x.hits)
BV_FIELDS(InsertResult, x.id)
BV_FIELDS(VoxelPair, x.a, x.b)
BV_FIELDS(detail::Bvh8Node, x.origin, x.step)
BV_FIELDS(detail::TriangleBlock, x.corner)
BV_FIELDS(OperationLog::Entry, x.area_before, x.area_after)

#undef BV_FIELDS

template <class T>
constexpr bool kHasNoNumbers =
    std::is_enum_v<T> || std::is_same_v<T, bool> || std::is_convertible_v<T, std::string_view>;
template <class T>
constexpr bool kIsVector = requires(T x) {
    T::length();
    x[0];
};

template <class T>
constexpr bool kIsView = false;
template <class T, std::size_t N>
constexpr bool kIsView<std::span<T, N>> = true;

/// Calls `leaf` for each number of `x`.
template <class X, class Leaf>
void for_each_number(X& x, Leaf&& leaf) {
    using T = std::remove_const_t<X>;
    static_assert(!kIsView<T>,
                  "a result must own its numbers: a row's function returns before they are read");
    if constexpr (kHasNoNumbers<T>) {
    } else if constexpr (std::is_arithmetic_v<T>) {
        leaf(x);
    } else if constexpr (kIsVector<T>) {
        for (int i = 0; i < static_cast<int>(T::length()); ++i)
            for_each_number(x[i], leaf);
    } else if constexpr (requires { x.has_value(); }) {
        if (x) for_each_number(*x, leaf);
    } else if constexpr (requires { x.valueless_by_exception(); }) {
        std::visit([&](auto& one) { for_each_number(one, leaf); }, x);
    } else if constexpr (requires { std::begin(x); }) {
        for (auto& one : x)
            for_each_number(one, leaf);
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
        std::apply([&](auto&... one) { (for_each_number(one, leaf), ...); }, x);
    } else {
        fields(x, [&](auto&... one) { (for_each_number(one, leaf), ...); });
    }
}

}  // namespace bv::test
