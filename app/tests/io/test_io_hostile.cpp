// Damaged meshes: whatever is done to a file, reading it ends, this program lives on, what comes back is
// sound, and every refusal names the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#include "io/meshes/mesh_export.hpp"
#include "io/meshes/mesh_file.hpp"
#include "io_test_tools.hpp"
#include "workloads/meshes.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using bv::workloads::Random;
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

/// The start and length of some run of digits, points and signs.
std::pair<std::size_t, std::size_t> some_number(const std::string& bytes, Random& random) {
    const char* kNumber = "0123456789.-+e";
    const std::size_t from = random.below(static_cast<std::uint32_t>(bytes.size()));
    const std::size_t start = bytes.find_first_of("0123456789", from);
    if (start == std::string::npos) return {0, 0};
    const std::size_t end = std::min(bytes.find_first_not_of(kNumber, start), bytes.size());
    return {start, end - start};
}

std::string damaged(std::string bytes, Random& random) {
    static const std::array<std::string, 12> kNumbers{
        "nan", "inf", "-inf", "1e999", "-1", "0", "3e38", "", "x", "4294967296", "-2147483648", "1e-999"};
    for (std::uint32_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n) {
        const auto size = static_cast<std::uint32_t>(bytes.size());
        const std::size_t at = random.below(size);
        switch (random.below(8)) {
            case 0:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
                break;
            case 1:
                bytes[at] = static_cast<char>(random.below(256));
                break;
            case 2:
                bytes.resize(at);
                break;
            case 3:
                bytes.insert(at, 1 + random.below(16), static_cast<char>(random.below(256)));
                break;
            case 4:
                bytes.erase(at, 1 + random.below(32));
                break;
            case 5:
                bytes.insert(at, bytes.substr(random.below(size), 1 + random.below(200)));
                break;
            case 6: {
                const auto [start, length] = some_number(bytes, random);
                bytes.replace(start, length, kNumbers.at(random.below(kNumbers.size())));
                break;
            }
            default: {  // an evil word among the first, where counts and offsets are
                constexpr std::array<std::uint32_t, 5> kWords{0u, 0xffffffffu, 0x7fffffffu, 0x80000000u,
                                                              0x7fc00000u};
                const std::uint32_t word = kWords.at(random.below(kWords.size()));
                const std::size_t place = random.chance(0.5f) ? std::min<std::size_t>(at, 100) : at;
                if (place + sizeof word <= bytes.size())
                    std::memcpy(bytes.data() + place, &word, sizeof word);
                break;
            }
        }
    }
    return bytes;
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
            ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
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
