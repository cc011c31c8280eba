// Snapshots and box lists as bytes and text in memory. The library does no file I/O; that is the caller's
// job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "bv/tree/snapshot.hpp"

namespace bv {

/// One box per line, `minx miny minz maxx maxy maxz`, with enough digits to be read back bit for bit.
[[nodiscard]] std::string boxes_to_text(std::span<const Aabb> boxes);

struct BoxListError {
    std::size_t line = 0;  ///< From 1.
    std::string what;
};
struct BoxList {
    std::vector<Aabb> boxes;
    std::optional<BoxListError> error;  ///< The first bad line; `boxes` then holds those before it.
};
/// Numbers are separated by spaces, tabs or commas; `#` begins a comment; empty lines are ignored. A box that
/// is not finite, or whose min exceeds its max, is an error.
[[nodiscard]] BoxList boxes_from_text(std::string_view text);

/// A little-endian binary form with a version, the same on every machine.
[[nodiscard]] std::vector<std::uint8_t> snapshot_to_bytes(const TreeSnapshot& tree);

/// How strictly to check a snapshot.
enum class SnapshotCheck : std::uint8_t {
    Structure,  ///< It is a tree: sizes, parents before children, siblings adjacent, depths, finite
                ///< boxes and OBBs, payloads only in leaves, each in at most one.
    Sound       ///< Also every box contains those of its children.
};

struct SnapshotResult {
    std::optional<TreeSnapshot> tree;
    std::string error;                  ///< Why there is no tree.
    std::optional<std::uint64_t> byte;  ///< Offset of the wrong value, if a single one is wrong.
};
/// Reads the output of `snapshot_to_bytes`. Safe for arbitrary bytes: succeeds only if every size fits the
/// data and the check passes. Linear in the input; never allocates more than a small multiple of it. A tree
/// with wrong boxes, kept for inspection, passes as `Structure`.
[[nodiscard]] SnapshotResult snapshot_from_bytes(std::span<const std::uint8_t> bytes,
                                                 SnapshotCheck check = SnapshotCheck::Sound);

/// Describes the first violated invariant of a snapshot; empty if all hold. O(nodes + payloads).
[[nodiscard]] std::optional<std::string> check_snapshot(const TreeSnapshot& tree,
                                                        SnapshotCheck check = SnapshotCheck::Sound);

/// A node whose box does not contain all of its children or payloads.
struct LooseNode {
    std::uint32_t node = 0;
    std::uint32_t child = TreeSnapshot::kNone;  ///< The first child that sticks out; kNone if a payload does.
    std::uint64_t payload = 0;                  ///< The first payload that sticks out of a leaf.
    float excess = 0.0f;                        ///< How far they stick out at most, along an axis.
    friend bool operator==(const LooseNode&, const LooseNode&) = default;
};
struct LooseNodes {
    std::vector<LooseNode> first;  ///< In order of nodes; at most the requested number.
    std::uint64_t count = 0;       ///< The total number.
};
/// Finds the nodes that make queries wrong. The snapshot must pass as `Structure`. O(nodes + payloads).
[[nodiscard]] LooseNodes loose_nodes(const TreeSnapshot& tree, std::size_t max_nodes);

}  // namespace bv
