// The readers of OBJ, STL, PLY and OFF by themselves: the variants that exporters write, the place of each
// fault, and thousands of damaged texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "io/mesh_export.hpp"
#include "io/mesh_file.hpp"
#include "io/mesh_formats.hpp"
#include "io/text_scanner.hpp"
#include "io_test_tools.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using bv::workloads::Random;
using Reader = ReadOutcome (*)(std::string_view, MeshBuilder&, const ReadProgress&);

struct Read {
    ReadOutcome outcome;
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
};

Read read_with(Reader reader, std::string_view text) {
    MeshBuilder builder;
    Read read;
    read.outcome = reader(text, builder, [](float fraction) { EXPECT_LE(fraction, 1.0f); });
    if (read.outcome.kind != ReadOutcome::Kind::Done) return read;
    Result<MeshFile> file = builder.finish("file", read.outcome.parts);
    if (file) {
        read.positions = file->mesh.positions;
        read.triangles = file->mesh.triangles;
    }
    return read;
}

/// `line 3: what is wrong`, `done` or `left`.
std::string verdict(Reader reader, std::string_view text) {
    const ReadOutcome outcome = read_with(reader, text).outcome;
    switch (outcome.kind) {
        case ReadOutcome::Kind::Done:
            return "done";
        case ReadOutcome::Kind::LeaveIt:
            return "left";
        default:
            return outcome.where + ": " + outcome.what;
    }
}

double area(const Read& read) {
    double sum = 0.0;
    for (const glm::uvec3& t : read.triangles) {
        const glm::dvec3 a(read.positions[t.x]);
        sum += 0.5 * glm::length(glm::cross(glm::dvec3(read.positions[t.y]) - a,
                                            glm::dvec3(read.positions[t.z]) - a));
    }
    return sum;
}

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

TEST(ObjReader, LeavesRareThingsToAssimp) {
    EXPECT_EQ(verdict(read_obj, kSquare + "f 1 2 \\\n3 4\n"), "left");
    EXPECT_EQ(verdict(read_obj, kSquare + "v 2 2 2 2\nf 1 2 3\n"), "left");
    EXPECT_EQ(verdict(read_obj, "# a path\\\n" + kSquare + "f 1 2 3\n"), "done");
    const std::string dart = "v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 2 3 4 1\n";
    EXPECT_EQ(verdict(read_obj, dart), "left") << "its fan from the first corner would leave the polygon";
    const testing_tools::TestFolder folder;
    for (const auto& [text, expected] : {std::pair{dart, 1.0}, std::pair{kSquare + "f 1 2 \\\n3 4\n", 1.0}}) {
        const Result<MeshFile> file = read_mesh_file(folder.write("rare.obj", text));
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_NEAR(area({{}, file->mesh.positions, file->mesh.triangles}), expected, 1e-6);
    }
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
}

TEST(StlReader, SaysWhereItIsWrong) {
    const std::string start = "solid x\n" + kFacet;
    EXPECT_EQ(verdict(read_stl, start), "line 9: ends before its solid does: it was cut off");
    EXPECT_EQ(verdict(read_stl, start + "facet\nvertex 0 0\nendfacet\n"),
              "line 11: \"endfacet\" is not a number");
    EXPECT_EQ(verdict(read_stl, start + "facet\nendfacet\n"),
              "line 10: a facet has not exactly three corners");
    EXPECT_EQ(verdict(read_stl, start + "what\n"), "line 9: \"what\" is not a word of STL files");
    EXPECT_EQ(verdict(read_stl, start + "vertex 0 0 0\n"), "line 9: a vertex stands where none belongs");
    EXPECT_EQ(verdict(read_stl, "short"), ": is too short for an STL file: it was cut off");
    const std::string binary = encode_mesh(bv::workloads::box().view(), "box", MeshFormat::StlBinary);
    EXPECT_EQ(verdict(read_stl, binary.substr(0, binary.size() - 1)),
              "byte 80: states 12 triangles, but there are bytes for 11");
    std::string bad = binary;
    const float nan = std::nanf("");
    std::memcpy(bad.data() + 84 + 3 * 50 + 12, &nan, 4);
    EXPECT_EQ(verdict(read_stl, bad).substr(0, 9), "byte 246:");
}

std::string ply_header(const std::string& format, const std::string& elements) {
    return "ply\nformat " + format + " 1.0\ncomment a word\nobj_info b\n" + elements + "end_header\n";
}

TEST(PlyReader, ReadsTextWithMoreThanItNeeds) {
    const std::string header =
        ply_header("ascii",
                   "element vertex 4\nproperty uchar red\nproperty double x\nproperty float32 z\n"
                   "property float y\nelement edge 1\nproperty list uchar int pair\n"
                   "element face 2\nproperty uchar flag\nproperty list uint8 int32 vertex_index\n");
    const std::string rows = "9 0 0 0\n9 1 0 0\n9 1 0 1\n9 0 0 1\n2 0 1\n7 4 0 1 2 3\n7 2 0 1\n";
    const Read read = read_with(read_ply, header + rows);
    EXPECT_DOUBLE_EQ(area(read), 1.0);
    // Line ends within rows do not matter, nor do those of another system.
    std::string windows;
    for (const char c : header + rows)
        windows += c == '\n' ? "\r\n" : std::string(1, c);
    EXPECT_DOUBLE_EQ(area(read_with(read_ply, windows)), 1.0);
}

TEST(PlyReader, ReadsBothByteOrders) {
    const auto mesh = bv::workloads::icosphere(1);
    std::string little = encode_mesh(mesh.view(), "ball", MeshFormat::PlyBinary);
    std::string big = little;
    big.replace(big.find("little"), 6, "big");
    const std::size_t body = big.find("end_header\n") + 11;
    for (std::size_t at = body; at < body + mesh.positions.size() * 12; at += 4)
        std::reverse(&big[at], &big[at] + 4);
    for (std::size_t at = body + mesh.positions.size() * 12; at < big.size(); at += 13)
        for (std::size_t k = 0; k < 3; ++k)
            std::reverse(&big[at + 1 + 4 * k], &big[at + 1 + 4 * k] + 4);
    const Read a = read_with(read_ply, little);
    const Read b = read_with(read_ply, big);
    EXPECT_EQ(a.triangles.size(), mesh.triangles.size());
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.triangles, b.triangles);
}

TEST(PlyReader, SaysWhereItIsWrong) {
    const std::string elements =
        "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
        "property list uchar int vertex_indices\n";
    const std::string good = ply_header("ascii", elements);
    EXPECT_EQ(verdict(read_ply, good + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), "done");
    EXPECT_EQ(verdict(read_ply, good + "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n"), "line 13: \"nan\" is not finite");
    EXPECT_EQ(verdict(read_ply, good + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
              "face 0: a face refers to a vertex that does not exist; there are 3");
    EXPECT_EQ(verdict(read_ply, good + "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"),
              "line 15: a face refers to a vertex that does not exist");
    EXPECT_EQ(verdict(read_ply, good + "0 0 0\n1 0 0\n0 1 0\n3 0 1"),
              "line 15: ends too early: it was cut off");
    EXPECT_EQ(verdict(read_ply, good), "line 12: ends behind its header: it was cut off");
    EXPECT_EQ(verdict(read_ply, "ply\nformat ascii 1.0\n"), "line 3: ends within its header: it was cut off");
    EXPECT_EQ(verdict(read_ply, "play\n"), "line 1: does not begin with ply");
    EXPECT_EQ(verdict(read_ply, "ply\nformat utf8 1.0\n"), "line 2: \"utf8\" is not a format of PLY files");
    EXPECT_EQ(verdict(read_ply, "ply\nproperty float x\n"),
              "line 2: a property comes before the first element");
    EXPECT_EQ(verdict(read_ply, "ply\nelement vertex many\n"), "line 2: an element has no name or no number");
    EXPECT_EQ(verdict(read_ply, "ply\nelement vertex 1\nproperty real x\n"),
              "line 3: \"real\" is not a type of PLY files");
    EXPECT_EQ(verdict(read_ply, "ply\nelement vertex 1\nproperty float x\nend_header\n0\n"),
              "line 5: has a header without a format");
    EXPECT_EQ(verdict(read_ply, ply_header("ascii", "element vertex 1\nproperty float x\n") + "0\n"),
              "line 8: its vertices have no x, y and z");
    EXPECT_EQ(
        verdict(read_ply,
                ply_header("ascii", "element tristrips 1\nproperty list int int vertex_indices\n") + "0\n"),
        "left");
    const std::string many =
        ply_header("binary_little_endian",
                   "element vertex 9000000000000000000\nproperty float x\nproperty float y\n"
                   "property float z\n");
    EXPECT_NE(verdict(read_ply, many + "0123456789ab").find("too short"), std::string::npos);
    // An element without properties takes no room, however many there are of it.
    EXPECT_EQ(verdict(read_ply, ply_header("ascii", "element nothing 9000000000000000000\n" + elements) +
                                    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
              "done");
}

TEST(OffReader, ReadsWhatExportersWrite) {
    const std::string rows =
        "0 0 0\n1 0 0 # corner\n\n1 1 0\n# between\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n2 0 1\n";
    for (const char* start :
         {"OFF\n4 2 0\n", "OFF 4 2 0\n", "# first\nOFF # name\n# more\n4 2\n0\n", "COFF\r\n4 2 0\r\n"})
        EXPECT_DOUBLE_EQ(area(read_with(read_off, start + rows)), 1.0) << start;
    EXPECT_DOUBLE_EQ(
        area(read_with(read_off, "NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n")), 0.5);
    EXPECT_EQ(verdict(read_off, "4OFF\n1 0 0\n0 0 0 0\n"), "left");
    EXPECT_EQ(verdict(read_off, "OFF BINARY\n"), "left");
}

TEST(OffReader, SaysWhichLineIsWrong) {
    const std::string start = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(verdict(read_off, start + "3 0 1 2\n"), "done");
    EXPECT_EQ(verdict(read_off, start + "3 0 1 3\n"),
              "line 6: \"3\" is not the number of a vertex; they go from 0 to 2");
    EXPECT_EQ(verdict(read_off, start + "3 0 1 -1\n"),
              "line 6: \"-1\" is not the number of a vertex; they go from 0 to 2");
    EXPECT_EQ(verdict(read_off, start + "3 0 1\n"), "line 6: a face has fewer corners than it states");
    EXPECT_EQ(verdict(read_off, start + "x\n"), "line 6: \"x\" is not a number of corners");
    EXPECT_EQ(verdict(read_off, start), "line 6: ends after 0 of 1 faces: it was cut off");
    EXPECT_EQ(verdict(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n"),
              "line 5: ends after 2 of 3 vertices: it was cut off");
    EXPECT_EQ(verdict(read_off, "OFF\n3 1 0\n0 inf 0\n"), "line 3: \"inf\" is not finite");
    EXPECT_EQ(verdict(read_off, "OF\n"), "line 1: does not begin with OFF");
    EXPECT_EQ(verdict(read_off, "OFF\n3 x 0\n"),
              "line 2: the numbers of vertices, faces and edges are missing");
    EXPECT_NE(verdict(read_off, "OFF\n900000000000 1 0\n").find("has room for"), std::string::npos);
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
        if (read.outcome.kind == ReadOutcome::Kind::Wrong) {
            ++refused;
            ASSERT_FALSE(read.outcome.what.empty());
        }
        for (const glm::uvec3& t : read.triangles)
            ASSERT_LT(std::max({t.x, t.y, t.z}), read.positions.size());
        for (const glm::vec3& p : read.positions)
            ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
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
          std::pair{"3.4028235e38", 3.4028235e38f}}) {
        EXPECT_EQ(parse_finite(word, value), "") << word;
        EXPECT_EQ(value, expected) << word;
    }
    for (const char* word :
         {"", "x", "1x", "--1", "0x10", "1,5", "nan", "inf", "-inf", "1e39", "1e999", "-1e999", "+", "-"})
        EXPECT_NE(parse_finite(word, value), "") << word;
    EXPECT_EQ(parse_whole("12"), 12);
    EXPECT_EQ(parse_whole("-3"), -3);
    EXPECT_FALSE(parse_whole("1.5") || parse_whole("") || parse_whole("99999999999999999999") ||
                 parse_whole("1x"));
    EXPECT_EQ(shown("a\nb\xff"), "\"a?b?\"");
}

}  // namespace
}  // namespace lab::io
