// Recordings of sessions, .bvrec: what a scene started from, and every command and frame since. A text, one
// statement a line, in this order:
//
//   bvrec 1                          the format and its version
//   scene ID
//   open FILE                        files that the scene shows, any number; relative ones count from the
//                                    folder of the recording
//   mesh FILE                        the mesh of a file, whether the scene shows it or not,
//   named NAME                       and what commands and settings call it; only where a session that has
//                                    opened just the files above would name it otherwise, or not know it
//   before NAME=VALUE                settings other than the default when the scene began, any number
//   after NAME=VALUE                 the same once it had begun
//   view WIDTH HEIGHT X Y            the part of the window in which it was seen, in pixels
//   camera TX TY TZ DISTANCE YAW PITCH ASPECT   meters and radians; the aspect ratio of what was framed
//   home TX TY TZ DISTANCE YAW PITCH ASPECT     where `camera.reset` goes
//   do LINE                          a command
//   look LINE                        a command that only restores a view: undo does not know it
//   frames COUNT STEPS               that many frames, each with that many fixed steps; any number of both
//   end STEPS                        all steps together, and a sign that nothing is missing
//
// A text that a line cannot hold verbatim (control characters, leading or trailing blanks, invalid UTF-8) is
// quoted, with the escapes \" \\ and \xHH for a byte. Empty lines and lines that begin with `#` are ignored.
// The reader is strict: it accepts a whole file or refuses it with the line of the error. The session checks
// whether scenes, settings and commands exist.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_error.hpp"
#include "io/limits.hpp"
#include "io/sessions/named_mesh.hpp"

namespace lab::io {

/// A command, or frames in a row that are alike.
struct RecordingEntry {
    std::string line;             ///< Empty: frames.
    std::uint64_t frames = 0;     ///< How many.
    std::uint32_t steps = 0;      ///< Fixed steps in each.
    std::size_t source_line = 0;  ///< In the file, for messages; 0: from no file.
    bool is_look = false;         ///< The command is no edit.
};

/// Target, distance, yaw, pitch, and the aspect ratio of what was framed.
using CameraNumbers = std::array<float, 7>;

struct RecordingStart {
    std::string scene;
    std::vector<std::string> opened;
    std::vector<NamedMesh> meshes;
    std::vector<std::pair<std::string, std::string>> before, after;
    std::array<float, 4> view{1280, 720, 0, 0};  ///< Width, height, x, y.
    CameraNumbers camera{0, 0, 0, 1, 0, 0, limits::kFramedAspect}, home = camera;
};

struct Recording {
    RecordingStart start;
    std::vector<RecordingEntry> entries;
};

/// Enforces io/limits.hpp while it reads. Pure; `path` only names the file in errors.
Result<Recording> parse_recording(std::string_view text, const std::string& path);
Result<Recording> read_recording(const std::filesystem::path& path);
std::string recording_text(const RecordingStart& start, const std::vector<RecordingEntry>& entries);
/// Atomic; returns nothing on success. Refuses a recording that could not be opened again.
std::optional<FileError> write_recording(const std::filesystem::path& path, const Recording& recording);

}  // namespace lab::io
