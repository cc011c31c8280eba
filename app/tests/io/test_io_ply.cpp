// The reader of PLY by itself: the variants that exporters write, and the place of each fault.
#include <gtest/gtest.h>

#include <cstring>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "io/meshes/formats/mesh_formats.hpp"
#include "io/meshes/mesh_builder.hpp"
#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io_test_tools.hpp"
#include "mesh_read.hpp"
#include "workloads/meshes.hpp"

namespace lab::io {
namespace {

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
    // Line ends within rows do not matter, nor do those of other systems.
    EXPECT_DOUBLE_EQ(area(read_with(read_ply, with_line_ends(header + rows, "\r\n"))), 1.0);
    EXPECT_DOUBLE_EQ(area(read_with(read_ply, with_line_ends(header + rows, "\r"))), 1.0);
    std::string numbers = header + rows;
    numbers.replace(numbers.find("9 1 0 1"), 7, "9 +1. .0 1e0");
    EXPECT_DOUBLE_EQ(area(read_with(read_ply, numbers)), 1.0);
}

/// Bytes of a value in the order that the file states.
template <class T>
std::string raw(T value, bool big) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    if (big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

TEST(PlyReader, SkipsListsAndValuesOfEveryTypeAnywhere) {
    const std::vector<std::string> types{"char",   "int8",   "uchar", "uint8",   "short",  "int16",
                                         "ushort", "uint16", "int",   "int32",   "uint",   "uint32",
                                         "int64",  "uint64", "float", "float32", "double", "float64"};
    const auto value = [](const std::string& type, double number, bool big) -> std::string {
        if (type == "char" || type == "int8") return raw(static_cast<std::int8_t>(number), big);
        if (type == "uchar" || type == "uint8") return raw(static_cast<std::uint8_t>(number), big);
        if (type == "short" || type == "int16") return raw(static_cast<std::int16_t>(number), big);
        if (type == "ushort" || type == "uint16") return raw(static_cast<std::uint16_t>(number), big);
        if (type == "int" || type == "int32") return raw(static_cast<std::int32_t>(number), big);
        if (type == "uint" || type == "uint32") return raw(static_cast<std::uint32_t>(number), big);
        if (type == "int64") return raw(static_cast<std::int64_t>(number), big);
        if (type == "uint64") return raw(static_cast<std::uint64_t>(number), big);
        if (type == "float" || type == "float32") return raw(static_cast<float>(number), big);
        return raw(number, big);
    };
    for (const std::string& type : types) {
        for (const std::string& format :
             {std::string("ascii"), std::string("binary_little_endian"), std::string("binary_big_endian")}) {
            const bool real = type.starts_with("float") || type == "double";
            const bool text = format == "ascii";
            const bool big = format == "binary_big_endian";
            const auto put = [&](const std::string& of, double number) {
                if (!text) return value(of, number, big);
                const bool whole = number == std::floor(number);
                return (whole ? std::to_string(static_cast<int>(number)) : std::to_string(number)) + " ";
            };
            // Vertices behind the faces; lists of this type before, between and behind what counts.
            std::string bytes = ply_header(
                format, "element thing 2\nproperty " + type + " a\nproperty list uchar " + type +
                            " b\nelement face 1\nproperty list uchar " + type + " texcoord\nproperty list " +
                            (real ? "uchar" : type) + " " + type + " vertex_indices\nproperty " + type +
                            " flag\nelement vertex 4\nproperty list uchar " + type + " weights\nproperty " +
                            type + " x\nproperty double z\nproperty float y\nproperty list ushort " + type +
                            " more\n");
            const double odd = real ? 0.25 : 3.0;
            for (int row = 0; row < 2; ++row)
                bytes += put(type, odd) + put("uchar", 3) + put(type, odd) + put(type, odd) + put(type, odd);
            bytes += put("uchar", 2) + put(type, odd) + put(type, odd) + put(real ? "uchar" : type, 4) +
                     put(type, 0) + put(type, 1) + put(type, 2) + put(type, 3) + put(type, odd);
            for (const auto& [x, z] : {std::pair{0, 0}, std::pair{2, 0}, std::pair{2, 3}, std::pair{0, 3}})
                bytes += put("uchar", 1) + put(type, odd) + put(type, x) + put("double", z) +
                         put("float", 0) + put("ushort", 0);
            const Read read = read_with(read_ply, bytes);
            EXPECT_EQ(read.outcome.what, "") << type << " " << format << " " << read.outcome.where;
            EXPECT_DOUBLE_EQ(area(read), 6.0) << type << " " << format;
        }
    }
}

TEST(PlyReader, TakesTheTextureCoordinatesOfCommonExporters) {
    const std::string header =
        ply_header("ascii",
                   "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                   "element face 1\nproperty list uchar int vertex_indices\n"
                   "property list uchar float texcoord\nproperty int texnumber\n");
    EXPECT_DOUBLE_EQ(
        area(read_with(read_ply, header + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 .5 1. nan 1e-3 -0.25 7\n")), 0.5);
    EXPECT_EQ(verdict(read_ply, header + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 .5 1. red 1e-3 -0.25 7\n"),
              "line 17: \"red\" is not a number");
}

TEST(PlyReader, CutsTriangleStrips) {
    const std::string header =
        ply_header("ascii",
                   "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
                   "element tristrips 1\nproperty list int int vertex_indices\n");
    const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0\n";
    const Read strip = read_with(read_ply, header + vertices + "6 0 1 2 3 4 5\n");
    EXPECT_EQ(strip.triangles.size(), 4u);
    EXPECT_DOUBLE_EQ(area(strip), 2.0);
    for (const glm::uvec3& t : strip.triangles) {
        const glm::vec3 a = strip.positions[t.x];
        EXPECT_GT(glm::cross(strip.positions[t.y] - a, strip.positions[t.z] - a).z, 0.0f)
            << "faces the other way";
    }
    const Read two = read_with(read_ply, header + vertices + "7 0 1 2 -1 2 3 4\n");
    EXPECT_EQ(two.triangles.size(), 2u);
    EXPECT_DOUBLE_EQ(area(two), 1.0);
    EXPECT_EQ(verdict(read_ply, header + vertices + "3 0 1 -2\n"),
              "line 18: a face refers to a vertex that does not exist");
}

TEST(PlyReader, AHeaderWithCrAloneLeavesBinaryValuesAlone) {
    // The first value begins with the byte of an LF.
    const std::string elements =
        "element face 1\nproperty uchar flag\nproperty list uchar uchar vertex_indices\n"
        "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    const std::string values = std::string("\x0a\x03\x00\x01\x02", 5) + raw(0.0f, false) + raw(0.0f, false) +
                               raw(0.0f, false) + raw(1.0f, false) + raw(0.0f, false) + raw(0.0f, false) +
                               raw(0.0f, false) + raw(1.0f, false) + raw(0.0f, false);
    for (const char* end : {"\n", "\r\n", "\r"})
        EXPECT_DOUBLE_EQ(
            area(read_with(read_ply,
                           with_line_ends(ply_header("binary_little_endian", elements), end) + values)),
            0.5);
}

TEST(PlyReader, ValuesBeginBehindTheLineEndOfTheHeaderItself) {
    const std::string header = ply_header("binary_little_endian",
                                          "element vertex 3\nproperty float x\nproperty float y\n"
                                          "property float z\nelement face 1\n"
                                          "property list uchar uchar vertex_indices\n");
    std::string values;
    for (const float v : {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f})
        values += raw(v, false);
    values += std::string("\x03\x00\x01\x02", 4);
    std::string first_differs = header, last_differs = header;
    first_differs.insert(first_differs.find('\n'), "\r");
    last_differs.insert(last_differs.size() - 1, "\r");
    for (const std::string& mixed : {first_differs, last_differs})
        EXPECT_DOUBLE_EQ(area(read_with(read_ply, mixed + values)), 0.5) << mixed;
}

TEST(PlyReader, OneWithoutAnyRowsIsNotCutOff) {
    const std::string elements =
        "element vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 0\n"
        "property list uchar int vertex_indices\n";
    for (const char* format : {"ascii", "binary_little_endian"}) {
        const std::string empty = ply_header(format, elements);
        for (const std::string& text : {empty, empty.substr(0, empty.size() - 1)}) {
            MeshBuilder builder;
            const ReadOutcome outcome = read_ply(text, builder, [](float) {});
            ASSERT_TRUE(outcome.ok()) << outcome.where << outcome.what;
            EXPECT_EQ(builder.finish("x.ply", outcome.parts).error().what, "has no triangles");
        }
    }
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
    EXPECT_EQ(verdict(read_ply, good + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 2 1\n"),
              "line 16: has \"3\" after the last row that its header states: a count is wrong");
    const std::string ball = encode_mesh(bv::workloads::icosphere(0).view(), "ball", MeshFormat::PlyBinary);
    EXPECT_NE(verdict(read_ply, ball + ball.substr(ball.size() - 13)).find("has 13 bytes after"),
              std::string::npos);
    EXPECT_EQ(verdict(read_ply, ball + "\n"), "done");
    EXPECT_EQ(verdict(read_ply, good), "line 12: ends after its header: it was cut off");
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
              "line 8: its vertices do not have one x, one y and one z");
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

}  // namespace
}  // namespace lab::io
