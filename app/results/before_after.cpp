#include "results/before_after.hpp"

namespace lab {
namespace {

using Unit = CostRow::Unit;

constexpr std::array<CostRow, FrameCost::kRows> kCostRows = {{
    {FrameCost::BroadTests, "broad_tests", "Boxes tested", Unit::Work},
    {FrameCost::BroadPairs, "broad_pairs", "Boxes overlap", Unit::Pairs},
    {FrameCost::VolumePairs, "volume_pairs", "Volumes overlap", Unit::Pairs},
    {FrameCost::ExactPairs, "exact_pairs", "Meshes touch", Unit::Pairs},
    {FrameCost::PartTests, "exact_part_tests", "Triangles tested", Unit::Work},
    {FrameCost::RayNodes, "ray_nodes", "Ray: nodes", Unit::Work},
    {FrameCost::RayTests, "ray_tests", "Ray: triangles", Unit::Work},
    {FrameCost::Memory, "broadphase_bytes", "Broadphase, bytes", Unit::Work},
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
