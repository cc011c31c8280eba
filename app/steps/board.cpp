#include "steps/board.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

namespace lab::steps {
namespace {

/// Applies one event of any kind; true if it changed the answer. A kind of event without a case here does
/// not compile.
struct Apply {
    Board& board;

    bool operator()(const bv::ExtremesFound& event) const {
        board.extremes.push_back(event);
        return false;
    }
    bool operator()(const bv::CenterFound& event) const {
        board.center = event;
        return false;
    }
    bool operator()(const bv::SphereGrown& event) const {
        board.ball = event.after;
        return true;
    }
    bool operator()(const bv::BallMeasured& event) const {
        const bool changed = board.ball != event.ball;
        board.ball = event.ball;
        return changed;
    }
    bool operator()(const bv::SupportBall& event) const {
        board.ball = event.ball;
        board.support.assign(event.support.begin(), event.support.begin() + event.support_count);
        return true;
    }
    bool operator()(const bv::PrincipalAxesFound& event) const {
        board.principal = event;
        return false;
    }
    bool operator()(const bv::BoxConsidered& event) const {
        if (event.best) board.best_box = event;
        return event.best;
    }
    bool operator()(const bv::SlabFitted& event) const {
        board.slabs_fitted.push_back(event);
        return true;
    }
    bool operator()(const bv::HullFaceSeen& event) const {
        if (event.slot >= board.faces.size()) return false;
        board.faces[event.slot].seen = true;
        board.seen_faces.push_back(event.slot);
        return false;
    }
    bool operator()(const bv::HullPointAdded& event) const {
        board.hull_points.push_back(event.point_index);
        for (const std::uint32_t slot : board.seen_faces)
            board.faces[slot] = {};
        board.face_count -= board.seen_faces.size();
        board.seen_faces.clear();
        return true;
    }
    bool operator()(const bv::HullFaceAdded& event) const {
        if (event.slot >= board.faces.size()) board.faces.resize(event.slot + std::size_t{1});
        board.faces[event.slot] = {event.vertex, true, false};
        ++board.face_count;
        return true;
    }
    bool operator()(const bv::SimplexReduced& event) const {
        board.simplex = event;
        return true;
    }
    bool operator()(const bv::AxisTested& event) const {
        const auto separates = [](const bv::AxisTested& axis) { return !axis.skipped && axis.gap > 0; };
        const bool apart = std::any_of(board.axes.begin(), board.axes.end(), separates);
        board.axes.push_back(event);
        return !apart && separates(event);
    }
    bool operator()(const bv::SlabClipped& event) const {
        const bool changed = board.slabs.empty() || board.slabs.back().t_enter != event.t_enter ||
                             board.slabs.back().t_exit != event.t_exit;
        board.slabs.push_back(event);
        return changed;
    }
    bool operator()(const bv::RangeClipped& event) const {
        return event.t_enter != event.t_near || event.t_exit != event.t_far;
    }
    bool operator()(const bv::TriangleTested& event) const {
        return event.verdict == bv::TriangleTested::Verdict::Hit;
    }
    bool operator()(const bv::NodeVisited& event) const {
        board.visited.push_back(event);
        return event.verdict == bv::NodeVisited::Verdict::LeafHit;
    }
    bool operator()(const bv::VolumesTested& event) const {
        board.pairs.push_back(event);
        return event.overlap;
    }
    bool operator()(const bv::SiblingConsidered& event) const {
        const bool first = board.siblings.empty();
        if (first) {
            ++board.searches;
            board.queue.clear();
            board.cut_off.clear();
            board.refitted.clear();
            board.placed.reset();
        }
        board.siblings.push_back(event);
        if (event.chosen) board.best_sibling = event;
        board.search_cost = board.best_cost();
        open_parent_of(event.node);
        weigh_children_of(event, first);
        return event.chosen;
    }
    /// Removes the parent: it left the queue when the first of its two children was considered.
    void open_parent_of(bv::NodeIndex node) const {
        const bv::NodeIndex parent{board.tree.parent(node)};
        for (auto* list : {&board.queue, &board.cut_off})
            std::erase_if(*list, [&](const Candidate& c) { return c.node == parent; });
    }
    void weigh_children_of(const bv::SiblingConsidered& event, bool first) const {
        const std::optional<Candidate> below = board.below(event);
        if (!below) return;
        if (!first && !(below->bound < board.best_cost())) {
            board.cut_off.push_back(*below);
            return;
        }
        const auto later = [&](const Candidate& c) {
            return c.growth > below->growth ||
                   (c.growth == below->growth && c.node.value > below->node.value);
        };
        board.queue.insert(std::find_if(board.queue.begin(), board.queue.end(), later), *below);
    }
    bool operator()(const bv::SplitEvaluated& event) const {
        if (!board.splits.empty() && board.splits.back().node != event.node) {
            board.splits.clear();
            board.best_split.reset();
            board.sorted.clear();
            board.references.clear();
        }
        board.splits.push_back(event);
        if (event.chosen || !board.best_split || event.cost < board.best_split->cost)
            board.best_split = event;
        if (event.chosen) board.split_nodes.push_back(event.node);
        return event.chosen;
    }
    bool operator()(const bv::Rotated& event) const {
        board.tree.apply(event);
        return true;
    }
    bool operator()(const bv::LeafPlaced& event) const {
        board.tree.apply(event);
        begin_change();
        board.placed = event;
        return true;
    }
    bool operator()(const bv::LeafDetached& event) const {
        board.tree.apply(event);
        begin_change();
        return true;
    }
    bool operator()(const bv::NodeRefitted& event) const {
        board.tree.apply(event);
        if (event.leaf) begin_change();
        board.refitted.push_back(event.node);
        return event.leaf;
    }
    void begin_change() const {
        board.siblings.clear();
        board.best_sibling.reset();
        board.refitted.clear();
        board.placed.reset();
    }
    bool operator()(const bv::SweepReached& event) const {
        board.reached = event;
        return false;
    }
    bool operator()(const bv::EndsExchanged& event) const {
        std::vector<BoxEnd>& ends = board.ends[std::min<std::size_t>(event.axis, 2)];
        // Ends move one after the other, along the axis: the next one is near the last one.
        const BoxEnd end{event.moving, event.moving_upper};
        const auto near =
            ends.begin() + static_cast<std::ptrdiff_t>(std::min(board.exchanged_at, ends.size()));
        auto moving = std::find(near, ends.end(), end);
        if (moving == ends.end()) moving = std::find(ends.begin(), near, end);
        if (moving != ends.begin() && moving != ends.end() && *moving == end &&
            *(moving - 1) == BoxEnd{event.passed, event.passed_upper}) {
            std::iter_swap(moving, moving - 1);
            board.exchanged_at = static_cast<std::size_t>(moving - 1 - ends.begin());
        }
        board.exchanged = event;
        return event.moving_upper && !event.passed_upper &&
               board.found.erase(as_pair(event.moving, event.passed)) > 0;
    }
    bool operator()(const bv::CellFilled& event) const {
        const auto known = std::find_if(board.cells.begin(), board.cells.end(),
                                        [&](const bv::CellFilled& c) { return c.cell == event.cell; });
        if (known == board.cells.end())
            board.cells.push_back(event);
        else
            *known = event;
        return false;
    }
    bool operator()(const bv::BoxesTested& event) const {
        board.tests.push_back(event);
        return event.verdict == bv::BoxesTested::Verdict::Pair &&
               board.found.insert(as_pair(event.a, event.b)).second;
    }
    bool operator()(const bv::PairSpared&) const { return false; }
    static BoxPair as_pair(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }
    bool operator()(const bv::PlaneTested& event) const {
        board.planes.push_back(event);
        return event.verdict == bv::PlaneTested::Verdict::Back;
    }
    bool operator()(const bv::TriangleCut& event) const {
        board.cuts.push_back(event);
        return event.verdict == bv::TriangleCut::Verdict::Cut;
    }
    bool operator()(const bv::LoopClosed& event) const {
        board.loops.push_back(event);
        return true;
    }
    bool operator()(const bv::PieceSorted& event) const {
        using Verdict = bv::PieceSorted::Verdict;
        board.sorted.push_back(event);
        if (event.verdict == Verdict::Front || event.verdict == Verdict::Back) return false;
        board.pieces_waiting.erase(event.piece);
        if (event.verdict == Verdict::InPlane)
            board.pieces_in_planes.push_back(event.piece);
        else
            board.pieces_waiting.insert({event.front, event.back});
        return true;
    }
    bool operator()(const bv::ReferenceSplit& event) const {
        board.references.push_back(event);
        return event.choice == bv::ReferenceSplit::Choice::Both;
    }
    bool operator()(const bv::NeighborFound& event) const {
        if (event.place == 0) board.neighbors.clear();
        board.neighbors.push_back(event);
        return false;
    }
    bool operator()(const bv::ClustersMerged& event) const {
        board.merged.push_back(event);
        for (auto& cluster : board.clusters)
            if (cluster.first == event.first.value) cluster = {event.parent.value, event.box};
        std::erase_if(board.clusters,
                      [&](const auto& cluster) { return cluster.first == event.second.value; });
        return true;
    }
    bool operator()(const bv::CornersSided& event) const {
        board.sided.push_back(event);
        return event.apart;
    }
    bool operator()(const bv::IntervalsCompared& event) const {
        board.intervals = event;
        board.triangles_meet = event.overlap;
        return true;
    }
    bool operator()(const bv::EdgeTested& event) const {
        board.edges.push_back(event);
        board.triangles_meet = event.hit;
        return event.hit;
    }
    bool operator()(const bv::PieceListed& event) const {
        board.listed.push_back(event);
        return true;
    }
    bool operator()(const bv::CubesTested& event) const {
        if (event.bricks)
            board.bricks = event;
        else if (event.overlap)
            board.voxels.push_back(event);
        return !event.bricks && event.overlap;
    }
};

}  // namespace

Board::Board(const Subject& subject)
    : clusters(subject.clusters),
      tree(subject.tree),
      pieces_waiting(subject.first_pieces.begin(), subject.first_pieces.end()),
      ends(subject.ends),
      found(subject.pairs.begin(), subject.pairs.end()) {}

bool Board::apply(const bv::TraceEvent& event) {
    return std::visit(Apply{*this}, event);
}

// The cost is at least the growth of the node and its ancestors plus the leaf's own area.
std::optional<Candidate> Board::below(const bv::SiblingConsidered& event) const {
    if (tree.is_leaf(event.node)) return std::nullopt;
    const float leaf_area = event.lower_bound - event.inherited;
    // Growth within the rounding error is none.
    const float grown = event.direct - tree.box(event.node).surface_area();
    const float growth = event.inherited + (grown > 1e-6f * event.direct ? grown : 0.0f);
    return Candidate{event.node, growth + leaf_area, growth};
}

std::vector<std::array<std::uint32_t, 2>> Board::horizon() const {
    std::set<std::array<std::uint32_t, 2>> open;
    for (const std::uint32_t slot : seen_faces)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = faces[slot].vertex[k], b = faces[slot].vertex[(k + 1) % 3];
            if (open.erase({b, a}) == 0) open.insert({a, b});
        }
    return {open.begin(), open.end()};
}

bool Board::hull_encloses(const Subject& subject, const glm::vec3& point) const {
    return std::none_of(faces.begin(), faces.end(), [&](const HullFace& face) {
        if (!face.alive) return false;
        const glm::dvec3 a(subject.point(face.vertex[0])), b(subject.point(face.vertex[1]));
        const glm::dvec3 c(subject.point(face.vertex[2]));
        const glm::dvec3 normal = glm::cross(b - a, c - a);
        return glm::dot(normal, glm::dvec3(point) - a) > 1e-9 * glm::length(normal);
    });
}

}  // namespace lab::steps
