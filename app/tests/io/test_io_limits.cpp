// Files from strangers: whatever they ask for is bounded while they are read, and what is refused is named.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bv/tree/metrics.hpp"
#include "bv/tree/tree_io.hpp"
#include "io/atomic_file.hpp"
#include "io/captures/capture_lines.hpp"
#include "io/file_kind.hpp"
#include "io/json_reader.hpp"
#include "io/limits.hpp"
#include "io/sessions/recording.hpp"
#include "io/sessions/scene_file.hpp"
#include "io/sessions/settings_file.hpp"
#include "io/text/printable.hpp"
#include "io/trees/box_list.hpp"
#include "io/trees/tree_file.hpp"
#include "io_test_tools.hpp"

namespace lab::io {
namespace {

using testing_tools::bytes_of;
using testing_tools::TestFolder;

std::string refusal(std::string_view text, const JsonLimits& limits = {}) {
    const Result<nlohmann::json> json = parse_json(text, "x.json", limits);
    return json ? "accepted" : json.error().text();
}

TEST(Printable, LeavesTextAloneAndEscapesWhatSteersATerminal) {
    EXPECT_EQ(printable("plain, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \\ text"),
              "plain, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \\ text");
    EXPECT_EQ(printable("\x1b]0;title\x07\x1b[2J"), "\\x1b]0;title\\x07\\x1b[2J");
    EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(printable("a\nb", LineEnds::Keep), "a\nb");
    EXPECT_EQ(printable("\x7f\xc2\x9b"), "\\x7f\\x9b") << "DEL, and the control sequence introducer of C1";
    EXPECT_EQ(printable("\xe2\x80\xae txt"), "\\u202e txt");
    for (const char* bad : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"})
        EXPECT_EQ(printable(bad).substr(0, 2), "\\x") << bad;
    EXPECT_EQ(printable(std::string(1, '\0')), "\\x00");
    EXPECT_EQ(printable(std::string(100, 'x'), LineEnds::Escape, 10), "xxxxxxxxxx...");
    EXPECT_EQ(printable(printable("\x1b\n")), printable("\x1b\n"));
    EXPECT_TRUE(is_plain_text("\xc3\xa4 b"));
    EXPECT_FALSE(is_plain_text("a\nb"));
    EXPECT_FALSE(is_plain_text("\xff"));
    EXPECT_TRUE(is_valid_utf8("a\nb"));
}

TEST(JsonLimitsTest, KeysThatStandTwiceAreRefusedWithTheirPlace) {
    EXPECT_NE(refusal("{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}").find("line 2"), std::string::npos);
    EXPECT_NE(refusal("{\"a\": 1, \"a\": 1}").find("\"a\" twice"), std::string::npos);
    EXPECT_EQ(refusal("{\"a\": {\"x\": 1}, \"b\": {\"x\": 1}}"), "accepted");
}

TEST(JsonLimitsTest, NumbersBeyondDoublePrecisionAreRefusedAndNeverThrow) {
    EXPECT_NE(refusal("{\"a\": 1e999}").find("too large"), std::string::npos);
    EXPECT_NE(refusal("[-1e999]").find("too large"), std::string::npos);
    EXPECT_EQ(refusal("[1e-999, 123456789012345678901234567890]"), "accepted");
}

TEST(JsonLimitsTest, NestingValuesTextsAndMemoryAreBoundedWhileReading) {
    EXPECT_NE(refusal(std::string(13, '[') + std::string(13, ']')).find("12 levels"), std::string::npos);
    EXPECT_EQ(refusal(std::string(12, '[') + std::string(12, ']')), "accepted");
    EXPECT_NE(refusal(std::string(10'000'000, '[')).find("12 levels"), std::string::npos);
    std::string nested;
    for (int i = 0; i < 100'000; ++i)
        nested += "{\"a\":";
    EXPECT_NE(refusal(nested).find("12 levels"), std::string::npos);
    JsonLimits few;
    few.values = 5;
    EXPECT_EQ(refusal("[1,2,3,4]", few), "accepted");
    EXPECT_NE(refusal("[1,2,3,4,5]", few).find("5 values"), std::string::npos);
    JsonLimits small;
    small.memory_bytes = std::size_t{1} << 20;
    std::string lists = "[[]";
    for (int i = 0; i < 100'000; ++i)
        lists += ",[]";
    EXPECT_NE(refusal(lists + "]", small).find("1 MB of memory"), std::string::npos);
    EXPECT_NE(refusal("[\"" + std::string(limits::kLineBytes + 1, 'x') + "\"]").find("bytes"),
              std::string::npos);
    EXPECT_NE(refusal("{\"" + std::string(limits::kNameBytes + 1, 'x') + "\":1}").find("bytes"),
              std::string::npos);
}

TEST(JsonLimitsTest, ManyEmptyListsTakeNoMoreMemoryThanTheLimit) {
    // 64 MB of "[]," would be some 1.7 GB of values.
    std::string lists = "[";
    while (lists.size() < (std::size_t{64} << 20))
        lists += "[],[],[],[],[],[],[],[],";
    lists += "[]]";
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    EXPECT_NE(refusal(lists), "accepted");
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT((after.ru_maxrss - before.ru_maxrss) / 1024, 1500) << "MB";
}

TEST(JsonLimitsTest, WhatIsNoJsonHasAPlace) {
    for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "[1] 2", "\xff", "{\"a\":\"\xff\"}",
                             "[\"\n\"]", "[01]", "[1e]", "{1:2}"})
        EXPECT_NE(refusal(text).find("line "), std::string::npos) << text;
    EXPECT_NE(refusal(std::string("[1]\0[2", 6)).find("NUL"), std::string::npos);
    EXPECT_EQ(refusal("\xef\xbb\xbf[1]"), "accepted") << "a byte order mark";
    for (const char* text : {"[1,\n2,\n  x]", "[1,\r2,\r  x]", "[1,\r\n2,\r\n  x]"})
        EXPECT_NE(refusal(text).find("line 3, column 3"), std::string::npos) << refusal(text);
}

TEST(BoxListLimits, ALineOfAnyLengthIsRefusedByItsLine) {
    std::string text = "0 0 0 1 1 1\n";
    for (int i = 0; i < 20'000; ++i)
        text += "1 ";
    const auto boxes = parse_box_list(text, "x");
    ASSERT_FALSE(boxes);
    EXPECT_EQ(boxes.error().where, "line 2");
    EXPECT_NE(boxes.error().what.find("16384"), std::string::npos);
    EXPECT_FALSE(parse_box_list("#" + std::string(20'000, 'x'), "x"));
}

std::string recording(const std::string& statements, const std::string& steps = "0") {
    return "bvrec 1\nscene welcome\nview 640 360 0 0\ncamera 0 0 0 10 0 0\nhome 0 0 0 10 0 0\n" + statements +
           "end " + steps + "\n";
}

TEST(TextFiles, MayBeginWithAByteOrderMarkAndEndTheirLinesInEveryWay) {
    const std::string mark = "\xef\xbb\xbf";
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        const auto read = parse_recording(mark + "bvrec 1" + end + "scene welcome" + end +
                                              "view 640 360 0 0" + end + "camera 0 0 0 10 0 0" + end +
                                              "home 0 0 0 10 0 0" + end + "do pause" + end + "end 0" + end,
                                          "x.bvrec");
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->start.scene, "welcome");
        EXPECT_EQ(read->entries.size(), 1u);
        const std::string lines = mark + R"({"capture": 1})" + end + R"({"frame": 1})" + end + "[]" + end;
        const auto capture = capture_from_lines(lines, "x.jsonl");
        ASSERT_FALSE(capture);
        EXPECT_EQ(capture.error().where, "line 3");
        const auto settings = parse_settings(mark + "{" + end + "\"a\": 1" + end + "}" + end, "x.json");
        ASSERT_TRUE(settings) << settings.error().text();
        EXPECT_EQ(settings->at("a"), "1");
        const auto boxes = parse_box_list(mark + "0 0 0 1 1 1" + end + "0 0 0 2 2 2", "x.txt");
        ASSERT_TRUE(boxes) << boxes.error().text();
        EXPECT_EQ(boxes->size(), 2u);
    }
}

TEST(RecordingLimits, OnlyWhatIsShownMayBeOpened) {
    for (const char* name :
         {"a.obj", "b.ply", "c.txt", "d.csv", "e.bvtree", "f.vox", "g.glb", "h.bvcap", "i.jsonl", "j.json"})
        EXPECT_TRUE(parse_recording(recording("open " + std::string(name) + "\n"), "x")) << name;
    for (const char* name : {"self.bvrec", "x.BvRec", "a.png", "a", "..", "/dev/zero"}) {
        const auto refused = parse_recording(recording("open " + std::string(name) + "\n"), "x");
        ASSERT_FALSE(refused) << name;
        EXPECT_EQ(refused.error().where, "line 6") << name;
        EXPECT_NE(refused.error().what.find(name), std::string::npos);
    }
}

TEST(RecordingLimits, StepsFramesAndLinesAreBounded) {
    EXPECT_FALSE(parse_recording(recording("frames 1000000001 0\n"), "x"));
    EXPECT_FALSE(parse_recording(recording("frames 1 10001\n", "10001"), "x"));
    EXPECT_FALSE(parse_recording(recording("frames 18446744073709551615 1\n"), "x"));
    EXPECT_FALSE(parse_recording(recording("frames -1 1\n"), "x"));
    EXPECT_FALSE(parse_recording(recording("do " + std::string(9'000, 'x') + "\n"), "x"));
    EXPECT_FALSE(parse_recording(
        recording("do " + std::string(20'000, ' ') + "x" + std::string(20'000, 'y') + "\n"), "x"));
    std::string many;
    for (std::size_t i = 0; i <= limits::kRecordedEntries; ++i)
        many += "do x\n";
    const auto refused = parse_recording(recording(many), "x");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().what.find("1000000"), std::string::npos);
}

TEST(RecordingText, EveryNameAndTextComesBack) {
    Recording before;
    before.start.scene = "welcome";
    before.start.opened = {"plain.obj",     "with blank.obj", " leading.obj",    "line\nend.obj",
                           "tab\t.obj",     "\"quoted\".obj", "back\\slash.obj", "semi;colon.obj",
                           "latin\xe9.obj", "\x1b[2J.obj",    "# hash.obj",      "\xc3\xa4.obj",
                           "\xc3\xa4\n.obj"};
    before.start.before = {{"spawn.mesh", " x "}, {"bvh.mesh", "a\nb"}, {"obbtree.mesh_a", ""}};
    before.start.after = before.start.before;
    before.entries = {{"spawn 1 \"a\nb\"", 0, 0, 0}, {"", 3, 2, 0}, {"\"spawn\" 1 ", 0, 0, 0}};
    const std::string text = recording_text(before.start, before.entries);
    EXPECT_TRUE(is_valid_utf8(text)) << "so that a scene can hold it";
    const auto after = parse_recording(text, "x");
    ASSERT_TRUE(after) << after.error().text() << "\n" << text;
    EXPECT_EQ(after->start.opened, before.start.opened);
    EXPECT_EQ(after->start.before, before.start.before);
    EXPECT_EQ(after->start.after, before.start.after);
    ASSERT_EQ(after->entries.size(), 3u);
    EXPECT_EQ(after->entries[0].line, before.entries[0].line);
    EXPECT_EQ(after->entries[2].line, before.entries[2].line);
}

TEST(RecordingText, WhatCouldNotBeOpenedAgainIsNotWritten) {
    const TestFolder folder;
    Recording recording;
    recording.start.scene = "welcome";
    recording.start.opened = {"a.bvrec"};
    const auto refused = write_recording(folder / "x.bvrec", recording);
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->text().find("a.bvrec"), std::string::npos);
    EXPECT_EQ(folder.file_count(), 0u);
    recording.start.opened = {"a.obj"};
    EXPECT_FALSE(write_recording(folder / "x.bvrec", recording));
}

SceneFile a_scene() {
    SceneFile scene;
    scene.scene = "welcome";
    SceneFileBody body;
    body.id = 1;
    body.name = "torus 1";
    body.mesh = "torus";
    scene.bodies.push_back(body);
    return scene;
}

TEST(SceneText, ComesBackOrIsRefusedWhenItIsSaved) {
    const TestFolder folder;
    const SceneFile good = a_scene();
    ASSERT_FALSE(write_scene_file(folder / "good.json", good));
    EXPECT_TRUE(read_scene_file(folder / "good.json"));
    const auto refused = [&](const SceneFile& scene, const std::string& says) {
        const auto error = write_scene_file(folder / "bad.json", scene);
        ASSERT_TRUE(error) << says;
        EXPECT_NE(error->text().find(says), std::string::npos) << error->text();
        EXPECT_FALSE(std::filesystem::exists(folder / "bad.json"));
    };
    SceneFile scene = good;
    scene.files = {"latin\xe9.obj"};
    refused(scene, "latin\\xe9.obj");
    scene = good;
    scene.bodies[0].name = "a\nb";
    refused(scene, "name");
    scene = good;
    scene.bodies[0].name = "\xff";
    refused(scene, "UTF-8");
    scene = good;
    scene.bodies[0].position.x = std::numeric_limits<float>::quiet_NaN();
    refused(scene, "bodies[0].position[0]");
    scene = good;
    scene.files = {"line\nend.obj", " blank.obj", "\xc3\xa4.ply", "\"q\".txt"};
    ASSERT_FALSE(write_scene_file(folder / "odd.json", scene));
    EXPECT_EQ(read_scene_file(folder / "odd.json")->files, scene.files);
}

TEST(SceneText, NeedsNoScenesAndNoRecordings) {
    for (const char* name : {"x.bvrec", "/etc/passwd", "a.png"}) {
        SceneFile scene = a_scene();
        scene.files = {"good.obj", name};
        const auto refused = parse_scene_file(scene_file_text(scene), "x.json");
        ASSERT_FALSE(refused) << name;
        EXPECT_NE(refused.error().what.find("files[1]"), std::string::npos) << refused.error().what;
    }
}

TEST(FileKinds, PathsAreRelativeToTheFileThatNamesThem) {
    EXPECT_EQ(path_in_file("/a/b/scene.json", "/a/b/mesh.obj"), "mesh.obj");
    EXPECT_EQ(path_in_file("/a/b/scene.json", "/a/b/c/mesh.obj"), "c/mesh.obj");
    EXPECT_EQ(path_in_file("/a/b/scene.json", "/a/mesh.obj"), "/a/mesh.obj");
    EXPECT_EQ(path_from_file("/a/b/scene.json", "mesh.obj"), "/a/b/mesh.obj");
    EXPECT_EQ(path_from_file("/a/b/scene.json", "../mesh.obj"), "/a/mesh.obj");
    EXPECT_EQ(path_from_file("/a/b/scene.json", "/c/mesh.obj"), "/c/mesh.obj");
    EXPECT_EQ(path_from_file("scene.json", "mesh.obj"), "mesh.obj");
    EXPECT_TRUE(is_same_place("a/../mesh.obj", "./mesh.obj"));
    EXPECT_FALSE(is_same_place("a.obj", "b.obj"));
}

TEST(FileKinds, ALinkBeforeDotsLeadsToTheFolderAroundItsTarget) {
    const TestFolder folder;
    std::filesystem::create_directories(folder / "here");
    std::filesystem::create_directories(folder / "real/inner/deep");
    std::filesystem::create_symlink("../real/inner", folder / "here/link");
    const std::string real = std::filesystem::canonical(folder / "real").string();
    const std::filesystem::path scene = folder / "here/scene.json";
    EXPECT_EQ(path_in_file(scene, (folder / "here/link/../b.txt").string()), real + "/b.txt");
    EXPECT_EQ(path_in_file(scene, (folder / "here/link/deep/../../b.txt").string()), real + "/b.txt");
    EXPECT_EQ(path_in_file(scene, (folder / "here/link/deep/../b.txt").string()), "link/b.txt");
    EXPECT_EQ(path_in_file(folder / "here/link/../scene.json", real + "/b.txt"), "b.txt");
    EXPECT_EQ(path_from_file(scene, "link/../b.txt"), real + "/b.txt");
    EXPECT_EQ(path_from_file(scene, "link/b.txt"), (folder / "here/link/b.txt").string());
    EXPECT_FALSE(is_same_place(folder / "here/link/../b.txt", folder / "here/b.txt"));
    EXPECT_TRUE(is_same_place(folder / "here/link/../b.txt", real + "/b.txt"));
    for (const char* path : {"/..", "/../a/./b", "../../a/..", "a/b/../..", "", ".", "a//b/", "./../a"}) {
        std::filesystem::path lexical = std::filesystem::path(path).lexically_normal();
        if (lexical.has_relative_path() && !lexical.has_filename()) lexical = lexical.parent_path();
        EXPECT_EQ(normal_path(path), lexical.empty() ? "." : lexical) << path;
    }
}

TEST(Preferences, WhateverStandsThereIsKeptAsideAndSaid) {
    const TestFolder folder;
    const auto aside = [&](const std::filesystem::path& path) {
        const SettingsRead read = read_settings_file(path);
        EXPECT_TRUE(read.problem) << path;
        EXPECT_TRUE(read.values.empty());
        EXPECT_FALSE(read.kept_as.empty()) << path;
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(read.kept_as)));
        EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path))) << path;
    };
    const std::string deep(100'000, '[');
    for (const std::string& text :
         {std::string("{\"sim.speed\":1e999}"), std::string("{\"a\":[1]}"), std::string("[]"),
          std::string("null"), std::string(""), std::string("\0", 1), std::string("{\"a\":1,\"a\":2}"),
          std::string("{\"a\":\"\xff\"}"), deep, std::string(2 << 20, ' '),
          "{\"" + std::string(5000, 'n') + "\":1}", std::string("{\"a\":{}}"), std::string("{\"a\":null}"),
          std::string("-"), std::string("1e999")})
        aside(folder.write("preferences.json", text));
    std::filesystem::create_directories(folder / "folder.json" / "inside");
    aside(folder / "folder.json");
    std::filesystem::create_symlink("loop.json", folder / "loop.json");
    aside(folder / "loop.json");
    std::filesystem::create_symlink("/dev/zero", folder / "device.json");
    aside(folder / "device.json");
    ASSERT_EQ(::mkfifo((folder / "pipe.json").c_str(), 0600), 0);
    aside(folder / "pipe.json");
    EXPECT_FALSE(read_settings_file(folder / "missing.json").problem);
}

TEST(Preferences, NoCopyThatWasKeptAsideIsReplaced) {
    const TestFolder folder;
    std::filesystem::create_symlink("nowhere", folder / "p.json.bad3");
    for (int i = 0; i < 15; ++i) {
        const SettingsRead read = read_settings_file(folder.write("p.json", "broken " + std::to_string(i)));
        ASSERT_TRUE(read.problem);
        EXPECT_EQ(bytes_of(read.kept_as), "broken " + std::to_string(i));
    }
    EXPECT_EQ(folder.file_count(), 16u);
    EXPECT_EQ(bytes_of(folder / "p.json.bad"), "broken 0");
    EXPECT_EQ(bytes_of(folder / "p.json.bad16"), "broken 14");
    for (int i = 17; i <= 999; ++i)
        folder.write("p.json.bad" + std::to_string(i), "mine");
    const SettingsRead full = read_settings_file(folder.write("p.json", "broken"));
    EXPECT_TRUE(full.kept_as.empty());
    EXPECT_NE(full.problem->text().find("remove it by hand"), std::string::npos) << full.problem->text();
    EXPECT_EQ(bytes_of(folder / "p.json"), "broken");
}

TEST(Utf16, IsNamedByEveryReaderOfText) {
    const std::string text("\xff\xfe{\0}\0", 6), swapped("\xfe\xff\0{\0}", 6);
    for (const std::string& bytes : {text, swapped}) {
        const FileError errors[] = {
            parse_scene_file(bytes, "x").error(),   parse_tree_json(bytes, "x").error(),
            parse_settings(bytes, "x").error(),     parse_recording(bytes, "x").error(),
            capture_from_lines(bytes, "x").error(), parse_box_list(bytes, "x").error()};
        for (const FileError& error : errors)
            EXPECT_EQ(error.what, "is UTF-16 text; only UTF-8 is read") << error.text();
        EXPECT_EQ(errors[0].advice, "Save it as UTF-8");
        EXPECT_EQ(errors[1].advice, "Save it as UTF-8");
    }
}

TEST(AtomicFile, NamesOfAnyLengthThatTheDiskAllowsCanBeWritten) {
    const TestFolder folder;
    const std::string longest(255, 'n');
    ASSERT_FALSE(write_file_atomically(folder / longest, "bytes"));
    EXPECT_EQ(bytes_of(folder / longest), "bytes");
    const auto refused = write_file_atomically(folder / (longest + "n"), "bytes");
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->text().find("shorter name"), std::string::npos) << refused->text();
    EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFile, WhatAKilledRunLeftBehindIsRemovedAndNothingElse) {
    const TestFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        // As if it were killed while it writes: the limit on the size of files ends it.
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::signal(SIGXFSZ, SIG_DFL);
        (void)write_file_atomically(folder / "big.txt", std::string(5000, 'x'));
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    ASSERT_EQ(folder.file_count(), 1u) << "the temporary file";
    folder.write(".bvlab-notes", "mine");
    folder.write("x.tmp", "mine");
    ASSERT_FALSE(write_file_atomically(folder / "next.txt", "x"));
    EXPECT_EQ(folder.file_count(), 3u);
    EXPECT_EQ(bytes_of(folder / ".bvlab-notes"), "mine");
}

TEST(AtomicFile, APipeThatNobodyReadsIsRefusedAndNotWaitedFor) {
    const TestFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    const auto refused = write_file_atomically(folder / "pipe", "x");
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->text().find("no program reads"), std::string::npos);
}

TEST(AtomicFile, APipeWhoseReaderDoesNotReadIsGivenUp) {
    const TestFolder folder;
    const std::filesystem::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    const std::string bytes(1'000'000, 'x');  // more than a pipe holds
    const auto refused = write_file_atomically(pipe, bytes);
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->text().find("its reader does not read"), std::string::npos) << refused->text();

    std::size_t received = 0;
    std::string part(10'000, ' ');
    while (::read(reader, part.data(), part.size()) > 0) {
    }
    std::thread slow([&] {
        for (int round = 0; round < 20'000 && received < bytes.size(); ++round) {
            ::usleep(1'000);
            const ssize_t got = ::read(reader, part.data(), part.size());
            if (got > 0) received += static_cast<std::size_t>(got);
        }
    });
    EXPECT_FALSE(write_file_atomically(pipe, bytes)) << "a slow reader gets everything";
    slow.join();
    EXPECT_EQ(received, bytes.size());
    ::close(reader);
}

TEST(AtomicFile, ALinkToNothingIsFollowedAndALoopRefused) {
    const TestFolder folder;
    std::filesystem::create_directory(folder / "sub");
    std::filesystem::create_symlink("sub/second", folder / "first");
    std::filesystem::create_symlink("../new.txt", folder / "sub/second");
    EXPECT_TRUE(is_same_file(folder / "first", folder / "new.txt")) << "before there is one";
    ASSERT_FALSE(write_file_atomically(folder / "first", "bytes"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "first"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "sub/second"));
    EXPECT_EQ(bytes_of(folder / "new.txt"), "bytes");

    std::filesystem::create_symlink("b", folder / "a");
    std::filesystem::create_symlink("a", folder / "b");
    const auto loop = write_file_atomically(folder / "a", "bytes");
    ASSERT_TRUE(loop);
    EXPECT_NE(loop->text().find("form a loop"), std::string::npos) << loop->text();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "a"));

    std::filesystem::create_symlink("gone/file", folder / "lost");
    const auto lost = write_file_atomically(folder / "lost", "bytes");
    ASSERT_TRUE(lost);
    EXPECT_NE(lost->text().find("gone/file, whose folder does not exist"), std::string::npos) << lost->text();
}

TEST(AtomicFile, TellsWhichNamesLeadToOneFile) {
    const TestFolder folder;
    folder.write("a", "x");
    std::filesystem::create_symlink("a", folder / "link");
    std::filesystem::create_hard_link(folder / "a", folder / "hard");
    EXPECT_TRUE(is_same_file(folder / "a", folder / "link"));
    EXPECT_TRUE(is_same_file(folder / "a", folder / "hard"));
    EXPECT_TRUE(is_same_file(folder / "new", folder.path() / "." / "new"));
    EXPECT_FALSE(is_same_file(folder / "a", folder / "new"));
    EXPECT_FALSE(is_same_file("/dev/null", "/dev/null")) << "may be written twice";
}

bv::TreeSnapshot three_nodes() {
    bv::TreeSnapshot t;
    t.boxes = {{{0, 0, 0}, {4, 4, 4}}, {{0, 0, 0}, {1, 1, 1}}, {{2, 2, 2}, {4, 4, 4}}};
    t.parents = {bv::TreeSnapshot::kNone, 0, 0};
    t.first_child = {1, bv::TreeSnapshot::kNone, bv::TreeSnapshot::kNone};
    t.child_count = {2, 0, 0};
    t.depths = {0, 1, 1};
    t.source_nodes = {0, 1, 2};
    t.first_payload = {0, 0, 1};
    t.payload_count = {0, 1, 1};
    t.payloads = {7, 8};
    t.payload_boxes = {t.boxes[1], t.boxes[2]};
    return t;
}

TEST(TreeFile, PayloadsOfInnerNodesSharedOnesAndThoseOutsideAreRefusedWithAPlace) {
    const TestFolder folder;
    const auto refused = [&](const bv::TreeSnapshot& tree, const std::string& what, std::uint32_t wrong) {
        const std::vector<std::uint8_t> bytes = bv::snapshot_to_bytes(tree);
        const auto path =
            folder.write("x.bvtree", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        const auto read = read_tree_file(path);
        ASSERT_FALSE(read) << what;
        EXPECT_NE(read.error().what.find(what), std::string::npos) << read.error().what;
        ASSERT_TRUE(read.error().where.starts_with("byte ")) << read.error().where;
        // The byte is where the wrong value stands.
        const std::size_t at = std::stoul(read.error().where.substr(5));
        ASSERT_LE(at + 4, bytes.size());
        std::uint32_t value = 0;
        std::memcpy(&value, &bytes[at], sizeof value);
        EXPECT_EQ(value, wrong) << what;
    };
    bv::TreeSnapshot t = three_nodes();
    t.payload_count[0] = 2;
    refused(t, "inner node, node 0", 2);
    t = three_nodes();
    t.payload_count[1] = 2;
    refused(t, "another node, too, node 2", 1);
    t = three_nodes();
    t.first_payload[2] = 0xfffffff0u;
    refused(t, "out of range, node 2", 0xfffffff0u);
    t = three_nodes();
    t.depths[2] = 9;
    refused(t, "wrong depth, node 2", 9);
    t = three_nodes();
    t.first_child[0] = 2;
    refused(t, "children out of range, node 0", 2);
    t = three_nodes();
    t.parents[1] = 77;
    refused(t, "child of another node, node 1", 77);
    t = three_nodes();
    t.payload_boxes[1].min.x = std::numeric_limits<float>::infinity();
    refused(t, "payload 1", 0x7f800000u);
    t = three_nodes();
    t.obbs.resize(3);
    t.obbs[1].center.x = -std::numeric_limits<float>::infinity();
    refused(t, "OBB not finite, node 1", 0xff800000u);
}

TEST(TreeFile, ATreeWhoseBoxesAreWrongIsReadAndItsNodesAreNamed) {
    const TestFolder folder;
    bv::TreeSnapshot t = three_nodes();
    t.boxes[2].max = {5, 4.5f, 4};
    t.payload_boxes[0].min = {-2, 0, 0};
    EXPECT_TRUE(bv::check_snapshot(t));
    ASSERT_FALSE(write_tree_file(folder / "x.bvtree", t));
    const auto read = read_tree_file(folder / "x.bvtree");
    ASSERT_TRUE(read) << read.error().text();
    const bv::LooseNodes loose = bv::loose_nodes(*read, 10);
    ASSERT_EQ(loose.count, 2u);
    EXPECT_EQ(loose.first[0], (bv::LooseNode{0, 2, 0, 1.0f}));
    EXPECT_EQ(loose.first[1], (bv::LooseNode{1, bv::TreeSnapshot::kNone, 7, 2.0f}));
    EXPECT_EQ(bv::loose_nodes(*read, 1).first.size(), 1u);
    EXPECT_EQ(bv::loose_nodes(three_nodes(), 10).count, 0u);
}

TEST(TreeFile, NodesWithVeryManyChildrenAreMeasuredWithoutLookingAtAllPairs) {
    const TestFolder folder;
    bv::TreeSnapshot t;
    constexpr std::uint32_t kChildren = 1'000'000;
    for (std::uint32_t i = 0; i <= kChildren; ++i) {
        t.boxes.push_back({{0, 0, 0}, {1, 1, 1}});
        t.parents.push_back(i == 0 ? bv::TreeSnapshot::kNone : 0);
        t.first_child.push_back(i == 0 ? 1 : bv::TreeSnapshot::kNone);
        t.child_count.push_back(i == 0 ? kChildren : 0);
        t.depths.push_back(i == 0 ? 0 : 1);
        t.source_nodes.push_back(i);
        t.first_payload.push_back(0);
        t.payload_count.push_back(0);
    }
    ASSERT_FALSE(write_tree_file(folder / "x.bvtree", t));
    const auto read = read_tree_file(folder / "x.bvtree");
    ASSERT_TRUE(read) << read.error().what;
    const bv::TreeMetrics m = bv::measure(*read);
    EXPECT_DOUBLE_EQ(m.sibling_overlap, 0.5 * kChildren * (kChildren - 1.0)) << "all are equal";
    EXPECT_DOUBLE_EQ(m.dead_space, 0.0);
}

}  // namespace
}  // namespace lab::io
