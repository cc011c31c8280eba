// Owners of OpenGL names. Each needs the context current when it is made, used and destroyed.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace lab::render::gl {

/// Calls `Delete` on the name when it goes out of scope.
template <void (*Create)(GLuint&), void (*Delete)(GLuint)>
class Name {
  public:
    Name() = default;
    ~Name() { reset(); }
    Name(Name&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Name& operator=(Name&& other) noexcept {
        if (this != &other) {
            reset();
            name_ = std::exchange(other.name_, 0);
        }
        return *this;
    }
    Name(const Name&) = delete;
    Name& operator=(const Name&) = delete;

    /// Created on first use: an object that is never drawn costs nothing.
    GLuint get() {
        if (name_ == 0) Create(name_);
        return name_;
    }
    [[nodiscard]] GLuint peek() const { return name_; }
    void reset() {
        if (name_ != 0) Delete(name_);
        name_ = 0;
    }

  private:
    GLuint name_ = 0;
};

namespace detail {
inline void create_buffer(GLuint& n) {
    glGenBuffers(1, &n);
}
inline void delete_buffer(GLuint n) {
    glDeleteBuffers(1, &n);
}
inline void create_vertex_array(GLuint& n) {
    glGenVertexArrays(1, &n);
}
inline void delete_vertex_array(GLuint n) {
    glDeleteVertexArrays(1, &n);
}
inline void create_texture(GLuint& n) {
    glGenTextures(1, &n);
}
inline void delete_texture(GLuint n) {
    glDeleteTextures(1, &n);
}
inline void create_framebuffer(GLuint& n) {
    glGenFramebuffers(1, &n);
}
inline void delete_framebuffer(GLuint n) {
    glDeleteFramebuffers(1, &n);
}
inline void create_renderbuffer(GLuint& n) {
    glGenRenderbuffers(1, &n);
}
inline void delete_renderbuffer(GLuint n) {
    glDeleteRenderbuffers(1, &n);
}
}  // namespace detail

using Buffer = Name<detail::create_buffer, detail::delete_buffer>;
using VertexArray = Name<detail::create_vertex_array, detail::delete_vertex_array>;
using Texture = Name<detail::create_texture, detail::delete_texture>;
using Framebuffer = Name<detail::create_framebuffer, detail::delete_framebuffer>;
using Renderbuffer = Name<detail::create_renderbuffer, detail::delete_renderbuffer>;

}  // namespace lab::render::gl
