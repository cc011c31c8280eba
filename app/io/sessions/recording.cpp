#include "io/sessions/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/limits.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/text/printable.hpp"
#include "io/text/utf16.hpp"

namespace lab::io {
namespace {

constexpr const char* kRecordingAdvice = "Record the session again";
constexpr const char* kRecordingVersion = "1";

bool is_space_or_tab(char c) {
    return c == ' ' || c == '\t';
}

/// Verbatim if the text fits on one line; otherwise quoted with escapes.
std::string quoted(const std::string& text) {
    const bool as_it_stands = is_plain_text(text) && !text.empty() && text.front() != '"' &&
                              !is_space_or_tab(text.front()) && !is_space_or_tab(text.back());
    if (as_it_stands) return text;
    const bool is_text = is_valid_utf8(text);
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (byte < 0x20 || byte == 0x7f || (!is_text && byte >= 0x80))
            out += fmt::format("\\x{:02x}", byte);
        else
            out += c;
    }
    return out + '"';
}

/// The inverse of `quoted`. False if the text starts with a quote but is not validly quoted.
bool unquote(std::string_view line, std::string& text) {
    text.clear();
    if (!line.starts_with('"')) {
        text = line;
        return true;
    }
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '"') return i + 1 == line.size();
        if (line[i] != '\\') {
            text += line[i];
            continue;
        }
        const std::string_view rest = line.substr(i + 1);
        unsigned byte = 0;
        if (rest.starts_with('"') || rest.starts_with('\\')) {
            text += rest.front();
            i += 1;
        } else if (rest.starts_with('x') && rest.size() >= 3 &&
                   std::from_chars(rest.data() + 1, rest.data() + 3, byte, 16).ptr == rest.data() + 3) {
            text += static_cast<char>(byte);
            i += 3;
        } else {
            return false;
        }
    }
    return false;
}

/// Reads statement by statement and stops at the first error.
class Reader {
  public:
    Reader(std::string_view text, const std::string& path) : scan_(text), path_(path) {}

    Result<Recording> read() {
        if (scan_.word_in_line() != "bvrec")
            return error("is not a recording: it does not begin with `bvrec`");
        const std::string_view version = scan_.word_in_line();
        if (version != kRecordingVersion)
            return error("has the version " + shown(version) + "; this program reads version 1");
        if (!line_ends()) return *problem_;
        while (!ended_ && !problem_ && scan_.next_line())
            statement();
        while (!problem_ && scan_.next_line())
            if (!scan_.rest_of_line().empty()) fail("comes after the end of the recording");
        if (problem_) return *problem_;
        if (!ended_) return error("ends before its `end`: the recording is cut off");
        if (recording_.start.scene.empty()) return error("names no scene");
        const std::vector<NamedMesh>& meshes = recording_.start.meshes;
        if (!meshes.empty() && meshes.back().name.empty()) return error("has a mesh without a name");
        for (const std::string_view once : {"view", "camera", "home"})
            if (!has(once)) return error(fmt::format("has no `{}`", once));
        return std::move(recording_);
    }

  private:
    FileError error(const std::string& what) const { return {path_, scan_.where(), what, kRecordingAdvice}; }
    void fail(const std::string& what) {
        if (!problem_) problem_ = error(what);
    }

    [[nodiscard]] bool has(std::string_view statement) const {
        return std::find(seen_.begin(), seen_.end(), statement) != seen_.end();
    }

    bool line_ends() {
        const std::string_view rest = scan_.rest_of_line();
        if (!rest.empty()) fail(shown(rest) + " is extra text on this line");
        return rest.empty();
    }

    void statement() {
        const std::string_view word = scan_.word_in_line();
        if (word.empty()) return;
        if (word.starts_with('#')) {
            (void)scan_.rest_of_line();
            return;
        }
        RecordingStart& start = recording_.start;
        // The starting state precedes the events.
        const bool happened = word == "do" || word == "look" || word == "frames" || word == "end";
        if (!happened && !recording_.entries.empty())
            return fail(shown(word) + " comes after the first command or frame");
        if (word == "view" || word == "camera" || word == "home") {
            if (has(word)) return fail(fmt::format("a second {}", word));
            seen_.emplace_back(word);
        }
        if (word == "scene")
            scene();
        else if (word == "open")
            opened();
        else if (word == "mesh")
            mesh();
        else if (word == "named")
            named();
        else if (word == "before" || word == "after")
            setting(word == "before" ? start.before : start.after);
        else if (word == "view")
            view();
        else if (word == "camera" || word == "home")
            camera(word == "camera" ? start.camera : start.home);
        else if (word == "do" || word == "look")
            command(word == "look");
        else if (word == "frames")
            frames();
        else if (word == "end")
            end();
        else
            fail(shown(word) + " is not a statement of a recording");
    }

    std::string text() {
        const std::string_view rest = scan_.rest_of_line();
        if (rest.size() > limits::kLineBytes) {
            fail(fmt::format("this line has {} bytes; at most {} are read", rest.size(), limits::kLineBytes));
            return {};
        }
        const auto is_control = [](unsigned char c) { return c < 0x20 && c != '\t'; };
        if (std::any_of(rest.begin(), rest.end(), is_control)) fail("this line is not valid text");
        std::string text;
        if (!unquote(rest, text)) fail("this line begins with a quote that is not closed at its end");
        if (text.empty()) fail("something is missing at the end of this line");
        if (text.size() > limits::kTextBytes)
            fail(
                fmt::format("this line says {} bytes; at most {} are read", text.size(), limits::kTextBytes));
        return problem_ ? std::string() : text;
    }

    void scene() {
        if (!recording_.start.scene.empty()) return fail("a second scene");
        recording_.start.scene = text();
    }
    std::string file(std::size_t so_far) {
        if (so_far >= limits::kFiles) fail(fmt::format("more than {} opened files", limits::kFiles));
        std::string path = text();
        if (!problem_ && !may_be_needed(path))
            fail(fmt::format("\"{}\" cannot be opened here: {}", path, kNotNeededWhy));
        return path;
    }
    void opened() {
        std::vector<std::string>& files = recording_.start.opened;
        files.push_back(file(files.size()));
    }
    void mesh() {
        std::vector<NamedMesh>& meshes = recording_.start.meshes;
        if (!meshes.empty() && meshes.back().name.empty()) return fail("the mesh before it has no name");
        meshes.push_back({"", file(meshes.size())});
    }
    void named() {
        std::vector<NamedMesh>& meshes = recording_.start.meshes;
        if (meshes.empty() || !meshes.back().name.empty()) return fail("no mesh stands before this name");
        meshes.back().name = text();
        if (!problem_ && meshes.back().name.size() > limits::kNameBytes)
            fail(fmt::format("a name has at most {} bytes", limits::kNameBytes));
    }

    void setting(std::vector<std::pair<std::string, std::string>>& settings) {
        const std::string line = text();
        const std::size_t equals = line.find('=');
        if (equals == 0 || equals == std::string::npos) return fail("a setting is NAME=VALUE");
        if (settings.size() >= limits::kSettings)
            return fail(fmt::format("more than {} settings", limits::kSettings));
        settings.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }

    void numbers(std::span<float> numbers) {
        for (float& number : numbers)
            if (const std::string wrong = parse_finite(scan_.word_in_line(), number); !wrong.empty())
                return fail(wrong);
    }
    void within(const char* what, double number, double lowest, double highest) {
        if (number < lowest || number > highest)
            fail(
                fmt::format("the {} of this camera is {}, not from {} to {}", what, number, lowest, highest));
    }
    /// The aspect ratio is missing in files of the first release.
    void camera(CameraNumbers& camera) {
        const std::span<float> all(camera);
        numbers(all.first(all.size() - 1));
        if (problem_) return;
        within("distance", camera[3], limits::kNearestCamera, limits::kFarthestCamera);
        within("yaw", camera[4], -limits::kCameraYaw, limits::kCameraYaw);
        within("pitch", camera[5], -limits::kCameraPitch, limits::kCameraPitch);
        if (problem_) return;
        const std::string_view aspect = scan_.word_in_line();
        if (aspect.empty()) return;
        if (const std::string wrong = parse_finite(aspect, camera.back()); !wrong.empty()) return fail(wrong);
        if (camera.back() < 0.0f || camera.back() > limits::kFramedAspect)
            return fail("the aspect ratio of what was framed lies between 0 and 16/9");
        line_ends();
    }
    void view() {
        numbers(recording_.start.view);
        line_ends();
        const auto in_range = [](float x, float low) { return x >= low && x <= 65536.0f; };
        const auto& v = recording_.start.view;
        if (!problem_ && !(in_range(v[0], 1) && in_range(v[1], 1) && in_range(v[2], 0) && in_range(v[3], 0)))
            fail("a window cannot have this part");
    }

    void command(bool is_look) {
        RecordingEntry entry;
        entry.is_look = is_look;
        entry.source_line = scan_.line();
        entry.line = text();
        add(std::move(entry));
    }
    void add(RecordingEntry entry) {
        if (recording_.entries.size() >= limits::kRecordedEntries)
            fail(fmt::format("more than {} commands and frames", limits::kRecordedEntries));
        if (!problem_) recording_.entries.push_back(std::move(entry));
    }

    std::uint64_t whole(std::uint64_t lowest, std::uint64_t highest, const char* what) {
        const std::string_view word = scan_.word_in_line();
        const auto number = parse_whole(word);
        const auto value = static_cast<std::uint64_t>(number.value_or(-1));
        if (number && *number >= 0 && value >= lowest && value <= highest) return value;
        fail(fmt::format("{} is {}, not a whole number from {} to {}", what, shown(word), lowest, highest));
        return 0;
    }

    void frames() {
        RecordingEntry entry;
        entry.source_line = scan_.line();
        entry.frames = whole(1, limits::kRecordedFrames, "the number of frames");
        entry.steps =
            static_cast<std::uint32_t>(whole(0, limits::kStepsPerFrame, "the number of steps in each"));
        if (problem_ || !line_ends()) return;
        steps_ += entry.frames * entry.steps;
        if (steps_ > limits::kRecordedSteps)
            return fail(fmt::format("more than {} steps", limits::kRecordedSteps));
        add(std::move(entry));
    }

    void end() {
        const std::uint64_t steps = whole(0, limits::kRecordedSteps, "the number of all steps");
        if (problem_ || !line_ends()) return;
        if (steps != steps_)
            return fail(
                fmt::format("says {} steps, but {} are recorded: something is missing", steps, steps_));
        ended_ = true;
    }

    TextScanner scan_;
    const std::string& path_;
    Recording recording_;
    std::optional<FileError> problem_;
    std::uint64_t steps_ = 0;
    std::vector<std::string> seen_;  ///< The statements seen so far that may come only once.
    bool ended_ = false;
};

template <class Numbers>
std::string numbers_text(const Numbers& numbers) {
    std::string text;
    for (const float number : numbers)
        text += fmt::format(" {}", number);  // the shortest digits that give the same number back
    return text;
}

}  // namespace

Result<Recording> parse_recording(std::string_view text, const std::string& path) {
    if (is_utf16(text)) return FileError{path, "", kIsUtf16, kSaveAsUtf8};
    return Reader(text, path).read();
}

Result<Recording> read_recording(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_whole_file(path, limits::kRecordingBytes);
    if (!bytes) return bytes.error();
    return parse_recording(*bytes, path.string());
}

std::string recording_text(const RecordingStart& start, const std::vector<RecordingEntry>& entries) {
    std::string text = fmt::format("bvrec {}\nscene {}\n", kRecordingVersion, quoted(start.scene));
    for (const std::string& path : start.opened)
        text += fmt::format("open {}\n", quoted(path));
    for (const NamedMesh& mesh : start.meshes)
        text += fmt::format("mesh {}\nnamed {}\n", quoted(mesh.file), quoted(mesh.name));
    for (const auto& [name, value] : start.before)
        text += fmt::format("before {}\n", quoted(fmt::format("{}={}", name, value)));
    for (const auto& [name, value] : start.after)
        text += fmt::format("after {}\n", quoted(fmt::format("{}={}", name, value)));
    text += fmt::format("view{}\ncamera{}\nhome{}\n", numbers_text(start.view), numbers_text(start.camera),
                        numbers_text(start.home));
    std::uint64_t steps = 0;
    for (const RecordingEntry& entry : entries) {
        steps += entry.frames * entry.steps;
        if (!entry.line.empty())
            text += fmt::format("{} {}\n", entry.is_look ? "look" : "do", quoted(entry.line));
        else if (entry.frames > 0)
            text += fmt::format("frames {} {}\n", entry.frames, entry.steps);
    }
    return text + fmt::format("end {}\n", steps);
}

std::optional<FileError> write_recording(const std::filesystem::path& path, const Recording& recording) {
    const std::string text = recording_text(recording.start, recording.entries);
    const auto cannot = [&](const std::string& where, const std::string& why) {
        return FileError{path.string(), where, "could not be opened again: " + why,
                         "Nothing was written. `restart` begins a new recording"};
    };
    if (text.size() > limits::kRecordingBytes)
        return cannot("", fmt::format("it has {} bytes, where at most {} are read", text.size(),
                                      limits::kRecordingBytes));
    const Result<Recording> again = parse_recording(text, path.string());
    if (!again) return cannot(again.error().where, again.error().what);
    return write_file_atomically(path, text);
}

}  // namespace lab::io
