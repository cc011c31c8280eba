// The convex hull by quickhull, point by point and face by face.
#include "scenes/fits/fit_walk.hpp"
#include "settings/steps.hpp"

namespace lab::scenes::hull_scene {
namespace {

constexpr const SettingSpec* kSettings[] = {&kPointsPreset, &kPointsCount, &kPointsMesh, &kOwnMesh};

struct Hull {
    static std::string fit_id(const Settings&) { return "hull.quickhull"; }
};

}  // namespace

extern constinit const SceneSpec spec{
    .id = "hull",
    .category = "Volumes",
    .title = "Quickhull",
    .summary =
        "A tetrahedron grows: take the farthest point outside a face, remove the faces that it sees, and "
        "connect it to their border, the horizon. Points inside are never looked at again. Step with the "
        "arrow keys; drag points.",
    .make = make_scene<FitScene<Hull>>,
    .settings = kSettings,
    .commands = kPointCommands,
    .steps = &kStepAt,
    .count = &kPointsCount,
};

}  // namespace lab::scenes::hull_scene
