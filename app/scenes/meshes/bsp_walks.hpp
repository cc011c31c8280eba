// The walks through a BSP tree: how it is built, where a point is, and its pieces in the order of
// visibility.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <map>
#include <memory>
#include <string>

#include "bv/shapes/triangle.hpp"
#include "bv/tree/bsp_tree.hpp"
#include "steps/walk.hpp"

namespace lab::scenes {

inline constexpr std::size_t kMaxBspEvents = 100'000;

/// Data shared by the walks of one tree.
struct BspPictures {
    std::map<std::uint32_t, Polytope> planes;           ///< Each within its cell, by node.
    std::shared_ptr<const steps::Pieces> pieces;        ///< By the numbers of fragments.
    std::shared_ptr<const steps::Pieces> build_pieces;  ///< By the numbers that the build gave them.
    std::vector<std::uint32_t> first_pieces;            ///< Whole triangles, by the same numbers.
};
/// `trace` is the recording of its build, or empty.
[[nodiscard]] BspPictures make_bsp_pictures(const bv::BspTree& tree, const bv::MeshView& mesh,
                                            const bv::Recording& trace, const bv::Aabb& around);

[[nodiscard]] std::shared_ptr<const steps::Walk> walk_bsp_build(const bv::BspTree& tree,
                                                                const BspPictures& pictures,
                                                                const bv::Recording& trace);
[[nodiscard]] std::shared_ptr<const steps::Walk> walk_bsp_point(const bv::BspTree& tree,
                                                                const glm::vec3& point);
[[nodiscard]] std::shared_ptr<const steps::Walk> walk_bsp_order(const bv::BspTree& tree,
                                                                const BspPictures& pictures,
                                                                const glm::vec3& eye, bool front_first);

[[nodiscard]] const char* name_of(bv::BspSide side);
/// Adds a convex polygon: its edges, and triangles that fill it.
void add_edges_and_fan(Polytope& to, const std::vector<glm::dvec3>& polygon);

}  // namespace lab::scenes
