#include "results/volume_choice.hpp"

#include <algorithm>

namespace lab {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"sphere", "aabb_fixed", "aabb_tight", "obb"};
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

}  // namespace

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

std::optional<VolumeKind> volume_kind(std::string_view id) {
    return row_of<VolumeKind>(kKinds, id);
}

std::string_view volume_id(VolumeKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

std::string_view fit_id(SphereFit fit) {
    return kSpheres[static_cast<std::size_t>(fit)];
}

std::string_view fit_id(ObbFit fit) {
    return kObbs[static_cast<std::size_t>(fit)];
}

}  // namespace lab
