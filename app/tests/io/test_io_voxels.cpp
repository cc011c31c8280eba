// Voxel files: what is written comes back, scenes are placed as they say, and no damage does more than give
// an error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "io/file_kind.hpp"
#include "io/voxels/voxel_file.hpp"
#include "io_test_tools.hpp"
#include "workloads/random.hpp"

namespace lab::io {
namespace {

using bv::workloads::Random;
using testing_tools::TestFolder;

std::string i32(std::int64_t value) {
    std::string out;
    for (int shift = 0; shift < 32; shift += 8)
        out += static_cast<char>((value >> shift) & 0xff);
    return out;
}
std::string text(std::string_view t) {
    return i32(static_cast<std::int64_t>(t.size())) + std::string(t);
}
using Entries = std::vector<std::pair<std::string, std::string>>;
std::string dict(const Entries& entries = {}) {
    std::string out = i32(static_cast<std::int64_t>(entries.size()));
    for (const auto& [key, value] : entries)
        out += text(key) + text(value);
    return out;
}
std::string chunk(std::string_view id, const std::string& content, const std::string& children = "") {
    return std::string(id) + i32(static_cast<std::int64_t>(content.size())) +
           i32(static_cast<std::int64_t>(children.size())) + content + children;
}
std::string file(const std::string& chunks) {
    return "VOX " + i32(200) + chunk("MAIN", "", chunks);
}
std::string size_chunk(int x, int y, int z) {
    return chunk("SIZE", i32(x) + i32(y) + i32(z));
}
std::string voxels_chunk(const std::vector<std::array<int, 4>>& voxels) {
    std::string content = i32(static_cast<std::int64_t>(voxels.size()));
    for (const auto& voxel : voxels)
        for (const int byte : voxel)
            content += static_cast<char>(byte);
    return chunk("XYZI", content);
}
std::string transform(int node, int child, const Entries& frame, const Entries& attributes = {},
                      int layer = 0) {
    return chunk("nTRN",
                 i32(node) + dict(attributes) + i32(child) + i32(-1) + i32(layer) + i32(1) + dict(frame));
}
std::string layer_chunk(int layer, const Entries& attributes = {}) {
    return chunk("LAYR", i32(layer) + dict(attributes) + i32(-1));
}
std::string group(int node, const std::vector<int>& children) {
    std::string content = i32(node) + dict() + i32(static_cast<std::int64_t>(children.size()));
    for (const int child : children)
        content += i32(child);
    return chunk("nGRP", content);
}
std::string shape(int node, int model) {
    return chunk("nSHP", i32(node) + dict() + i32(1) + i32(model) + dict());
}

VoxelModel parsed(const std::string& bytes) {
    const auto model = parse_vox(bytes, "test.vox");
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    return model ? *model : VoxelModel{};
}
std::vector<glm::ivec3> places(const VoxelModel& model) {
    std::vector<glm::ivec3> out;
    for (const auto& voxel : model.voxels)
        out.push_back(voxel.at);
    return out;
}
std::string refusal(const std::string& bytes) {
    const auto model = parse_vox(bytes, "test.vox");
    EXPECT_FALSE(model);
    return model ? "" : model.error().text();
}

VoxelModel random_model(std::uint64_t seed, int extent) {
    Random random(seed);
    VoxelModel model;
    model.size = {1 + static_cast<int>(random.below(static_cast<std::uint32_t>(extent))), extent,
                  1 + static_cast<int>(random.below(static_cast<std::uint32_t>(extent)))};
    for (int n = 0; n < 200; ++n) {
        VoxelModel::Voxel v;
        for (int axis = 0; axis < 3; ++axis)
            v.at[axis] = static_cast<int>(random.below(static_cast<std::uint32_t>(model.size[axis])));
        v.color = static_cast<std::uint8_t>(1 + random.below(255));
        model.voxels.push_back(v);
    }
    // The corners, so that merging does not shrink it.
    model.voxels.push_back({glm::ivec3(0), 3});
    model.voxels.push_back({model.size - 1, 4});
    make_unique(model);
    for (std::size_t i = 1; i < 256; ++i)
        model.palette[i] = {static_cast<std::uint8_t>(random.below(256)), 1, 2, 255};
    return model;
}

TEST(Vox, WhatIsWrittenComesBack) {
    const TestFolder folder;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const VoxelModel model = random_model(seed, seed == 1 ? 256 : 20);
        const auto path = folder / "model.vox";
        ASSERT_FALSE(write_vox_file(path, model));
        const auto back = read_vox_file(path);
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(back->size, model.size);
        EXPECT_EQ(back->voxels, model.voxels);
        EXPECT_EQ(back->palette, model.palette);
        EXPECT_EQ(back->parts, 1u);
        EXPECT_EQ(back->name, "model");
    }
}

TEST(Vox, UpIsUpAndNothingIsMirrored) {
    // Voxels along the file's x, y and z from a corner: in this program they go right, away from the viewer,
    // up.
    const VoxelModel model = parsed(
        file(size_chunk(2, 3, 4) + voxels_chunk({{0, 0, 0, 1}, {1, 0, 0, 2}, {0, 2, 0, 3}, {0, 0, 3, 4}})));
    EXPECT_EQ(model.size, glm::ivec3(2, 4, 3));
    const auto at = [&](int color) {
        for (const auto& voxel : model.voxels)
            if (voxel.color == color) return voxel.at;
        return glm::ivec3(-1);
    };
    EXPECT_EQ(at(2) - at(1), glm::ivec3(1, 0, 0));
    EXPECT_EQ(at(3) - at(1), glm::ivec3(0, 0, -2));
    EXPECT_EQ(at(4) - at(1), glm::ivec3(0, 3, 0));
}

TEST(Vox, TheDefaultPaletteIsTheFormats) {
    const VoxelModel model = parsed(file(size_chunk(1, 1, 1) + voxels_chunk({{0, 0, 0, 79}})));
    const Rgba first{255, 255, 255, 255}, second{255, 255, 204, 255}, seventh{255, 204, 255, 255};
    const Rgba red{0xee, 0, 0, 255}, last{0x11, 0x11, 0x11, 255};
    EXPECT_EQ(model.palette[1], first);
    EXPECT_EQ(model.palette[2], second);
    EXPECT_EQ(model.palette[7], seventh);
    EXPECT_EQ(model.palette[216], red);
    EXPECT_EQ(model.palette[255], last);
}

TEST(Vox, ModelsWithoutASceneStandSideBySide) {
    const std::string one = size_chunk(2, 1, 1) + voxels_chunk({{0, 0, 0, 1}, {1, 0, 0, 1}});
    const VoxelModel model = parsed(file(chunk("PACK", i32(2)) + one + one));
    EXPECT_EQ(model.parts, 2u);
    EXPECT_EQ(places(model), (std::vector<glm::ivec3>{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {4, 0, 0}}));
}

/// Two models of 3 x 1 x 1 and 2 x 1 x 1 under a group, the second moved and turned.
std::string scene_file(const Entries& second, const Entries& attributes = {}) {
    return file(size_chunk(3, 1, 1) + voxels_chunk({{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}}) +
                size_chunk(2, 1, 1) + voxels_chunk({{0, 0, 0, 2}, {1, 0, 0, 3}}) + transform(0, 1, {}) +
                group(1, {2, 4}) + transform(2, 3, {{"_t", "0 0 0"}}) + shape(3, 0) +
                transform(4, 5, second, attributes) + shape(5, 1) + layer_chunk(0) + chunk("MATL", "??"));
}

TEST(Vox, TheSceneMovesTurnsAndHidesModels) {
    // The middle of a length of 3 is its second voxel, that of 2 lies before its second.
    EXPECT_EQ(places(parsed(scene_file({{"_t", "5 0 0"}}))),
              (std::vector<glm::ivec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 0, 0}, {6, 0, 0}}));
    // A quarter turn about the file's z: rows (0, -1, 0), (1, 0, 0), (0, 0, 1), so x goes to y, which is -z
    // here.
    const int quarter = 1 | 0 << 2 | 1 << 4;
    const VoxelModel turned = parsed(scene_file({{"_r", std::to_string(quarter)}, {"_t", "3 0 0"}}));
    EXPECT_EQ(turned.size, glm::ivec3(5, 1, 2));
    EXPECT_EQ(turned.parts, 2u);
    glm::ivec3 two, three;
    for (const auto& voxel : turned.voxels) {
        if (voxel.color == 2) two = voxel.at;
        if (voxel.color == 3) three = voxel.at;
    }
    EXPECT_EQ(three - two, glm::ivec3(0, 0, -1));
    EXPECT_EQ(parsed(scene_file({{"_t", "5 0 0"}}, {{"_hidden", "1"}})).voxels.size(), 3u);
    // Where two models share a place, the later one stays.
    const VoxelModel shared = parsed(scene_file({{"_t", "0 0 0"}}));
    EXPECT_EQ(shared.voxels.size(), 3u);
    EXPECT_EQ(shared.voxels[0].color, 2);
    EXPECT_EQ(shared.voxels[2].color, 1);
}

TEST(Vox, ModelsInAHiddenLayerAreHidden) {
    const std::string models = size_chunk(3, 1, 1) + voxels_chunk({{0, 0, 0, 1}}) + size_chunk(2, 1, 1) +
                               voxels_chunk({{0, 0, 0, 2}});
    const auto scene = [&](int layer, int group_layer, const std::string& layers) {
        return file(models + transform(0, 1, {}, {}, -1) + group(1, {2, 4}) + transform(2, 3, {}, {}, 0) +
                    shape(3, 0) + transform(4, 5, {{"_t", "9 0 0"}}, {}, group_layer) + group(5, {6}) +
                    transform(6, 7, {}, {}, layer) + shape(7, 1) + layers);
    };
    const std::string hidden = layer_chunk(0) + layer_chunk(3, {{"_name", "old"}, {"_hidden", "1"}});
    EXPECT_EQ(parsed(scene(3, 0, hidden)).parts, 1u);
    EXPECT_EQ(parsed(scene(3, 0, hidden)).voxels.at(0).color, 1);
    EXPECT_EQ(parsed(scene(0, 3, hidden)).parts, 1u) << "a group in the layer";
    EXPECT_EQ(parsed(scene(2, 0, hidden)).parts, 2u) << "another layer";
    EXPECT_EQ(parsed(scene(3, 0, layer_chunk(3, {{"_hidden", "0"}}))).parts, 2u);
    EXPECT_NE(refusal(scene(3, 0, hidden + layer_chunk(0, {{"_hidden", "1"}}))).find("no visible model"),
              std::string::npos);
    EXPECT_NE(refusal(scene(0, 0, chunk("LAYR", i32(4) + i32(1)))).find("layer 4 ends in the middle"),
              std::string::npos);
}

TEST(Vox, RefusalsSayWhatAndWhere) {
    const std::string good = size_chunk(2, 2, 2) + voxels_chunk({{0, 0, 0, 1}});
    const auto says = [](const std::string& bytes, std::string_view what) {
        const std::string error = refusal(bytes);
        EXPECT_NE(error.find(what), std::string::npos) << error;
        EXPECT_EQ(error.rfind("test.vox, byte ", 0), 0u) << error;
    };
    says("", "does not begin");
    says("PNG \1\2\3\4", "does not begin");
    says("VOX " + i32(9000) + chunk("MAIN", "", good), "version 9000");
    says("VOX " + i32(150) + chunk("MEIN", "", good), "no chunk MAIN");
    says(file(""), "has no voxels");
    says(file(size_chunk(2, 2, 2)), "SIZE without voxels");
    says(file(size_chunk(2, 2, 2) + good), "two SIZEs");
    says(file(voxels_chunk({{0, 0, 0, 1}})), "without a SIZE");
    says(file(size_chunk(2, 2, 2) + voxels_chunk({{0, 2, 0, 1}})), "byte 60: a voxel lies outside");
    says(file(size_chunk(0, 2, 2) + voxels_chunk({{0, 0, 0, 1}})), "0 voxels long");
    says(file(size_chunk(2, 257, 2) + voxels_chunk({{0, 0, 0, 1}})), "257 voxels long");
    says(file(size_chunk(2, 2, 2) + chunk("XYZI", i32(1000000) + i32(0))), "states 1000000 voxels");
    says(file(size_chunk(2, 2, 2) + chunk("XYZI", i32(-1))), "states -1 voxels");
    says(file(size_chunk(2, 2, 2) + chunk("XYZI", i32(1) + i32(1 << 24) + i32(1 << 24))),
         "states 1 voxels, but there are bytes for 2");
    says(file(good) + good, "bytes after the end that its chunk MAIN states");
    EXPECT_EQ(parsed(file(good) + std::string(9, '\0')).voxels.size(), 1u) << "padding";
    says(file(good + chunk("RGBA", "abc")), "palette");
    says(file(size_chunk(2, 2, 2) + voxels_chunk({{0, 0, 0, 0}})), "has no voxels");
    says(file(good + "nTRN" + i32(-5) + i32(0)), "states -5");
    says(file(good + transform(0, 7, {})), "node 7, which is missing");
    says(file(good + transform(0, 1, {}) + transform(1, 0, {})), "within itself");
    says(file(good + transform(0, 1, {}) + shape(1, 3)), "model 3 of 1");
    says(file(good + transform(0, 1, {}) + transform(0, 1, {})), "twice");
    says(file(good + transform(0, 1, {{"_r", "5"}}) + shape(1, 0)), "rotation");
    says(file(good + transform(0, 1, {{"_t", "1 2"}}) + shape(1, 0)), "translation");
    says(file(good + transform(0, 1, {{"_t", "99999999999 0 0"}}) + shape(1, 0)), "translation");
    says(file(good + chunk("nGRP", i32(0) + dict() + i32(1 << 30))), "entries");
    says(file(good + chunk("nGRP", i32(0) + i32(1 << 30))), "cut off");
    // A group that names one shape in every place, ten levels deep: 32^10 copies of a small file.
    std::string bomb = good;
    for (int level = 0; level < 10; ++level)
        bomb += group(level, std::vector<int>(32, level + 1));
    says(file(bomb + shape(10, 0)), "too many copies");
    says(file(good + transform(0, 1, {}) + group(1, {2, 3}) + shape(2, 0) +
              transform(3, 2, {{"_t", "0 1000000 0"}})),
         "spans");
}

TEST(Vox, MissingFilesAndFoldersAreNamed) {
    const TestFolder folder;
    const auto none = read_vox_file(folder / "none.vox");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().text().find("none.vox"), std::string::npos);
    EXPECT_FALSE(read_vox_file(folder.path()));
    VoxelModel wrong = random_model(3, 9);
    wrong.voxels[0].at.x = wrong.size.x;
    EXPECT_TRUE(write_vox_file(folder / "wrong.vox", wrong));
    EXPECT_TRUE(write_vox_file(folder / "empty.vox", VoxelModel{}));
    EXPECT_EQ(folder.file_count(), 0u);
    EXPECT_EQ(kind_of_file("A/b.VOX"), FileKind::Voxels);
    EXPECT_EQ(kind_of_file("vox"), FileKind::Unknown);
}

/// What comes back keeps the rules of VoxelModel, or is an error that names the file.
void check_sound(const Result<VoxelModel>& model) {
    if (!model) {
        EXPECT_EQ(model.error().path, "test.vox");
        EXPECT_FALSE(model.error().what.empty());
        EXPECT_EQ(model.error().where.rfind("byte ", 0), 0u);
        return;
    }
    ASSERT_FALSE(model->voxels.empty());
    for (const auto& voxel : model->voxels) {
        ASSERT_TRUE(glm::all(glm::greaterThanEqual(voxel.at, glm::ivec3(0)))) << voxel.at.x;
        ASSERT_TRUE(glm::all(glm::lessThan(voxel.at, model->size)));
        ASSERT_NE(voxel.color, 0);
    }
    EXPECT_LE(std::max({model->size.x, model->size.y, model->size.z}), kMaxVoxelExtent);
}

TEST(Vox, CutShortAtEveryByteIsAnError) {
    const std::string bytes = scene_file({{"_t", "5 0 0"}, {"_r", "4"}});
    ASSERT_TRUE(parse_vox(bytes, "test.vox"));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto model = parse_vox(std::string_view(bytes).substr(0, length), "test.vox");
        ASSERT_FALSE(model) << length;
        check_sound(model);
    }
}

TEST(Vox, EveryDamagedByteIsSurvived) {
    const std::string bytes = scene_file({{"_t", "5 0 0"}, {"_r", "4"}});
    int refused = 0, accepted = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const int value : {0, 1, 127, 128, 255}) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(value);
            const auto model = parse_vox(damaged, "test.vox");
            check_sound(model);
            ++(model ? accepted : refused);
        }
    EXPECT_GT(refused, 1000);
    EXPECT_GT(accepted, 100);
}

TEST(Vox, RandomDamageIsSurvived) {
    const std::array<std::string, 2> good = {scene_file({{"_t", "5 0 0"}, {"_r", "4"}}),
                                             encode_vox(random_model(5, 12))};
    const char* scale = std::getenv("BV_TEST_SCALE");
    const int rounds = scale != nullptr ? std::max(200, static_cast<int>(4000.0 * std::atof(scale))) : 4000;
    Random random(77);
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string bytes = good[static_cast<std::size_t>(round) % 2];
        for (std::uint32_t n = 1 + random.below(4); n > 0 && !bytes.empty(); --n) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(bytes.size()));
            const std::uint32_t word = random.chance(0.5f) ? random.below(64) : random.next_u32();
            switch (random.below(5)) {
                case 0:
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
                    break;
                case 1:
                    bytes.resize(at);
                    break;
                case 2:
                    bytes.erase(at, 1 + random.below(40));
                    break;
                case 3:
                    bytes.insert(at,
                                 bytes.substr(random.below(static_cast<std::uint32_t>(bytes.size())), 40));
                    break;
                default:
                    if (at + 4 <= bytes.size()) std::memcpy(bytes.data() + at, &word, 4);
            }
        }
        const auto model = parse_vox(bytes, "test.vox");
        check_sound(model);
        refused += !model;
    }
    EXPECT_GT(refused, rounds / 3);
}

}  // namespace
}  // namespace lab::io
