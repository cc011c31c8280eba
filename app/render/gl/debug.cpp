#include "render/gl/debug.hpp"

#include <glad/gl.h>

#include <new>

namespace lab::render::gl {

namespace {

/// If a driver complains in every draw call, the first messages say enough.
constexpr std::size_t kMaxWaiting = 16;

void GLAPIENTRY report(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei, const GLchar* message,
                       const void* user) {
    if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) return;  // the shader library reports these better
    const bool serious = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR;
    if (!serious && severity != GL_DEBUG_SEVERITY_HIGH) return;
    DriverLog& log = *static_cast<DriverLog*>(const_cast<void*>(user));
    ++log.errors;
    if (log.waiting.size() >= kMaxWaiting) return;
    try {
        log.waiting.push_back("OpenGL (" + std::to_string(id) + "): " + message);
    } catch (const std::bad_alloc&) {
        return;  // counted anyway; nothing may throw through the driver
    }
}

}  // namespace

void watch_errors(DriverLog& log) {
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if (!GLAD_GL_KHR_debug || (flags & GL_CONTEXT_FLAG_DEBUG_BIT) == 0) return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(report, &log);
}

}  // namespace lab::render::gl
