#include "results/before_after.hpp"

namespace lab {
namespace {

using Unit = CostRow::Unit;

constexpr std::array<CostRow, FrameCost::kRows> kCostRows = {{
    {FrameCost::BroadTests, "broad_tests", "Boxes tested", Unit::Work},
    {FrameCost::BroadPairs, "broad_pairs", "Boxes overlap", Unit::Moment},
    {FrameCost::VolumePairs, "volume_pairs", "Volumes overlap", Unit::Moment},
    {FrameCost::ExactPairs, "exact_pairs", "Meshes overlap", Unit::Moment},
    {FrameCost::PartTests, "exact_part_tests", "Triangles tested", Unit::Work},
    {FrameCost::RayNodes, "ray_nodes", "Ray: nodes", Unit::Work},
    {FrameCost::RayTests, "ray_tests", "Ray: triangles", Unit::Work},
    {FrameCost::TreeHeight, "tree_height", "Tree height", Unit::Moment},
    {FrameCost::TreeSah, "tree_sah", "SAH cost", Unit::Moment},
    {FrameCost::Memory, "broadphase_bytes", "Memory, bytes", Unit::Work},
    {FrameCost::RefitMs, "refit_ms", "Refit, ms", Unit::Milliseconds},
    {FrameCost::BroadMs, "broadphase_ms", "Broadphase, ms", Unit::Milliseconds},
    {FrameCost::VolumeMs, "volume_ms", "Volume tests, ms", Unit::Milliseconds},
    {FrameCost::ExactMs, "exact_ms", "Exact tests, ms", Unit::Milliseconds},
    {FrameCost::QueryMs, "query_ms", "Rays, ms", Unit::Milliseconds},
}};

}  // namespace

const std::array<CostRow, FrameCost::kRows>& cost_rows() {
    return kCostRows;
}

}  // namespace lab
