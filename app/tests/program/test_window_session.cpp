// What a person does in the view of a real window: a click selects, a drag turns the camera, a gizmo moves,
// keys do what they say. Started by CTest under xvfb-run.
#include <cmath>

#include "window_session.hpp"

namespace lab::test {
namespace {

TEST_F(WindowSession, AClickSelectsABodyAndThePanelNamesIt) {
    const Json before = look();
    ASSERT_TRUE(before["selected"].is_null());
    click(before["body_list"][0]["window_px"]);
    const Json after = look();
    ASSERT_TRUE(after["selected"].is_number());
    ASSERT_FALSE(after["queries"].empty());
    EXPECT_EQ(after["queries"][0]["kind"], "pick");
    EXPECT_EQ(after["queries"][0]["body"], after["selected"]);
    for (const auto& [name, pixel] : before["widgets"].items())
        EXPECT_FALSE(name.starts_with("selection.name")) << name;
    EXPECT_TRUE(after["widgets"].contains("selection.name." + std::to_string(after["selected"].get<int>())))
        << after["widgets"].dump();
    key("Escape");
    EXPECT_TRUE(look()["selected"].is_null());
}

TEST_F(WindowSession, ADragTurnsTheCameraAndSelectsNothing) {
    const Json before = look();
    drag(empty_place(before), -120, 40);
    const Json after = look();
    EXPECT_GT(std::abs(after["camera"]["yaw_rad"].get<double>() - before["camera"]["yaw_rad"].get<double>()),
              0.2);
    EXPECT_GT(
        std::abs(after["camera"]["pitch_rad"].get<double>() - before["camera"]["pitch_rad"].get<double>()),
        0.05);
    EXPECT_EQ(after["camera"]["target"], before["camera"]["target"]);
    EXPECT_TRUE(after["selected"].is_null());
}

TEST_F(WindowSession, TheSpawnButtonAddsBodies) {
    const Json before = look();
    click(widget("spawn.button"));
    const Json after = look();
    const int bodies = before["bodies"].get<int>();
    EXPECT_EQ(after["bodies"].get<int>(), bodies + 10);
    key("ctrl+z");
    EXPECT_EQ(look()["bodies"].get<int>(), bodies);
    key("ctrl+shift+z");
    const Json again = look();
    EXPECT_EQ(again["bodies"].get<int>(), bodies + 10);
    EXPECT_EQ(again["body_list"], after["body_list"]) << "the same bodies at the same places";
}

TEST_F(WindowSession, ControlDragMovesTheBodyUnderTheMouse) {
    const Json before = look();
    drag(before["body_list"][0]["window_px"], 60, -30, "ctrl");
    const Json after = look();
    ASSERT_TRUE(after["selected"].is_number());
    for (std::size_t i = 0; i < before["body_list"].size(); ++i) {
        const bool moved = before["body_list"][i]["position"] != after["body_list"][i]["position"];
        EXPECT_EQ(moved, after["body_list"][i]["id"] == after["selected"]) << i;
    }
    EXPECT_EQ(before["camera"], after["camera"]);
}

TEST_F(WindowSession, KeysStepTimeAndHidePanels) {
    const Json before = look();
    key("period");
    key("period");
    const Json stepped = look();
    EXPECT_EQ(stepped["stats"]["steps"].get<int>(), before["stats"]["steps"].get<int>() + 2);
    key("Tab");
    EXPECT_FALSE(look()["widgets"].contains("spawn.button"));
    key("Tab");
    EXPECT_TRUE(look()["widgets"].contains("spawn.button"));
}

TEST_F(WindowSession, AHandleOfASceneIsDragged) {
    command("scene obb-sat");
    const Json before = look();
    ASSERT_EQ(before["scene"], "obb-sat");
    drag(before["handles"]["a"], -50, -20);
    const Json after = look();
    EXPECT_NEAR(after["handles"]["a"][0].get<double>(), before["handles"]["a"][0].get<double>() - 50, 3);
    EXPECT_NEAR(after["handles"]["a"][1].get<double>(), before["handles"]["a"][1].get<double>() - 20, 3);
    EXPECT_EQ(after["handles"]["b"], before["handles"]["b"]);
    EXPECT_EQ(after["camera"], before["camera"]);
}

TEST_F(WindowSession, ControlClicksSelectSeveralBodies) {
    const Json before = look();
    std::vector<std::pair<int, Json>> rows;  // those of the list that are on screen
    for (const Json& body : before["body_list"]) {
        const std::string row = "body." + std::to_string(body["id"].get<int>());
        if (before["widgets"].contains(row)) rows.emplace_back(body["id"].get<int>(), before["widgets"][row]);
    }
    ASSERT_GE(rows.size(), 2u) << before["widgets"].dump();
    click(rows[0].second);
    xdotool("keydown ctrl");
    click(rows[1].second);
    xdotool("keyup ctrl");
    EXPECT_EQ(look()["selection"]["bodies"], Json::array({rows[0].first, rows[1].first}));
    key("ctrl+a");
    EXPECT_EQ(look()["selection"]["bodies"].size(), before["body_list"].size());
    key("Escape");
    EXPECT_TRUE(look()["selection"]["bodies"].empty());
}

TEST_F(WindowSession, ANodeIsSelectedInTheDiagramAndInTheView) {
    click(widget("tab.tree"));
    const Json tab = look();
    const auto marked = [](const Json& report, const Json& node) {
        return report["widgets"].contains("tree.selected." + std::to_string(node["index"].get<int>()));
    };
    click(widget("tree.node.2"));
    const Json in_diagram = look();
    const Json node = in_diagram["selection"]["node"];
    ASSERT_TRUE(node.is_object());
    EXPECT_EQ(node["index"], 2);
    EXPECT_TRUE(in_diagram["widgets"].contains("selection.node.2")) << "the inspector shows it";
    EXPECT_TRUE(marked(in_diagram, node));
    ASSERT_TRUE(node["window_px"].is_array()) << "its box is in the view";
    key("Prior");
    EXPECT_EQ(look()["selection"]["node"]["index"], node["parent"]);
    key("Escape");
    EXPECT_TRUE(look()["selection"]["node"].is_null());
    // The other way: Alt and a click on an edge of its box, which other boxes may have in common with it.
    xdotool("keydown alt");
    click(node["window_px"]);
    xdotool("keyup alt");
    const Json in_view = look();
    const Json& chosen = in_view["selection"]["node"];
    ASSERT_TRUE(chosen.is_object());
    EXPECT_EQ(chosen["min"][0], node["min"][0]);
    EXPECT_EQ(chosen["max"][1], node["max"][1]);
    EXPECT_TRUE(in_view["widgets"].contains("selection.node." + std::to_string(chosen["index"].get<int>())));
    EXPECT_TRUE(marked(in_view, chosen)) << "the diagram shows where it is";
    EXPECT_FALSE(marked(tab, node));
}

TEST_F(WindowSession, TheGizmoMovesAlongItsAxisAndUndoTakesItBack) {
    click(look()["body_list"][0]["window_px"]);
    const Json before = look();
    ASSERT_TRUE(before["selection"]["gizmo"].contains("x")) << before["selection"].dump();
    const Json& center = before["selection"]["gizmo"]["center"];
    const Json& tip = before["selection"]["gizmo"]["x"];
    const double dx = tip[0].get<double>() - center[0].get<double>();
    const double dy = tip[1].get<double>() - center[1].get<double>();
    const Json grip = {center[0].get<double>() + 0.85 * dx, center[1].get<double>() + 0.85 * dy};
    drag(grip, dx, dy);
    const Json after = look();
    const auto selected = [&](const Json& report) {
        for (const Json& body : report["body_list"])
            if (body["id"] == before["selected"]) return body["position"];
        return Json();
    };
    EXPECT_GT(selected(after)[0].get<double>(), selected(before)[0].get<double>() + 0.2);
    EXPECT_EQ(selected(after)[1], selected(before)[1]);
    EXPECT_EQ(selected(after)[2], selected(before)[2]);
    EXPECT_EQ(after["camera"], before["camera"]);
    EXPECT_EQ(after["selection"]["undo"].get<int>(), before["selection"]["undo"].get<int>() + 1)
        << "a drag is one edit";
    key("ctrl+z");
    EXPECT_EQ(selected(look()), selected(before));
    key("ctrl+shift+z");
    EXPECT_EQ(selected(look()), selected(after));
}

TEST_F(WindowSession, ARightClickSelectsWhatItsMenuIsAbout) {
    const Json before = look();
    right_click(before["body_list"][0]["window_px"]);
    const Json after = look();
    ASSERT_TRUE(after["selected"].is_number());
    EXPECT_EQ(after["queries"][0]["body"], after["selected"]);
    EXPECT_EQ(after["camera"], before["camera"]);
}

TEST_F(WindowSession, StrategiesScenesAndRaysAreChosenInThePalette) {
    const Json before = look();
    command("set tree.insertion=manhattan");
    command("set tree.balance=none");
    command("tree.rebuild manhattan");  // time stands still: nothing else goes in anew
    const Json after = look();
    ASSERT_FALSE(after["trees"].empty());
    EXPECT_NE(after["trees"][0]["area_ratio"], before["trees"][0]["area_ratio"]);
    EXPECT_EQ(after["pairs"]["volume"], before["pairs"]["volume"]) << "every strategy finds the same pairs";
    command("ray.pin -7 3 0 1 0 0");
    const Json pinned = look();
    ASSERT_FALSE(pinned["queries"].empty());
    EXPECT_EQ(pinned["queries"].back()["kind"], "pinned");
    key("ctrl+p");
    fill_palette("scene frustum");
    EXPECT_EQ(look()["scene"], "frustum");
}

TEST_F(WindowSession, ASceneIsSavedAndOpenedAgain) {
    click(look()["body_list"][0]["window_px"]);
    key("n");
    key("period");
    const Json before = look();
    key("ctrl+s");
    fill_palette("mine.json");
    look_until("mine.json", [&](const Json&) { return std::filesystem::exists(file("mine.json")); });
    key("r");
    key("Escape");
    look_until("the scene as it began", [&](const Json& r) { return r["bodies"] != before["bodies"]; });
    key("ctrl+o");
    widget("files.path");  // the browser of files, in the folder that the program was started in
    type("mine.json");
    look_until("the saved scene", [&](const Json& r) { return r["bodies"] == before["bodies"]; });
    const Json after = look();
    for (const char* part : {"scene", "seed", "bodies", "pairs", "selected", "camera", "selection"})
        EXPECT_EQ(after[part], before[part]) << part;
    for (std::size_t i = 0; i < before["body_list"].size(); ++i)
        EXPECT_EQ(after["body_list"][i], before["body_list"][i]);
    key("ctrl+z");
    EXPECT_EQ(look()["bodies"].get<int>(), before["bodies"].get<int>() - 10)
        << "its edits can still be taken back";
}

TEST_F(WindowSession, AFinishedLessonIsOnDiskWhileTheProgramRuns) {
    command("lesson fat-boxes");
    command("set draw.grid=false");
    for (const char* page : {"2", "3", "4"}) {
        command("lesson.page " + std::string(page));
        command("lesson.show");
        look_until("the task of page " + std::string(page),
                   [](const Json& now) { return now["widgets"].contains("lesson.done"); });
    }
    const auto saved = [&] {
        const std::filesystem::path path = file("config/bvlab/preferences.json");
        return std::filesystem::exists(path) ? read_text(path) : std::string();
    };
    look_until("the finished lesson in the preferences",
               [&](const Json&) { return saved().find("\"fat-boxes\"") != std::string::npos; });
    EXPECT_NE(saved().find("draw.grid"), std::string::npos) << "what the user set is kept with it";
    EXPECT_EQ(saved().find("draw.tree_leaves"), std::string::npos) << "what the lesson set is not";
}

TEST(WindowedStart, ASignalEndsItAfterTheSettingsAreSaved) {
    for (const std::string signal : {"TERM", "INT", "HUP"}) {
        const TempDir folder;
        const Finished run =
            run_shell(folder,
                      "env --default-signal \"$BVLAB\" --run 'set ui.theme=light; report r.json' & "
                      "until [ -s r.json ]; do sleep 0.1; done; kill -" +
                          signal + " $!; wait $!");
        EXPECT_EQ(run.status, 0) << signal << run.err;
        EXPECT_NE(read_text(folder / "config/bvlab/preferences.json").find("light"), std::string::npos)
            << signal;
    }
}

TEST(WindowedStart, AnyPreferencesWhatsoeverAreKeptAsideAndTheDefaultsUsed) {
    for (const std::string& text :
         {std::string("{\"sim.speed\":1e999}"), std::string("[[]]"), std::string("\xff\xfe"),
          std::string(100'000, '{'), std::string(3 << 20, 'x')}) {
        const TempDir folder;
        std::filesystem::create_directories(folder / "config/bvlab");
        write_text(folder / "config/bvlab/preferences.json", text);
        const Finished run = run_shell(folder, "exec \"$BVLAB\" --frames 2");
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.err.find("preferences.json"), std::string::npos) << run.err;
        EXPECT_EQ(read_text(folder / "config/bvlab/preferences.json.bad"), text);
    }
    const TempDir folder;
    std::filesystem::create_directories(folder / "config/bvlab/preferences.json/folder");
    EXPECT_EQ(run_shell(folder, "exec \"$BVLAB\" --frames 2").status, 0);
    EXPECT_TRUE(std::filesystem::is_directory(folder / "config/bvlab/preferences.json.bad/folder"));
}

}  // namespace
}  // namespace lab::test
