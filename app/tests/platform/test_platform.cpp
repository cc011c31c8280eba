// Input from raw events, paths, files, and a context without a display.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/clock.hpp"
#include "platform/headless.hpp"
#include "platform/input/input_collector.hpp"
#include "platform/paths.hpp"
#include "temp_dir.hpp"

namespace fs = std::filesystem;
using namespace lab::platform;

namespace {

constexpr MouseButton kLeft = MouseButton::Left, kRight = MouseButton::Right;

InputCollector collector() {
    InputCollector input;
    input.set_surface({1280, 720}, 1.0f, false);
    input.mouse_moved({100, 100});
    (void)input.take(0, 0.01);
    return input;
}

TEST(Input, AClickIsAReleaseWithoutADrag) {
    InputCollector input = collector();
    input.mouse_button(kLeft, true, {}, 0.0);
    InputFrame frame = input.take(0.01, 0.01);
    EXPECT_TRUE(frame.button(kLeft).pressed);
    EXPECT_TRUE(frame.button(kLeft).held);
    EXPECT_FALSE(frame.button(kLeft).clicked);
    input.mouse_moved({103, 101});  // a trembling hand
    input.mouse_button(kLeft, false, {}, 0.1);
    frame = input.take(0.1, 0.01);
    EXPECT_TRUE(frame.button(kLeft).released);
    EXPECT_TRUE(frame.button(kLeft).clicked);
    EXPECT_FALSE(frame.button(kLeft).dragging);
    EXPECT_EQ(frame.button(kLeft).press_px, glm::vec2(100, 100));
    frame = input.take(0.2, 0.01);
    EXPECT_FALSE(frame.button(kLeft).clicked);
    EXPECT_FALSE(frame.button(kLeft).released);
}

TEST(Input, PressAndReleaseInOneFrameIsAClick) {
    InputCollector input = collector();
    input.mouse_button(kLeft, true, {}, 0.0);
    input.mouse_button(kLeft, false, {}, 0.005);
    const InputFrame frame = input.take(0.01, 0.01);
    EXPECT_TRUE(frame.button(kLeft).pressed && frame.button(kLeft).released && frame.button(kLeft).clicked);
    EXPECT_FALSE(frame.button(kLeft).held);
}

TEST(Input, ADragLosesNoPixelAndIsNoClick) {
    InputCollector input = collector();
    input.mouse_button(kLeft, true, Mods{.ctrl = true}, 0.0);
    glm::vec2 sum(0.0f);
    bool started = false;
    for (int i = 1; i <= 10; ++i) {
        input.mouse_moved({100.0f + 2.0f * static_cast<float>(i), 100.0f - static_cast<float>(i)});
        const InputFrame frame = input.take(0.01 * i, 0.01);
        sum += frame.button(kLeft).drag_px;
        EXPECT_FALSE(started && frame.button(kLeft).drag_started) << "starts once";
        started = started || frame.button(kLeft).drag_started;
    }
    EXPECT_TRUE(started);
    EXPECT_EQ(sum, glm::vec2(20, -10));
    input.mouse_button(kLeft, false, {}, 0.2);
    InputFrame frame = input.take(0.2, 0.01);
    EXPECT_FALSE(frame.button(kLeft).clicked);
    EXPECT_TRUE(frame.button(kLeft).dragging) << "the last frame of the drag still belongs to it";
    EXPECT_TRUE(frame.button(kLeft).press_mods.ctrl);
    frame = input.take(0.3, 0.01);
    EXPECT_FALSE(frame.button(kLeft).dragging);
}

TEST(Input, DoubleClickNeedsTimeAndPlace) {
    const auto click = [](InputCollector& input, glm::vec2 at, double time) {
        input.mouse_moved(at);
        input.mouse_button(kLeft, true, {}, time);
        input.mouse_button(kLeft, false, {}, time + 0.02);
        return input.take(time + 0.03, 0.01).button(kLeft).double_clicked;
    };
    InputCollector input = collector();
    EXPECT_FALSE(click(input, {50, 50}, 1.0));
    EXPECT_TRUE(click(input, {51, 50}, 1.2));
    EXPECT_FALSE(click(input, {51, 50}, 1.4)) << "a third click starts afresh";
    EXPECT_FALSE(click(input, {80, 50}, 1.5)) << "elsewhere";
    EXPECT_FALSE(click(input, {80, 50}, 2.5)) << "too late";
}

TEST(Input, FingersNeitherLieStillNorMeetAPlaceTwice) {
    InputCollector input = collector();
    input.use_fingers(true);
    const auto tap = [&](glm::vec2 from, glm::vec2 to, double time) {
        input.mouse_moved(from);
        input.mouse_button(kLeft, true, {}, time);
        input.mouse_moved(to);
        input.mouse_button(kLeft, false, {}, time + 0.1);
        return input.take(time + 0.2, 0.01).button(kLeft);
    };
    EXPECT_TRUE(tap({50, 50}, {57, 55}, 1.0).clicked);
    EXPECT_TRUE(tap({65, 60}, {65, 60}, 1.2).double_clicked);
    EXPECT_FALSE(tap({50, 50}, {62, 50}, 3.0).clicked) << "a drag";
    input.use_fingers(false);
    EXPECT_FALSE(tap({50, 50}, {57, 55}, 5.0).clicked) << "a drag of the mouse";
}

TEST(Input, ThresholdGrowsWithTheDisplayScale) {
    InputCollector input = collector();
    input.set_surface({2560, 1440}, 2.0f, false);
    input.mouse_button(kLeft, true, {}, 0.0);
    input.mouse_moved({107, 100});
    EXPECT_FALSE(input.take(0.01, 0.01).button(kLeft).dragging);
    input.mouse_moved({109, 100});
    EXPECT_TRUE(input.take(0.02, 0.01).button(kLeft).dragging);
}

TEST(Input, KeysKnowWhatTheyTyped) {
    InputCollector input = collector();
    input.key(Key::Slash, KeyAction::Press, Mods{.shift = true});
    input.character(U'?');
    input.key(Key::Slash, KeyAction::Release, {});
    input.character(U'é');
    const InputFrame frame = input.take(0.01, 0.01);
    ASSERT_EQ(frame.keys.size(), 2u) << "a tap within one frame is not lost";
    EXPECT_EQ(frame.keys[0].typed, U'?');
    EXPECT_EQ(frame.text, "?é");
    EXPECT_EQ(frame.keys[0].key, Key::Slash);
    EXPECT_EQ(frame.keys[0].action, KeyAction::Press);
    EXPECT_FALSE(frame.key_down(Key::Slash));
    EXPECT_EQ(key_name(Key::PageUp), "PageUp");
    EXPECT_EQ(key_name(Key::Super), "Super");
    EXPECT_EQ(key_name(Key::Num0), "0");
}

TEST(Input, LosingTheFocusReleasesEverything) {
    InputCollector input = collector();
    input.key(Key::W, KeyAction::Press, {});
    input.mouse_button(kRight, true, {}, 0.0);
    EXPECT_TRUE(input.take(0.01, 0.01).key_down(Key::W));
    input.focus_changed(false);
    const InputFrame frame = input.take(0.02, 0.01);
    EXPECT_FALSE(frame.key_down(Key::W));
    EXPECT_FALSE(frame.button(kRight).held);
    EXPECT_TRUE(frame.button(kRight).released);
    EXPECT_FALSE(frame.button(kRight).clicked);
    EXPECT_FALSE(frame.focused);
}

TEST(Input, MaskingLeavesWhatTheInterfaceDoesNotWant) {
    InputCollector input = collector();
    input.mouse_button(kLeft, true, {}, 0.0);
    input.wheel({0, 1});
    input.key(Key::F, KeyAction::Press, {});
    input.key(Key::F12, KeyAction::Press, {.shift = true});
    input.key(Key::Q, KeyAction::Press, {.ctrl = true});
    input.character(U'f');
    input.files_dropped({"mesh.obj"});
    input.close_requested();
    const InputFrame frame = input.take(0.01, 0.01);
    const InputFrame mouse = frame.masked({.mouse = true});
    EXPECT_FALSE(mouse.button(kLeft).pressed || mouse.button(kLeft).held);
    EXPECT_EQ(mouse.wheel.y, 0.0f);
    ASSERT_EQ(mouse.keys.size(), 3u);
    EXPECT_EQ(mouse.keys[0].key, Key::F);
    const InputFrame keys = frame.masked({.keyboard = true, .text = true});
    EXPECT_TRUE(keys.button(kLeft).pressed);
    ASSERT_EQ(keys.keys.size(), 1u);
    EXPECT_EQ(keys.keys[0].key, Key::F12) << "function keys write nothing: they keep their meaning";
    EXPECT_TRUE(keys.text.empty());
    const InputFrame menu = frame.masked({.keyboard = true});
    ASSERT_EQ(menu.keys.size(), 2u);
    EXPECT_EQ(menu.keys[0].key, Key::F12);
    EXPECT_EQ(menu.keys[1].key, Key::Q) << "a menu leaves chords with Ctrl alone";
    EXPECT_TRUE(keys.close_requested);
    EXPECT_EQ(keys.dropped_files, std::vector<std::string>{"mesh.obj"});
}

TEST(Input, MinimizedMeansNoPixels) {
    InputCollector input;
    input.set_surface({1280, 720}, 1.0f, true);
    const InputFrame frame = input.take(0.0, 0.0);
    EXPECT_EQ(frame.framebuffer_px, glm::ivec2(0));
    EXPECT_TRUE(frame.minimized);
    EXPECT_GT(frame.dt_s, 0.0);
}

TEST(Clock, LapsAreBounded) {
    Clock clock;
    EXPECT_GE(clock.lap(), 1e-6);
    EXPECT_LE(clock.lap(0.001), 0.001);
    const double before = clock.seconds();
    EXPECT_GE(clock.seconds(), before);
}

TEST(Paths, FollowTheEnvironment) {
    const lab::test::TempDir folder;
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    EXPECT_EQ(config_dir(), folder.path() / "bvlab");
    setenv("XDG_CONFIG_HOME", "relative/path", 1);
    setenv("HOME", folder.path().c_str(), 1);
    EXPECT_EQ(config_dir(), folder.path() / ".config" / "bvlab") << "a relative one counts as not set";
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    EXPECT_TRUE(config_dir().empty());

    EXPECT_FALSE(find_data_dir("shaders").empty()) << "above the build folder";
    fs::create_directory(folder.path() / "shaders");
    setenv("BVLAB_DATA_DIR", folder.path().c_str(), 1);
    EXPECT_EQ(find_data_dir("shaders"), folder.path() / "shaders");
    unsetenv("BVLAB_DATA_DIR");
    EXPECT_TRUE(find_data_dir("no_such_folder").empty());
    EXPECT_TRUE(fs::exists(executable_dir() / "test_app_platform"));
}

TEST(Headless, OpensWithoutADisplayAndTicksEvenly) {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    HeadlessResult opened = open_headless({.size = {320, 200}, .content_scale = 1.5f, .dt_s = 0.125});
    ASSERT_TRUE(opened) << opened.error.message;
    HeadlessSurface& surface = *opened.surface;
    EXPECT_GE(surface.gl().major * 10 + surface.gl().minor, 33);
    EXPECT_FALSE(surface.gl().renderer.empty());
    EXPECT_EQ(surface.gl().software, is_software_renderer(surface.gl().renderer));
    EXPECT_FALSE(surface.has_default_framebuffer());
    EXPECT_EQ(surface.glfw_window(), nullptr);
    EXPECT_EQ(surface.poll().dt_s, 0.125);
    surface.input().mouse_moved({10, 20});
    surface.resize({0, 0});
    const InputFrame frame = surface.poll();
    EXPECT_EQ(frame.time_s, 0.25);
    EXPECT_EQ(frame.mouse_px, glm::vec2(10, 20));
    EXPECT_EQ(frame.framebuffer_px, glm::ivec2(0));
    EXPECT_EQ(frame.content_scale, 1.5f);
    surface.request_close();
    EXPECT_TRUE(surface.poll().close_requested);
    surface.present();
}

TEST(Headless, SeveralContextsLiveOneAfterTheOther) {
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(open_headless({})) << i;
}

// In a process of its own (app.headless_old_gl): Mesa reads the variable once.
TEST(OldOpenGl, IsSaidWithoutADisplay) {
    if (!std::getenv("MESA_GL_VERSION_OVERRIDE")) GTEST_SKIP() << "runs as app.headless_old_gl";
    const HeadlessResult opened = open_headless({});
    if (opened) GTEST_SKIP() << "the driver is not Mesa: " << opened.surface->gl().version;
    EXPECT_EQ(opened.error.kind, OpenError::Kind::OpenGlTooOld);
    EXPECT_NE(opened.error.message.find("3.1"), std::string::npos) << opened.error.message;
    EXPECT_FALSE(opened.error.hint.empty());
}

TEST(GlInfo, KnowsSoftwareRenderers) {
    EXPECT_TRUE(is_software_renderer("llvmpipe (LLVM 15.0.6, 256 bits)"));
    EXPECT_TRUE(is_software_renderer("Google SwiftShader"));
    EXPECT_FALSE(is_software_renderer("NVIDIA H200/PCIe/SSE2"));
    EXPECT_FALSE(is_software_renderer("Mesa Intel(R) UHD Graphics 620 (KBL GT2)"));
    EXPECT_FALSE(is_software_renderer(""));
}

}  // namespace
