// Generated captures, each with a known fault: what the scene shows before a capture is opened, and what the
// diagnosis is tested on.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "capture/cause.hpp"

namespace lab::capture {

/// The planted fault: twelve of them, and two kinds of captures without any.
enum class SampleKind : unsigned char {
    Sound,
    SortedRow,       ///< A row of boxes comes in order, in an engine that does not rotate.
    Stretched,       ///< Leaves of one group are no longer re-inserted: their fat boxes grow.
    LargeMargin,     ///< The margin becomes many times what a body moves in a second.
    SmallMargin,     ///< The margin becomes less than what a body moves in a frame.
    Giant,           ///< A box as large as the world is put beside a small one.
    MixedClusters,   ///< Two distant groups are put below one node, in turns.
    RefitOnly,       ///< A group changes places, and boxes follow in a tree that keeps its shape.
    ShrunkBox,       ///< A node's box no longer holds its children.
    Knot,            ///< A leaf has a node above it as its child.
    LostSubtree,     ///< A node is forgotten by its parent.
    DoubledPayload,  ///< Two leaves hold one body.
    SlowRow,         ///< A row as above, but one box in each frame.
    Busy,            ///< Nothing is wrong, though it looks like it: a ground, a row, two camps, fast bodies.
};
inline constexpr std::size_t kSampleKinds = 14;

struct Sample {
    std::vector<std::uint8_t> bytes;  ///< A whole .bvcap file.
    // The planted fault.
    Cause cause = Cause::NothingWrong;
    std::uint64_t frame = 0;            ///< The first frame that has it.
    std::vector<std::uint64_t> bodies;  ///< The bodies affected, ascending; empty: all.
};

/// About 200 boxes over 120 frames, with queries: the same bytes for the same seed, on every machine.
/// Positions, numbers, speeds and the frame of the fault depend on the seed.
[[nodiscard]] Sample make_sample(SampleKind kind, std::uint64_t seed);

}  // namespace lab::capture
