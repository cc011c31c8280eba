// A window with an OpenGL 3.3 core context (GLFW). Debug builds ask for a debug context.
#pragma once

#include <glm/vec2.hpp>
#include <string>

#include "platform/surface.hpp"

namespace lab::platform {

inline constexpr bool kDebugBuild =
#ifdef NDEBUG
    false;
#else
    true;
#endif

struct WindowOptions {
    glm::ivec2 size{
        1280, 720};  ///< In screen coordinates, multiplied by the monitor's content scale where that is due.
    std::string title = "Bounding Volume Lab";
    bool visible = true;
    bool vsync = true;
    bool maximized = false;
    bool debug = kDebugBuild;  ///< A debug context: the driver reports misuse (slower).
};

/// Opens the one window of the program. Fails with NoDisplay (no X11 or Wayland display), NoOpenGl (no
/// context at all) or OpenGlTooOld (a context, but under 3.3; the message says which); it never throws. Main
/// thread only.
[[nodiscard]] OpenResult open_window(const WindowOptions& options);

}  // namespace lab::platform
