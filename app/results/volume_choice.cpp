#include "results/volume_choice.hpp"

#include <algorithm>

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "settings/settings.hpp"

namespace lab {
namespace {

constexpr auto kKinds = [] {
    std::array<std::string_view, kVolumeKinds> ids;
    for (std::size_t i = 0; i < kVolumeKinds; ++i)
        ids[i] = kVolumeSpecs[i].id;
    return ids;
}();
constexpr std::array<std::string_view, kSphereFits> kSpheres = {"ritter", "centroid", "aabb_center", "epos6",
                                                                "epos14", "epos26",   "epos98",      "exact"};
constexpr std::array<std::string_view, kObbFits> kObbs = {"pca", "pca_surface", "pca_hull", "dito14",
                                                          "exact"};
constexpr std::array<std::string_view, 3> kSettings = {"volume.pair_kind", "fit.sphere", "fit.obb"};

template <class Enum>
std::optional<Enum> row_of(std::span<const std::string_view> ids, std::string_view id) {
    const auto at = std::find(ids.begin(), ids.end(), id);
    if (at == ids.end()) return std::nullopt;
    return static_cast<Enum>(at - ids.begin());
}

template <class Enum>
std::string_view id_of(std::span<const std::string_view> ids, const std::optional<Enum>& value) {
    return value ? ids[static_cast<std::size_t>(*value)] : std::string_view();
}

template <class Enum>
bool put(std::optional<Enum>& into, std::span<const std::string_view> ids, std::string_view value) {
    const std::optional<Enum> row = row_of<Enum>(ids, value);
    if (!row && !value.empty()) return false;
    into = row;
    return true;
}

std::size_t catalog_row(std::string_view id) {
    const auto catalog = bv::fit::fit_catalog();
    const auto* const row = bv::fit::find_fit(id);
    BV_ASSERT(row != nullptr);
    return static_cast<std::size_t>(row - catalog.data());
}

/// Looked up once.
struct FitRows {
    std::array<std::size_t, kVolumeKinds> kinds;
    std::array<std::size_t, kSphereFits> spheres;
    std::array<std::size_t, kObbFits> obbs;

    FitRows() {
        for (std::size_t i = 0; i < kVolumeKinds; ++i)
            kinds[i] = catalog_row(kVolumeSpecs[i].fit);
        for (std::size_t i = 0; i < kSphereFits; ++i)
            spheres[i] = catalog_row("sphere." + std::string(kSpheres[i]));
        for (std::size_t i = 0; i < kObbFits; ++i)
            obbs[i] = catalog_row("obb." + std::string(kObbs[i]));
    }
};

}  // namespace

VolumeSet drawn_volumes(const Settings& settings) {
    VolumeSet kinds;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (settings.flag(spec.draw_id)) kinds |= spec.kind;
    return kinds;
}

std::size_t fit_row(VolumeKind kind, const VolumeChoice& choice) {
    static const FitRows kRows;
    if (kind == VolumeKind::Sphere || kind == VolumeKind::AabbFixed)
        return kRows.spheres[static_cast<std::size_t>(choice.sphere)];
    if (kind == VolumeKind::Obb) return kRows.obbs[static_cast<std::size_t>(choice.obb)];
    return kRows.kinds[static_cast<std::size_t>(kind)];
}

VolumeChoice resolved(const VolumeChoice& all, const OwnChoice& own) {
    return {own.kind.value_or(all.kind), own.sphere.value_or(all.sphere), own.obb.value_or(all.obb)};
}

std::span<const std::string_view> body_settings() {
    return kSettings;
}

std::string_view own_choice(const OwnChoice& own, std::string_view setting) {
    if (setting == kSettings[0]) return id_of(kKinds, own.kind);
    if (setting == kSettings[1]) return id_of(kSpheres, own.sphere);
    if (setting == kSettings[2]) return id_of(kObbs, own.obb);
    return {};
}

bool set_own_choice(OwnChoice& own, std::string_view setting, std::string_view value) {
    if (setting == kSettings[0]) return put(own.kind, kKinds, value);
    if (setting == kSettings[1]) return put(own.sphere, kSpheres, value);
    return setting == kSettings[2] && put(own.obb, kObbs, value);
}

std::string_view fit_id(SphereFit fit) {
    return kSpheres[static_cast<std::size_t>(fit)];
}

std::string_view fit_id(ObbFit fit) {
    return kObbs[static_cast<std::size_t>(fit)];
}

}  // namespace lab
