// A captured tree as a snapshot for the metrics and the views, and what is broken in it. Any list of nodes is
// accepted: what can be reached from the root becomes the snapshot, everything else is a defect.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bv/tree/snapshot.hpp"
#include "io/captures/capture.hpp"

namespace lab::io {

struct CaptureDefect {
    enum class Kind : unsigned char {
        NoRoot,          ///< No node has the root's id.
        SameId,          ///< Several nodes have this id; the first one counts.
        MissingChild,    ///< `other` is a child, but no node.
        SharedChild,     ///< `other` is a child of another node, too.
        Cycle,           ///< `other` is a child, and this node is below it.
        Orphan,          ///< Cannot be reached from the root; nor can `other` nodes below it.
        SamePayload,     ///< `other` is a payload of another node, too.
        BoxNotFinite,    ///< NaN, infinite, or a minimum above its maximum.
        ChildOutside,    ///< The box does not contain that of its child `other`; `by` meters.
        PayloadOutside,  ///< The box does not contain the tight box of its payload `other`; `by` meters.
    };
    Kind kind = Kind::NoRoot;
    std::uint64_t node = 0;   ///< The engine's id.
    std::uint64_t other = 0;  ///< Id of a node or a payload, or a number of nodes: see above.
    float by = 0.0f;
    friend bool operator==(const CaptureDefect&, const CaptureDefect&) = default;
};

/// As a sentence without its full stop, like "the box of node 7 does not contain its child 9 by 0.25 m".
[[nodiscard]] std::string defect_text(const CaptureDefect& defect);

struct CaptureSnapshot {
    /// Passes `check_snapshot(Structure)`. `source_nodes` are positions in `CaptureTree::nodes`, `payloads`
    /// the captured ids. A box that is not finite is replaced by one around what is below. Payloads of an
    /// inner node get a leaf of their own, with the same source node. Payload boxes are the tight boxes of
    /// the proxies, or the node's box if there is no such proxy.
    bv::TreeSnapshot tree;
    std::vector<CaptureDefect> defects;  ///< At most the requested number.
    std::uint64_t defect_count = 0;
};

/// The first proxy of each id, in a list that must outlive it.
using ProxiesById = std::unordered_map<std::uint64_t, const CaptureProxy*>;
[[nodiscard]] ProxiesById by_id(std::span<const CaptureProxy> proxies);

/// O(n log n) in nodes, links and payloads. The trees of a frame share one map: it can have as many trees as
/// proxies.
[[nodiscard]] CaptureSnapshot snapshot_of(const CaptureTree& tree, const ProxiesById& proxies,
                                          std::size_t max_defects = 10'000);
/// The same for a single tree.
[[nodiscard]] CaptureSnapshot snapshot_of(const CaptureTree& tree, std::span<const CaptureProxy> proxies,
                                          std::size_t max_defects = 10'000);

}  // namespace lab::io
