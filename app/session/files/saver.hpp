// Writes files: saved scenes, and whatever else a command asks for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/file_error.hpp"
#include "io/sessions/scene_file.hpp"

namespace lab {

struct SessionParts;

class Saver {
  public:
    explicit Saver(SessionParts& parts) : parts_(parts) {}

    /// The scene as it stands after the last step, to be opened again by `open`. With the path that it is
    /// written to, the files that it needs are named as they are found from there.
    [[nodiscard]] io::SceneFile saved_scene(const std::string& path = {}) const;
    void save_scene(const std::string& path);
    /// Lets a file be written: at once, or beside the frames in a window. A message says how it went.
    void write_file(const std::string& path, std::function<std::optional<io::FileError>()> write);
    /// Returns when everything is written that is to be written: the session ends.
    void finish();

  private:
    SessionParts& parts_;
};

/// Paths as they are written into a file at `path`, so that they are found from there.
[[nodiscard]] std::vector<std::string> paths_in(const std::string& path, std::vector<std::string> files);

}  // namespace lab
