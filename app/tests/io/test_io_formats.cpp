// The readers of OBJ, STL and OFF by themselves: the variants that exporters write, the place of each
// fault, and thousands of damaged texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/formats/text_scanner.hpp"
#include "io/meshes/mesh_builder.hpp"
#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io_test_tools.hpp"
#include "mesh_read.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using bv::workloads::Random;
const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(ObjReader, ReadsWhatExportersWrite) {
    for (const std::string& faces :
         {std::string("f 1 2 3 4\n"), std::string("f 1/1 2/2 3/3 4/4\n"),
          std::string("f 1//1 2//1 3//1 4//1\n"), std::string("f 1/1/1 2/2/2 3/3/3 4/4/4"),
          std::string("f -4 -3 -2 -1\r\n"), std::string("f\t1  2 3 # rest\nf 1 3 4 ")}) {
        const Read read = read_with(read_obj, "# comment\r\nmtllib x.mtl\nvt 0 0\nvn 0 0 1\n" + kSquare +
                                                  "usemtl a\ns off\n" + faces);
        EXPECT_EQ(read.triangles.size(), 2u) << faces;
        EXPECT_DOUBLE_EQ(area(read), 1.0) << faces;
    }
    // Faces before their vertices, colors behind the position, a comment at the end of a line.
    const Read early = read_with(read_obj, "f 1 2 3\nv 0 0 0 0.5 0.5 0.5\nv +1 0 0 # here\nv 0 1e0 0 1.0\n");
    EXPECT_DOUBLE_EQ(area(early), 0.5);
    EXPECT_EQ(read_with(read_obj, "o a\n" + kSquare + "f 1 2 3\no empty\no b\ng c\nf 1 3 4\n").outcome.parts,
              2u);
    EXPECT_EQ(read_with(read_obj, kSquare).triangles.size(), 0u);
}

// A prism over an L of area 8, 6 high: volume 48. Its top and bottom are not convex.
const std::string kLPrism =
    "v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 5 0\nv 0 5 0\n"
    "v 0 0 6\nv 4 0 6\nv 4 1 6\nv 1 1 6\nv 1 5 6\nv 0 5 6\n"
    "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 "
    "12\n";

TEST(ObjReader, AConcaveFaceIsCutWhereverItBegins) {
    EXPECT_DOUBLE_EQ(volume(read_with(read_obj, kLPrism)), 48.0);
    std::string corners[6] = {"1", "2", "3", "4", "5", "6"};
    for (int turn = 0; turn < 6; ++turn) {
        std::string face = "f";
        for (int i = 5; i >= 0; --i)
            face += " " + corners[(turn + i) % 6];
        std::string text = kLPrism;
        text.replace(text.find("f 6 5 4 3 2 1"), 13, face);
        const Read read = read_with(read_obj, text);
        EXPECT_DOUBLE_EQ(volume(read), 48.0) << face;
        EXPECT_DOUBLE_EQ(area(read), 8.0 + 8.0 + 18.0 * 6.0) << face;
        EXPECT_EQ(read.positions.size(), 12u);
    }
}

TEST(ObjReader, AFileWithAConcaveFaceIsReadByTheSameRulesAsAnyOther) {
    // 4 x 4 x 3, its corner written as `.5` and the like; beside it a dart, which once sent the file to
    // another reader that skipped such numbers.
    const std::string box =
        "v .5 0.5 5.e-1\nv 4.5 .5 .5\nv 4.5 4.5 +.5\nv .5 4.5 .5\n"
        "v .5 .5 3.5\nv 45e-1 .5 3.5\nv +4.5 4.5 3.5\nv .5 4.5 3.5\n"
        "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    const std::string dart = "v 0 0 9\nv 2 0 9\nv 0.5 0.5 9\nv 0 2 9\nf -3 -2 -1 -4\nf -4 -1 -2 -3\n";
    EXPECT_DOUBLE_EQ(volume(read_with(read_obj, box)), 48.0);
    EXPECT_NEAR(volume(read_with(read_obj, box + dart)), 48.0, 1e-12);
    EXPECT_NEAR(area(read_with(read_obj, dart)), 2.0, 1e-12);
    const testing_tools::TestFolder folder;
    const Result<MeshFile> file = read_mesh_file(folder.write("both.obj", box + dart));
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_NEAR(volume({{}, file->mesh.positions, file->mesh.triangles}), 48.0, 1e-12);
    EXPECT_EQ(file->mesh.triangles.size(), 16u);
}

TEST(ObjReader, ReadsEveryWayToWriteALine) {
    const Read plain = read_with(read_obj, kLPrism);
    for (const std::string& text :
         {with_line_ends(kLPrism, "\r\n"), with_line_ends(kLPrism, "\r"), with_line_ends(kLPrism, " # why\n"),
          with_line_ends(kLPrism, "\n\n#\\\n"), with_line_ends(kLPrism, "\t\n"), "\xef\xbb\xbf" + kLPrism,
          kLPrism + "l 1 2 3\np 1\ncurv2 1 2\nwhat 1 2 \\\n3 4\n"}) {
        const Read read = read_with(read_obj, text);
        EXPECT_EQ(read.outcome.what, "");
        EXPECT_EQ(read.positions, plain.positions);
        EXPECT_EQ(read.triangles, plain.triangles);
    }
    // A backslash joins lines, between words and right behind one, at all three line ends.
    for (const char* joint : {"\\\n", " \\\n", "\\\r\n", "\\\r", " \\\n  \\\n "}) {
        const std::string text =
            kSquare + "f 1 2" + joint + (joint[0] == ' ' ? "3 4" : " 3 4") + "\nf 1 2 9\n";
        const auto lines = std::count(joint, joint + std::strlen(joint), '\\');
        EXPECT_EQ(verdict(read_obj, text),
                  "line " + std::to_string(6 + lines) +
                      ": a face refers to a vertex that does not exist; there are 4");
        EXPECT_DOUBLE_EQ(area(read_with(read_obj, text.substr(0, text.size() - 8))), 1.0) << joint;
    }
    // But none of names, which may end with one as folders do, nor lines that no statement begins.
    for (const char* names :
         {"usemtl C:\\mats\\", "mtllib a\\b\\", "g x\\", "o x\\", "s \\", "what x\\", "vt 0 0 # a\\"})
        for (const char* end : {"\n", "\r\n", "\r"})
            EXPECT_DOUBLE_EQ(area(read_with(read_obj, kSquare + names + end + "f 1 2 3 4\n")), 1.0) << names;
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 \\"), "line 5: \"\\\" is not the number of a vertex");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 \\x 3\n"), "line 5: \"\\x\" is not the number of a vertex");
}

TEST(ObjReader, WeightsAndColorsChangeNoPosition) {
    const Read plain = read_with(read_obj, kSquare + "f 1 2 3 4\n");
    for (const char* rest : {" 1", " 2.5", " 0", " .1 .2 .3", " 255 0 0", " 1 0.1 0.2 0.3", " nan nan nan"}) {
        const Read read =
            read_with(read_obj, with_line_ends(kSquare, std::string(rest) + "\n") + "f 1 2 3 4\n");
        EXPECT_EQ(read.outcome.what, "") << rest;
        EXPECT_EQ(read.positions, plain.positions) << rest;
    }
    EXPECT_EQ(verdict(read_obj, "v 0 0 0 red\n"), "line 1: \"red\" is not a number");
    EXPECT_EQ(verdict(read_obj, "v 0 0 # 0\n"), "line 1: a number is missing");
}

TEST(ObjReader, CornersMayNameTextureAndNormal) {
    for (const char* faces : {"f 1/7 2/8 3/9 4/1", "f 1/7/2 2/8/3 3/9/4 4/1/5", "f 1//2 2//3 3//4 4//5",
                              "f 1/ 2/ 3/ 4/", "f -4/-1/-1 -3/-1/-1 -2/-1/-1 -1/-1/-1", "f +1 +2 +3 +4"})
        EXPECT_DOUBLE_EQ(area(read_with(read_obj, kSquare + faces)), 1.0) << faces;
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1/x 2 3\n"), "line 5: \"1/x\" is not a corner of a face");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1/1/1/1 2 3\n"),
              "line 5: \"1/1/1/1\" is not the number of a vertex");
    EXPECT_EQ(verdict(read_obj, kSquare + "f /1/1 2 3\n"), "line 5: \"/1/1\" is not the number of a vertex");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1.0 2 3\n"), "line 5: \"1.0\" is not the number of a vertex");
}

TEST(Budgets, HoldWhileReading) {
    MeshLimits limits;
    limits.vertices = 4;
    limits.triangles = 2;
    limits.face_corners = 5;
    limits.line_bytes = 60;
    const std::string two = kSquare + "f 1 2 3\nf 1 3 4\n";
    EXPECT_EQ(verdict(read_obj, two, limits), "done");
    EXPECT_EQ(verdict(read_obj, two + "f 1 2 4\n", limits),
              "line 7: has more than 2 faces, the most that are read");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 3 4\nf 1 2 3\n", limits),
              "line 6: has more than 2 triangles, the most that are read");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 1 1\nf 1 1 1\nf 2 2 2", limits),
              "line 7: has more than 2 faces, the most that are read")
        << "triangles without area count, too";
    EXPECT_EQ(verdict(read_obj, two + "v 0 0 0\n", limits),
              "line 7: has more than 4 vertices, the most that are read");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 3 4 1 2\n", limits),
              "line 5: has more than 5 corners in one face, the most that are read");
    const std::string long_line = "line 5: the line is longer than 60 bytes, the most that is read";
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 3" + std::string(61, ' '), limits), long_line);
    EXPECT_EQ(verdict(read_obj, kSquare + "#" + std::string(61, 'x') + "\nf 1 2 3\n", limits), long_line);
    EXPECT_EQ(verdict(read_obj, kSquare + "usemtl " + std::string(61, 'x') + "\nf 1 2 3\n", limits),
              long_line);
    EXPECT_EQ(verdict(read_obj, kSquare + "v " + std::string(61, '0') + " 0 0\n", limits).substr(0, 15),
              "line 5: has mor");
    EXPECT_EQ(verdict(read_off, "OFF\n5 1 0\n", limits),
              "line 2: declares more vertices or faces than the file can hold");
    EXPECT_EQ(verdict(read_off, "OFF\n5 1 0\n" + std::string(50, ' '), limits),
              "line 2: has more than 4 vertices, the most that are read");
    EXPECT_EQ(verdict(read_off, "OFF\n1 3 0\n" + std::string(50, ' '), limits),
              "line 2: has more than 2 faces, the most that are read");
    EXPECT_EQ(verdict(read_off, "OFF\n1 1 0\n0 0 0\n6 0 0 0 0 0 0\n", limits),
              "line 4: has more than 5 corners in one face, the most that are read");
    EXPECT_EQ(verdict(read_off, "OFF\n1 1 0\n0 0 0 " + std::string(61, ' ') + "\n3 0 0 0\n", limits),
              "line 3: the line is longer than 60 bytes, the most that is read");
    const std::string ply = "ply\nformat ascii 1.0\n";
    const std::string vertex = "property float x\nproperty float y\nproperty float z\n";
    const std::string list = "property list int int vertex_indices\n";
    EXPECT_EQ(verdict(read_ply, ply + "element vertex 5\n" + vertex + "end_header\n" + std::string(60, '0'),
                      limits),
              "line 8: has more than 4 vertices, the most that are read");
    EXPECT_EQ(
        verdict(read_ply, ply + "element face 3\n" + list + "end_header\n" + std::string(50, '0'), limits),
        "line 6: has more than 2 faces, the most that are read");
    EXPECT_EQ(verdict(read_ply, ply + "element face 1\n" + list + "end_header\n6 1 2 3 4 5 6\n", limits),
              "line 6: has more than 5 corners in one face, the most that are read");
    EXPECT_EQ(verdict(read_ply, ply + "element tristrips 1\n" + list + "end_header\n6 1 2 3 4 5 6\n", limits),
              "line 6: has more than 2 triangles, the most that are read");
    EXPECT_EQ(verdict(read_ply, ply + "comment " + std::string(61, 'x') + "\n", limits),
              "line 3: the line is longer than 60 bytes, the most that is read");
    EXPECT_EQ(verdict(read_stl, "solid " + std::string(90, 'x') + "\n", limits),
              "line 1: the line is longer than 60 bytes, the most that is read");
    std::string three = "solid\n";
    for (int i = 0; i < 3; ++i)
        three +=
            "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    EXPECT_EQ(verdict(read_stl, three + "endsolid\n", limits),
              "line 22: has more than 2 triangles, the most that are read");
    const std::string binary = encode_mesh(bv::workloads::box().view(), "box", MeshFormat::StlBinary);
    EXPECT_EQ(verdict(read_stl, binary, limits),
              "byte 196: has more than 2 triangles, the most that are read");
}

TEST(ObjReader, SaysWhichLineIsWrong) {
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 5\n"),
              "line 5: a face refers to a vertex that does not exist; there are 4");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 0\n"), "line 5: \"0\" is not the number of a vertex");
    EXPECT_EQ(verdict(read_obj, kSquare + "\nf 1 2 -5\n"),
              "line 6: \"-5\" refers to a vertex that does not exist; there are 4 so far");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2\n"), "line 5: a face has fewer than three corners");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 x\n"), "line 5: \"x\" is not the number of a vertex");
    EXPECT_EQ(verdict(read_obj, "v 0 0 nan\n"), "line 1: \"nan\" is not finite");
    EXPECT_EQ(verdict(read_obj, "v 0 0\n"), "line 1: a number is missing");
    EXPECT_EQ(verdict(read_obj, "\n\nv 0 1e999 0\n"), "line 3: \"1e999\" is not finite");
    EXPECT_EQ(verdict(read_obj, "v 0 0 1e13\n").substr(0, 26), "line 1: has a vertex farth");
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 99999999999999999999\n"),
              "line 5: \"99999999999999999999\" is not the number of a vertex");
}

const std::string kFacet =
    "facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n";

TEST(StlReader, ReadsTextAndBinary) {
    EXPECT_DOUBLE_EQ(area(read_with(read_stl, "solid\n" + kFacet + "endsolid\n")), 0.5);
    const Read two = read_with(
        read_stl, "  solid a b c\n" + kFacet + "endsolid a b c\nSOLID two\r\n" + kFacet + "EndSolid");
    EXPECT_EQ(two.outcome.parts, 2u);
    EXPECT_EQ(two.triangles.size(), 2u);
    // Normals may be anything, as many exporters write them.
    std::string odd = "solid\n" + kFacet + "endsolid\n";
    odd.replace(odd.find("0 0 1"), 5, "nan -nan(ind) inf");
    EXPECT_EQ(verdict(read_stl, odd), "done");
    // Binary files of which the header begins like a text.
    std::string binary = encode_mesh(bv::workloads::box().view(), "box", MeshFormat::StlBinary);
    binary.replace(0, 10, "solid name");
    EXPECT_EQ(read_with(read_stl, binary).triangles.size(), 12u);
    // And with something behind the triangles.
    binary.replace(0, 5, "SOLIX");
    EXPECT_EQ(read_with(read_stl, binary + "appendix").triangles.size(), 12u);
    binary.replace(0, 5, "solid");
    EXPECT_EQ(read_with(read_stl, binary + "appendix").triangles.size(), 12u);
    EXPECT_EQ(verdict(read_stl, binary.substr(0, binary.size() - 1)),
              "byte 80: states 12 triangles, but there are bytes for 11");
    // A count that was never updated.
    for (const int stated : {0, 11}) {
        binary[80] = static_cast<char>(stated);
        EXPECT_EQ(verdict(read_stl, binary), "byte 80: states " + std::to_string(stated) +
                                                 " triangles, but there are 12: its count is wrong");
    }
    binary[80] = 12;
    EXPECT_EQ(read_with(read_stl, binary + std::string(100, '\0')).triangles.size(), 12u) << "padding";
    // All ways to write numbers and to end lines.
    std::string numbers = "solid\n" + kFacet + "endsolid\n";
    numbers.replace(numbers.find("1 0 0\n"), 5, "+1. .0 0e5");
    for (const char* end : {"\n", "\r\n", "\r"})
        EXPECT_DOUBLE_EQ(area(read_with(read_stl, with_line_ends(numbers, end))), 0.5);
}

TEST(StlReader, SaysWhereItIsWrong) {
    const std::string start = "solid x\n" + kFacet;
    EXPECT_EQ(verdict(read_stl, start), "line 9: ends before its solid does: it was cut off");
    EXPECT_EQ(verdict(read_stl, start + "facet\nvertex 0 0\nendfacet\n"),
              "line 11: \"endfacet\" is not a number");
    EXPECT_EQ(verdict(read_stl, start + "facet\nendfacet\n"),
              "line 10: a facet does not have exactly three corners");
    EXPECT_EQ(verdict(read_stl, start + "what\n"), "line 9: \"what\" is not a keyword of STL files");
    EXPECT_EQ(verdict(read_stl, start + "vertex 0 0 0\n"), "line 9: a vertex is not allowed here");
    EXPECT_EQ(verdict(read_stl, "short"), ": is too short for an STL file: it was cut off");
    const std::string binary = encode_mesh(bv::workloads::box().view(), "box", MeshFormat::StlBinary);
    EXPECT_EQ(verdict(read_stl, binary.substr(0, binary.size() - 1)),
              "byte 80: states 12 triangles, but there are bytes for 11");
    std::string bad = binary;
    const float nan = std::nanf("");
    std::memcpy(bad.data() + 84 + 3 * 50 + 12, &nan, 4);
    EXPECT_EQ(verdict(read_stl, bad).substr(0, 9), "byte 246:");
}

TEST(OffReader, ReadsWhatExportersWrite) {
    const std::string rows =
        "0 0 0\n1 0 0 # corner\n\n1 1 0\n# between\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n2 0 1\n";
    for (const char* start :
         {"OFF\n4 2 0\n", "OFF 4 2 0\n", "# first\nOFF # name\n# more\n4 2\n0\n", "COFF\r\n4 2 0\r\n"})
        EXPECT_DOUBLE_EQ(area(read_with(read_off, start + rows)), 1.0) << start;
    EXPECT_DOUBLE_EQ(
        area(read_with(read_off, "NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n")), 0.5);
    std::string points = "OFF\n3 201 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";  // faces of four bytes each
    for (int i = 0; i < 200; ++i)
        points += "1 0\n";
    EXPECT_DOUBLE_EQ(area(read_with(read_off, points)), 0.5);
    for (const char* end : {"\n", "\r\n", "\r"}) {
        EXPECT_DOUBLE_EQ(area(read_with(read_off, with_line_ends("OFF\n4 2 0\n" + rows, end))), 1.0);
        // Neither the first word nor the number of edges is always there.
        EXPECT_DOUBLE_EQ(area(read_with(read_off, with_line_ends("4 2 0\n" + rows, end))), 1.0);
        EXPECT_DOUBLE_EQ(area(read_with(read_off, with_line_ends("OFF\n4 2\n" + rows, end))), 1.0);
        EXPECT_DOUBLE_EQ(area(read_with(read_off, with_line_ends("OFF\n4 2 # no edges\n" + rows, end))), 1.0);
    }
    for (const char* kind :
         {"COFF", "NOFF", "CNOFF", "STOFF", "STCNOFF", "nOFF\n3", "NCOFF", "NSTOFF", "CSTNOFF", "nCOFF\n3"})
        EXPECT_DOUBLE_EQ(area(read_with(read_off, kind + ("\n4 2 0\n" + rows))), 1.0) << kind;
    for (const char* kind : {"4OFF", "4COFF", "N4OFF", "4nOFF\n3"})
        EXPECT_DOUBLE_EQ(
            area(
                read_with(read_off, kind + std::string("\n3 1 0\n0 0 0 1\n2 0 0 2\n0 .5 0 5e-1\n3 0 1 2\n"))),
            0.5);
    EXPECT_EQ(verdict(read_off, "CNCOFF\n1 0 0\n0 0 0\n"), "line 1: \"CNCOFF\" is not a kind of OFF file");
    EXPECT_EQ(verdict(read_off, "4OFF\n3 1 0\n0 0 0 1\n2 0 0 0\n0 .5 0 .5\n3 0 1 2\n").substr(0, 17),
              "line 4: has a ver");
    EXPECT_EQ(verdict(read_off, "nOFF\n4\n1 0 0\n0 0 0 0\n"),
              "line 2: its vertices do not have three dimensions");
    EXPECT_EQ(verdict(read_off, "XOFF\n1 0 0\n0 0 0 0\n"), "line 1: \"XOFF\" is not a kind of OFF file");
    EXPECT_EQ(verdict(read_off, "OFF BINARY\n"), "line 1: is a binary OFF file; only texts are read");
    // A face that is not convex.
    EXPECT_DOUBLE_EQ(area(read_with(read_off, "OFF\n4 1 0\n2 0 0\n.5 .5 0\n0 2 0\n0 0 0\n4 0 1 2 3\n")), 1.0);
}

/// Where no colors and the like follow the numbers, several vertices and faces may share a line.
TEST(OffReader, TakesFreeForm) {
    const char* const free[] = {"OFF 4 2 6\n0 0 0 1 0 0 1 1 0 0 1 0\n3 0 1 2 3 0 2 3\n",
                                "OFF 4 2 6 0 0 0 1 0 0 1 1 0 0 1 0 3 0 1 2 3 0 2 3",
                                "OFF\n4 2 0 # counts\n0 0 0 1 # half\n0 0 1 1 0 0 1 0\n3 0 1 2 3 0 2 3\n"};
    for (const char* const text : free)
        EXPECT_DOUBLE_EQ(area(read_with(read_off, text)), 1.0) << text;
    EXPECT_NE(verdict(read_off, "OFF 4 2 6\n0 0 0 1 0 0 1 1 0 0 1\n").find("cut off"), std::string::npos);
}

TEST(OffReader, SaysWhichLineIsWrong) {
    const std::string start = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(verdict(read_off, start + "3 0 1 2\n"), "done");
    EXPECT_EQ(verdict(read_off, start + "3 0 1 2 # last\n\n3 0 2 1\n"),
              "line 8: has \"3\" after the last of the 1 faces that it states: a count is wrong");
    EXPECT_EQ(verdict(read_off, start + "3 0 1 3\n"),
              "line 6: \"3\" is not the number of a vertex; they go from 0 to 2");
    EXPECT_EQ(verdict(read_off, "OFF\n0 1 0\n3 0 1 2\n"),
              "line 3: \"0\" is not the number of a vertex; there are none");
    EXPECT_EQ(verdict(read_off, start + "3 0 1 -1\n"),
              "line 6: \"-1\" is not the number of a vertex; they go from 0 to 2");
    EXPECT_EQ(verdict(read_off, start + "3 0 1\n"), "line 6: a face has fewer corners than it declares");
    EXPECT_EQ(verdict(read_off, start + "x\n"), "line 6: \"x\" is not a number of corners");
    EXPECT_EQ(verdict(read_off, start), "line 6: ends after 0 of 1 faces: it was cut off");
    EXPECT_EQ(verdict(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n"),
              "line 5: ends after 2 of 3 vertices: it was cut off");
    EXPECT_EQ(verdict(read_off, "OFF\n3 1 0\n0 inf 0\n"), "line 3: \"inf\" is not finite");
    EXPECT_EQ(verdict(read_off, "OF\n"), "line 1: does not begin with OFF");
    EXPECT_EQ(verdict(read_off, "OFF\n3 x 0\n"),
              "line 2: the numbers of vertices, faces and edges are missing");
    EXPECT_NE(verdict(read_off, "OFF\n900000000000 1 0\n").find("can hold"), std::string::npos);
}

struct FuzzCase {
    const char* name;
    MeshFormat format;
    Reader reader;
};

class Damaged : public testing::TestWithParam<FuzzCase> {};

TEST_P(Damaged, TextsAreReadOrRefusedButDoNoHarm) {
    const char* scale = std::getenv("BV_TEST_SCALE");
    const int rounds = scale != nullptr ? std::max(1, static_cast<int>(3000 * std::atof(scale))) : 3000;
    const std::string good = encode_mesh(bv::workloads::icosphere(1).view(), "ball", GetParam().format);
    constexpr std::array<std::string_view, 10> kWords{
        "nan", "1e999", "-1", "4294967296", "99999999999999999999", "#", "\\", "list", "\n", "0"};
    Random random(5, static_cast<std::uint64_t>(GetParam().format));
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string text = good;
        for (std::uint32_t n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
            const auto size = static_cast<std::uint32_t>(text.size());
            // Half of the damage goes to the first bytes, where the counts are.
            const std::size_t at = random.below(random.chance(0.5f) ? std::min(size, 250u) : size);
            switch (random.below(6)) {
                case 0:
                    text[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    text.resize(at);
                    break;
                case 2:
                    text.erase(at, 1 + random.below(20));
                    break;
                case 3:
                    text.insert(at, kWords.at(random.below(kWords.size())));
                    break;
                case 4:
                    text.replace(at, 1 + random.below(8), kWords.at(random.below(kWords.size())));
                    break;
                default:
                    text.insert(at, text.substr(random.below(size), random.below(100)));
                    break;
            }
        }
        const Read read = read_with(GetParam().reader, text);
        refused += !read.outcome.ok();
        for (const glm::uvec3& t : read.triangles)
            ASSERT_LT(std::max({t.x, t.y, t.z}), read.positions.size());
        for (const glm::vec3& p : read.positions)
            ASSERT_TRUE(bv::is_finite(p));
    }
    EXPECT_GT(refused, rounds / 4);
    EXPECT_LT(refused, rounds);
}

INSTANTIATE_TEST_SUITE_P(All, Damaged,
                         testing::Values(FuzzCase{"obj", MeshFormat::Obj, read_obj},
                                         FuzzCase{"stl_text", MeshFormat::StlText, read_stl},
                                         FuzzCase{"stl_binary", MeshFormat::StlBinary, read_stl},
                                         FuzzCase{"ply_text", MeshFormat::PlyText, read_ply},
                                         FuzzCase{"ply_binary", MeshFormat::PlyBinary, read_ply},
                                         FuzzCase{"off", MeshFormat::Off, read_off}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Numbers, AreReadExactlyAndRefusedClearly) {
    float value = 5.0f;
    for (const auto& [word, expected] :
         {std::pair{"1", 1.0f}, std::pair{"-0.1", -0.1f}, std::pair{"+2.5e-1", 0.25f},
          std::pair{"1e-60", 0.0f}, std::pair{"1e-999", 0.0f}, std::pair{".5", 0.5f}, std::pair{"5.", 5.0f},
          std::pair{"+1", 1.0f}, std::pair{"1e3", 1000.0f}, std::pair{"1E+3", 1000.0f},
          std::pair{"+.5", 0.5f}, std::pair{"-.5e1", -5.0f}, std::pair{"-5.", -5.0f}, std::pair{"-0", 0.0f},
          std::pair{"3.4028235e38", 3.4028235e38f}, std::pair{"1e-99999999999999999999", 0.0f}}) {
        EXPECT_EQ(parse_finite(word, value), "") << word;
        EXPECT_EQ(value, expected) << word;
    }
    for (const char* word : {"",
                             "x",
                             "1x",
                             "--1",
                             "+-1",
                             "++1",
                             ".",
                             "e5",
                             "1e",
                             "1e+",
                             "1e99999999999999999999",
                             "1 ",
                             "0x10",
                             "1,5",
                             "nan",
                             "inf",
                             "-inf",
                             "1e39",
                             "1e999",
                             "-1e999",
                             "+",
                             "-"})
        EXPECT_NE(parse_finite(word, value), "") << word;
    // Whether a number is too small or too large is not told by its exponent alone.
    const std::string zeros(400, '0');
    EXPECT_EQ(parse_finite("0." + zeros + "1", value), "");
    EXPECT_EQ(value, 0.0f);
    EXPECT_EQ(parse_finite("1" + zeros + "e-500", value), "");
    EXPECT_EQ(value, 0.0f);
    EXPECT_EQ(parse_finite("1" + zeros + "e-400", value), "");
    EXPECT_EQ(value, 1.0f);
    EXPECT_NE(parse_finite("1" + zeros + "e-5", value).find("is not finite"), std::string::npos);
    EXPECT_NE(parse_finite("-1" + zeros, value).find("is not finite"), std::string::npos);
    EXPECT_EQ(parse_finite("0.000" + zeros + "1e403", value), "");
    EXPECT_EQ(value, 0.1f);
    EXPECT_EQ(parse_whole("+3"), 3);
    EXPECT_FALSE(parse_whole("+-3") || parse_whole("++3") || parse_whole("+") || parse_whole("-"));
    EXPECT_EQ(parse_whole("12"), 12);
    EXPECT_EQ(parse_whole("-3"), -3);
    EXPECT_FALSE(parse_whole("1.5") || parse_whole("") || parse_whole("99999999999999999999") ||
                 parse_whole("1x"));
    EXPECT_EQ(shown("a\nb\xff"), "\"a?b?\"");
}

}  // namespace
}  // namespace lab::io
