#include "io/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/atomic_file.hpp"
#include "io/text_scanner.hpp"

namespace lab::io {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr std::size_t kLongestLine = 8192;
constexpr const char* kAdvice = "Record the session again";
constexpr const char* kVersion = "1";

/// Reads statement by statement. The first thing that is wrong ends it.
class Reader {
  public:
    Reader(std::string_view text, const std::string& path) : scan_(text), path_(path) {}

    Result<Recording> read() {
        if (scan_.word_in_line() != "bvrec") return error("is no recording: it does not begin with `bvrec`");
        const std::string_view version = scan_.word_in_line();
        if (version != kVersion)
            return error("has the version " + shown(version) + "; this program reads version 1");
        if (!line_ends()) return *problem_;
        while (!ended_ && !problem_ && scan_.next_line())
            statement();
        while (!problem_ && scan_.next_line())
            if (!scan_.rest_of_line().empty()) fail("stands behind the end of the recording");
        if (problem_) return *problem_;
        if (!ended_) return error("ends before its `end`: the recording is cut off");
        if (recording_.start.scene.empty()) return error("names no scene");
        return std::move(recording_);
    }

  private:
    FileError error(const std::string& what) const { return {path_, scan_.where(), what, kAdvice}; }
    void fail(const std::string& what) {
        if (!problem_) problem_ = error(what);
    }

    bool line_ends() {
        const std::string_view rest = scan_.rest_of_line();
        if (!rest.empty()) fail(shown(rest) + " is too much on this line");
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
        // What a recording starts from stands before what happened.
        const bool happened = word == "do" || word == "frames" || word == "end";
        if (!happened && !recording_.entries.empty())
            return fail(shown(word) + " stands behind the first command or frame");
        if (word == "scene")
            scene();
        else if (word == "open")
            opened();
        else if (word == "before" || word == "after")
            setting(word == "before" ? start.before : start.after);
        else if (word == "view")
            view();
        else if (word == "camera" || word == "home")
            numbers(word == "camera" ? start.camera : start.home);
        else if (word == "do")
            command();
        else if (word == "frames")
            frames();
        else if (word == "end")
            end();
        else
            fail(shown(word) + " is no statement of a recording");
    }

    std::string text() {
        const std::string_view rest = scan_.rest_of_line();
        if (rest.empty()) fail("something is missing at the end of this line");
        if (rest.size() > kLongestLine) fail("this line is too long");
        const auto is_control = [](unsigned char c) { return c < 0x20 && c != '\t'; };
        if (std::any_of(rest.begin(), rest.end(), is_control)) fail("this line is no text");
        return problem_ ? std::string() : std::string(rest);
    }

    void scene() {
        if (!recording_.start.scene.empty()) return fail("a second scene");
        recording_.start.scene = text();
    }
    void opened() {
        if (recording_.start.opened.size() >= 1000) return fail("more than 1000 opened files");
        recording_.start.opened.push_back(text());
    }

    void setting(std::vector<std::pair<std::string, std::string>>& settings) {
        const std::string line = text();
        const std::size_t equals = line.find('=');
        if (equals == 0 || equals == std::string::npos) return fail("a setting is NAME=VALUE");
        if (settings.size() >= 10'000) return fail("more than 10000 settings");
        settings.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }

    template <class Numbers>
    void numbers(Numbers& numbers) {
        for (float& number : numbers)
            if (const std::string wrong = parse_finite(scan_.word_in_line(), number); !wrong.empty())
                return fail(wrong);
        line_ends();
    }
    void view() {
        numbers(recording_.start.view);
        const auto in_range = [](float x, float low) { return x >= low && x <= 65536.0f; };
        const auto& v = recording_.start.view;
        if (!problem_ && !(in_range(v[0], 1) && in_range(v[1], 1) && in_range(v[2], 0) && in_range(v[3], 0)))
            fail("no part of a window is like that");
    }

    void command() {
        RecordingEntry entry;
        entry.source_line = scan_.line();
        entry.line = text();
        if (!problem_) recording_.entries.push_back(std::move(entry));
    }

    std::uint64_t whole(long long least, long long most, const char* what) {
        const std::string_view word = scan_.word_in_line();
        const auto number = parse_whole(word);
        if (number && *number >= least && *number <= most) return static_cast<std::uint64_t>(*number);
        fail(fmt::format("{} is {}, not a whole number from {} to {}", what, shown(word), least, most));
        return 0;
    }

    void frames() {
        RecordingEntry entry;
        entry.source_line = scan_.line();
        entry.frames = whole(1, 1'000'000'000, "the number of frames");
        entry.steps = static_cast<std::uint32_t>(whole(0, kMostStepsPerFrame, "the number of steps in each"));
        if (problem_ || !line_ends()) return;
        steps_ += entry.frames * entry.steps;
        if (steps_ > kMostRecordedSteps) return fail(fmt::format("more than {} steps", kMostRecordedSteps));
        recording_.entries.push_back(std::move(entry));
    }

    void end() {
        const std::uint64_t steps = whole(0, kMostRecordedSteps, "the number of all steps");
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

bool is_recording_name(const std::filesystem::path& path) {
    return same_word(path.extension().string(), ".bvrec");
}

Result<Recording> parse_recording(std::string_view text, const std::string& path) {
    return Reader(text, path).read();
}

Result<Recording> read_recording(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_whole_file(path, kLargestFile);
    if (!bytes) return bytes.error();
    return parse_recording(*bytes, path.string());
}

std::string recording_text(const RecordingStart& start, const std::vector<RecordingEntry>& entries) {
    std::string text = fmt::format("bvrec {}\nscene {}\n", kVersion, start.scene);
    for (const std::string& path : start.opened)
        text += fmt::format("open {}\n", path);
    for (const auto& [name, value] : start.before)
        text += fmt::format("before {}={}\n", name, value);
    for (const auto& [name, value] : start.after)
        text += fmt::format("after {}={}\n", name, value);
    text += fmt::format("view{}\ncamera{}\nhome{}\n", numbers_text(start.view), numbers_text(start.camera),
                        numbers_text(start.home));
    std::uint64_t steps = 0;
    for (const RecordingEntry& entry : entries) {
        steps += entry.frames * entry.steps;
        if (!entry.line.empty())
            text += fmt::format("do {}\n", entry.line);
        else if (entry.frames > 0)
            text += fmt::format("frames {} {}\n", entry.frames, entry.steps);
    }
    return text + fmt::format("end {}\n", steps);
}

}  // namespace lab::io
