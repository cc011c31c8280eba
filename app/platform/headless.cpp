// EGL offers contexts on several kinds of display: devices (GPUs), Mesa's surfaceless platform, the default
// display. Takes the first that gives OpenGL 3.3 core, GPUs first, and keeps the error of each attempt for
// the message.
#include "platform/headless.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <vector>

#include "platform/gl_info.hpp"
#include "platform/memory.hpp"

namespace lab::platform {

namespace {

bool has_extension(const char* list, std::string_view name) {
    std::string_view rest = list ? list : "";
    while (!rest.empty()) {
        const std::size_t end = rest.find(' ');
        if (rest.substr(0, end) == name) return true;
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 1);
    }
    return false;
}

template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

// Candidate displays, best first, not yet initialized.
std::vector<EGLDisplay> candidate_displays() {
    std::vector<EGLDisplay> out;
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto get_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (get_display && has_extension(extensions, "EGL_EXT_platform_device")) {
        const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
        const auto query_string = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (query_devices && query_string &&
            query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_TRUE) {
            for (EGLint i = 0; i < count; ++i) {
                EGLDeviceEXT device = devices[static_cast<std::size_t>(i)];
                if (has_extension(query_string(device, EGL_EXTENSIONS), "EGL_MESA_device_software")) continue;
                out.push_back(get_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
            }
        }
    }
    if (get_display && has_extension(extensions, "EGL_MESA_platform_surfaceless"))
        out.push_back(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    out.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return out;
}

GlFunction load_gl(const char* name) {
    return reinterpret_cast<GlFunction>(eglGetProcAddress(name));
}

class EglSurface final : public HeadlessSurface {
  public:
    explicit EglSurface(const HeadlessOptions& options)
        : size_(options.size), scale_(options.content_scale), dt_s_(options.dt_s) {}
    ~EglSurface() override {
        if (display_ == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (pbuffer_ != EGL_NO_SURFACE) eglDestroySurface(display_, pbuffer_);
        if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
        eglTerminate(display_);
    }

    // Tries one display. On failure `error` says why, and the object must be discarded.
    bool open(EGLDisplay display, bool debug, OpenError& error);

    InputFrame poll() override {
        collector_.set_surface(size_, scale_, false);
        time_s_ += dt_s_;
        return collector_.take(time_s_, dt_s_);
    }
    void present() override {
        if (flush_) flush_();
    }
    void make_current() override { eglMakeCurrent(display_, pbuffer_, pbuffer_, context_); }
    glm::ivec2 framebuffer_px() const override { return size_; }
    float content_scale() const override { return scale_; }
    GlLoader gl_loader() const override { return load_gl; }
    const GlInfo& gl() const override { return info_; }
    bool has_default_framebuffer() const override { return false; }
    void request_close() override { collector_.close_requested(); }
    InputCollector& input() override { return collector_; }
    void resize(glm::ivec2 size_px) override { size_ = size_px; }

  private:
    bool create_context(EGLConfig config, const EGLint* attributes);

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface pbuffer_ = EGL_NO_SURFACE;
    GlInfo info_;
    void (*flush_)() = nullptr;
    InputCollector collector_;
    glm::ivec2 size_;
    float scale_;
    double dt_s_;
    double time_s_ = 0;
};

bool EglSurface::create_context(EGLConfig config, const EGLint* attributes) {
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, attributes);
    if (context_ == EGL_NO_CONTEXT) return false;
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE) return true;
    // Drivers without surfaceless contexts need a surface, however small.
    const EGLint tiny[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    pbuffer_ = eglCreatePbufferSurface(display_, config, tiny);
    return pbuffer_ != EGL_NO_SURFACE && eglMakeCurrent(display_, pbuffer_, pbuffer_, context_) == EGL_TRUE;
}

bool EglSurface::open(EGLDisplay display, bool debug, OpenError& error) {
    const auto fail = [&error](OpenError::Kind kind, std::string message) {
        error.kind = kind;
        error.message = std::move(message);
        return false;
    };
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || eglInitialize(display, &major, &minor) != EGL_TRUE)
        return fail(OpenError::Kind::NoOpenGl, "EGL could not be initialized without a display.");
    display_ = display;
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE)
        return fail(OpenError::Kind::NoOpenGl, "EGL offers no desktop OpenGL here.");
    // Without the surface type Mesa returns no config at all.
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display_, wanted, &config, 1, &count) != EGL_TRUE || count < 1)
        return fail(OpenError::Kind::NoOpenGl, "EGL offers no configuration for off-screen rendering.");
    const EGLint core33[] = {EGL_CONTEXT_MAJOR_VERSION,
                             3,
                             EGL_CONTEXT_MINOR_VERSION,
                             3,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                             EGL_CONTEXT_OPENGL_DEBUG,
                             debug ? EGL_TRUE : EGL_FALSE,
                             EGL_NONE};
    if (create_context(config, core33)) {
        info_ = query_gl_info(load_gl);
        if (info_.software) keep_freed_memory();
        flush_ = reinterpret_cast<void (*)()>(load_gl("glFlush"));
        if (info_.major > 3 || (info_.major == 3 && info_.minor >= 3)) return true;
        error = too_old_error(info_);
        return false;
    }
    // Not 3.3: find out what there is, to say so.
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    context_ = EGL_NO_CONTEXT;
    const EGLint anything[] = {EGL_NONE};
    if (create_context(config, anything)) {
        error = too_old_error(query_gl_info(load_gl));
        return false;
    }
    return fail(OpenError::Kind::NoOpenGl, "EGL could not create an OpenGL context.");
}

}  // namespace

HeadlessResult open_headless(const HeadlessOptions& options) {
    HeadlessResult result;
    for (EGLDisplay display : candidate_displays()) {
        OpenError error;
        auto surface = std::make_unique<EglSurface>(options);
        if (surface->open(display, options.debug, error)) {
            result.surface = std::move(surface);
            result.error = {};
            return result;
        }
        // "Too old" is more specific than "not there".
        if (result.error.kind != OpenError::Kind::OpenGlTooOld) result.error = error;
    }
    if (result.error.hint.empty())
        result.error.hint = "Install Mesa's EGL and software renderer (on Debian: libegl1 libgl1-mesa-dri).";
    return result;
}

}  // namespace lab::platform
