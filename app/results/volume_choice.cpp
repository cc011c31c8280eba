#include "results/volume_choice.hpp"

#include <fmt/format.h>

#include <array>

#include "bv/assert.hpp"
#include "bv/fit/catalog.hpp"
#include "results/volume_settings.hpp"
#include "settings/draw.hpp"

namespace lab {
namespace {

constexpr std::array kSettings = {kVolumePairKind.id, kFitSphere.id, kFitObb.id};

template <class Enum>
std::string_view id_of(const Setting<Enum>& setting, const std::optional<Enum>& value) {
    for (const Choice& choice : setting.choices)
        if (value && choice.value == static_cast<int>(*value)) return choice.id;
    return {};
}

/// An empty text removes the choice. False if it is no choice of the setting.
template <class Enum>
bool put(std::optional<Enum>& into, const Setting<Enum>& setting, std::string_view value) {
    if (value.empty()) into.reset();
    for (const Choice& choice : setting.choices)
        if (choice.id == value) into = static_cast<Enum>(choice.value);
    return value.empty() || setting.has_choice(value);
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
            spheres[i] = catalog_row(fmt::format("sphere.{}", fit_id(static_cast<SphereFit>(i))));
        for (std::size_t i = 0; i < kObbFits; ++i)
            obbs[i] = catalog_row(fmt::format("obb.{}", fit_id(static_cast<ObbFit>(i))));
    }
};

}  // namespace

VolumeSet drawn_volumes(const Settings& settings) {
    VolumeSet kinds;
    for (const VolumeSpec& spec : kVolumeSpecs)
        if (settings[draw_flag(spec.kind)]) kinds |= spec.kind;
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
    if (setting == kVolumePairKind.id) return id_of(kVolumePairKind, own.kind);
    if (setting == kFitSphere.id) return id_of(kFitSphere, own.sphere);
    if (setting == kFitObb.id) return id_of(kFitObb, own.obb);
    return {};
}

bool set_own_choice(OwnChoice& own, std::string_view setting, std::string_view value) {
    if (setting == kVolumePairKind.id) return put(own.kind, kVolumePairKind, value);
    if (setting == kFitSphere.id) return put(own.sphere, kFitSphere, value);
    return setting == kFitObb.id && put(own.obb, kFitObb, value);
}

std::string_view fit_id(SphereFit fit) {
    return id_of<SphereFit>(kFitSphere, fit);
}

std::string_view fit_id(ObbFit fit) {
    return id_of<ObbFit>(kFitObb, fit);
}

}  // namespace lab
