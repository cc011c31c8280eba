// An OpenGL context without any display (EGL, surfaceless). There is no framebuffer 0: the renderer draws
// into its own.
#pragma once

#include <glm/vec2.hpp>
#include <memory>

#include "platform/input/input_collector.hpp"
#include "platform/surface.hpp"

namespace lab::platform {

struct HeadlessOptions {
    glm::ivec2 size{1280, 720};
    float content_scale = 1.0f;
    double dt_s = 1.0 / 60.0;  ///< Every poll advances by exactly this: runs repeat bit for bit.
    bool debug = false;        ///< A debug context: the driver reports misuse (slower).
};

/// The off-screen surface. Scripts and tests feed events to `input()`; the next poll returns them as a window
/// would.
class HeadlessSurface : public Surface {
  public:
    [[nodiscard]] virtual InputCollector& input() = 0;
    virtual void resize(glm::ivec2 size_px) = 0;
};

struct HeadlessResult {
    std::unique_ptr<HeadlessSurface> surface;
    OpenError error;
    explicit operator bool() const { return surface != nullptr; }
};

/// Opens a context of OpenGL 3.3 core or newer with no display, on the GPU where EGL offers one, else in
/// software.
[[nodiscard]] HeadlessResult open_headless(const HeadlessOptions& options);

}  // namespace lab::platform
