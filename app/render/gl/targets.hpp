// The buffers behind a frame. The scene is drawn in linear light into an sRGB buffer, multisampled where that
// pays; the finished picture, plain sRGB bytes, goes to the window or, off screen, to a buffer of our own,
// where panels draw over it. A frame whose shaders write bytes can do without the first buffer.
#pragma once

#include <glad/gl.h>

#include <glm/vec2.hpp>

#include "render/gl/objects.hpp"

namespace lab::render::gl {

class Targets {
  public:
    explicit Targets(bool offscreen) : offscreen_(offscreen) {}

    /// Makes buffers of this size and sample count (0: no multisampling), if they are not there already.
    /// False if the driver cannot; then nothing can be drawn.
    bool prepare(glm::ivec2 size_px, int samples);
    /// From now on the scene is drawn where the user sees it, as bytes; the output must have a depth buffer.
    /// The buffers behind it are freed.
    void prepare_direct(glm::ivec2 size_px);

    /// Binds the buffer that the scene is drawn into.
    void bind_scene();
    /// Merges the samples; afterwards `scene_texture` holds the scene.
    void resolve();
    [[nodiscard]] GLuint scene_texture() const { return resolved_color_.peek(); }

    /// Copies the scene's bytes to the output and leaves the output bound. False, with nothing done, if this
    /// driver changes bytes while it copies from an sRGB buffer to a plain one; then a shader has to do it.
    /// True at once if the scene was drawn there.
    bool copy_to_output();
    /// Tests that once, overwriting both buffers. Call with sRGB conversion off.
    void test_copying();

    /// Binds the output that the user sees.
    void bind_output();
    void bind_output_for_reading();
    [[nodiscard]] glm::ivec2 size() const { return size_; }

  private:
    bool make_scene();
    bool make_output();
    void free_scene();

    void blit_to_output();
    bool copies_bytes();

    enum class Copying : unsigned char { Unknown, Exact, Changed };
    bool offscreen_;
    Copying copying_ = Copying::Unknown;
    glm::ivec2 size_{0};
    int samples_ = -1, max_samples_ = -1;
    bool direct_ = false;
    Framebuffer scene_, resolved_, output_;
    Renderbuffer scene_color_, scene_depth_, output_color_;
    Texture resolved_color_;
};

}  // namespace lab::render::gl
