// Changes the bodies and rays of a scene: adds, removes, moves, hides, copies, and takes all of that back.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>

#include "bv/ids.hpp"
#include "bv/shapes/aabb.hpp"
#include "bv/shapes/ray.hpp"
#include "session/commands/command_table.hpp"

namespace lab {

struct Body;
struct Edit;
struct SessionParts;
struct SessionState;

class Editor {
  public:
    explicit Editor(SessionParts& parts);

    /// Carries out a command so that `undo` can take back what it changed.
    CommandResult run(const ParsedLine& line);

    /// In the scene's room, or in front of the camera; or inside `at`.
    CommandResult spawn(int count, std::string_view mesh_name, const bv::Aabb& at = {});
    /// At what is seen at a pixel: on a body, on the floor, or at the distance of the orbit center.
    CommandResult spawn_at(glm::vec2 pixel, int count, std::string_view mesh_name);
    CommandResult remove(bv::BodyId id);
    void clear_bodies();
    CommandResult move(bv::BodyId id, const glm::vec3& position);
    /// Moves and turns bodies together about a point: first `turn`, then `by`.
    CommandResult transform(std::span<const bv::BodyId> ids, const glm::vec3& pivot, const glm::quat& turn,
                            const glm::vec3& by);
    CommandResult set_hidden(bv::BodyId id, bool hidden);
    /// Gives bodies a choice of their own for one of `body_settings()`; an empty value takes it back.
    CommandResult choose(std::span<const bv::BodyId> ids, std::string_view setting, std::string_view value);
    /// Hides every other body.
    CommandResult isolate(std::span<const bv::BodyId> ids);
    /// True if any body had been hidden.
    bool show_all();
    /// Keeps the selected bodies for `paste`.
    CommandResult copy();
    CommandResult paste();
    CommandResult pin_ray(const bv::Ray& ray);
    CommandResult remove_ray(std::uint32_t number);
    void clear_rays();
    CommandResult undo();
    CommandResult redo();

  private:
    CommandResult apply(const Edit& edit, bool forward);
    void restore_body(const Body& from, const Body& to);
    void note_added(std::uint32_t first_id);

    SessionParts& parts_;
    SessionState& state_;
};

}  // namespace lab
