#include "steps/algorithm.hpp"

#include <algorithm>
#include <array>

#include "bv/assert.hpp"
#include "steps/event_spec.hpp"

namespace lab::steps {
namespace {

using Triangle = bv::TriangleTested::Verdict;
using Node = bv::NodeVisited::Verdict;
using Sorted = bv::PieceSorted::Verdict;
using Boxes = bv::BoxesTested::Verdict;
using Reference = bv::ReferenceSplit::Choice;

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
    {"if n = 0: return the empty sphere"},
    on<bv::CenterFound>("center = sum / n"),
    {"radius = 0"},
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius: radius = d"},
    on<bv::BallMeasured>("return sphere(center, radius)"),
};
constexpr CodeLine kAabbCenter[] = {
    {"if there are no points: the empty sphere"},
    {"for each axis x, y, z"},
    on<bv::ExtremesFound>("  low, high = first and last point"),
    {"  center[axis] = (low + high) / 2"},
    on<bv::CenterFound>("center is the middle of the box"),
    {"radius = 0"},
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius: radius = d"},
    on<bv::BallMeasured>("return sphere(center, radius)"),
};
constexpr CodeLine kRitter[] = {
    {"for each axis x, y, z"},
    on<bv::ExtremesFound>("  a, b = first and last point"),
    {"  keep the pair that is farthest apart"},
    on<bv::SphereGrown>("sphere = the one that spans that pair", 0),
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius"},
    on<bv::SphereGrown>("    grow to touch p and the far side", 1),
    {"    radius = (radius + d) / 2"},
    {"    move the center toward p"},
    on<bv::BallMeasured>("return sphere(center, farthest point)"),
};
constexpr CodeLine kEpos[] = {
    {"for each of k/2 directions"},
    {"  s = direction · p, for each point p"},
    on<bv::ExtremesFound>("  keep the points of min and max s"),
    on<bv::SphereGrown>("sphere = smallest around these points", 0),
    {"for each point p"},
    {"  d = |p - center|"},
    {"  if d > radius"},
    on<bv::SphereGrown>("    grow to touch p and the far side", 1),
    {"    radius = (radius + d) / 2"},
    {"    move the center toward p"},
    on<bv::BallMeasured>("return sphere(center, farthest point)"),
};
constexpr CodeLine kExactBall[] = {
    {"support = extremes of 13 directions"},
    {"repeat"},
    {"  sphere = smallest around the support:"},
    {"    two, three or four points define it"},
    {"  p = the point farthest from center"},
    on<bv::SupportBall>("  if p is outside: support += p", 0),
    on<bv::SupportBall>("  else: no smaller sphere, stop", 1),
    {"drop points no longer on its surface"},
    {"center = that of the best sphere"},
    on<bv::BallMeasured>("return sphere(center, farthest point)"),
};

// ---- boxes

constexpr CodeLine kPca[] = {
    {"mean = sum of points / n"},
    {"covariance = 0"},
    {"for each point p: d = p - mean"},
    {"  covariance += d · transposed d"},
    {"repeat, until it is diagonal"},
    {"  turn a pair of axes: Jacobi rotation"},
    on<bv::PrincipalAxesFound>("axes = its eigenvectors"),
    {"for each axis"},
    {"  low, high = extent of the points"},
    on<bv::BoxConsidered>("return box(axes, low, high)"),
};
constexpr CodeLine kPcaSurface[] = {
    {"for each triangle of area w"},
    {"  mean += w · its center"},
    {"  second += w · its second moment"},
    {"divide both by the sum of all w"},
    {"covariance = second - mean · mean^T"},
    {"diagonalize it by Jacobi rotations"},
    on<bv::PrincipalAxesFound>("axes = its eigenvectors"),
    {"for each axis"},
    {"  low, high = extent of the points"},
    on<bv::BoxConsidered>("return box(axes, low, high)"),
};
constexpr CodeLine kPcaHull[] = {
    {"hull = quickhull(points)"},
    {"for each triangle of the hull, area w"},
    {"  mean += w · its center"},
    {"  second += w · its second moment"},
    {"covariance = second - mean · mean^T"},
    {"diagonalize it by Jacobi rotations"},
    on<bv::PrincipalAxesFound>("axes = its eigenvectors"),
    {"for each axis"},
    {"  low, high = extent of the points"},
    on<bv::BoxConsidered>("return box(axes, low, high)"),
};
constexpr CodeLine kDito[] = {
    {"for each of 7 directions"},
    on<bv::ExtremesFound>("  extremes += first and last point"),
    {"a, b = the pair farthest apart"},
    {"c = farthest from the line a b"},
    {"d, e = farthest above and below abc"},
    {"for each triangle, for each edge"},
    {"  axes = edge, normal, their cross"},
    on<bv::BoxConsidered>("  box of extremes not smaller: next", 0),
    on<bv::BoxConsidered>("  box of extremes smaller: keep axes", 1),
    on<bv::BoxConsidered>("return the box around all points", 2),
};
constexpr CodeLine kExactBox[] = {
    {"hull = quickhull(points)"},
    {"best = the smallest of these boxes:"},
    {"  axes, PCA, large faces, calipers"},
    {"for each pair of edges of the hull"},
    {"  turn until sides are flush with both"},
    {"  if no box there can be smaller: next"},
    {"  box = around the hull"},
    on<bv::BoxConsidered>("  box not smaller: next", 0),
    on<bv::BoxConsidered>("  box smaller: keep these axes", 1),
    on<bv::BoxConsidered>("return the box around all points", 2),
};
constexpr CodeLine kKdop[] = {
    {"directions = 3 axes (not for k = 8),"},
    {"  4 corner, 6 edge diagonals, as k asks"},
    {"for each of these k/2 directions d"},
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
    on<bv::HullPointAdded>("none off it: flat, its corners, stop", 2),
    on<bv::HullPointAdded>("a, b, c, d are corners of the hull", 0),
    on<bv::HullFaceAdded>("faces of the tetrahedron a b c d", 0),
    {"assign each point to a face it is outside"},
    {"while a face has points outside"},
    {"  p = the farthest of them"},
    on<bv::HullFaceSeen>("  visit all faces that p sees"),
    {"  their border is the horizon"},
    on<bv::HullPointAdded>("  remove these faces", 1),
    on<bv::HullFaceAdded>("  join each horizon edge to p", 1),
    {"  reassign their points to the new faces"},
    {"return the faces"},
};

// ---- pairs

constexpr CodeLine kSat[] = {
    {"axes = 3 face normals of A, 3 of B,"},
    {"       9 cross products of their edges"},
    {"for each of the 15 axes"},
    on<bv::AxisTested>("  if the edges are parallel: next", 2),
    {"  a = interval of A's corners on it"},
    {"  b = interval of B's corners on it"},
    {"  gap = max(min b - max a,"},
    {"            min a - max b)"},
    on<bv::AxisTested>("  if gap > 0: apart, a query returns", 1),
    on<bv::AxisTested>("  else: they overlap along this axis", 0),
    {"return overlap"},
};
constexpr CodeLine kGjk[] = {
    {"simplex = the support of A - B along the"},
    {"  line from the middle of A to that of B"},
    {"repeat"},
    {"  v = point of simplex nearest to 0"},
    {"  w = support of A - B along -v"},
    {"  lower = v · w / |v|"},
    on<bv::SimplexReduced>("  upper = |v|", 0),
    on<bv::SimplexReduced>("  if upper = lower: that is the distance", 2),
    {"  add w, drop vertices not needed"},
    on<bv::SimplexReduced>("  if 0 is in the simplex: return overlap", 1),
};
constexpr CodeLine kSlabs[] = {
    {"t_enter = -inf, t_exit = +inf"},
    {"for each axis x, y, z"},
    {"  if direction = 0: inside, or miss"},
    {"  t_near = (min - origin) / direction"},
    {"  t_far = (max - origin) / direction"},
    {"  if t_near > t_far: swap them"},
    on<bv::SlabClipped>("  t_enter, t_exit = intersection of both", 0),
    on<bv::SlabClipped>("  if t_enter > t_exit: a query returns", 1),
    {"clip to the ray: begin <= t <= end"},
    on<bv::RangeClipped>("if nothing is left: return miss", 1),
    on<bv::RangeClipped>("return hit at t_enter", 0),
};
constexpr CodeLine kSweep[] = {
    {"t_enter = -inf, t_exit = +inf"},
    {"for each axis x, y, z"},
    {"  d = gap between the boxes"},
    {"  v = relative velocity along the axis"},
    {"  t_near = when they start to overlap"},
    {"  t_far = when they stop overlapping"},
    on<bv::SlabClipped>("  t_enter, t_exit = intersection of both", 0),
    on<bv::SlabClipped>("  if t_enter > t_exit: a query returns", 1),
    {"clip to the motion: t >= 0"},
    on<bv::RangeClipped>("if nothing is left: they never meet", 1),
    on<bv::RangeClipped>("return t_enter, t_exit", 0),
};
constexpr CodeLine kRectangles[] = {
    {"for each edge of A, then of B"},
    {"  if parallel to an earlier edge of its"},
    {"      own polygon: next"},
    {"  axis = the edge turned by 90°"},
    {"  for each corner c of A, of B"},
    {"    t = axis · c, keep min and max"},
    {"  gap = max(min_b - max_a,"},
    {"            min_a - max_b)"},
    on<bv::AxisTested>("  if gap > 0: apart, a query returns", 1),
    on<bv::AxisTested>("  else: they overlap along this axis", 0),
    {"return overlap"},
};
constexpr CodeLine kMollerTrumbore[] = {
    {"ab = b - a, ac = c - a"},
    {"p = direction × ac"},
    {"det = ab · p"},
    on<bv::TriangleTested>("if det = 0: parallel, or no area: miss", Triangle::Parallel),
    on<bv::TriangleTested>("else: sign = that of det, det = |det|", Triangle::Crosses),
    {"s = origin - a, u = sign · s · p"},
    on<bv::TriangleTested>("if u < 0 or u > det: miss", Triangle::OutsideU),
    on<bv::TriangleTested>("else: u is in range, go on", Triangle::WithinU),
    {"q = s × ab, v = sign · direction · q"},
    on<bv::TriangleTested>("if v < 0: miss", Triangle::OutsideV),
    on<bv::TriangleTested>("if u + v > det: miss", Triangle::OutsideW),
    on<bv::TriangleTested>("else: v is in range, too, go on", Triangle::WithinV),
    {"t = sign · ac · q"},
    on<bv::TriangleTested>("if t < 0: behind, miss", Triangle::Behind),
    on<bv::TriangleTested>("if t > end: beyond, miss", Triangle::Beyond),
    on<bv::TriangleTested>("return hit at t / det", Triangle::Hit),
};

// ---- trees

constexpr CodeLine kTreeRay[] = {
    {"push the root"},
    {"while the stack has nodes"},
    {"  n = nearest on the stack"},
    {"  clip the ray to n's box"},
    on<bv::NodeVisited>("  if missed or beyond best: skip", Node::Culled),
    {"  if n is a leaf"},
    on<bv::NodeVisited>("    test its triangles: no hit", Node::LeafTested),
    on<bv::NodeVisited>("    hit: best = the nearer one", Node::LeafHit),
    on<bv::NodeVisited>("  else: push both children", Node::Entered),
    {"return best"},
};
constexpr CodeLine kTreePairs[] = {
    {"push the two roots"},
    {"while the stack has pairs"},
    {"  a, b = the last pair"},
    on<bv::VolumesTested>("  if apart: skip all below both", 0),
    on<bv::VolumesTested>("  else if both are leaves: test triangles", 2),
    on<bv::VolumesTested>("  else open one of them:", 1),
    on<bv::VolumesTested>("    a, if b is a leaf or smaller", 3),
    on<bv::VolumesTested>("    b, if a is a leaf or smaller", 4),
    {"    push its children, each with the other"},
    {"return the pairs that intersect"},
};
constexpr CodeLine kInsertion[] = {
    {"best = the root"},
    {"queue = the root, bound 0"},
    {"while the queue has nodes"},
    {"  n = the node with the lowest bound"},
    {"  direct = area(n and the new box)"},
    {"  inherited = growth of n's ancestors"},
    on<bv::SiblingConsidered>("  if direct + inherited < best: keep n", 1),
    on<bv::SiblingConsidered>("  else: the best stays", 0),
    {"  bound = inherited + growth + area"},
    {"  if bound < best: queue the children"},
    on<bv::LeafPlaced>("new parent over best and the leaf"),
    {"for each ancestor, bottom up"},
    on<bv::NodeRefitted>("  refit its box to its children"),
    {"for each of them again, bottom up"},
    on<bv::Rotated>("  rotate below it if that pays off"),
};
constexpr CodeLine kGreedy[] = {
    {"n = the root, inherited = 0"},
    {"loop"},
    {"  direct = area(n and the new box)"},
    on<bv::SiblingConsidered>("  if direct + inherited < best: keep n", 1),
    on<bv::SiblingConsidered>("  else: the best stays", 0),
    {"  inherited += growth of n"},
    {"  if no child can be cheaper: stop"},
    {"  n = the cheaper child"},
    on<bv::LeafPlaced>("new parent over best and the leaf"),
    {"for each ancestor, bottom up"},
    on<bv::NodeRefitted>("  refit its box to its children"),
    {"for each of them again, bottom up"},
    on<bv::Rotated>("  rotate below it if that pays off"),
};
constexpr CodeLine kNearest[] = {
    {"n = the root"},
    {"while n has children"},
    on<bv::SiblingConsidered>("  n is on the way down", 0),
    {"  distance = |dx| + |dy| + |dz|"},
    {"  n = the child with the nearest center"},
    on<bv::SiblingConsidered>("n is the sibling", 1),
    on<bv::LeafPlaced>("new parent over n and the leaf"),
    {"for each ancestor, bottom up"},
    on<bv::NodeRefitted>("  refit its box to its children"),
    {"for each of them again, bottom up"},
    on<bv::Rotated>("  rotate below it if that pays off"),
};
constexpr CodeLine kChanges[] = {
    {"insert(box)"},
    {"  evaluate nodes as sibling of the leaf"},
    on<bv::SiblingConsidered>("    the cheapest so far: keep it", 1),
    on<bv::SiblingConsidered>("    not cheaper: the best stays", 0),
    on<bv::LeafPlaced>("  new parent over best and the leaf"),
    {"  repair the ancestors"},
    {"remove(leaf)"},
    on<bv::LeafDetached>("  its sibling replaces the parent"),
    {"  repair the ancestors"},
    {"move(leaf, box)"},
    {"  if its fat box contains box: done"},
    on<bv::NodeRefitted>("  refit only: a new fat box", 1),
    {"  else: remove it, insert it"},
    {"repair: for each, bottom up"},
    on<bv::NodeRefitted>("  refit its box to its children", 0),
    {"  then for each again, bottom up"},
    on<bv::Rotated>("  rotate below it if that pays off"),
};
constexpr CodeLine kSweepAndPrune[] = {
    {"axis = along which the boxes spread most"},
    {"sort the boxes by min on it"},
    {"for each box a, in that order"},
    on<bv::SweepReached>("  the sweep reaches a"),
    {"  for each box b after it"},
    {"    if b's min is beyond a's max: stop"},
    {"    b begins within a: test them"},
    on<bv::BoxesTested>("      apart on another axis: next", 0),
    on<bv::BoxesTested>("      overlap: report the pair", 1),
    {"boxes far apart are never compared"},
};
constexpr CodeLine kIncrementalSweep[] = {
    {"update the values of all endpoints"},
    {"for each axis: insertion sort"},
    {"  while an endpoint is below its neighbor"},
    on<bv::EndsExchanged>("    swap the two", 0),
    on<bv::EndsExchanged>("    a min passes a max: may begin", 1),
    on<bv::BoxesTested>("      test: apart on another axis", 0),
    on<bv::BoxesTested>("      test: keep the pair", 1),
    on<bv::EndsExchanged>("    a max passes a min: the pair ends", 2),
    {"many new boxes: sort and sweep instead"},
    on<bv::SweepReached>("  the sweep reaches a box"),
    {"report the pairs kept"},
};
constexpr CodeLine kUniformGrid[] = {
    {"edge = 2 · mean edge of the boxes, or more"},
    {"cells = their bounds, in equal parts <= edge"},
    {"for each box"},
    {"  for each cell that it overlaps"},
    on<bv::CellFilled>("    add it"),
    {"for each cell"},
    {"  for each two boxes a, b in it"},
    on<bv::BoxesTested>("    apart: next", 0),
    {"    corner = lowest of the intersection"},
    on<bv::BoxesTested>("    corner in another cell: skip", 2),
    on<bv::BoxesTested>("    else: report the pair, once", 1),
};
constexpr CodeLine kSpatialHash[] = {
    {"cell edge = 2 · mean edge of the boxes"},
    {"for each box"},
    {"  for each cell that it overlaps"},
    on<bv::CellFilled>("    add it"),
    {"for each cell"},
    {"  for each two boxes a, b in it"},
    on<bv::BoxesTested>("    apart: next", 0),
    {"    corner = lowest of the intersection"},
    on<bv::BoxesTested>("    corner in another cell: skip", 2),
    on<bv::BoxesTested>("    else: report the pair, once", 1),
};
constexpr CodeLine kBruteForce[] = {
    {"tests = 0"},
    {"for each box a"},
    {"  for each later box b"},
    {"    tests += 1"},
    {"    for each axis x, y, z"},
    {"      a's max below b's min: apart"},
    {"      b's max below a's min: apart"},
    on<bv::BoxesTested>("    apart on an axis: next", 0),
    on<bv::BoxesTested>("    overlap on all: report the pair", 1),
    {"tests = n · (n - 1) / 2, however far apart"},
};
constexpr CodeLine kPairRules[] = {
    {"halve space by planes"},
    on<bv::CellFilled>("add each box to the cells it overlaps"),
    {"for each cell, for each box a in it"},
    on<bv::PairSpared>("  if a is at rest: next", bv::PairSpared::Rule::Resting),
    {"  for each other box b in the cell"},
    on<bv::PairSpared>("    if b tests a, or has already: next", bv::PairSpared::Rule::Once),
    on<bv::PairSpared>("    if a and b move apart: next", bv::PairSpared::Rule::Behind),
    on<bv::PairSpared>("    if |a - b| > r_a + r_b: next", bv::PairSpared::Rule::Points),
    on<bv::BoxesTested>("    if the boxes overlap: keep the pair", Boxes::Pair),
    on<bv::BoxesTested>("    else: apart", Boxes::Apart),
};
constexpr CodeLine kFrustum[] = {
    {"p = the plane that rejected it last time"},
    {"for p, then the five others"},
    {"  d = distance of the center"},
    {"  r = projected radius of the box"},
    {"    = sum of half size · |normal|"},
    on<bv::PlaneTested>("  if d < -r: behind p, culled", 0),
    on<bv::PlaneTested>("  if d > r: in front of p", 2),
    on<bv::PlaneTested>("  else: p cuts the box", 1),
    {"no plane cuts it: all below is inside, too"},
    {"else: draw it"},
};
constexpr CodeLine kBspPoint[] = {
    {"visit(n), from the root"},
    {"  if n is a cell"},
    {"    return its side: inside or outside"},
    {"  d = signed distance from n's plane"},
    on<bv::PlaneTested>("  if d > thickness", 2),
    {"    return visit(front child)"},
    on<bv::PlaneTested>("  if d < -thickness", 0),
    {"    return visit(back child)"},
    on<bv::PlaneTested>("  else: in the plane, visit both", 1),
    {"    they differ: on the surface"},
};
constexpr CodeLine kBspBuild[] = {
    {"build(pieces), from all triangles"},
    {"  for some triangles, and for x, y, z"},
    {"    plane = its own, or at the median"},
    {"    cost = 8 · cut + |front - back|"},
    on<bv::SplitEvaluated>("    compare with the lowest so far", 2),
    on<bv::SplitEvaluated>("    the lowest of all: take this plane", 3),
    {"  for each piece"},
    on<bv::PieceSorted>("    in the plane: it stays at this node", Sorted::InPlane),
    on<bv::PieceSorted>("    in front: pass it to the front", Sorted::Front),
    on<bv::PieceSorted>("    behind: pass it to the back", Sorted::Back),
    on<bv::PieceSorted>("    across: cut it, a piece to each side", Sorted::Cut),
    {"  build(front pieces)"},
    {"  build(back pieces)"},
};
constexpr CodeLine kBspBackToFront[] = {
    {"list(n), from the root"},
    {"  if n is a cell: list its pieces, return"},
    {"  d = distance of the eye from n's plane"},
    on<bv::PlaneTested>("  if d >= 0: the eye is in front", 2),
    {"    list(what is behind the plane)"},
    on<bv::PieceListed>("    list the pieces in the plane"),
    {"    list(what is in front of it)"},
    on<bv::PlaneTested>("  else the eye is behind it", 0),
    {"    the same, front and back swapped"},
    {"the eye's own side always comes last"},
};
constexpr CodeLine kBspFrontToBack[] = {
    {"list(n), from the root"},
    {"  if n is a cell: list its pieces, return"},
    {"  d = distance of the eye from n's plane"},
    on<bv::PlaneTested>("  if d >= 0: the eye is in front", 2),
    {"    list(what is in front of the plane)"},
    on<bv::PieceListed>("    list the pieces in the plane"),
    {"    list(what is behind it)"},
    on<bv::PlaneTested>("  else the eye is behind it", 0),
    {"    the same, front and back swapped"},
    {"the eye's own side always comes first"},
};
constexpr CodeLine kSlice[] = {
    {"for each triangle"},
    {"  d = distances of its corners"},
    on<bv::TriangleCut>("  all d = 0: with the solid behind", 2),
    on<bv::TriangleCut>("  all d >= 0: to the front half", 0),
    on<bv::TriangleCut>("  all d <= 0: to the back half", 1),
    {"  else: one new corner per cut edge,"},
    {"    at the part d / (d - other d) of it"},
    on<bv::TriangleCut>("    shared with the neighbor; split it", 3),
    {"chain the open edges in the plane"},
    on<bv::LoopClosed>("  a loop: cap it in both halves"),
};
constexpr CodeLine kVoxels[] = {
    {"for each brick b of B, 4x4x4 voxels"},
    {"  box = around b, in the frame of A"},
    {"  for each brick a that box overlaps"},
    on<bv::CubesTested>("    apart: up to 4096 tests saved", 0),
    on<bv::CubesTested>("    they overlap: test their voxels", 1),
    {"    for each filled voxel of b"},
    {"      for each filled voxel of a near it"},
    {"        15 axes, as for any two boxes"},
    on<bv::CubesTested>("        apart", 2),
    on<bv::CubesTested>("        overlap: report them", 3),
};
constexpr CodeLine kBinnedSplit[] = {
    {"split(boxes), from all"},
    {"  for each axis x, y, z"},
    {"    put the boxes into 16 bins by center"},
    {"    for each of 15 planes between bins"},
    {"      cost = area(left) · count(left)"},
    {"           + area(right) · count(right)"},
    on<bv::SplitEvaluated>("      compare with the lowest so far", 2),
    on<bv::SplitEvaluated>("  take the plane with the lowest cost", 3),
    on<bv::SplitEvaluated>("  no plane divides them: split in half", 1),
    {"  split(boxes on the left)"},
    {"  split(boxes on the right)"},
    {"one box: a leaf"},
};
constexpr CodeLine kSweepSplit[] = {
    {"split(boxes), from all"},
    {"  for each axis x, y, z"},
    {"    sort the boxes by center"},
    {"    for each plane between two of them"},
    {"      cost = area(left) · count(left)"},
    {"           + area(right) · count(right)"},
    on<bv::SplitEvaluated>("      compare with the lowest so far", 2),
    on<bv::SplitEvaluated>("  take the plane with the lowest cost", 3),
    on<bv::SplitEvaluated>("  no plane divides them: split in half", 1),
    {"  split(boxes on the left)"},
    {"  split(boxes on the right)"},
    {"one box: a leaf"},
};
constexpr CodeLine kMedianSplit[] = {
    {"split(boxes), from all"},
    {"  bounds = around their centers"},
    {"  axis = the widest of bounds"},
    {"  n = half of their number"},
    {"  partition the boxes by center on axis:"},
    {"    the n lowest to the left"},
    on<bv::SplitEvaluated>("    the rest to the right", 3),
    on<bv::SplitEvaluated>("  all centers coincide: any n", 1),
    {"  split(boxes on the left)"},
    {"  split(boxes on the right)"},
    {"one box: a leaf"},
};
constexpr CodeLine kMortonSplit[] = {
    {"grid of 1024³ cells over the centers"},
    {"for each box"},
    {"  code = bits of its cell: x y z x y z ..."},
    {"sort the boxes by code: the curve"},
    {"split(run), from the whole curve"},
    {"  a, b = first and last code of the run"},
    {"  bit = the highest in which they differ"},
    on<bv::SplitEvaluated>("  split where that bit becomes 1", 3),
    on<bv::SplitEvaluated>("  a = b: split in the middle", 1),
    {"  split(first part)"},
    {"  split(second part)"},
    {"one box: a leaf"},
};
constexpr CodeLine kSpatialSplit[] = {
    {"for each node, from the root"},
    {"  best object split, triangles whole"},
    on<bv::SplitEvaluated>("    its cost is the one to beat", 0),
    {"  halves overlap: 3 to 15 planes an axis"},
    {"    triangles across it count twice"},
    on<bv::SplitEvaluated>("    compare with the lowest so far", 2),
    on<bv::SplitEvaluated>("  no plane is cheaper: the object split", 1),
    on<bv::SplitEvaluated>("  a plane is: split there", 3),
    {"  for each triangle across that plane"},
    on<bv::ReferenceSplit>("    cheaper as a whole on the low side", Reference::Low),
    on<bv::ReferenceSplit>("    cheaper as a whole on the high side", Reference::High),
    on<bv::ReferenceSplit>("    else: clip it, one box on each side", Reference::Both),
    {"  if a leaf is cheaper: make a leaf"},
};
constexpr CodeLine kAgglomerative[] = {
    {"clusters = boxes along a Morton curve"},
    {"while there are two clusters or more"},
    {"  for each cluster c"},
    {"    n = of the 14 before and after it,"},
    {"        the one with the smallest joint box"},
    on<bv::NeighborFound>("    n chose another cluster: next", 0),
    on<bv::NeighborFound>("    n chose c, too: a pair", 1),
    {"  for each pair that chose each other"},
    on<bv::ClustersMerged>("    merge them into one cluster"),
    {"the last cluster is the root"},
};
constexpr CodeLine kTriangles[] = {
    {"d = distances of A's corners from B's plane"},
    on<bv::CornersSided>("  all on one side: return apart", 3),
    on<bv::CornersSided>("  else A meets that plane: go on", 2),
    {"e = distances of B's corners from A's plane"},
    on<bv::CornersSided>("  all on one side: return apart", 1),
    on<bv::CornersSided>("  else B meets that plane: go on", 0),
    {"if no corner lies in a plane"},
    {"  line = where the two planes meet"},
    {"  a = interval of A on the line"},
    {"  b = interval of B on the line"},
    on<bv::IntervalsCompared>("  if a and b are apart: return apart", 0),
    on<bv::IntervalsCompared>("  else: return overlap", 1),
    {"else for each of the six edges"},
    on<bv::EdgeTested>("  misses the other triangle: next", 0),
    on<bv::EdgeTested>("  crosses it: return overlap", 1),
    {"  none does: return apart"},
};

constexpr std::array kRows = {
    Algorithm{"sphere.centroid", "Sphere around the centroid", "radius, m", kCentroid},
    Algorithm{"sphere.aabb_center", "Sphere around the AABB center", "radius, m", kAabbCenter},
    Algorithm{"sphere.ritter", "Ritter's sphere", "radius, m", kRitter},
    Algorithm{"sphere.epos6", "EPOS-6", "radius, m", kEpos},
    Algorithm{"sphere.epos14", "EPOS-14", "radius, m", kEpos},
    Algorithm{"sphere.epos26", "EPOS-26", "radius, m", kEpos},
    Algorithm{"sphere.epos98", "EPOS-98", "radius, m", kEpos},
    Algorithm{"sphere.exact", "Smallest sphere", "radius, m", kExactBall},
    Algorithm{"obb.pca", "PCA of the points", "volume, m³", kPca},
    Algorithm{"obb.pca_surface", "PCA of the surface", "volume, m³", kPcaSurface},
    Algorithm{"obb.pca_hull", "PCA of the hull", "volume, m³", kPcaHull},
    Algorithm{"obb.dito14", "DiTO-14", "volume of extremes, m³", kDito},
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
    Algorithm{"sweep.aabb", "Moving AABBs", "t enter, s", kSweep},
    Algorithm{"sat.rectangles", "Separating axes in the plane", "gap, m", kRectangles},
    Algorithm{"moller_trumbore", "Möller–Trumbore", "", kMollerTrumbore},
    Algorithm{"traversal.ray", "Ray against a tree", "depth", kTreeRay},
    Algorithm{"traversal.pairs", "Tree against tree", "depth, both", kTreePairs},
    Algorithm{"dynamic.insertion", "Branch-and-bound insertion", "inner area, m²", kInsertion},
    Algorithm{"dynamic.insertion_greedy", "Greedy SAH insertion", "inner area, m²", kGreedy},
    Algorithm{"dynamic.insertion_nearest", "Nearest-center insertion", "inner area, m²", kNearest},
    Algorithm{"dynamic.changes", "Insertion, removal and moves", "inner area, m²", kChanges},
    Algorithm{"broadphase.brute-force", "Brute force", "tests", kBruteForce},
    Algorithm{"broadphase.sweep-and-prune", "Sweep and prune, one axis", "tests", kSweepAndPrune},
    Algorithm{"broadphase.incremental-sweep", "Sweep and prune, incremental", "tests", kIncrementalSweep},
    Algorithm{"broadphase.uniform-grid", "Uniform grid", "tests", kUniformGrid},
    Algorithm{"broadphase.spatial-hash", "Spatial hash", "tests", kSpatialHash},
    Algorithm{"pairs.rules", "Rules that save tests", "tests", kPairRules},
    Algorithm{"planes.frustum", "Box against a frustum", "distance, m", kFrustum},
    Algorithm{"planes.bsp", "Point in a BSP", "distance, m", kBspPoint},
    Algorithm{"planes.bsp_build", "Building a BSP", "cost", kBspBuild},
    Algorithm{"planes.bsp_back_to_front", "Back to front", "distance, m", kBspBackToFront},
    Algorithm{"planes.bsp_front_to_back", "Front to back", "distance, m", kBspFrontToBack},
    Algorithm{"slice", "Cutting by a plane", "triangles cut", kSlice},
    Algorithm{"voxels.pairs", "Voxels against voxels", "pairs of voxels", kVoxels},
    Algorithm{"build.binned", "Surface area heuristic, binned", "cost, m²", kBinnedSplit},
    Algorithm{"build.sweep", "Surface area heuristic, all planes", "cost, m²", kSweepSplit},
    Algorithm{"build.median", "Median split", "cost, m²", kMedianSplit},
    Algorithm{"build.morton", "Morton curve splits", "cost, m²", kMortonSplit},
    Algorithm{"build.spatial", "Spatial splits", "cost, m²", kSpatialSplit},
    Algorithm{"build.agglomerative", "Agglomerative clustering", "joint area, m²", kAgglomerative},
    Algorithm{"triangles", "Triangle against triangle", "", kTriangles},
};

}  // namespace

std::size_t Algorithm::line_of(const bv::TraceEvent& event, const Subject& subject) const {
    const int variant = variant_of(event, subject);
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
