// Settings of the volumes that bodies have.
#pragma once

#include <array>
#include "results/volume_choice.hpp"
#include "settings/settings.hpp"

namespace lab {

inline constexpr auto kVolumePairKindChoices = choices_of(kVolumeSpecs);
inline constexpr Setting<VolumeKind> kVolumePairKind{{
    .id = "volume.pair_kind",
    .label = "Pairs by",
    .help = "Which volume decides whether two bodies overlap",
    .default_value = "obb",
    .choices = kVolumePairKindChoices,
    .is_algorithm = true,
}};

inline constexpr std::array kFitSphereChoices = {Choice{"ritter", "Ritter", SphereFit::Ritter},
                                                 Choice{"centroid", "Centroid", SphereFit::Centroid},
                                                 Choice{"aabb_center", "AABB center", SphereFit::AabbCenter},
                                                 Choice{"epos6", "EPOS-6", SphereFit::Epos6},
                                                 Choice{"epos14", "EPOS-14", SphereFit::Epos14},
                                                 Choice{"epos26", "EPOS-26", SphereFit::Epos26},
                                                 Choice{"epos98", "EPOS-98", SphereFit::Epos98},
                                                 Choice{"exact", "Exact", SphereFit::Exact}};
inline constexpr Setting<SphereFit> kFitSphere{{
    .id = "fit.sphere",
    .label = "Sphere fit",
    .help = "How bounding spheres are fitted; the fixed AABB goes around the sphere",
    .default_value = "ritter",
    .choices = kFitSphereChoices,
    .is_algorithm = true,
}};

inline constexpr std::array kFitObbChoices = {
    Choice{"pca", "PCA of points", ObbFit::Pca}, Choice{"pca_surface", "PCA of surface", ObbFit::PcaSurface},
    Choice{"pca_hull", "PCA of hull", ObbFit::PcaHull}, Choice{"dito14", "DiTO-14", ObbFit::Dito14},
    Choice{"exact", "Exact", ObbFit::Exact}};
inline constexpr Setting<ObbFit> kFitObb{{
    .id = "fit.obb",
    .label = "OBB fit",
    .help = "How the boxes that turn with the bodies are fitted",
    .default_value = "pca",
    .choices = kFitObbChoices,
    .is_algorithm = true,
}};

inline constexpr const SettingSpec* kPairSettings[] = {&kVolumePairKind};
inline constexpr const SettingSpec* kFitSettings[] = {&kFitSphere, &kFitObb};

}  // namespace lab
