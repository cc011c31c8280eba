// The real program: lists, refusals with their exit status, reports, pictures. Nothing here needs a display.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <regex>

#include "bv/fit/catalog.hpp"
#include "program.hpp"

namespace lab::test {
namespace {

const char* const kCube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";

void expect_refused(const std::string& arguments, int status, const std::string& says) {
    const TempDir folder;
    const Finished run = run_bvlab(folder, arguments);
    EXPECT_EQ(run.status, status) << arguments << "\n" << run.err;
    EXPECT_NE(run.err.find(says), std::string::npos) << arguments << "\n" << run.err;
    EXPECT_EQ(run.err.find("terminate"), std::string::npos) << run.err;
}

/// The report without what differs from run to run: everything in milliseconds.
std::string without_times(const std::string& report) {
    static const std::regex kTimes(R"re("(timings_ms": \{[^}]*\}|(fit|build)_ms": [-+.e0-9]+))re");
    return std::regex_replace(report, kTimes, "");
}

TEST(CommandLine, ListsPrintOneRowEachWithTheIdFirst) {
    const TempDir folder;
    const Finished scenes = run_bvlab(folder, "--list-scenes");
    EXPECT_EQ(scenes.status, 0);
    EXPECT_EQ(scenes.out.rfind("welcome ", 0), 0u) << scenes.out;
    EXPECT_NE(scenes.out.find("\nmesh "), std::string::npos);
    EXPECT_NE(run_bvlab(folder, "--list-settings").out.find("\ndraw.obb "), std::string::npos);
    EXPECT_NE(run_bvlab(folder, "--list-commands").out.find("\nspawn "), std::string::npos);
    const Finished help = run_bvlab(folder, "--help");
    EXPECT_EQ(help.status, 0);
    for (const char* option : {"--scene", "--set", "--run", "--script", "--headless", "--size", "--frames",
                               "--seed", "--ui", "--screenshot", "--report", "--list-scenes", "--version"})
        EXPECT_NE(help.out.find(option), std::string::npos) << option;
    EXPECT_EQ(run_bvlab(folder, "--version").out.rfind("bvlab ", 0), 0u);
}

TEST(CommandLine, EveryOptionSaysWhatItTakes) {
    const TempDir folder;
    std::istringstream lines(run_bvlab(folder, "--list-options").out);
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);) {
        found.push_back(line.substr(0, line.find("  ")));
        EXPECT_GT(line.size(), 40u) << "no words about " << found.back();
    }
    EXPECT_EQ(found, (std::vector<std::string>{"-h,--help",          "FILE",
                                               "--scene ID",         "--list-scenes",
                                               "--lesson ID",        "--list-lessons",
                                               "--set NAME=VALUE",   "--list-settings",
                                               "--run COMMANDS",     "--script FILE",
                                               "--list-commands",    "--headless",
                                               "--size WxH",         "--frames N",
                                               "--seed N",           "--threads N",
                                               "--ui on|off",        "--screenshot FILE.png",
                                               "--report FILE.json", "--diagnose FILE.bvcap",
                                               "--list-options",     "--listen [PORT]",
                                               "--version"}));
    for (const char* refused :
         {"--frames 0", "--frames 100000001", "--frames -1", "--seed -1", "--seed 2147483648", "--threads 0",
          "--threads 65", "--ui maybe", "--size", "--seed", "--ui", "--set", "--run", "--script",
          "--screenshot", "--report", "--diagnose", "--scene", "--lesson"}) {
        const Finished run = run_bvlab(folder, std::string("--headless ") + refused);
        EXPECT_EQ(run.status, 2) << refused << ": " << run.err;
    }
}

TEST(CommandLine, ListensWithAndWithoutAPort) {
    const TempDir folder;
    write_text(folder / "cube.obj", kCube);
    // A port of its own choice, since two runs may stand beside each other.
    const Finished any = run_bvlab(folder, "--headless --frames 1 --listen 0");
    EXPECT_EQ(any.status, 0) << any.err;
    EXPECT_NE(any.err.find("Listening on 127.0.0.1:"), std::string::npos) << any.err;
    const Finished last = run_bvlab(folder, "--headless --frames 1 --listen");
    EXPECT_NE(last.status, 2) << last.err;
    EXPECT_NE(last.err.find("7333"), std::string::npos) << last.err;
    const Finished file = run_bvlab(folder, "--headless --frames 1 --listen cube.obj");
    EXPECT_NE(file.err.find("7333"), std::string::npos) << file.err;
    EXPECT_NE(file.err.find("cube.obj: 12 triangles"), std::string::npos) << file.err;
}

TEST(CommandLine, WrongArgumentsEndWithTwoAndSayWhatIsRight) {
    expect_refused("--headles", 2, "did you mean '--headless'");
    expect_refused("--headless --frames ten", 2, "--frames");
    for (const char* port : {"99999", "abc", "-1", "missing.obj"})
        expect_refused(std::string("--headless --frames 1 --listen ") + port, 2,
                       "neither PORT nor ADDRESS:PORT");
    expect_refused("--headless --frames 0", 2, "--frames");
    expect_refused("--headless --frames", 2, "--frames");
    expect_refused("--headless --scene welcom", 2, "did you mean 'welcome'");
    expect_refused("--headless --size 0x10", 2, "WIDTHxHEIGHT");
    expect_refused("--headless --size 10", 2, "1280x720");
    expect_refused("--headless --size 1280x720x3", 2, "1280x720");
    expect_refused("--headless --set draw.obbb=1", 2, "did you mean 'draw.obb'");
    expect_refused("--headless --set draw.obb", 2, "NAME=VALUE");
    expect_refused("--headless --set sim.speed=fast", 2, "a number from 0 to 10");
    expect_refused("--headless --run 'spwan 3'", 2, "did you mean 'spawn'");
    expect_refused("--headless --run 'pick 3'", 2, "pick X Y");
    expect_refused("--headless --ui maybe", 2, "--ui");
    expect_refused("--headless --seed -1", 2, "--seed");
    expect_refused("--headless --size ''", 2, "1280x720");
    for (const char* option : {"--screenshot", "--report", "--script", "--diagnose"}) {
        const std::string message = std::string(option) + ": the name of a file is missing";
        expect_refused(std::string("--headless ") + option + " ''", 2, message);
        expect_refused(std::string("--headless ") + option + "=", 2, option);
    }
    expect_refused("--headless ''", 2, "FILE: the name of a file is missing");
    expect_refused("--headless --run 'clip \"\" 2'", 1, "the name of a folder is missing");
}

TEST(CommandLine, AScriptIsCheckedLineByLineBeforeAnythingRuns) {
    const TempDir folder;
    write_text(folder / "good.txt", "# comment\nspawn 3 torus; pause\n\nset draw.obb=off\n");
    const Finished good = run_bvlab(folder, "--headless --script good.txt --report r.json");
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_NE(read_text(folder / "r.json").find("\"bodies\": 43"), std::string::npos);
    write_text(folder / "bad.txt", "spawn 3\n\nspwan 3\n");
    const Finished bad = run_bvlab(folder, "--headless --script bad.txt");
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.err.find("bad.txt:3: "), std::string::npos) << bad.err;
    EXPECT_EQ(run_bvlab(folder, "--headless --script missing.txt").status, 4);
    // From other editors: with a byte order mark, and with other line ends.
    for (const char* text : {"\xef\xbb\xbfspawn 3\nspawn 2 torus\n", "spawn 3\rspawn 2 torus\r",
                             "spawn 3\r\nspawn 2 torus\r\n"}) {
        write_text(folder / "other.txt", text);
        const Finished other = run_bvlab(folder, "--headless --script other.txt --report r.json");
        EXPECT_EQ(other.status, 0) << other.err;
        EXPECT_NE(read_text(folder / "r.json").find("\"bodies\": 45"), std::string::npos) << text;
    }
}

TEST(CommandLine, SizesSeedsAndLessonsThatDoNotExistAreRefusedBeforeAnythingRuns) {
    for (const char* size : {"4294967297x1", "1x4294967297", "99999999999999999999x1", "16385x1", "-1x5",
                             "+5x5", "5x5x", "5X5", " 5x5", "5x", "x5", "0x0"})
        expect_refused(std::string("--headless --size '") + size + "'", 2, "WIDTHxHEIGHT");
    expect_refused("--headless --lesson nope", 2, "nope");
    expect_refused("--headless --run 'lesson nope'", 2, "nope");
    const TempDir folder;
    write_text(folder / "s.txt", "pause on\nlesson nope\n");
    const Finished script = run_bvlab(folder, "--headless --script s.txt");
    EXPECT_EQ(script.status, 2);
    EXPECT_NE(script.err.find("s.txt:2: "), std::string::npos) << script.err;
}

TEST(CommandLine, NothingIsWrittenOverWhatTheSameRunNeeds) {
    const TempDir folder;
    write_text(folder / "x", "mine");
    // Each end of a name says what is written: what cannot be is refused before anything runs.
    for (const char* options : {"--screenshot x", "--report x", "--screenshot x.json", "--report x.png"}) {
        const Finished wrong = run_bvlab(folder, std::string("--headless ") + options);
        EXPECT_EQ(wrong.status, 2) << options;
        EXPECT_NE(wrong.err.find(options[2] == 's' ? ".png" : ".json"), std::string::npos) << wrong.err;
    }
    EXPECT_EQ(read_text(folder / "x"), "mine");
    write_text(folder / "a.json", "mine");
    EXPECT_EQ(run_bvlab(folder, "--headless a.json --report ./a.json").status, 2);
    EXPECT_EQ(read_text(folder / "a.json"), "mine");
    write_text(folder / "a.obj", kCube);
    EXPECT_EQ(run_bvlab(folder, "--headless a.obj --report a.obj").status, 2);
    EXPECT_EQ(read_text(folder / "a.obj"), kCube);
    const Finished commands = run_bvlab(folder, "--headless --run 'save z.json; report z.json'");
    EXPECT_EQ(commands.status, 4) << commands.err;
    EXPECT_NE(read_text(folder / "z.json").find("bounding volume lab scene"), std::string::npos);
    EXPECT_EQ(run_bvlab(folder, "--headless --report /dev/null --run 'report /dev/null'").status, 0);
}

TEST(CommandLine, ASavedSessionKeepsItsSeed) {
    const TempDir folder;
    ASSERT_EQ(run_bvlab(folder,
                        "--headless --seed 3 --scene welcome --frames 4 --run 'pause on; save s.json; "
                        "record.save s.bvrec' --report a.json")
                  .status,
              0);
    for (const std::string file : {"s.json", "s.bvrec"}) {
        const Finished run = run_bvlab(folder, "--headless --seed 7 " + file + " --frames 2 --report b.json");
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.err.find("--seed has no effect: '" + file + "' has a seed of its own"),
                  std::string::npos)
            << run.err;
        EXPECT_EQ(run.err.find("discarded"), std::string::npos) << run.err;
        EXPECT_NE(read_text(folder / "b.json").find("\"seed\": 3,"), std::string::npos) << file;
    }
    const Finished own =
        run_bvlab(folder, "--headless '#scene=gjk&seed=4' --seed 7 --frames 2 --report c.json");
    EXPECT_NE(own.err.find("--seed has no effect: the link has a seed of its own"), std::string::npos)
        << own.err;
    EXPECT_NE(read_text(folder / "c.json").find("\"seed\": 4,"), std::string::npos);
    const Finished given = run_bvlab(
        folder, "--headless '#scene=gjk' --seed 7 --set gjk.preset=overlapping --frames 2 --report d.json");
    EXPECT_EQ(given.err.find("--seed"), std::string::npos) << given.err;
    EXPECT_NE(read_text(folder / "d.json").find("\"seed\": 7,"), std::string::npos);
    EXPECT_NE(read_text(folder / "d.json").find("They overlap"), std::string::npos)
        << "--set holds for links, too";
    const Finished other = run_bvlab(folder, "--headless s.json --scene gjk --frames 2");
    EXPECT_EQ(other.status, 0);
    EXPECT_NE(other.err.find("--scene gjk starts after 's.json'"), std::string::npos) << other.err;
    const Finished lesson = run_bvlab(folder, "--headless s.bvrec --lesson ray-box --frames 2");
    EXPECT_EQ(lesson.status, 0);
    EXPECT_NE(lesson.err.find("lesson ray-box starts after 's.bvrec'"), std::string::npos) << lesson.err;
}

TEST(CommandLine, OutputsOfARunDoNotReplaceEachOther) {
    const TempDir folder;
    const auto refused = [&](const std::string& arguments, const std::string& kind) {
        const Finished run = run_bvlab(folder, "--headless --scene aabb-tree --size 64x48 " + arguments);
        EXPECT_EQ(run.status, 4) << arguments << "\n" << run.err;
        EXPECT_NE(run.err.find("has already written " + kind + " there"), std::string::npos) << run.err;
    };
    refused("--run 'step 50; export.tree x.json; export.metrics x.json' --frames 2", "an exported tree");
    EXPECT_NE(read_text(folder / "x.json").find("\"nodes\""), std::string::npos);
    refused("--run 'step 50; save.boxes x.csv; export.metrics x.csv' --frames 2", "a list of boxes");
    std::filesystem::create_directory(folder / "out");
    refused("--frames 3 --run 'clip out 3' --screenshot out/frame-00002.png", "a picture of a clip");
    refused("--frames 3 --run 'screenshot out/frame-00002.png; clip out 3'", "a picture");
    const Finished twice =
        run_bvlab(folder, "--headless --scene aabb-tree --run 'save.boxes y.csv; save.boxes y.csv'");
    EXPECT_EQ(twice.status, 0) << twice.err;
}

TEST(CommandLine, AnOutputThatCouldNotBeWrittenDoesNotHoldItsName) {
    const TempDir folder;
    const auto errors_of = [&](const std::string& commands) {
        const Finished run = run_bvlab(folder, "--headless --run '" + commands + "'");
        EXPECT_EQ(run.status, 4) << run.err;
        EXPECT_EQ(run.err.find("already written"), std::string::npos) << run.err;
        return run.err;
    };
    const std::string full = errors_of("save /dev/full; report /dev/full; record.save /dev/full");
    EXPECT_NE(full.find("space", full.find("space") + 1), std::string::npos) << full;
    errors_of("save no/such/x.json; report no/such/x.json");
    const Finished device =
        run_bvlab(folder, "--headless --run 'save /dev/null; report /dev/null; record.save /dev/null'");
    EXPECT_EQ(device.status, 0) << device.err;
}

TEST(CommandLine, ARunGoesOnForWhatWaitsForTheNextFrame) {
    const TempDir folder;
    const auto report_of = [&](const std::string& arguments) {
        const Finished run = run_bvlab(folder, "--headless " + arguments + " --report r.json");
        EXPECT_EQ(run.status, 0) << arguments << "\n" << run.err;
        return read_text(folder / "r.json");
    };
    EXPECT_NE(report_of("--run 'link \"#run=spawn%203\"'").find("\"bodies\": 43"), std::string::npos);
    EXPECT_NE(report_of("--scene gjk --run 'step 6000; step 6000'").find("\"steps\": 12000"),
              std::string::npos);
    EXPECT_NE(report_of("--scene capture --run 'film.step 3'"), "");
    expect_refused("--headless --run 'film.step 3'", 1, "`scene capture` plays those");
}

TEST(CommandLine, OutputsIntoAMissingFolderAreRefusedAndCreateNone) {
    const TempDir folder;
    for (const char* output : {"--screenshot no/such/x.png", "--report no/such/x.json"}) {
        const Finished early = run_bvlab(folder, std::string("--headless ") + output);
        EXPECT_EQ(early.status, 4) << output;
        EXPECT_NE(early.err.find("its folder does not exist. Create the folder"), std::string::npos)
            << early.err;
    }
    for (const char* command : {"screenshot no/x.png", "report no/x.json", "save no/x.json"}) {
        const Finished late = run_bvlab(folder, std::string("--headless --run '") + command + "'");
        EXPECT_EQ(late.status, 4) << command;
        EXPECT_NE(late.err.find("its folder does not exist"), std::string::npos) << late.err;
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "no"));
    EXPECT_EQ(run_bvlab(folder, "--headless --size 64x48 --run 'clip new/clip 1'").status, 0);
    EXPECT_TRUE(std::filesystem::exists(folder / "new/clip/frame-00001.png"))
        << "a clip is a folder of its own";
    const auto failed = run_bvlab(folder,
                                  "--headless --size 64x48 --frames 4 --run 'clip /proc/clip 3' "
                                  "--report after.json --screenshot after.png");
    EXPECT_EQ(failed.status, 4);
    EXPECT_TRUE(std::filesystem::exists(folder / "after.json")) << "a failed clip took the report along";
    EXPECT_TRUE(std::filesystem::exists(folder / "after.png"));
}

TEST(CommandLine, APictureTooLargeForMemoryIsRefusedBeforeAnythingRuns) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer needs more address space than the limit";
#endif
    const TempDir folder;
    const Finished run = run_shell(folder,
                                   "ulimit -v 4000000; exec \"$BVLAB\" --headless --size 16384x16384 "
                                   "--frames 100000000 --screenshot x.png");
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_NE(run.err.find("16384x16384"), std::string::npos) << run.err;
}

TEST(CommandLine, BrokenStandardStreamsNeitherEndNorFreezeTheProgram) {
    const TempDir folder;
    // Lists were asked for: where they cannot be written that is a failure, and no crash.
    EXPECT_EQ(run_shell(folder, "\"$BVLAB\" --list-settings >&-").status, 4);
    EXPECT_EQ(run_shell(folder, "\"$BVLAB\" --help >/dev/full").status, 4);
    EXPECT_EQ(run_shell(folder, "\"$BVLAB\" --list-commands >/dev/full 2>&-").status, 4);
    const Finished gone =
        run_shell(folder, "{ sleep 1; \"$BVLAB\" --list-settings; echo $? >status; } | true; cat status");
    EXPECT_EQ(gone.out, "4\n") << "the reader is gone";
    // Messages are not what was asked for.
    for (const char* err : {"2>&-", "2>/dev/full", "2>/dev/full >/dev/full", "<&- >&- 2>&-"}) {
        const Finished run = run_shell(
            folder, std::string("\"$BVLAB\" --headless --run 'save s.json' --report r.json ") + err);
        EXPECT_EQ(run.status, 0) << err;
        EXPECT_EQ(read_text(folder / "r.json").rfind("{", 0), 0u) << "no message went into the file: " << err;
        EXPECT_EQ(read_text(folder / "s.json").rfind("{", 0), 0u) << err;
        EXPECT_EQ(run_shell(folder, std::string("\"$BVLAB\" --headless missing.obj ") + err).status, 4)
            << err;
        EXPECT_EQ(run_shell(folder, std::string("\"$BVLAB\" --nonsense ") + err).status, 2) << err;
        std::filesystem::remove(folder / "r.json");
        std::filesystem::remove(folder / "s.json");
    }
    // A reader that has stopped reading: many messages go nowhere, and the program ends all the same.
    std::string lines;
    for (int i = 0; i < 3000; ++i)
        lines += "select 9999999\npause on\n";
    write_text(folder / "many.txt", lines);
    const Finished stuck =
        run_shell(folder,
                  "mkfifo pipe; sleep 30 <pipe & exec 9>pipe; \"$BVLAB\" --headless --script many.txt "
                  "--frames 3 --report r.json 2>&9; echo $? >status; kill %1; cat status");
    EXPECT_EQ(stuck.out, "1\n") << stuck.err;
}

TEST(CommandLine, WhatAFileSaysCannotSteerTheTerminal) {
    const TempDir folder;
    write_text(folder / "evil\x1b[2J.txt", "0 0 0 1 1 \x1b]0;title\x07\n");
    write_text(folder / "evil.bvrec", "bvrec 1\nscene \x1b[2Jx\n\x1b[31mword\n");
    write_text(folder / "evil.json",
               "{\"format\":\"bounding volume lab scene\",\"\\u001b[2J\":1,\"version\":1}");
    for (const char* arguments : {"'evil\x1b[2J.txt'", "evil.bvrec", "evil.json", "--run 'spawn 1 \x1b[2J'",
                                  "--set 'draw.\x1b[2J=1'", "'missing\x1b[2J.obj'", "--scene '\x1b[2J'",
                                  "--bad\x1b[2J", "'missing\nbvlab: error: forged.obj'"}) {
        const Finished run = run_bvlab(folder, std::string("--headless ") + arguments);
        EXPECT_NE(run.status, 0) << arguments;
        EXPECT_EQ(run.err.find('\x1b'), std::string::npos) << run.err;
        EXPECT_EQ(run.err.find("\nbvlab: error: forged"), std::string::npos) << run.err;
        EXPECT_FALSE(run.err.empty());
    }
}

TEST(CommandLine, PipesDevicesFoldersAndLoopsAreRefusedAndNotWaitedFor) {
    const TempDir folder;
    for (const char* extension : {"obj", "ply", "txt", "json", "bvrec", "bvtree", "vox", "glb"}) {
        const std::string e = extension;
        const Finished run = run_shell(folder, "mkfifo p." + e + "; ln -s /dev/zero z." + e + "; mkdir d." +
                                                   e + "; ln -s l." + e + " l." + e + "; : >e." + e +
                                                   "\nfor f in p z d l e; do \"$BVLAB\" --headless $f." + e +
                                                   "; echo $?; done");
        EXPECT_EQ(run.out, "4\n4\n4\n4\n4\n") << e << "\n" << run.err;
    }
    EXPECT_EQ(run_shell(folder, "mkfifo script; \"$BVLAB\" --headless --script script").status, 4);
}

TEST(CommandLine, RefusedWhileRunningIsOne) {
    expect_refused("--headless --run 'select 9999'", 1, "there is no body 9999");
    expect_refused("--headless --run 'spawn 3 trous'", 1, "did you mean 'torus'");
    expect_refused("--headless '#lesson=ray-box&page=99'", 1, "this lesson has pages 1 to");
    expect_refused("--headless '#page=3'", 1, "no lesson is open");
    expect_refused("--headless --run lesson.next", 1, "`lesson.next`: no lesson is open");
    expect_refused("--headless --run lesson.show", 1, "no lesson is open");
    expect_refused("--headless --lesson ray-box --run 'lesson.page 99'", 1, "this lesson has pages 1 to");
}

TEST(CommandLine, DiagnosesACaptureInWords) {
    const TempDir folder;
    // Node 1 does not hold its child 3.
    write_text(
        folder / "bad.jsonl",
        "{\"capture\": 1, \"engine\": \"by hand\"}\n{\"frame\": 0}\n"
        "{\"create\": 7, \"tight\": [0,0,0,1,1,1]}\n{\"create\": 8, \"tight\": [2,0,0,3,1,1]}\n"
        "{\"tree\": \"t\", \"root\": 1, \"nodes\": [{\"id\": 1, \"box\": [0,0,0,2.5,1,1], \"children\": "
        "[2, 3]}, {\"id\": 2, \"box\": [0,0,0,1,1,1], \"payloads\": [7]}, {\"id\": 3, \"box\": "
        "[2,0,0,3,1,1], \"payloads\": [8]}]}\n");
    const Finished run = run_bvlab(folder, "--diagnose bad.jsonl");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("Broken invariants (since frame 0, node 1)"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("does not contain its child 3 by 0.5 m"), std::string::npos) << run.out;
    write_text(folder / "early.jsonl", "{\"capture\": 1, \"engine\": \"by hand\"}\n{\"frame\": 0}\n");
    const Finished both = run_bvlab(folder, "--diagnose early.jsonl bad.jsonl missing.bvcap");
    EXPECT_EQ(both.status, 4) << both.out;
    EXPECT_LT(both.out.find("early.jsonl:\n"), both.out.find("\nbad.jsonl:\n")) << both.out;
    EXPECT_NE(both.out.find("does not contain its child 3 by 0.5 m"), std::string::npos) << both.out;
    EXPECT_NE(both.err.find("missing.bvcap"), std::string::npos) << both.err;
    const Finished full = run_shell(folder, "\"$BVLAB\" --diagnose bad.jsonl bad.jsonl bad.jsonl >/dev/full");
    EXPECT_EQ(full.status, 4);
    EXPECT_EQ(full.err, "bvlab: cannot write to standard output\n") << "once: nobody reads the others";
    expect_refused("bad.jsonl --diagnose early.jsonl", 2, "leave out bad.jsonl");
    expect_refused("--diagnose bad.jsonl --report r.json", 2, "leave out --report");
    expect_refused("--diagnose missing.bvcap", 4, "missing.bvcap");
    expect_refused("--diagnose game.txt", 2, ".bvcap or .jsonl");
    write_text(folder / "no.bvcap", "a text");
    EXPECT_EQ(run_bvlab(folder, "--diagnose no.bvcap").status, 4);
    EXPECT_EQ(run_bvlab(folder, "--headless no.bvcap").status, 4);
    EXPECT_EQ(run_bvlab(folder, "--headless bad.jsonl").status, 0);
}

TEST(CommandLine, AScriptInUtf16IsNamed) {
    const TempDir folder;
    write_text(folder / "s.txt", std::string("\xff\xfes\0p\0a\0w\0n\0", 12));
    const Finished run = run_bvlab(folder, "--headless --script s.txt");
    EXPECT_EQ(run.status, 4);
    EXPECT_NE(run.err.find("s.txt: is UTF-16 text; only UTF-8 is read. Save it as UTF-8"), std::string::npos)
        << run.err;
}

TEST(CommandLine, ATriangleWithoutAreaIsOne) {
    const TempDir folder;
    write_text(folder / "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 2\n");
    const Finished run = run_bvlab(folder, "--headless a.obj");
    EXPECT_NE(run.err.find("1 triangle; 1 without area was left out"), std::string::npos) << run.err;
}

TEST(CommandLine, ACaptureWithoutAFrameThatCanBeReadIsAFileProblem) {
    const TempDir folder;
    const std::string_view head("\xbcH\1\0\7\0\0\0\3\0\0\0\0\0\0", 15),
        frame(
            "\xbc"
            "F\1\0\x9\0\0\0\0\0\0\0\0\0\0\0\0",
            17),
        state("\xbcS\1\0\2\0\0\0\1\0", 10),
        events(
            "\xbc"
            "E\1\0\1\0\0\0\x99",
            9),
        end("\xbcZ\1\0\x8\0\0\0\0\0\0\0\0\0\0\0", 16);
    std::string bytes("BVCAP\r\n\x1a");
    for (const std::string_view chunk : {head, frame, state, events, end})
        bytes += chunk;
    write_text(folder / "bad.bvcap", bytes);
    const Finished run = run_bvlab(folder, "--diagnose bad.bvcap");
    EXPECT_EQ(run.status, 4) << run.out << run.err;
    EXPECT_NE(run.out.find("no frame with a tree could be read"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("a record begins with 153"), std::string::npos) << run.out;
    EXPECT_EQ(run_bvlab(folder, "--headless bad.bvcap").status, 4);
}

TEST(CommandLine, UnreadableFilesEndWithFourAndAreNamed) {
    expect_refused("--headless missing.obj", 4, "missing.obj");
    expect_refused("--headless missing.txt", 4, "missing.txt");
    expect_refused("--headless picture.xyz", 4, "picture.xyz");
    expect_refused("--headless --report /proc/no/such/folder/r.json", 4, "r.json");
    const TempDir folder;
    write_text(folder / "bad.txt", "0 0 0 1 1 1\n0 0 0 1 1\n");
    const Finished boxes = run_bvlab(folder, "--headless bad.txt");
    EXPECT_EQ(boxes.status, 4);
    EXPECT_NE(boxes.err.find("bad.txt, line 2"), std::string::npos) << boxes.err;
    write_text(folder / "nan.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n");
    const Finished nan = run_bvlab(folder, "--headless nan.obj");
    EXPECT_EQ(nan.status, 4);
    EXPECT_NE(nan.err.find("nan.obj"), std::string::npos) << nan.err;
}

TEST(CommandLine, NoDisplayEndsWithThreeAndSaysWhatToDo) {
    expect_refused("", 3, "headless");
}

TEST(CommandLine, AnOpenedMeshIsMeasured) {
    const TempDir folder;
    write_text(folder / "my cube.obj", kCube);
    const Finished run = run_bvlab(folder, "--headless 'my cube.obj' --frames 1 --report m.json");
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string report = read_text(folder / "m.json");
    EXPECT_NE(report.find("\"scene\": \"mesh\""), std::string::npos);
    for (const char* kind : {"sphere", "aabb_fixed", "aabb_tight", "obb"})
        EXPECT_NE(report.find(std::string("\"kind\": \"") + kind + "\""), std::string::npos) << kind;
    EXPECT_NE(report.find("\"mesh\": \"my cube\""), std::string::npos) << report;
}

TEST(CommandLine, AFileWhoseNameLooksLikeALinkIsNamedAsAFile) {
    const TempDir folder;
    write_text(folder / "#a.obj", kCube);
    const Finished link = run_bvlab(folder, "--headless '#a.obj'");
    EXPECT_EQ(link.status, 2);
    EXPECT_NE(link.err.find("'./#a.obj'"), std::string::npos) << link.err;
    EXPECT_EQ(run_bvlab(folder, "--headless './#a.obj'").status, 0);
}

TEST(CommandLine, SeveralFilesAreOpenedTogether) {
    const TempDir folder;
    write_text(folder / "a.obj", kCube);
    write_text(folder / "b.obj", kCube);
    write_text(folder / "c.txt", "0 0 0 1 1 1\n2 0 0 3 1 1\n");
    ASSERT_EQ(run_bvlab(folder, "--headless a.obj b.obj --report m.json").status, 0);
    EXPECT_NE(read_text(folder / "m.json").find("\"bodies\": 2"), std::string::npos);
    ASSERT_EQ(run_bvlab(folder, "--headless a.obj c.txt --report b.json").status, 0);
    EXPECT_NE(read_text(folder / "b.json").find("\"leaves\": 2"), std::string::npos);
    ASSERT_EQ(run_bvlab(folder, "--headless a.obj --scene welcome --run 'spawn 2 a' --report w.json").status,
              0);
    EXPECT_NE(read_text(folder / "w.json").find("\"bodies\": 42"), std::string::npos);
}

TEST(CommandLine, TheSameRunGivesTheSameReport) {
    const TempDir folder;
    const std::string run =
        "--headless --scene welcome --frames 60 --seed 7 --set verify=true --run 'pick 600 300' ";
    const Finished first = run_bvlab(folder, run + "--report 1.json");
    ASSERT_EQ(first.status, 0) << first.err;
    ASSERT_EQ(run_bvlab(folder, run + "--report 2.json").status, 0);
    const std::string report = without_times(read_text(folder / "1.json"));
    EXPECT_EQ(report, without_times(read_text(folder / "2.json")));
    EXPECT_NE(report.find("\"passed\": true"), std::string::npos);
    EXPECT_NE(report.find("\"frame\": 60"), std::string::npos);
    EXPECT_NE(report.find("\"kind\": \"pick\""), std::string::npos);
    EXPECT_NE(report.find("\"id\": \"bodies\""), std::string::npos) << "the tree of bodies";
}

TEST(CommandLine, HeadlessRunsNeitherReadNorWritePreferences) {
    const TempDir folder;
    std::filesystem::create_directories(folder / "config/bvlab");
    write_text(folder / "config/bvlab/preferences.json", "{ damaged");
    ASSERT_EQ(run_bvlab(folder, "--headless --set ui.theme=light --report r.json").status, 0);
    EXPECT_EQ(read_text(folder / "config/bvlab/preferences.json"), "{ damaged");
}

TEST(CommandLine, TinyPicturesAreWrittenWithAndWithoutPanels) {
    const TempDir folder;
    for (const char* ui : {"off", "on"}) {
        const Finished run =
            run_bvlab(folder, std::string("--headless --size 5x3 --ui ") + ui + " --screenshot tiny.png");
        EXPECT_EQ(run.status, 0) << run.err;
    }
}

TEST(CommandLine, APictureIsWrittenFromAnywhere) {
    const TempDir folder;
    std::filesystem::create_directory(folder / "sub");
    const Finished run = run_bvlab(folder, "--headless --size 320x200 --frames 3 --screenshot sub/w.png");
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string png = read_text(folder / "sub/w.png");
    ASSERT_GT(png.size(), 1000u);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(png[i]); };
    EXPECT_EQ(byte(18) * 256 + byte(19), 320);
    EXPECT_EQ(byte(22) * 256 + byte(23), 200);
}

}  // namespace
/// A plank of 3 x 2 x 1, turned by `angle` about (1, 2, 3) and scaled.
std::string plank_obj(double angle, double scale) {
    const double n = std::sqrt(14.0), x = 1 / n, y = 2 / n, z = 3 / n, c = std::cos(angle),
                 s = std::sin(angle), t = 1 - c;
    const double m[3][3] = {{t * x * x + c, t * x * y - s * z, t * x * z + s * y},
                            {t * x * y + s * z, t * y * y + c, t * y * z - s * x},
                            {t * x * z - s * y, t * y * z + s * x, t * z * z + c}};
    std::ostringstream obj;
    for (int corner = 0; corner < 8; ++corner) {
        const double p[3] = {(corner & 1) ? 1.5 : -1.5, (corner & 2) ? 1.0 : -1.0, (corner & 4) ? 0.5 : -0.5};
        obj << "v";
        for (const auto& row : m)
            obj << ' ' << scale * (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
        obj << '\n';
    }
    obj << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    return obj.str();
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

TEST(CommandLine, SceneVolumesListsEveryFitOfTheUsersMeshTurnedAndScaled) {
    const TempDir folder;
    for (const auto& [angle, scale] : {std::pair{0.0, 1.0}, {0.7, 1.0}, {2.1, 1e-3}, {1.3, 1e4}}) {
        write_text(folder / "plank.obj", plank_obj(angle, scale));
        const Finished run =
            run_bvlab(folder, "--headless --scene volumes plank.obj --frames 1 --report r.json");
        ASSERT_EQ(run.status, 0) << run.err;
        const std::string report = read_text(folder / "r.json");
        EXPECT_EQ(count_of(report, "\"contains_all\": true"), bv::fit::fit_catalog().size())
            << angle << ' ' << scale;
        EXPECT_EQ(count_of(report, "\"contains_all\": false"), 0u);
    }
}

TEST(CommandLine, ABoxListBecomesEveryTreeAndGoesOutAgain) {
    const TempDir folder;
    std::string list;
    for (int i = 0; i < 64; ++i)
        list += std::to_string(i) + " 0 0 " + std::to_string(i + 1) + " 1 1\n";
    write_text(folder / "row.txt", list);
    const Finished run = run_bvlab(folder,
                                   "--headless row.txt --report r.json --run 'save.boxes out.csv; save.tree "
                                   "t.bvtree; export.tree t.dot; export.tree t.json; export.metrics m.csv; "
                                   "export.metrics m.json'");
    EXPECT_EQ(run.status, 0) << run.err;
    const std::string report = read_text(folder / "r.json");
    for (const char* id : {"boxes", "manhattan+none", "greedy+sah", "branch_and_bound+height", "median",
                           "agglomerative", "sweep_sah+reinsertion"})
        EXPECT_EQ(count_of(report, std::string("\"id\": \"") + id + "\""), 1u) << id;
    EXPECT_EQ(count_of(read_text(folder / "out.csv"), "\n"), 64u + 2u) << "two lines of comment";
    EXPECT_EQ(count_of(read_text(folder / "t.dot"), " -> "), 126u);
    EXPECT_EQ(count_of(read_text(folder / "m.csv"), "\n"), 17u);
    const Finished again =
        run_bvlab(folder, "--headless t.bvtree --report again.json --run 'save.boxes back.txt'");
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_NE(read_text(folder / "again.json").find("\"scene\": \"tree-file\""), std::string::npos);
    EXPECT_NE(read_text(folder / "back.txt").find("\n63 0 0 64 1 1\n"), std::string::npos);
    write_text(folder / "bad.bvtree", "BVTREE01 and then nothing");
    EXPECT_EQ(run_bvlab(folder, "--headless bad.bvtree").status, 4);
    EXPECT_EQ(run_bvlab(folder, "--headless row.txt --run 'save.tree x.txt'").status, 1);
}

}  // namespace lab::test
