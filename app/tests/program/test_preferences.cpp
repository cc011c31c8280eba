// Preferences from one windowed session to the next, in a folder of the test's own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "commands/catalog.hpp"
#include "io/limits.hpp"
#include "preferences.hpp"
#include "program.hpp"
#include "scenes/scenes.hpp"
#include "session/commands/commands.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "world/world_settings.hpp"

namespace lab {
namespace {

class PreferencesTest : public testing::Test {
  protected:
    PreferencesTest() { setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1); }
    [[nodiscard]] std::filesystem::path file() const { return folder / "bvlab/preferences.json"; }
    void write(const std::string& text) {
        std::filesystem::create_directories(file().parent_path());
        test::write_text(file(), text);
    }
    /// The settings of a session that starts with what is in the file.
    Settings start(Preferences& preferences) {
        preferences.load(log);
        Settings settings{setting_catalog()};
        for (const std::string& line : preferences.commands()) {
            std::string error;
            const auto words = split_words(line, error);
            EXPECT_TRUE(words && words->size() == 2) << line;
            const std::string& assignment = words->at(1);
            const std::size_t equals = assignment.find('=');
            EXPECT_EQ(settings.set(assignment.substr(0, equals), assignment.substr(equals + 1)),
                      std::nullopt);
        }
        return settings;
    }

    test::TempDir folder;
    MessageLog log;
};

TEST_F(PreferencesTest, WhatDiffersFromTheDefaultsComesBack) {
    Preferences first, second;
    Settings settings = start(first);
    EXPECT_TRUE(log.messages().empty()) << "a missing file is none to speak of";
    ASSERT_EQ(settings.set(kUiTheme, "light"), std::nullopt);
    ASSERT_EQ(settings.set(kSpawnMesh, "my \"mesh\"; x"), std::nullopt);
    ASSERT_EQ(settings.set(kSimPaused, "true"), std::nullopt);
    first.save(settings, {}, log);
    const Settings again = start(second);
    EXPECT_EQ(again.get_as_text(kUiTheme), "light");
    EXPECT_EQ(again[kSpawnMesh], "my \"mesh\"; x");
    EXPECT_FALSE(again[kSimPaused]) << "applies to one session";
    EXPECT_EQ(test::read_text(file()).find("draw.obb"), std::string::npos) << "defaults are not written";
    EXPECT_TRUE(log.messages().empty());
}

TEST_F(PreferencesTest, NothingIsWrittenWhereNothingChanged) {
    Preferences preferences;
    preferences.save(start(preferences), {}, log);
    EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(PreferencesTest, ADamagedFileIsKeptAsideAndTheDefaultsAreUsed) {
    write("{ \"ui.theme\": \"light\", ");
    Preferences preferences;
    EXPECT_EQ(start(preferences).get_as_text(kUiTheme), "dark");
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_NE(log.messages().front().text.find("preferences.json"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file()));
    EXPECT_TRUE(std::filesystem::exists(file().string() + ".bad"));
}

TEST_F(PreferencesTest, ValuesThatAreNoLongerValidAreLeftOutOneByOne) {
    write(R"({"ui.theme": "purple", "draw.gone": "1", "sim.paused": true, "ui.scale": 1.5})");
    Preferences preferences;
    const Settings settings = start(preferences);
    EXPECT_EQ(settings.get_as_text(kUiTheme), "dark");
    EXPECT_EQ(settings[kUiScale], 1.5f);
    EXPECT_FALSE(settings[kSimPaused]);
    EXPECT_EQ(log.messages().size(), 3u);
}

TEST_F(PreferencesTest, WhatThisVersionDoesNotTakeStaysInTheFile) {
    write(R"({"future.setting": "x", "ui.scale": "99", "sim.paused": true, "ui.theme": "light"})");
    Preferences preferences;
    Settings settings = start(preferences);
    ASSERT_EQ(settings.set(kDrawFill, "0.5"), std::nullopt);
    preferences.save(settings, {}, log);
    const std::string kept = test::read_text(file());
    for (const char* line : {R"("future.setting": "x")", R"("ui.scale": "99")", R"("sim.paused": "true")",
                             R"("ui.theme": "light")", R"("draw.fill": "0.5")"})
        EXPECT_NE(kept.find(line), std::string::npos) << kept;
    // Until the user changes the setting.
    ASSERT_EQ(settings.set(kUiScale, "2"), std::nullopt);
    preferences.save(settings, {}, log);
    EXPECT_NE(test::read_text(file()).find(R"("ui.scale": "2")"), std::string::npos);
}

TEST_F(PreferencesTest, ManyUnknownNamesAreOneMessageAndAreKept) {
    std::string text = "{";
    for (int i = 0; i < 9'000; ++i)
        text += "\"unknown." + std::to_string(i) + "\": 1, ";
    write(text + "\"ui.theme\": \"light\"}");
    Preferences preferences;
    Settings settings = start(preferences);
    EXPECT_EQ(settings.get_as_text(kUiTheme), "light");
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_NE(log.messages()[0].text.find("9,000 names are unknown"), std::string::npos);
    ASSERT_EQ(settings.set(kDrawFill, "0.5"), std::nullopt);
    preferences.save(settings, {}, log);
    EXPECT_EQ(log.messages().size(), 1u);
    EXPECT_NE(test::read_text(file()).find("unknown.8999"), std::string::npos);
}

TEST_F(PreferencesTest, AFileThatCouldNotBeReadAgainIsNotWritten) {
    std::string text = "{\"a\": 0";
    for (std::size_t i = 1; i < io::limits::kSettings; ++i)
        text += ", \"unknown." + std::to_string(i) + "\": 1";
    write(text + "}");
    Preferences preferences;
    Settings settings = start(preferences);
    ASSERT_EQ(settings.set(kDrawFill, "0.5"), std::nullopt);
    preferences.save(settings, {}, log);
    EXPECT_EQ(test::read_text(file()), text + "}");
    EXPECT_NE(log.messages().back().text.find("would have 10001 values"), std::string::npos)
        << log.messages().back().text;
}

TEST_F(PreferencesTest, WhatTheCommandLineHasSetIsNotRememberedUnlessTheUserChangedIt) {
    write(R"({"ui.theme": "light"})");
    Preferences preferences;
    Settings settings = start(preferences);
    ASSERT_EQ(settings.set(kUiTheme, "dark"), std::nullopt);
    ASSERT_EQ(settings.set(kDrawFill, "0.5"), std::nullopt);
    ASSERT_EQ(settings.set(kDrawGrid, "false"), std::nullopt);
    preferences.save(settings, {"ui.theme=dark", "draw.fill=0.5", "draw.grid=true"}, log);
    Preferences next;
    const Settings again = start(next);
    EXPECT_EQ(again.get_as_text(kUiTheme), "light") << "as it was before the command line";
    EXPECT_TRUE(again.is_default(kDrawFill));
    EXPECT_FALSE(again[kDrawGrid]) << "the user has turned it off after all";
}

TEST_F(PreferencesTest, WhatALinkHasSetIsNotRememberedInWhateverWordsItSaysSo) {
    write(R"({"ui.theme": "light", "draw.fill": 0.5})");
    for (const char* line : {"set ui.theme=dark", "set ui.theme dark", "set ui.theme = dark",
                             "toggle ui.theme", "reset ui.theme", "reset all"}) {
        Preferences preferences;
        Settings settings = start(preferences);
        const ParsedLine parsed = command_table().parse(line);
        ASSERT_EQ(parsed.command->change(settings, parsed.args()), std::nullopt) << line;
        ASSERT_EQ(settings.get_as_text(kUiTheme), "dark") << line;
        preferences.save(settings, preferences.assignments_of({line, "pause", "no such line"}), log);
        Preferences next;
        const Settings again = start(next);
        EXPECT_EQ(again.get_as_text(kUiTheme), "light") << line;
        EXPECT_EQ(again[kDrawFill], 0.5f) << line;
    }
}

TEST_F(PreferencesTest, ASessionThatReturnsToItsStartWritesThatToo) {
    Preferences preferences;
    Settings settings = start(preferences);
    ASSERT_EQ(settings.set(kUiTheme, "light"), std::nullopt);
    preferences.save(settings, {}, log);
    ASSERT_NE(test::read_text(file()).find("light"), std::string::npos) << "saved in the middle";
    ASSERT_EQ(settings.set(kUiTheme, "dark"), std::nullopt);
    preferences.save(settings, {}, log);
    EXPECT_EQ(test::read_text(file()).find("light"), std::string::npos);
}

TEST_F(PreferencesTest, TwoSessionsKeepEachOthersChanges) {
    write(R"({"lessons.done": "spheres", "files.recent": "/old|/gone", "ui.scale": 1.5})");
    Preferences first, second;
    Settings one = start(first), other = start(second);
    ASSERT_EQ(one.set(kLessonsDone, "spheres,planes"), std::nullopt);
    ASSERT_EQ(one.set(kRecentFiles, "/one|/old|/gone"), std::nullopt);
    ASSERT_EQ(one.set(kUiTheme, "light"), std::nullopt);
    first.save(one, {}, log);
    ASSERT_EQ(other.set(kLessonsDone, "spheres,rays"), std::nullopt);
    ASSERT_EQ(other.set(kRecentFiles, "/other|/old"), std::nullopt) << "/gone no longer opens";
    ASSERT_EQ(other.set(kUiScale, "2"), std::nullopt);
    second.save(other, {}, log);
    first.save(one, {}, log);  // at its end, with nothing new
    Preferences next;
    const Settings again = start(next);
    EXPECT_EQ(again[kLessonsDone], "spheres,rays,planes");
    EXPECT_EQ(again[kRecentFiles], "/other|/old|/one");
    EXPECT_EQ(again.get_as_text(kUiTheme), "light");
    EXPECT_EQ(again[kUiScale], 2.0f);
    EXPECT_TRUE(log.messages().empty());
}

TEST_F(PreferencesTest, ResetAllKeepsFinishedLessonsAndRecentFiles) {
    Settings settings{setting_catalog()};
    ASSERT_EQ(settings.set(kUiTheme, "light"), std::nullopt);
    ASSERT_EQ(settings.set(kLessonsDone, "spheres"), std::nullopt);
    ASSERT_EQ(settings.set(kRecentFiles, "/a"), std::nullopt);
    settings.reset_all();
    EXPECT_TRUE(settings.is_default(kUiTheme));
    EXPECT_EQ(settings[kLessonsDone], "spheres");
    EXPECT_EQ(settings[kRecentFiles], "/a");
    ASSERT_EQ(settings.reset(kLessonsDone.id), std::nullopt) << "by its name it can be";
    EXPECT_TRUE(settings.is_default(kLessonsDone));
}

TEST_F(PreferencesTest, AFolderThatCannotBeWrittenIsOneError) {
    test::write_text(folder / "bvlab", "a file where the folder should be");
    Preferences preferences;
    Settings settings{setting_catalog()};
    ASSERT_EQ(settings.set(kUiTheme, "light"), std::nullopt);
    preferences.save(settings, {}, log);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages()[0].severity, Severity::Error);
    EXPECT_EQ(log.messages()[0].repeats, 1u);
}

}  // namespace
}  // namespace lab
