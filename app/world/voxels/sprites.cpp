#include "world/voxels/sprites.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace lab {
namespace {

constexpr int kAlienHeight = 8;
using Rows = std::array<std::string_view, kAlienHeight>;

// B body, H highlight, L legs, W white of an eye, P pupil, Y beak, S stem, M mouth, T tip.
constexpr std::array<std::array<Rows, kAlienFrames>, kAlienKinds> kAliens = {{
    // A one-eyed pyramid on four feet.
    {{{".....T.....",  //
       "....BHB....",  //
       "...BHBBB...",  //
       "..BBWWWBB..",  //
       ".BBWWPWWBB.",  //
       ".BBBWWWBBB.",  //
       "BBBBBBBBBBB",  //
       ".L..L.L..L."},
      {".....T.....",  //
       "....BHB....",  //
       "...BHBBB...",  //
       "..BBWWWBB..",  //
       ".BBWPWWWBB.",  //
       ".BBBWWWBBB.",  //
       "BBBBBBBBBBB",  //
       "L..L...L..L"}}},
    // An owl that beats its wings.
    {{{"H.........H",  //
       "HH.BBBBB.HH",  //
       ".BBBBBBBBB.",  //
       ".BWWBBBWWB.",  //
       ".BWPBYBPWB.",  //
       "HBBBBYBBBBH",  //
       ".BBHHHHHBB.",  //
       "..LL...LL.."},
      {"...........",  //
       "...BBBBB...",  //
       ".BBBBBBBBB.",  //
       "HBWWBBBWWBH",  //
       "HBWPBYBPWBH",  //
       "HBBBBYBBBBH",  //
       "HBBHHHHHBBH",  //
       "...LL.LL..."}}},
    // A walking mushroom.
    {{{"...BBBBB...",  //
       ".BBHHBBBBB.",  //
       "BBBHHBBHHBB",  //
       "BHBBBBBHHBB",  //
       "..SSSSSSS..",  //
       "..SPSSSPS..",  //
       "..SSSMSSS..",  //
       "..S.S.S.S.."},
      {"...BBBBB...",  //
       ".BBHHBBBBB.",  //
       "BBBHHBBHHBB",  //
       "BHBBBBBHHBB",  //
       "..SSSSSSS..",  //
       "..SPSSSPS..",  //
       "..SSMMMSS..",  //
       "...S.S.S..."}}},
}};

std::uint32_t alien_color(int kind, char letter) {
    constexpr std::array<std::uint32_t, kAlienKinds> kBody = {0xd65db1, 0x2fb8ac, 0xe2574c};
    constexpr std::array<std::uint32_t, kAlienKinds> kHigh = {0xf3a6dc, 0x8ce0cf, 0xf7e3d0};
    constexpr std::array<std::uint32_t, kAlienKinds> kLegs = {0x9a3f84, 0xf0a93b, 0xd9b48f};
    const auto k = static_cast<std::size_t>(kind);
    switch (letter) {
        case 'H':
            return kHigh[k];
        case 'L':
            return kLegs[k];
        case 'W':
            return 0xf7f8fb;
        case 'P':
            return 0x1d2030;
        case 'Y':
            return 0xf5b942;
        case 'S':
            return 0xf2dfc3;
        case 'M':
            return 0x8e3b46;
        case 'T':
            return 0xffd166;
        default:
            return kBody[k];
    }
}

/// The letters as a cushion: `depth` deep inside, half of that along the outline. Details (eyes, beak) are
/// only on the front.
template <class Rows2, class Paint>
VoxelSprite cushion(const Rows2& rows, int depth, std::string_view on_front, Paint&& paint) {
    const int width = static_cast<int>(rows[0].size());
    const int height = static_cast<int>(rows.size());
    VoxelSprite sprite({width, height, depth});
    const auto letter = [&](int x, int row) {
        if (x < 0 || x >= width || row < 0 || row >= height) return '.';
        return rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(x)];
    };
    for (int row = 0; row < height; ++row)
        for (int x = 0; x < width; ++x) {
            const char c = letter(x, row);
            if (c == '.') continue;
            const bool inner = letter(x - 1, row) != '.' && letter(x + 1, row) != '.' &&
                               letter(x, row - 1) != '.' && letter(x, row + 1) != '.';
            const int cut = inner ? 0 : depth / 4;
            for (int z = cut; z < depth - cut; ++z) {
                const bool front = z == depth - cut - 1;
                const bool picture = on_front.find(c) != std::string_view::npos;
                sprite.set({x, height - 1 - row, z}, paint(picture && !front ? 'B' : c));
            }
        }
    return sprite;
}

SpritePtr shared(VoxelSprite sprite) {
    return std::make_shared<const VoxelSprite>(std::move(sprite));
}

/// A hash of the place, in 0..range-1.
int scatter(int x, int y, int z, int range) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 73856093u ^ static_cast<std::uint32_t>(y) * 19349663u ^
                      static_cast<std::uint32_t>(z) * 83492791u;
    h = (h ^ h >> 13) * 0x5bd1e995u;
    return static_cast<int>((h >> 15) % static_cast<std::uint32_t>(range));
}

/// An integer triangle wave: 0 up to `height` and back within `period`.
int hill(int x, int period, int height) {
    const int half = period / 2;
    const int f = ((x % period) + period) % period;
    const int up = f < half ? f : period - f;
    return up * height / half;
}

}  // namespace

VoxelSprite::VoxelSprite(const glm::ivec3& extent)
    : size(extent),
      colors(static_cast<std::size_t>(extent.x) * static_cast<std::size_t>(extent.y) *
                 static_cast<std::size_t>(extent.z),
             kEmpty) {}

SpritePtr alien_sprite(int kind, int frame) {
    const auto& rows = kAliens.at(static_cast<std::size_t>(kind)).at(static_cast<std::size_t>(frame));
    // A stem's face is on the stem, not on the cap.
    return shared(cushion(rows, 4, kind == 2 ? "" : "WPYH", [kind](char c) { return alien_color(kind, c); }));
}

SpritePtr ship_sprite() {
    constexpr std::array<std::string_view, 7> kRows = {".......C.......",  //
                                                       ".......C.......",  //
                                                       "......CCC......",  //
                                                       "....AAGGGAA....",  //
                                                       "..AAAAGGGAAAA..",  //
                                                       "AAAAAAAAAAAAAAA",  //
                                                       "DD.DDDDDDDDD.DD"};
    return shared(cushion(kRows, 7, "G", [](char c) -> std::uint32_t {
        switch (c) {
            case 'C':
                return 0xffd166;
            case 'G':
                return 0x9be7ff;
            case 'D':
                return 0x3c5a8a;
            default:
                return 0x5b8def;
        }
    }));
}

SpritePtr bunker_sprite() {
    VoxelSprite sprite({17, 11, 6});
    for (int z = 0; z < sprite.size.z; ++z)
        for (int y = 0; y < sprite.size.y; ++y)
            for (int x = 0; x < sprite.size.x; ++x) {
                const int from_side = std::min(x, sprite.size.x - 1 - x);
                if (y - (sprite.size.y - 4) > from_side) continue;  // slanted shoulders
                const int dx = x - 8;
                if (dx * dx + y * y < 22) continue;  // the gate
                // Bricks of four by two, every second course shifted.
                const int course = y / 2;
                const int brick = (x + 2 * (course % 2)) / 4;
                const int tone = scatter(brick, course, z / 3, 3);
                constexpr std::array<std::uint32_t, 3> kTones = {0xa7b0bd, 0x939dac, 0xb9c1cc};
                sprite.set({x, y, z}, kTones[static_cast<std::size_t>(tone)]);
            }
    return shared(std::move(sprite));
}

SpritePtr shot_sprite() {
    VoxelSprite sprite({1, 5, 1});
    for (int y = 0; y < 5; ++y)
        sprite.set({0, y, 0}, y >= 3 ? 0xffffff : 0x7fe3ff);
    return shared(std::move(sprite));
}

SpritePtr bomb_sprite() {
    VoxelSprite sprite({3, 6, 1});
    for (int y = 0; y < 6; ++y) {
        const int f = y % 4;
        sprite.set({f == 3 ? 1 : f, y, 0}, y < 2 ? 0xfff0a8 : 0xff9f45);
    }
    return shared(std::move(sprite));
}

SpritePtr ground_sprite() {
    VoxelSprite sprite({138, 9, 20});
    for (int z = 0; z < sprite.size.z; ++z)
        for (int x = 0; x < sprite.size.x; ++x) {
            const int top = std::min(8, 4 + hill(x + 5, 46, 2) + hill(x + 3 * z, 34, 2) / 2 + hill(z, 40, 1));
            for (int y = 0; y <= top; ++y) {
                const int tone = scatter(x, y, z, 4);
                const int below = top - y;
                std::uint32_t color = tone == 0 ? 0x767d88 : 0x686f7a;
                if (below < 4) color = tone == 0 ? 0x7a573c : 0x876345;
                if (below == 0) color = tone == 0 ? 0x7fbf52 : tone == 1 ? 0x5f9c40 : 0x6dad48;
                sprite.set({x, y, z}, color);
            }
        }
    return shared(std::move(sprite));
}

}  // namespace lab
