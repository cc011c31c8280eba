// What a person does with the panels of a real window, by mouse: strategies are chosen, scenes searched, rays
// pinned and removed, the heatmap switched on, a job given up. Started by CTest under xvfb-run.
#include <filesystem>

#include "window_session.hpp"

namespace lab::test {
namespace {

bool has(const Json& report, const std::string& widget) {
    return report["widgets"].contains(widget);
}

class WindowPanels : public WindowSession {
  protected:
    /// Opens the combo of a setting in the right panel and clicks one of its rows.
    void choose(const std::string& setting, const std::string& value) {
        click(scroll_to(setting));
        click(widget(setting + "." + value));
    }
    std::size_t pinned_rays() {
        const Json queries = look()["queries"];
        std::size_t count = 0;
        for (const Json& query : queries)
            count += query["kind"] == "pinned";
        return count;
    }
};

TEST_F(WindowPanels, StrategiesAreChosenInTheRightPanel) {
    const Json before = look();
    ASSERT_EQ(before["broadphase"], "dynamic-tree");
    click(widget("section.Show"));  // folded, it leaves room for what comes below
    choose("volume.pair_kind", "sphere");
    const Json spheres = look();
    EXPECT_NE(spheres["pairs"]["volume"], before["pairs"]["volume"]);
    choose("broadphase.kind", "wide-tree");
    const Json wide = look();
    EXPECT_EQ(wide["broadphase"], "wide-tree");
    EXPECT_NE(wide["trees"][0]["nodes"], before["trees"][0]["nodes"]);
    EXPECT_EQ(wide["pairs"]["volume"], spheres["pairs"]["volume"]);
    choose("broadphase.kind", "dynamic-tree");
    const Json dynamic = look();
    choose("tree.insertion", "manhattan");
    key("r");
    const Json manhattan = look();
    EXPECT_NE(manhattan["trees"][0]["area_ratio"], dynamic["trees"][0]["area_ratio"]);
    EXPECT_EQ(manhattan["pairs"]["volume"], spheres["pairs"]["volume"]) << "every strategy finds the same";
}

TEST_F(WindowPanels, ScenesAreFoundByTheirLetters) {
    const Json before = look();
    ASSERT_TRUE(has(before, "scene.welcome"));
    click(widget("scene.search"));
    type("frus");
    // With Enter, which starts the best match.
    const Json found = look_until("the scene", [](const Json& r) { return r["scene"] == "frustum"; });
    EXPECT_TRUE(has(found, "scene.frustum"));
    EXPECT_FALSE(has(found, "scene.welcome"));
    key("ctrl+p");
    fill_palette("scene welcome");
    EXPECT_EQ(look()["scene"], "welcome");
    // The row that the search left in the list.
    click(widget("scene.frustum"));
    EXPECT_EQ(look()["scene"], "frustum");
}

TEST_F(WindowPanels, ARayIsPinnedInTheMenuAndRemovedInTheInspector) {
    const Json before = look();
    ASSERT_EQ(pinned_rays(), 0u);
    right_click(before["body_list"][0]["window_px"]);
    click(widget("context.ray.pin"));
    const Json menu = look();
    ASSERT_TRUE(menu["selected"].is_number()) << "the menu is about what is under the mouse";
    const Json pinned = look();
    const Json& ray = pinned["queries"].back();
    ASSERT_EQ(ray["kind"], "pinned");
    EXPECT_EQ(ray["hit"], true);
    EXPECT_EQ(ray["body"], menu["selected"]) << "it goes where the menu was opened";
    EXPECT_LT(ray["tested"], ray["brute_force_tested"]);
    command("select.ray 0");
    const Json selected = look();
    EXPECT_EQ(selected["selection"]["ray"], 0);
    EXPECT_TRUE(has(selected, "selection.ray.0"));
    click(widget("ray.remove"));
    EXPECT_EQ(pinned_rays(), 0u);
}

TEST_F(WindowPanels, AClickPinsTheRayWhereTheSceneIsAboutOne) {
    command("set pick.largest=20k");
    command("scene ray-picking");
    const Json scene = look_until("both meshes", [](const Json& r) { return r["bodies"] == 2; });
    ASSERT_EQ(pinned_rays(), 0u);
    const Json& body = scene["body_list"][1];
    click(body["window_px"]);
    const Json pinned = look();
    const Json& ray = pinned["queries"].back();
    EXPECT_EQ(ray["kind"], "pinned");
    EXPECT_EQ(ray["hit"], true);
    EXPECT_EQ(ray["body"], body["id"]);
}

TEST_F(WindowPanels, TheHeatmapIsSwitchedOnAndCountsWhatItIsToldTo) {
    ASSERT_TRUE(look()["heatmap"].is_null());
    click(scroll_to("heat.show"));
    const auto complete = [](const Json& r) { return r["heatmap"].is_object() && r["heatmap"]["complete"]; };
    const Json nodes = look_until("the whole heatmap", complete)["heatmap"];
    EXPECT_EQ(nodes["counter"], "nodes visited");
    EXPECT_EQ(nodes["cell_px"], 2);
    EXPECT_GT(nodes["cells"][0].get<int>() * nodes["cells"][1].get<int>(), 10'000);
    EXPECT_GT(nodes["mean"].get<double>(), 1.0) << "a ray looks at the root at least";
    EXPECT_GT(nodes["most"].get<double>(), nodes["mean"].get<double>());
    choose("heat.counter", "triangles");
    const Json triangles = look_until("the other counter", [&](const Json& r) {
        return complete(r) && r["heatmap"]["counter"] == "triangles tested";
    })["heatmap"];
    EXPECT_EQ(triangles["cells"], nodes["cells"]);
    EXPECT_NE(triangles["mean"], nodes["mean"]);
    click(scroll_to("heat.show"));
    EXPECT_TRUE(look()["heatmap"].is_null());
}

/// Meshes are read by a program that never ends.
class WindowJobs : public WindowPanels {
  protected:
    std::vector<std::pair<std::string, std::string>> environment() override {
        write_text(file("endless.sh"), "#!/bin/sh\nexec sleep 300\n");
        std::filesystem::permissions(file("endless.sh"), std::filesystem::perms::owner_all);
        write_text(file("cube.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        return {{"BVLAB_MESH_READER", file("endless.sh").string()}};
    }
};

TEST_F(WindowJobs, AJobIsGivenUpByTheButtonBesideItsBar) {
    const Json before = look();
    command("open cube.obj");
    click(widget("job.cancel.1"));
    const Json after = look_until("no bar", [](const Json& r) { return !has(r, "job.bar.1"); });
    EXPECT_EQ(after["scene"], before["scene"]);
    EXPECT_EQ(after["body_list"], before["body_list"]);
    EXPECT_TRUE(after["errors"].empty()) << "to give up is no error: " << after["errors"].dump();
    command("open mine.json");
    EXPECT_EQ(look()["errors"].size(), 1u) << "and the next file is looked at";
}

}  // namespace
}  // namespace lab::test
