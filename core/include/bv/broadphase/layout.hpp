// The internal structure of a broadphase: its partition of space, or its sorted lists. For drawing and
// tables; finding pairs does not need it.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace bv {

/// The structure as `Broadphase::layout` describes it. Each engine fills the parts that apply to it; brute
/// force fills none. All values are finite.
struct BroadphaseLayout {
    /// A nonempty cell of the grid or hash, or a leaf of the BSP.
    struct Cell {
        Aabb box;
        /// Boxes that overlap the cell; all are tested against each other. A leaf of the BSP has its lower
        /// ends but not its upper ones: boxes that only touch it at an upper face are not counted.
        std::uint32_t boxes = 0;
        std::uint32_t depth = 0;  ///< Depth in the BSP; else 0.
    };
    /// A plane of the BSP, clipped to the region that it splits.
    struct Cut {
        Aabb part;
        int axis = 0;
        float at = 0.0f;
        std::uint32_t depth = 0;
    };
    /// The projection of one box onto an axis.
    struct Interval {
        std::uint64_t user_data = 0;
        float from = 0.0f, to = 0.0f;
    };
    struct SortedAxis {
        int axis = 0;
        std::vector<Interval> intervals;  ///< Sorted by start.
    };

    std::vector<Cell> cells;
    std::vector<Cut> cuts;
    std::vector<SortedAxis> axes;
};

}  // namespace bv
