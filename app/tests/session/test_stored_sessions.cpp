// Sessions as stored texts: the lines to run, and after each the messages and results. `BVLAB_GOLDEN=write`
// rewrites the files that have changed: read every changed line before committing it.
//
// In a file of sessions/, a line that begins with `>` is run: `> COMMAND; COMMAND` and then a frame,
// `> @frames N` for more of them, `> @show TOPIC...` for what session_text.hpp can describe, `> @settings N`
// for digests of the scene N frames after each of its settings was given each of its values. `#` begins a
// comment. What follows up to the next such line is what comes out of it: messages, requests, descriptions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "commands/catalog.hpp"
#include "io_test_tools.hpp"
#include "result_text.hpp"
#include "scenes/scenes.hpp"
#include "session/session.hpp"
#include "session_text.hpp"

namespace lab::test {
namespace {

namespace fs = std::filesystem;

class Player {
  public:
    /// The output of one line of a file, given without its `> `.
    std::string play(const std::string& line) {
        std::istringstream words(line);
        std::string first, out;
        words >> first;
        if (first == "@show") {
            for (std::string topic; words >> topic;)
                out += describe(session_, topic);
            return out;
        }
        int frames = 1;
        if (first == "@settings") {
            words >> frames;
            return every_setting(frames);
        }
        if (first == "@frames")
            words >> frames;
        else
            session_.commands().push_script(line, "test");
        for (int i = 0; i < frames; ++i) {
            session_.drain();
            session_.step(Session::kFixedStep_s);
        }
        return messages() + requests();
    }

  private:
    /// Values to try: every choice, both sides of a flag, and numbers beside the default.
    static std::vector<std::string> values_of(const SettingSpec& setting) {
        std::vector<std::string> values;
        switch (setting.kind) {
            case SettingKind::Choice:
                for (const Choice& choice : setting.choices)
                    values.emplace_back(choice.id);
                break;
            case SettingKind::Flag:
                values = {"true", "false"};
                break;
            case SettingKind::Integer:
                for (const double value :
                     {setting.min, number(setting.default_value).value_or(0) / 2 + 1, 3.0})
                    if (value <= setting.max && value >= setting.min)
                        values.push_back(fmt::format("{}", static_cast<int>(value)));
                break;
            case SettingKind::Real:
                for (const double value :
                     {setting.min, number(setting.default_value).value_or(0) * 0.75 + 0.05})
                    if (value <= setting.max && value >= setting.min)
                        values.push_back(fmt::format("{}", value));
                break;
            case SettingKind::Text:
                break;
        }
        return values;
    }
    std::string every_setting(int frames) {
        std::string out;
        for (const SettingSpec* setting : session_.state().scene.spec->settings) {
            const std::string before = session_.state().settings.get_as_text(*setting);
            for (const std::string& value : values_of(*setting)) {
                out += set_line(*setting, value) + "\n" +
                       play(set_line(*setting, value) + fmt::format("; step {}", frames));
                for (const char* topic : {"exhibits", "tables", "charts", "handles", "trees", "pairs"}) {
                    Words digest;
                    digest.add(describe(session_, topic));
                    out += fmt::format("  {}: {}\n", topic, digest.text());
                }
            }
            out += play(set_line(*setting, before));
        }
        return out;
    }
    std::string messages() {
        static constexpr const char* kNames[] = {"info", "warning", "error"};
        std::string out;
        for (const Message& m : session_.messages().messages()) {
            if (m.number <= seen_) continue;
            out += fmt::format("{}: {}{}\n", kNames[static_cast<std::size_t>(m.severity)], m.text,
                               m.repeats > 1 ? fmt::format(" (x{})", m.repeats) : "");
            seen_ = m.number;
        }
        return out;
    }
    static std::string words_of(const LessonRequest& lesson) {
        using What = LessonRequest::What;
        switch (lesson.what) {
            case What::Open:
                return "open " + lesson.id;
            case What::Resume:
                return fmt::format("resume {} at page {}", lesson.id, lesson.page);
            case What::Next:
                return "next";
            case What::Back:
                return "back";
            case What::Page:
                return fmt::format("page {}", lesson.page);
            case What::Show:
                return "show";
            case What::Close:
                break;
        }
        return "close";
    }
    std::string requests() {
        const OutsideRequests asked = session_.take_requests();
        std::string out;
        const auto list = [&](const char* name, const std::vector<std::string>& entries) {
            for (const std::string& entry : entries)
                out += fmt::format("asked for: {} {}\n", name, entry);
        };
        if (asked.palette) out += fmt::format("asked for: palette '{}'\n", *asked.palette);
        if (asked.menu) out += fmt::format("asked for: menu at {} {}\n", asked.menu->x, asked.menu->y);
        list("screenshot", asked.screenshots);
        list("report", asked.reports);
        list("scene", asked.scenes);
        for (const LessonRequest& lesson : asked.lessons)
            out += fmt::format("asked for: lesson {}\n", words_of(lesson));
        for (const TreeFileRequest& file : asked.tree_files)
            out += fmt::format("asked for: tree file {} {} '{}'\n", static_cast<int>(file.what), file.path,
                               file.tree);
        if (asked.clip) out += fmt::format("asked for: clip {} {}\n", asked.clip->folder, asked.clip->frames);
        if (asked.quit) out += "asked for: quit\n";
        return out;
    }

    Session session_{command_table()};
    std::uint64_t seen_ = 0;
};

/// The file as it should be: its lines and comments, and the current output.
std::string played(const std::string& stored) {
    Player player;
    std::istringstream file(stored);
    std::string out;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) out += line + "\n";
        if (line.starts_with("> ")) out += line + "\n" + player.play(line.substr(2));
    }
    return out;
}

std::vector<std::string> stored_sessions() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(BVLAB_SESSIONS_DIR))
        if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

class StoredSession : public testing::TestWithParam<std::string> {};

TEST_P(StoredSession, SaysAndShowsTheSame) {
    const fs::path path = fs::path(BVLAB_SESSIONS_DIR) / (GetParam() + ".txt");
    const std::string stored = io::testing_tools::bytes_of(path);
    const std::string now = played(stored);
    const std::string difference = first_difference(stored, now);
    if (difference.empty()) return;
    const char* mode = std::getenv("BVLAB_GOLDEN");
    if (mode && std::string(mode) == "write")
        std::ofstream(path, std::ios::binary) << now;
    else
        ADD_FAILURE() << path << " " << difference;
}

INSTANTIATE_TEST_SUITE_P(Sessions, StoredSession, testing::ValuesIn(stored_sessions()), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(SessionText, ComparesWordsExactlyAndRoundedNumbersNearly) {
    EXPECT_EQ(first_difference("a 1 [2.5, x]\nb", "a 1 [2.5, x]\nb"), "");
    EXPECT_EQ(first_difference("t 1.2345", "t 1.2346"), "");
    EXPECT_EQ(first_difference("t 2", "t 2.0001"), "");
    EXPECT_NE(first_difference("t 1.2345", "t 1.2355"), "");
    EXPECT_NE(first_difference("12 bodies", "13 bodies"), "");
    EXPECT_NE(first_difference("12000 bodies", "12001 bodies"), "") << "counts are exact";
    EXPECT_NE(first_difference("t 0.5", "t -0.5"), "");
    EXPECT_NE(first_difference("a", "a b"), "");
    EXPECT_NE(first_difference("a\n", "a"), "");
    EXPECT_NE(first_difference("a\nb c", "a\nb d").find("line 2: 'd' instead of 'c'"), std::string::npos);
}

}  // namespace
}  // namespace lab::test
