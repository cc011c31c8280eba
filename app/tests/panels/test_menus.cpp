// Menus, the browser of files, the palette and the help: what clicks and keys push.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "commands/catalog.hpp"
#include "io_test_tools.hpp"
#include "panel_screen.hpp"
#include "panels/menus/menus.hpp"
#include "panels/menus/palette_entries.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "world/opened_files.hpp"

using lab::Session;
using lab::panels::Rect;
using lab::panels::UiKey;
using lab::testing_tools::Screen;

TEST(Menus, TheMenuOfTheSelectionActsOnIt) {
    Screen s;
    s.run("scene welcome; pause on; select 2 3");
    s.frames(2);
    s.ui.open_menu({500, 150});
    s.frames(3);
    ASSERT_TRUE(s.ui.widget_rect("context.hide"));
    s.click("context.hide");
    s.frames(2);
    EXPECT_TRUE(s.session.results().bodies[1].hidden);
    EXPECT_TRUE(s.session.results().bodies[2].hidden);
    EXPECT_FALSE(s.session.results().bodies[3].hidden);
    EXPECT_FALSE(s.ui.widget_rect("context.hide")) << "a choice closes it";
    s.ui.open_menu({500, 150});
    s.frames(3);
    s.click("context.undo");
    s.frames(2);
    EXPECT_FALSE(s.session.results().bodies[1].hidden);
}

TEST(Menus, PauseStepAndRestartInTheMenuBar) {
    Screen s;
    s.frames(3);
    s.click("time.pause");
    EXPECT_TRUE(s.session.results().paused);
    const auto steps = s.session.results().steps;
    s.click("time.step");
    EXPECT_EQ(s.session.results().steps, steps + 1);
    s.click("time.restart");
    EXPECT_TRUE(s.was_pushed("restart"));
}

TEST(Menus, TitlesNeverReachTheTimeControls) {
    for (const glm::ivec2 size : {glm::ivec2(640, 480), glm::ivec2(1280, 720), glm::ivec2(1920, 1080)})
        for (const char* scale : {"1", "1.5", "2", "3"}) {
            Screen s;
            s.size = size;
            s.run(std::string("set ui.layout around; set ui.scale ") + scale);
            s.frames(3);
            const auto pause = s.ui.widget_rect("time.pause");
            ASSERT_TRUE(pause) << size.x << ' ' << scale;
            float end = 0.0f;
            for (const char* title : {"menu.Menu", "menu.File", "menu.Help"})
                if (const auto rect = s.ui.widget_rect(title)) end = std::max(end, rect->max.x);
            EXPECT_GT(end, 0.0f) << size.x << ' ' << scale;
            EXPECT_LT(end, pause->min.x) << size.x << ' ' << scale;
        }
}

TEST(Menus, MenusPushTheirLines) {
    Screen s;
    s.frames(3);
    s.click("menu.View");
    s.click("menu.toggle ui.legend");
    EXPECT_FALSE(s.session.state().settings[lab::kUiLegend]);
    s.click("menu.File");
    s.click("menu.open ");
    EXPECT_TRUE(s.ui.widget_rect("files.title"));
    s.press(UiKey::Escape);
    EXPECT_FALSE(s.ui.widget_rect("files.title"));
}

TEST(Menus, EveryMenuLineIsACommandOrSettingThatExists) {
    const auto names = lab::panels::menu_names();
    for (const auto& item : lab::panels::menu_items()) {
        EXPECT_NE(std::find(names.begin(), names.end(), item.menu), names.end()) << item.menu;
        if (item.line().empty()) continue;
        std::string error;
        const auto words = lab::split_words(item.line(), error);
        ASSERT_TRUE(words && !words->empty()) << item.line();
        EXPECT_TRUE(lab::command_table().find((*words)[0])) << item.line();
        if ((*words)[0] == "toggle") {
            EXPECT_TRUE(lab::setting_catalog().find((*words)[1])) << item.line();
        }
    }
    EXPECT_EQ(lab::panels::shortcut_for_line("camera.frame"), "F");
    EXPECT_EQ(lab::panels::shortcut_for_line("no such line"), "");
}

TEST(Menus, RecentFilesAreThoseThatOpened) {
    const lab::io::testing_tools::TestFolder folder;
    const std::string good = folder.write("good.txt", "0 0 0 1 1 1\n").string();
    const std::string bad = folder.write("bad.txt", "0 0 what\n").string();
    Screen s;
    s.frames(3);
    const auto open = [&](const std::string& path) {
        s.click("menu.File");
        s.click("menu.open ");
        s.click("files.path");
        s.type(path);
        s.click("files.open");
        s.frames(5);
    };
    const auto recent = [&]() -> const std::string& { return s.session.state().settings[lab::kRecentFiles]; };
    open(good);
    EXPECT_EQ(recent(), good);
    open(bad);
    EXPECT_EQ(recent(), good) << "it could not be opened";
    const auto refused = s.session.refused_commands() + s.session.file_problems();
    open((folder / "missing.obj").string());
    EXPECT_TRUE(s.ui.widget_rect("files.path")) << "the browser says so, and stays open for another try";
    EXPECT_EQ(s.session.refused_commands() + s.session.file_problems(), refused);
    s.press(UiKey::Escape);
    open((folder / "unknown.xyz").string());
    EXPECT_EQ(recent(), good);
    (void)folder.write("good.txt", "0 0 what\n");
    open(good);
    EXPECT_EQ(recent(), "") << "it no longer opens";
}

TEST(Menus, TheBrowserCompletesWholeLettersOnly) {
    const lab::io::testing_tools::TestFolder folder;
    (void)folder.write("x\u00e4.txt", "0 0 0 1 1 1\n");  // both letters begin with the byte c3
    (void)folder.write("x\u00f6.txt", "0 0 0 1 1 1\n");
    Screen s;
    s.frames(3);
    s.click("menu.File");
    s.click("menu.open ");
    s.click("files.path");
    s.type((folder / "x").string());
    s.press(UiKey::Tab);
    s.type("\u00f6.txt");  // behind half a letter, this would be no name
    s.press(UiKey::Enter);
    s.frames(5);
    EXPECT_EQ(s.session.state().settings[lab::kRecentFiles], (folder / "x\u00f6.txt").string());
    s.click("menu.File");
    s.click("menu.open ");
    s.frames(2);
    EXPECT_TRUE(s.ui.widget_rect("files.row.x\u00f6.txt")) << "it opens in the folder of that file";
}

/// The first click enters a folder; the second one lands on a file at the same place.
TEST(Menus, ADoubleClickOnAFolderOpensNoFileInIt) {
    const lab::io::testing_tools::TestFolder folder;
    std::filesystem::create_directories(folder / "a");
    (void)folder.write("a/x.txt", "0 0 0 1 1 1\n");
    Screen s;
    s.frames(3);
    s.click("menu.File");
    s.click("menu.open ");
    s.click("files.path");
    s.type(folder.path().string());
    s.press(UiKey::Enter);
    const auto row = s.ui.widget_rect("files.row.a");
    ASSERT_TRUE(row);
    s.click(row->center());
    s.click(row->center());
    ASSERT_TRUE(s.ui.widget_rect("files.row.x.txt"));
    EXPECT_TRUE(s.session.shown().opened.box_lists.empty());
    s.frames(60);
    for (const bool opens : {false, true}) {
        s.click(row->center());
        EXPECT_EQ(s.ui.widget_rect("files.row.x.txt").has_value(), !opens);
    }
    s.frames(5);
    EXPECT_EQ(s.session.shown().opened.box_lists.size(), 1u);
}

/// Their paths together are longer than a setting can be.
TEST(Menus, ManyFilesWithLongPathsAreRemembered) {
    const lab::io::testing_tools::TestFolder folder;
    Screen s;
    s.frames(3);
    std::string last;
    for (char c = 'a'; c < 'j'; ++c) {
        last = folder.write(std::string(150, c) + ".txt", "0 0 0 1 1 1\n").string();
        s.click("menu.File");
        s.click("menu.open ");
        s.click("files.path");
        s.type(last);
        s.press(UiKey::Enter);
        s.frames(5);
    }
    EXPECT_EQ(s.session.refused_commands(), 0u);
    const std::string& recent = s.session.state().settings[lab::kRecentFiles];
    EXPECT_TRUE(recent.starts_with(last)) << recent;
    EXPECT_GE(std::count(recent.begin(), recent.end(), '|'), 3);
}

TEST(Menus, TheHeadOfTheBrowserFitsIntoASmallWindow) {
    for (const int width : {320, 400, 640, 1280}) {
        Screen s;
        s.size = {width, 480};
        s.run("palette \"open \"");
        s.frames(3);
        const auto home = s.ui.widget_rect("files.home"), kind = s.ui.widget_rect("files.kind");
        ASSERT_TRUE(home && kind) << width;
        EXPECT_TRUE(kind->min.x >= home->max.x || kind->min.y >= home->max.y) << width;
    }
}

TEST(Menus, TheBrowserKeepsTheKeysAfterATryThatFailed) {
    Screen s;
    s.frames(3);
    s.click("menu.File");
    s.click("menu.open ");
    s.frames(3);
    ASSERT_TRUE(s.ui.wants_text());
    s.type("no such file");
    s.press(UiKey::Enter);
    s.frames(3);
    ASSERT_TRUE(s.ui.widget_rect("files.path"));
    EXPECT_TRUE(s.ui.wants_text()) << "the next try is typed";
    s.click("files.title");
    EXPECT_FALSE(s.ui.wants_text());
    EXPECT_TRUE(s.ui.wants_chords()) << "Ctrl+A is not for the scene behind";
    s.click("files.cancel");
    EXPECT_FALSE(s.ui.wants_chords());

    s.run("palette zzqqzz");
    s.frames(3);
    s.press(UiKey::Enter);
    s.frames(3);
    EXPECT_TRUE(s.ui.palette_is_open());
    EXPECT_TRUE(s.ui.wants_text());
}

TEST(Menus, TheBrowserGoesUpFromAPathThatWentUp) {
    const lab::io::testing_tools::TestFolder folder;
    std::filesystem::create_directories(folder / "a/b");
    (void)folder.write("a/marked.obj", "");
    (void)folder.write("top.obj", "");
    Screen s;
    s.frames(3);
    s.click("menu.File");
    s.click("menu.open ");
    s.click("files.path");
    s.type((folder / "a/b/..").string());
    s.press(UiKey::Enter);
    ASSERT_TRUE(s.ui.widget_rect("files.row.marked.obj"));
    s.click("files.up");
    EXPECT_TRUE(s.ui.widget_rect("files.row.top.obj"));
    EXPECT_FALSE(s.ui.widget_rect("files.row.marked.obj"));
}

TEST(Palette, TypingAndEnterRunACommand) {
    Screen s;
    s.frames(3);
    s.run("palette");
    EXPECT_TRUE(s.ui.palette_is_open());
    s.frames(2);
    s.type("spawn 3 torus");
    s.press(UiKey::Enter);
    EXPECT_FALSE(s.ui.palette_is_open());
    EXPECT_TRUE(s.was_pushed("spawn 3 torus"));
}

TEST(Palette, ABlankAtTheEndOfALineDoesNotKeepItFromRunning) {
    Screen s;
    s.frames(3);
    s.run("palette");
    s.frames(2);
    s.type("spawn 3 torus ");
    s.press(UiKey::Enter);
    EXPECT_FALSE(s.ui.palette_is_open());
    EXPECT_TRUE(s.was_pushed("spawn 3 torus"));
    const lab::Settings settings{lab::setting_catalog()};
    for (const auto& entry : lab::panels::palette_entries("set draw.fill ", settings, 100))
        EXPECT_FALSE(entry.label.starts_with("Run:")) << "its value is still to come: " << entry.label;
}

TEST(Palette, TheNameOfAFileMayHoldBlanks) {
    Screen s;
    s.frames(3);
    s.run("palette \"save \"");
    s.frames(3);
    s.type("my scene.json");
    s.press(UiKey::Enter);
    EXPECT_TRUE(s.was_pushed("save \"my scene.json\""));
    const lab::Settings settings{lab::setting_catalog()};
    // Words that describe what a command does come before a file named like them.
    for (const auto& entry : lab::panels::palette_entries("save the picture", settings, 100))
        EXPECT_FALSE(entry.label.starts_with("Run:")) << entry.label;
}

TEST(Palette, SaysWhatIsWrongWithALine) {
    EXPECT_EQ(lab::panels::why_no_entries("zzqq"), "Nothing matches. Try fewer letters.");
    EXPECT_NE(lab::panels::why_no_entries("scene.drag a 1").find("usage: `scene.drag ID X Y Z`"),
              std::string::npos);
}

TEST(Palette, ArrowsChooseAndACommandThatNeedsWordsWaitsForThem) {
    Screen s;
    s.frames(3);
    s.run("palette \"spawn \"");
    s.frames(3);
    s.type("3 torus");
    s.press(UiKey::Enter);
    EXPECT_TRUE(s.was_pushed("spawn 3 torus"));

    s.run("palette \"scene \"");
    s.frames(3);
    s.press(UiKey::Down);
    s.press(UiKey::Enter);
    ASSERT_FALSE(s.pushed.empty());
    EXPECT_EQ(s.pushed.back(), "scene " + std::string(lab::scene_specs()[1].id));
}

TEST(Palette, AClickBesideClosesIt) {
    Screen s;
    s.frames(3);
    s.run("palette");
    s.frames(3);
    s.click(glm::vec2(640.0f, 710.0f));
    EXPECT_FALSE(s.ui.palette_is_open());
}

TEST(Palette, FindsCommandsSettingsAndScenes) {
    const lab::Settings settings{lab::setting_catalog()};
    const auto lines = [&](std::string_view text) {
        std::set<std::string> found;
        for (const auto& entry : lab::panels::palette_entries(text, settings, 100))
            found.insert(entry.line);
        return found;
    };
    EXPECT_TRUE(lines("welcome").contains("scene welcome"));
    EXPECT_TRUE(lines("spheres").contains("toggle draw.sphere"));
    EXPECT_TRUE(lines("brute force").contains("toggle verify") || lines("verify").contains("toggle verify"));
    EXPECT_TRUE(lines("theme light").contains("set ui.theme light"));
    EXPECT_FALSE(lines("theme").contains("set ui.theme dark")) << "what is chosen already is not offered";
    EXPECT_TRUE(lines("fill").contains("set draw.fill "));
    EXPECT_EQ(lab::panels::palette_entries("spawn 5 box", settings, 5).front().line, "spawn 5 box");
    // The whole name of a command is that command, not a setting whose name begins like it.
    for (const char* name : {"tree.rebuild", "step", "clear"})
        EXPECT_EQ(lab::panels::palette_entries(name, settings, 5).front().line, name);
    // A whole title is what has it, whatever else holds its words.
    for (const auto& [text, label] : {std::pair{"False alarms", "Scene: False alarms"},
                                      {"false alarms", "Scene: False alarms"},
                                      {"box against box", "Lesson: Box against box"}})
        EXPECT_EQ(lab::panels::palette_entries(text, settings, 5).front().label, label);
    for (const std::string& line : lines("scene "))
        EXPECT_TRUE(line.starts_with("scene ")) << line;
    EXPECT_TRUE(lines("zzqq").empty());
    EXPECT_LE(lab::panels::palette_entries("", settings, 7).size(), 7u);
}

TEST(Menus, HelpShowsAndCloses) {
    Screen s;
    s.run("set ui.help on");
    EXPECT_TRUE(s.ui.widget_rect("help.title"));
    s.click("help.close");
    EXPECT_FALSE(s.session.state().settings[lab::kUiHelp]);
    EXPECT_FALSE(s.ui.widget_rect("help.title"));
}

TEST(Menus, HelpHasNoHeadingWithoutRows) {
    Screen s;
    s.run("set ui.help on");
    EXPECT_TRUE(s.ui.widget_rect("help.Mouse"));
    EXPECT_TRUE(s.ui.widget_rect("help.Keys"));
    s.click("help.search");
    s.type("zzqqzzqq");
    EXPECT_FALSE(s.ui.widget_rect("help.Mouse"));
    EXPECT_FALSE(s.ui.widget_rect("help.Keys"));
    EXPECT_TRUE(s.ui.widget_rect("help.nothing"));
}
