// What the user has chosen to look at: bodies, a node of a tree, a triangle, a pinned ray. Lists, diagram and
// view all show this one state, and all change it through commands.
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

/// Keeps hold of a node while its tree changes. A leaf is known by what it holds, an inner node by its number
/// in the tree. A number is used again once its node is gone: a node that has jumped elsewhere counts as
/// gone, too.
class NodeHold {
  public:
    /// False, and nothing changes, if there is no such node.
    bool take(const TreeList& trees, std::string_view tree, std::uint32_t node);
    void drop() { held_.reset(); }
    /// Where the node is now; lets go of it if it is no more. O(nodes) while something is held.
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

/// How a choice joins what is chosen already.
enum class SelectMode : unsigned char { Replace, Add, Toggle };

struct Selection {
    std::vector<bv::BodyId> bodies;  ///< In the order of choosing; the inspector shows the last.
    std::optional<TriangleRef> triangle;
    std::optional<std::uint32_t> ray;
    NodeHold node, isolated;

    [[nodiscard]] bv::BodyId primary() const { return bodies.empty() ? bv::BodyId{} : bodies.back(); }
    [[nodiscard]] bool contains(bv::BodyId id) const;
    [[nodiscard]] bool empty() const { return bodies.empty() && !triangle && !ray && !node.holds(); }
    /// Adding a body that is chosen already makes it the last.
    void choose(bv::BodyId id, SelectMode mode);
    void forget(bv::BodyId id);
    /// Everything but the isolated subtree.
    void clear();
};

/// Whether a leaf holds an item.
[[nodiscard]] bool leaf_holds(const bv::TreeSnapshot& tree, std::uint32_t leaf, std::uint64_t payload);
/// The tree of that name, or null.
[[nodiscard]] const bv::TreeSnapshot* find_tree(const TreeList& trees, std::string_view id);

}  // namespace lab
