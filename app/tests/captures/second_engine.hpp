// An engine that captures itself, other than the one that the samples come from: the library's dynamic tree
// under any options and in many worlds, with faults planted in it, in its leaves, or beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bv/tree/tree_options.hpp"
#include "capture/cause.hpp"

namespace lab::capture {

enum class Fault {
    None,
    SortedFromStart,  ///< All bodies come in a row, before the first frame.
    SortedSlowly,     ///< The same, three in each frame.
    SortedRow,        ///< A row of bodies comes in one frame, without rotations.
    SortedAnew,       ///< All leaves are inserted again in the order along x, without rotations from then on.
    RefitOnly,        ///< From one frame on leaves keep their places.
    LargeMargin,      ///< From one frame on, for bodies that leave their fat boxes.
    SmallMargin,
    Giant,            ///< A large body goes down to the nearest leaf.
    Stretched,        ///< A quarter of the leaves grow where they are.
    StretchedSlowly,  ///< The same, one more leaf in every third frame.
    InPlace,          ///< A quarter of the leaves follow their bodies and are never re-inserted.
    AllInPlace,       ///< The same of all leaves whose bodies move.
    Leaked,           ///< A tenth of the bodies are removed; their leaves stay.
    Mixed,            ///< Two distant groups, in a tree built over them in turns.
    MixedTop,         ///< The same, mixed at the two upper levels only.
    Rebuilds,         ///< No fault: from one frame on, the tree is refitted and rebuilt, and has no margins.
};

enum class Ground {
    Field,   ///< On a plain, of similar sizes.
    Cloud,   ///< Anywhere in a cube.
    Planar,  ///< In a plane: z is 0.
    City,    ///< On a plain, the largest twenty times the smallest.
    Edges,   ///< On a line, captured without height and depth: the edges of a floor.
};

enum class Travel {
    Straight,  ///< Back and forth between the borders.
    Orbits,    ///< In circles.
    Jitter,    ///< In another direction each frame.
    Pauses,    ///< Straight on, and at rest for every other second.
};

struct Plan {
    std::string name;
    Fault fault = Fault::None;
    std::optional<Cause> cause = {};  ///< None: nothing must be found.
    bv::TreeOptions options = {.margin = bv::Margin::Fixed, .margin_m = 0.15f};
    int frame = 60;  ///< Where the fault begins, and must be found. Below 0: before the capture.
    int bodies = 300, frames = 150;
    float unit = 1.0f;          ///< Meters for each meter of the plan.
    float moving = 0.4f;        ///< Share of the bodies.
    float speed = 0.04f;        ///< Per frame.
    float extent = 12.0f;       ///< From the middle of the world to its borders.
    float later_margin = 0.0f;  ///< With `SmallMargin`, in displacements per frame.
    bool at_once = false;       ///< All leaves are inserted anew when the margin becomes small.
    float giant = 0.0f;         ///< Its surface area in typical ones; 0: as large as the world.
    int rebuild_period = 1;     ///< With `Rebuilds`.
    int in_groups = 60;
    float gap = 30.0f;            ///< Between the groups.
    bool four_groups = false;     ///< In a square, instead of two.
    float in_group_speed = 0.0f;  ///< Per frame, up or down; leaves are then sorted by height in each frame.
    float apart = 0.0f;           ///< Between four parts of the world.
    bool has_proxies = true;
    bool has_fat_boxes = true;  ///< Bodies are captured with theirs; those of leaves always are.
    Ground ground = Ground::Field;
    Travel travel = Travel::Straight;
    int arity = 2;           ///< Of the tree as it is captured.
    int in_leaf = 1;         ///< Subtrees of at most so many bodies are captured as leaves.
    int before = 0;          ///< Frames that ran before the capture began.
    bool two_trees = false;  ///< Bodies that rest are in a tree of their own.
    bool has_tree = true;
    int trees_every = 1;   ///< Only each such frame has a tree.
    int frames_every = 1;  ///< Only each such frame is captured, with its number.
    bool has_queries = false;
    Fault other = Fault::None;  ///< Planted in the same frame; one of those that change what a tree does.
};

/// A whole .bvcap file.
[[nodiscard]] std::vector<std::uint8_t> run_second_engine(const Plan& plan, std::uint64_t seed);

/// A plan that nobody has thought of: everything in it follows from the seed.
[[nodiscard]] Plan random_plan(std::uint64_t seed);
/// The same of changes in mid-run that resemble each other: margins that become small, engines that rebuild
/// and need no margins, leaves that are no longer re-inserted, giants that are not as large as the world; and
/// the same worlds without a change.
[[nodiscard]] Plan random_change_plan(std::uint64_t seed);

}  // namespace lab::capture
