// k-DOPs, slab by slab: each one cuts corners off.
#include "scenes/fits/fit_walk.hpp"
#include "settings/steps.hpp"

namespace lab::scenes::fit_kdop_scene {
namespace {

enum class FitKdopBy : unsigned char { K6, K8, K14, K18, K26 };
constexpr std::array kFitKdopChoices = {
    Choice{"6", "6-DOP", FitKdopBy::K6}, Choice{"8", "8-DOP", FitKdopBy::K8},
    Choice{"14", "14-DOP", FitKdopBy::K14}, Choice{"18", "18-DOP", FitKdopBy::K18},
    Choice{"26", "26-DOP", FitKdopBy::K26}};
constexpr Setting<FitKdopBy> kFitKdop{{
    .id = "fit_kdop.algorithm",
    .label = "Algorithm",
    .help = "Scene fit-kdop: the algorithm to step through",
    .default_value = "14",
    .choices = kFitKdopChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kFitKdop, &kPointsPreset, &kPointsCount, &kPointsMesh,
                                            &kOwnMesh};

struct FitKdop {
    static std::string fit_id(const Settings& settings) {
        return "kdop" + std::string(settings.choice(kFitKdop).id) + ".tight";
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "fit-kdop",
    .category = "Volumes",
    .title = "Fitting a k-DOP",
    .summary =
        "A k-DOP has one slab for each direction: the first and the last point along it place the two "
        "planes. Each slab cuts off corners, so the volume shrinks. Step with the arrow keys; drag points.",
    .make = make_scene<FitScene<FitKdop>>,
    .settings = kSettings,
    .commands = kPointCommands,
    .steps = &kStepAt,
    .count = &kPointsCount,
};

}  // namespace lab::scenes::fit_kdop_scene
