// A coarser hull.
#pragma once

#include "bv/shapes/hull.hpp"
#include "fit/passes.hpp"

namespace bv::detail {

/// The exact hull of a subset of the points, such that no other point is more than about `tolerance` outside.
/// With tolerance 0 it is the hull of all.
[[nodiscard]] Hull hull_within(Points points, double tolerance);

}  // namespace bv::detail
