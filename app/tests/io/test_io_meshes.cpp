// Meshes written here come back the same through the reading program; files that are no meshes are refused by
// name.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <glm/geometric.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "io/file_kind.hpp"
#include "io/meshes/mesh_builder.hpp"
#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io/meshes/mesh_import.hpp"
#include "io/meshes/process/mesh_wire.hpp"
#include "io_test_tools.hpp"
#include "workloads/meshes.hpp"

namespace lab::io {
namespace {

using bv::workloads::make_mesh;
using bv::workloads::MeshData;
using testing_tools::TestFolder;

struct FormatCase {
    const char* name;
    const char* extension;
    MeshFormat format;
};
constexpr std::array kFormats{
    FormatCase{"obj", ".obj", MeshFormat::Obj},
    FormatCase{"stl_text", ".stl", MeshFormat::StlText},
    FormatCase{"stl_binary", ".stl", MeshFormat::StlBinary},
    FormatCase{"ply_text", ".ply", MeshFormat::PlyText},
    FormatCase{"ply_binary", ".ply", MeshFormat::PlyBinary},
    FormatCase{"off", ".off", MeshFormat::Off},
    FormatCase{"gltf", ".gltf", MeshFormat::Gltf},
    FormatCase{"glb", ".glb", MeshFormat::Glb},
};

using Corner = std::array<float, 3>;
using Corners = std::array<Corner, 3>;

/// The triangles as positions, each turned so that its smallest corner comes first, sorted: what must survive
/// any format.
std::vector<Corners> soup(const MeshData& mesh) {
    std::vector<Corners> triangles;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const bv::Triangle t = mesh.view().triangle(i);
        Corners c{Corner{t.a.x, t.a.y, t.a.z}, Corner{t.b.x, t.b.y, t.b.z}, Corner{t.c.x, t.c.y, t.c.z}};
        std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
        triangles.push_back(c);
    }
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}

std::string error_of(const Result<MeshFile>& result) {
    return result ? "no error" : result.error().text();
}

class EachFormat : public testing::TestWithParam<FormatCase> {};

TEST_P(EachFormat, BringsAMeshBackAsItWas) {
    const TestFolder folder;
    for (const char* id : {"box", "teapot", "chain", "torus_knot"}) {
        const MeshData mesh = *make_mesh(id);
        const auto path = folder.write(std::string("my mesh") + GetParam().extension,
                                       encode_mesh(mesh.view(), mesh.name, GetParam().format));
        const Result<MeshFile> read = read_mesh_file(path);
        ASSERT_TRUE(read) << id << ": " << error_of(read);
        EXPECT_EQ(read->mesh.name, "my mesh");
        EXPECT_EQ(read->dropped, 0u);
        EXPECT_EQ(read->parts, 1u);
        std::set<Corner> places;
        for (const glm::vec3& p : mesh.positions)
            places.insert({p.x, p.y, p.z});
        EXPECT_EQ(read->mesh.positions.size(), places.size()) << id;
        EXPECT_EQ(soup(read->mesh), soup(mesh)) << id;
    }
}

TEST_P(EachFormat, ReadsAnUpperCaseName) {
    const TestFolder folder;
    std::string name = std::string("CUBE") + GetParam().extension;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    const auto path = folder.write(name, encode_mesh(make_mesh("box")->view(), "cube", GetParam().format));
    const Result<MeshFile> read = read_mesh_file(path);
    ASSERT_TRUE(read) << error_of(read);
    EXPECT_EQ(read->mesh.triangles.size(), 12u);
    EXPECT_EQ(read->mesh.positions.size(), 8u);
}

TEST_P(EachFormat, RefusesNaNByName) {
    const TestFolder folder;
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30f}) {
        MeshData mesh = *make_mesh("box");
        mesh.positions[3].y = bad;
        const auto path = folder.write(std::string("bad") + GetParam().extension,
                                       encode_mesh(mesh.view(), "bad", GetParam().format));
        const Result<MeshFile> read = read_mesh_file(path);
        ASSERT_FALSE(read) << bad;
        EXPECT_NE(read.error().text().find(path.string()), std::string::npos);
        EXPECT_FALSE(read.error().what.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(All, EachFormat, testing::ValuesIn(kFormats),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(MeshFiles, RefusesAnIndexOutOfRange) {
    const TestFolder folder;
    for (const FormatCase& row : kFormats) {
        if (row.extension == std::string_view(".stl")) continue;  // has no indices
        MeshData mesh = *make_mesh("box");
        mesh.triangles[5].y = 4000;
        const auto path =
            folder.write(std::string("bad") + row.extension, encode_mesh(mesh.view(), "bad", row.format));
        EXPECT_FALSE(read_mesh_file(path)) << row.name;
    }
}

TEST(MeshFiles, MergesPartsWithTheirTransforms) {
    const TestFolder folder;
    // One triangle, placed three times: as it is, moved by (10, 0, 0) under a node scaled by 2, and mirrored.
    const auto path = folder.write("tree.gltf", R"({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 3]}],
        "nodes": [{"mesh": 0}, {"scale": [2, 2, 2], "children": [2]}, {"mesh": 0, "translation": [10, 0, 0]},
                  {"mesh": 0, "scale": [-1, 1, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri":
            "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})");
    const Result<MeshFile> read = read_mesh_file(path);
    ASSERT_TRUE(read) << error_of(read);
    EXPECT_EQ(read->parts, 3u);
    ASSERT_EQ(read->mesh.triangles.size(), 3u);
    EXPECT_EQ(read->mesh.positions.size(), 7u);  // two of the mirrored triangle's corners are the first one's
    std::vector<float> areas;
    bool found_far_corner = false;
    for (std::size_t i = 0; i < 3; ++i) {
        const bv::Triangle t = read->mesh.view().triangle(i);
        const glm::vec3 normal = glm::cross(t.b - t.a, t.c - t.a);
        EXPECT_GT(normal.z, 0.0f) << "the mirrored triangle must not be inside out";
        areas.push_back(normal.z / 2.0f);
        for (const glm::vec3& p : {t.a, t.b, t.c})
            found_far_corner = found_far_corner || p == glm::vec3(22, 0, 0);
    }
    std::sort(areas.begin(), areas.end());
    EXPECT_EQ(areas, (std::vector<float>{0.5f, 0.5f, 2.0f}));
    EXPECT_TRUE(found_far_corner);
}

TEST(MeshFiles, MergesTheObjectsOfAnObj) {
    const TestFolder folder;
    const auto path = folder.write("two.obj",
                                   "o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
                                   "o two\nv 0 0 5\nv 1 0 5\nv 1 1 5\nv 0 1 5\nf 4 5 6 7\n");
    const Result<MeshFile> read = read_mesh_file(path);
    ASSERT_TRUE(read) << error_of(read);
    EXPECT_EQ(read->parts, 2u);
    EXPECT_EQ(read->mesh.triangles.size(), 3u);
    EXPECT_EQ(read->mesh.positions.size(), 7u);
}

TEST(MeshFiles, LeavesOutTrianglesWithoutArea) {
    const TestFolder folder;
    const auto path = folder.write(
        "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 1 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\nf 2 2 3\n");
    const Result<MeshFile> read = read_mesh_file(path);
    ASSERT_TRUE(read) << error_of(read);
    EXPECT_EQ(read->mesh.triangles.size(), 1u);
    EXPECT_EQ(read->mesh.positions.size(), 3u);
    EXPECT_GE(read->dropped, 2u);

    const Result<MeshFile> none =
        read_mesh_file(folder.write("none.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"));
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().what.find("without area"), std::string::npos) << none.error().text();
}

TEST(MeshFiles, StatementsThatObjDoesNotHaveAreCounted) {
    const TestFolder folder;
    const std::string good = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto note_of = [&](const std::string& text) {
        const Result<MeshFile> read = read_mesh_file(folder.write("x.obj", text));
        return read ? unknown_lines_note(*read) : read.error().what;
    };
    EXPECT_EQ(
        note_of("#x\n\n  \nmtllib a\nusemtl a\ns 1\nvt 0 0\nvn 0 0 1\nvp 1\ng a\no a\nmg 1 1\nl 1 2\np 1\n"
                "cstype bezier\nlod 1\n" +
                good),
        "");
    EXPECT_EQ(note_of(good + "face 1 2 3\n"), "line 5, an unknown statement, was left out");
    EXPECT_EQ(note_of("V 0 0 0\n" + good + "F 1 2 3\n1 2 3 \\\n4\n"),
              "4 lines with unknown statements, the first at line 1, were left out");
    EXPECT_EQ(note_of("# all in upper case\nV 0 0 0\nV 1 0 0\nV 0 1 0\nF 1 2 3\n"),
              "has no triangles; 4 lines with unknown statements, the first at line 2, were left out");
}

TEST(MeshFiles, TextsMayBeginWithAByteOrderMarkAndEndTheirLinesInEveryWay) {
    const auto ball = bv::workloads::icosphere(1);
    for (const auto& [extension, format] :
         {std::pair{".obj", MeshFormat::Obj}, std::pair{".stl", MeshFormat::StlText},
          std::pair{".ply", MeshFormat::PlyText}, std::pair{".off", MeshFormat::Off},
          std::pair{".gltf", MeshFormat::Gltf}}) {
        const std::string text = encode_mesh(ball.view(), "ball", format);
        for (const char* end : {"\n", "\r\n", "\r"}) {
            std::string bytes = "\xef\xbb\xbf";
            for (const char c : text)
                bytes += c == '\n' ? std::string(end) : std::string(1, c);
            std::vector<NeededFile> needs;
            const Result<MeshFile> read = import_mesh(extension, bytes, {}, needs, [](float) {});
            ASSERT_TRUE(read) << extension << error_of(read);
            EXPECT_EQ(read->mesh.triangles.size(), ball.triangles.size()) << extension;
            EXPECT_EQ(read->unknown_lines, 0u);
        }
    }
}

TEST(MeshFiles, RefusalsNameTheFileAndTheFault) {
    const TestFolder folder;
    std::filesystem::create_directory(folder / "folder.obj");
    std::vector<std::pair<std::filesystem::path, std::string>> cases{
        {folder / "missing.obj", "no such file"},
        {folder / "folder.obj", "folder"},
        {folder.write("empty.ply", ""), "empty"},
        {folder.write("mesh.blend", "x"), "not a supported kind of mesh"},
        {folder.write("no extension", "x"), "not a supported kind of mesh"},
        {folder.write("words.stl", "this is no mesh"), ""},
        {folder.write("words.ply", "this is no mesh"), ""},
        {folder.write("words.off", "this is no mesh"), ""},
        {folder.write("words.gltf", "this is no mesh"), ""},
        {folder.write("words.glb", "this is no mesh"), ""},
        {folder.write("words.obj", "this is no mesh"), ""},
        {folder.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), ""},
        {folder.write("line.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"), "no triangles"},
        {"/dev/null", "not a supported kind of mesh"},
    };
    for (const auto& [path, fault] : cases) {
        const Result<MeshFile> read = read_mesh_file(path);
        ASSERT_FALSE(read) << path;
        EXPECT_EQ(read.error().path, path.string());
        EXPECT_NE(read.error().text().find(path.string()), std::string::npos);
        EXPECT_NE(read.error().what.find(fault), std::string::npos) << path << ": " << read.error().text();
    }
}

TEST(MeshFiles, WhatIsNoFileOnADiskIsRefusedWithAdvice) {
    const TestFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", folder / "device.obj");
    std::filesystem::create_symlink("loop.obj", folder / "loop.obj");
    folder.write("empty.obj", "");
    for (const auto& [name, advice] :
         {std::pair{"pipe.obj", "a file on a disk"}, std::pair{"device.obj", "a file on a disk"},
          std::pair{"loop.obj", "links form a loop"}, std::pair{"empty.obj", "Export"}}) {
        const Result<MeshFile> read = read_mesh_file(folder / name);
        ASSERT_FALSE(read) << name;
        EXPECT_NE(read.error().advice.find(advice), std::string::npos) << read.error().text();
    }
}

TEST(MeshFiles, AMissingOrFalseReaderIsAnErrorAndNotACrash) {
    const TestFolder folder;
    const auto path = folder.write("box.obj", encode_mesh(make_mesh("box")->view(), "box", MeshFormat::Obj));
    for (const char* reader :
         {"/no/such/program", "/bin/true", "/bin/false", "/bin/cat", "/bin/sleep", "/dev/null"}) {
        MeshReadOptions options;
        options.reader = reader;
        options.wall_s = 0.5;
        const Result<MeshFile> read = read_mesh_file(path, options);
        ASSERT_FALSE(read) << reader;
        EXPECT_EQ(read.error().path, path.string());
    }
}

TEST(MeshFiles, LimitsOfTimeAndMemoryAndCancel) {
    const TestFolder folder;
    const MeshData big = bv::workloads::icosphere(7);
    const auto path = folder.write("big.obj", encode_mesh(big.view(), "big", MeshFormat::Obj));
    MeshReadOptions hurry;
    hurry.cpu_s = 0.02;
    const Result<MeshFile> late = read_mesh_file(path, hurry);
    ASSERT_FALSE(late);
    EXPECT_NE(late.error().what.find("too long"), std::string::npos) << late.error().text();

    MeshReadOptions wall;
    wall.wall_s = 0.02;
    EXPECT_FALSE(read_mesh_file(path, wall));

    int calls = 0;
    MeshReadOptions cancel;
    cancel.progress = [&calls](float) { return ++calls < 2; };
    const Result<MeshFile> given_up = read_mesh_file(path, cancel);
    ASSERT_FALSE(given_up);
    EXPECT_NE(given_up.error().what.find("canceled"), std::string::npos);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    MeshReadOptions tight;
    tight.memory_bytes = std::size_t{20} << 20;
    EXPECT_FALSE(read_mesh_file(path, tight));
#endif
    float last = 0.0f;
    MeshReadOptions watch;
    watch.progress = [&last](float fraction) {
        EXPECT_GE(fraction, last);
        last = fraction;
        return true;
    };
    EXPECT_TRUE(read_mesh_file(path, watch));
}

TEST(MeshFiles, NamesAreRecognized) {
    for (const char* name : {"a.obj", "b.STL", "c.Ply", "d.off", "e.gltf", "f.glb", "/x/y.z/g.obj"})
        EXPECT_EQ(kind_of_file(name), FileKind::Mesh) << name;
    for (const char* name : {"a.txt", "obj", ".obj", "a.obj.txt", "", "a."})
        EXPECT_NE(kind_of_file(name), FileKind::Mesh) << name;
}

TEST(MeshWire, FramesComeThroughInPieces) {
    MeshFile file{*make_mesh("torus"), 2, 7};
    const std::string stream = wire::encode_progress(0.25f) + wire::encode_mesh(file) +
                               wire::encode_failure({"", "line 3", "what", "advice"});
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, stream.size()}) {
        wire::Parser parser(1 << 20);
        std::vector<wire::Frame> frames;
        for (std::size_t at = 0; at < stream.size(); at += step) {
            parser.feed(std::string_view(stream).substr(at, step));
            while (auto frame = parser.next())
                frames.push_back(std::move(*frame));
        }
        ASSERT_EQ(frames.size(), 3u);
        EXPECT_FALSE(parser.broken());
        EXPECT_EQ(wire::decode_progress(frames[0].payload), 0.25f);
        const auto mesh = wire::decode_mesh(frames[1].payload);
        ASSERT_TRUE(mesh);
        EXPECT_EQ(mesh->mesh.positions, file.mesh.positions);
        EXPECT_EQ(mesh->mesh.triangles, file.mesh.triangles);
        EXPECT_EQ(mesh->parts, 2u);
        EXPECT_EQ(mesh->dropped, 7u);
        EXPECT_EQ(wire::decode_failure(frames[2].payload)->where, "line 3");
    }
}

TEST(MeshWire, NoDamageGetsThrough) {
    const std::string good = wire::encode_mesh({*make_mesh("box"), 1, 0});
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 0x41);
        wire::Parser parser(1 << 16);
        parser.feed(bad);
        const auto frame = parser.next();
        // A changed kind is a frame of another kind; a changed size may wait for more. No change is still
        // this mesh.
        EXPECT_FALSE(frame && frame->kind == wire::Kind::Mesh) << "byte " << i;
    }
    wire::Parser small(64);
    small.feed(good);
    EXPECT_FALSE(small.next());
    EXPECT_TRUE(small.broken());
}

TEST(MeshWire, APayloadIsCheckedInFull) {
    const MeshFile good{*make_mesh("box"), 1, 0};
    const auto payload_of = [](const MeshFile& file) {
        wire::Parser parser(1 << 16);
        parser.feed(wire::encode_mesh(file));
        return parser.next()->payload;
    };
    EXPECT_TRUE(wire::decode_mesh(payload_of(good)));
    MeshFile bad = good;
    bad.mesh.triangles[3].z = 8;
    EXPECT_FALSE(wire::decode_mesh(payload_of(bad)));
    bad = good;
    bad.mesh.positions[2].x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(wire::decode_mesh(payload_of(bad)));
    bad = good;
    bad.mesh.triangles.clear();
    EXPECT_FALSE(wire::decode_mesh(payload_of(bad)));
    std::string counts = payload_of(good);
    const std::uint64_t huge = 0x2000000000000001ull;  // times 12 it wraps around to 12
    std::memcpy(counts.data(), &huge, sizeof huge);
    EXPECT_FALSE(wire::decode_mesh(counts));
    for (std::size_t size = 0; size < 40; ++size)
        EXPECT_FALSE(wire::decode_mesh(payload_of(good).substr(0, size)));
    EXPECT_FALSE(wire::decode_failure("no zero byte"));
    EXPECT_FALSE(wire::decode_progress("x"));
}

TEST(MeshWire, TextsNamesAndFencesComeThrough) {
    const auto payload_of = [](const std::string& frame) {
        wire::Parser parser(1 << 16);
        parser.feed(frame);
        return parser.next()->payload;
    };
    const std::string needs = payload_of(wire::encode_needs({{"a b.bin", "buffers[0].uri"}, {"c", "d"}}));
    const auto back = wire::decode_needs(needs);
    ASSERT_TRUE(back);
    ASSERT_EQ(back->size(), 2u);
    EXPECT_EQ((*back)[0].name, "a b.bin");
    EXPECT_EQ((*back)[0].where, "buffers[0].uri");
    EXPECT_EQ((*back)[1].name, "c");
    EXPECT_FALSE(wire::decode_needs(""));
    EXPECT_FALSE(wire::decode_needs(needs.substr(0, needs.size() - 1)));
    EXPECT_FALSE(wire::decode_needs(std::string("one text only\0", 14)));
    EXPECT_EQ(wire::decode_refused_fences(payload_of(wire::encode_refused_fences(3))), 3u);
    EXPECT_FALSE(wire::decode_refused_fences("abc"));
    // A reader's message may quote a file, so it must hold nothing that a terminal would obey.
    const auto error =
        wire::decode_failure(payload_of(wire::encode_failure({"", "line 1", "\x1b[2Ja\nb\x7f", ""})));
    ASSERT_TRUE(error);
    EXPECT_EQ(error->what, "?[2Ja?b?");
    const auto long_one =
        wire::decode_failure(payload_of(wire::encode_failure({"", "", std::string(5000, 'x'), ""})));
    EXPECT_EQ(long_one->what.size(), 1000u);
    EXPECT_FALSE(wire::decode_failure(std::string("a\0\0b\0", 5))) << "without a reason";
    EXPECT_FALSE(wire::decode_failure(std::string("a\0b\0c\0d", 7))) << "with something behind it";
}

/// A reading program that says what it is told to.
class FalseReader {
  public:
    explicit FalseReader(const TestFolder& folder) : folder_(folder) {}
    Result<MeshFile> answering(const std::string& frames, const std::string& command = "") {
        folder_.write("frames", frames);
        const auto program = folder_.write(
            "reader", "#!/bin/sh\ncat '" + (folder_ / "frames").string() + "' >&3\n" + command + "\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        MeshReadOptions options;
        options.reader = program;
        return read_mesh_file(folder_.write("mesh.obj", "v 0 0 0\n"), options);
    }

  private:
    const TestFolder& folder_;
};

TEST(MeshFiles, AReaderIsNotTrusted) {
    const TestFolder folder;
    FalseReader reader(folder);
    const std::string box = wire::encode_mesh({*make_mesh("box"), 1, 0});
    EXPECT_TRUE(reader.answering(box));
    const auto what = [&](const std::string& frames, const std::string& command = "") {
        const Result<MeshFile> read = reader.answering(frames, command);
        return read ? "a mesh" : read.error().what;
    };
    const std::string nonsense = "the mesh reader returned invalid data";
    EXPECT_EQ(what(""), nonsense);
    EXPECT_EQ(what(box, "exit 1"), nonsense);
    EXPECT_EQ(what(box.substr(0, box.size() - 1)), nonsense);
    EXPECT_EQ(what("garbage that is longer than a header"), nonsense);
    EXPECT_EQ(what(wire::encode(wire::Kind::Mesh, "x")), nonsense);
    EXPECT_EQ(what(wire::encode(wire::Kind::Progress, "x")), nonsense);
    EXPECT_EQ(what(wire::encode(wire::Kind::Failure, "x")), nonsense);
    EXPECT_EQ(what(wire::encode(wire::Kind::Needs, "x")), nonsense);
    EXPECT_EQ(what(wire::encode(wire::Kind::RefusedFences, "x")), nonsense);
    EXPECT_EQ(what(wire::encode_failure({"", "line 3", "is odd", ""})), "is odd");
    EXPECT_EQ(what("", "kill -SEGV $$"), "the mesh reader crashed on it");
    EXPECT_EQ(what("", "kill -XCPU $$"), "reading it takes too long");
    EXPECT_EQ(what("", "kill -SYS $$"), "the mesh reader was stopped when it tried a forbidden operation");
    EXPECT_EQ(what(box, "kill -SYS $$"), "the mesh reader was stopped when it tried a forbidden operation");
    EXPECT_EQ(what("", "exit 127"), "the program that reads meshes could not be started");
    // The reader asks for files: it gets none from other folders, and each of the others only once.
    EXPECT_NE(what(wire::encode_needs({{"../frames", "x"}})).find("leads out of its folder"),
              std::string::npos);
    EXPECT_NE(what(wire::encode_needs({{"/etc/passwd", "x"}})).find("absolute"), std::string::npos);
    EXPECT_NE(what(wire::encode_needs({{"none", "x"}})).find("No such file"), std::string::npos);
    EXPECT_EQ(what(wire::encode_needs({{"frames", "x"}})), nonsense) << "asked again for what it has";
    EXPECT_EQ(what(wire::encode_needs(std::vector<NeededFile>(65, {"frames", "x"}))), nonsense);
}

TEST(MeshFiles, AFenceThatTheKernelRefusesIsSaidOnce) {
    const TestFolder folder;
    FalseReader reader(folder);
    const std::string answer = wire::encode_refused_fences(3) + wire::encode_mesh({*make_mesh("box"), 1, 0});
    const Result<MeshFile> first = reader.answering(answer);
    ASSERT_TRUE(first) << error_of(first);
    EXPECT_EQ(first->notice,
              "this system refuses seccomp and Landlock, so meshes are read in a weaker sandbox");
    EXPECT_EQ(reader.answering(answer)->notice, "");
}

TEST(MeshFiles, TheReaderWantsItsArguments) {
    for (const char* arguments : {"", ".obj", ".obj 1000"}) {
        const std::string command = std::string(BVLAB_MESH_READER_PROGRAM) + " " + arguments + " 3>/dev/null";
        const int status = std::system(command.c_str());
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << arguments;
    }
    const int status =
        std::system((std::string(BVLAB_MESH_READER_PROGRAM) + " .obj 1000 1000000000 3>&-").c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << "without its pipe";
}

TEST(MeshFiles, TooLargeNamesTheLimit) {
    const TestFolder folder;
    MeshReadOptions options;
    options.max_file_bytes = 10;
    EXPECT_TRUE(read_mesh_file(folder.write("ten.obj", "f 1 2 3 4\n"), options).error().what.find("vertex") !=
                std::string::npos);
    EXPECT_EQ(read_mesh_file(folder.write("more.obj", "f 1 2 3 4 5\n"), options).error().what,
              "is too large: 12 bytes; the most that are read are 10");
}

TEST(MeshBuilder, RefusesEachBadCoordinateOfEachCorner) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    for (int corner = 0; corner < 3; ++corner) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const float bad : {nan, infinity, -infinity, 1.01e12f, -1.01e12f}) {
                std::array<glm::vec3, 3> p{glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)};
                p.at(static_cast<std::size_t>(corner))[axis] = bad;
                MeshBuilder builder;
                const std::string fault = builder.add(p[0], p[1], p[2]);
                EXPECT_NE(fault.find(std::abs(bad) < infinity ? "1e12" : "not finite"), std::string::npos)
                    << fault;
                EXPECT_FALSE(builder.finish("", 1));
            }
        }
    }
    MeshBuilder builder;
    EXPECT_EQ(builder.add({1e12f, 0, 0}, {-1e12f, 0, 0}, {0, 1e12f, -1e12f}), "");
    EXPECT_EQ(builder.add({0.0f, 0, 0}, {-0.0f, 1, 0}, {0, 1, 1}), "");
    EXPECT_EQ(builder.add({-0.0f, 0, 0}, {0, 1, 0}, {0, -0.0f, 2}), "");
    EXPECT_EQ(builder.add({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), "");
    const Result<MeshFile> file = builder.finish("", 7);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->mesh.positions.size(), 7u) << "0 and -0 are one place";
    EXPECT_EQ(file->mesh.triangles.size(), 3u);
    EXPECT_EQ(file->dropped, 1u);
    EXPECT_EQ(file->parts, 7u);
    MeshBuilder flat;
    EXPECT_EQ(flat.finish("", 1).error().what, "has no triangles");
    EXPECT_EQ(flat.add({0, 0, 0}, {0, 0, 0}, {1, 0, 0}), "");
    EXPECT_EQ(flat.finish("", 1).error().what, "its only triangle is without area");
    EXPECT_EQ(flat.add({0, 0, 0}, {1, 0, 0}, {1, 0, 0}), "");
    EXPECT_EQ(flat.finish("", 1).error().what, "all of its 2 triangles are without area");
}

TEST(MeshExport, GltfStatesTheExtentsAndPlacesOfItsNumbers) {
    // Neither extreme of any axis is zero, the first or the last.
    const MeshData mesh{
        "odd", {{3, -7, -2}, {1, -9, -5}, {8, -4, -3}, {2, -6, -1}}, {{0, 1, 2}, {1, 2, 3}, {0, 2, 3}}};
    const std::string glb = encode_mesh(mesh.view(), "odd", MeshFormat::Glb);
    std::uint32_t json_size = 0;
    std::memcpy(&json_size, glb.data() + 12, sizeof json_size);
    for (const std::string& text :
         {glb.substr(20, json_size), encode_mesh(mesh.view(), "odd", MeshFormat::Gltf)}) {
        const nlohmann::json json = nlohmann::json::parse(text);
        const auto& positions = json["accessors"][0];
        EXPECT_EQ(positions["min"], nlohmann::json({1, -9, -5}));
        EXPECT_EQ(positions["max"], nlohmann::json({8, -4, -1}));
        EXPECT_EQ(positions["count"], 4);
        EXPECT_EQ(positions["type"], "VEC3");
        EXPECT_EQ(positions["componentType"], 5126);
        EXPECT_EQ(json["accessors"][1]["count"], 9);
        EXPECT_EQ(json["accessors"][1]["componentType"], 5125);
        EXPECT_EQ(json["bufferViews"][0],
                  nlohmann::json({{"buffer", 0}, {"byteOffset", 0}, {"byteLength", 48}}));
        EXPECT_EQ(json["bufferViews"][1],
                  nlohmann::json({{"buffer", 0}, {"byteOffset", 48}, {"byteLength", 36}}));
        EXPECT_EQ(json["buffers"][0]["byteLength"], 84);
        EXPECT_EQ(json["meshes"][0]["primitives"][0]["mode"], 4);
        EXPECT_EQ(json["meshes"][0]["primitives"][0]["indices"], 1);
        EXPECT_EQ(json["nodes"][0]["name"], "odd");
        EXPECT_EQ(json["asset"]["version"], "2.0");
    }
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, glb.data() + at, sizeof value);
        return value;
    };
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), glb.size());
    EXPECT_EQ(json_size % 4, 0u);
    EXPECT_EQ(word(20 + json_size), 84u);
    EXPECT_EQ(glb.size(), 28 + json_size + 84);
    float last = 0.0f;
    std::memcpy(&last, glb.data() + 28 + json_size + 44, sizeof last);
    EXPECT_EQ(last, -1.0f);
}

TEST(MeshExport, RefusesOneBadThingAmongGoodOnes) {
    const TestFolder folder;
    const MeshData good = *make_mesh("box");
    const auto refused = [&](const MeshData& mesh, const char* name = "x.obj") {
        const auto error = write_mesh_file(folder / name, mesh.view());
        EXPECT_FALSE(error && std::filesystem::exists(folder / name));
        return error.has_value();
    };
    for (std::size_t i = 0; i < good.positions.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const float bad :
                 {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                  -std::numeric_limits<float>::infinity()}) {
                MeshData mesh = good;
                mesh.positions[i][axis] = bad;
                EXPECT_TRUE(refused(mesh)) << i << " " << axis;
            }
        }
    }
    for (const std::size_t i : {std::size_t{0}, good.triangles.size() - 1}) {
        for (int corner = 0; corner < 3; ++corner) {
            MeshData mesh = good;
            mesh.triangles[i][corner] = static_cast<std::uint32_t>(good.positions.size());
            EXPECT_TRUE(refused(mesh)) << i << " " << corner;
        }
    }
    MeshData none = good;
    none.triangles.clear();
    EXPECT_TRUE(refused(none));
    for (const char* name : {"x", "x.", "x.objx", "x.fbx", ".obj"})
        EXPECT_TRUE(refused(good, name)) << name;
    EXPECT_FALSE(refused(good));
}

TEST(MeshExport, WritesByExtensionAndRefusesNonsense) {
    const TestFolder folder;
    MeshData mesh = *make_mesh("gear");
    for (const char* name : {"a.obj", "a.stl", "a.ply", "a.off", "a.gltf", "a.GLB"}) {
        EXPECT_FALSE(write_mesh_file(folder / name, mesh.view())) << name;
        const Result<MeshFile> read = read_mesh_file(folder / name);
        ASSERT_TRUE(read) << error_of(read);
        EXPECT_EQ(read->mesh.triangles.size(), mesh.triangles.size());
    }
    EXPECT_TRUE(write_mesh_file(folder / "a.fbx", mesh.view()));
    mesh.triangles[0].x = 1u << 30;
    EXPECT_TRUE(write_mesh_file(folder / "b.obj", mesh.view()));
    EXPECT_FALSE(std::filesystem::exists(folder / "b.obj"));
}

}  // namespace
}  // namespace lab::io
