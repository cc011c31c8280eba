// Sweeps along sorted axes, step by step: from scratch in each frame, or by swapping neighbors of the
// previous order.
#include "scenes/trees/pair_search.hpp"
#include "settings/steps.hpp"

namespace lab::scenes::sweep_scene {
namespace {

enum class Search : unsigned char { Sweep, Incremental, BruteForce };
constexpr std::array kAlgorithmChoices = {
    Choice{"sweep-and-prune", "Sweep and prune, one axis", Search::Sweep},
    Choice{"incremental-sweep", "Sweep and prune, incremental", Search::Incremental},
    Choice{"brute-force", "Brute force", Search::BruteForce}};
constexpr Setting<Search> kSweepAlgorithm{{
    .id = "sweep.algorithm",
    .label = "Algorithm",
    .help = "Scene sweep: the algorithm to step through",
    .default_value = "sweep-and-prune",
    .choices = kAlgorithmChoices,
    .remembered = false,
}};
constexpr Setting<float> kSweepMoved{{
    .id = "sweep.moved",
    .label = "Displacement",
    .help = "Scene sweep: how far each box has moved since the last frame; the incremental sweep swaps only "
            "endpoints that are now out of order",
    .default_value = "0.6",
    .max = 5,
    .unit = "m",
    .remembered = false,
}};

constexpr const SettingSpec* kSettings[] = {&kSweepAlgorithm, &kBoxesPreset, &kBoxesCount, &kSweepMoved};

struct Sweep {
    static bv::BroadphaseKind engine(const Settings& settings) {
        switch (settings[kSweepAlgorithm]) {
            case Search::Sweep:
                return bv::BroadphaseKind::SweepAndPrune;
            case Search::Incremental:
                return bv::BroadphaseKind::IncrementalSweep;
            case Search::BruteForce:
                break;
        }
        return bv::BroadphaseKind::BruteForce;
    }
    /// Each box came from a different side.
    static std::vector<bv::Aabb> before(const Settings& settings, const std::vector<bv::Aabb>& boxes) {
        if (settings[kSweepAlgorithm] != Search::Incremental) return {};
        std::vector<bv::Aabb> were;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const float along = settings[kSweepMoved] * (i % 2 == 0 ? 1.0f : -1.0f);
            const glm::vec3 by = i % 3 == 0   ? glm::vec3(along, 0, 0)
                                 : i % 3 == 1 ? glm::vec3(0, 0.5f * along, 0)
                                              : glm::vec3(0, 0, along);
            were.push_back({boxes[i].min - by, boxes[i].max - by});
        }
        return were;
    }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "sweep",
    .category = "Trees",
    .title = "Sweep and prune",
    .summary =
        "The boxes are sorted by their min along one axis. A plane sweeps over them, and each box that it "
        "reaches is tested only with those after it that begin before it ends. The incremental sweep keeps "
        "the order of the last frame; a pair begins or ends only where two endpoints swap. Step with the "
        "arrow keys; drag boxes.",
    .make = make_scene<PairSearchScene<Sweep>>,
    .settings = kSettings,
    .commands = kBoxCommands,
    .steps = &kStepAt,
    .count = &kBoxesCount,
    .charts = true,
};

}  // namespace lab::scenes::sweep_scene
