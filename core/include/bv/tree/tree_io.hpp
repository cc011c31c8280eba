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

struct SnapshotResult {
    std::optional<TreeSnapshot> tree;
    std::string error;  ///< Why there is none.
};
/// Reads what `snapshot_to_bytes` wrote. Any bytes may come: a result is returned only if every size fits the
/// data and `check_snapshot` finds nothing. Never allocates more than a small multiple of the input.
[[nodiscard]] SnapshotResult snapshot_from_bytes(std::span<const std::uint8_t> bytes);

/// What is wrong with a snapshot's structure, or nothing: sizes, parents before children, siblings adjacent,
/// depths, payload ranges, boxes that are not finite or do not contain their children.
[[nodiscard]] std::optional<std::string> check_snapshot(const TreeSnapshot& tree);

}  // namespace bv
