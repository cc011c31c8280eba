// A small broadphase that can be made to work badly: a binary tree of fat boxes as engines have it, with
// every weakness that a diagnosis should find as an option. It shares no code with the library's trees, so
// the diagnosis cannot succeed by knowing how its input was made.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "bv/capture/bv_capture.h"
#include "bv/shapes/aabb.hpp"

namespace lab::capture {

struct EngineOptions {
    enum class Insertion : unsigned char {
        Surface,  ///< Down to the sibling that adds the least surface.
        Nearest,  ///< Down to the child whose center is nearer, to a leaf.
        Counts,   ///< Down to the child with fewer leaves, wherever it is.
    };
    enum class Upkeep : unsigned char {
        Reinsert,  ///< A leaf that leaves its fat box is inserted anew.
        Stretch,   ///< Its fat box grows to where it went, and stays.
        Refit,     ///< Its fat box moves with it; the tree keeps its shape.
    };
    Insertion insertion = Insertion::Surface;
    Upkeep upkeep = Upkeep::Reinsert;
    bool rotates = true;
    float margin = 0.15f;  ///< Of fat boxes, in meters.
};

class SampleEngine {
  public:
    using Options = EngineOptions;
    static constexpr std::uint32_t kNone = 0xffffffffu;

    /// Changes apply from the next operation on. A leaf keeps its fat box until it moves out of it.
    Options options;

    /// Inserts below `top`, or into the whole tree. Returns the leaf's node. The id must be new.
    std::uint32_t insert(std::uint64_t id, const bv::Aabb& tight, std::uint32_t top = kNone);
    void remove(std::uint64_t id);
    void move(std::uint64_t id, const bv::Aabb& tight);
    /// Gives every leaf a fat box with the current margin.
    void fatten_all();

    [[nodiscard]] const bv::Aabb& tight(std::uint64_t id) const;
    [[nodiscard]] const bv::Aabb& fat(std::uint64_t id) const;
    [[nodiscard]] std::uint32_t leaf(std::uint64_t id) const { return leaves_.at(id).node; }
    [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
    [[nodiscard]] std::uint32_t root() const { return root_; }
    /// Ids of the leaves below, in no particular order.
    [[nodiscard]] std::vector<std::uint64_t> below(std::uint32_t node) const;

    // Breaks the tree for good: every later frame is written with the fault.
    /// Fixes the node's box to this part of it, whatever its children do.
    void shrink_box(std::uint32_t node, float part) { shrunk_[node] = part; }
    /// Makes the node a child of the last leaf below it.
    void tie_a_knot(std::uint32_t node) { knot_ = node; }
    /// The node's parent forgets it; everything below is an orphan.
    void lose(std::uint32_t node) { lost_ = node; }
    /// The leaf of one body claims the other body, too.
    void double_payload(std::uint64_t id, std::uint64_t other) {
        doubled_ = leaf(id);
        doubled_id_ = other;
    }

    /// Writes the tree in its current state.
    void record_tree(bv_capture* capture) const;
    /// Runs a query, and writes it with its result.
    void record_box_query(bv_capture* capture, const bv::Aabb& box) const;
    void record_ray(bv_capture* capture, const glm::vec3& origin, const glm::vec3& direction,
                    float t_max) const;

  private:
    struct Node {
        bv::Aabb box;
        std::uint32_t parent = kNone;
        std::uint32_t child[2] = {kNone, kNone};
        std::uint32_t leaves = 1;
        std::uint64_t id = 0;
        [[nodiscard]] bool is_leaf() const { return child[0] == kNone; }
    };
    struct Leaf {
        std::uint32_t node;
        bv::Aabb tight;
    };

    std::uint32_t make_node();
    void attach(std::uint32_t leaf, std::uint32_t top);
    void detach(std::uint32_t leaf);
    void refit_up(std::uint32_t node, bool rotates);
    void rotate(std::uint32_t node);
    [[nodiscard]] std::uint32_t sibling_for(const bv::Aabb& box, std::uint32_t top) const;
    [[nodiscard]] bv::Aabb fattened(const bv::Aabb& tight) const;
    [[nodiscard]] bv::Aabb written_box(std::uint32_t node) const;
    template <class Meets>
    void ask(bv_capture_result& result, Meets&& meets) const;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<std::uint64_t, Leaf> leaves_;
    std::uint32_t root_ = kNone;
    std::unordered_map<std::uint32_t, float> shrunk_;
    std::uint32_t knot_ = kNone, lost_ = kNone, doubled_ = kNone;
    std::uint64_t doubled_id_ = 0;
    mutable std::vector<std::uint64_t> found_, visited_;
};

}  // namespace lab::capture
