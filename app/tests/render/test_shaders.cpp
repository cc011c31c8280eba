// Shader files: read at run time, compiled again when they change, never at the price of a working program;
// and inside what OpenGL ES 3.0 has, too.
#include <EGL/egl.h>
#include <glad/gl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "platform/paths.hpp"
#include "render/gl/shaders.hpp"
#include "render_test_tools.hpp"
#include "temp_dir.hpp"

namespace fs = std::filesystem;
using namespace lab;
using namespace lab::render;
using namespace lab::test;

namespace {

constexpr glm::ivec2 kSize(64, 64);

// A copy of the shader folder to spoil.
struct Shaders : ::testing::Test {
    TempDir files;
    fs::path folder = files.path();
    DrawList list;
    int edits = 0;
    Shaders() {
        fs::copy(platform::find_data_dir("shaders"), folder, fs::copy_options::recursive);
        list.ground.grid = list.ground.axes = false;
        list.background_top = list.background_bottom = rgb(0x203040);
    }

    std::string read(const char* file) {
        std::ostringstream text;
        text << std::ifstream(folder / file).rdbuf();
        return std::move(text).str();
    }
    // Writes and moves the time on: some file systems count whole seconds only.
    void write(const char* file, const std::string& text) {
        std::ofstream(folder / file) << text;
        fs::last_write_time(folder / file,
                            fs::file_time_type::clock::now() + std::chrono::seconds(10 * ++edits));
    }
    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos);
        return at == std::string::npos ? text : text.replace(at, from.size(), to);
    }
};

constexpr const char* kGood = "o_color = vec4(srgb, 1.0)";

TEST_F(Shaders, AChangeShowsAtOnce) {
    Stage stage(kSize, Quality::Auto, folder);
    const View view = pixel_view(kSize);
    EXPECT_EQ(stage.picture(list, view).at(5, 5)[0], 0x20);
    write("screen/background.frag",
          replaced(read("screen/background.frag"), kGood, "o_color = vec4(0.0, 1.0, 0.0, 1.0)"));
    stage.renderer->reload_changed_shaders();
    EXPECT_EQ(stage.renderer->shader_error(), "");
    EXPECT_EQ(stage.picture(list, view).at(5, 5)[1], 0xFF);
    EXPECT_EQ(stage.picture(list, view).at(5, 5)[0], 0x00);
}

TEST_F(Shaders, AMistakeKeepsTheOldProgramAndIsShown) {
    Stage stage(kSize, Quality::Auto, folder);
    const View view = pixel_view(kSize);
    const std::string good = read("screen/background.frag");
    write("screen/background.frag", replaced(good, kGood, "o_color = vec4(0.0, 1.0, 0.0, 1.0)"));
    stage.renderer->reload_changed_shaders();
    write("screen/background.frag", replaced(good, kGood, "vec4(no_such_thing)"));
    stage.renderer->reload_changed_shaders();
    const std::string error = stage.renderer->shader_error();
    EXPECT_NE(error.find("screen/background.frag"), std::string::npos) << error;
    EXPECT_NE(error.find("no_such_thing"), std::string::npos) << error;
    const Image image = stage.picture(list, view);
    EXPECT_EQ(image.at(3, 60)[1], 0xFF) << "the program before the mistake, not the one of the start";
    int message = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 64; ++x)
            message += image.at(x, y)[0] > 90 ? 1 : 0;
    EXPECT_GT(message, 50) << "the error is on the screen";
    write("screen/background.frag", good);
    stage.renderer->reload_changed_shaders();
    EXPECT_EQ(stage.renderer->shader_error(), "");
    EXPECT_EQ(stage.picture(list, view).at(5, 5)[0], 0x20);
}

TEST_F(Shaders, AMistakeInAnIncludedFileNamesThatFile) {
    Stage stage(kSize, Quality::Auto, folder);
    write("frame.glsl", read("frame.glsl") + "\nfloat broken( {\n");
    stage.renderer->reload_changed_shaders();
    EXPECT_NE(stage.renderer->shader_error().find("frame.glsl"), std::string::npos)
        << stage.renderer->shader_error();
}

TEST_F(Shaders, ASpoiledFolderAtTheStartIsSurvived) {
    write("surfaces/mesh.frag", "this is not GLSL\n");
    fs::remove(folder / "screen/text.vert");
    write("lines/line.vert", "#include \"lines/line.vert\"\n#include \"nothing_there.glsl\"\n");
    Stage stage(kSize, Quality::Auto, folder);
    EXPECT_FALSE(stage.renderer->shader_error().empty());
    EXPECT_FALSE(stage.picture(list, pixel_view(kSize)).empty());
}

TEST_F(Shaders, AMissingFolderMeansTheCopiesInside) {
    Stage nowhere(kSize, Quality::Auto, folder / "not_there");
    EXPECT_EQ(nowhere.renderer->shader_error(), "");
    Stage none(kSize);
    const View view = pixel_view(kSize);
    EXPECT_EQ(nowhere.picture(list, view).rgba, none.picture(list, view).rgba);
    Stage from_files(kSize, Quality::Auto, folder);
    EXPECT_EQ(from_files.picture(list, view).rgba, none.picture(list, view).rgba);
}

// An OpenGL ES 3.0 context of its own.
struct EsContext {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EsContext() {
        const auto get = reinterpret_cast<EGLDisplay (*)(unsigned, void*, const EGLint*)>(
            eglGetProcAddress("eglGetPlatformDisplayEXT"));
        if (get) display = get(0x31DD /* EGL_PLATFORM_SURFACELESS_MESA */, nullptr, nullptr);
        if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) return;
        eglBindAPI(EGL_OPENGL_ES_API);
        const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, 0x40 /* ES3 */,
                                 EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (eglChooseConfig(display, wanted, &config, 1, &count) != EGL_TRUE || count < 1) return;
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        if (context != EGL_NO_CONTEXT) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    }
    ~EsContext() {
        if (context == EGL_NO_CONTEXT) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display, context);
        eglBindAPI(EGL_OPENGL_API);
    }
};

template <class Function>
Function gl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

TEST(ShaderDialect, EveryShaderCompilesAsOpenGlEs3) {
    EsContext es;
    if (es.context == EGL_NO_CONTEXT) GTEST_SKIP() << "no OpenGL ES 3.0 here";
    const auto create = gl_function<PFNGLCREATESHADERPROC>("glCreateShader");
    const auto source = gl_function<PFNGLSHADERSOURCEPROC>("glShaderSource");
    const auto compile = gl_function<PFNGLCOMPILESHADERPROC>("glCompileShader");
    const auto get = gl_function<PFNGLGETSHADERIVPROC>("glGetShaderiv");
    const auto log_of = gl_function<PFNGLGETSHADERINFOLOGPROC>("glGetShaderInfoLog");
    const struct {
        const char* file;
        const char* defines;
    } shaders[] = {{"lines/line.vert", "#define SEGMENTS\n"},
                   {"lines/line.vert", "#define AABBS\n"},
                   {"lines/line.vert", "#define BOXES\n"},
                   {"lines/line.vert", "#define BOXES\n#define THIN\n"},
                   {"lines/line.frag", ""},
                   {"lines/line.frag", "#define THIN\n"},
                   {"lines/circle.vert", ""},
                   {"lines/circle.vert", "#define THIN\n"},
                   {"lines/circle.frag", ""},
                   {"lines/point.vert", ""},
                   {"lines/point.frag", ""},
                   {"surfaces/mesh.vert", ""},
                   {"surfaces/mesh.frag", ""},
                   {"surfaces/solid.vert", "#define BOXES\n"},
                   {"surfaces/solid.vert", "#define SPHERES\n"},
                   {"surfaces/solid.vert", "#define TRIANGLES\n"},
                   {"surfaces/solid.frag", "#define SPHERES\n"},
                   {"surfaces/solid.frag", ""},
                   {"screen/fullscreen.vert", ""},
                   {"screen/background.frag", ""},
                   {"screen/present.frag", ""},
                   {"surfaces/ground.vert", ""},
                   {"surfaces/ground.frag", ""},
                   {"screen/screen.vert", ""},
                   {"screen/screen.frag", ""},
                   {"screen/text.vert", ""},
                   {"screen/text.frag", ""}};
    for (const auto& [file, defines] : shaders) {
        const std::string text = gl::ShaderLibrary::embedded_source(file, gl::Dialect::Es300, defines);
        ASSERT_FALSE(text.empty()) << file;
        const bool vertex = std::string_view(file).ends_with(".vert");
        const GLuint shader = create(vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        const char* lines = text.c_str();
        source(shader, 1, &lines, nullptr);
        compile(shader);
        GLint good = 0;
        get(shader, GL_COMPILE_STATUS, &good);
        char log[2048] = "";
        log_of(shader, sizeof log, nullptr, log);
        EXPECT_EQ(good, 1) << file << ' ' << defines << log;
    }
}

// What a driver says may be anything: it is data that whoever shows it makes printable, and goes to no stream
// by itself.
TEST(DriverMessages, AreHandedOnAndNotPrinted) {
    Stage stage(kSize);
    stage.surface->make_current();
    const auto insert = gl_function<PFNGLDEBUGMESSAGEINSERTPROC>("glDebugMessageInsert");
    if (!GLAD_GL_KHR_debug || !insert) GTEST_SKIP() << "the driver has no debug contexts";
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    insert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_ERROR, 7, GL_DEBUG_SEVERITY_HIGH, -1, "\x1b[2Jgone");
    for (int i = 0; i < 1000; ++i)
        insert(GL_DEBUG_SOURCE_THIRD_PARTY, GL_DEBUG_TYPE_OTHER, 8, GL_DEBUG_SEVERITY_LOW, -1, "chatter");
    EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(stage.renderer->take_driver_messages(), std::vector<std::string>{"OpenGL (7): \x1b[2Jgone"});
    EXPECT_TRUE(stage.renderer->take_driver_messages().empty());
    for (int i = 0; i < 1000; ++i)
        insert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_ERROR, 9, GL_DEBUG_SEVERITY_HIGH, -1, "again");
    EXPECT_LE(stage.renderer->take_driver_messages().size(), 100u);
    (void)stage.picture({}, pixel_view(kSize));
    EXPECT_EQ(stage.renderer->stats().driver_errors, 1001u);
}

}  // namespace
