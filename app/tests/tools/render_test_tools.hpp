// Helpers for programs that draw without a window: a context, a camera, a few meshes, pictures to files.
#pragma once

#include <filesystem>
#include <glm/gtc/matrix_transform.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

#include "platform/headless.hpp"
#include "render/renderer.hpp"

namespace lab::test {

/// A context without a display and a renderer in it.
struct Stage {
    std::unique_ptr<platform::HeadlessSurface> surface;
    std::unique_ptr<render::Renderer> renderer;

    explicit Stage(glm::ivec2 size, render::Quality quality = render::Quality::Auto,
                   const std::filesystem::path& shaders = {}, bool debug = true) {
        platform::HeadlessResult opened = platform::open_headless({.size = size, .debug = debug});
        if (!opened) throw std::runtime_error(opened.error.message);
        surface = std::move(opened.surface);
        renderer =
            std::make_unique<render::Renderer>(render::RendererOptions{.loader = surface->gl_loader(),
                                                                       .software = surface->gl().software,
                                                                       .offscreen = true,
                                                                       .quality = quality,
                                                                       .shader_folder = shaders,
                                                                       .hot_reload = false});
    }
    ~Stage() {
        surface->make_current();  // it may be another stage's turn
        renderer.reset();
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    render::Image picture(const render::DrawList& list, const render::View& view) {
        surface->make_current();
        renderer->draw(list, view);
        return renderer->read_pixels();
    }
};

/// A perspective view from `eye` to `target`.
inline render::View look(glm::ivec2 size, glm::vec3 eye, glm::vec3 target, float fov_y_rad = 0.8f) {
    const float distance = glm::length(target - eye);
    render::View view;
    view.view = glm::lookAt(eye, target, glm::vec3(0, 1, 0));
    view.projection = glm::perspective(fov_y_rad, static_cast<float>(size.x) / static_cast<float>(size.y),
                                       0.01f * distance, 200.0f * distance);
    view.framebuffer_px = size;
    return view;
}

/// One world unit is one pixel; (0, 0) is the middle of the picture, y up, the eye looks along -z.
inline render::View pixel_view(glm::ivec2 size) {
    const glm::vec2 half = glm::vec2(size) * 0.5f;
    render::View view;
    view.projection = glm::ortho(-half.x, half.x, -half.y, half.y, -1000.0f, 1000.0f);
    view.framebuffer_px = size;
    return view;
}

struct TestMesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::uvec3> triangles;
};
TestMesh cube_mesh();
/// Major radius 1, minor radius `minor`.
TestMesh torus_mesh(float minor, int around, int across);
TestMesh sphere_mesh(int around, int rings);

/// Column form of a scaled, rotated, moved thing.
inline glm::mat4x3 placed(glm::vec3 at, glm::vec3 scale = glm::vec3(1.0f), float turn_rad = 0.0f,
                          glm::vec3 axis = {0, 1, 0}) {
    glm::mat4 m = glm::translate(glm::mat4(1.0f), at);
    m = glm::rotate(m, turn_rad, axis);
    return glm::mat4x3(glm::scale(m, scale));
}

bool write_png(const std::filesystem::path& path, const render::Image& image);

}  // namespace lab::test
