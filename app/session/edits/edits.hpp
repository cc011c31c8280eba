// Undo and redo: the changes of each edit, by body, by handle and by setting. Time is not turned back: undo
// returns a moved body to where it was taken from even if it has drifted on, restores a removed one, and
// leaves everything else alone. A tree gets restored bodies as new leaves: it finds the same pairs, but its
// shape may differ from before. Looking back in time shows the former shape.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "scenes/scene_input.hpp"
#include "settings/settings.hpp"
#include "world/world.hpp"

namespace lab {

/// Values before and after; empty where the body did not exist.
struct BodyChange {
    bv::BodyId id;
    std::optional<Body> before, after;
};
struct SettingChange {
    std::string id, before, after;
};
struct RaysChange {
    std::vector<bv::Ray> before, after;
};

/// The `input` of the scene.
struct InputChange {
    SceneInput before, after;
};

/// Positions of a handle of a scene without an input.
struct HandleChange {
    std::string id;
    glm::vec3 before{0.0f}, after{0.0f};
};

struct Edit {
    std::string label;  ///< In words: what the command does, or the name of the handle that it moved.
    std::vector<BodyChange> bodies;
    std::vector<HandleChange> handles;
    std::vector<SettingChange> settings;
    std::optional<RaysChange> rays;
    std::optional<InputChange> input;  ///< Something was added, removed or dragged.
    std::string merge_key;             ///< Edits with the same key in quick succession are merged.
    std::uint64_t frame = 0;           ///< Frame of its last change.
    [[nodiscard]] bool empty() const {
        return bodies.empty() && handles.empty() && settings.empty() && !rays && !input;
    }
};

/// Copies share their edits, so that a keyframe with its history costs little.
class EditHistory {
  public:
    static constexpr std::size_t kMaxEdits = 200;
    static constexpr std::size_t kMaxBodies = 100'000;  ///< Total of all edits.
    /// Changes with the same key within so many frames are merged.
    static constexpr std::uint64_t kMergeFrames = 20;

    /// Begins an edit: it consists of everything touched until `end`.
    void begin(std::string label, std::string merge_key, std::uint64_t frame);
    /// Saves the current state of a body, once per edit; does nothing between edits.
    void touch(const World& world, bv::BodyId id);
    /// Notes a body that was just added.
    void touch_new(bv::BodyId id);
    /// Notes a handle that was moved, whose name becomes the edit's; does nothing between edits.
    void note_handle(std::string_view id, std::string_view name, const glm::vec3& before,
                     const glm::vec3& after);
    /// Notes the scene's input before and after a change, and the label of the change for undo. If the label
    /// is empty, the edit is called as its command is; so is the sum of several changes. Does nothing between
    /// edits.
    void note_input(std::string_view label, InputChange change);
    void touch_settings(const Settings& settings);
    void touch_rays(const std::vector<bv::Ray>& rays);
    /// Keeps the edit if anything has changed, and drops the redo list.
    void end(const World& world, const Settings& settings, const std::vector<bv::Ray>& rays);
    [[nodiscard]] bool is_open() const { return open_.has_value(); }
    /// Drops the edit in progress.
    void cancel() { open_.reset(); }

    /// Merges all edits until `ungroup`: a drag.
    void group(std::string label);
    void ungroup();
    [[nodiscard]] bool is_grouping() const { return grouping_; }
    /// The label of a group that has no edit yet; null if there is none.
    [[nodiscard]] const std::string* fresh_group() const {
        return grouping_ && group_fresh_ ? &group_ : nullptr;
    }

    /// Moves the last edit to the other list and returns it; null if there is none.
    std::shared_ptr<const Edit> undo();
    std::shared_ptr<const Edit> redo();
    /// What `undo` would return.
    [[nodiscard]] const Edit* next_undo() const { return done_.empty() ? nullptr : done_.back().get(); }
    [[nodiscard]] std::size_t undo_count() const { return done_.size(); }
    [[nodiscard]] std::size_t redo_count() const { return undone_.size(); }
    /// Forgets changes of bodies that do not exist: the scene has replaced them.
    void forget_missing(const World& world);
    void clear();
    /// How often `clear` was called.
    [[nodiscard]] std::uint64_t times_cleared() const { return times_cleared_; }

  private:
    struct Open {
        Edit edit;
        std::string name;  ///< The name given to `begin`.
        std::optional<Settings> settings;
    };
    void keep(Edit edit);
    void bound();

    std::optional<Open> open_;
    std::vector<std::shared_ptr<const Edit>> done_, undone_;
    std::string group_;  // label of the open group
    bool group_fresh_ = false, grouping_ = false;
    std::uint64_t times_cleared_ = 0;
};

}  // namespace lab
