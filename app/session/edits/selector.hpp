// Selects in the view, in the lists and in the diagrams of trees, and keeps the selection valid.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>

#include "bv/ids.hpp"
#include "results/frame_results.hpp"
#include "session/commands/command_table.hpp"
#include "view/selection.hpp"

namespace lab {

struct SessionParts;
struct SessionState;
struct View;

class Selector {
  public:
    explicit Selector(SessionParts& parts);

    CommandResult select(bv::BodyId id, SelectMode mode = SelectMode::Replace);
    void select_all();
    void select_none();
    /// Bodies whose middle is seen between two pixels of the window.
    void select_in_box(glm::vec2 a, glm::vec2 b, SelectMode mode);
    CommandResult select_node(std::string_view tree, std::uint32_t node);
    /// Of the selected node, or the leaf of the selected body.
    CommandResult select_parent();
    CommandResult select_ray(std::uint32_t number);
    /// Draws nothing of the selected node's tree but its subtree, or all of it again.
    CommandResult isolate_node(bool on);
    /// The nearest hit of a ray, as the picture shows it.
    [[nodiscard]] RayQuery cast(RayQuery::Kind kind, const bv::Ray& ray);
    /// What is seen at a pixel. Where the scene pins picks, the ray that follows the mouse is pinned instead.
    RayQuery pick(glm::vec2 pixel, SelectMode mode = SelectMode::Replace);
    /// The node of a tree on show whose edge is seen near the pixel, or else the smallest whose box is.
    void pick_node(glm::vec2 pixel);
    /// Shows the node, the ray or the bodies that are selected; else everything.
    void frame_selection();

    /// Drops bodies, triangles and rays that are gone.
    void forget_missing();
    /// After a frame was built: follows the selected nodes and marks the selection in the results.
    void settle();

  private:
    [[nodiscard]] std::optional<TreeNodeRef> selected_node_now();
    void need_bodies_tree();

    SessionParts& parts_;
    SessionState& state_;
    View& view_;
};

}  // namespace lab
