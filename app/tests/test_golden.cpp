// Pictures of whole scenes against stored ones. `BVLAB_GOLDEN=write` stores what is drawn now: look at every
// changed picture before it is committed.
//
// Software rasterizers of the same version agree to the bit. Others round edges differently, so a few pixels
// may differ, and a little everywhere; a missing shape, a moved label or a wrong color is far outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

#include "program.hpp"

namespace lab::test {
namespace {

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

Picture read_png(const std::filesystem::path& path) {
    Picture picture;
    int channels = 0;
    std::uint8_t* pixels = stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 3);
    if (!pixels) return picture;
    picture.rgb.assign(pixels, pixels + 3 * picture.width * picture.height);
    stbi_image_free(pixels);
    return picture;
}

struct Difference {
    double mean = 0;           ///< Over all bytes, of 255.
    double clearly_share = 0;  ///< Of pixels with a byte that is off by more than 40.
};

Difference compare(const Picture& a, const Picture& b) {
    Difference difference;
    const std::size_t pixels = a.rgb.size() / 3;
    for (std::size_t i = 0; i < pixels; ++i) {
        int most = 0;
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
            const int off = std::abs(int{a.rgb[k]} - int{b.rgb[k]});
            difference.mean += off;
            most = std::max(most, off);
        }
        if (most > 40) difference.clearly_share += 1.0;
    }
    difference.mean /= static_cast<double>(a.rgb.size());
    difference.clearly_share /= static_cast<double>(pixels);
    return difference;
}

/// What a person would call another picture is beyond one of these.
constexpr double kMostMean = 1.0;
constexpr double kMostClearly = 0.004;

const std::filesystem::path kStored = BVLAB_GOLDEN_DIR;

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, LooksAsStored) {
    const std::string scene = GetParam();
    const TempDir folder;
    const Finished run = run_bvlab(
        folder, "--headless --scene " + scene + " --frames 40 --seed 7 --size 640x360 --screenshot now.png");
    ASSERT_EQ(run.status, 0) << run.err;
    const std::filesystem::path stored = kStored / (scene + ".png");
    const char* mode = std::getenv("BVLAB_GOLDEN");
    if (mode && std::string(mode) == "write") {
        std::filesystem::copy_file(folder / "now.png", stored,
                                   std::filesystem::copy_options::overwrite_existing);
        return;
    }
    const Picture now = read_png(folder / "now.png"), then = read_png(stored);
    ASSERT_FALSE(then.rgb.empty()) << stored << " is missing: run this test with BVLAB_GOLDEN=write";
    ASSERT_EQ(now.width, then.width);
    ASSERT_EQ(now.height, then.height);
    const Difference difference = compare(now, then);
    const bool same = difference.mean <= kMostMean && difference.clearly_share <= kMostClearly;
    if (!same) {
        const auto kept = std::filesystem::temp_directory_path() / ("bvlab-golden-" + scene + ".png");
        std::filesystem::copy_file(folder / "now.png", kept,
                                   std::filesystem::copy_options::overwrite_existing);
        ADD_FAILURE() << scene << " looks different: " << difference.mean << " of 255 on the mean, "
                      << 100.0 * difference.clearly_share << " % of the pixels clearly. Now: " << kept
                      << ", stored: " << stored;
    }
}

// Scenes that show every kind of thing that is drawn: meshes, the volumes, tree nodes, rays, exhibits,
// handles, charts, planes, cut solids. None of them shows a time that was measured.
INSTANTIATE_TEST_SUITE_P(Scenes, Golden,
                         testing::Values("welcome", "aabb-forms", "aabb-overlap", "aabb-plane", "aabb-sweep",
                                         "ray-aabb", "ray-triangle", "obb-sat", "frustum", "aabb-tree",
                                         "tree-balance"),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(GoldenComparison, SeesAMissingLabelAndNotALittleNoise) {
    Picture a;
    a.width = 640;
    a.height = 360;
    a.rgb.assign(std::size_t{3} * 640 * 360, 30);
    Picture noisy = a;
    for (std::size_t i = 0; i < noisy.rgb.size(); i += 7)
        noisy.rgb[i] = static_cast<std::uint8_t>(noisy.rgb[i] + 3);
    const Difference noise = compare(a, noisy);
    EXPECT_LE(noise.mean, kMostMean);
    EXPECT_LE(noise.clearly_share, kMostClearly);
    Picture labelled = a;  // a word of 90 by 12 pixels
    for (int y = 100; y < 112; ++y)
        for (int x = 200; x < 290; ++x)
            for (int k = 0; k < 3; ++k)
                labelled.rgb[static_cast<std::size_t>(3 * (y * 640 + x) + k)] = 220;
    EXPECT_GT(compare(a, labelled).clearly_share, kMostClearly);
}

}  // namespace
}  // namespace lab::test
