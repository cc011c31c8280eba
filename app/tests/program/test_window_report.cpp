// A window and a run without one give the same report for the same commands, seed and size. Run under
// xvfb-run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "program.hpp"
#include "scenes/scenes.hpp"

namespace lab::test {
namespace {

using Json = nlohmann::json;

/// Without what was measured, and without where panels drew their widgets.
Json without_times(Json report) {
    report.erase("timings_ms");
    report.erase("widgets");
    if (report.contains("before_after") && report["before_after"].is_object()) report.erase("before_after");
    for (Json& volume : report["volumes"])
        volume.erase("fit_ms");
    for (Json& tree : report["trees"])
        tree.erase("build_ms");
    report["tables"].erase("mesh_bvh");  // says "building" until a job is done
    for (auto& [id, table] : report["tables"].items())
        for (const Json& column : table["measured"])
            for (Json& row : table["rows"])
                row[column.get<std::size_t>()] = "";
    return report;
}

/// What of the report does not depend on where in the window the scene is seen.
Json world_of(const Json& report) {
    Json world;
    for (const char* part :
         {"scene", "seed", "frame", "bodies", "pairs", "trees", "stats", "camera", "broadphase"})
        if (report.contains(part)) world[part] = report[part];
    for (Json body : report["body_list"]) {
        body.erase("window_px");
        world["body_list"].push_back(body);
    }
    return world;
}

class WindowReport : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no X server";
    }
    Json run(const std::string& arguments, const std::string& size = "1280x720") const {
        const Finished run = run_shell(
            folder_, "exec \"$BVLAB\" --seed 5 --frames 6 --report r.json --size " + size + " " + arguments);
        EXPECT_EQ(run.status, 0) << arguments << "\n" << run.err;
        return without_times(Json::parse(read_text(folder_ / "r.json"), nullptr, false));
    }
    static void expect_same(const Json& window, const Json& headless, const std::string& what) {
        const Json difference = Json::diff(window, headless);
        int shown = 0;
        for (const Json& change : difference) {
            if (++shown > 5) break;
            const Json::json_pointer place(change["path"].get<std::string>());
            ADD_FAILURE() << what << ": " << change["path"] << " "
                          << (window.contains(place) ? window[place].dump() : "") << " and "
                          << (headless.contains(place) ? headless[place].dump() : "");
        }
    }

    TempDir folder_;
};

constexpr const char* kCommands =
    "spawn 7; pick 500 300; camera.orbit 20 5; camera.zoom 0.8; spawn.at 520 330 3; camera.pan 10 5; "
    "ray.pin 500 310; select.box 300 100 600 400; duplicate; camera.frame; camera.center 520 330; spawn 2";

TEST_F(WindowReport, IsThatOfARunWithoutAWindowInEveryScene) {
    for (const SceneSpec& spec : scene_specs()) {
        const std::string scene(spec.id);
        const bool bodies = scene != "obb-sat" && scene != "aabb-forms";
        std::string arguments = "--ui on --set stress.bodies=1000 --scene " + scene;
        if (bodies) arguments += std::string(" --run '") + kCommands + "'";
        expect_same(run(arguments), run("--headless " + arguments), scene);
    }
}

TEST_F(WindowReport, IsTheSameWithoutPanelsAndAfterSteps) {
    for (const char* const scene : {"welcome", "tree-balance", "ray-picking"}) {
        const std::string arguments =
            std::string("--ui off --scene ") + scene + " --run 'step 4; " + kCommands + "'";
        expect_same(run(arguments), run("--headless " + arguments), scene);
    }
}

TEST_F(WindowReport, TheWorldDoesNotDependOnWhereItIsSeen) {
    for (const SceneSpec& spec : scene_specs()) {
        if (spec.id != "tree-balance" && spec.id != "mesh" && spec.id != "volumes" && spec.id != "obb-tree" &&
            spec.id != "rectangles")
            continue;
        const std::string arguments =
            "--scene " + std::string(spec.id) +
            " --run 'spawn 7; camera.orbit 20 5; spawn 3; camera.frame; spawn 2; camera.fly 1 0 0; spawn 1'";
        const Json headless = world_of(run("--headless " + arguments));
        expect_same(world_of(run(arguments)), headless, "panels");
        expect_same(world_of(run("--set ui.left=35 --set ui.scale=1.5 " + arguments)), headless,
                    "wide panels");
        expect_same(world_of(run("--headless " + arguments, "500x900")), headless, "upright");
    }
}

}  // namespace
}  // namespace lab::test
