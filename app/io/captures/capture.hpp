// What a capture holds, as values: the head, an entry of the index for each frame, and single frames with
// their proxies, events, queries, marks and trees. The format is described in bv/capture/FORMAT.md.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bv/shapes/aabb.hpp"

namespace lab::io {

struct CaptureHead {
    std::string engine, title;
    int dimensions = 3;
    float margin = 0.0f;  ///< By which the engine fattens boxes; 0 if unknown.
};

struct CaptureCounts {
    std::uint64_t created = 0, moved = 0, removed = 0, queries = 0, marks = 0, trees = 0, nodes = 0;
    friend bool operator==(const CaptureCounts&, const CaptureCounts&) = default;
};

/// What was dropped because the engine's buffer was full.
struct CaptureLoss {
    std::uint64_t first_frame = 0, frames = 0;  ///< The first frame may be there in part.
    CaptureCounts counts;
};

/// A frame in the index, known without reading its contents.
struct CaptureFrameEntry {
    std::uint64_t number = 0;  ///< The engine's number; ascending.
    double time_s = 0.0;       ///< May be infinite or NaN.
    std::uint64_t byte = 0;    ///< Where it begins.
    std::uint64_t bytes = 0;
    bool has_state = false;     ///< It can be read without those before it.
    bool is_complete = false;   ///< Nothing of it is missing.
    CaptureCounts counts;       ///< From the end marker, which may be wrong; zero without one.
    std::uint64_t trees = 0;    ///< Trees that are there.
    std::uint64_t refused = 0;  ///< Calls that the engine made wrongly.
};

struct CaptureProxy {
    std::uint64_t id = 0;
    bv::Aabb tight, fat;
    std::uint32_t tag = 0;
};

struct CaptureEvent {
    enum class Kind : unsigned char { Created, Moved, Removed };
    Kind kind = Kind::Moved;
    CaptureProxy proxy;           ///< State after the event; for Removed, before it.
    bv::Aabb tight_was, fat_was;  ///< For Moved: the boxes before the event.
};

struct CaptureQuery {
    enum class Kind : unsigned char { Box, Ray, Cast };
    Kind kind = Kind::Box;
    bv::Aabb box;                             ///< For Box and Cast.
    glm::vec3 origin{0.0f}, direction{0.0f};  ///< For Ray; for Cast, `direction` is the displacement.
    float t_max = 0.0f;                       ///< For Ray.
    std::uint32_t tree = 0;                   ///< Index among the frame's trees.
    std::uint32_t nodes_visited = 0, boxes_tested = 0;
    std::vector<std::uint64_t> found, visited;  ///< Ids of proxies and of nodes.
    std::size_t after_events = 0;               ///< Number of the frame's events before it.
};

struct CaptureNode {
    std::uint64_t id = 0;
    bv::Aabb box;
    std::uint32_t first_child = 0, child_count = 0;      ///< In `CaptureTree::children`.
    std::uint32_t first_payload = 0, payload_count = 0;  ///< In `CaptureTree::payloads`.
};

/// The tree exactly as the engine wrote it: not validated, may not be a tree. See
/// io/captures/capture_tree.hpp.
struct CaptureTree {
    std::string name;  ///< Unique in the frame: a second `a` becomes `a 2`. Without a name: `tree`.
    std::uint64_t root = 0;
    bool is_complete = false;  ///< False: nodes are missing.
    std::vector<CaptureNode> nodes;
    std::vector<std::uint64_t> children, payloads;  ///< Ids.
};

using CaptureNames = std::map<std::uint64_t, std::string>;

/// One frame at its end.
struct CaptureFrame {
    std::vector<CaptureProxy> proxies;
    std::shared_ptr<const CaptureNames> names;  ///< Names of the proxies that have one; never null.
    std::vector<CaptureEvent> events;
    std::vector<CaptureQuery> queries;
    std::vector<std::string> marks;
    std::vector<CaptureTree> trees;
    /// Oddities in the frame with their bytes, e.g. a move of an unknown proxy. At most 100.
    std::vector<std::string> notes;
};

}  // namespace lab::io
