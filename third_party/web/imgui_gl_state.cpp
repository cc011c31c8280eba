// What Dear ImGui's OpenGL backend asks before it draws, so that it can put everything back. In a browser each such
// question waits until the graphics process has drawn all that is queued: with a software renderer, most of a frame.
// Here the answer is the state of a new context. The renderer sets all that it uses at the beginning of each frame.
//
// The backend is compiled with these two names in place of glGetIntegerv and glIsEnabled (dependencies.cmake).
#include <GLES3/gl3.h>

extern "C" {

void bvlab_initial_gl_state(GLenum name, GLint* value) {
    switch (name) {
        case GL_CURRENT_PROGRAM:
        case GL_TEXTURE_BINDING_2D:
        case GL_SAMPLER_BINDING:
        case GL_ARRAY_BUFFER_BINDING:
        case GL_VERTEX_ARRAY_BINDING: *value = 0; break;
        case GL_ACTIVE_TEXTURE: *value = GL_TEXTURE0; break;
        case GL_BLEND_SRC_RGB:
        case GL_BLEND_SRC_ALPHA: *value = GL_ONE; break;
        case GL_BLEND_DST_RGB:
        case GL_BLEND_DST_ALPHA: *value = GL_ZERO; break;
        case GL_BLEND_EQUATION_RGB:
        case GL_BLEND_EQUATION_ALPHA: *value = GL_FUNC_ADD; break;
        case GL_VIEWPORT:
        case GL_SCISSOR_BOX: value[0] = value[1] = value[2] = value[3] = 0; break;
        default: glGetIntegerv(name, value);  // versions and extensions, asked once
    }
}

GLboolean bvlab_initial_gl_enabled(GLenum /*capability*/) {
    return GL_FALSE;
}

}  // extern "C"
