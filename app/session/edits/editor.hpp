// Edits the bodies and rays of a scene: adds, removes, moves, hides and copies them, with undo and redo.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string_view>
#include <vector>

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

    /// Runs a command as an edit that `undo` can revert.
    CommandResult run(const ParsedLine& line) { return run(line, line.command->is_edit); }
    /// Runs a command that only looks at the scene: it leaves the undo list alone.
    CommandResult run_look(const ParsedLine& line) { return run(line, false); }
    /// A replay goes on that was interrupted after a line: others have run meanwhile.
    void go_on_after(const ParsedLine& line) { last_ = line.command; }

    /// Adds bodies inside `at`. If that is empty, inside the scene's arena, or around the camera's target if
    /// there is no arena.
    CommandResult spawn(int count, std::string_view mesh_name, const bv::Aabb& at = {});
    /// At a pixel: on the body or floor seen there, or at the distance of the orbit center.
    CommandResult spawn_at(glm::vec2 pixel, int count, std::string_view mesh_name);
    CommandResult remove(std::span<const bv::BodyId> ids);
    void clear_bodies();
    CommandResult move(bv::BodyId id, const glm::vec3& position);
    /// Rotates bodies together about a point by `turn`, then moves them by `by`.
    CommandResult transform(std::span<const bv::BodyId> ids, const glm::vec3& pivot, const glm::quat& turn,
                            const glm::vec3& by);
    CommandResult set_hidden(bv::BodyId id, bool hidden);
    /// Sets one of `body_settings()` for single bodies; an empty value reverts to the setting.
    CommandResult choose(std::span<const bv::BodyId> ids, std::string_view setting, std::string_view value);
    /// Hides all other bodies.
    CommandResult isolate(std::span<const bv::BodyId> ids);
    /// True if any body was hidden.
    bool show_all();
    /// Copies the selected bodies for `paste`.
    CommandResult copy();
    CommandResult paste();
    CommandResult pin_ray(const bv::Ray& ray);
    CommandResult remove_ray(std::uint32_t number);
    void clear_rays();
    CommandResult undo();
    CommandResult redo();

  private:
    CommandResult run(const ParsedLine& line, bool is_edit);
    CommandResult apply(const Edit& edit, bool forward);
    void restore_body(const Body& from, const Body& to);
    void note_added(std::uint32_t first_id);
    /// The refusal that says why not all bodies were added.
    [[nodiscard]] CommandResult outcome_of_adding(std::size_t added, std::size_t wanted) const;
    /// Deselects removed bodies.
    void forget_removed();

    SessionParts& parts_;
    SessionState& state_;
    const CommandSpec* last_ = nullptr;
};

}  // namespace lab
