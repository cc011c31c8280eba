// Boxes for the trees and broadphases in the table, and what all of them must do with any box or id.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "bv/tree/dynamic_tree.hpp"
#include "bv/tree/wide_tree.hpp"
#include "table.hpp"

namespace bv::test {
inline constexpr float kEnd = std::numeric_limits<float>::infinity();

/// True for boxes that a tree accepts: finite, and not inside out.
inline bool is_accepted(const Aabb& b) {
    for (int k = 0; k < 3; ++k)
        if (!std::isfinite(b.min[k]) || !std::isfinite(b.max[k]) || !(b.min[k] <= b.max[k])) return false;
    return true;
}
inline std::vector<Aabb> crowd() {
    std::vector<Aabb> boxes;
    for (int i = 0; i < 20; ++i) {
        const glm::vec3 at(static_cast<float>(i % 5) - 2.0f, static_cast<float>(i % 4) - 1.5f,
                           static_cast<float>(i % 3) - 1.0f);
        boxes.push_back({at - 0.4f, at + 0.45f});
    }
    return boxes;
}
template <class Tree>
std::vector<ProxyId> fill(Tree& tree) {
    std::vector<ProxyId> ids;
    for (const Aabb& box : crowd())
        ids.push_back(tree.insert(box, ids.size()).id);
    return ids;
}
inline DynamicTree filled_tree(const TreeOptions& options = {}) {
    DynamicTree tree(options);
    fill(tree);
    return tree;
}
inline WideTree filled_wide_tree() {
    WideTree tree;
    fill(tree);
    return tree;
}

/// Passes a box to every function of a tree that takes one; the tree must be valid afterwards.
template <class Tree, class Move>
void give_box(Tree& tree, const Aabb& box, std::uint64_t data, const Move& move) {
    const std::vector<ProxyId> ids = fill(tree);
    const TreeStatus expected = is_accepted(box) ? TreeStatus::Ok : TreeStatus::NotFinite;
    const InsertResult added = tree.insert(box, data);
    require(added.status == expected && added.id.valid() == is_accepted(box), "the status of insert");
    require(!added.id.valid() || tree.user_data(added.id) == data, "user data");
    require(move(ids[3], box) == expected, "the status of move");
    tree.update();
    require(tree.size() == ids.size() + (added.id.valid() ? 1 : 0), "the size");
    require(!tree.validate(), "a broken tree");
}
/// Ids that were never assigned are rejected, and leave the tree unchanged.
template <class Tree>
void give_id(Tree& tree, ProxyId id) {
    fill(tree);
    const bool is_present = tree.contains(id);
    require(is_present == (id.index < 20 && id.generation == 0), "contains");
    require(tree.user_data(id).has_value() == is_present, "user data of a stale id");
    require((tree.remove(id) == TreeStatus::Ok) == is_present, "the status of remove");
    require(tree.size() == (is_present ? 19u : 20u) && !tree.validate(), "a broken tree");
}

inline constexpr auto kKeepAll = [](ProxyId, std::uint64_t, float) { return kEnd; };

}  // namespace bv::test
