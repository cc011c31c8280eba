#include "steps/algorithm.hpp"

#include <algorithm>
#include <array>

#include "bv/assert.hpp"
#include "steps/telling.hpp"

namespace lab::steps {
namespace {

using Triangle = bv::TriangleTested::Verdict;
using Node = bv::NodeVisited::Verdict;

template <class Event>
constexpr CodeLine on(std::string_view text, int variant = -1) {
    return {text, kind_of<Event>(), variant};
}
template <class Event, class Variant>
requires std::is_enum_v<Variant>
constexpr CodeLine on(std::string_view text, Variant variant) {
    return {text, kind_of<Event>(), static_cast<int>(variant)};
}

// ---- balls

constexpr CodeLine kCentroid[] = {
    {"sum = 0, n = 0"},
    {"for each point p"},
    {"  sum += p, n += 1"},
    on<bv::CenterFound>("center = sum / n"),
    {"radius = 0"},
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius: radius = d"},
    on<bv::BallMeasured>("return ball(center, radius)"),
};
constexpr CodeLine kAabbCenter[] = {
    {"for each axis x, y, z"},
    on<bv::ExtremesFound>("  low, high = first and last point"),
    {"  center[axis] = (low + high) / 2"},
    on<bv::CenterFound>("center is the middle of the box"),
    {"radius = 0"},
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius: radius = d"},
    on<bv::BallMeasured>("return ball(center, radius)"),
};
constexpr CodeLine kRitter[] = {
    {"for each axis x, y, z"},
    on<bv::ExtremesFound>("  a, b = first and last point"),
    {"  keep the pair farthest apart"},
    on<bv::SphereGrown>("ball = between that pair", 0),
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius"},
    on<bv::SphereGrown>("    grow to touch p and the far side", 1),
    {"    radius = (radius + d) / 2"},
    {"    move the center toward p"},
    on<bv::BallMeasured>("return ball(center, farthest point)"),
};
constexpr CodeLine kEpos[] = {
    {"for each of k/2 directions"},
    on<bv::ExtremesFound>("  keep the first and last point"),
    on<bv::SphereGrown>("ball = smallest of the kept points", 0),
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius"},
    on<bv::SphereGrown>("    grow to touch p and the far side", 1),
    on<bv::BallMeasured>("return ball(center, farthest point)"),
};
constexpr CodeLine kExactBall[] = {
    {"support = extremes of 13 directions"},
    {"repeat"},
    {"  ball = smallest of the support"},
    {"  p = the point farthest from center"},
    on<bv::SupportBall>("  if p is outside: support += p", 0),
    on<bv::SupportBall>("  else: no ball is smaller, stop", 1),
    {"drop points that no longer hold it"},
    {"center = that of the best ball"},
    on<bv::BallMeasured>("return ball(center, farthest point)"),
};

// ---- boxes

constexpr CodeLine kPca[] = {
    {"mean = sum of points / n"},
    {"for each point p: d = p - mean"},
    {"  covariance += d · transposed d"},
    {"diagonalize it by Jacobi rotations"},
    on<bv::PrincipalAxesFound>("axes = its eigenvectors"),
    {"for each axis"},
    {"  low, high = extent of the points"},
    on<bv::BoxConsidered>("return box(axes, low, high)"),
};
constexpr CodeLine kPcaSurface[] = {
    {"for each triangle of area w"},
    {"  mean += w · its center"},
    {"  second += w · its second moment"},
    {"covariance = second - mean · mean^T"},
    {"diagonalize it by Jacobi rotations"},
    on<bv::PrincipalAxesFound>("axes = its eigenvectors"),
    {"for each axis"},
    {"  low, high = extent of the points"},
    on<bv::BoxConsidered>("return box(axes, low, high)"),
};
constexpr CodeLine kPcaHull[] = {
    {"hull = quickhull(points)"},
    {"for each triangle of the hull"},
    {"  moments += its area · its moments"},
    {"diagonalize the covariance"},
    on<bv::PrincipalAxesFound>("axes = its eigenvectors"),
    {"for each axis"},
    {"  low, high = extent of the points"},
    on<bv::BoxConsidered>("return box(axes, low, high)"),
};
constexpr CodeLine kDito[] = {
    {"for each of 7 directions"},
    on<bv::ExtremesFound>("  keep the first and last point"),
    {"a, b = the pair farthest apart"},
    {"c = farthest from the line a b"},
    {"d, e = farthest above and below abc"},
    {"for each triangle, for each edge"},
    {"  axes = edge, normal, their cross"},
    on<bv::BoxConsidered>("  box not smaller: next", 0),
    on<bv::BoxConsidered>("  box smaller: keep these axes", 1),
    on<bv::BoxConsidered>("return the box around all points", 2),
};
constexpr CodeLine kExactBox[] = {
    {"hull = quickhull(points)"},
    {"try axes, PCA, large faces, calipers"},
    {"for each pair of edges of the hull"},
    {"  turn until sides are flush with both"},
    {"  if no box there can be smaller: next"},
    {"  box = around the hull"},
    on<bv::BoxConsidered>("  box not smaller: next", 0),
    on<bv::BoxConsidered>("  box smaller: keep these axes", 1),
    on<bv::BoxConsidered>("return the box around all points", 2),
};
constexpr CodeLine kKdop[] = {
    {"for each direction d of k/2"},
    {"  min = +inf, max = -inf"},
    {"  for each point p"},
    {"    s = d · p"},
    {"    min = smaller of min and s"},
    {"    max = larger of max and s"},
    on<bv::SlabFitted>("  keep the slab min <= d · x <= max"),
    {"return the slabs"},
};
constexpr CodeLine kQuickhull[] = {
    {"a, b = farthest along an axis"},
    {"c = farthest from the line a b"},
    {"d = farthest from the plane a b c"},
    on<bv::HullPointAdded>("tetrahedron of a, b, c, d", 0),
    {"each point to a face it is outside of"},
    {"while a face has points outside"},
    {"  p = the farthest of them"},
    on<bv::HullFaceSeen>("  walk over all faces that p sees"),
    {"  the border of that walk: the horizon"},
    on<bv::HullPointAdded>("  remove these faces", 1),
    on<bv::HullFaceAdded>("  join each horizon edge to p"),
    {"  deal their points to the new faces"},
    {"return the faces"},
};

// ---- pairs

constexpr CodeLine kSat[] = {
    {"for each of 15 axes"},
    {"  3 normals of A, 3 of B, 9 crosses"},
    on<bv::AxisTested>("  if the edges are parallel: next", 2),
    {"  project the corners of A and B"},
    {"  gap = space between both intervals"},
    on<bv::AxisTested>("  if gap > 0: return apart", 1),
    on<bv::AxisTested>("  else: they overlap on this axis", 0),
    {"return overlap"},
};
constexpr CodeLine kGjk[] = {
    {"simplex = one corner of a - b"},
    {"repeat"},
    {"  v = point of simplex nearest to 0"},
    {"  w = support of A - B along -v"},
    {"  lower = v · w / |v|"},
    on<bv::SimplexReduced>("  upper = |v|", 0),
    {"  if upper = lower: return the distance"},
    {"  add w, drop corners not needed"},
    on<bv::SimplexReduced>("  if 0 is inside: return overlap", 1),
};
constexpr CodeLine kSlabs[] = {
    {"t_enter = 0, t_exit = end of the ray"},
    {"for each axis x, y, z"},
    {"  t_near = (min - origin) / direction"},
    {"  t_far = (max - origin) / direction"},
    {"  if t_near > t_far: swap them"},
    on<bv::SlabClipped>("  t_enter, t_exit = what both share", 0),
    on<bv::SlabClipped>("  if t_enter > t_exit: return miss", 1),
    {"return hit at t_enter"},
};
constexpr CodeLine kSweep[] = {
    {"enter = 0, leave = the given time"},
    {"for each axis x, y, z"},
    {"  d = the gap between the boxes"},
    {"  v = the velocity along the axis"},
    {"  from = when they begin to overlap"},
    {"  to = when they end to overlap"},
    on<bv::SlabClipped>("  enter, leave = what both share", 0),
    on<bv::SlabClipped>("  if enter > leave: they never meet", 1),
    {"return enter, leave"},
};
constexpr CodeLine kRectangles[] = {
    {"for each of 4 axes"},
    {"  2 normals of A, 2 of B"},
    {"  r_a, r_b = projected radii"},
    {"  d = distance of the centers"},
    {"  gap = d - r_a - r_b"},
    on<bv::AxisTested>("  if gap > 0: return apart", 1),
    on<bv::AxisTested>("  else: they overlap on this axis", 0),
    {"return overlap"},
};
constexpr CodeLine kMollerTrumbore[] = {
    {"ab = b - a, ac = c - a"},
    {"p = direction × ac"},
    {"det = ab · p"},
    on<bv::TriangleTested>("if det = 0: parallel, miss", Triangle::Parallel),
    {"s = origin - a, u = s · p"},
    on<bv::TriangleTested>("if u < 0 or u > det: miss", Triangle::OutsideU),
    {"q = s × ab, v = direction · q"},
    on<bv::TriangleTested>("if v < 0: miss", Triangle::OutsideV),
    on<bv::TriangleTested>("if u + v > det: miss", Triangle::OutsideW),
    {"t = ac · q"},
    on<bv::TriangleTested>("if t < 0: behind, miss", Triangle::Behind),
    on<bv::TriangleTested>("if t > end: beyond, miss", Triangle::Beyond),
    on<bv::TriangleTested>("return hit at t / det", Triangle::Hit),
};

// ---- trees

constexpr CodeLine kTreeRay[] = {
    {"push the root"},
    {"while the stack has nodes"},
    {"  n = nearest on the stack"},
    {"  clip the ray against n's box"},
    on<bv::NodeVisited>("  if missed or behind best: skip", Node::Culled),
    {"  if n is a leaf"},
    on<bv::NodeVisited>("    test its triangles: none hit", Node::LeafTested),
    on<bv::NodeVisited>("    a hit: best = nearer of both", Node::LeafHit),
    on<bv::NodeVisited>("  else: push both children", Node::Entered),
    {"return best"},
};
constexpr CodeLine kTreePairs[] = {
    {"push the two roots"},
    {"while the stack has pairs"},
    {"  a, b = the last pair"},
    on<bv::VolumesTested>("  if apart: skip all below", 0),
    on<bv::VolumesTested>("  if they overlap"),
    {"    both leaves: test triangles"},
    {"    else: open the larger one"},
    {"return the pairs that touch"},
};
constexpr CodeLine kInsertion[] = {
    {"best = the root"},
    {"queue = the root, bound 0"},
    {"while the queue has nodes"},
    {"  n = the node of least bound"},
    {"  direct = area(n and the new box)"},
    {"  inherited = growth of n's ancestors"},
    on<bv::SiblingConsidered>("  if direct + inherited < best: keep n", 1),
    on<bv::SiblingConsidered>("  else: the best one stays", 0),
    {"  bound = inherited + growth + area"},
    {"  if bound < best: queue the children"},
    on<bv::LeafPlaced>("new parent over best and the leaf"),
    {"for each ancestor, from below"},
    on<bv::NodeRefitted>("  fit its box to its children"),
    on<bv::Rotated>("  swap two below it if that gains"),
};
constexpr CodeLine kGreedy[] = {
    {"n = the root, inherited = 0"},
    {"loop"},
    {"  direct = area(n and the new box)"},
    on<bv::SiblingConsidered>("  if direct + inherited < best: keep n", 1),
    on<bv::SiblingConsidered>("  else: the best one stays", 0),
    {"  inherited += growth of n"},
    {"  if no child can cost less: stop"},
    {"  n = the child that costs less"},
    on<bv::LeafPlaced>("new parent over best and the leaf"),
    {"for each ancestor, from below"},
    on<bv::NodeRefitted>("  fit its box to its children"),
    on<bv::Rotated>("  swap two below it if that gains"),
};
constexpr CodeLine kNearest[] = {
    {"n = the root"},
    {"while n has children"},
    on<bv::SiblingConsidered>("  pass n on the way down", 0),
    {"  distance = |dx| + |dy| + |dz|"},
    {"  n = the child with the nearest center"},
    on<bv::SiblingConsidered>("n is the sibling", 1),
    on<bv::LeafPlaced>("new parent over n and the leaf"),
    {"for each ancestor, from below"},
    on<bv::NodeRefitted>("  fit its box to its children"),
    on<bv::Rotated>("  swap two below it if that gains"),
};
constexpr CodeLine kChanges[] = {
    {"insert(box)"},
    {"  weigh nodes as sibling of its leaf"},
    on<bv::SiblingConsidered>("    the least so far: keep it", 1),
    on<bv::SiblingConsidered>("    not less: the best one stays", 0),
    on<bv::LeafPlaced>("  new parent over best and the leaf"),
    {"  repair the ancestors"},
    {"remove(leaf)"},
    on<bv::LeafDetached>("  its sibling replaces the parent"),
    {"  repair the ancestors"},
    {"move(leaf, box)"},
    {"  if its fat box holds box: done"},
    on<bv::NodeRefitted>("  only refits: a new fat box", 1),
    {"  else: remove it, insert it"},
    {"repair: for each, from below"},
    on<bv::NodeRefitted>("  fit its box to its children", 0),
    on<bv::Rotated>("  swap two below it if that gains"),
};
constexpr CodeLine kSweepAndPrune[] = {
    {"sort the boxes by start on one axis"},
    {"for each box a, in that order"},
    on<bv::SweepReached>("  the sweep reaches a"),
    {"  for each box b that follows"},
    {"    if b starts behind a's end: stop"},
    on<bv::BoxesTested>("    test a, b: apart on another axis", 0),
    on<bv::BoxesTested>("    test a, b: report the pair", 1),
    {"boxes far apart never meet here"},
};
constexpr CodeLine kIncrementalSweep[] = {
    {"take the new values of all ends"},
    {"for each axis: insertion sort"},
    {"  while an end is below its neighbor"},
    on<bv::EndsExchanged>("    they change places", 0),
    on<bv::EndsExchanged>("    a start passes an end: may begin", 1),
    on<bv::BoxesTested>("      test: apart on another axis", 0),
    on<bv::BoxesTested>("      test: keep the pair", 1),
    on<bv::EndsExchanged>("    an end passes a start: pair ends", 2),
    {"many new boxes: sweep from scratch"},
    on<bv::SweepReached>("  the sweep reaches a box"),
    {"report the pairs that are kept"},
};
constexpr CodeLine kGrid[] = {
    {"cell edge = 2 · mean edge of boxes"},
    {"for each box"},
    {"  for each cell that it overlaps"},
    on<bv::CellFilled>("    enter it"),
    {"for each cell, for a, b in it"},
    on<bv::BoxesTested>("  apart: next", 0),
    {"  corner = lowest of the intersection"},
    on<bv::BoxesTested>("  corner in another cell: skip", 2),
    on<bv::BoxesTested>("  else: report the pair, once", 1),
};
constexpr CodeLine kBruteForce[] = {
    {"for each box a"},
    {"  for each later box b"},
    {"    compare the ends on x, y, z"},
    on<bv::BoxesTested>("    apart: next", 0),
    on<bv::BoxesTested>("    overlap: report the pair", 1),
    {"n · (n - 1) / 2 tests"},
    {"however far apart they are"},
};
constexpr CodeLine kFrustum[] = {
    {"p = the plane that rejected last time"},
    {"for p, then the five others"},
    {"  d = distance of the center"},
    {"  r = reach of the box along the normal"},
    on<bv::PlaneTested>("  if d < -r: behind, outside the view", 0),
    on<bv::PlaneTested>("  if d > r: in front, p is done", 2),
    on<bv::PlaneTested>("  else: p cuts the box", 1),
    {"no plane cuts: inside, with all below"},
    {"else: it must be drawn"},
};
constexpr CodeLine kBspPoint[] = {
    {"n = the root"},
    {"while n is a node"},
    {"  d = distance of the point from n's plane"},
    on<bv::PlaneTested>("  if d > thickness: n = front child", 2),
    on<bv::PlaneTested>("  if d < -thickness: n = back child", 0),
    on<bv::PlaneTested>("  else: ask both", 1),
    {"n is a cell: inside or outside"},
};
constexpr CodeLine kSlice[] = {
    {"for each triangle"},
    {"  s = the sides of its corners"},
    on<bv::TriangleCut>("  all in front: to the front half", 0),
    on<bv::TriangleCut>("  all behind: to the back half", 1),
    on<bv::TriangleCut>("  all in the plane: to its solid", 2),
    {"  else: one new corner per cut edge,"},
    on<bv::TriangleCut>("    shared with the neighbor; split it", 3),
    {"chain the open edges in the plane"},
    on<bv::LoopClosed>("  a loop: cap it in both halves"),
};
constexpr CodeLine kVoxels[] = {
    {"for each brick b with voxels"},
    {"  for each brick a that b's box touches"},
    on<bv::CubesTested>("    cubes apart: 4096 tests saved", 0),
    on<bv::CubesTested>("    they overlap: open both", 1),
    {"    for each voxel of b: one bit each"},
    {"      for each voxel of a near it"},
    on<bv::CubesTested>("        apart", 2),
    on<bv::CubesTested>("        overlap: report them", 3),
};
constexpr CodeLine kSplit[] = {
    {"for each node, from the root"},
    {"  for each axis x, y, z"},
    {"    sort or bin the boxes along it"},
    {"    for each position of the plane"},
    {"      cost = area(left) · count(left)"},
    {"           + area(right) · count(right)"},
    on<bv::SplitEvaluated>("      cost not the least: next", 0),
    on<bv::SplitEvaluated>("  split at the plane of least cost", 1),
    {"  go on with both halves"},
};

constexpr std::array kRows = {
    Algorithm{"sphere.centroid", "Ball around the centroid", "radius, m", kCentroid},
    Algorithm{"sphere.aabb_center", "Ball around the AABB center", "radius, m", kAabbCenter},
    Algorithm{"sphere.ritter", "Ritter's ball", "radius, m", kRitter},
    Algorithm{"sphere.epos6", "EPOS-6", "radius, m", kEpos},
    Algorithm{"sphere.epos14", "EPOS-14", "radius, m", kEpos},
    Algorithm{"sphere.epos26", "EPOS-26", "radius, m", kEpos},
    Algorithm{"sphere.epos98", "EPOS-98", "radius, m", kEpos},
    Algorithm{"sphere.exact", "Smallest ball", "radius, m", kExactBall},
    Algorithm{"obb.pca", "PCA of the points", "volume, m³", kPca},
    Algorithm{"obb.pca_surface", "PCA of the surface", "volume, m³", kPcaSurface},
    Algorithm{"obb.pca_hull", "PCA of the hull", "volume, m³", kPcaHull},
    Algorithm{"obb.dito14", "DiTO-14", "volume, m³", kDito},
    Algorithm{"obb.exact", "Smallest box", "volume, m³", kExactBox},
    Algorithm{"kdop6.tight", "6-DOP", "volume, m³", kKdop},
    Algorithm{"kdop8.tight", "8-DOP", "volume, m³", kKdop},
    Algorithm{"kdop14.tight", "14-DOP", "volume, m³", kKdop},
    Algorithm{"kdop18.tight", "18-DOP", "volume, m³", kKdop},
    Algorithm{"kdop26.tight", "26-DOP", "volume, m³", kKdop},
    Algorithm{"hull.quickhull", "Quickhull", "faces", kQuickhull},
    Algorithm{"sat", "Separating axis test", "gap, m", kSat},
    Algorithm{"gjk", "GJK", "distance, m", kGjk},
    Algorithm{"slabs", "Slab method", "t enter", kSlabs},
    Algorithm{"sweep.aabb", "Moving boxes", "enter, s", kSweep},
    Algorithm{"sat.rectangles", "Separating axes of rectangles", "gap, m", kRectangles},
    Algorithm{"moller_trumbore", "Möller and Trumbore", "", kMollerTrumbore},
    Algorithm{"traversal.ray", "Ray against a tree", "depth", kTreeRay},
    Algorithm{"traversal.pairs", "Tree against tree", "depth, both", kTreePairs},
    Algorithm{"dynamic.insertion", "Branch and bound insertion", "inner area, m²", kInsertion},
    Algorithm{"dynamic.insertion_greedy", "Greedy insertion", "inner area, m²", kGreedy},
    Algorithm{"dynamic.insertion_nearest", "Insertion by nearest center", "inner area, m²", kNearest},
    Algorithm{"dynamic.changes", "Changes of a tree", "inner area, m²", kChanges},
    Algorithm{"broadphase.brute-force", "Brute force", "tests", kBruteForce},
    Algorithm{"broadphase.sweep-and-prune", "Sweep and prune", "tests", kSweepAndPrune},
    Algorithm{"broadphase.incremental-sweep", "Incremental sweep", "tests", kIncrementalSweep},
    Algorithm{"broadphase.uniform-grid", "Uniform grid", "tests", kGrid},
    Algorithm{"broadphase.spatial-hash", "Spatial hash", "tests", kGrid},
    Algorithm{"planes.frustum", "Box against a frustum", "distance, m", kFrustum},
    Algorithm{"planes.bsp", "Point in a BSP", "distance, m", kBspPoint},
    Algorithm{"slice", "Cut by a plane", "triangles cut", kSlice},
    Algorithm{"voxels.pairs", "Voxels against voxels", "pairs of voxels", kVoxels},
    Algorithm{"build.split", "Surface area heuristic", "cost", kSplit},
};

}  // namespace

std::size_t Algorithm::line_of(const bv::TraceEvent& event) const {
    const int variant = variant_of(event);
    const auto line = std::find_if(code.begin(), code.end(), [&](const CodeLine& l) {
        return l.kind == event.index() && (l.variant < 0 || l.variant == variant);
    });
    return static_cast<std::size_t>(line - code.begin());
}

std::span<const Algorithm> algorithms() {
    return kRows;
}

const Algorithm& algorithm(std::string_view id) {
    const auto row =
        std::find_if(kRows.begin(), kRows.end(), [id](const Algorithm& a) { return a.id == id; });
    BV_ASSERT(row != kRows.end());
    return row == kRows.end() ? kRows.front() : *row;
}

}  // namespace lab::steps
