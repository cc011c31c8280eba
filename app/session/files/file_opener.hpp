// Opens files. A job reads the file and builds its data; then the data joins the session, and the scene that
// shows it starts. Recordings and saved scenes open the files that they need first; the record of a saved
// scene is then replayed, a slice in every frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/limits.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "platform/jobs.hpp"
#include "results/frame_results.hpp"
#include "session/commands/command_table.hpp"
#include "settings/settings.hpp"
#include "world/mesh_library.hpp"

namespace lab {

struct SessionParts;
struct SessionState;

class FileOpener {
  public:
    explicit FileOpener(SessionParts& parts);

    /// Reads a file, by its extension, and starts the scene that shows it. A refused file changes nothing,
    /// nor does a cancelled job. In the background the result is always empty, and a later message reports a
    /// problem.
    CommandResult open(const std::string& path);
    /// Opens what `Saver::packed_scene` made: replays the record and shows its end as it was saved.
    CommandResult open_packed(std::string_view packed);
    /// True while a file is being opened: lines queued together with its `open` wait for it.
    [[nodiscard]] bool is_opening() const;
    /// The job of the file opened last.
    [[nodiscard]] JobId opening() const { return opening_; }
    /// True while the record of an opened file is being replayed: everything else waits.
    [[nodiscard]] bool is_replaying() const { return is_replaying_; }
    void stop_replaying() { is_replaying_ = false; }
    /// True once after a saved scene was opened: the next frame shows it without a step.
    [[nodiscard]] bool take_hold() { return std::exchange(holds_still_, false); }
    /// True while no further command was recorded since a saved scene was opened.
    [[nodiscard]] bool is_as_saved() const;

    /// Refuses files that would make the total size of open files exceed `bytes`.
    void limit_bytes(std::uint64_t bytes) { max_bytes_ = bytes; }

    /// The reason why a saved scene or a recording cannot be opened, apart from missing files.
    [[nodiscard]] static CommandResult problem_of(const io::SceneFile& file, const std::string& path);
    [[nodiscard]] static CommandResult problem_of(const io::Recording& recording, const std::string& path,
                                                  const CommandTable& table);

  private:
    struct Opening;
    struct Reopening;
    using Openings = std::vector<std::shared_ptr<Opening>>;

    void note_end(const std::string& path, bool failed);
    [[nodiscard]] CommandResult beyond_limit(const std::string& path, std::uint64_t bytes) const;
    CommandResult open_mesh(const std::string& path);
    CommandResult open_boxes(const std::string& path);
    CommandResult open_tree(const std::string& path);
    CommandResult open_capture(const std::string& path);
    CommandResult open_voxels(const std::string& path);
    CommandResult open_in_job(const std::shared_ptr<Opening>& opening,
                              std::function<void(const JobControl&)> work,
                              std::function<bool(const JobControl&)> slice = {},
                              std::function<bool(const JobControl&)> more = {});
    static bool goes_on_making(Opening& opening, const JobControl& control);
    void list_mesh(Opening& opening, std::vector<MeshId>& list);

    // Recordings and saved scenes: see reopening.cpp.
    CommandResult open_recording(const std::string& path);
    CommandResult open_scene(const std::string& path);
    static void take_scene(Reopening& r, const CommandTable& table, io::Result<io::SceneFile> file);
    CommandResult reopen(const std::shared_ptr<Reopening>& reopening,
                         std::function<void(const JobControl&)> read);
    bool advance_reopening(Reopening& r, const JobControl& control);
    bool open_needed_file(Reopening& r);
    CommandResult add_needed(Reopening& r);
    [[nodiscard]] MeshLibrary::Names mesh_names(const Reopening& r) const;
    [[nodiscard]] bool is_open(const std::string& file) const;

    // The contents of a saved scene, applied over the state that its record leads to: see adopting.cpp.
    [[nodiscard]] CommandResult missing_mesh(const io::SceneFile& file, const MeshLibrary::Names& names,
                                             const std::string& path) const;
    void show_only(const std::vector<std::string>& files);
    void adopt(const io::SceneFile& file, const Settings& own, const std::string& path, bool played);
    [[nodiscard]] bool has_world(const io::SceneFile& file) const;
    bool put_handles(const io::SceneFile& file, const std::string& path);
    /// The number of bodies that had to be left out.
    std::size_t put_bodies(const io::SceneFile& file);
    /// False if a body or a ray of it is not in this scene.
    bool select_saved(const io::SceneFileSelection& saved);

    SessionParts& parts_;
    SessionState& state_;
    std::uint64_t max_bytes_ = io::limits::kOpenedBytes;
    JobId opening_;
    std::shared_ptr<Openings> needed_;  // set while a file is opened for another one
    bool is_replaying_ = false;
    bool holds_still_ = false;
    std::size_t adopted_entries_ = 0;  // of the record when a saved scene was opened
};

/// The file's name without its folder, printable.
[[nodiscard]] std::string name_of(const std::string& path);

}  // namespace lab
