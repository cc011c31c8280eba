// The state of an algorithm after a number of its steps: the fold of its events. Walking back is folding
// fewer of them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "bv/trace/events.hpp"
#include "steps/subject.hpp"
#include "steps/tree_state.hpp"

namespace lab::steps {

/// A node below which branch and bound may find a better sibling.
struct Candidate {
    bv::NodeIndex node;
    float bound = 0;   ///< The least cost possible below it.
    float growth = 0;  ///< Growth of the node and its ancestors; orders the queue.
};

/// The parts of every algorithm's state; each uses a few of them. After the last event they are its answer.
struct Board {
    struct HullFace {
        std::array<std::uint32_t, 3> vertex{};
        bool alive = false;
        bool seen = false;  ///< By the next point.
    };

    // Balls, boxes, slabs and hulls around points.
    std::vector<bv::ExtremesFound> extremes;
    std::optional<bv::CenterFound> center;
    std::optional<bv::Sphere> ball;
    std::vector<std::uint32_t> support;  ///< Points on the ball's surface that determine it.
    std::optional<bv::PrincipalAxesFound> principal;
    std::optional<bv::BoxConsidered> best_box;
    std::vector<bv::SlabFitted> slabs_fitted;
    std::vector<HullFace> faces;             ///< By slot.
    std::vector<std::uint32_t> seen_faces;   ///< Slots of those that the next point sees.
    std::size_t face_count = 0;              ///< Faces alive, seen ones included.
    std::vector<std::uint32_t> hull_points;  ///< In order of joining; some may be inside by now.

    // Pairs and rays.
    std::optional<bv::SimplexReduced> simplex;
    std::vector<bv::AxisTested> axes;
    std::vector<bv::SlabClipped> slabs;
    std::vector<bv::PlaneTested> planes;
    std::vector<bv::CornersSided> sided;
    std::optional<bv::IntervalsCompared> intervals;
    std::vector<bv::EdgeTested> edges;
    bool triangles_meet = false;

    // Trees.
    std::vector<bv::NodeVisited> visited;
    std::vector<bv::VolumesTested> pairs;
    std::vector<bv::SiblingConsidered> siblings;
    std::optional<bv::SiblingConsidered> best_sibling;
    std::vector<bv::SplitEvaluated> splits;        ///< Of the node that is being split.
    std::optional<bv::SplitEvaluated> best_split;  ///< The cheapest of them.
    std::vector<bv::NodeIndex> split_nodes;        ///< In the order in which they were split.

    std::vector<bv::ReferenceSplit> references;                ///< Triangles across the plane of that node.
    std::vector<std::pair<std::uint32_t, bv::Aabb>> clusters;  ///< The remaining ones, along the curve.
    std::vector<bv::NeighborFound> neighbors;                  ///< Chosen in this round.
    std::vector<bv::ClustersMerged> merged;

    // Consecutive changes of a tree: the state of the last one.
    TreeState tree;
    std::size_t searches = 0;        ///< For siblings, including the current one.
    std::vector<Candidate> queue;    ///< Of branch and bound, in the order in which they are opened.
    float search_cost = 0;           ///< Cost of the best sibling that the last search has found.
    std::vector<Candidate> cut_off;  ///< Nothing below them can cost less than the best.
    std::optional<bv::LeafPlaced> placed;
    std::vector<bv::NodeIndex> refitted;

    // A BSP.
    std::set<std::uint32_t> pieces_waiting;       ///< Not in any plane yet.
    std::vector<std::uint32_t> pieces_in_planes;  ///< In the order in which planes took them.
    std::vector<bv::PieceSorted> sorted;          ///< By the plane of the node being divided.
    std::vector<bv::PieceListed> listed;

    // Searches for pairs.
    std::optional<bv::SweepReached> reached;
    std::optional<bv::EndsExchanged> exchanged;  ///< The last exchange.
    std::size_t exchanged_at = 0;                ///< Where it left the end that moved, along its axis.
    std::array<std::vector<BoxEnd>, 3> ends;     ///< Their current order, by axis.
    std::vector<bv::CellFilled> cells;           ///< Each once, with its last box.
    std::vector<bv::BoxesTested> tests;
    std::set<BoxPair> found;

    // Meshes and grids.
    std::vector<bv::TriangleCut> cuts;
    std::vector<bv::LoopClosed> loops;
    std::optional<bv::CubesTested> bricks;  ///< The pair whose voxels are tested.
    std::vector<bv::CubesTested> voxels;    ///< Pairs that overlap.

    Board() = default;
    /// Before the first event.
    explicit Board(const Subject& subject);

    /// Applies one event; true if the answer changed by it.
    bool apply(const bv::TraceEvent& event);

    /// The cost of the best sibling so far, in square meters; infinite before the first.
    [[nodiscard]] float best_cost() const {
        return best_sibling ? best_sibling->direct + best_sibling->inherited
                            : std::numeric_limits<float>::infinity();
    }
    /// The candidate that stands for the children of a considered node; empty for a leaf.
    [[nodiscard]] std::optional<Candidate> below(const bv::SiblingConsidered& event) const;
    /// Edges between a face that the next point sees and one that it does not, as indices of points.
    [[nodiscard]] std::vector<std::array<std::uint32_t, 2>> horizon() const;
    /// True iff the point lies outside no face of the hull.
    [[nodiscard]] bool hull_encloses(const Subject& subject, const glm::vec3& point) const;
};

}  // namespace lab::steps
