// k-DOPs, slab by slab: each one cuts corners off.
#include "scenes/fits/fit_walk.hpp"
#include "settings/steps.hpp"

namespace lab::scenes {
namespace {

constexpr std::array kFitKdopChoices = {Choice{"6.tight", "6-DOP"}, Choice{"8.tight", "8-DOP"},
                                        Choice{"14.tight", "14-DOP"}, Choice{"18.tight", "18-DOP"},
                                        Choice{"26.tight", "26-DOP"}};
constexpr Setting<std::string> kFitKdop{{
    .id = "fit_kdop.algorithm",
    .label = "Algorithm",
    .help = "Scene fit-kdop: which algorithm is stepped",
    .default_value = "14.tight",
    .choices = kFitKdopChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kFitKdop, &kPointsPreset, &kPointsCount, &kPointsMesh};

struct FitKdop {
    static std::string fit_id(const Settings& settings) { return "kdop" + settings[kFitKdop]; }
};

}  // namespace

extern constinit const SceneSpec fit_kdop_scene{
    .id = "fit-kdop",
    .category = "Volumes",
    .title = "Slabs around points",
    .summary =
        "One slab for each direction: the first and the last point along it say where both planes lie. Each "
        "slab cuts corners off, and the volume falls. Step with the arrow keys; drag points.",
    .make = make_scene<FitScene<FitKdop>>,
    .settings = kSettings,
    .commands = kPointCommands,
    .commands_do = "takes more points",
    .steps = &kStepAt,
};

}  // namespace lab::scenes
