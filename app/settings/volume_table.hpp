// The bounding volumes that a body can have, as a table. Settings, choices of pair tests, the refit of
// bodies, pictures, legends, checks and reports follow from its rows. To add a volume: a VolumeKind and its
// row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bv/fit/volume.hpp"
#include "settings/role.hpp"

namespace lab {

/// Indices of the table's rows. Saved scenes keep the first four as bits, so the order of those must not
/// change.
enum class VolumeKind : unsigned char {
    Sphere,
    AabbFixed,
    AabbTight,
    Obb,
    Capsule,
    RectSweptSphere,
    Kdop8,
    Kdop14,
    Kdop18,
    Kdop26,
    Hull,
};

/// How a volume follows its body.
enum class Carry : unsigned char {
    Placed,        ///< Fitted once in the mesh's frame, then scaled, turned and moved with the body.
    AroundSphere,  ///< The box of the body's sphere.
    Refitted,      ///< Fitted around the corners of the hull as they stand now.
};

struct VolumeSpec {
    VolumeKind kind;
    std::string_view id;        ///< In `volume.pair_kind`, reports and saved scenes.
    std::string_view draw_id;   ///< The flag that shows it.
    std::string_view name;      ///< In a sentence or a legend: "fixed AABB".
    std::string_view label;     ///< As a choice: "Fixed AABB".
    std::string_view plural;    ///< As a checkbox: "Fixed AABBs".
    std::string_view help;      ///< The effect of the checkbox.
    Role role;                  ///< Its color.
    bv::fit::VolumeKind shape;  ///< The kind of solid.
    Carry carry;
    std::string_view fit;  ///< Row of bv::fit::fit_catalog(): the default where settings offer a choice.
    std::string_view algorithm;  ///< The name of its fit in tables; empty: the last part of the row's id.
    bool drawn;                  ///< Drawn, and listed in reports, by default.
    std::string_view key;        ///< The key that toggles the flag; may be empty.
    int lineup;                  ///< Its position in the comparison of scene narrow-phase; 0: not compared.
};

inline constexpr std::array kVolumeSpecs = {
    VolumeSpec{VolumeKind::Sphere, "sphere", "draw.sphere", "sphere", "Sphere", "Spheres",
               "Draw bounding spheres", Role::Sphere, bv::fit::VolumeKind::Sphere, Carry::Placed,
               "sphere.ritter", "", true, "1", 1},
    VolumeSpec{VolumeKind::AabbFixed, "aabb_fixed", "draw.aabb_fixed", "fixed AABB", "Fixed AABB",
               "Fixed AABBs", "Draw the boxes around the spheres, which never change size", Role::AabbFixed,
               bv::fit::VolumeKind::Aabb, Carry::AroundSphere, "sphere.ritter", "of_sphere", true, "2", 2},
    VolumeSpec{VolumeKind::AabbTight, "aabb_tight", "draw.aabb_tight", "tight AABB", "Tight AABB",
               "Tight AABBs", "Draw the boxes around the vertices in their current positions",
               Role::AabbTight, bv::fit::VolumeKind::Aabb, Carry::Refitted, "aabb.tight", "min_max", true,
               "3", 3},
    VolumeSpec{VolumeKind::Obb, "obb", "draw.obb", "OBB", "OBB", "OBBs",
               "Draw the oriented boxes that turn with the bodies", Role::Obb, bv::fit::VolumeKind::Obb,
               Carry::Placed, "obb.pca", "", true, "4", 6},
    VolumeSpec{VolumeKind::Capsule, "capsule", "draw.capsule", "capsule", "Capsule", "Capsules",
               "Draw bounding capsules: segments with a radius", Role::Capsule, bv::fit::VolumeKind::Capsule,
               Carry::Placed, "capsule.tight", "", false, "", 4},
    VolumeSpec{VolumeKind::RectSweptSphere, "rss", "draw.rss", "rectangle swept sphere",
               "Rectangle swept sphere", "Rectangle swept spheres",
               "Draw bounding rectangle swept spheres: rectangles with a radius", Role::Capsule,
               bv::fit::VolumeKind::RectSweptSphere, Carry::Placed, "rss.tight", "", false, "", 5},
    VolumeSpec{VolumeKind::Kdop8, "kdop8", "draw.kdop8", "8-DOP", "8-DOP", "8-DOPs",
               "Draw k-DOPs of the 4 diagonals through the corners of a cube", Role::Kdop,
               bv::fit::VolumeKind::Kdop8, Carry::Refitted, "kdop8.tight", "", false, "", 0},
    VolumeSpec{VolumeKind::Kdop14, "kdop14", "draw.kdop14", "14-DOP", "14-DOP", "14-DOPs",
               "Draw k-DOPs of 3 axes and 4 corner diagonals", Role::Kdop, bv::fit::VolumeKind::Kdop14,
               Carry::Refitted, "kdop14.tight", "", false, "", 7},
    VolumeSpec{VolumeKind::Kdop18, "kdop18", "draw.kdop18", "18-DOP", "18-DOP", "18-DOPs",
               "Draw k-DOPs of 3 axes and 6 edge diagonals", Role::Kdop, bv::fit::VolumeKind::Kdop18,
               Carry::Refitted, "kdop18.tight", "", false, "", 8},
    VolumeSpec{VolumeKind::Kdop26, "kdop26", "draw.kdop26", "26-DOP", "26-DOP", "26-DOPs",
               "Draw k-DOPs of all 13 directions", Role::Kdop, bv::fit::VolumeKind::Kdop26, Carry::Refitted,
               "kdop26.tight", "", false, "", 9},
    VolumeSpec{VolumeKind::Hull, "hull", "draw.hull", "convex hull", "Convex hull", "Convex hulls",
               "Draw the convex hulls of the bodies", Role::Hull, bv::fit::VolumeKind::Hull, Carry::Placed,
               "hull.quickhull", "", false, "", 10},
};
inline constexpr std::size_t kVolumeKinds = kVolumeSpecs.size();

[[nodiscard]] constexpr const VolumeSpec& spec_of(VolumeKind kind) {
    return kVolumeSpecs[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::string_view volume_id(VolumeKind kind) {
    return spec_of(kind).id;
}
[[nodiscard]] constexpr std::optional<VolumeKind> volume_kind(std::string_view id) {
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (spec.id == id) return spec.kind;
    return std::nullopt;
}

/// Some of the kinds.
class VolumeSet {
  public:
    constexpr VolumeSet() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): one kind is a set
    constexpr VolumeSet(VolumeKind kind)
        : bits_(static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind))) {}
    /// Bit i is row i of the table; higher bits are dropped.
    [[nodiscard]] static constexpr VolumeSet of_bits(std::uint32_t bits) {
        VolumeSet set;
        set.bits_ = static_cast<std::uint16_t>(bits & ((1u << kVolumeKinds) - 1u));
        return set;
    }
    [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }
    [[nodiscard]] constexpr bool has(VolumeKind kind) const { return (bits_ & VolumeSet(kind).bits_) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    /// The number of kinds.
    [[nodiscard]] constexpr std::size_t count() const {
        std::size_t count = 0;
        for (unsigned left = bits_; left != 0; left &= left - 1)
            ++count;
        return count;
    }
    friend constexpr VolumeSet operator|(VolumeSet a, VolumeSet b) { return of_bits(a.bits_ | b.bits_); }
    friend constexpr VolumeSet operator-(VolumeSet a, VolumeSet b) { return of_bits(a.bits_ & ~b.bits_); }
    friend constexpr VolumeSet operator&(VolumeSet a, VolumeSet b) { return of_bits(a.bits_ & b.bits_); }
    constexpr VolumeSet& operator|=(VolumeSet other) { return *this = *this | other; }
    friend constexpr bool operator==(VolumeSet, VolumeSet) = default;

  private:
    static_assert(kVolumeKinds <= 16, "a bit for each kind");
    std::uint16_t bits_ = 0;
};

[[nodiscard]] constexpr VolumeSet drawn_from_start() {
    VolumeSet set;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (spec.drawn) set |= spec.kind;
    return set;
}
[[nodiscard]] constexpr VolumeSet all_volumes() {
    return VolumeSet::of_bits((1u << kVolumeKinds) - 1u);
}

/// The kinds that scene narrow-phase compares, from the simplest to the tightest.
inline constexpr auto kLineup = [] {
    constexpr auto kCount = [] {
        std::size_t count = 0;
        for (const VolumeSpec& spec : kVolumeSpecs)
            if (spec.lineup > 0) ++count;
        return count;
    }();
    std::array<VolumeKind, kCount> kinds{};
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (spec.lineup > 0) kinds[static_cast<std::size_t>(spec.lineup - 1)] = spec.kind;
    return kinds;
}();

static_assert(
    [] {
        for (std::size_t i = 0; i < kVolumeKinds; ++i)
            if (static_cast<std::size_t>(kVolumeSpecs[i].kind) != i) return false;
        return true;
    }(),
    "the rows stand in the order of VolumeKind");

}  // namespace lab
