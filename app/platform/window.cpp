#include "platform/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <glm/common.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/clock.hpp"
#include "platform/gl_info.hpp"
#include "platform/input/glfw_keys.hpp"
#include "platform/input/input_collector.hpp"
#include "platform/memory.hpp"

namespace lab::platform {

namespace {

GlFunction load_gl(const char* name) {
    return glfwGetProcAddress(name);
}

std::string last_glfw_error(int& code) {
    const char* text = nullptr;
    code = glfwGetError(&text);
    return text ? text : "";
}

class GlfwSurface final : public Surface {
  public:
    explicit GlfwSurface(GLFWwindow* window) : window_(window), info_(query_gl_info(load_gl)) {
        if (info_.software) keep_freed_memory();
        glfwSetWindowUserPointer(window_, this);
        install_callbacks();
        double x = 0, y = 0;
        glfwGetCursorPos(window_, &x, &y);
        input_.mouse_moved(to_px(x, y));
        input_.mouse_entered(glfwGetWindowAttrib(window_, GLFW_HOVERED) == GLFW_TRUE);
    }
    ~GlfwSurface() override {
        glfwDestroyWindow(window_);
        glfwTerminate();
    }

    InputFrame poll() override {
        // Nothing is drawn while minimized, so nothing else keeps the loop from spinning.
        if (minimized())
            glfwWaitEventsTimeout(0.05);
        else
            glfwPollEvents();
        input_.set_surface(framebuffer_px(), content_scale(), minimized());
        if (glfwWindowShouldClose(window_)) input_.close_requested();
        return input_.take(clock_.seconds(), clock_.lap());
    }
    void present() override {
        if (!minimized()) glfwSwapBuffers(window_);
    }
    void make_current() override { glfwMakeContextCurrent(window_); }
    glm::ivec2 framebuffer_px() const override {
        glm::ivec2 size(0);
        if (!minimized()) glfwGetFramebufferSize(window_, &size.x, &size.y);
        return size;
    }
    float content_scale() const override {
        float x = 1, y = 1;
        glfwGetWindowContentScale(window_, &x, &y);
        return std::clamp(x, 0.5f, 8.0f);
    }
    GlLoader gl_loader() const override { return load_gl; }
    const GlInfo& gl() const override { return info_; }
    bool has_default_framebuffer() const override { return true; }
    GLFWwindow* glfw_window() const override { return window_; }
    void set_title(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }
    Copied copy_link(const std::string& link) override {
        glfwSetClipboardString(window_, link.c_str());
        return Copied::Yes;
    }
    bool toggle_full_screen() override;
    void request_close() override { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

  private:
    bool minimized() const { return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE; }
    // Cursor positions are screen coordinates, which differ from pixels on some HiDPI systems.
    glm::vec2 to_px(double x, double y) const {
        glm::ivec2 window(1), framebuffer(1);
        glfwGetWindowSize(window_, &window.x, &window.y);
        glfwGetFramebufferSize(window_, &framebuffer.x, &framebuffer.y);
        return glm::vec2(x, y) * glm::vec2(framebuffer) / glm::vec2(glm::max(window, glm::ivec2(1)));
    }
    static GlfwSurface& of(GLFWwindow* window) {
        return *static_cast<GlfwSurface*>(glfwGetWindowUserPointer(window));
    }
    void install_callbacks();

    GLFWwindow* window_;
    GlInfo info_;
    InputCollector input_;
    Clock clock_;
    glm::ivec2 window_at_{0}, window_size_{0};  // before the window filled the screen
};

/// The monitor that shows the middle of the window.
GLFWmonitor* monitor_of(glm::ivec2 at, glm::ivec2 size) {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        glm::ivec2 from(0);
        glfwGetMonitorPos(monitors[i], &from.x, &from.y);
        const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]);
        const glm::ivec2 middle = at + size / 2 - from;
        if (mode && middle.x >= 0 && middle.y >= 0 && middle.x < mode->width && middle.y < mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

bool GlfwSurface::toggle_full_screen() {
    if (glfwGetWindowMonitor(window_)) {
        glfwSetWindowMonitor(window_, nullptr, window_at_.x, window_at_.y, window_size_.x, window_size_.y,
                             GLFW_DONT_CARE);
        return true;
    }
    glfwGetWindowPos(window_, &window_at_.x, &window_at_.y);
    glfwGetWindowSize(window_, &window_size_.x, &window_size_.y);
    GLFWmonitor* const monitor = monitor_of(window_at_, window_size_);
    const GLFWvidmode* const mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return false;
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    return true;
}

void GlfwSurface::install_callbacks() {
    // Shortcuts come from these events, not from polled key states: a short tap within a slow frame counts.
    glfwSetCursorPosCallback(
        window_, [](GLFWwindow* w, double x, double y) { of(w).input_.mouse_moved(of(w).to_px(x, y)); });
    glfwSetCursorEnterCallback(
        window_, [](GLFWwindow* w, int inside) { of(w).input_.mouse_entered(inside == GLFW_TRUE); });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        static constexpr MouseButton kButtons[] = {MouseButton::Left, MouseButton::Right,
                                                   MouseButton::Middle};
        if (button < 0 || button > GLFW_MOUSE_BUTTON_MIDDLE) return;
        of(w).input_.mouse_button(kButtons[button], action == GLFW_PRESS, mods_from_glfw(mods),
                                  of(w).clock_.seconds());
    });
    glfwSetScrollCallback(window_,
                          [](GLFWwindow* w, double x, double y) { of(w).input_.wheel(glm::vec2(x, y)); });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        const KeyAction what = action == GLFW_PRESS    ? KeyAction::Press
                               : action == GLFW_REPEAT ? KeyAction::Repeat
                                                       : KeyAction::Release;
        of(w).input_.key(key_from_glfw(key, scancode), what, mods_from_glfw(mods));
    });
    glfwSetCharCallback(window_,
                        [](GLFWwindow* w, unsigned code_point) { of(w).input_.character(code_point); });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        of(w).input_.files_dropped(std::vector<std::string>(paths, paths + count));
    });
    glfwSetWindowFocusCallback(
        window_, [](GLFWwindow* w, int focused) { of(w).input_.focus_changed(focused == GLFW_TRUE); });
}

// GLFW knows the work area only in the primary monitor's coordinates; a window larger than it is a nuisance
// on a projector.
glm::ivec2 fit_to_monitor(glm::ivec2 size) {
    size = glm::max(size, glm::ivec2(1));
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    if (!monitor) return size;
    glm::ivec2 at(0), area(0);
    glfwGetMonitorWorkarea(monitor, &at.x, &at.y, &area.x, &area.y);
    return area.x > 0 && area.y > 0 ? glm::min(size, area) : size;
}

void hint_common(const WindowOptions& options) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_MAXIMIZED, options.maximized ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    // The renderer has buffers of its own for depth and samples; the window only receives the finished
    // picture.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SAMPLES, 0);
}

// The version of a default context; empty strings without OpenGL.
GlInfo probe_any_context() {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GlInfo info;
    if (GLFWwindow* window = glfwCreateWindow(16, 16, "probe", nullptr, nullptr)) {
        glfwMakeContextCurrent(window);
        info = query_gl_info(load_gl);
        glfwDestroyWindow(window);
    }
    glfwGetError(nullptr);
    return info;
}

std::string without_period(std::string text) {
    if (text.ends_with('.')) text.pop_back();
    return text;
}

OpenError explain_no_window(int code, const std::string& glfw_says) {
    const GlInfo found = probe_any_context();
    const bool enough = found.major > 3 || (found.major == 3 && found.minor >= 3);
    if (!found.version.empty() && !enough) return too_old_error(found);
    OpenError error;
    error.kind = code == GLFW_VERSION_UNAVAILABLE ? OpenError::Kind::OpenGlTooOld : OpenError::Kind::NoOpenGl;
    error.message = "no window with OpenGL 3.3 could be opened";
    if (!found.version.empty()) error.message += ", found " + found.version + " (" + found.renderer + ")";
    if (!glfw_says.empty()) error.message += ": " + without_period(glfw_says);
    error.message += '.';
    error.hint =
        "Install or update the graphics driver (on Debian: libgl1-mesa-dri), or run with --headless.";
    return error;
}

}  // namespace

OpenResult open_window(const WindowOptions& options) {
    OpenResult result;
    int code = 0;
    if (!glfwInit()) {
        const std::string says = last_glfw_error(code);
        result.error.kind = OpenError::Kind::NoDisplay;
        result.error.message = "there is no display to open a window on" +
                               (says.empty() ? "" : ": " + without_period(says)) + ".";
        result.error.hint =
            "Start it from a graphical session, forward one (ssh -X), or run with --headless.";
        return result;
    }
    hint_common(options);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
    const glm::ivec2 size = fit_to_monitor(options.size);
    GLFWwindow* window = glfwCreateWindow(size.x, size.y, options.title.c_str(), nullptr, nullptr);
    if (!window) {
        const std::string says = last_glfw_error(code);
        result.error = explain_no_window(code, says);
        glfwTerminate();
        return result;
    }
    glfwMakeContextCurrent(window);
    glfwSwapInterval(options.vsync ? 1 : 0);
    glfwGetError(nullptr);  // a driver without swap control is no error
    auto surface = std::make_unique<GlfwSurface>(window);
    const GlInfo& gl = surface->gl();
    if (gl.major < 3 || (gl.major == 3 && gl.minor < 3)) {
        result.error = too_old_error(gl);
        return result;
    }
    result.surface = std::move(surface);
    return result;
}

}  // namespace lab::platform
