// Writes files: saved scenes, and all other files that commands request.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_error.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "results/frame_results.hpp"

namespace lab {

struct SessionParts;

class Saver {
  public:
    explicit Saver(SessionParts& parts) : parts_(parts) {}

    /// The scene after the last step, to be opened again by `open`. Needed files are named relative to
    /// `path`, the file that it will be written to.
    [[nodiscard]] io::SceneFile saved_scene(const std::string& path = {}) const;
    void save_scene(const std::string& path);
    /// Adds what a record with these entries needs beside the opened files: see RecordingStart::meshes.
    void name_meshes(io::RecordingStart& start, const std::vector<io::RecordingEntry>& entries) const;
    /// Warns if the scene shows frames from an engine, which `what` that is being written cannot hold.
    void warn_of_engine(std::string_view what);
    /// Saves the capture opened last, up to its newest frame.
    void save_capture(const std::string& path);
    /// The part after `#` of a link to what is on screen now: the scene's record, and the state of the view
    /// that the record does not hold. `also` is appended: what is on screen around the session, as
    /// `&key=value`. An error gives the reason if no link can hold it, and what to do.
    [[nodiscard]] io::Result<std::string> link(std::string_view also = {}) const;
    /// Writes a file: at once, or in a job in a window. A message reports the outcome.
    void write_file(const std::string& path, std::function<std::optional<io::FileError>()> write);
    /// Reports that a file is not written at all.
    void refuse(const io::FileError& why);
    /// The files that could not be written, since the last call.
    [[nodiscard]] std::vector<std::string> take_failed() { return std::exchange(failed_, {}); }
    /// Writes what is still due, and waits until all files are written: the session ends.
    void finish();

  private:
    [[nodiscard]] bool shows_engine() const;
    /// True if the mesh is what its file held when it was read last.
    [[nodiscard]] bool is_of_file(MeshId mesh) const;

    SessionParts& parts_;
    std::vector<std::string> failed_;
};

/// Makes paths relative to a file at `path`, for writing into it.
void place_in(const std::string& path, std::vector<std::string>& files, std::vector<io::NamedMesh>& meshes);

/// Why a scene or a recording that needs these files, named relative to `path`, must not be written to
/// `path`: it would replace one of them. Nothing if it may.
std::optional<io::FileError> refusal_to_replace(const std::string& path,
                                                const std::vector<std::string>& files,
                                                const std::vector<io::NamedMesh>& meshes);

}  // namespace lab
