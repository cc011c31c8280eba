// A floating island, voxel by voxel.
#include <algorithm>
#include <cmath>

#include "workloads/random.hpp"
#include "world/voxels/voxel_model.hpp"

namespace lab {
namespace {

enum Color : std::uint8_t {
    kGrass = 1,
    kGrassLight,
    kEarth,
    kEarthDark,
    kStone,
    kStoneDark,
    kBark,
    kLeaf,
    kLeafLight,
    kLeafDark,
    kWall,
    kBeam,
    kRoof,
    kRoofDark,
    kWindow,
    kDoor,
    kPath,
    kFlower,
    kBlossom,
    kSmoke
};

class Builder {
  public:
    explicit Builder(std::uint64_t seed) : random_(seed) {}

    void put(const glm::ivec3& at, int color) {
        for (int axis = 0; axis < 3; ++axis)
            if (at[axis] < 0 || at[axis] >= kSize[axis]) return;
        model.voxels.push_back({at, static_cast<std::uint8_t>(color)});
    }
    void box(const glm::ivec3& low, const glm::ivec3& high, int color) {
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x)
                    put({x, y, z}, color);
    }

    /// An upside-down hill of earth and stone under a round meadow.
    void island() {
        for (int z = 0; z < kSize.z; ++z)
            for (int x = 0; x < kSize.x; ++x) {
                const float dx = (static_cast<float>(x) - 15.5f) / 15.5f;
                const float dz = (static_cast<float>(z) - 13.5f) / 13.5f;
                const float wobble = 0.06f * static_cast<float>((x * 7 + z * 13 + x * z) % 5 - 2);
                const float inside = 1.0f - dx * dx - dz * dz + wobble;
                if (inside <= 0.06f) continue;
                const int depth = 1 + static_cast<int>(10.5f * std::sqrt(inside) * (0.75f + 0.5f * inside));
                const int bottom = std::max(0, kTop - std::min(depth, kTop));
                for (int y = bottom; y <= kTop; ++y) {
                    const int below = kTop - y;
                    const bool odd = random_.chance(0.25f);
                    int color = odd ? kStoneDark : kStone;
                    if (below < 4) color = odd ? kEarthDark : kEarth;
                    if (below == 0) color = random_.chance(0.3f) ? kGrassLight : kGrass;
                    put({x, y, z}, color);
                }
                if (random_.chance(0.035f)) put({x, kTop + 1, z}, random_.chance(0.5f) ? kFlower : kBlossom);
            }
    }

    void house() {
        const glm::ivec3 low(6, kTop + 1, 8);
        box(low, low + glm::ivec3(8, 5, 6), kWall);
        for (const int x : {0, 8})
            for (const int z : {0, 6})
                box(low + glm::ivec3(x, 0, z), low + glm::ivec3(x, 5, z), kBeam);
        for (int step = 0; step < 5; ++step)  // a roof of two slopes, wider than the walls
            box(low + glm::ivec3(-1, 6 + step, -1 + step), low + glm::ivec3(9, 6 + step, 7 - step),
                step % 2 == 0 ? kRoof : kRoofDark);
        box(low + glm::ivec3(4, 0, 6), low + glm::ivec3(5, 3, 6), kDoor);
        for (const int x : {1, 2, 7}) {
            put(low + glm::ivec3(x, 2, 6), kWindow);
            put(low + glm::ivec3(x, 3, 6), kWindow);
        }
        for (const int z : {2, 3}) {
            put(low + glm::ivec3(8, 2, z), kWindow);
            put(low + glm::ivec3(8, 3, z), kWindow);
        }
        box(low + glm::ivec3(6, 8, 2), low + glm::ivec3(7, 12, 3), kStoneDark);  // chimney
        for (const glm::ivec3& puff : {glm::ivec3(6, 14, 2), glm::ivec3(7, 14, 2), glm::ivec3(7, 15, 3),
                                       glm::ivec3(8, 16, 2), glm::ivec3(8, 16, 3), glm::ivec3(9, 18, 3)})
            put(low + puff, kSmoke);
        for (int z = low.z + 7; z < kSize.z; ++z)
            for (int x = 10; x <= 11; ++x)
                if (std::any_of(model.voxels.begin(), model.voxels.end(),
                                [&](const auto& v) { return v.at == glm::ivec3(x, kTop, z); }))
                    put({x, kTop, z}, kPath);
    }

    void tree(const glm::ivec3& foot, int height, int crown) {
        box(foot, foot + glm::ivec3(1, height, 1), kBark);
        const glm::vec3 middle = glm::vec3(foot) + glm::vec3(0.5f, static_cast<float>(height) + 1.5f, 0.5f);
        for (int z = -crown; z <= crown + 1; ++z)
            for (int y = -crown; y <= crown + 1; ++y)
                for (int x = -crown; x <= crown + 1; ++x) {
                    const glm::vec3 p = glm::vec3(foot + glm::ivec3(x, y + height + 1, z)) - middle;
                    const float r = std::sqrt(p.x * p.x + 1.3f * p.y * p.y + p.z * p.z);
                    if (r > static_cast<float>(crown) + 0.35f - random_.uniform(0.0f, 0.7f)) continue;
                    const int color = p.y > 0.4f * static_cast<float>(crown)    ? kLeafLight
                                      : p.y < -0.4f * static_cast<float>(crown) ? kLeafDark
                                                                                : kLeaf;
                    put(foot + glm::ivec3(x, y + height + 1, z), color);
                }
    }

    static constexpr glm::ivec3 kSize{32, 36, 28};
    static constexpr int kTop = 12;  ///< The layer of the meadow.
    io::VoxelModel model;

  private:
    bv::workloads::Random random_;
};

}  // namespace

io::VoxelModel sample_island() {
    Builder builder(11);
    builder.model.size = Builder::kSize;
    builder.model.name = "island";
    builder.island();
    builder.house();
    builder.tree({22, Builder::kTop + 1, 10}, 7, 5);
    builder.tree({24, Builder::kTop + 1, 19}, 2, 3);
    io::VoxelModel& model = builder.model;
    constexpr std::array<std::uint32_t, 20> kColors = {
        0x6fae4a, 0x86c257, 0x8a6242, 0x6f4d35, 0x8d8f96, 0x6f727b, 0x6b4a2f, 0x4c9448, 0x74b65a, 0x35713d,
        0xefe3c8, 0x7a5233, 0xc2503f, 0xa64236, 0xffd977, 0x5a3a26, 0xd3bd8b, 0xf2c14e, 0xe77fa3, 0xe9edf2};
    for (std::size_t i = 0; i < kColors.size(); ++i)
        model.palette[i + 1] = {static_cast<std::uint8_t>(kColors[i] >> 16),
                                static_cast<std::uint8_t>(kColors[i] >> 8 & 0xff),
                                static_cast<std::uint8_t>(kColors[i] & 0xff), 255};
    io::make_unique(model);
    model.parts = 1;
    return model;
}

}  // namespace lab
