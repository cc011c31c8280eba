// Bounding balls, step by step: from the first pair to the last point that makes them grow.
#include "scenes/fits/fit_walk.hpp"
#include "settings/steps.hpp"

namespace lab::scenes::fit_sphere_scene {
namespace {

enum class FitSphereBy : unsigned char { Centroid, AabbCenter, Ritter, Epos6, Epos14, Epos26, Epos98, Exact };
constexpr std::array kFitSphereChoices = {Choice{"centroid", "Centroid", FitSphereBy::Centroid},
                                          Choice{"aabb_center", "AABB center", FitSphereBy::AabbCenter},
                                          Choice{"ritter", "Ritter", FitSphereBy::Ritter},
                                          Choice{"epos6", "EPOS-6", FitSphereBy::Epos6},
                                          Choice{"epos14", "EPOS-14", FitSphereBy::Epos14},
                                          Choice{"epos26", "EPOS-26", FitSphereBy::Epos26},
                                          Choice{"epos98", "EPOS-98", FitSphereBy::Epos98},
                                          Choice{"exact", "Exact", FitSphereBy::Exact}};
constexpr Setting<FitSphereBy> kFitSphere{{
    .id = "fit_sphere.algorithm",
    .label = "Algorithm",
    .help = "Scene fit-sphere: the algorithm to step through",
    .default_value = "ritter",
    .choices = kFitSphereChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kFitSphere, &kPointsPreset, &kPointsCount, &kPointsMesh,
                                            &kOwnMesh};

struct FitSphere {
    static std::string fit_id(const Settings& settings) {
        return "sphere." + std::string(settings.choice(kFitSphere).id);
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "fit-sphere",
    .category = "Volumes",
    .title = "Fitting a sphere",
    .summary =
        "Ritter starts with the pair farthest apart along an axis and grows to reach each point outside. "
        "EPOS starts with the smallest sphere around extreme points; two to four points define the exact "
        "sphere. Step with the arrow keys; drag points.",
    .make = make_scene<FitScene<FitSphere>>,
    .settings = kSettings,
    .commands = kPointCommands,
    .steps = &kStepAt,
    .count = &kPointsCount,
};

}  // namespace lab::scenes::fit_sphere_scene
