#include "viz/colors/palette.hpp"

#include <cmath>

namespace lab::viz {
namespace {

using render::rgb;

Palette make_dark() {
    Palette p;
    p.background_top = rgb(0x262c36);
    p.background_bottom = rgb(0x12141a);
    p.grid = rgb(0x8a96a8).with_alpha(0.22f);
    p.text = rgb(0xf1f4f8);
    p.text_dim = rgb(0xa9b4c3);
    p.halo = rgb(0x0b0d12).with_alpha(0.78f);
    p.plate = rgb(0x0d1016).with_alpha(0.72f);
    p.arena = rgb(0x9d8a6c);
    p.notice = rgb(0xffd54a);
    p.on_notice = rgb(0x1a1c22);
    p.body_colliding = rgb(0xd8694c);
    p.bodies = {rgb(0x8d99ab), rgb(0x93a192), rgb(0xa69c8d), rgb(0x9c91a8), rgb(0x86a2a6), rgb(0xa8949a)};
    p.scalar_from = 0.3f;
    p.scalar_to = 1.0f;
    const auto set = [&](Role r, std::uint32_t hex) { p.roles[static_cast<std::size_t>(r)] = rgb(hex); };
    set(Role::Mesh, 0x9aa6b8);
    set(Role::Sphere, 0x12aeff);
    set(Role::AabbFixed, 0xffe733);
    set(Role::AabbTight, 0xf4a83a);
    set(Role::Obb, 0x149e6a);
    set(Role::Kdop, 0xec6abc);
    set(Role::Hull, 0xb4cdfb);
    set(Role::Capsule, 0xd8fdff);
    set(Role::TreeNode, 0x8295b0);
    set(Role::TreeLeaf, 0xc6d4e8);
    set(Role::Ray, 0xc8ff4d);
    set(Role::Hit, 0xff4610);
    set(Role::Normal, 0xb795ff);
    set(Role::Plane, 0x5fd3c4);
    set(Role::Overlap, 0xff6a3d);
    set(Role::Separating, 0x5aa7ff);
    set(Role::Touching, 0xd8694c);
    set(Role::ProjectionA, 0x4fc9f5);
    set(Role::ProjectionB, 0xffb454);
    set(Role::Visited, 0xa9d65f);
    set(Role::Culled, 0x74839a);
    set(Role::Selected, 0xffffff);
    set(Role::Muted, 0x8793a5);
    set(Role::Broken, 0xff3d6e);
    set(Role::AxisX, 0xff7f94);
    set(Role::AxisY, 0x45d168);
    set(Role::AxisZ, 0x6685ff);
    return p;
}

Palette make_light() {
    Palette p;
    p.background_top = rgb(0xf4f6f9);
    p.background_bottom = rgb(0xdfe5ec);
    p.grid = rgb(0x54617a).with_alpha(0.22f);
    p.text = rgb(0x161a21);
    p.text_dim = rgb(0x4a5566);
    p.halo = rgb(0xffffff).with_alpha(0.85f);
    p.plate = rgb(0xffffff).with_alpha(0.80f);
    p.arena = rgb(0x8f7d62);
    p.notice = rgb(0x8a4b00);
    p.on_notice = rgb(0xffffff);
    p.body_colliding = rgb(0xd9664a);
    p.bodies = {rgb(0xa4afbf), rgb(0xa9b6a7), rgb(0xbab0a1), rgb(0xb1a6bd), rgb(0x9bb5b9), rgb(0xbba8ae)};
    p.scalar_from = 0.0f;
    p.scalar_to = 0.62f;
    const auto set = [&](Role r, std::uint32_t hex) { p.roles[static_cast<std::size_t>(r)] = rgb(hex); };
    set(Role::Mesh, 0x6f7c8f);
    set(Role::Sphere, 0x0a7cff);
    set(Role::AabbFixed, 0x4a4400);
    set(Role::AabbTight, 0xa8740e);
    set(Role::Obb, 0x046d6d);
    set(Role::Kdop, 0xd61cb4);
    set(Role::Hull, 0x280077);
    set(Role::Capsule, 0x101018);
    set(Role::TreeNode, 0x66768f);
    set(Role::TreeLeaf, 0x2f3d57);
    set(Role::Ray, 0x1c8f1c);
    set(Role::Hit, 0xc81e10);
    set(Role::Normal, 0x6a2bd9);
    set(Role::Plane, 0x0f7c86);
    set(Role::Overlap, 0xc93a12);
    set(Role::Separating, 0x0030d0);
    set(Role::Touching, 0xcf5b3f);
    set(Role::ProjectionA, 0x0b6fa8);
    set(Role::ProjectionB, 0xa35600);
    set(Role::Visited, 0x39730a);
    set(Role::Culled, 0x7c899b);
    set(Role::Selected, 0x0b0d12);
    set(Role::Muted, 0x66717f);
    set(Role::Broken, 0xc4003d);
    set(Role::AxisX, 0x9c1b50);
    set(Role::AxisY, 0x0a5f2a);
    set(Role::AxisZ, 0x3555dd);
    return p;
}

double linear(std::uint8_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/// 0 for NaN, so that a metric without a value does not paint garbage.
float clamp01(float t) {
    return t > 0.0f ? (t < 1.0f ? t : 1.0f) : 0.0f;
}

}  // namespace

const Palette& palette(Theme theme) {
    static const Palette dark = make_dark();
    static const Palette light = make_light();
    return theme == Theme::Dark ? dark : light;
}

std::string_view role_name(Role role) {
    switch (role) {
        case Role::Mesh:
            return "mesh";
        case Role::Sphere:
            return "sphere";
        case Role::AabbFixed:
            return "fixed AABB";
        case Role::AabbTight:
            return "tight AABB";
        case Role::Obb:
            return "OBB";
        case Role::Kdop:
            return "k-DOP";
        case Role::Hull:
            return "convex hull";
        case Role::Capsule:
            return "capsule";
        case Role::TreeNode:
            return "tree node";
        case Role::TreeLeaf:
            return "tree leaf";
        case Role::Ray:
            return "ray";
        case Role::Hit:
            return "hit";
        case Role::Normal:
            return "normal";
        case Role::Plane:
            return "plane";
        case Role::Overlap:
            return "overlap";
        case Role::Separating:
            return "apart";
        case Role::Touching:
            return "touching";
        case Role::ProjectionA:
            return "projection of A";
        case Role::ProjectionB:
            return "projection of B";
        case Role::Visited:
            return "visited node";
        case Role::Culled:
            return "skipped node";
        case Role::Selected:
            return "selected";
        case Role::Muted:
            return "helper";
        case Role::Broken:
            return "broken";
        case Role::AxisX:
            return "x axis";
        case Role::AxisY:
            return "y axis";
        case Role::AxisZ:
            return "z axis";
    }
    return "";
}

Color viridis(float t) {
    // The published map at eleven even places; between them linear, off by less than two steps of a byte or
    // so.
    static constexpr std::array<std::uint32_t, 11> kStops = {0x440154, 0x482475, 0x414487, 0x355f8d,
                                                             0x2a788e, 0x21918c, 0x22a884, 0x44bf70,
                                                             0x7ad151, 0xbbdf27, 0xfde725};
    const float x = clamp01(t) * static_cast<float>(kStops.size() - 1);
    const auto i = static_cast<std::size_t>(x);
    if (i + 1 >= kStops.size()) return rgb(kStops.back());
    return mix(rgb(kStops[i]), rgb(kStops[i + 1]), x - static_cast<float>(i));
}

Color Palette::scalar(float t) const {
    return viridis(scalar_from + (scalar_to - scalar_from) * clamp01(t));
}

Color mix(Color a, Color b, float t) {
    const auto channel = [t](std::uint8_t x, std::uint8_t y) {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings): at least one half, and at most 255.5
        return static_cast<std::uint8_t>(static_cast<float>(x) +
                                         (static_cast<float>(y) - static_cast<float>(x)) * t + 0.5f);
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

double contrast_ratio(Color a, Color b) {
    const double x = luminance(a);
    const double y = luminance(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

}  // namespace lab::viz
