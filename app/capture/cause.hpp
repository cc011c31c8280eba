// The closed list of what can be wrong with a tree, and the words for it.
#pragma once

#include <string_view>

namespace lab::capture {

enum class Cause : unsigned char {
    NothingWrong,
    SortedInsertion,   ///< Boxes came in order, and nothing was rotated: a part of the tree is a list.
    StretchedLeaves,   ///< Leaves moved and were never re-inserted: their boxes grew.
    LargeMargin,       ///< Fat boxes are much larger than bodies need.
    SmallMargin,       ///< Fat boxes are left in almost every frame.
    GiantBox,          ///< One large box makes every node above it large.
    MixedClusters,     ///< Distant groups have shared the same nodes since they were inserted.
    RefitOnly,         ///< Bodies moved far, and the tree kept its shape.
    BrokenInvariants,  ///< Boxes that do not contain what is below them, cycles, orphans, duplicate payloads.
};

/// Like `sorted_insertion`: stable, for reports.
[[nodiscard]] std::string_view id_of(Cause cause);
/// Like "sorted insertion without rotations".
[[nodiscard]] std::string_view words_of(Cause cause);

}  // namespace lab::capture
