#include "render/renderer.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/matrix.hpp>
#include <stdexcept>
#include <utility>

#include "render/gl/debug.hpp"
#include "render/gl/dialect.hpp"
#include "render/gl/frame.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shaders.hpp"
#include "render/gl/targets.hpp"
#include "render/gl/textures.hpp"
#include "render/passes/ground_pass.hpp"
#include "render/passes/mesh_pass.hpp"
#include "render/passes/overlay_pass.hpp"
#include "render/passes/picture_pass.hpp"
#include "render/passes/solid_pass.hpp"
#include "render/passes/wire_pass.hpp"

namespace lab::render {

namespace {

constexpr int kSamples = 4;
// Lines are moved toward the eye by this share of their distance, to lie in front of their surface.
constexpr float kLineLift = 8e-4f;
constexpr auto kShaderLookInterval = std::chrono::milliseconds(400);

bool finite(const glm::mat4& m) {
    float sum = 0.0f;
    for (int c = 0; c < 4; ++c)
        sum += (m[c].x + m[c].y + m[c].z + m[c].w) * 0.0f;
    return sum == 0.0f;
}

// Passes the options through, so that the functions are loaded before any pass is made.
const RendererOptions& load_functions(const RendererOptions& options) {
    if (!gl::load_functions(options.loader))
        throw std::runtime_error("the functions of OpenGL 3.3 are not there");
    return options;
}

gl::FrameBlock frame_block(const DrawList& list, const View& view, glm::ivec2 min_px, glm::ivec2 size_px) {
    gl::FrameBlock block;
    const glm::mat4& p = view.projection;
    const bool perspective = p[3][3] == 0.0f;
    const glm::mat4 from_view = glm::inverse(view.view);
    block.view_projection = p * view.view;
    block.view = view.view;
    block.eye =
        perspective ? glm::vec4(glm::vec3(from_view[3]), 1.0f) : glm::vec4(glm::vec3(from_view[2]), 0.0f);
    block.viewport = {static_cast<float>(min_px.x),
                      static_cast<float>(view.framebuffer_px.y - min_px.y - size_px.y),
                      static_cast<float>(size_px.x), static_cast<float>(size_px.y)};
    // Perspective: scaling a view-space position by (1 - k) keeps its place on screen and moves depth by
    // about p[3][2] * k.
    const float lift = perspective ? p[3][2] * kLineLift : -2e-4f;
    // The far distance: where z / w is 1.
    const float far_distance = perspective && p[2][2] < -1.0f ? p[3][2] / (p[2][2] + 1.0f) : 0.0f;
    block.scale = {view.content_scale > 0.0f ? view.content_scale : 1.0f, lift, far_distance,
                   0.5f * (gl::brightness(list.background_top) + gl::brightness(list.background_bottom))};
    return block;
}

}  // namespace

struct Renderer::Impl {
    RendererOptions options;
    gl::DriverLog driver;
    gl::ShaderLibrary shaders;
    gl::Targets targets;
    gl::Buffer frame_buffer;
    gl::VertexArray empty;
    gl::Program& present_program;
    GroundPass ground;
    MeshPass meshes;
    WirePass wires;
    SolidPass solids;
    PicturePass pictures;
    OverlayPass overlay;
    gl::Textures textures;
    std::vector<Line> axis_lines;
    std::vector<Label> axis_labels;
    std::chrono::steady_clock::time_point next_look = std::chrono::steady_clock::now();
    RenderStats stats;
    bool nothing_drawn = true;

    explicit Impl(const RendererOptions& o)
        : options(load_functions(o)),
          shaders(o.shader_folder),
          targets(o.offscreen),
          present_program(shaders.add("screen/fullscreen.vert", "screen/present.frag")),
          ground(shaders),
          meshes(shaders),
          wires(shaders),
          solids(shaders),
          pictures(shaders),
          overlay(shaders) {
        gl::watch_errors(driver);
    }

    [[nodiscard]] bool fast() const {
        return options.quality == Quality::Fast ||
               (options.quality == Quality::Auto && options.software && !options.offscreen);
    }
    /// A software renderer converts each pixel that it blends from sRGB and back; fast frames do without.
    [[nodiscard]] bool mixes_bytes() const {
        return fast() && options.software && (gl::can_write_bytes() || !options.offscreen);
    }
    [[nodiscard]] bool prepare_targets(glm::ivec2 size);
    void reset_state() const;
    void bind_frame(const gl::FrameBlock& block);
    void draw_scene(const Pane& pane, gl::FrameContext& frame);
    void present(std::span<const Pane> panes, gl::FrameContext& frame);
    void draw(std::span<const Pane> panes);
};

// Where the conversion to sRGB cannot be switched off, bytes go straight to the canvas, which never converts.
// That also saves a pass over all pixels.
bool Renderer::Impl::prepare_targets(glm::ivec2 size) {
    if (!mixes_bytes() || gl::can_write_bytes()) return targets.prepare(size, fast() ? 0 : kSamples);
    targets.prepare_direct(size);
    return true;
}

// Earlier drawing, panels above all, may have left any state.
void Renderer::Impl::reset_state() const {
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glFrontFace(GL_CCW);
    gl::fill_polygons();
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindSampler(0, 0);
    glActiveTexture(GL_TEXTURE0);
}

void Renderer::Impl::bind_frame(const gl::FrameBlock& block) {
    glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.get());
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, gl::kFrameBinding, frame_buffer.get());
}

void Renderer::Impl::draw_scene(const Pane& pane, gl::FrameContext& frame) {
    const DrawList& list = *pane.list;
    frame.solids = !list.solid_boxes.empty() || !list.solid_spheres.empty() || !list.solid_triangles.empty();
    bind_frame(frame.block);
    // Clipping to the viewport is enough, since nothing here draws wide points or lines. (With the scissor
    // test on and several viewports, Mesa 22.3's llvmpipe lost the first one while multisampling.)
    const glm::vec4 viewport = frame.block.viewport;
    glViewport(static_cast<GLint>(viewport.x), static_cast<GLint>(viewport.y),
               static_cast<GLsizei>(viewport.z), static_cast<GLsizei>(viewport.w));

    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    ground.draw_background(list, frame);

    glEnable(GL_DEPTH_TEST);
    meshes.prepare(list.meshes, frame);
    meshes.draw_opaque(frame);

    glEnable(GL_BLEND);
    gl::convert_to_srgb(!frame.mixes_bytes());
    ground.draw_grid(list.ground, glm::vec3(glm::inverse(pane.view.view)[3]), frame);
    wires.draw(list, axis_lines, frame);
    solids.draw(list, frame);
    gl::convert_to_srgb(true);
    meshes.draw_translucent(frame);
    glDisable(GL_DEPTH_TEST);
    gl::convert_to_srgb(!frame.mixes_bytes());
    wires.draw_overlay(list, frame);
    gl::convert_to_srgb(true);
}

void Renderer::Impl::present(std::span<const Pane> panes, gl::FrameContext& frame) {
    targets.resolve();
    gl::convert_to_srgb(false);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glViewport(0, 0, targets.size().x, targets.size().y);
    if (!targets.copy_to_output()) {
        targets.bind_output();
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, targets.scene_texture());
        present_program.use();
        present_program.set("u_scene", 0);
        glBindVertexArray(empty.get());
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }

    glEnable(GL_BLEND);
    if (!shaders.error().empty())
        overlay.add_notice("Shader: " + shaders.error(), panes.front().view.content_scale);
    pictures.draw(frame);
    overlay.draw(frame);
    glBindVertexArray(0);
    glUseProgram(0);
}

void Renderer::Impl::draw(std::span<const Pane> panes) {
    stats = {};
    nothing_drawn = true;
    if (panes.empty()) return;
    const glm::ivec2 size = panes.front().view.framebuffer_px;
    if (size.x <= 0 || size.y <= 0) return;  // an empty framebuffer is incomplete: no frame
    if (options.hot_reload && std::chrono::steady_clock::now() >= next_look) {
        shaders.reload_if_changed();
        next_look = std::chrono::steady_clock::now() + kShaderLookInterval;
    }
    if (!prepare_targets(size)) return;
    nothing_drawn = false;

    gl::UploadCounter uploads;
    gl::FrameContext frame;
    frame.uploads = &uploads;
    frame.fast = fast();
    frame.software = options.software;
    reset_state();
    gl::convert_to_srgb(false);
    targets.test_copying();
    targets.bind_scene();
    gl::convert_to_srgb(true);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    pictures.begin(size);
    overlay.begin(size);
    for (const Pane& pane : panes) {
        const glm::ivec2 min = glm::clamp(pane.min_px, glm::ivec2(0), size);
        const glm::ivec2 part = glm::min(pane.size_px, size - min);
        if (!pane.list || part.x <= 0 || part.y <= 0) continue;
        if (!finite(pane.view.view) || !finite(pane.view.projection)) continue;
        View view = pane.view;
        view.framebuffer_px = size;
        frame.block = frame_block(*pane.list, view, min, part);
        frame.block.quality.x = mixes_bytes() ? 1.0f : 0.0f;
        if (fast()) frame.block.quality.y = 0.55f;
        frame.block.quality.z = pane.list->ground.z_up ? 1.0f : 0.0f;
        frame.px_per_unit = 0.5f * static_cast<float>(part.y) * std::abs(view.projection[1][1]);
        axis_lines.clear();
        axis_labels.clear();
        GroundPass::append_axes(pane.list->ground, axis_lines, axis_labels);
        draw_scene(pane, frame);
        pictures.add(*pane.list, glm::vec2(min), glm::vec2(part));
        overlay.add(*pane.list, axis_labels, frame.block.view_projection,
                    {glm::vec2(min), glm::vec2(part), frame.block.scale.x});
    }
    present(panes, frame);

    stats.draw_calls = frame.draw_calls;
    stats.instances = frame.instances;
    stats.triangles = frame.triangles;
    stats.bytes_uploaded = uploads.bytes;
    stats.labels_moved = overlay.labels_moved;
    stats.labels_faded = overlay.labels_faded;
    stats.driver_errors = driver.errors;
}

Renderer::Renderer(const RendererOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

MeshHandle Renderer::upload(std::span<const glm::vec3> positions, std::span<const glm::uvec3> triangles) {
    return impl_->meshes.upload(prepare_mesh(positions, triangles));
}
MeshHandle Renderer::upload(const PreparedMesh& mesh) {
    return impl_->meshes.upload(mesh);
}
void Renderer::remove(MeshHandle mesh) {
    impl_->meshes.remove(mesh);
}

void Renderer::set_quality(Quality quality) {
    impl_->options.quality = quality;
}

void Renderer::draw(const DrawList& list, const View& view) {
    const Pane whole{&list, view, glm::ivec2(0), view.framebuffer_px};
    impl_->draw({&whole, 1});
}
void Renderer::draw(std::span<const Pane> panes) {
    impl_->draw(panes);
}

Image Renderer::read_pixels() const {
    Image image;
    if (impl_->nothing_drawn) return image;
    image.size = impl_->targets.size();
    const auto row = static_cast<std::size_t>(image.size.x) * 4;
    std::vector<std::uint8_t> bottom_up(row * static_cast<std::size_t>(image.size.y));
    impl_->targets.bind_output_for_reading();
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, image.size.x, image.size.y, GL_RGBA, GL_UNSIGNED_BYTE, bottom_up.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    image.rgba.resize(bottom_up.size());
    for (int y = 0; y < image.size.y; ++y) {
        const auto from = static_cast<std::ptrdiff_t>(row) * (image.size.y - 1 - y);
        std::copy_n(bottom_up.begin() + from, row, image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * y);
    }
    // Blending leaves arbitrary alpha values; the picture is opaque.
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        image.rgba[i] = 255;
    return image;
}

TextureStore& Renderer::textures() {
    return impl_->textures;
}

void Renderer::reload_changed_shaders() {
    impl_->shaders.reload_if_changed();
}
const std::string& Renderer::shader_error() const {
    return impl_->shaders.error();
}
const RenderStats& Renderer::stats() const {
    return impl_->stats;
}

std::vector<std::string> Renderer::take_driver_messages() {
    return std::exchange(impl_->driver.waiting, {});
}

}  // namespace lab::render
