// Settings, commands, shortcuts and the words that they are made of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>
#include <utility>

#include "bv/assert.hpp"
#include "commands/catalog.hpp"
#include "results/messages.hpp"
#include "results/volume_settings.hpp"
#include "scenes/scenes.hpp"
#include "settings/draw.hpp"
#include "settings/program.hpp"
#include "settings/settings.hpp"
#include "settings/suggest.hpp"
#include "settings/tree.hpp"
#include "world/world_settings.hpp"

namespace lab {
namespace {

std::vector<std::string> words(std::string_view line) {
    std::string error;
    const auto split = split_words(line, error);
    EXPECT_TRUE(split) << line << ": " << error;
    return split.value_or(std::vector<std::string>{});
}

TEST(Settings, RowsAreUniqueDescribedAndHaveValidDefaults) {
    std::set<std::string_view> ids;
    Settings settings{setting_catalog()};
    for (const SettingSpec* row : setting_catalog().rows()) {
        const SettingSpec& spec = *row;
        EXPECT_TRUE(ids.insert(spec.id).second) << spec.id;
        EXPECT_FALSE(spec.label.empty()) << spec.id;
        EXPECT_FALSE(spec.help.empty()) << spec.id;
        EXPECT_EQ(settings.set(spec.id, spec.default_value), std::nullopt) << spec.id;
        EXPECT_TRUE(settings.is_default(spec)) << spec.id;
        EXPECT_EQ(setting_catalog().find(spec.id), &spec);
        EXPECT_TRUE(spec.kind != SettingKind::Choice || spec.choices.size() >= 2) << spec.id;
        const bool number = spec.kind == SettingKind::Integer || spec.kind == SettingKind::Real;
        EXPECT_TRUE(!number || spec.min < spec.max) << spec.id;
    }
    EXPECT_TRUE(settings == Settings(setting_catalog())) << "setting the same value is no change";
}

/// People know a setting by its label: its id is for scripts, and stands below the help.
TEST(Settings, NoHelpNamesAnotherById) {
    std::string texts;
    for (const SettingSpec* row : setting_catalog().rows())
        texts += fmt::format("{}: {} {} ", row->label, row->help, row->unit);
    for (const SceneSpec& scene : scene_specs())
        texts += fmt::format("{}: {} ", scene.title, scene.summary);
    for (const SettingSpec* row : setting_catalog().rows())
        if (row->id.find('.') != std::string_view::npos) {
            EXPECT_EQ(texts.find(row->id), std::string::npos)
                << row->id << ": " << texts.substr(texts.find(row->id), 80);
        }
}

TEST(Settings, EveryValueComesBackFromItsText) {
    for (const SettingSpec* row : setting_catalog().rows()) {
        const SettingSpec& spec = *row;
        std::vector<std::string> values;
        if (spec.kind == SettingKind::Flag) values = {"true", "false"};
        if (spec.kind == SettingKind::Integer)
            values = {std::to_string(static_cast<long long>(spec.min)),
                      std::to_string(static_cast<long long>(spec.max))};
        // Not the default, and not a number that is exact in binary where there is room for one.
        if (spec.kind == SettingKind::Real) values = {spec.min < 0.7 ? "0.7" : "13.7"};
        for (const Choice& choice : spec.choices)
            values.emplace_back(choice.id);
        if (spec.kind == SettingKind::Text) values = {"two words"};
        for (const std::string& value : values) {
            Settings a(setting_catalog()), b(setting_catalog());
            ASSERT_EQ(a.set(spec.id, value), std::nullopt) << spec.id << " " << value;
            ASSERT_EQ(b.set(spec.id, a.get_as_text(spec)), std::nullopt) << spec.id;
            EXPECT_EQ(a.get_as_text(spec), b.get_as_text(spec));
            EXPECT_EQ(a.get_as_text(spec), value);
        }
    }
}

TEST(Settings, RefusalsSayWhatIsRightAndChangeNothing) {
    Settings settings{setting_catalog()};
    const Settings before = settings;
    const auto refused = [&](std::string_view id, std::string_view value, std::string_view hint) {
        const auto problem = settings.set(id, value);
        ASSERT_TRUE(problem) << id << "=" << value;
        EXPECT_NE(problem->find(hint), std::string::npos) << *problem;
    };
    refused("draw.obbb", "true", "did you mean 'draw.obb'");
    refused("no.such.thing.at.all", "1", "--list-settings");
    refused("draw.obb", "maybe", "true or false");
    refused("sim.speed", "fast", "from 0 to 10");
    refused("sim.speed", "nan", "from 0 to 10");
    refused("sim.speed", "inf", "from 0 to 10");
    refused("sim.speed", "11", "from 0 to 10");
    refused("sim.speed", "1 ", "from 0 to 10");
    refused("spawn.count", "1.5", "whole number");
    refused("spawn.count", "99999999999999999999", "whole number");
    refused("ui.theme", "drak", "did you mean 'dark'");
    refused("ui.theme", "", "one of dark, light");
    EXPECT_TRUE(settings == before);
}

TEST(Settings, ToggleTurnsFlagsAndGoesThroughChoices) {
    Settings settings{setting_catalog()};
    EXPECT_EQ(settings.toggle("draw.obb"), std::nullopt);
    EXPECT_FALSE(settings[kDrawObb]);
    const VolumeKind first = settings[kVolumePairKind];
    for (std::size_t i = 0; i < kVolumePairKind.choices.size(); ++i) {
        EXPECT_EQ(settings.toggle(kVolumePairKind), std::nullopt);
        EXPECT_EQ(settings[kVolumePairKind] == first, i + 1 == kVolumePairKind.choices.size());
    }
    EXPECT_TRUE(settings.toggle(kSimSpeed));
    EXPECT_TRUE(settings.toggle("nothing"));
    EXPECT_EQ(settings.reset("draw.obb"), std::nullopt);
    EXPECT_TRUE(settings[kDrawObb]);
}

TEST(Settings, ReadingARowOfAnotherCatalogAsserts) {
    static constexpr Setting<bool> kStrange{
        {.id = "no.such", .label = "", .help = "", .default_value = "true"}};
    static int asserted = 0;
    const auto before = bv::set_assert_handler([](const char*, const char*, int) { ++asserted; });
    Settings settings{setting_catalog()};
    (void)settings.get_as_text(kStrange);
    EXPECT_EQ(asserted, 1);
    bv::set_assert_handler(before);
}

TEST(Settings, AssigningAValueOutOfRangeAssertsAndChangesNothing) {
    static int asserted = 0;
    const auto before = bv::set_assert_handler([](const char*, const char*, int) { ++asserted; });
    Settings settings{setting_catalog()};
    const Settings defaults = settings;
    settings.assign(kSpawnCount, static_cast<int>(kSpawnCount.max) + 1);
    settings.assign(kSpawnCount, static_cast<int>(kSpawnCount.min) - 1);
    settings.assign(kSimSpeed, -0.1f);
    settings.assign(kSimSpeed, std::numeric_limits<float>::quiet_NaN());
    settings.assign(kDrawTreeColor, static_cast<TreeColor>(77));
    settings.assign(kSpawnMesh, "two\nlines");
    EXPECT_EQ(asserted, 6);
    EXPECT_TRUE(settings == defaults);
    settings.assign(kSpawnCount, static_cast<int>(kSpawnCount.max));
    settings.assign(kSpawnSpread, 0.9f);  // the end of its range, which no float is
    settings.assign(kDrawTreeColor, TreeColor::Area);
    settings.assign(kSpawnMesh, "torus");
    EXPECT_EQ(asserted, 6);
    EXPECT_EQ(settings[kSpawnCount], static_cast<int>(kSpawnCount.max));
    EXPECT_EQ(settings[kSpawnSpread], 0.9f);
    EXPECT_EQ(settings[kDrawTreeColor], TreeColor::Area);
    EXPECT_EQ(settings[kSpawnMesh], "torus");
    bv::set_assert_handler(before);
}

TEST(Settings, ChoicesOfAnEnumNameEachOfItsEnumeratorsOnce) {
    // Rows of handles are checked by the compiler, by the same function.
    enum class Letter : unsigned char { A, B, C };
    static_assert(is_enumerator<Letter>(0) && is_enumerator<Letter>(2) && !is_enumerator<Letter>(3));
    static_assert(is_enumerator<bv::Builder>(4) && !is_enumerator<bv::Builder>(5));
    constexpr std::array kAll = {Choice{"c", "C", Letter::C}, Choice{"a", "A", Letter::A},
                                 Choice{"b", "B", Letter::B}};
    constexpr std::array kTwice = {Choice{"a", "A", Letter::A}, Choice{"b", "B", Letter::B},
                                   Choice{"c", "C", Letter::C}, Choice{"d", "D", Letter::C}};
    static_assert(covers<Letter>(kAll));
    static_assert(!covers<Letter>(std::span(kAll).first(2)) && !covers<Letter>(kTwice));
    // Numbers of choices stand apart, too.
    for (const SettingSpec* row : setting_catalog().rows()) {
        std::set<int> values;
        for (const Choice& choice : row->choices)
            EXPECT_TRUE(values.insert(choice.value).second) << row->id << " " << choice.id;
    }
}

TEST(Commands, RowsAreUniqueAndDescribed) {
    std::set<std::string_view> ids;
    for (const CommandSpec& spec : command_table().rows()) {
        EXPECT_TRUE(ids.insert(spec.id).second) << spec.id;
        EXPECT_FALSE(spec.help.empty()) << spec.id;
        EXPECT_FALSE(spec.category.empty()) << spec.id;
        EXPECT_TRUE(spec.run || spec.change || !spec.scene_action.empty()) << spec.id;
        EXPECT_EQ(spec.usage.empty(), spec.max_args == 0) << spec.id;
        EXPECT_TRUE(spec.max_args == -1 || spec.min_args <= spec.max_args) << spec.id;
        EXPECT_EQ(command_table().find(spec.id), &spec);
    }
}

TEST(Commands, EveryShortcutPushesAValidLineAndNoKeyHasTwo) {
    std::set<std::pair<std::string_view, bool>> keys;
    for (const Shortcut& shortcut : command_table().shortcuts()) {
        EXPECT_TRUE(keys.emplace(shortcut.keys, shortcut.command->of_film).second) << shortcut.keys;
        EXPECT_EQ(command_table().check(shortcut.line), std::nullopt) << shortcut.line;
        EXPECT_FALSE(shortcut.help.empty());
    }
    EXPECT_EQ(command_table().shortcut_text(*command_table().find("pause")), "Space or P");
    EXPECT_EQ(command_table().shortcut_text(*command_table().find("film.play")), "Space or P");
    EXPECT_EQ(command_table().shortcut_text(*command_table().find("report")), "Shift+F12");
    EXPECT_EQ(command_table().shortcut_text(*command_table().find("save.tree")), "");
}

// The list is that of `isBrowsers` in app/web/page.js, which leaves these keys to the browser.
TEST(Commands, NoKeyInABrowserIsOneThatItKeepsButThatOfFullScreen) {
    const std::set<std::string_view> kept = {
        "F3",           "F5",           "F6",           "F7",          "F12",          "Ctrl+T",
        "Ctrl+N",       "Ctrl+F",       "Ctrl+G",       "Ctrl+H",      "Ctrl+J",       "Ctrl+U",
        "Ctrl+W",       "Ctrl+R",       "Ctrl+L",       "Ctrl+Q",      "Ctrl+Shift+I", "Ctrl+Shift+J",
        "Ctrl+Shift+C", "Ctrl+Shift+T", "Ctrl+Shift+N", "Ctrl+Shift+R"};
    const CommandTable page = command_table_for(true);
    std::set<std::pair<std::string_view, bool>> keys;
    for (const Shortcut& shortcut : page.shortcuts()) {
        EXPECT_FALSE(kept.contains(shortcut.keys)) << shortcut.keys << ": " << shortcut.line;
        EXPECT_FALSE(shortcut.keys.starts_with("Alt+")) << shortcut.keys << ": " << shortcut.line;
        EXPECT_TRUE(keys.emplace(shortcut.keys, shortcut.command->of_film).second) << shortcut.keys;
    }
    EXPECT_EQ(page.shortcut_text(*page.find("screenshot")), "F9");
    EXPECT_EQ(page.shortcut_text(*page.find("report")), "Shift+F9");
    EXPECT_EQ(page.shortcut_text(*page.find("fullscreen")), "F11") << "the browser's own";
    EXPECT_EQ(page.shortcut_text(*page.find("quit")), "") << "a page is closed by its browser";
    EXPECT_EQ(page.shortcuts().size() + 1, command_table_for(false).shortcuts().size());
}

TEST(Commands, CheckFindsWhatIsWrongBeforehand) {
    const auto problem = [](std::string_view line) { return command_table().check(line).value_or(""); };
    EXPECT_EQ(problem("spawn 10 torus"), "");
    EXPECT_EQ(problem("   "), "");
    EXPECT_NE(problem("swapn 10").find("did you mean 'spawn'"), std::string::npos);
    EXPECT_NE(problem("pick 1").find("pick X Y"), std::string::npos);
    EXPECT_NE(problem("pick 1 2 add 3").find("pick X Y"), std::string::npos);
    EXPECT_NE(problem("set draw.obbb=1").find("did you mean 'draw.obb'"), std::string::npos);
    EXPECT_NE(problem("set draw.obb").find("a value is missing"), std::string::npos);
    EXPECT_NE(problem("scene welcom").find("did you mean 'welcome'"), std::string::npos);
    EXPECT_NE(problem("open \"a b").find("never closed"), std::string::npos);
    EXPECT_EQ(problem("set draw.obb = off"), "");
    EXPECT_EQ(problem("set draw.obb off"), "");
}

TEST(Commands, AreRefusedIfARecordCouldNotBeReadWithThem) {
    std::string ids;
    for (int i = 1; i <= 2000; ++i)
        ids += fmt::format(" {}", i);
    for (const char* command : {"select", "hide", "remove"}) {
        const std::string why = command_table().check(command + ids).value_or("");
        EXPECT_NE(why.find("at most 8192 are read"), std::string::npos) << why;
        EXPECT_LT(why.size(), 200u);
    }
    EXPECT_TRUE(command_table().check("spawn 1 " + std::string(5000, '\xff'))) << "escapes are longer";
    EXPECT_FALSE(command_table().check("spawn 1 " + std::string(5000, 'x')));
    EXPECT_FALSE(command_table().check("open " + std::string(10'000, 'x'))) << "not part of a record";
}

TEST(Commands, WordsSplitAtBlanksOutsideQuotes) {
    using List = std::vector<std::string>;
    EXPECT_EQ(words(""), List{});
    EXPECT_EQ(words("  a \t b  "), (List{"a", "b"}));
    EXPECT_EQ(words("open \"a b.obj\""), (List{"open", "a b.obj"}));
    EXPECT_EQ(words(R"(x "say \"hi\" \\ now" y)"), (List{"x", "say \"hi\" \\ now", "y"}));
    EXPECT_EQ(words("a\"b c\"d \"\""), (List{"ab cd", ""}));
    std::string error;
    EXPECT_FALSE(split_words("a \"b", error));
    EXPECT_NE(error.find("column 3"), std::string::npos) << error;
}

TEST(Commands, QuotedWordsComeBack) {
    for (const std::string word :
         {"", "plain", "two words", "a;b", "say \"x\"", "back\\slash and \"", "#hash", "tab\there"})
        EXPECT_EQ(words(quote_word(word)), std::vector<std::string>{word}) << quote_word(word);
    // Also as part of a line that is split before.
    const std::string line = "open " + quote_word("a; b # c \"d\".obj");
    EXPECT_EQ(split_lines(line + "; pause"), (std::vector<std::string>{line, "pause"}));
}

TEST(Commands, LinesSplitAtSemicolonsAndDropComments) {
    using List = std::vector<std::string>;
    EXPECT_EQ(split_lines("a; b ;; c"), (List{"a", "b", "c"}));
    EXPECT_EQ(split_lines("# all\na # rest ; no\n  b#c\n\n"), (List{"a", "b#c"}));
    EXPECT_EQ(split_lines("open \"a;b\";c"), (List{"open \"a;b\"", "c"}));
    EXPECT_EQ(split_lines("x \"open\ny"), (List{"x \"open", "y"}));
}

TEST(Commands, QueueKeepsOrderAndOrigin) {
    CommandQueue queue;
    EXPECT_TRUE(queue.empty());
    queue.push("first");
    queue.push_script("one; two\n\n# none\nthree", "file.txt");
    EXPECT_EQ(queue.size(), 4u);
    EXPECT_EQ(queue.pop().line, "first");
    EXPECT_EQ(queue.pop().origin, "file.txt:1");
    EXPECT_EQ(queue.pop().line, "two");
    const CommandQueue::Entry last = queue.pop();
    EXPECT_EQ(last.line, "three");
    EXPECT_EQ(last.origin, "file.txt:4");
    EXPECT_TRUE(queue.empty());
}

TEST(Commands, QueueCountsRepeatedLinesOneByOne) {
    CommandQueue queue, other;
    queue.push_repeated("left", "link", 3);
    queue.push_repeated("never", "link", 0);
    queue.push_next("first");
    other.push("last");
    queue.append(other);
    EXPECT_TRUE(other.empty());
    std::string lines;
    for (std::size_t left = 5; left > 0; --left) {
        ASSERT_EQ(queue.size(), left);
        lines += queue.pop().line + ' ';
    }
    EXPECT_EQ(lines, "first left left left last ");
    EXPECT_TRUE(queue.empty());
}

TEST(Scenes, RowsAreUniqueAndDescribed) {
    std::set<std::string_view> ids;
    for (const SceneSpec& spec : scene_specs()) {
        EXPECT_TRUE(ids.insert(spec.id).second) << spec.id;
        EXPECT_EQ(spec.id.find(' '), std::string_view::npos) << "lists print the id first";
        EXPECT_FALSE(spec.title.empty() || spec.summary.empty() || spec.category.empty()) << spec.id;
        EXPECT_EQ(find_scene(spec.id), &spec);
    }
}

TEST(Suggest, DistanceCountsEditsAndSwaps) {
    EXPECT_EQ(edit_distance("", ""), 0u);
    EXPECT_EQ(edit_distance("abc", ""), 3u);
    EXPECT_EQ(edit_distance("torus", "Torus"), 0u);
    EXPECT_EQ(edit_distance("torsu", "torus"), 1u);
    EXPECT_EQ(edit_distance("tors", "torus"), 1u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("a", "b"), 1u);
}

TEST(Suggest, OnlyNearNamesAreSuggested) {
    const std::vector<std::string_view> names = {"torus", "gear", "rock"};
    EXPECT_EQ(nearest("torsu", names), "torus");
    EXPECT_EQ(nearest("gaer", names), "gear");
    EXPECT_EQ(nearest("xyzzy", names), "");
    EXPECT_EQ(nearest("x", names), "");
    EXPECT_EQ(nearest("tor", names), "torus");
}

TEST(Messages, RepeatsAreKeptOnceAndOldOnesGo) {
    MessageLog log;
    log.error("same");
    log.error("same");
    EXPECT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages().back().repeats, 2u);
    EXPECT_EQ(log.messages().back().severity, Severity::Error);
    log.warning("same");
    EXPECT_EQ(log.messages().size(), 2u) << "another severity is another message";
    for (int i = 0; i < 2000; ++i)
        log.info(std::to_string(i));
    EXPECT_EQ(log.messages().size(), MessageLog::kCapacity);
    EXPECT_EQ(log.messages().back().text, "1999");
    EXPECT_EQ(log.last_number(), 2003u);
}

}  // namespace
}  // namespace lab
