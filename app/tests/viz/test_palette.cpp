// The palette is legible on both backgrounds and its volume colors stay apart for color-blind eyes, in
// numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "viz/colors/palette.hpp"

namespace {

using lab::Role;
using lab::viz::Color;
using lab::viz::palette;
using lab::viz::Palette;
using lab::viz::Theme;
using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;

constexpr std::array kThemes = {Theme::Dark, Theme::Light};
constexpr std::array kVolumes = {Role::Sphere, Role::AabbFixed, Role::AabbTight, Role::Obb,
                                 Role::Kdop,   Role::Hull,      Role::Capsule};

// What a person without one kind of cone sees, in linear RGB: Machado, Oliveira and Fernandes 2009,
// severity 1.
constexpr Matrix kNormal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia = {
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Vec multiply(const Matrix& m, const Vec& v) {
    Vec r{};
    for (std::size_t i = 0; i < 3; ++i)
        r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return r;
}

double linear(std::uint8_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// Ottosson's Oklab, in which distances are about as large as they look.
Vec oklab(const Vec& rgb) {
    const Matrix to_lms = {{{0.4122214708, 0.5363325363, 0.0514459929},
                            {0.2119034982, 0.6806995451, 0.1073969566},
                            {0.0883024619, 0.2817188376, 0.6299787005}}};
    const Matrix to_lab = {{{0.2104542553, 0.7936177850, -0.0040720468},
                            {1.9779984951, -2.4285922050, 0.4505937099},
                            {0.0259040371, 0.7827717662, -0.8086757660}}};
    Vec lms = multiply(to_lms, rgb);
    for (double& x : lms)
        x = std::cbrt(std::max(0.0, x));
    return multiply(to_lab, lms);
}

double distance(Color a, Color b, const Matrix& eye) {
    const auto seen = [&](Color c) {
        Vec v = multiply(eye, {linear(c.r), linear(c.g), linear(c.b)});
        for (double& x : v)
            x = std::clamp(x, 0.0, 1.0);
        return oklab(v);
    };
    const Vec x = seen(a);
    const Vec y = seen(b);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

double least_distance(Color a, Color b) {
    double least = std::numeric_limits<double>::infinity();
    for (const Matrix& eye : {kNormal, kProtanopia, kDeuteranopia, kTritanopia})
        least = std::min(least, distance(a, b, eye));
    return least;
}

double least_contrast(const Palette& p, Color c) {
    return std::min(lab::viz::contrast_ratio(c, p.background_top),
                    lab::viz::contrast_ratio(c, p.background_bottom));
}

}  // namespace

TEST(Palette, ContrastRatioIsThatOfWcag) {
    EXPECT_NEAR(lab::viz::contrast_ratio(lab::render::rgb(0x000000), lab::render::rgb(0xffffff)), 21.0, 1e-9);
    EXPECT_NEAR(lab::viz::contrast_ratio(lab::render::rgb(0x777777), lab::render::rgb(0xffffff)), 4.48, 0.01);
    EXPECT_NEAR(lab::viz::contrast_ratio(lab::render::rgb(0x123456), lab::render::rgb(0x123456)), 1.0, 1e-9);
}

TEST(Palette, TextReadsOnBothBackgrounds) {
    for (const Theme theme : kThemes) {
        const Palette& p = palette(theme);
        EXPECT_GE(least_contrast(p, p.text), 10.0);
        EXPECT_GE(least_contrast(p, p.text_dim), 4.5);
        EXPECT_GE(lab::viz::contrast_ratio(p.notice, p.on_notice), 4.5);
        EXPECT_GE(least_contrast(p, p.notice), 4.5) << "PAUSED must be plain to see";
    }
}

TEST(Palette, EveryRoleStandsOutFromItsBackground) {
    for (const Theme theme : kThemes) {
        for (std::size_t i = 0; i < lab::viz::kRoleCount; ++i) {
            const auto role = static_cast<Role>(i);
            // WCAG asks 3 for graphics. Culled nodes are meant to step back.
            const double least = role == Role::Culled ? 2.5 : 3.0;
            EXPECT_GE(least_contrast(palette(theme), palette(theme).role(role)), least)
                << lab::viz::role_name(role) << " in theme " << static_cast<int>(theme);
        }
    }
}

TEST(Palette, VolumeColorsStayApartForColorBlindEyes) {
    for (const Theme theme : kThemes) {
        const Palette& p = palette(theme);
        for (std::size_t i = 0; i < kVolumes.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                EXPECT_GE(least_distance(p.role(kVolumes[i]), p.role(kVolumes[j])), 0.09)
                    << lab::viz::role_name(kVolumes[i]) << " and " << lab::viz::role_name(kVolumes[j])
                    << " in theme " << static_cast<int>(theme);
            }
        }
        // Verdicts are told by color and by form (filled bodies, words), but they should differ in color,
        // too.
        EXPECT_GE(least_distance(p.role(Role::Touching), p.role(Role::Separating)), 0.2);
        EXPECT_GE(least_distance(p.role(Role::ProjectionA), p.role(Role::ProjectionB)), 0.15);
        EXPECT_GE(distance(p.role(Role::ProjectionA), p.role(Role::Separating), kNormal), 0.095)
            << "both are blue, and in the pictures of separating axes";
        EXPECT_GE(least_distance(p.role(Role::Visited), p.role(Role::Culled)), 0.09);
    }
}

/// Both are gray outlines, side by side in every picture of a tree.
TEST(Palette, LeavesAreToldFromInnerNodes) {
    for (const Theme theme : kThemes) {
        const Palette& p = palette(theme);
        EXPECT_GE(lab::viz::contrast_ratio(p.role(Role::TreeLeaf), p.role(Role::TreeNode)), 1.9)
            << "in theme " << static_cast<int>(theme);
    }
}

/// Both are outlines of boxes, one inside the other.
TEST(Palette, TheRoomDoesNotLookLikeATreeNode) {
    for (const Theme theme : kThemes) {
        const Palette& p = palette(theme);
        for (const Role role : {Role::TreeNode, Role::TreeLeaf, Role::Culled, Role::Muted})
            EXPECT_GE(least_distance(p.arena, p.role(role)), 0.06)
                << lab::viz::role_name(role) << " in theme " << static_cast<int>(theme);
        EXPECT_GE(least_contrast(p, p.arena), 3.0);
    }
}

/// Plotted together, so nobody should have to guess which is which; some are stages of a frame in one bar,
/// too.
TEST(Palette, CurvesOfCapturesStayApart) {
    constexpr std::array kCurves = {Role::ProjectionB, Role::Muted,   Role::ProjectionA, Role::Capsule,
                                    Role::AabbFixed,   Role::Kdop,    Role::Normal,      Role::Hit,
                                    Role::Hull,        Role::Visited, Role::Separating};
    for (const Theme theme : kThemes)
        for (std::size_t i = 0; i < kCurves.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(palette(theme).role(kCurves[i]), palette(theme).role(kCurves[j]), kNormal),
                          0.095)
                    << lab::viz::role_name(kCurves[i]) << " and " << lab::viz::role_name(kCurves[j])
                    << " in theme " << static_cast<int>(theme);
}

TEST(Palette, BodiesAreCalmerThanVolumes) {
    const auto chroma = [](Color c) {
        const Vec v = oklab({linear(c.r), linear(c.g), linear(c.b)});
        return std::hypot(v[1], v[2]);
    };
    for (const Theme theme : kThemes) {
        for (const Color body : palette(theme).bodies) {
            EXPECT_LT(chroma(body), 0.05);
            EXPECT_GE(least_distance(body, palette(theme).body_colliding), 0.08);
        }
        for (const Role role : {Role::Sphere, Role::AabbFixed, Role::AabbTight, Role::Obb}) {
            EXPECT_GT(chroma(palette(theme).role(role)), 0.05) << lab::viz::role_name(role);
        }
    }
}

TEST(Palette, RolesHaveNames) {
    for (std::size_t i = 0; i < lab::viz::kRoleCount; ++i) {
        EXPECT_FALSE(lab::viz::role_name(static_cast<Role>(i)).empty()) << i;
        EXPECT_EQ(palette(Theme::Dark).roles[i].a, 255);
    }
}

TEST(Viridis, EndsMiddleAndOddInput) {
    EXPECT_EQ(lab::viz::viridis(0.0f), lab::render::rgb(0x440154));
    EXPECT_EQ(lab::viz::viridis(1.0f), lab::render::rgb(0xfde725));
    EXPECT_EQ(lab::viz::viridis(0.5f), lab::render::rgb(0x21918c));
    EXPECT_EQ(lab::viz::viridis(-3.0f), lab::viz::viridis(0.0f));
    EXPECT_EQ(lab::viz::viridis(7.0f), lab::viz::viridis(1.0f));
    EXPECT_EQ(lab::viz::viridis(std::nanf("")), lab::viz::viridis(0.0f));
    EXPECT_EQ(lab::viz::viridis(std::numeric_limits<float>::infinity()), lab::viz::viridis(1.0f));
}

TEST(Viridis, GetsLighterAllTheWay) {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
        const Color c = lab::viz::viridis(static_cast<float>(i) / 100.0f);
        const double lightness = oklab({linear(c.r), linear(c.g), linear(c.b)})[0];
        EXPECT_GT(lightness, before) << i;
        before = lightness;
    }
}

TEST(Palette, TheVisiblePartOfTheScalarMapStandsOut) {
    for (const Theme theme : kThemes) {
        for (int i = 0; i <= 20; ++i) {
            EXPECT_GE(least_contrast(palette(theme), palette(theme).scalar(static_cast<float>(i) / 20.0f)),
                      2.0)
                << i << " in theme " << static_cast<int>(theme);
        }
    }
}
