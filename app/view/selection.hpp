// The selection: bodies, a node of a tree, a triangle, a pinned ray. Lists, diagrams and the view share this
// state, and change it by commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "results/frame_results.hpp"

namespace lab {

using TreeList = std::vector<std::pair<std::string, bv::TreeSnapshot>>;

/// Tracks a node while its tree changes. A leaf is identified by its payload, an inner node by its number.
/// Numbers are reused, so a node that has jumped elsewhere counts as gone.
class NodeHold {
  public:
    /// False, and nothing changes, if there is no such node.
    bool take(const TreeList& trees, std::string_view tree, std::uint32_t node);
    void drop() { held_.reset(); }
    /// The current place of the node; drops it if it is gone. O(nodes) while a node is held.
    std::optional<TreeNodeRef> follow(const TreeList& trees);
    [[nodiscard]] bool holds() const { return held_.has_value(); }

  private:
    struct Held {
        std::string tree;
        std::uint32_t source = 0;
        std::optional<std::uint64_t> payload;  // of a leaf with one
        bv::Aabb box;
    };
    std::optional<Held> held_;
};

/// How a body is added to the selection.
enum class SelectMode : unsigned char { Replace, Add, Toggle };

struct Selection {
    std::vector<bv::BodyId> bodies;  ///< In order of selection; the inspector shows the last.
    std::optional<TriangleRef> triangle;
    std::optional<std::uint32_t> ray;
    NodeHold node, isolated;
    std::uint64_t choices = 0;  ///< How often something was selected or deselected.

    [[nodiscard]] bv::BodyId primary() const { return bodies.empty() ? bv::BodyId{} : bodies.back(); }
    [[nodiscard]] bool contains(bv::BodyId id) const;
    [[nodiscard]] bool empty() const { return bodies.empty() && !triangle && !ray && !node.holds(); }
    /// Adding a selected body again makes it the last.
    void choose(bv::BodyId id, SelectMode mode);
    void forget(bv::BodyId id);
    /// Clears everything except the isolated subtree.
    void clear();
    /// The same, but bodies stay selected.
    void leave_bodies();
};

/// True if a leaf holds the payload.
[[nodiscard]] bool leaf_holds(const bv::TreeSnapshot& tree, std::uint32_t leaf, std::uint64_t payload);
/// The tree of that name, or null.
[[nodiscard]] const bv::TreeSnapshot* find_tree(const TreeList& trees, std::string_view id);

}  // namespace lab
