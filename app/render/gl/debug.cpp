#include "render/gl/debug.hpp"

#include <glad/gl.h>

#include <cstdio>

namespace lab::render::gl {

namespace {

void GLAPIENTRY report(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei, const GLchar* message,
                       const void* user) {
    if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) return;  // the shader library says it better
    const bool serious = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR;
    if (!serious && severity != GL_DEBUG_SEVERITY_HIGH) return;
    ++*static_cast<std::uint32_t*>(const_cast<void*>(user));
    std::fprintf(stderr, "OpenGL (%u): %s\n", id, message);
}

}  // namespace

void watch_errors(std::uint32_t* errors) {
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if (!GLAD_GL_KHR_debug || (flags & GL_CONTEXT_FLAG_DEBUG_BIT) == 0) return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(report, errors);
}

}  // namespace lab::render::gl
