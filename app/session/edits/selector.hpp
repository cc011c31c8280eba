// Selects bodies, nodes and rays in the view, in lists and in tree diagrams, and keeps the selection valid.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "bv/ids.hpp"
#include "results/frame_results.hpp"
#include "session/commands/command_table.hpp"
#include "view/selection.hpp"

namespace lab {

struct SessionParts;
struct SessionState;
struct View;
struct WantedNode;

class Selector {
  public:
    explicit Selector(SessionParts& parts);

    CommandResult select(bv::BodyId id, SelectMode mode = SelectMode::Replace);
    void select_all();
    void select_none();
    /// Selects the bodies whose center is seen in the rectangle between two pixels of the window.
    void select_in_box(glm::vec2 a, glm::vec2 b, SelectMode mode);
    /// Selects a node. If it is a leaf of the bodies' tree, also selects `bodies`; by default all bodies that
    /// it holds.
    CommandResult select_node(std::string_view tree, std::uint32_t node,
                              const std::optional<std::vector<bv::BodyId>>& bodies = std::nullopt);
    /// Selects the parent of the selected node, or of the leaf of the selected body.
    CommandResult select_parent();
    CommandResult select_ray(std::uint32_t number);
    CommandResult select_triangle(bv::BodyId id, std::uint32_t triangle);
    /// Draws only the subtree of the selected node, or the whole tree again.
    CommandResult isolate_node(bool on);
    /// The nearest hit of a ray, as the picture shows it.
    [[nodiscard]] RayQuery cast(RayQuery::Kind kind, const bv::Ray& ray);
    /// Selects what is seen at a pixel. In a scene that pins picks, pins the ray that follows the mouse
    /// instead.
    RayQuery pick(glm::vec2 pixel, SelectMode mode = SelectMode::Replace);
    /// Selects the node of a drawn tree with an edge near the pixel, or else the smallest whose box is there.
    void pick_node(glm::vec2 pixel);
    /// Frames the selected node, ray or bodies, or else what the scene has marked; without any, everything.
    void frame_selection();
    /// Frames all bodies, trees and exhibits on show.
    void frame_everything();

    /// Drops bodies, triangles and rays that are gone.
    void forget_missing();
    /// Called after a frame was built: follows the selected nodes and marks the selection in the results.
    void settle();

  private:
    [[nodiscard]] std::optional<TreeNodeRef> selected_node_now();
    CommandResult hold_node(const WantedNode& wanted);
    void need_bodies_tree();

    SessionParts& parts_;
    SessionState& state_;
    View& view_;
};

}  // namespace lab
