#include "panels/widgets/glossary.hpp"

#include <algorithm>
#include <array>

namespace lab::panels {
namespace {

struct Meaning {
    std::string_view heading, text;
};
constexpr std::array kMeanings = {
    Meaning{"SAH",
            "Surface area heuristic: the expected cost of a random ray. The areas of all nodes, leaves "
            "counted once for each box in them, over the area of the root. Lower is better."},
    Meaning{"SAH cost",
            "Surface area heuristic: the expected cost of a random ray. The areas of all nodes over the area "
            "of the root. Lower is better."},
    Meaning{"EPO",
            "Effective partial overlap: the area of triangles inside nodes that do not own them. Lower is "
            "better."},
    Meaning{"ratio", "Its volume over that of the smallest volume in this table."},
    Meaning{"\u00d7 tight", "Its volume over that of the tight box."},
    Meaning{"area ratio",
            "The areas of all inner nodes except the root, over the area of the root. Lower is better."},
    Meaning{"height", "Edges on the longest path from the root to a leaf."},
    Meaning{"optimum",
            "The smallest height that a tree with this many leaves and children per node can have."},
    Meaning{"balance", "The largest height difference between two siblings."},
    Meaning{"overlap",
            "The mean share of a node's volume that both of its children cover, summed over all pairs where "
            "there are more. Lower is better."},
    Meaning{"dead space", "The share of a node's volume that none of its children covers."},
    Meaning{"fatness", "The volumes of the fat boxes over those of the tight ones; 1 without a margin."},
    Meaning{"tightness", "The volume of the convex hull over that of this volume: 1 is perfect."},
    Meaning{"fit", "How long it took to fit this volume once."},
    Meaning{"holds all", "Whether every vertex of the mesh is inside."},
    Meaning{"cost", "How the fitting time grows with the number of vertices."},
    Meaning{"gap",
            "The space between the two intervals on this axis; below zero, how far one of them "
            "would have to move along it until they are apart."},
    Meaning{"must be", "What the value must be for a hit."},
    Meaning{"holds", "Whether the condition is met."},
    Meaning{"t near", "Where the ray crosses the nearer plane of the slab."},
    Meaning{"t far", "Where the ray crosses the farther plane of the slab."},
    Meaning{"enter so far", "The latest entry into the slabs up to this one."},
    Meaning{"exit so far", "The earliest exit from the slabs up to this one."},
    Meaning{"false alarms", "Pairs that this kind of volume passes on although the meshes do not touch."},
    Meaning{"passed", "Pairs whose volumes of this kind overlap."},
    Meaning{"touch", "Pairs whose meshes touch."},
    Meaning{"test", "How long one test of a pair takes on average, in nanoseconds."},
    Meaning{"inner area", "The areas of all inner nodes: what the surface area heuristic minimizes."},
    Meaning{"first step", "The step with which this change begins."},
    Meaning{"re-inserted", "Leaves inserted again because their box had left its fat box."},
    Meaning{"false pairs", "Pairs whose fat boxes overlap although their tight boxes do not."},
    Meaning{"of all pairs", "The tests as a share of all pairs; brute force tests them all."},
    Meaning{"total work",
            "Visits, pair tests and upkeep of one frame, added up. The two structures with the least are "
            "marked."},
    Meaning{"visits", "Nodes that the captured queries visit; without a tree, every body."},
    Meaning{
        "pair tests",
        "Box tests that find all pairs. The wide tree tests eight boxes at once, which counts as one test."},
    Meaning{"upkeep",
            "An estimate of the nodes, or places in sorted lists, touched to follow the bodies' motion."},
    Meaning{"area",
            "The areas of all inner nodes except the root, over the area of the root. Lower is better."},
    Meaning{"nodes/ray", "Nodes that a ray visits on average. Lower is better."},
    Meaning{"tris/leaf", "Triangles in a leaf on average."},
    Meaning{"change of area", "How much this change added to the areas of all inner nodes."},
    Meaning{"evaluated", "Candidate siblings whose cost was computed, per step."},
    Meaning{"% of boxes", "Re-inserted leaves as a share of all boxes, per step."},
    Meaning{"tested", "Pairs of boxes that were tested."},
    Meaning{"tests without", "Box tests without this rule, the other rules as they are set."},
    Meaning{"tests with", "Box tests with this rule, the other rules as they are set."},
    Meaning{"saved", "The share of the tests that this rule saves."},
    Meaning{"checks added", "What the rule itself costs: pairs, or bodies and planes, that it looks at."},
    Meaning{"refit", "The time to bring this volume up to date when its body has moved or turned."},
    Meaning{"build", "The time to build this tree once."},
    Meaning{"least cost below", "A lower bound for the cost of every candidate in this branch."},
    Meaning{"agrees", "Whether this broadphase finds the same pairs as brute force."},
};

}  // namespace

std::string_view meaning_of(std::string_view heading) {
    const auto* const at = std::find_if(kMeanings.begin(), kMeanings.end(),
                                        [&](const Meaning& m) { return m.heading == heading; });
    return at == kMeanings.end() ? std::string_view() : at->text;
}

}  // namespace lab::panels
