// Captures as lines of JSON: they say the same as the binary form, and what is wrong is named by line and
// value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "captures/read_capture.hpp"
#include "damage.hpp"
#include "io/captures/capture_file.hpp"
#include "io/captures/capture_lines.hpp"
#include "io/captures/capture_tree.hpp"
#include "io_test_tools.hpp"

namespace lab::io {
namespace {

using test::Random;
using testing_tools::TestFolder;

std::string refusal_of(const std::string& text) {
    const auto bytes = capture_from_lines(text, "x.jsonl");
    return bytes ? "accepted" : bytes.error().text();
}

TEST(CaptureLines, SayTheSameAsTheBinaryForm) {
    const TestFolder folder;
    const auto path =
        folder.write("x.jsonl", R"({"capture": 1, "engine": "hand", "title": "by", "dimensions": 2}
{"create": 7, "tight": [0,0,0,1,1,1], "fat": [-1,-1,-1,2,2,null], "tag": 2, "name": "crate"}

{"frame": 0, "time": 0.5}
{"create": 18446744073709551615, "tight": [5,5,5,6,6,6]}
{"move": 7, "tight": [0.1,0,0,1,1,2]}
{"tree": "dynamic", "root": 1, "nodes": [{"id": 1, "box": [0,0,0,6,6,6], "children": [2, 3]}, {"id": 2, "box": [0.1,0,0,1,1,2], "payloads": [7]}, {"id": 3, "box": [5,5,5,6,6,6], "payloads": [18446744073709551615]}]}
{"query": "ray", "origin": [0,0,0], "direction": [1,0,0], "t_max": 10, "found": [7], "visited": [1, 2], "nodes_visited": 2, "tree": 0}
{"query": "cast", "box": [0,0,0,1,1,1], "displacement": [0,0,1], "boxes_tested": 3}
{"mark": "here"}
{"frame": 1}
{"name": 7, "as": "box"}
{"remove": 18446744073709551615}
)");
    auto file = CaptureFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->head().engine, "hand");
    EXPECT_EQ(file->head().dimensions, 2);
    ASSERT_EQ(file->frames().size(), 2u);
    const auto first = file->frame(0), second = file->frame(1);
    ASSERT_TRUE(first && second);
    ASSERT_EQ(first->proxies.size(), 2u);
    EXPECT_EQ(first->proxies[0].tight, (bv::Aabb{{0.1f, 0, 0}, {1, 1, 2}}));
    EXPECT_EQ(first->proxies[0].fat, first->proxies[0].tight);
    EXPECT_EQ(first->proxies[0].tag, 2u);
    EXPECT_EQ(first->proxies[1].id, ~std::uint64_t{0});
    EXPECT_EQ(first->events.size(), 2u);
    EXPECT_EQ(snapshot_of(first->trees.at(0), first->proxies).defect_count, 0u);
    ASSERT_EQ(first->queries.size(), 2u);
    EXPECT_EQ(first->queries[0].t_max, 10.0f);
    EXPECT_EQ(first->queries[0].visited, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(first->queries[1].direction, glm::vec3(0, 0, 1));
    EXPECT_EQ(first->queries[1].boxes_tested, 3u);
    EXPECT_EQ(first->marks, std::vector<std::string>{"here"});
    EXPECT_EQ(*second->names, (CaptureNames{{7, "box"}}));
    EXPECT_EQ(second->proxies.size(), 1u);
    EXPECT_EQ(file->frames()[0].time_s, 0.5);
}

TEST(CaptureLines, ErrorsNameTheLineAndTheValue) {
    const std::string box = "\"tight\": [0,0,0,1,1,1]";
    const std::string good = "{\"create\": 7, " + box + "}\n{\"frame\": 0}\n";
    const auto has = [](const std::string& text, const std::string& part) {
        const std::string refusal = refusal_of(text);
        EXPECT_NE(refusal.find(part), std::string::npos) << refusal;
    };
    EXPECT_EQ(refusal_of(good), "accepted");
    has(good + "{\"move\": 8, " + box + "}", "x.jsonl, line 3: proxy 8 does not exist");
    has(good + "{\"create\": 7, " + box + "}", "line 3: proxy 7 exists already");
    has(good + "{\"remove\": -1}", "line 3: remove should be a whole number");
    has(good + "\n{\"create\": 8}", "line 4: should have `tight`, a list of 6 numbers");
    has(good + "{\"create\": 8, \"tight\": [0,0,0,1,1,true]}", "a `tight` whose value 6 is not a number");
    has(good + "{\"create\": 8, " + box + ", \"colour\": 3}", "\"colour\"");
    has(good + "{\"creat\": 8}", "line 3: must be one of capture, frame");
    has(good + "[1]", "line 3: is not an object");
    has(good + "{\"frame\": 1\n", "line 3: is not valid JSON");
    has("{\"frame\": 1", "line 1: is not valid JSON");
    has(good + "{\"capture\": 1}", "line 3: should be the first line");
    has(good + "{\"frame\": 0}", "line 3: frame 0 comes after frame 0: numbers of frames must rise");
    has("{\"capture\": 2}", "line 1: has version 2");
    for (const char* dimensions : {"0", "1", "4", "2.5"})
        has(std::string("{\"capture\": 1, \"dimensions\": ") + dimensions + "}", "dimensions");
    EXPECT_EQ(refusal_of("{\"capture\": 1, \"dimensions\": 2}"), "accepted");
    // Nothing is cut: what does not fit into the binary form is refused.
    const std::string name(255, 'n'), mark(4000, 'm');
    EXPECT_EQ(refusal_of(good + "{\"name\": 7, \"as\": \"" + name + "\"}"), "accepted");
    EXPECT_EQ(refusal_of(good + "{\"mark\": \"" + mark + "\"}"), "accepted");
    has(good + "{\"name\": 7, \"as\": \"n" + name + "\"}", "has 256 bytes; at most 255 are read");
    has(good + "{\"tree\": \"n" + name + "\", \"root\": 1, \"nodes\": []}", "at most 255");
    has("{\"capture\": 1, \"title\": \"n" + name + "\"}", "at most 255");
    has(good + "{\"mark\": \"m" + mark + "\"}", "has 4001 bytes; at most 4000 are read");
    has(good + "{\"mark\": \"one\\u0000two\"}", "has a mark with a zero character");
    has(good + "{\"query\": \"ray\", \"origin\": [0,0,0], \"direction\": [1,0,0]}", "t_max is missing");
    has("{\"mark\": \"x\"}", "line 1: the mark comes before the first frame");
    has(good + "{\"query\": \"sphere\"}", "should be box, ray or cast");
    has(good + "{\"tree\": \"t\", \"root\": 1, \"nodes\": [{\"id\": 1}]}", "nodes[0] should have `box`");
}

TEST(CaptureLines, NullIsNaN) {
    const TestFolder folder;
    auto file = CaptureFile::open(folder.write("x.jsonl", R"({"frame": 0, "time": null}
{"query": "ray", "origin": [0,null,0], "direction": [1,0,0], "t_max": null}
{"frame": 1}
)"));
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->frames().size(), 2u);
    EXPECT_TRUE(std::isnan(file->frames()[0].time_s));
    EXPECT_EQ(file->frames()[1].time_s, 0.0);
    const auto frame = file->frame(0);
    ASSERT_TRUE(frame);
    ASSERT_EQ(frame->queries.size(), 1u);
    EXPECT_TRUE(std::isnan(frame->queries[0].t_max));
    EXPECT_TRUE(std::isnan(frame->queries[0].origin.y));
}

TEST(CaptureLines, MinusZeroKeepsItsSign) {
    const TestFolder folder;
    auto file = CaptureFile::open(folder.write("x.jsonl", R"({"frame": 0}
{"create": 7, "tight": [-0,0,-0.0,1,1,1]}
)"));
    ASSERT_TRUE(file) << file.error().text();
    const auto frame = file->frame(0);
    ASSERT_TRUE(frame);
    const glm::vec3 min = frame->proxies.at(0).tight.min;
    EXPECT_TRUE(std::signbit(min.x));
    EXPECT_FALSE(std::signbit(min.y));
    EXPECT_TRUE(std::signbit(min.z));
}

TEST(CaptureLines, EveryLineEndIsTaken) {
    const TestFolder folder;
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        const std::string text = "{\"frame\": 0}" + end + end + "{\"frame\": 1}" + end + "{\"frame\": 2}";
        auto file = CaptureFile::open(folder.write("x.jsonl", text));
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_EQ(file->frames().size(), 3u);
        EXPECT_NE(refusal_of(text + end + "[1]" + end).find("line 5: is not an object"), std::string::npos);
    }
}

TEST(CaptureLines, OnlyTheBeginningOfALineIsCutOff) {
    const std::string good = "{\"frame\": 0}\n";
    for (const char* damaged :
         {"{\"mark\": \"a\"} x", "{\"mark\": \"a\"}}", "{\"mark\": \"a\"}{\"mark\": \"b\"}",
          "{\"mark\": \"a\"} {", "{\"mark\": x\"", "{mark", "{\"mark\": \"a\", \"mark\": "}) {
        const std::string refusal = refusal_of(good + damaged);
        EXPECT_NE(refusal.find("line 2: "), std::string::npos) << damaged << "\n" << refusal;
    }
}

TEST(CaptureLines, ALastLineThatIsCutOffIsLeftOutAndSaidSo) {
    const TestFolder folder;
    const std::string good = "{\"create\": 7, \"tight\": [0,0,0,1,1,1]}\n{\"frame\": 0}\n{\"frame\": 4}\n";
    const std::string last = "{\"move\": 7, \"tight\": [0,-1e-3,0,1,1,2], \"fat\": [null,0,0,2,2,\t2.5]}";
    for (std::size_t kept = 1; kept <= last.size(); ++kept) {
        auto file = CaptureFile::open(folder.write("x.jsonl", good + last.substr(0, kept)));
        ASSERT_TRUE(file) << file.error().text();
        ASSERT_EQ(file->frames().size(), 2u);
        const bool whole = kept == last.size();
        for (const CaptureFile& reader : {file->another(), *std::move(file)}) {
            const std::vector<std::string> notes = reader.notes();
            const auto said =
                std::find(notes.begin(), notes.end(), "line 4, the last, is cut off and left out");
            EXPECT_EQ(said == notes.end(), whole);
        }
    }
}

TEST(CaptureLines, DamagedLinesAreRefusedOrRead) {
    const std::string good =
        "{\"create\": 7, \"tight\": [0,0,0,1,1,1]}\n{\"frame\": 0}\n{\"move\": 7, \"tight\": [0,0,0,1,1,2]}\n"
        "{\"tree\": \"t\", \"root\": 1, \"nodes\": [{\"id\": 1, \"box\": [0,0,0,1,1,1], \"payloads\": "
        "[7]}]}\n";
    std::size_t refused = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Random random(seed);
        const auto bytes = capture_from_lines(test::damaged(good, random), "x.jsonl");
        refused += !bytes;
        if (bytes)
            test::read_all(bytes->bytes);
        else
            EXPECT_TRUE(bytes.error().where.starts_with("line ")) << bytes.error().text();
    }
    EXPECT_GT(refused, 500u);
    EXPECT_LT(refused, 2000u);
}

}  // namespace
}  // namespace lab::io
