// Damaged meshes: whatever is done to a file, reading it ends, this program lives on, what comes back is
// sound, and every refusal names the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bv/shapes/not_finite.hpp"
#include "damage.hpp"
#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io_test_tools.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using bv::workloads::Random;
using test::damaged;
using testing_tools::TestFolder;

struct HostileCase {
    const char* name;
    const char* extension;
    MeshFormat format;
};
constexpr std::array kCases{
    HostileCase{"obj", ".obj", MeshFormat::Obj},
    HostileCase{"stl_text", ".stl", MeshFormat::StlText},
    HostileCase{"stl_binary", ".stl", MeshFormat::StlBinary},
    HostileCase{"ply_text", ".ply", MeshFormat::PlyText},
    HostileCase{"ply_binary", ".ply", MeshFormat::PlyBinary},
    HostileCase{"off", ".off", MeshFormat::Off},
    HostileCase{"gltf", ".gltf", MeshFormat::Gltf},
    HostileCase{"glb", ".glb", MeshFormat::Glb},
};

int rounds() {
    const char* scale = std::getenv("BV_TEST_SCALE");
    return scale != nullptr ? std::max(1, static_cast<int>(100.0 * std::atof(scale))) : 100;
}

class Hostile : public testing::TestWithParam<HostileCase> {};

TEST_P(Hostile, AHundredDamagedFilesAreSurvived) {
    const TestFolder folder;
    const auto mesh = bv::workloads::icosphere(2);
    const std::string good = encode_mesh(mesh.view(), "ball", GetParam().format);
    Random random(2024, static_cast<std::uint64_t>(GetParam().format));
    MeshReadOptions options;
    options.cpu_s = 0.2;
    options.wall_s = 2.0;
    options.memory_bytes = std::size_t{1} << 30;
    int refused = 0;
    for (int round = 0; round < rounds(); ++round) {
        const auto path =
            folder.write("damaged" + std::to_string(round) + GetParam().extension, damaged(good, random));
        const Result<MeshFile> read = read_mesh_file(path, options);
        if (std::getenv("BVLAB_SHOW") && !read) std::fprintf(stderr, "%s\n", read.error().text().c_str());
        if (!read) {
            ++refused;
            EXPECT_EQ(read.error().path, path.string());
            EXPECT_FALSE(read.error().what.empty());
            continue;
        }
        ASSERT_FALSE(read->mesh.triangles.empty());
        for (const glm::uvec3& t : read->mesh.triangles)
            ASSERT_LT(std::max({t.x, t.y, t.z}), read->mesh.positions.size());
        for (const glm::vec3& p : read->mesh.positions)
            ASSERT_TRUE(bv::is_finite(p));
        std::filesystem::remove(path);
    }
    EXPECT_GT(refused, 0) << "no damage was done";
    RecordProperty("refused", refused);
    std::printf("%s: %d of %d refused\n", GetParam().name, refused, rounds());
}

INSTANTIATE_TEST_SUITE_P(All, Hostile, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lab::io
