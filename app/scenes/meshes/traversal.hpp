// The traversal of a mesh's tree by a ray, node by node: the order of visits, where the ray enters and leaves
// each pair of planes, and why a node was opened or skipped.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "bv/trace/events.hpp"
#include "bv/tree/mesh_bvh.hpp"

namespace lab::scenes {

/// The outcome of a step.
enum class StepVerdict : unsigned char {
    Entered,     ///< An inner node: its children are next.
    Missed,      ///< The three intervals of t do not overlap.
    Behind,      ///< The box lies behind the ray's origin.
    TooFar,      ///< The box begins behind the best hit so far, or behind the ray's end.
    LeafTested,  ///< A leaf whose triangles were all missed.
    LeafHit      ///< A leaf with a triangle that was hit.
};
[[nodiscard]] const char* name_of(StepVerdict verdict);
[[nodiscard]] constexpr bool is_culled(StepVerdict verdict) {
    return verdict == StepVerdict::Missed || verdict == StepVerdict::Behind || verdict == StepVerdict::TooFar;
}

struct TraversalStep {
    std::uint32_t node = 0;
    std::uint32_t depth = 0;
    StepVerdict verdict{};
    bv::Aabb box;                            ///< In the mesh's frame.
    std::array<bv::SlabClipped, 3> slabs{};  ///< One per axis.
    float enter = 0, exit = 0;               ///< The intersection of the three slabs; empty if enter > exit.
    float best_before = 0, best_after = 0;   ///< The best hit so far, infinite without one.
    std::uint32_t triangles = 0;             ///< Tested in this leaf.
    std::uint32_t first_reference = 0;       ///< The first of those, in the tree's order.
};

struct Traversal {
    std::vector<TraversalStep> steps;
    bv::MeshRayResult result;
    bool cut_off = false;  ///< True if some steps were dropped.
};

/// The closest hit, watertight, with every visited node. `ray` is in the mesh's frame.
[[nodiscard]] Traversal traverse(const bv::MeshBvh& tree, const bv::Ray& ray);

/// The stack after the first `steps` steps: nodes that wait for nearer ones.
[[nodiscard]] std::vector<std::uint32_t> waiting_nodes(const bv::MeshBvh& tree, const Traversal& traversal,
                                                       std::size_t steps);

/// The outcome of a step in words.
[[nodiscard]] std::string in_words(const bv::MeshBvh& tree, const TraversalStep& step);

}  // namespace lab::scenes
