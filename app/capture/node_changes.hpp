// When each node of the captured trees got the children or payloads that it has: found by comparing the trees
// of successive frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/captures/capture.hpp"

namespace lab::capture {

class NodeChanges {
  public:
    /// Call in the order of frames, at most once for each tree. Remembers the last 32 changes of each node,
    /// of up to 100,000 nodes in each tree.
    void add(std::size_t place, const io::CaptureTree& tree);
    /// Position of the frame since which the node has had what is below it in the frame at `place`. Nothing
    /// if it is unknown: no such frame was added, the node is not in it, or too much has changed since then.
    [[nodiscard]] std::optional<std::size_t> since(std::string_view tree, std::uint64_t node,
                                                   std::size_t place) const;

  private:
    struct Node {
        std::uint64_t shape = 0;             ///< A hash of what is below it now.
        std::size_t seen = 0;                ///< Position of the last frame that has it.
        std::vector<std::uint32_t> changes;  ///< Places, ascending.
    };
    struct Tree {
        std::string name;
        std::size_t last = 0;  ///< Position of the last frame added.
        std::unordered_map<std::uint64_t, Node> nodes;
    };
    std::vector<Tree> trees_;
};

}  // namespace lab::capture
