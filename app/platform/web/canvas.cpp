// A canvas with a WebGL 2 context in place of a window. The page forwards its events to the functions at the
// end, in CSS pixels.
#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <glm/common.hpp>
#include <utility>

#include "platform/clock.hpp"
#include "platform/gl_info.hpp"
#include "platform/input/input_collector.hpp"
#include "platform/web/canvas_events.hpp"
#include "platform/web/page.hpp"
#include "platform/window.hpp"

// clang-format off
EM_JS(int, bvlab_has_page, (), { return Module["page"] ? 1 : 0; });
EM_JS(void, bvlab_frame_ended, (), { Module["page"].frameEnded(); });
EM_JS(void, bvlab_ended, (int status), { Module["page"].ended(status); });
EM_JS(void, bvlab_copy, (const char* text), { Module["page"].copyText(UTF8ToString(text)); });
EM_JS(void, bvlab_copy_link, (const char* link), { Module["page"].copyLink(UTF8ToString(link)); });
EM_JS(void, bvlab_pick_files, (), { Module["page"].pickFiles(); });
EM_JS(int, bvlab_toggle_full_screen, (), { return Module["page"].toggleFullScreen() ? 1 : 0; });
EM_JS(int, bvlab_has_site, (), { return Module["page"].site ? 1 : 0; });
EM_JS(int, bvlab_open_site, (), { return Module["page"].openSite() ? 1 : 0; });
EM_JS(void, bvlab_set_title, (const char* title), { document.title = UTF8ToString(title); });
EM_JS(void, bvlab_set_typing, (int wanted, int under_pointer), { Module["page"].setTyping(!!wanted, !!under_pointer); });
// clang-format on

namespace lab::platform {

namespace page {

bool is_there() {
    return bvlab_has_page() != 0;
}
void frame_ended() {
    bvlab_frame_ended();
}
void ended(int status) {
    bvlab_ended(status);
}
void copy(const std::string& text) {
    bvlab_copy(text.c_str());
}
void copy_link(const std::string& link) {
    bvlab_copy_link(link.c_str());
}
void pick_files() {
    bvlab_pick_files();
}
bool toggle_full_screen() {
    return bvlab_toggle_full_screen() != 0;
}
bool has_site() {
    return bvlab_has_site() != 0;
}
bool open_site() {
    return bvlab_open_site() != 0;
}
void set_title(const std::string& title) {
    bvlab_set_title(title.c_str());
}
void set_typing(bool wanted, bool under_pointer) {
    bvlab_set_typing(wanted, under_pointer);
}

}  // namespace page

namespace {

constexpr const char* kCanvas = "#canvas";

GlFunction no_function(const char*) {
    return nullptr;
}

/// Chromium and Safari name their renderer only by this extension.
constexpr GLenum kUnmaskedRenderer = 0x9246;

GlInfo query_context(EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context) {
    const auto text = [](GLenum name) {
        const GLubyte* const found = glGetString(name);
        return std::string(found ? reinterpret_cast<const char*>(found) : "");
    };
    GlInfo info;
    info.vendor = text(GL_VENDOR);
    const bool names_renderer = emscripten_webgl_enable_extension(context, "WEBGL_debug_renderer_info");
    info.renderer = text(names_renderer ? kUnmaskedRenderer : GL_RENDERER);
    info.version = text(GL_VERSION);
    info.major = 3;
    info.software = is_software_renderer(info.renderer);
    return info;
}

/// The one canvas of the page. It outlives its surface, since the page may send events at any time.
struct Canvas {
    glm::vec2 size_css{0.0f};
    float pixel_ratio = 1.0f;
    InputCollector input;
    Clock clock;
    int context_number = 0;
    bool fingers = false;  // the pointer used last (at first the only one) is a finger
    bool lost = false;     // nothing can be drawn until the browser restores the context

    [[nodiscard]] glm::ivec2 size_px() const { return glm::ivec2(glm::round(size_css * pixel_ratio)); }
};

Canvas& canvas() {
    static Canvas the_canvas;
    return the_canvas;
}

class CanvasSurface final : public Surface {
  public:
    explicit CanvasSurface(EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context)
        : context_(context), info_(query_context(context)) {}
    ~CanvasSurface() override { emscripten_webgl_destroy_context(context_); }

    InputFrame poll() override {
        Canvas& c = canvas();
        const glm::ivec2 size = framebuffer_px();
        if (size != size_ && size.x > 0 && size.y > 0)
            emscripten_set_canvas_element_size(kCanvas, size.x, size.y);
        size_ = size;
        c.input.set_surface(size, content_scale(), size.x < 1 || size.y < 1);
        InputFrame input = c.input.take(c.clock.seconds(), c.clock.lap());
        input.fingers = c.fingers;
        return input;
    }
    // The browser shows the canvas when the frame has returned.
    void present() override {}
    void make_current() override { emscripten_webgl_make_context_current(context_); }
    glm::ivec2 framebuffer_px() const override { return canvas().lost ? glm::ivec2(0) : canvas().size_px(); }
    float content_scale() const override { return std::clamp(canvas().pixel_ratio, 0.5f, 8.0f); }
    GlLoader gl_loader() const override { return no_function; }
    const GlInfo& gl() const override { return info_; }
    bool has_default_framebuffer() const override { return true; }
    void set_title(const std::string& title) override { page::set_title(title); }
    Copied copy_link(const std::string& link) override {
        page::copy_link(link);
        return Copied::PageSays;
    }
    bool pick_files() override {
        page::pick_files();
        return true;
    }
    bool toggle_full_screen() override { return page::toggle_full_screen(); }
    bool open_site() override { return page::open_site(); }
    void set_typing(bool wanted, bool under_pointer) override {
        if (typing_ == std::pair(wanted, under_pointer)) return;
        typing_ = {wanted, under_pointer};
        page::set_typing(wanted, under_pointer);
    }
    int context_number() const override { return canvas().context_number; }
    void request_close() override { canvas().input.close_requested(); }

  private:
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context_;
    GlInfo info_;
    glm::ivec2 size_{0};
    std::pair<bool, bool> typing_{false, false};
};

}  // namespace

OpenResult open_window(const WindowOptions&) {
    OpenResult result;
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.minorVersion = 0;
    // The renderer has a buffer of its own for samples. Fast frames of a software renderer go straight to the
    // canvas, and need its depth.
    attributes.depth = EM_TRUE;
    attributes.alpha = attributes.stencil = attributes.antialias = EM_FALSE;
    attributes.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
    attributes.enableExtensionsByDefault = EM_FALSE;
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context(kCanvas, &attributes);
    if (context <= 0) {
        result.error.kind = OpenError::Kind::NoOpenGl;
        result.error.message = "this browser offers no WebGL 2.";
        result.error.hint = "Update the browser, or turn on its hardware acceleration.";
        return result;
    }
    emscripten_webgl_make_context_current(context);
    result.surface = std::make_unique<CanvasSurface>(context);
    return result;
}

}  // namespace lab::platform

// ---- what the page calls

using lab::platform::canvas;

extern "C" {

EMSCRIPTEN_KEEPALIVE void bvlab_resize(float width_css, float height_css, float pixel_ratio) {
    canvas().size_css = {width_css, height_css};
    canvas().pixel_ratio = pixel_ratio;
}

EMSCRIPTEN_KEEPALIVE void bvlab_pointer_move(float x_css, float y_css) {
    canvas().input.mouse_moved(glm::vec2(x_css, y_css) * canvas().pixel_ratio);
}

EMSCRIPTEN_KEEPALIVE void bvlab_fingers(int fingers) {
    canvas().fingers = fingers != 0;
    canvas().input.use_fingers(fingers != 0);
}

EMSCRIPTEN_KEEPALIVE void bvlab_pointer_inside(int inside) {
    canvas().input.mouse_entered(inside != 0);
}

/// The time is the event's own: on a slow page events wait for a frame, and a double click would count as two
/// clicks.
EMSCRIPTEN_KEEPALIVE void bvlab_pointer_button(int button, int down, int mods, double time_s) {
    using lab::platform::MouseButton;
    if (button < 0 || button > 2) return;
    constexpr MouseButton kButtons[] = {MouseButton::Left, MouseButton::Middle, MouseButton::Right};
    canvas().input.mouse_button(kButtons[button], down != 0, lab::platform::mods_from_bits(mods), time_s);
}

EMSCRIPTEN_KEEPALIVE void bvlab_wheel(float x_notches, float y_notches) {
    canvas().input.wheel({x_notches, y_notches});
}

EMSCRIPTEN_KEEPALIVE void bvlab_key(const char* key, const char* code, int down, int repeated, int mods) {
    using lab::platform::KeyAction;
    canvas().input.key(lab::platform::key_from_browser(key, code),
                       down == 0       ? KeyAction::Release
                       : repeated != 0 ? KeyAction::Repeat
                                       : KeyAction::Press,
                       lab::platform::mods_from_bits(mods));
}

EMSCRIPTEN_KEEPALIVE void bvlab_character(unsigned code_point) {
    canvas().input.character(code_point);
}

EMSCRIPTEN_KEEPALIVE void bvlab_focus(int focused) {
    canvas().input.focus_changed(focused != 0);
}

EMSCRIPTEN_KEEPALIVE void bvlab_context(int lost) {
    canvas().lost = lost != 0;
    if (lost == 0) ++canvas().context_number;
}

EMSCRIPTEN_KEEPALIVE void bvlab_drop(const char* path) {
    canvas().input.files_dropped({path});
}

}  // extern "C"
