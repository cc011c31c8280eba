// The events that algorithms emit, one for each step: plain structs with the numbers that a teacher would
// write on the board. Lengths are in meters, t in multiples of the ray's direction, costs in units of surface
// area.
#pragma once

#include <array>
#include <cstdint>
#include <glm/ext/vector_int3.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <variant>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/obb.hpp"
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
    float gap = 0;               ///< Positive: the gap along the axis. Negative: overlap.
    bool skipped = false;        ///< A near-parallel edge pair, which adds nothing.
};

/// One pair of parallel planes clipping a ray.
struct SlabClipped {
    std::uint8_t axis = 0;
    float t_near = 0, t_far = 0;    ///< Where the ray crosses this slab.
    float t_enter = 0, t_exit = 0;  ///< The remaining interval.
};

/// The part of a line in all slabs, clipped to the ray's own range, or to the duration of a motion. Only
/// recorded if the slabs left a part.
struct RangeClipped {
    float t_begin = 0, t_end = 0;   ///< The range.
    float t_near = 0, t_far = 0;    ///< The part of the line in all slabs.
    float t_enter = 0, t_exit = 0;  ///< The intersection of both; empty if `t_enter > t_exit`.
};

/// A bounding sphere before and after it grew to include a point.
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
    float t_enter = 0;  ///< For rays: where the ray enters the node's box. Otherwise 0.
    Verdict verdict{};
};

/// An insertion evaluated a node as the new leaf's sibling.
struct SiblingConsidered {
    NodeIndex node;
    float direct = 0;       ///< Area of the new parent.
    float inherited = 0;    ///< Area added to all ancestors.
    float lower_bound = 0;  ///< The least cost possible below this node.
    bool chosen = false;    ///< The best so far.
};

/// A rotation was applied at a node: two subtrees below it change places. The boxes follow as `NodeRefitted`.
struct Rotated {
    NodeIndex node;
    std::uint8_t kind = 0;  ///< Which of the node's possible swaps.
    float cost_before = 0;
    float cost_after = 0;
    NodeIndex first;  ///< The nearer to the root, unless both are at one depth.
    NodeIndex second;
};

/// A leaf, or a subtree that is reinserted, joined a tree: a new parent took the sibling's place, with both
/// below it. Its box follows as `NodeRefitted`.
struct LeafPlaced {
    NodeIndex leaf;
    NodeIndex sibling;  ///< Invalid, as is the parent, for the first leaf of a tree.
    NodeIndex parent;
    Aabb box;                     ///< The leaf's box.
    std::uint64_t user_data = 0;  ///< The user data of its proxy.
};

/// A leaf left a tree: its sibling took the place of their parent, which is gone.
struct LeafDetached {
    NodeIndex leaf;
    NodeIndex sibling;  ///< Invalid, as is the parent, for the last leaf of a tree.
    NodeIndex parent;
    Aabb parent_box;
};

/// The box of a node changed: that of an inner node to the box around its children, that of a leaf by a move.
struct NodeRefitted {
    NodeIndex node;
    Aabb before;  ///< Empty for a new node.
    Aabb after;
    bool leaf = false;
};

/// A builder evaluated a split plane or split position. Builders that compare several evaluate all of them
/// first, and then the chosen one once more.
struct SplitEvaluated {
    NodeIndex node;
    std::uint8_t axis = 0;
    std::uint32_t left_count = 0;
    std::uint32_t right_count = 0;
    float cost = 0;
    bool chosen = false;
    std::uint32_t cut = 0;   ///< Cut by the plane; counted on both sides.
    glm::vec3 normal{0.0f};  ///< The plane's normal; zero where the split follows from the counts.
    float offset = 0;        ///< dot(normal, x) == offset on the plane.
    std::uint8_t bins = 0;   ///< Equal parts of the axis that such planes separate; 0: planes lie anywhere.
};

/// A piece of a triangle was sorted to a side of a BSP node's plane.
struct PieceSorted {
    enum class Verdict : std::uint8_t { InPlane, Front, Back, Cut };
    NodeIndex node;
    /// The piece keeps this number while it is passed down. Different pieces have different numbers, which
    /// need not be consecutive.
    std::uint32_t piece = 0;
    std::uint32_t triangle = 0;
    Verdict verdict{};
    std::uint32_t front = 0, back = 0;  ///< If cut: the two new pieces.
    glm::vec3 from{0.0f}, to{0.0f};     ///< If cut: the segment where they meet.
};

/// A spatial split was applied to a triangle that lies on both sides of its plane.
struct ReferenceSplit {
    enum class Choice : std::uint8_t { Low, High, Both };
    NodeIndex node;
    std::uint32_t triangle = 0;
    Aabb low, high;  ///< Boxes of its two parts.
    /// The node's cost, as in `SplitEvaluated`, with the whole triangle on the low or the high side, or a
    /// part on each.
    float cost_low = 0, cost_high = 0, cost_both = 0;
    Choice choice{};
};

/// A cluster chose the neighbor on the curve with which it has the smallest box.
struct NeighborFound {
    NodeIndex cluster;
    NodeIndex neighbor;
    std::uint32_t place = 0, neighbor_place = 0;  ///< Positions on the curve, from 0.
    Aabb box, neighbor_box;
    bool mutual = false;  ///< The neighbor chose the cluster, too.
};

/// Two clusters that had chosen each other became one, in the place of the first.
struct ClustersMerged {
    NodeIndex first;
    NodeIndex second;
    NodeIndex parent;
    Aabb box;
    std::uint32_t left = 0;  ///< Clusters that remain.
};

/// A BSP listed a piece in the order of visibility from a point.
struct PieceListed {
    NodeIndex node;              ///< The node in whose plane it lies; invalid in an unsplit cell.
    std::uint32_t fragment = 0;  ///< Its number in the tree.
    std::uint32_t triangle = 0;
    std::uint32_t place = 0;  ///< Position in the order, from 0.
};

/// A fit found the extreme points along a direction.
struct ExtremesFound {
    glm::vec3 direction{0.0f};
    std::uint32_t low_index = 0;
    std::uint32_t high_index = 0;
    glm::vec3 low{0.0f};
    glm::vec3 high{0.0f};
};

/// The smallest ball of a few points, and the point farthest outside it, which is added next.
struct SupportBall {
    Sphere ball;
    std::uint8_t support_count = 0;
    std::array<std::uint32_t, 4> support{};  ///< Indices of the points on its surface.
    std::uint32_t farthest = 0;              ///< Index of the point farthest from the center.
    float excess = 0;  ///< Its distance outside the ball; not positive if all are inside.
};

/// A fit chose the center of its ball before it measured the radius.
struct CenterFound {
    glm::vec3 center{0.0f};
    std::uint32_t point_count = 0;  ///< Finite points that it follows from.
};

/// The radius around the final center, measured over all points: what the fit returns.
struct BallMeasured {
    Sphere ball;
    std::uint32_t farthest = 0;  ///< Index of a point on its surface.
};

/// A fit measured its points along one of its directions and keeps the slab between them.
struct SlabFitted {
    glm::vec3 direction{0.0f};  ///< As the volume defines it; not of unit length.
    float min = 0, max = 0;     ///< Bounds of the dot products with it, as stored in the volume.
    std::uint32_t low_index = 0;
    std::uint32_t high_index = 0;
};

/// The principal axes that a fit aligns its box with.
struct PrincipalAxesFound {
    glm::vec3 center{0.0f};
    glm::mat3 axes{1.0f};
    glm::vec3 variance{0.0f};  ///< Along each axis, in square meters.
};

/// A face of the growing hull that the next point sees, and that is therefore removed. Faces keep their slot
/// while they are part of the hull.
struct HullFaceSeen {
    std::uint32_t point_index = 0;  ///< The next point.
    std::uint32_t slot = 0;
    std::array<std::uint32_t, 3> vertex{};  ///< Indices of points, counter-clockwise seen from outside.
};

/// A face that joined the hull. The slots of removed faces are reused.
struct HullFaceAdded {
    std::uint32_t slot = 0;
    std::array<std::uint32_t, 3> vertex{};
};

/// Quickhull added a point to the hull. The first four make the initial tetrahedron; for a flat hull all
/// corners are recorded, without faces. The faces that the point saw are recorded before it, those that it
/// added after it.
struct HullPointAdded {
    std::uint32_t point_index = 0;
    glm::vec3 point{0.0f};
    std::uint32_t faces_removed = 0;  ///< Faces that the point saw.
    std::uint32_t faces_added = 0;    ///< Faces from the horizon to the point.
    float distance = 0;               ///< From the face whose farthest outside point it was.
};

/// A fit evaluated an oriented box.
struct BoxConsidered {
    enum class Reason : std::uint8_t {
        Axes,        ///< The coordinate axes.
        Principal,   ///< Principal axes of the points, the surface or the hull.
        Triangle,    ///< A face of a small polytope of extreme points, and its edges.
        FaceFlush,   ///< A side is flush with a face of the hull.
        EdgesFlush,  ///< Sides are flush with edges of the hull.
        Refined,     ///< Rotated about one of its axes to the best rectangle.
        Measured,    ///< Around all points along the chosen axes: what the fit returns.
    };
    Obb box;
    float volume = 0;
    Reason reason{};
    bool best = false;  ///< The smallest so far.
};

/// A step of GJK: the remaining simplex, of points a - b, and the points of the two shapes that correspond to
/// its point closest to the origin. The distance is between the bounds.
struct SimplexReduced {
    std::uint8_t count = 0;     ///< Corners, 1 to 4; 4 means that the origin is inside.
    glm::vec3 difference[4]{};  ///< Points of the difference of the two shapes.
    glm::vec3 on_a{0.0f};
    glm::vec3 on_b{0.0f};
    float lower_bound = 0;
    float upper_bound = 0;
};

/// A simultaneous traversal of two trees tested a volume of each against the other.
struct VolumesTested {
    NodeIndex a;
    NodeIndex b;
    std::uint32_t depth_a = 0;
    std::uint32_t depth_b = 0;
    bool overlap = false;
};

/// A ray against one triangle, by barycentric coordinates. These are scaled by the sign of the determinant
/// but not divided by it: inside means 0 <= u, 0 <= v and u + v <= determinant. t is divided.
struct TriangleTested {
    enum class Verdict : std::uint8_t {
        Hit,
        Parallel,
        OutsideU,
        OutsideV,
        OutsideW,
        Behind,   ///< Before the ray's t_min.
        Beyond,   ///< After its t_max.
        Crosses,  ///< Goes on: the determinant is not 0.
        WithinU,  ///< Goes on.
        WithinV,  ///< Continues: the line hits the triangle.
    };
    float determinant = 0;  ///< Not negative; 0 where the ray lies in the plane or the triangle has no area.
    bool front = false;     ///< The ray hits the side from which the corners run counter-clockwise.
    float u = 0, v = 0;     ///< Valid as far as the test got; the verdict says where it is.
    float t = 0;
    Verdict verdict{};
};

/// The corners of one of two triangles were sorted to the sides of the other's plane.
struct CornersSided {
    bool of_a = false;                  ///< A's corners, by B's plane; otherwise the reverse.
    std::array<std::int8_t, 3> side{};  ///< Exact: 1 in front, -1 behind, 0 in the plane.
    glm::vec3 normal{0.0f};             ///< The plane's unit normal; zero for a triangle without area.
    glm::vec3 on_plane{0.0f};
    glm::vec3 distance{0.0f};  ///< Signed distances of the three corners, rounded.
    bool apart = false;        ///< All are on one side.
};

/// Two triangles that cross each other's planes were compared where they meet the line of both planes.
struct IntervalsCompared {
    glm::vec3 origin{0.0f};
    glm::vec3 direction{0.0f};   ///< Unit length.
    float min_a = 0, max_a = 0;  ///< Along the line from the origin; rounded.
    float min_b = 0, max_b = 0;
    bool overlap = false;  ///< Decided exactly.
};

/// An edge of one of two triangles was tested against the other: a corner lies in the other's plane.
struct EdgeTested {
    bool of_a = false;      ///< An edge of A, against B; otherwise the reverse.
    std::uint8_t edge = 0;  ///< 0: ab, 1: bc, 2: ca.
    bool hit = false;
};

/// A sweep reached the lower end of a box on its axis.
struct SweepReached {
    std::uint32_t box = 0;
    std::uint8_t axis = 0;
    float low = 0, high = 0;  ///< The ends of the box along the axis.
    std::uint32_t open = 0;   ///< Boxes whose interval contains the lower end, without this one.
};

/// Two neighbors in the sorted ends of an axis changed places: the moving one is now before the other.
struct EndsExchanged {
    std::uint8_t axis = 0;
    std::uint32_t moving = 0;  ///< A box, as is `passed`.
    std::uint32_t passed = 0;
    bool moving_upper = false;  ///< The upper end of the box; otherwise the lower.
    bool passed_upper = false;
    float moving_at = 0, passed_at = 0;
};

/// A box was entered into a cell that it overlaps.
struct CellFilled {
    static constexpr std::uint32_t kNoBucket = 0xffffffffu;
    Aabb cell;
    std::uint32_t number = 0;  ///< The cell's number, as in BoxesTested; unique within a search.
    std::uint32_t box = 0;
    std::uint32_t boxes = 0;           ///< Boxes in the cell, including this one.
    std::uint32_t bucket = kNoBucket;  ///< Hash only: the cell's bucket; several cells may share one.
};

/// A search for pairs tested two boxes.
struct BoxesTested {
    enum class Verdict : std::uint8_t {
        Apart,
        Pair,
        Duplicate,  ///< They overlap, but their pair is counted in another cell.
    };
    static constexpr std::uint32_t kNoCell = 0xffffffffu;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Verdict verdict{};
    std::uint32_t cell = kNoCell;  ///< The cell in which they met.
};

/// A search for pairs did not test two boxes, because a rule spared the test.
struct PairSpared {
    enum class Rule : std::uint8_t {
        Resting,  ///< `a` rests and starts no tests; `b` is kNobody.
        Once,     ///< Tested by the other body, or already in another cell.
        Behind,   ///< They move apart.
        Points,   ///< Their centers are too far apart.
    };
    static constexpr std::uint32_t kNobody = 0xffffffffu;
    std::uint32_t a = 0;
    std::uint32_t b = kNobody;
    Rule rule{};
    /// Points: meters beyond the sum of the radii. Behind: distance times parting speed, m^2/s.
    float by = 0;
    std::uint32_t cell = BoxesTested::kNoCell;  ///< The cell in which they met.
};

/// A solid, or a point, was compared with a plane.
struct PlaneTested {
    enum class Verdict : std::uint8_t { Back, Across, Front };
    std::uint32_t plane = 0;  ///< Its number in the frustum, or the node that it splits.
    glm::vec3 normal{0.0f};
    float offset = 0;    ///< dot(normal, x) == offset on the plane.
    float distance = 0;  ///< Signed distance of the center.
    float radius = 0;    ///< The solid's radius along the normal; for a point, the plane's thickness.
    Verdict verdict{};
};

/// A slice by a plane classified or cut a triangle.
struct TriangleCut {
    enum class Verdict : std::uint8_t { Front, Back, InPlane, Cut };
    std::uint32_t triangle = 0;
    Verdict verdict{};
    glm::vec3 from{0.0f}, to{0.0f};  ///< Its segment of the outline; only if it is cut.
    std::uint32_t new_corners = 0;   ///< Corners made for it; its neighbors had made the others.
};

/// Pieces of the outline joined to a loop, which a cap closes.
struct LoopClosed {
    std::uint32_t corners = 0;
    float area = 0;  ///< Area of the loop, in square meters; negative for a hole.
};

/// Two cubes of voxel grids were tested: bricks of 4x4x4 voxels, or voxels.
struct CubesTested {
    bool bricks = false;
    glm::ivec3 a{0};  ///< In units of bricks, or of voxels.
    glm::ivec3 b{0};
    bool overlap = false;
};

using TraceEvent =
    std::variant<AxisTested, SlabClipped, SphereGrown, NodeVisited, SiblingConsidered, Rotated,
                 SplitEvaluated, ExtremesFound, SupportBall, HullPointAdded, BoxConsidered, SimplexReduced,
                 VolumesTested, TriangleTested, CenterFound, BallMeasured, SlabFitted, PrincipalAxesFound,
                 HullFaceSeen, HullFaceAdded, LeafPlaced, LeafDetached, NodeRefitted, SweepReached,
                 EndsExchanged, CellFilled, BoxesTested, PlaneTested, TriangleCut, LoopClosed, CubesTested,
                 PieceSorted, PieceListed, PairSpared, ReferenceSplit, NeighborFound, ClustersMerged,
                 CornersSided, IntervalsCompared, EdgeTested, RangeClipped>;

}  // namespace bv
