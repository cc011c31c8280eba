// The internal structure of a broadphase: its partition of space, or its sorted lists. For pictures and
// tables; nothing here is needed to find pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace bv {

/// The structure as of the last search for pairs. Engines fill the parts that apply to them;
/// brute force none. All finite.
struct BroadphaseLayout {
    /// A cell of the grid or of the hash that holds boxes, or a leaf of the BSP.
    struct Cell {
        Aabb box;
        std::uint32_t boxes = 0;  ///< That reach into it: each is tested against each.
        std::uint32_t depth = 0;  ///< In the BSP; else 0.
    };
    /// A plane of the BSP, inside the part of space that it divides.
    struct Cut {
        Aabb part;
        int axis = 0;
        float at = 0.0f;
        std::uint32_t depth = 0;
    };
    /// The shadow of one box on an axis.
    struct Interval {
        std::uint64_t user_data = 0;
        float from = 0.0f, to = 0.0f;
    };
    struct SortedAxis {
        int axis = 0;
        std::vector<Interval> intervals;  ///< By where they start.
    };

    std::vector<Cell> cells;
    std::vector<Cut> cuts;
    std::vector<SortedAxis> axes;
};

}  // namespace bv
