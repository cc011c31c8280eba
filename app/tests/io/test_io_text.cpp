// Box lists, preferences, reports, pictures, and files that are whole or not there.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/file_kind.hpp"
#include "io/png.hpp"
#include "io/sessions/report.hpp"
#include "io/sessions/settings_file.hpp"
#include "io/text/encoded.hpp"
#include "io/trees/box_list.hpp"
#include "io_test_tools.hpp"
#include "workloads/boxes.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

namespace fs = std::filesystem;
using testing_tools::bytes_of;
using testing_tools::TestFolder;

std::string where_of(std::string_view text) {
    const auto boxes = parse_box_list(text, "list.txt");
    return boxes ? "accepted" : boxes.error().where;
}
std::string what_of(std::string_view text) {
    const auto boxes = parse_box_list(text, "list.txt");
    return boxes ? "accepted" : boxes.error().what;
}

TEST(BoxListFile, ReadsEverySeparatorCommentAndLineEnd) {
    const auto boxes = parse_box_list(
        "\xef\xbb\xbf# a comment\n\n0 0 0 1 1 1\r\n-1.5,\t-2,-3, 4,5 , 6 # another\n+1;2;3;1e1;2e0;3.5\n   "
        "\n7 7 7 7 7 7",
        "x");
    ASSERT_TRUE(boxes) << boxes.error().text();
    ASSERT_EQ(boxes->size(), 4u);
    EXPECT_EQ((*boxes)[0], (bv::Aabb{glm::vec3(0.0f), glm::vec3(1.0f)}));
    EXPECT_EQ((*boxes)[1], (bv::Aabb{{-1.5f, -2.0f, -3.0f}, {4.0f, 5.0f, 6.0f}}));
    EXPECT_EQ((*boxes)[2], (bv::Aabb{{1.0f, 2.0f, 3.0f}, {10.0f, 2.0f, 3.5f}}));
    EXPECT_EQ((*boxes)[3], (bv::Aabb{glm::vec3(7.0f), glm::vec3(7.0f)}));
}

TEST(BoxLists, ACommentMayBeTheHeading) {
    struct Case {
        const char* text;
        glm::vec3 min, max;
    };
    for (const Case& c :
         {Case{"# cx cy cz sx sy sz\n5 5 5 10 10 10\n", glm::vec3(0), glm::vec3(10)},
          Case{"#xmin,ymin,zmin,width,height,depth\n1,1,1,2,2,2\n", glm::vec3(1), glm::vec3(3)},
          Case{"# made by hand\n## xmin xmax ymin ymax zmin zmax\n# units: m\n-5 5 6 7 8 9\n",
               glm::vec3(-5, 6, 8), glm::vec3(5, 7, 9)},
          Case{"# minx miny minz maxx maxy maxz\n1 2 3 4 5 6\n", glm::vec3(1, 2, 3), glm::vec3(4, 5, 6)},
          Case{"# x and y before z; the center of each\n1 2 3 4 5 6\n", glm::vec3(1, 2, 3),
               glm::vec3(4, 5, 6)},
          Case{"# cx cy cz\n1 2 3 4 5 6\n", glm::vec3(1, 2, 3), glm::vec3(4, 5, 6)},
          Case{"1 2 3 4 5 6 # cx cy cz sx sy sz\n", glm::vec3(1, 2, 3), glm::vec3(4, 5, 6)}}) {
        const auto boxes = parse_box_list(c.text, "list.txt");
        ASSERT_TRUE(boxes) << c.text << boxes.error().text();
        EXPECT_EQ(boxes->front().min, c.min) << c.text;
        EXPECT_EQ(boxes->front().max, c.max) << c.text;
    }
    const auto late = parse_box_list("1 2 3 4 5 6\n# cx cy cz sx sy sz\n1 2 3 4 5 6\n", "list.txt");
    ASSERT_TRUE(late);
    EXPECT_EQ(late->back().max, glm::vec3(4, 5, 6)) << "a heading comes first";
}

TEST(BoxListFile, SkipsTheHeadingOfATableOnce) {
    EXPECT_EQ(parse_box_list("minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,1\n", "x")->size(), 1u);
    EXPECT_EQ(where_of("0 0 0 1 1 1\nminx,miny,minz,maxx,maxy,maxz\n"), "line 2");
    for (const char* no_box : {"nan", "NaN", "INF", "-Infinity", "null", "NULL", "None", "-", "left"}) {
        std::string line;
        for (int i = 0; i < 6; ++i)
            line += std::string(no_box) + ' ';
        EXPECT_EQ(where_of(line + "\n0 0 0 1 1 1\n"), "line 1") << no_box;
        EXPECT_EQ(what_of(line + "\n0 0 0 1 1 1\n").find("min x: "), 0u) << no_box;
    }
    EXPECT_EQ(where_of("minx miny minz maxx maxy inf\n0 0 0 1 1 1\n"), "line 1");
    // Words that are no names of columns stand above the usual order.
    std::vector<std::string> names;
    const auto named = parse_box_list("label;x0;y0;z0;x1;y1;z1;\ncrate;0;0;0;1;1;1;\n", "x", &names);
    ASSERT_TRUE(named) << named.error().text();
    EXPECT_EQ(*named, (std::vector<bv::Aabb>{{glm::vec3(0.0f), glm::vec3(1.0f)}}));
    EXPECT_EQ(names, std::vector<std::string>{"crate"});
}

TEST(BoxListFile, FieldsMayBeQuoted) {
    const std::vector<bv::Aabb> expected{{{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}}};
    std::vector<std::string> names;
    for (const auto& [text, name] :
         {std::pair{"\"1\",\"2\",\"3\",\"4\",\"5\",\"6\"", ""},
          {"\"minx\";\"miny\";\"minz\";\"maxx\";\"maxy\";\"maxz\"\n\"1\";2;\"3\";\"4\";\"5\";\"6\";", ""},
          {"\"a \"\"crate\"\"\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",", "a \"crate\""},
          {"\"1\" \"2\" \"3\" \"4\" \"5\" \"6\" \"crate\"", "crate"},
          {"\"12\",1,2,3,4,5,6", "12"}}) {  // among numbers without them, quotes make a name
        const auto boxes = parse_box_list(text, "x", &names);
        ASSERT_TRUE(boxes) << text << boxes.error().text();
        EXPECT_EQ(*boxes, expected) << text;
        EXPECT_EQ(names, std::vector<std::string>{name}) << text;
    }
    EXPECT_EQ(what_of("\"12\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\""), "has 7 numbers instead of 6");
    EXPECT_EQ(what_of("\"1\",\"2\",\"3\",\"4\",\"5\",\"6\"\"\"").find("max z: "), 0u);
}

TEST(BoxListFile, AHeadingSaysWhichColumnIsWhich) {
    const bv::Aabb expected{{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}};
    for (const char* text : {"minx,maxx,miny,maxy,minz,maxz\n1,4,2,5,3,6\n",
                             "max_x max_y max_z min_x min_y min_z\n4 5 6 1 2 3\n",
                             "Min.X;Max.X;Min.Y;Max.Y;Min.Z;Max.Z\r1;4;2;5;3;6\r",
                             "\"min x\" ymin zmin xmax ymax zmax\n1 2 3 4 5 6",
                             "lower_z,lower_y,lower_x,upper_x,upper_y,upper_z\n3,2,1,4,5,6,\n",
                             "weight,x_lo,y_lo,z_lo,kind,x_hi,y_hi,z_hi,\n7,1,2,3,,4,5,6\n"}) {
        const auto boxes = parse_box_list(text, "x");
        ASSERT_TRUE(boxes) << text << boxes.error().text();
        EXPECT_EQ(*boxes, std::vector{expected}) << text;
    }
    std::vector<std::string> names;
    for (const auto& [heading, line] :
         {std::pair{"id,minx,miny,minz,maxx,maxy,maxz", "12,1,2,3,4,5,6"},  // numbers are names here
          {"minx,name,miny,minz,weight,maxx,maxy,maxz", "1,12,2,3,99,4,5,6"},
          {",minx,miny,minz,maxx,maxy,maxz", "12,1,2,3,4,5,6"}}) {
        const auto boxes = parse_box_list(std::string(heading) + '\n' + line, "x", &names);
        ASSERT_TRUE(boxes) << heading << boxes.error().text();
        EXPECT_EQ(*boxes, std::vector{expected}) << heading;
        EXPECT_EQ(names, std::vector<std::string>{"12"}) << heading;
    }
    EXPECT_EQ(what_of("maxx maxy maxz minx miny minz\n0 0 0 1 1 1\n"), "min x (1) is above max x (0)");
    EXPECT_EQ(what_of("minx,miny,minz,maxx,maxy,top\n0,0,0,1,1,1\n"), "is a heading without max z");
    EXPECT_EQ(what_of("cx,cy,cz,maxx,maxy,maxz\n0,0,0,1,1,1\n"), "is a heading without min x");
    EXPECT_EQ(what_of("minx,miny,minz,maxx,maxy,maxz,xmin\n0,0,0,1,1,1,0\n"),
              "is a heading that names min x twice");
    EXPECT_EQ(what_of("name minx miny minz maxx maxy maxz\n0 0 0 1 1 1\n"),
              "has 6 fields where the heading has 7");
}

TEST(BoxListFile, HeadingsOfEveryFormAreReadByTheirNames) {
    const bv::Aabb expected{{1.0f, 2.0f, 3.0f}, {5.0f, 8.0f, 11.0f}};
    for (const char* text :
         {"minimum_x,maximum_x,minimum_y,maximum_y,minimum_z,maximum_z\n1,5,2,8,3,11\n",
          "x1,x2,y1,y2,z1,z2\n1,5,2,8,3,11\n", "x1 y1 z1 x0 y0 z0\n5 8 11 1 2 3\n",
          "bbox_min_x,bbox_max_x,bbox_min_y,bbox_max_y,bbox_min_z,bbox_max_z\n1,5,2,8,3,11\n",
          "x,y,z,width,height,depth\n1,2,3,4,6,8\n", "x;y;z;d;w;h\n1;2;3;8;4;6\n",
          "X Y Z SX SY SZ\n1 2 3 4 6 8\n", "minx,miny,minz,size_x,size_y,size_z\n1,2,3,4,6,8\n",
          "cx,cy,cz,ex,ey,ez\n3,5,7,2,3,4\n",
          "center_x,half_x,center_y,half_y,center_z,half_z\n"
          "3,2,5,3,7,4\n",
          "\"center x\" yc zc hx hy hz\n3 5 7 2 3 4\n", "cx,cy,cz,sx,sy,sz\n3,5,7,4,6,8\n",
          "cx,cy,cz,width,height,depth\n3,5,7,4,6,8\n", "a,b,c,d,e,f\n1,2,3,5,8,11\n",
          "minx,miny,minz,maxx,maxy,maxz,width\n1,2,3,5,8,11,4"}) {
        const auto boxes = parse_box_list(text, "x");
        ASSERT_TRUE(boxes) << text << boxes.error().text();
        EXPECT_EQ(*boxes, std::vector{expected}) << text;
    }
    EXPECT_EQ((*parse_box_list("x,y,z,width,height,depth\n5,5,5,6,6,6", "x"))[0],
              (bv::Aabb{glm::vec3(5.0f), glm::vec3(11.0f)}));
    EXPECT_EQ(what_of("x,y,z,w,h,d\n0,0,0,1,-1,1\n"), "size y (-1) is negative");
    EXPECT_EQ(what_of("cx,cy,cz,hx,hy,hz\n0,0,0,1,1,-2\n"), "half extent z (-2) is negative");
    EXPECT_EQ(what_of("x,y,z,w,h,d\n3e38,0,0,3e38,1,1\n"),
              "is a box that reaches beyond the largest number in single precision");
    EXPECT_EQ(what_of("x,y,z,w,h,d\n0,0,0,1,1,?\n"), "size z: \"?\" is not a number");
}

TEST(BoxListFile, HeadingsThatMayMeanMoreThanOneThingAreRefused) {
    for (const char* heading :
         {"left,right,bottom,top,near,far", "one,two,three,four,five,six",
          "name,left,bottom,near,right,top,far", "startx,starty,startz,endx,endy,endz"}) {
        const auto boxes = parse_box_list(std::string(heading) + "\n0,0,0,1,1,1,\n", "x");
        ASSERT_FALSE(boxes) << heading;
        EXPECT_EQ(boxes.error().where, "line 1");
        EXPECT_EQ(boxes.error().what.find("is a heading that does not name the numbers of a box"), 0u);
        EXPECT_NE(boxes.error().advice.find("x,y,z,width,height,depth"), std::string::npos);
    }
    EXPECT_EQ(what_of("x,y,z,length,width,height\n0,0,0,1,1,1\n"), "is a heading without size z");
    EXPECT_EQ(what_of("x,y,z,ex,ey,ez\n0,0,0,1,1,1\n"), "is a heading without size x");
    EXPECT_EQ(what_of("xs,ys,zs,xe,ye,ze\n0,0,0,1,1,1\n").find("is a heading that does not"), 0u);
    EXPECT_EQ(what_of("sx,sy,sz,ex,ey,ez\n0,0,0,1,1,1\n"), "is a heading without x");
    EXPECT_EQ(what_of("cx,cy,cz,extent_x,extent_y,extent_z\n0,0,0,1,1,1\n"), "is a heading without size x");
}

TEST(BoxListFile, AnEmptyFieldIsAMissingNumber) {
    EXPECT_EQ(what_of("name,minx,miny,minz,maxx,maxy,maxz\n-7,,0,0,1,1,1\n"), "min x: a number is missing");
    EXPECT_EQ(what_of("minx,miny,minz,maxx,maxy,maxz,weight\n0,0,,1,1,1,5\n"), "min z: a number is missing");
    EXPECT_EQ(what_of("0,0,,1,1,1\n"), "min z: a number is missing");
    EXPECT_EQ(what_of("0; ;0;1;1;1\n"), "min y: a number is missing");
    EXPECT_EQ(what_of("crate,0,0,0,,1,1\n"), "max x: a number is missing");
    EXPECT_EQ(what_of("0,0,0,1,1,# 1\n"), "max z: a number is missing");
    EXPECT_EQ(what_of(",,,,,\n0,0,0,1,1,1\n"), "min x: a number is missing");
    EXPECT_EQ(what_of("0,,0,0,1,1,1\n"), "has 7 numbers instead of 6");
    EXPECT_EQ(what_of("0,0,0,1,1,1,\n"), "accepted") << "one more separator may end the line";
    EXPECT_EQ(what_of("crate,0,0,0,1,1,1 ; # comment\n"), "accepted");
    EXPECT_EQ(what_of("0,0,0,1,1,1,,\n"), "has 7 numbers instead of 6");
    EXPECT_EQ(what_of(",0,0,0,1,1,1\n"), "accepted") << "an empty name";
    EXPECT_EQ(what_of("0 0 0, 1 1 1\n"), "accepted");
}

TEST(BoxListFile, QuotesKeepSeparatorsCommentsAndQuotes) {
    std::vector<std::string> names;
    const auto boxes = parse_box_list(
        "\"a # b\",0,0,0,1,1,1 # \"c\"\n0,0,0,1,1,1,\"say \"\"hi, you\"\"\"\n\"\" 0 0 0 1 1 1\n", "x",
        &names);
    ASSERT_TRUE(boxes) << boxes.error().text();
    EXPECT_EQ(names, (std::vector<std::string>{"a # b", "say \"hi, you\"", ""}));
    EXPECT_EQ(where_of("\"open # 0 0 0 1 1 1\n"), "line 1");
}

TEST(BoxListFile, ACarriageReturnAloneEndsALine) {
    EXPECT_EQ(parse_box_list("0 0 0 1 1 1\r1 1 1 2 2 2\r\r3 3 3 4 4 4", "x")->size(), 3u);
    EXPECT_EQ(where_of("0 0 0 1 1 1\r1 1 1 2 2\r"), "line 2");
    EXPECT_EQ(where_of("0 0 0 1 1 1\r\n1 1 1 2 2\r"), "line 2");
    EXPECT_EQ(where_of("0 0 0 1 1 1\n\r1 1 1 2 2"), "line 3");
}

TEST(BoxListFile, ReadsANameBesideTheNumbers) {
    std::vector<std::string> names{"old"};
    const auto boxes = parse_box_list(
        "crate,0,0,0,1,1,1\n\"a, b; c\",1,1,1,2,2,2\n3 3 3 4 4 4 last\n5 "
        "5 5 6 6 6\n",
        "x", &names);
    ASSERT_TRUE(boxes) << boxes.error().text();
    EXPECT_EQ(names, (std::vector<std::string>{"crate", "a, b; c", "last", ""}));
    ASSERT_EQ(boxes->size(), 4u);
    EXPECT_EQ((*boxes)[1], (bv::Aabb{glm::vec3(1.0f), glm::vec3(2.0f)}));
    EXPECT_EQ((*boxes)[2], (bv::Aabb{glm::vec3(3.0f), glm::vec3(4.0f)}));
    EXPECT_EQ(parse_box_list("minx miny minz maxx maxy maxz id\n0 0 0 1 1 1 x\n", "x")->size(), 1u);
    EXPECT_EQ(what_of("0 0 0 1 1 1 7\n"), "has 7 numbers instead of 6");
    EXPECT_EQ(what_of("a 0 0 0 1 1 1 b\n"), "has 8 numbers instead of 6");
    EXPECT_EQ(what_of("crate 0 0 0 1 1 y\n"), "max z: \"y\" is not a number");
    EXPECT_EQ(what_of("0 0 0 1 1 \"y\"\n"), "max z: \"y\" is not a number");
    EXPECT_EQ(where_of("0 0 0 1 1 1\nname,minx,miny,minz,maxx,maxy,maxz\n"), "line 2");
}

TEST(BoxListFile, ErrorsNameFileLineAndFault) {
    const std::string good = "0 0 0 1 1 1\n# comment\n";
    EXPECT_EQ(where_of(good + "0 0 0 1 1\n"), "line 3");
    EXPECT_EQ(what_of(good + "0 0 0 1 1\n"), "has 5 numbers instead of 6");
    EXPECT_EQ(what_of(good + "0 0 0 1 1 1 1\n"), "has 7 numbers instead of 6");
    EXPECT_EQ(what_of(good + "0 0 0 1 x1 1\n"), "max y: \"x1\" is not a number");
    EXPECT_EQ(what_of(good + "0 0 0 1 1 1f\n"), "max z: \"1f\" is not a number");
    EXPECT_EQ(what_of(good + "nan 0 0 1 1 1\n"), "min x: \"nan\" is not finite");
    EXPECT_EQ(what_of(good + "0 -inf 0 1 1 1\n"), "min y: \"-inf\" is not finite");
    EXPECT_EQ(what_of(good + "0 0 0 1e999 1 1\n"), "max x: \"1e999\" is not finite");
    EXPECT_EQ(what_of(good + "0 0 0 1e39 1 1\n"), "max x: \"1e39\" is not finite");
    EXPECT_EQ(what_of(good + "0 0 5 1 1 4\n"), "min z (5) is above max z (4)");
    EXPECT_EQ(what_of(good + "0 0 0 1 1 --1\n"), "max z: \"--1\" is not a number");
    EXPECT_EQ(what_of(""), "has no boxes");
    EXPECT_EQ(what_of("# nothing\n"), "has no boxes");
    EXPECT_EQ(what_of(std::string(100, 'a') + " 0 0 0 0 0\n"),
              "min x: \"" + std::string(24, 'a') + "...\" is not a number");
    const auto refused = parse_box_list("1 2\n", "my list.txt");
    EXPECT_EQ(refused.error().text(),
              "my list.txt, line 1: has 2 numbers instead of 6. A line is minx miny minz maxx maxy maxz; a "
              "heading has "
              "these names, in any order.");
}

TEST(BoxListFile, NumbersTooSmallForAFloatAreZero) {
    EXPECT_EQ((*parse_box_list("0 0 0 1e-60 1e-999 1\n", "x"))[0].max, glm::vec3(0.0f, 0.0f, 1.0f));
}

TEST(BoxListFile, ComesBackBitForBit) {
    const TestFolder folder;
    bv::workloads::Random random(4);
    std::vector<bv::Aabb> boxes = bv::workloads::MovingBoxes(500, 9).boxes();
    for (bv::Aabb& box : boxes)
        if (random.chance(0.2f)) box.max *= 1e-30f * random.uniform(), box.min = -box.max;
    std::erase_if(boxes, [](const bv::Aabb& b) { return b.is_empty(); });
    for (const char* name : {"boxes.txt", "boxes.csv", "boxes.CSV"}) {
        ASSERT_FALSE(write_box_list(folder / name, boxes, "two\nlines"));
        const auto read = read_box_list(folder / name);
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(*read, boxes);
    }
    EXPECT_NE(bytes_of(folder / "boxes.csv").find("# two\n# lines\n"), std::string::npos);
    EXPECT_NE(bytes_of(folder / "boxes.CSV").find(','), std::string::npos);
    boxes.emplace_back();
    EXPECT_TRUE(write_box_list(folder / "bad.txt", boxes));
    EXPECT_FALSE(fs::exists(folder / "bad.txt"));
    EXPECT_FALSE(read_box_list(folder / "missing.txt"));
    for (const char* name : {"a.TXT", "b.csv"})
        EXPECT_EQ(kind_of_file(name), FileKind::Boxes);
    EXPECT_EQ(kind_of_file("c.obj"), FileKind::Mesh);
}

TEST(BoxListFile, RandomDamageNeverDoesMoreThanRefuse) {
    const std::string good = box_list_text(bv::workloads::MovingBoxes(20, 1).boxes(), "seed");
    bv::workloads::Random random(77);
    int refused = 0;
    for (int round = 0; round < 5000; ++round) {
        std::string text = good;
        for (std::uint32_t n = random.below(4) + 1; n > 0; --n) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
            switch (random.below(4)) {
                case 0:
                    text[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    text.insert(at, 1, static_cast<char>(random.below(256)));
                    break;
                case 2:
                    text.resize(at + 1);
                    break;
                default:
                    text.insert(at, random.chance(0.5f) ? "nan" : "1e999");
                    break;
            }
        }
        const auto boxes = parse_box_list(text, "x");
        refused += !boxes;
        if (boxes) {
            for (const bv::Aabb& b : *boxes)
                ASSERT_TRUE(b.is_finite());
        } else {
            ASSERT_FALSE(boxes.error().what.empty());
        }
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 5000);
}

TEST(AtomicFile, WritesReplacesAndLeavesNothingElse) {
    const TestFolder folder;
    const fs::path path = folder / "new/folders/file.bin";
    const auto missing = write_file_atomically(path, "x");
    ASSERT_TRUE(missing);
    EXPECT_NE(missing->text().find("its folder does not exist"), std::string::npos) << missing->text();
    EXPECT_EQ(folder.file_count(), 0u) << "none is created";
    fs::create_directories(path.parent_path());
    std::string bytes(3'000'000, 'x');
    bytes[5] = '\0';
    ASSERT_FALSE(write_file_atomically(path, bytes));
    EXPECT_EQ(bytes_of(path), bytes);
    ASSERT_FALSE(write_file_atomically(path, "short"));
    EXPECT_EQ(*read_whole_file(path), "short");
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()), 1);
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_NE(info.st_mode & 0400, 0u);
}

TEST(AtomicFile, KeepsRightsAndFollowsLinks) {
    const TestFolder folder;
    const fs::path file = folder.write("real", "old");
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(file, folder / "link");
    ASSERT_FALSE(write_file_atomically(folder / "link", "new"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(bytes_of(file), "new");
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicFile, AFullDiskIsAnErrorAndTheOldFileStays) {
    const TestFolder folder;
    const auto full = write_file_atomically("/dev/full", "bytes");
    ASSERT_TRUE(full);
    EXPECT_NE(full->text().find("/dev/full"), std::string::npos);
    EXPECT_NE(full->advice.find("space"), std::string::npos) << full->text();

    // A limit on file size stands for a disk that fills up half way.
    const fs::path path = folder.write("kept", "old");
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    const auto error = write_file_atomically(path, std::string(5000, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, old_handler);
    ASSERT_TRUE(error);
    EXPECT_EQ(bytes_of(path), "old");
    EXPECT_EQ(folder.file_count(), 1u) << "no temporary file stays behind";
}

TEST(AtomicFile, RefusesFoldersAndPlacesWithoutRights) {
    const TestFolder folder;
    EXPECT_TRUE(write_file_atomically(folder.path(), "x"));
    EXPECT_TRUE(write_file_atomically(folder.write("file", "") / "below", "x"));
    EXPECT_TRUE(write_file_atomically("/proc/no/such/place", "x"));
    EXPECT_FALSE(read_whole_file(folder.path()));
    EXPECT_FALSE(read_whole_file(folder / "missing"));
    EXPECT_FALSE(read_whole_file("/dev/zero"));
    EXPECT_FALSE(read_whole_file(folder.write("large", "12345"), 4));
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_FALSE(read_whole_file(folder / "pipe")) << "must not wait for a writer";
}

TEST(SettingsFile, ComesBackAndMissingIsNoProblem) {
    const TestFolder folder;
    const fs::path path = folder / "config/bvlab/preferences.json";
    EXPECT_FALSE(read_settings_file(path).problem);
    const SettingsMap values{
        {"draw.obb", "true"}, {"name", "a \"quoted\"\nline, Überlänge 轴"}, {"speed", "1.5"}, {"", ""}};
    ASSERT_FALSE(write_settings_file(path, values));
    const SettingsRead read = read_settings_file(path);
    EXPECT_FALSE(read.problem);
    EXPECT_EQ(read.values, values);
}

TEST(SettingsFile, TakesNumbersAndTruthsWrittenByHand) {
    const auto values = parse_settings(R"({"a": 1, "b": 2.5, "c": true, "d": "text"})", "x");
    ASSERT_TRUE(values);
    EXPECT_EQ(*values, (SettingsMap{{"a", "1"}, {"b", "2.5"}, {"c", "true"}, {"d", "text"}}));
}

TEST(SettingsFile, ACorruptFileIsReportedAndKeptAside) {
    const TestFolder folder;
    for (const std::string& bad :
         {std::string("{\"a\": 1,\n\"b\" 2}"), std::string("[1, 2]"), std::string("{\"a\": {\"b\": 1}}"),
          std::string("\0\xff", 2), std::string(200000, '['), std::string(),
          std::string("{\"a\": \"\xff\xfe\"}")}) {
        const fs::path path = folder.write("preferences.json", bad);
        const SettingsRead read = read_settings_file(path);
        ASSERT_TRUE(read.problem) << bad.substr(0, 20);
        EXPECT_TRUE(read.values.empty());
        EXPECT_FALSE(fs::exists(path));
        EXPECT_EQ(bytes_of(read.kept_as), bad);
        EXPECT_NE(read.problem->text().find(read.kept_as.string()), std::string::npos);
    }
    EXPECT_EQ(parse_settings("{\"a\": 1,\n\"b\" 2}", "x").error().where, "line 2, column 5");
}

Report sample_report() {
    Report r;
    r.version = "1.2.3";
    r.scene = "welcome";
    r.seed = 7;
    r.frame = 120;
    r.bodies = {{0, "torus 1", "torus", {1, 2, 3}, glm::vec2(320, 240), true},
                {1, "box 2", "box", {4, 5, 6}, std::nullopt, false}};
    r.pairs.broad = 3;
    r.pairs.volume = 2;
    r.pairs.exact = 1;
    r.volumes = {{"torus", "sphere", "ritter", 1.5, 2.5, 0.25}};
    r.trees = {{"bodies", 40, 79, 7, 6, 2, 9.5, 12.25, 3.5, 1.5}};
    r.trees.push_back({"long", 4, 7, 2, 2, 0, 1.5, 2.25});
    r.trees[1].leaf_depths = {0, 1, 2};
    r.stats = {{"zulu", 1.0}, {"alpha", std::numeric_limits<double>::quiet_NaN()}};
    r.timings_ms.broadphase = 0.5;
    r.queries.push_back(
        {"hover", {0, 0, 5}, {0, 0, -1}, true, 4.5, {0, 0, 0.5f}, {0, 0, 1}, 1u, 11u, 9, 3, 40, {}});
    r.queries.push_back({"pick", {0, 0, 5}, {0, 1, 0}, false, 0, {}, {}, {}, {}, 1, 0, 40, {}});
    r.heatmap = {"nodes visited", 320, 180, 2, 3.5, 17, true};
    r.checks = {true, 120, 5000, 240, 120, {}};
    r.selected = 1u;
    r.camera.distance = 12.5;
    r.widgets = {{"spawn", {10, 20}}};
    r.tables = {{"volumes",
                 "Volumes",
                 {"kind", "volume, m³"},
                 {"", "m³"},
                 {{{"obb"}, {1.25, true}},
                  {{std::int64_t{1}}, {std::numeric_limits<double>::quiet_NaN()}},
                  {{"12"}, {std::vector<double>{-0.5, 2.0, -std::numeric_limits<double>::infinity()}}}},
                 {1}}};
    r.errors = {"bad bytes \xff"};
    return r;
}

TEST(ReportFile, HasTheStableNamesInOrder) {
    const std::string text = report_text(sample_report());
    const auto json = nlohmann::ordered_json::parse(text);
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items())
        keys.push_back(key);
    EXPECT_EQ(keys,
              (std::vector<std::string>{"program", "version",    "scene",        "seed",      "frame",
                                        "bodies",  "pairs",      "broadphase",   "volumes",   "trees",
                                        "stats",   "timings_ms", "before_after", "queries",   "heatmap",
                                        "steps",   "checks",     "selected",     "selection", "camera",
                                        "handles", "widgets",    "tables",       "errors",    "body_list"}));
    EXPECT_EQ(json["body_list"][0]["window_px"], (std::vector<float>{320, 240}));
    EXPECT_TRUE(json["body_list"][1]["window_px"].is_null());
    EXPECT_EQ(json["selected"], 1);
    EXPECT_EQ(json["widgets"]["spawn"], (std::vector<float>{10, 20}));
    EXPECT_EQ(json["camera"]["distance"], 12.5);
    EXPECT_EQ(json["program"], "bvlab");
    EXPECT_EQ(json["bodies"], 2);
    EXPECT_EQ(json["pairs"], (nlohmann::ordered_json{{"broad", 3}, {"volume", 2}, {"exact", 1}}));
    EXPECT_EQ(json["volumes"][0]["fit_ms"], 0.25);
    EXPECT_EQ(json["trees"][0]["max_balance"], 2);
    EXPECT_EQ(json["trees"][0]["epo"], 3.5);
    EXPECT_TRUE(json["trees"][1]["epo"].is_null()) << "not measured";
    EXPECT_EQ(json["trees"][1]["leaf_depths"], (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(json["stats"].begin().key(), "zulu");
    EXPECT_TRUE(json["stats"]["alpha"].is_null());
    EXPECT_EQ(json["timings_ms"]["broadphase"], 0.5);
    EXPECT_EQ(json["queries"][0]["triangle"], 11);
    EXPECT_EQ(json["queries"][0]["input"]["direction"], (std::vector<float>{0, 0, -1}));
    EXPECT_TRUE(json["queries"][1]["t"].is_null());
    EXPECT_TRUE(json["queries"][1]["body"].is_null());
    EXPECT_EQ(json["heatmap"]["cells"], (std::vector<int>{320, 180}));
    EXPECT_EQ(json["heatmap"]["most"], 17);
    EXPECT_TRUE(nlohmann::json::parse(report_text(Report{}))["heatmap"].is_null());
    EXPECT_EQ(json["checks"]["passed"], true);
    const auto& table = json["tables"]["volumes"];
    EXPECT_EQ(table["rows"][0][1], 1.25);
    EXPECT_TRUE(table["rows"][1][0].is_number_integer());
    EXPECT_EQ(table["rows"][1][1], "nan");
    EXPECT_EQ(table["rows"][2][0], "12") << "a name stays a name";
    EXPECT_EQ(table["rows"][2][1], nlohmann::ordered_json::parse(R"([-0.5, 2.0, "-inf"])"));
    EXPECT_EQ(table["units"], (std::vector<std::string>{"", "m³"}));
    EXPECT_EQ(table["measured"], (std::vector<int>{1}));
    EXPECT_EQ(table["chosen"], (std::vector<int>{1}));
    EXPECT_FALSE(table.contains("rival"));
    EXPECT_EQ(json["body_list"][1]["name"], "box 2");
}

TEST(ReportFile, EqualReportsAreEqualBytesAndDifferencesFail) {
    const TestFolder folder;
    EXPECT_EQ(report_text(sample_report()), report_text(sample_report()));
    Report failed = sample_report();
    failed.checks.differences = {"frame 3: a pair is missing"};
    EXPECT_FALSE(nlohmann::json::parse(report_text(failed))["checks"]["passed"]);
    ASSERT_FALSE(write_report(folder / "r.json", failed));
    EXPECT_EQ(bytes_of(folder / "r.json"), report_text(failed));
    EXPECT_TRUE(write_report("/dev/full", failed));
}

TEST(ReportFile, ErasingTimingsLeavesEverythingElse) {
    Report report = sample_report();
    report.timings_ms.refit = 1.5;
    report.tables = {{"t",
                      "T",
                      {"kind", "fit, ms", "enter, s", "test, ns"},
                      {},
                      {{{"a"}, {1.5, true}, {0.2}, {"none"}}, {{"b"}}}}};
    erase_timings(report);
    EXPECT_EQ(report.timings_ms.refit, 0.0);
    const auto rows = nlohmann::json::parse(report_text(report))["tables"]["t"]["rows"];
    EXPECT_EQ(rows, nlohmann::json::parse(R"([["a", "", 0.2, "none"], ["b"]])"));
    ASSERT_FALSE(report.volumes.empty());
    EXPECT_EQ(report.volumes[0].fit_ms, 0.0);
    EXPECT_EQ(report.volumes[0].volume, sample_report().volumes[0].volume);
}

TEST(PngFile, HasTheSizeAndRefusesNonsense) {
    const TestFolder folder;
    std::vector<std::uint8_t> rgba(40 * 30 * 4);
    for (std::size_t i = 0; i < rgba.size(); ++i)
        rgba[i] = static_cast<std::uint8_t>(i * 7);
    ASSERT_FALSE(write_png(folder / "p.png", 40, 30, rgba));
    const std::string bytes = bytes_of(folder / "p.png");
    ASSERT_GT(bytes.size(), 33u);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\0\x28\0\0\0\x1e", 8));
    EXPECT_EQ(bytes.substr(24, 2), "\x08\x06") << "8 bits, RGBA";
    EXPECT_TRUE(write_png(folder / "q.png", 0, 30, {}));
    EXPECT_TRUE(write_png(folder / "q.png", 40, 31, rgba));
    EXPECT_TRUE(write_png(folder / "q.png", -40, -30, rgba));
    EXPECT_TRUE(write_png(folder / "q.png", 1 << 30, 1 << 30, rgba));
    EXPECT_FALSE(fs::exists(folder / "q.png"));
}

TEST(FileErrorText, JoinsWhatThereIs) {
    EXPECT_EQ((FileError{"a.obj", "line 3", "is wrong", "Mend it"}.text()),
              "a.obj, line 3: is wrong. Mend it.");
    EXPECT_EQ((FileError{"a.obj", "", "is wrong", ""}.text()), "a.obj: is wrong.");
    EXPECT_EQ((FileError{"", "", "is wrong", ""}.text()), "is wrong.");
}

TEST(Encoded, GivesTheBase64OfTheStandardAndTakesItBack) {
    // RFC 4648, section 10.
    const std::pair<std::string, std::string> examples[] = {{"", ""},
                                                            {"f", "Zg=="},
                                                            {"fo", "Zm8="},
                                                            {"foo", "Zm9v"},
                                                            {"foob", "Zm9vYg=="},
                                                            {"fooba", "Zm9vYmE="},
                                                            {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : examples) {
        SCOPED_TRACE(text);
        EXPECT_EQ(base64_encoded(bytes, Base64::Standard), text);
        EXPECT_EQ(base64_decoded(text, Base64::Standard), bytes);
        const std::string bare = text.substr(0, text.find('='));
        EXPECT_EQ(base64_encoded(bytes, Base64::Address), bare);
        EXPECT_EQ(base64_decoded(bare, Base64::Address), bytes);
    }
    EXPECT_EQ(base64_encoded("\xfb\xff", Base64::Standard), "+/8=");
    EXPECT_EQ(base64_encoded("\xfb\xff", Base64::Address), "-_8");
    for (const char* damaged : {"A", "AAAAA", "AA=A", "AA===", "A A", "AA-_",
                                "\xc3\xa4"
                                "AA"})
        EXPECT_EQ(base64_decoded(damaged, Base64::Standard), std::nullopt) << damaged;
}

TEST(Encoded, ReplacesPercentSignsAndTheirDigits) {
    EXPECT_EQ(percent_decoded("a%20b%C3%a4%25"), "a b\xc3\xa4%");
    EXPECT_EQ(percent_decoded("%00"), std::string(1, '\0'));
    for (const char* damaged : {"%", "a%2", "%g0", "%0g", "%%20", "%+1"})
        EXPECT_EQ(percent_decoded(damaged), std::nullopt) << damaged;
}

}  // namespace
}  // namespace lab::io
