// What an algorithm can say about the steps that it took: plain structs with the numbers that a teacher would write on
// the board. Lengths are in metres, t in lengths of the ray's direction, costs in units of surface area.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <variant>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/sphere.hpp"

namespace bv {

/// One separating-axis candidate of a pair test.
struct AxisTested {
    enum class Kind : std::uint8_t { FaceA, FaceB, EdgeCross };
    Kind kind{};
    std::int8_t i = -1;  ///< Axis index in A, or -1.
    std::int8_t j = -1;  ///< Axis index in B, or -1.
    glm::vec3 axis{0.0f};
    float min_a = 0, max_a = 0;  ///< Projection of A on the axis.
    float min_b = 0, max_b = 0;  ///< Projection of B on the axis.
    float gap = 0;               ///< Positive: apart by that much along the axis. Negative: overlap.
    bool skipped = false;        ///< A near-parallel edge pair, which adds nothing.
};

/// One pair of parallel planes clipping a ray.
struct SlabClipped {
    std::uint8_t axis = 0;
    float t_near = 0, t_far = 0;    ///< Where the ray crosses this slab.
    float t_enter = 0, t_exit = 0;  ///< The interval that is left after it.
};

/// A bounding sphere before and after it was grown to take in a point.
struct SphereGrown {
    std::uint32_t point_index = 0;
    Sphere before;
    Sphere after;
};

/// A traversal reached a node.
struct NodeVisited {
    enum class Verdict : std::uint8_t { Entered, Culled, LeafTested, LeafHit };
    NodeIndex node;
    std::uint32_t depth = 0;
    float t_enter = 0;  ///< For rays: where the node's box is entered. Otherwise 0.
    Verdict verdict{};
};

/// An insertion weighed a node as the new leaf's sibling.
struct SiblingConsidered {
    NodeIndex node;
    float direct = 0;       ///< Area of the new parent.
    float inherited = 0;    ///< Area added to all ancestors.
    float lower_bound = 0;  ///< The least cost possible below this node.
    bool chosen = false;
};

/// A rotation was made at a node.
struct Rotated {
    NodeIndex node;
    std::uint8_t kind = 0;  ///< Which of the node's swaps.
    float cost_before = 0;
    float cost_after = 0;
};

/// A builder weighed a split plane or split position.
struct SplitEvaluated {
    NodeIndex node;
    std::uint8_t axis = 0;
    std::uint32_t left_count = 0;
    std::uint32_t right_count = 0;
    float cost = 0;
    bool chosen = false;
};

using TraceEvent = std::variant<AxisTested, SlabClipped, SphereGrown, NodeVisited, SiblingConsidered, Rotated,
                                SplitEvaluated>;

}  // namespace bv
