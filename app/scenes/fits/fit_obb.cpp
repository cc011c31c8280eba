// Oriented boxes, step by step: the axes that are tried, and the best box so far.
#include "scenes/fits/fit_walk.hpp"
#include "settings/steps.hpp"

namespace lab::scenes::fit_obb_scene {
namespace {

enum class FitObbBy : unsigned char { Pca, PcaSurface, PcaHull, Dito14, Exact };
constexpr std::array kFitObbChoices = {Choice{"pca", "PCA of points", FitObbBy::Pca},
                                       Choice{"pca_surface", "PCA of surface", FitObbBy::PcaSurface},
                                       Choice{"pca_hull", "PCA of hull", FitObbBy::PcaHull},
                                       Choice{"dito14", "DiTO-14", FitObbBy::Dito14},
                                       Choice{"exact", "Exact", FitObbBy::Exact}};
constexpr Setting<FitObbBy> kFitObb{{
    .id = "fit_obb.algorithm",
    .label = "Algorithm",
    .help = "Scene fit-obb: the algorithm to step through",
    .default_value = "dito14",
    .choices = kFitObbChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kFitObb, &kPointsPreset, &kPointsCount, &kPointsMesh, &kOwnMesh};

struct FitObb {
    static std::string fit_id(const Settings& settings) {
        return "obb." + std::string(settings.choice(kFitObb).id);
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "fit-obb",
    .category = "Volumes",
    .title = "Fitting an OBB",
    .summary =
        "PCA aligns the box with the spread of the points, DiTO-14 tries the edges of two tetrahedra of "
        "extreme points, and the exact search follows pairs of hull edges. PCA does badly on the "
        "preset \"Dense cluster and a few\". Step with the arrow keys; drag points.",
    .make = make_scene<FitScene<FitObb>>,
    .settings = kSettings,
    .commands = kPointCommands,
    .steps = &kStepAt,
    .count = &kPointsCount,
};

}  // namespace lab::scenes::fit_obb_scene
