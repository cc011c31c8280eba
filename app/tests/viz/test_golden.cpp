// Every scene, in both themes, against a stored picture. `BVLAB_GOLDEN=write` stores those anew that have
// changed by more than the tolerance: look at each before it is committed.
//
// Software rasterizers of the same version agree to the bit, others round edges differently. That hardly
// moves the mean color of a tile of a few hundred pixels, while a missing letter, a wrong color or a shape
// that has moved does. The stored pictures are JPEGs, and so is what is compared with them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#define STBI_NO_SIMD  // its intrinsics do not compile without optimization under the sanitizers
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb_image.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include "program.hpp"
#include "scenes/scenes.hpp"
#include "settings/steps.hpp"

namespace lab::test {
namespace {

namespace fs = std::filesystem;

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    [[nodiscard]] int at(int x, int y, int channel) const {
        return rgb[static_cast<std::size_t>(3 * (y * width + x) + channel)];
    }
};

/// Of a PNG or JPEG; empty if it is neither.
Picture decoded(const std::string& bytes) {
    Picture picture;
    int channels = 0;
    std::uint8_t* pixels =
        stbi_load_from_memory(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                              static_cast<int>(bytes.size()), &picture.width, &picture.height, &channels, 3);
    if (!pixels) return picture;
    picture.rgb.assign(pixels, pixels + 3 * picture.width * picture.height);
    stbi_image_free(pixels);
    return picture;
}

std::string jpeg(const Picture& picture) {
    constexpr int kQuality = 80;
    std::string bytes;
    const auto collect = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_jpg_to_func(collect, &bytes, picture.width, picture.height, 3, picture.rgb.data(), kQuality);
    return bytes;
}

constexpr int kTile = 16;              // pixels
constexpr double kMaxInATile = 6.0;    // of 255, in the mean color of one tile
constexpr double kNotable = 3.0;       // what a fault in many places does to the tiles there
constexpr double kMaxNotable = 0.004;  // share of tiles

struct Difference {
    double worst = 0;          ///< Of a tile's mean color, of 255, in the channel where it is largest.
    int x = 0, y = 0;          ///< The upper left corner of that tile.
    double notable_share = 0;  ///< Of tiles that differ by more than `kNotable`.

    [[nodiscard]] bool is_seen() const { return worst > kMaxInATile || notable_share > kMaxNotable; }
};

/// By how much a tile's mean differs, in the channel where it differs most.
double tile_difference(const Picture& a, const Picture& b, int x0, int y0) {
    const int x1 = std::min(x0 + kTile, a.width), y1 = std::min(y0 + kTile, a.height);
    int sums[3] = {};
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
            for (int k = 0; k < 3; ++k)
                sums[k] += a.at(x, y, k) - b.at(x, y, k);
    const int largest = std::max({std::abs(sums[0]), std::abs(sums[1]), std::abs(sums[2])});
    return static_cast<double>(largest) / ((x1 - x0) * (y1 - y0));
}

/// Over tiles that overlap by half, so that nothing small is shared out between several. Of equal size.
Difference compare(const Picture& a, const Picture& b) {
    Difference difference;
    int tiles = 0, notable = 0;
    for (int y = 0; y < a.height; y += kTile / 2)
        for (int x = 0; x < a.width; x += kTile / 2) {
            const double here = tile_difference(a, b, x, y);
            ++tiles;
            notable += here > kNotable;
            if (here > difference.worst) difference = {here, x, y, 0};
        }
    difference.notable_share = static_cast<double>(notable) / tiles;
    return difference;
}

constexpr std::size_t kLargestFile = 60000;  // bytes

const fs::path kStored = BVLAB_GOLDEN_DIR;

/// A picture of a scene: as it starts, or at one of its steps.
struct Shot {
    std::string scene;
    std::string step;       ///< `first`, `changed`, `last`, or empty.
    std::string algorithm;  ///< The one to step, where a scene has several; empty: its default.
    std::string setting;    ///< The setting that chooses `algorithm`.
    [[nodiscard]] std::string name() const {
        return scene + (algorithm.empty() ? "" : "-" + algorithm) + (step.empty() ? "" : "-" + step);
    }
    [[nodiscard]] std::string commands() const {
        // It grows first; step 156 is a rotation.
        if (scene == "aabb-tree")
            return "pause; step 300; step.goto " + std::string(step == "first"     ? "1"
                                                               : step == "changed" ? "156"
                                                                                   : "100000");
        if (step == "first") return "step.first";
        // Few of its steps change the hit; step 25 goes down the tree.
        if (scene == "ray-picking" && step == "changed") return "step.goto 25";
        if (step == "changed") return "step.first; step.change; step.change; step.change";
        return step == "last" ? "step.last" : "";
    }
};

class Golden : public testing::TestWithParam<std::tuple<Shot, std::string>> {};

TEST_P(Golden, LooksAsStored) {
    const auto& [shot, theme] = GetParam();
    const std::string name = shot.name() + "-" + theme;
    const TempDir folder;
    const Finished run = run_bvlab(
        folder, "--headless --scene " + shot.scene +
                    (shot.step.empty() ? "" : " --run '" + shot.commands() + "'") +
                    (shot.setting.empty() ? "" : " --set " + shot.setting + "=" + shot.algorithm) +
                    " --frames 40 --seed 7 --size 640x360 --set ui.theme=" + theme + " --screenshot now.png");
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string bytes = jpeg(decoded(read_text(folder / "now.png")));
    EXPECT_LE(bytes.size(), kLargestFile);
    const fs::path stored = kStored / (name + ".jpg");
    const Picture now = decoded(bytes), then = decoded(read_text(stored));
    ASSERT_FALSE(now.rgb.empty());
    const bool comparable = now.width == then.width && now.height == then.height;
    const Difference difference = comparable ? compare(now, then) : Difference{};
    if (comparable && !difference.is_seen()) return;

    const char* mode = std::getenv("BVLAB_GOLDEN");
    if (mode && std::string(mode) == "write") return write_text(stored, bytes);
    ASSERT_FALSE(then.rgb.empty()) << stored << " is missing: run this test with BVLAB_GOLDEN=write";
    ASSERT_TRUE(comparable) << stored << " has another size";
    const fs::path kept =
        fs::temp_directory_path() / ("bvlab-golden-" + name + "-" + std::to_string(getpid()) + ".jpg");
    write_text(kept, bytes);
    ADD_FAILURE() << name << " looks different: a tile's color by up to " << difference.worst
                  << " of 255, most at " << difference.x << ", " << difference.y << "; "
                  << 100.0 * difference.notable_share << " % of the tiles notably. Now: " << kept
                  << ", stored: " << stored;
}

std::vector<Shot> shots() {
    std::vector<Shot> all;
    for (const SceneSpec& scene : scene_specs()) {
        all.push_back({std::string(scene.id), {}, {}, {}});
        // The others with a setting that the arrow keys change step through levels or frames.
        if (scene.steps == &kStepAt || scene.id == "obb-sat" || scene.id == "ray-picking")
            for (const char* step : {"first", "changed", "last"})
                all.push_back({std::string(scene.id), step, {}, {}});
    }
    // Algorithms that look unlike the one that their scene starts with.
    for (const auto& [scene, setting, algorithm] :
         {std::array{"bsp", "bsp.algorithm", "build"}, std::array{"bsp", "bsp.algorithm", "back-to-front"},
          std::array{"mesh-pairs", "pairs.algorithm", "triangles"},
          std::array{"sweep", "sweep.algorithm", "incremental-sweep"},
          std::array{"sah-split", "split.algorithm", "sweep"},
          std::array{"sah-split", "split.algorithm", "median"},
          std::array{"sah-split", "split.algorithm", "morton"},
          std::array{"sah-split", "split.algorithm", "spatial"},
          std::array{"sah-split", "split.algorithm", "agglomerative"}})
        for (const char* step : {"first", "changed", "last"})
            all.push_back({scene, step, algorithm, setting});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Golden,
                         testing::Combine(testing::ValuesIn(shots()), testing::Values("dark", "light")),
                         [](const auto& test) {
                             std::string name = std::get<0>(test.param).name();
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name + "_" + std::get<1>(test.param);
                         });

TEST(GoldenFolder, HoldsNothingElse) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(kStored))
        files += entry.is_regular_file();
    EXPECT_EQ(files, 2 * shots().size());
}

// ---- the comparison itself

Picture plain(int value) {
    return {640, 360,
            std::vector<std::uint8_t>(std::size_t{3} * 640 * 360, static_cast<std::uint8_t>(value))};
}

void paint(Picture& picture, int x0, int y0, int width, int height, const std::array<int, 3>& rgb) {
    for (int y = y0; y < y0 + height; ++y)
        for (int x = x0; x < x0 + width; ++x)
            for (int k = 0; k < 3; ++k)
                picture.rgb[static_cast<std::size_t>(3 * (y * picture.width + x) + k)] =
                    static_cast<std::uint8_t>(rgb[static_cast<std::size_t>(k)]);
}

TEST(GoldenComparison, AllowsNoiseAndEdgesThatAreRoundedDifferently) {
    const Picture a = plain(30);
    Picture noisy = a;
    for (std::size_t i = 0; i < noisy.rgb.size(); i += 7)
        noisy.rgb[i] = static_cast<std::uint8_t>(noisy.rgb[i] + 12);
    EXPECT_FALSE(compare(a, noisy).is_seen());
    // The sides of a solid, smoothed by a fourth of a pixel more or less.
    Picture shape = a, other = a;
    paint(shape, 100, 100, 300, 150, {200, 120, 60});
    paint(other, 100, 100, 300, 150, {200, 120, 60});
    paint(shape, 400, 100, 1, 150, {72, 52, 37});
    paint(other, 400, 100, 1, 150, {115, 75, 45});
    EXPECT_FALSE(compare(shape, other).is_seen());
}

TEST(GoldenComparison, SeesAMissingLetterAThinLineOfAnotherColorAndAMove) {
    const Picture a = plain(30);
    Picture letter = a;  // an l: two pixels by nine
    paint(letter, 203, 101, 2, 9, {220, 220, 220});
    EXPECT_TRUE(compare(a, letter).is_seen());
    EXPECT_NEAR(compare(a, letter).x, 203, kTile);
    EXPECT_NEAR(compare(a, letter).y, 101, kTile);
    Picture orange = a, yellow = a;  // the palette's tight and fixed AABB
    paint(orange, 100, 50, 2, 200, {255, 165, 60});
    paint(yellow, 100, 50, 2, 200, {255, 224, 50});
    EXPECT_TRUE(compare(orange, yellow).is_seen());
    Picture moved = a;
    paint(moved, 104, 50, 2, 200, {255, 165, 60});
    EXPECT_TRUE(compare(orange, moved).is_seen());
    EXPECT_TRUE(compare(a, plain(37)).is_seen());
}

}  // namespace
}  // namespace lab::test
