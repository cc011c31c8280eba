// The volumes of a body: the kind that decides about its pairs and rays, and the algorithms by which its
// sphere and its OBB were fitted. Settings choose for all bodies; a body may override them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "settings/volume_table.hpp"

namespace lab {

class Settings;

enum class SphereFit : unsigned char { Ritter, Centroid, AabbCenter, Epos6, Epos14, Epos26, Epos98, Exact };
enum class ObbFit : unsigned char { Pca, PcaSurface, PcaHull, Dito14, Exact };
constexpr std::size_t kSphereFits = 8, kObbFits = 5;

/// The settings `volume.pair_kind`, `fit.sphere` and `fit.obb`.
struct VolumeChoice {
    VolumeKind kind = VolumeKind::Obb;
    SphereFit sphere = SphereFit::Ritter;  ///< Of the fixed AABB, too, which encloses the sphere.
    ObbFit obb = ObbFit::Pca;
    friend bool operator==(const VolumeChoice&, const VolumeChoice&) = default;
};

/// The part of a body's choice that overrides the settings.
struct OwnChoice {
    std::optional<VolumeKind> kind;
    std::optional<SphereFit> sphere;
    std::optional<ObbFit> obb;
    [[nodiscard]] bool any() const { return kind || sphere || obb; }
    friend bool operator==(const OwnChoice&, const OwnChoice&) = default;
};

[[nodiscard]] VolumeChoice resolved(const VolumeChoice& all, const OwnChoice& own);

/// The settings that a body can override.
[[nodiscard]] std::span<const std::string_view> body_settings();
/// The body's own choice for one of `body_settings()`, as its id; empty: follows the setting.
[[nodiscard]] std::string_view own_choice(const OwnChoice& own, std::string_view setting);
/// An empty `value` removes the choice. False if there is no such setting or choice.
bool set_own_choice(OwnChoice& own, std::string_view setting, std::string_view value);

/// As in the setting's choices and, with `sphere.` and `obb.` before it, in `bv::fit::fit_catalog()`.
[[nodiscard]] std::string_view fit_id(SphereFit fit);
[[nodiscard]] std::string_view fit_id(ObbFit fit);

/// The kinds whose flag `draw.ID` is on.
[[nodiscard]] VolumeSet drawn_volumes(const Settings& settings);

/// The index in bv::fit::fit_catalog() of the algorithm that fits a kind of volume for this choice.
[[nodiscard]] std::size_t fit_row(VolumeKind kind, const VolumeChoice& choice);

}  // namespace lab
