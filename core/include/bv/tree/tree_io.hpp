// Snapshots and box lists as bytes and text in memory. The library touches no files: the caller reads and
// writes them.
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

/// One box a line, `minx miny minz maxx maxy maxz`, with enough digits to come back bit for bit.
[[nodiscard]] std::string boxes_to_text(std::span<const Aabb> boxes);

struct BoxListError {
    std::size_t line = 0;  ///< From 1.
    std::string what;
};
struct BoxList {
    std::vector<Aabb> boxes;
    std::optional<BoxListError> error;  ///< The first bad line; `boxes` then holds those before it.
};
/// Numbers stand apart by spaces, tabs or commas; `#` begins a comment; empty lines do not count. A box that
/// is not finite, or whose min exceeds its max, is an error.
[[nodiscard]] BoxList boxes_from_text(std::string_view text);

/// A little-endian binary form with a version, the same on every machine.
[[nodiscard]] std::vector<std::uint8_t> snapshot_to_bytes(const TreeSnapshot& tree);

/// Limits of a snapshot.
enum class SnapshotCheck : std::uint8_t {
    Structure,  ///< That it is a tree: sizes, parents before children, siblings adjacent, depths, finite
                ///< boxes and OBBs, payloads only in leaves, each in one at most.
    Sound       ///< Also that every box contains those of its children.
};

struct SnapshotResult {
    std::optional<TreeSnapshot> tree;
    std::string error;                  ///< Why there is none.
    std::optional<std::uint64_t> byte;  ///< Where the value stands that is wrong, if it is a single one.
};
/// Reads what `snapshot_to_bytes` wrote. Any bytes may come: a result is returned only if every size fits the
/// data and the check finds nothing. Linear in the input; never allocates more than a small multiple of it.
/// A tree whose boxes are wrong, to be looked into for that reason, passes as `Structure`.
[[nodiscard]] SnapshotResult snapshot_from_bytes(std::span<const std::uint8_t> bytes,
                                                 SnapshotCheck check = SnapshotCheck::Sound);

/// The first violated invariant of a snapshot, or nothing. O(nodes + payloads).
[[nodiscard]] std::optional<std::string> check_snapshot(const TreeSnapshot& tree,
                                                        SnapshotCheck check = SnapshotCheck::Sound);

/// A node whose box does not contain what lies in it.
struct LooseNode {
    std::uint32_t node = 0;
    std::uint32_t child = TreeSnapshot::kNone;  ///< The first child that stands out; kNone: a payload does.
    std::uint64_t payload = 0;                  ///< The first payload that stands out of a leaf.
    float by = 0.0f;                            ///< How far, at most, along an axis.
    friend bool operator==(const LooseNode&, const LooseNode&) = default;
};
struct LooseNodes {
    std::vector<LooseNode> first;  ///< In order of nodes; at most as many as were asked for.
    std::uint64_t count = 0;       ///< Of all.
};
/// The nodes that make a tree answer queries wrongly. The snapshot must pass as `Structure`. O(nodes +
/// payloads).
[[nodiscard]] LooseNodes loose_nodes(const TreeSnapshot& tree, std::size_t most);

}  // namespace bv
