// A real window on an X server: events from xdotool arrive, sizes are followed, pixels reach the screen; and
// without a display or a usable OpenGL it says so. Started by CTest under xvfb-run, one suite per kind of
// server.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "platform/window.hpp"
#include "render_test_tools.hpp"

using namespace lab;
using namespace lab::platform;

namespace {

struct Window : ::testing::Test {
    std::unique_ptr<Surface> surface;
    void SetUp() override {
        if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no X server";
        OpenResult opened =
            open_window({.size = {640, 480}, .title = "bvlab test window", .vsync = false, .debug = true});
        ASSERT_TRUE(opened) << opened.error.message;
        surface = std::move(opened.surface);
        for (int i = 0; i < 5; ++i)
            (void)surface->poll();
    }
    static void xdotool(const std::string& arguments) {
        ASSERT_EQ(std::system(("xdotool " + arguments).c_str()), 0) << arguments;
    }
    // Polls until `done` or two seconds have passed.
    bool wait_for(const std::function<bool(const InputFrame&)>& done) {
        for (int i = 0; i < 200; ++i) {
            if (done(surface->poll())) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    static std::string place(int x, int y) { return std::to_string(x) + " " + std::to_string(y); }
    // Where the window's (x, y) is on the screen.
    std::string on_screen(int x, int y) {
        int left = 0, top = 0;
        glfwGetWindowPos(surface->glfw_window(), &left, &top);
        return place(left + x, top + y);
    }
};

TEST_F(Window, OpensWithAUsableContext) {
    EXPECT_GE(surface->gl().major * 10 + surface->gl().minor, 33);
    EXPECT_TRUE(surface->has_default_framebuffer());
    EXPECT_NE(surface->glfw_window(), nullptr);
    const InputFrame frame = surface->poll();
    EXPECT_EQ(frame.framebuffer_px, surface->framebuffer_px());
    EXPECT_GT(frame.framebuffer_px.x, 0);
    EXPECT_GT(frame.dt_s, 0.0);
    EXPECT_FALSE(frame.close_requested);
}

TEST_F(Window, AClickArrivesWhereItHappened) {
    xdotool("mousemove " + on_screen(200, 150));
    ASSERT_TRUE(wait_for([](const InputFrame& f) { return f.mouse_px == glm::vec2(200, 150); }));
    xdotool("click 1");
    bool pressed = false;
    ASSERT_TRUE(wait_for([&](const InputFrame& f) {
        pressed = pressed || f.button(MouseButton::Left).pressed;
        return f.button(MouseButton::Left).clicked;
    }));
    EXPECT_TRUE(pressed);
}

TEST_F(Window, ADragIsNoClick) {
    xdotool("mousemove " + on_screen(100, 100));
    ASSERT_TRUE(wait_for([](const InputFrame& f) { return f.mouse_px == glm::vec2(100, 100); }));
    xdotool("mousedown 3 mousemove " + on_screen(160, 130) + " mouseup 3");
    glm::vec2 sum(0.0f);
    bool clicked = false;
    ASSERT_TRUE(wait_for([&](const InputFrame& f) {
        sum += f.button(MouseButton::Right).drag_px;
        clicked = clicked || f.button(MouseButton::Right).clicked;
        return f.button(MouseButton::Right).released;
    }));
    EXPECT_EQ(sum, glm::vec2(60, 30));
    EXPECT_FALSE(clicked);
}

TEST_F(Window, WheelAndKeysArrive) {
    xdotool("mousemove " + on_screen(320, 240));
    glfwFocusWindow(surface->glfw_window());
    xdotool("click 4");
    EXPECT_TRUE(wait_for([](const InputFrame& f) { return f.wheel.y > 0; }));
    xdotool("key --clearmodifiers ctrl+p");
    EXPECT_TRUE(wait_for([](const InputFrame& f) {
        for (const KeyEvent& key : f.keys)
            if (key.key == Key::P && key.action == KeyAction::Press && key.mods.ctrl) return true;
        return false;
    }));
    xdotool("key question");
    EXPECT_TRUE(wait_for([](const InputFrame& f) {
        for (const KeyEvent& key : f.keys)
            if (key.typed == U'?') return true;
        return false;
    }));
}

TEST_F(Window, FollowsItsSize) {
    glfwSetWindowSize(surface->glfw_window(), 800, 300);
    EXPECT_TRUE(wait_for([](const InputFrame& f) { return f.framebuffer_px == glm::ivec2(800, 300); }));
}

TEST_F(Window, DropsBecomePaths) {
    // There is no tool that drops files from a shell: call what GLFW calls.
    GLFWwindow* window = surface->glfw_window();
    const GLFWdropfun callback = glfwSetDropCallback(window, nullptr);
    ASSERT_NE(callback, nullptr);
    glfwSetDropCallback(window, callback);
    const char* paths[] = {"/tmp/a b.obj", "/tmp/ü.ply"};
    callback(window, 2, paths);
    const InputFrame frame = surface->poll();
    EXPECT_EQ(frame.dropped_files, (std::vector<std::string>{"/tmp/a b.obj", "/tmp/ü.ply"}));
    EXPECT_TRUE(surface->poll().dropped_files.empty());
}

TEST_F(Window, MinimizedMeansNoPixelsAndNoSpinning) {
    // Xvfb has no window manager that would do it, so only the answer to the state is looked at where it
    // comes.
    glfwIconifyWindow(surface->glfw_window());
    if (!wait_for([](const InputFrame& f) { return f.minimized; }))
        GTEST_SKIP() << "nothing minimizes windows here";
    EXPECT_EQ(surface->framebuffer_px(), glm::ivec2(0));
    surface->present();
    glfwRestoreWindow(surface->glfw_window());
    EXPECT_TRUE(wait_for([](const InputFrame& f) { return !f.minimized && f.framebuffer_px.x > 0; }));
}

TEST_F(Window, ClosingIsARequest) {
    surface->request_close();
    EXPECT_TRUE(surface->poll().close_requested);
}

TEST_F(Window, WhatIsDrawnReachesTheScreen) {
    render::Renderer renderer(
        {.loader = surface->gl_loader(), .software = surface->gl().software, .hot_reload = false});
    render::DrawList list;
    list.background_top = list.background_bottom = render::rgb(0x3366CC);
    list.ground.grid = list.ground.axes = false;
    list.lines.push_back({{-100, 0, 0}, render::rgb(0xFFFFFF), {100, 0, 0}, 6.0f});
    const glm::ivec2 size = surface->framebuffer_px();
    renderer.draw(list, test::pixel_view(size));
    const render::Image image = renderer.read_pixels();
    ASSERT_EQ(image.size, size);
    EXPECT_EQ(image.at(5, 5)[0], 0x33);
    EXPECT_EQ(image.at(5, 5)[1], 0x66);
    EXPECT_EQ(image.at(5, 5)[2], 0xCC);
    EXPECT_GT(image.at(size.x / 2, size.y / 2)[0], 250);
    surface->present();
    glfwSetWindowSize(surface->glfw_window(), 500, 400);
    ASSERT_TRUE(wait_for([](const InputFrame& f) { return f.framebuffer_px == glm::ivec2(500, 400); }));
    renderer.draw(list, test::pixel_view({500, 400}));
    EXPECT_EQ(renderer.read_pixels().size, glm::ivec2(500, 400));
    EXPECT_EQ(renderer.stats().driver_errors, 0u);
    // What the screen shows, asked of the X server itself.
    surface->present();
    const std::string command = "import -window root -crop 1x1+" +
                                on_screen(5, 5).replace(on_screen(5, 5).find(' '), 1, "+") +
                                " -depth 8 rgb:- | od -An -tx1 | tr -d ' \\n' | grep -qi 3366cc";
    if (std::system("command -v import >/dev/null") == 0) {
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }
}

TEST(NoDisplay, IsSaidWithAWayOut) {
    if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY")) GTEST_SKIP() << "there is one";
    const OpenResult opened = open_window({});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error.kind, OpenError::Kind::NoDisplay);
    EXPECT_NE(opened.error.message.find("display"), std::string::npos) << opened.error.message;
    EXPECT_NE(opened.error.hint.find("--headless"), std::string::npos) << opened.error.hint;
}

TEST(NoOpenGl, IsSaidWithAWayOut) {
    const OpenResult opened = open_window({});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error.kind, OpenError::Kind::NoOpenGl) << opened.error.message;
    EXPECT_NE(opened.error.hint.find("--headless"), std::string::npos) << opened.error.hint;
}

TEST(OldOpenGl, SaysWhatWasFound) {
    const OpenResult opened = open_window({});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error.kind, OpenError::Kind::OpenGlTooOld) << opened.error.message;
    EXPECT_NE(opened.error.message.find("3.1"), std::string::npos) << opened.error.message;
    EXPECT_FALSE(opened.error.hint.empty());
}

}  // namespace
