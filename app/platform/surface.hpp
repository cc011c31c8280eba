// Something to draw on: a window or, without any display, an off-screen context. The frame loop knows only
// this interface.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "platform/input/input.hpp"

struct GLFWwindow;

namespace lab::platform {

/// Finds an OpenGL function by name; what glad's loader takes.
using GlFunction = void (*)();
using GlLoader = GlFunction (*)(const char* name);

/// Driver identification strings.
struct GlInfo {
    std::string vendor, renderer, version;
    int major = 0, minor = 0;
    bool software = false;  ///< Draws on the CPU (llvmpipe, SwiftShader, ...): no multisampling, thin lines
                            ///< for big counts.
};

/// True if the GL_RENDERER string names a renderer that works on the CPU.
bool is_software_renderer(std::string_view gl_renderer);

class Surface {
  public:
    virtual ~Surface() = default;
    Surface() = default;
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    /// Collects everything since the last call.
    virtual InputFrame poll() = 0;
    /// Shows what was drawn. With vertical sync it may wait; off screen it only flushes.
    virtual void present() = 0;
    virtual void make_current() = 0;

    /// (0, 0) while minimized.
    [[nodiscard]] virtual glm::ivec2 framebuffer_px() const = 0;
    [[nodiscard]] virtual float content_scale() const = 0;
    [[nodiscard]] virtual GlLoader gl_loader() const = 0;
    [[nodiscard]] virtual const GlInfo& gl() const = 0;
    /// False: there is no framebuffer 0, the renderer draws into one of its own (RendererOptions::offscreen).
    [[nodiscard]] virtual bool has_default_framebuffer() const = 0;
    /// For ImGui's GLFW backend; null off screen. Our callbacks are installed already: let ImGui install and
    /// chain its own.
    [[nodiscard]] virtual GLFWwindow* glfw_window() const { return nullptr; }
    virtual void set_title(const std::string&) {}
    /// Copies a link, beginning with `#`, to the clipboard. The page prepends its address, and tells the user
    /// itself whether the browser allowed it. `No` off screen, where there is no clipboard.
    enum class Copied { No, Yes, PageSays };
    virtual Copied copy_link(const std::string&) { return Copied::No; }
    /// Lets the user choose files, which then arrive as if dropped. False where the user can type paths.
    virtual bool pick_files() { return false; }
    /// Fills the screen, or returns to the window. False where there is no screen to fill.
    virtual bool toggle_full_screen() { return false; }
    /// Opens the site around the page. False where there is none.
    virtual bool open_site() { return false; }
    /// Changes when the context was lost with everything in it, and replaced by a new one.
    [[nodiscard]] virtual int context_number() const { return 0; }
    /// After each frame: whether text is wanted, and whether a click at the pointer would make it wanted.
    /// For on-screen keyboards.
    virtual void set_typing(bool /*wanted*/, bool /*under_pointer*/) {}
    virtual void request_close() = 0;
};

/// Why no surface could be opened.
struct OpenError {
    enum class Kind { None, NoDisplay, NoOpenGl, OpenGlTooOld };
    Kind kind = Kind::None;
    std::string message;  ///< What was wrong and what was found. Whole sentences, like the hint.
    std::string hint;     ///< What to do about it.
};

/// Either `surface`, with its context current, or `error`. An error means exit status 3.
struct OpenResult {
    std::unique_ptr<Surface> surface;
    OpenError error;
    explicit operator bool() const { return surface != nullptr; }
};

}  // namespace lab::platform
