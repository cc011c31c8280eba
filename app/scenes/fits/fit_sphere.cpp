// Bounding balls, step by step: from the first pair to the last point that they grow over.
#include "scenes/fits/fit_walk.hpp"
#include "settings/steps.hpp"

namespace lab::scenes {
namespace {

constexpr std::array kFitSphereChoices = {
    Choice{"centroid", "Centroid"}, Choice{"aabb_center", "AABB center"},
    Choice{"ritter", "Ritter"},     Choice{"epos6", "EPOS-6"},
    Choice{"epos14", "EPOS-14"},    Choice{"epos26", "EPOS-26"},
    Choice{"epos98", "EPOS-98"},    Choice{"exact", "Exact"}};
constexpr Setting<std::string> kFitSphere{{
    .id = "fit_sphere.algorithm",
    .label = "Algorithm",
    .help = "Scene fit-sphere: which algorithm is stepped",
    .default_value = "ritter",
    .choices = kFitSphereChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kFitSphere, &kPointsPreset, &kPointsCount, &kPointsMesh};

struct FitSphere {
    static std::string fit_id(const Settings& settings) { return "sphere." + settings[kFitSphere]; }
};

}  // namespace

extern constinit const SceneSpec fit_sphere_scene{
    .id = "fit-sphere",
    .category = "Volumes",
    .title = "A ball around points",
    .summary =
        "Ritter starts with the pair farthest apart along an axis and grows over each point outside. EPOS "
        "starts with the smallest ball of extreme points; the exact ball is held by two to four points. Step "
        "with the arrow keys; drag points.",
    .make = make_scene<FitScene<FitSphere>>,
    .settings = kSettings,
    .commands = kPointCommands,
    .commands_do = "takes more points",
    .steps = &kStepAt,
};

}  // namespace lab::scenes
