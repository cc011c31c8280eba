// Undo and redo: what each edit changed, body by body and setting by setting. Time is not turned back: a body
// that was moved and has drifted on goes back to where it was taken from, one that was removed comes back as
// it was, and everything else stays as it is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bv/shapes/ray.hpp"
#include "settings/settings.hpp"
#include "world/world.hpp"

namespace lab {

/// Before and after of one thing; nothing where it was not there.
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

struct Edit {
    std::string label;  ///< The command line that made it.
    std::vector<BodyChange> bodies;
    std::vector<SettingChange> settings;
    std::optional<RaysChange> rays;
    std::string merge_key;    ///< Edits with one key in quick succession are one.
    std::uint64_t frame = 0;  ///< Of the last change in it.
    [[nodiscard]] bool empty() const { return bodies.empty() && settings.empty() && !rays; }
};

/// Copies share their edits, so that keeping one for every moment costs little.
class EditHistory {
  public:
    static constexpr std::size_t kMostEdits = 200;
    static constexpr std::size_t kMostBodies = 100'000;  ///< In all edits together.
    /// Changes with one key that are no more frames apart are one edit.
    static constexpr std::uint64_t kMergeFrames = 20;

    /// What is touched from here to `end` makes up one edit.
    void begin(std::string label, std::string merge_key, std::uint64_t frame);
    /// Notes the body as it stands, once per edit; does nothing between edits.
    void touch(const World& world, bv::BodyId id);
    /// A body that has just come.
    void touch_new(bv::BodyId id);
    void touch_settings(const Settings& settings);
    void touch_rays(const std::vector<bv::Ray>& rays);
    /// Keeps the edit if anything has changed, and forgets what was undone.
    void end(const World& world, const Settings& settings, const std::vector<bv::Ray>& rays);
    /// Drops what was touched since `begin`.
    void cancel() { open_.reset(); }

    /// Until `ungroup`, all edits are one: a drag.
    void group(std::string label);
    void ungroup();

    /// The edit to take back or to do again, moved to the other side; null if there is none.
    const Edit* undo();
    const Edit* redo();
    [[nodiscard]] std::size_t undo_count() const { return done_.size(); }
    [[nodiscard]] std::size_t redo_count() const { return undone_.size(); }
    void clear();

  private:
    struct Open {
        Edit edit;
        std::optional<Settings> settings;
    };
    void keep(Edit edit);
    void bound();

    std::optional<Open> open_;
    std::vector<std::shared_ptr<const Edit>> done_, undone_;
    std::string group_;  // label of the open group
    bool group_fresh_ = false, grouping_ = false;
};

}  // namespace lab
