// Opens files. A job reads one and builds what it needs; then it joins the session, and the scene that shows
// it starts. For recordings and saved scenes the files that they need are opened first; the record of a saved
// scene is then replayed, a part in every frame.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "platform/jobs.hpp"
#include "results/frame_results.hpp"
#include "session/commands/command_table.hpp"
#include "settings/settings.hpp"

namespace lab {

struct SessionParts;
struct SessionState;

class FileOpener {
  public:
    explicit FileOpener(SessionParts& parts);

    /// Reads a file, by its extension, and starts the scene that shows it. A refused file changes nothing,
    /// nor does one whose job is cancelled. In the background the answer is nothing, and a later message says
    /// what went wrong.
    CommandResult open(const std::string& path);
    /// A file is being opened: lines that came together with its `open` wait for it.
    [[nodiscard]] bool is_opening() const;
    /// The record of an opened file is being replayed: nothing else goes on until its end.
    [[nodiscard]] bool is_replaying() const { return is_replaying_; }
    void stop_replaying() { is_replaying_ = false; }
    /// True once after a saved scene was opened: the next frame shows it as it was saved, without a step.
    [[nodiscard]] bool take_hold() { return std::exchange(holds_still_, false); }

    /// Why a saved scene or a recording cannot be opened, apart from the files that it needs.
    [[nodiscard]] static CommandResult problem_of(const io::SceneFile& file, const std::string& path);
    [[nodiscard]] static CommandResult problem_of(const io::Recording& recording, const std::string& path,
                                                  const CommandTable& table);

  private:
    struct Opening;
    struct Reopening;
    using Openings = std::vector<std::shared_ptr<Opening>>;

    CommandResult open_mesh(const std::string& path);
    CommandResult open_boxes(const std::string& path);
    CommandResult open_tree(const std::string& path);
    CommandResult open_voxels(const std::string& path);
    CommandResult open_in_job(const std::shared_ptr<Opening>& opening,
                              std::function<void(const JobControl&)> work,
                              std::function<bool(const JobControl&)> slice = {});
    void list_mesh(Opening& opening, std::vector<MeshId>& list);

    // Recordings and saved scenes: see reopening.cpp.
    CommandResult open_recording(const std::string& path);
    CommandResult open_scene(const std::string& path);
    CommandResult reopen(const std::shared_ptr<Reopening>& reopening,
                         std::function<void(const JobControl&)> read);
    bool advance_reopening(Reopening& r, const JobControl& control);
    bool open_needed_file(Reopening& r);
    CommandResult take_in_needed(Reopening& r);
    [[nodiscard]] bool is_open(const std::string& file) const;

    // What a saved scene says, over what its record led to: see adopting.cpp.
    [[nodiscard]] CommandResult missing_mesh(const io::SceneFile& file, const std::string& path) const;
    void show_only(const std::vector<std::string>& files);
    void adopt(const io::SceneFile& file, const Settings& own, const std::string& path, bool played);
    [[nodiscard]] bool has_bodies(const std::vector<io::SceneFileBody>& wanted) const;
    bool put_handles(const io::SceneFile& file);
    void put_bodies(const io::SceneFile& file);
    void select_saved(const io::SceneFileSelection& saved);

    SessionParts& parts_;
    SessionState& state_;
    JobId opening_;
    std::shared_ptr<Openings> needed_;  // set while a file is opened that another one needs
    bool is_replaying_ = false;
    bool holds_still_ = false;
};

/// The file's name without its folder, as it is shown.
[[nodiscard]] std::string name_of(const std::string& path);

}  // namespace lab
