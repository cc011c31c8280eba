// How long the nodes of each tree have had their children: found by comparing the trees of successive steps.
// Trees that the stepper walks through have a history of their own, see TreeHistory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/frame_results.hpp"

namespace lab::panels {

/// When a node got its children, and by which operation.
struct NodeAge {
    std::uint64_t step = 0;      ///< Fixed steps since the scene began.
    std::string_view operation;  ///< Empty if it had them in the first observed frame.
};

class NodeAges {
  public:
    /// Call once per frame. Remembers up to 32 changes of each node of trees with up to 4096 nodes.
    void add(const FrameResults& results);
    /// At the step of the last frame, which may lie in the past; nothing for a node that was not seen.
    [[nodiscard]] std::optional<NodeAge> of(std::string_view tree, std::uint32_t source_node) const;

  private:
    struct Tree {
        std::unordered_map<std::uint32_t, std::vector<NodeAge>> changes;  ///< By source number.
        std::unordered_map<std::uint32_t, std::uint64_t> shapes;          ///< Hashes of children or payloads.
        std::size_t leaves = 0;
        std::uint64_t step = 0;  ///< The last one that was compared.
    };
    static void compare(const bv::TreeSnapshot& now, std::uint64_t step, Tree& tree);

    std::unordered_map<std::string, Tree> trees_;
    std::uint64_t record_ = 0;
    std::uint64_t now_ = 0;
};

}  // namespace lab::panels
