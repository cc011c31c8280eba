// The whole program in a real window on an X server, driven by mouse and keyboard alone: a click selects, a
// drag turns the camera, buttons and keys do what they say. What came of it is read from reports that the
// program is asked for in its command palette. Started by CTest under xvfb-run.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "program.hpp"

namespace {

using Json = nlohmann::json;
using lab::test::TempDir;

constexpr int kPatience = 600;  // tenths of a second: sanitizers on a busy machine are slow

void wait_a_little() {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

class WindowSession : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no X server";
        child_ = fork();
        ASSERT_GE(child_, 0);
        if (child_ == 0) {
            setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
            if (chdir(folder_.path().c_str()) != 0) _exit(99);
            execl(BVLAB_PROGRAM, "bvlab", "--seed", "7", "--set", "sim.paused=true", "--set",
                  "ray.sweep=false", static_cast<char*>(nullptr));
            _exit(98);
        }
        ASSERT_EQ(run("xdotool search --sync --onlyvisible --name 'Bounding Volume Lab' > window.txt"), 0);
        wait_a_little();
        // A slow machine needs longer between two events, so that no two fall into one frame by accident.
        const Json first = look();
        ASSERT_TRUE(first.contains("timings_ms"));
        double frame_ms = 0;
        for (const auto& [stage, ms] : first["timings_ms"].items())
            frame_ms += ms.get<double>();
        pause_ = "sleep " + std::to_string(std::max(0.4, 0.006 * frame_ms)) + " ";
    }

    void TearDown() override {
        if (child_ <= 0) return;
        key("ctrl+q");
        int status = 0;
        for (int i = 0; i < kPatience; ++i) {
            if (waitpid(child_, &status, WNOHANG) == child_) {
                EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
                    << "it did not end well: " << status;
                return;
            }
            wait_a_little();
        }
        ADD_FAILURE() << "Ctrl+Q did not end the program";
        kill(child_, SIGKILL);
        waitpid(child_, &status, 0);
    }

    [[nodiscard]] int run(const std::string& line) const {
        return std::system(("cd '" + folder_.path().string() + "' && timeout 60 " + line).c_str());
    }
    void xdotool(const std::string& words) const { ASSERT_EQ(run("xdotool " + words), 0) << words; }
    void key(const std::string& name) const { xdotool("key --delay 60 " + name + " " + pause_); }
    static std::string at(const Json& pixel) {
        return std::to_string(std::lround(pixel[0].get<double>())) + " " +
               std::to_string(std::lround(pixel[1].get<double>()));
    }
    void click(const Json& pixel) const {
        xdotool("mousemove " + at(pixel) + " sleep 0.2 click 1 sleep 0.2");
    }
    void drag(const Json& from, double dx, double dy, const std::string& held = {}) const {
        const Json half = {from[0].get<double>() + 0.5 * dx, from[1].get<double>() + 0.5 * dy};
        const Json to = {from[0].get<double>() + dx, from[1].get<double>() + dy};
        const std::string down = held.empty() ? "" : "keydown " + held + " ";
        const std::string up = held.empty() ? "" : "keyup " + held;
        xdotool("mousemove " + at(from) + " " + pause_ + down + "mousedown 1 " + pause_ + "mousemove " +
                at(half) + " " + pause_ + "mousemove " + at(to) + " " + pause_ + "mouseup 1 " + pause_ + up);
    }
    /// Types a command line into the palette, as a person would.
    void command(const std::string& line) const {
        key("ctrl+p");
        xdotool(pause_ + "type --delay 40 '" + line + "'");
        xdotool(pause_ + "key Return " + pause_);
    }
    /// The program's own report of this moment.
    Json look() {
        const std::string name = "look" + std::to_string(++looks_) + ".json";
        command("report " + name);
        for (int i = 0; i < kPatience; ++i) {
            const Json report = Json::parse(lab::test::read_text(folder_ / name), nullptr, false);
            if (!report.is_discarded()) return report;
            wait_a_little();
        }
        ADD_FAILURE() << "no report came";
        return {};
    }
    /// A point of the view with nothing under it: near its lower right corner, above the floor's middle.
    static Json empty_place(const Json& report) {
        const Json& right = report["widgets"]["section.Selection"];
        return {right[0].get<double>() - 190, 170};
    }

    TempDir folder_;
    pid_t child_ = -1;
    int looks_ = 0;
    std::string pause_ = "sleep 0.5 ";
};

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
    click(before["widgets"]["spawn.button"]);
    const Json after = look();
    EXPECT_EQ(after["bodies"].get<int>(), before["bodies"].get<int>() + 10);
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
    wait_a_little();
    EXPECT_FALSE(look()["widgets"].contains("spawn.button"));
    key("Tab");
    wait_a_little();
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
    xdotool("keyup ctrl " + pause_);
    EXPECT_EQ(look()["selection"]["bodies"], Json::array({rows[0].first, rows[1].first}));
    key("ctrl+a");
    EXPECT_EQ(look()["selection"]["bodies"].size(), before["body_list"].size());
    key("Escape");
    EXPECT_TRUE(look()["selection"]["bodies"].empty());
}

TEST_F(WindowSession, ANodeIsSelectedInTheDiagramAndInTheView) {
    click(look()["widgets"]["tab.tree"]);
    const Json tab = look();
    ASSERT_TRUE(tab["widgets"].contains("tree.node.2")) << tab["widgets"].dump();
    click(tab["widgets"]["tree.node.2"]);
    const Json in_diagram = look();
    ASSERT_TRUE(in_diagram["selection"]["node"].is_object());
    EXPECT_EQ(in_diagram["selection"]["node"]["index"], 2);
    EXPECT_TRUE(in_diagram["widgets"].contains("selection.node.2")) << "the inspector shows it";
    key("Prior");
    EXPECT_EQ(look()["selection"]["node"]["index"], in_diagram["selection"]["node"]["parent"]);
    key("Escape");
    EXPECT_TRUE(look()["selection"]["node"].is_null());
    // The other way: Alt and a click on an edge of its box.
    xdotool("keydown alt");
    click(in_diagram["selection"]["node"]["window_px"]);
    xdotool("keyup alt " + pause_);
    const Json in_view = look();
    ASSERT_TRUE(in_view["selection"]["node"].is_object());
    EXPECT_TRUE(in_view["widgets"].contains(
        "selection.node." + std::to_string(in_view["selection"]["node"]["index"].get<int>())));
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
    xdotool("mousemove " + at(before["body_list"][0]["window_px"]) + " sleep 0.2 click 3 " + pause_);
    const Json after = look();
    ASSERT_TRUE(after["selected"].is_number());
    EXPECT_EQ(after["queries"][0]["body"], after["selected"]);
    EXPECT_EQ(after["camera"], before["camera"]);
}

TEST_F(WindowSession, StrategiesScenesAndRaysAreChosenInThePalette) {
    const Json before = look();
    command("set tree.insertion=manhattan");
    command("set tree.balance=none");
    command("set broadphase.kind=dynamic-tree");
    const Json after = look();
    ASSERT_FALSE(after["trees"].empty());
    EXPECT_NE(after["trees"][0]["area_ratio"], before["trees"][0]["area_ratio"]);
    EXPECT_EQ(after["pairs"]["volume"], before["pairs"]["volume"]) << "every strategy finds the same pairs";
    command("ray.pin -7 3 0 1 0 0");
    const Json pinned = look();
    ASSERT_FALSE(pinned["queries"].empty());
    EXPECT_EQ(pinned["queries"].back()["kind"], "pinned");
    key("ctrl+o");
    xdotool(pause_ + "type --delay 40 frustum");
    xdotool(pause_ + "key Return " + pause_);
    EXPECT_EQ(look()["scene"], "frustum");
}

TEST_F(WindowSession, ASceneIsSavedAndOpenedAgain) {
    click(look()["body_list"][0]["window_px"]);
    key("n");
    key("period");
    const Json before = look();
    command("save mine.json");
    key("r");
    key("Escape");
    ASSERT_NE(look()["bodies"], before["bodies"]);
    command("open mine.json");
    const Json after = look();
    for (const char* part : {"scene", "seed", "bodies", "pairs", "selected", "camera", "selection"})
        EXPECT_EQ(after[part], before[part]) << part;
    for (std::size_t i = 0; i < before["body_list"].size(); ++i)
        EXPECT_EQ(after["body_list"][i], before["body_list"][i]);
    key("ctrl+z");
    EXPECT_EQ(look()["bodies"].get<int>(), before["bodies"].get<int>() - 10)
        << "its edits can still be taken back";
}

}  // namespace
