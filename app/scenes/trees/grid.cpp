// A uniform grid and a spatial hash, step by step: boxes are entered into cells, then each cell is searched.
#include "scenes/trees/pair_search.hpp"
#include "settings/steps.hpp"

namespace lab::scenes::grid_scene {
namespace {

enum class Cells : unsigned char { Uniform, Hash };
constexpr std::array kAlgorithmChoices = {Choice{"uniform-grid", "Uniform grid", Cells::Uniform},
                                          Choice{"spatial-hash", "Spatial hash", Cells::Hash}};
constexpr Setting<Cells> kGridAlgorithm{{
    .id = "grid.algorithm",
    .label = "Algorithm",
    .help = "Scene grid: the algorithm to step through",
    .default_value = "uniform-grid",
    .choices = kAlgorithmChoices,
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kGridAlgorithm, &kBoxesPreset, &kBoxesCount};

struct Grid {
    static bv::BroadphaseKind engine(const Settings& settings) {
        return settings[kGridAlgorithm] == Cells::Uniform ? bv::BroadphaseKind::UniformGrid
                                                          : bv::BroadphaseKind::SpatialHash;
    }
    static std::vector<bv::Aabb> before(const Settings&, const std::vector<bv::Aabb>&) { return {}; }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "grid",
    .category = "Trees",
    .title = "Grid and hash",
    .summary =
        "Space is divided into cells of equal size. Each box goes into every cell that it overlaps, and only "
        "boxes in the same cell are tested. Two boxes may share several cells; their pair counts in the cell "
        "with the lowest corner of their intersection. Step with the arrow keys; drag boxes.",
    .make = make_scene<PairSearchScene<Grid>>,
    .settings = kSettings,
    .commands = kBoxCommands,
    .steps = &kStepAt,
    .count = &kBoxesCount,
};

}  // namespace lab::scenes::grid_scene
