// Random damage to files of one format against its reader, until the time is up.
//
//   fuzz_FORMAT [SECONDS] [SEED]      2 seconds and seed 1 without arguments
//
// One program under the names of obj, ply, stl, off, gltf and vox. Each file comes from its own seed, which
// is printed with a finding: `fuzz_FORMAT 0 SEED` tries that one alone. A reader must end soon, refuse with a
// reason or give a mesh that is sound; the address and undefined-behavior sanitizers watch the rest.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "bv/shapes/not_finite.hpp"
#include "damage.hpp"
#include "io/meshes/formats/triangulate.hpp"
#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_import.hpp"
#include "io/voxels/voxel_file.hpp"
#include "platform/clock.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace {

using namespace lab::io;
using bv::workloads::Random;
using lab::test::damaged;

std::string g_format;  // from the program's name
std::uint64_t g_seed = 0;

void expect(bool condition, const std::string& what) {
    if (condition) return;
    std::fprintf(stderr, "fuzz_%s: seed %llu: %s\n", g_format.c_str(),
                 static_cast<unsigned long long>(g_seed), what.c_str());
    std::exit(1);
}

std::uint32_t below(Random& random, std::size_t count) {
    return random.below(static_cast<std::uint32_t>(count));
}

std::string number(Random& random) {
    if (random.chance(0.2f)) return std::string(random.one_of(lab::test::kOddNumbers));
    if (random.chance(0.5f)) return std::to_string(static_cast<int>(random.below(9)) - 4);
    return std::to_string(random.uniform(-3.0f, 3.0f));
}

/// A text of the words of a format in a random order, with numbers between.
std::string babble(const std::vector<std::string>& words, Random& random) {
    static const std::vector<std::string> kEnds{"\n", "\r\n", "\r", " \\\n", "\n# ", " ", "\t"};
    std::string text;
    for (std::uint32_t lines = random.below(60); lines > 0; --lines) {
        text += random.one_of(words);
        for (std::uint32_t i = random.below(6); i > 0; --i)
            text += " " + number(random);
        text += random.chance(0.8f) ? "\n" : random.one_of(kEnds);
    }
    return text;
}

/// Vertices on a small lattice, and faces of many corners among them: what triangulation fears.
std::string polygons_obj(Random& random) {
    std::string text;
    const std::uint32_t vertices = 3 + random.below(40);
    for (std::uint32_t i = 0; i < vertices; ++i)
        text += "v " + std::to_string(random.below(5)) + " " + std::to_string(random.below(5)) + " " +
                std::to_string(random.below(2)) + "\n";
    for (std::uint32_t f = random.below(6); f > 0; --f) {
        text += "f";
        for (std::uint32_t i = 3 + random.below(60); i > 0; --i)
            text += " " + std::to_string(1 + random.below(vertices));
        text += "\n";
    }
    return text;
}

void try_triangulation(Random& random) {
    std::vector<glm::vec3> corners;
    const std::uint32_t count = 3 + random.below(random.chance(0.02f) ? 5000 : 60);
    const std::uint32_t kind = random.below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
        const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(count);
        const float r = random.uniform(0.1f, 1.0f);
        if (kind == 0) corners.emplace_back(random.below(4), random.below(4), 0);
        if (kind == 1) corners.push_back(random.in_box(glm::vec3(-1.0f), glm::vec3(1.0f)));
        if (kind == 2) corners.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0f);
        if (kind == 3)
            corners.emplace_back(random.uniform(-1e12f, 1e12f), 1e-30f * r, static_cast<float>(i % 3));
    }
    Triangulator triangulator;
    glm::dvec3 pieces(0.0);
    glm::dvec3 whole(0.0);
    double scale = 1e-30;
    const auto triangles = triangulator.run(corners);
    expect(triangles.size() == count - 2, "a polygon of n corners does not give n - 2 triangles");
    for (const auto& [a, b, c] : triangles) {
        expect(std::max({a, b, c}) < count, "a triangle has a corner that does not exist");
        const glm::dvec3 origin(corners[a]);
        const glm::dvec3 piece = glm::cross(glm::dvec3(corners[b]) - origin, glm::dvec3(corners[c]) - origin);
        pieces += piece;
        scale += glm::length(piece);
    }
    for (std::uint32_t i = 0; i < count; ++i)
        whole += glm::cross(glm::dvec3(corners[i]) - glm::dvec3(corners[0]),
                            glm::dvec3(corners[(i + 1) % count]) - glm::dvec3(corners[0]));
    expect(glm::length(pieces - whole) <= 1e-9 * (scale + glm::length(whole)), "areas do not add up");
    if (kind == 2) expect(scale <= glm::length(whole) * (1.0 + 1e-6), "a star is covered twice");
}

std::string ply_of_anything(Random& random) {
    static const std::vector<std::string> kTypes{"char",  "uchar",  "short", "ushort", "int",    "uint",
                                                 "float", "double", "int64", "uint8",  "float64"};
    static const std::vector<std::string> kFormats{"ascii", "binary_little_endian", "binary_big_endian"};
    static const std::vector<std::string> kElements{"vertex", "face", "edge", "tristrips", "material"};
    static const std::vector<std::string> kNames{"x",        "y",  "z", "vertex_indices", "vertex_index",
                                                 "texcoord", "red"};
    const std::string format = random.one_of(kFormats);
    std::string text = "ply\nformat " + format + " 1.0\n";
    for (std::uint32_t e = 1 + random.below(3); e > 0; --e) {
        text += "element " + random.one_of(kElements) + " " + std::to_string(random.below(6)) + "\n";
        if (random.chance(0.6f)) text += "property float x\nproperty float y\nproperty double z\n";
        for (std::uint32_t p = random.below(4); p > 0; --p)
            text += "property " + (random.chance(0.5f) ? "list " + random.one_of(kTypes) + " " : "") +
                    random.one_of(kTypes) + " " + random.one_of(kNames) + "\n";
    }
    text += "end_header\n";
    for (std::uint32_t i = random.below(200); i > 0; --i)
        text += format == "ascii"
                    ? number(random) + (random.chance(0.2f) ? "\n" : " ")
                    : std::string(
                          1, static_cast<char>(random.chance(0.7f) ? random.below(5) : random.below(256)));
    return text;
}

std::string gltf_of_anything(Random& random) {
    static const std::string kGood =
        R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"children":[1],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]},{"mesh":0,"rotation":[0,0,0,1],"scale":[1,-1,1],"translation":[1,2,3]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":4},{"attributes":{"POSITION":0},"mode":5}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":0}}},{"bufferView":1,"byteOffset":0,"componentType":5121,"count":3,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36,"byteStride":12},{"buffer":0,"byteOffset":36,"byteLength":3}],"buffers":[{"byteLength":39,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"}]})";
    std::string text = damaged(kGood, random);
    // Most damage leaves no JSON; numbers and names that are exchanged do.
    for (std::uint32_t n = random.chance(0.5f) ? 1 + random.below(4) : 0; n > 0; --n) {
        if (n == 1) text = text.size() < 20 ? kGood : text;
        const std::size_t start = text.find_first_of("0123456789", below(random, text.size()));
        if (start == std::string::npos) continue;
        text.replace(start, 1,
                     std::to_string(random.chance(0.8f) ? random.below(6) : random.below(4'000'000'000u)));
    }
    return text;
}

struct Format {
    std::string extension;
    std::vector<std::string> good;  ///< Files to be damaged.
    std::vector<std::string> words;
};

Format format_of(const std::string& name) {
    const auto ball = bv::workloads::icosphere(1);
    const auto file = [&](MeshFormat format) { return encode_mesh(ball.view(), "ball", format); };
    if (name == "obj")
        return {".obj",
                {file(MeshFormat::Obj)},
                {"v", "v", "v", "f", "f", "o", "g", "l", "#", "vt", "usemtl", "\\", "fo"}};
    if (name == "ply") return {".ply", {file(MeshFormat::PlyText), file(MeshFormat::PlyBinary)}, {}};
    if (name == "off") return {".off", {file(MeshFormat::Off)}, {"OFF", "4OFF", "nOFF", "COFF", "", "", "#"}};
    if (name == "stl")
        return {
            ".stl",
            {file(MeshFormat::StlText), file(MeshFormat::StlBinary)},
            {"solid", "facet normal", "outer loop", "vertex", "vertex", "endloop", "endfacet", "endsolid"}};
    if (name == "gltf") return {".gltf", {file(MeshFormat::Gltf)}, {}};
    VoxelModel model;
    model.size = {4, 5, 6};
    for (int i = 0; i < 40; ++i)
        model.voxels.push_back({{i % 4, i % 5, i % 6}, static_cast<std::uint8_t>(1 + i)});
    make_unique(model);
    return {".vox", {encode_vox(model)}, {}};
}

std::string make_file(const Format& format, Random& random) {
    const std::uint32_t choice = random.below(3);
    if (choice == 0 && !format.words.empty()) return babble(format.words, random);
    if (choice == 1 && format.extension == ".obj") return damaged(polygons_obj(random), random);
    if (choice == 1 && format.extension == ".ply") return damaged(ply_of_anything(random), random);
    if (choice < 2 && format.extension == ".gltf") return gltf_of_anything(random);
    return damaged(random.one_of(format.good), random);
}

void check_voxels(const std::string& bytes) {
    const Result<VoxelModel> model = parse_vox(bytes, "file");
    if (!model) return expect(!model.error().what.empty(), "a refusal without a reason");
    expect(!model->voxels.empty(), "a model without voxels");
    for (const VoxelModel::Voxel& v : model->voxels)
        for (int axis = 0; axis < 3; ++axis)
            expect(v.at[axis] >= 0 && v.at[axis] < model->size[axis], "a voxel outside of its model");
}

void check_mesh(const std::string& extension, const std::string& bytes, Random& random) {
    const std::string name = extension == ".gltf" && bytes.starts_with("glTF") ? ".glb" : extension;
    std::vector<NeededFile> needs;
    Siblings siblings;
    if (random.chance(0.5f)) siblings.emplace("b", std::string(random.below(100), 'x'));
    const Result<MeshFile> file = import_mesh(name, bytes, siblings, needs, [](float part) {
        expect(part >= 0.0f && part <= 1.0f, "progress outside of 0 to 1");
    });
    for (const NeededFile& needed : needs)
        expect(fault_of_sibling_name(needed.name).empty(), "asks for a file that it may not have");
    if (!needs.empty()) return;
    if (!file) return expect(!file.error().what.empty(), "a refusal without a reason");
    const auto& mesh = file->mesh;
    expect(!mesh.triangles.empty(), "a mesh without triangles");
    for (const glm::uvec3& t : mesh.triangles)
        expect(std::max({t.x, t.y, t.z}) < mesh.positions.size(), "an index out of range");
    for (const glm::vec3& p : mesh.positions)
        expect(bv::is_finite(p), "a position that is not finite");
}

}  // namespace

int main(int argc, char** argv) {
    g_format = lab::test::fuzzed_kind(argv[0]);
    const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
    g_seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    Format format = format_of(g_format);
    if (format.extension == ".gltf")
        format.good.push_back(encode_mesh(bv::workloads::icosphere(1).view(), "ball", MeshFormat::Glb));
    const lab::platform::Clock clock;
    std::uint64_t files = 0;
    double slowest = 0.0;
    for (;; ++g_seed) {
        Random random(g_seed);
        const std::string bytes = make_file(format, random);
        const std::clock_t before = std::clock();
        if (format.extension == ".vox")
            check_voxels(bytes);
        else
            check_mesh(format.extension, bytes, random);
        if (format.extension == ".obj") try_triangulation(random);
        const double took = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        slowest = std::max(slowest, took);
        expect(took < 60.0, "takes too long");
        ++files;
        if (clock.seconds() >= seconds) break;
    }
    std::printf("fuzz_%s: %llu files without a finding, the slowest took %.3f s\n", g_format.c_str(),
                static_cast<unsigned long long>(files), slowest);
    return 0;
}
