// DrawList -> pixels. Needs a current OpenGL 3.3 core context; knows nothing of windows, bodies or trees.
//
//   Renderer renderer({.loader = surface.gl_loader(), .software = surface.gl().software,
//                      .offscreen = !surface.has_default_framebuffer(), .shader_folder =
//                      find_data_dir("shaders")});
//   renderer.draw(list, view);     // leaves the output bound, sRGB bytes, for panels to draw over it
//   Image picture = renderer.read_pixels();   // before present()
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "platform/surface.hpp"
#include "render/draw_list.hpp"
#include "render/image.hpp"
#include "render/texture.hpp"

namespace lab::render {

/// Viewpoint and size in pixels. `projection` is OpenGL's (depth -1..1), perspective or orthographic.
struct View {
    glm::mat4 view{1.0f};
    glm::mat4 projection{1.0f};
    glm::ivec2 framebuffer_px{0};
    float content_scale = 1.0f;  ///< Multiplies every size given in px.
};

/// One view of several that share the framebuffer, side by side. The rectangle counts from the top left.
struct Pane {
    const DrawList* list = nullptr;
    View view;  ///< Its framebuffer_px is the size of the whole framebuffer.
    glm::ivec2 min_px{0};
    glm::ivec2 size_px{0};
};

enum class Quality : std::uint8_t {
    Auto,  ///< Fast on a software renderer with a window, else Best.
    Fast,  ///< No multisampling; thin lines from a few thousand edges on.
    Best,  ///< Multisampling; real line widths up to large counts.
};

struct RendererOptions {
    platform::GlLoader loader = nullptr;
    bool software = false;
    bool offscreen = false;
    Quality quality = Quality::Auto;
    /// Folder of the GLSL files; missing ones and those that do not compile are replaced by the embedded
    /// copies. Empty: only the embedded copies.
    std::filesystem::path shader_folder{};
    /// Checks for changed shader files about twice a second and recompiles them.
    bool hot_reload = true;
};

/// Counts of the last frame.
struct RenderStats {
    std::uint32_t draw_calls = 0;
    std::uint32_t instances = 0;
    std::uint64_t triangles = 0;       ///< Of meshes.
    std::uint64_t bytes_uploaded = 0;  ///< Instance data that had changed since the frame before.
    std::uint32_t labels_moved = 0;    ///< Pushed aside because they overlapped.
    std::uint32_t labels_faded = 0;    ///< Found no free place.
    std::uint32_t driver_errors = 0;   ///< Misuse of OpenGL that a debug context reported, since the start.
};

struct PreparedMesh;

class Renderer {
  public:
    /// Throws std::runtime_error if functions of OpenGL 3.3 are missing or the embedded shaders do not
    /// compile.
    explicit Renderer(const RendererOptions& options);
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    /// Copies a mesh to the GPU. Normals are made here: faces that meet at less than 40 degrees are smoothed
    /// over, sharper edges stay sharp. Triangles with an index out of range, or whose corners are not finite,
    /// are left out; an empty mesh gets a valid handle that draws nothing. Coarser copies are made, too, and
    /// drawn where a body is so small on screen that they differ by less than a pixel (two in fast frames on
    /// a software renderer).
    [[nodiscard]] MeshHandle upload(std::span<const glm::vec3> positions,
                                    std::span<const glm::uvec3> triangles);
    /// The same for a mesh already processed by `prepare_mesh`: only copies.
    [[nodiscard]] MeshHandle upload(const PreparedMesh& mesh);
    /// Frees a mesh. Instances that still name it draw nothing.
    void remove(MeshHandle mesh);

    /// From the next frame on.
    void set_quality(Quality quality);

    /// Draws one frame. A framebuffer of size 0 draws nothing; items that are not finite are skipped.
    void draw(const DrawList& list, const View& view);
    /// Several views side by side in one frame.
    void draw(std::span<const Pane> panes);

    /// Reads back the last frame, panels included. Call before present(). Empty for a framebuffer of size 0.
    [[nodiscard]] Image read_pixels() const;

    /// Pictures for panels.
    [[nodiscard]] TextureStore& textures();

    /// Recompiles changed shader files now; draw() does so periodically when `hot_reload` is on.
    void reload_changed_shaders();
    /// Why the shader files on disk are not in use: file, line and the compiler's message; empty if they are.
    /// draw() shows it over the picture and keeps using the last good program.
    [[nodiscard]] const std::string& shader_error() const;
    [[nodiscard]] const RenderStats& stats() const;
    /// Messages of a debug context's driver since the last call: make them
    /// printable before they are shown.
    [[nodiscard]] std::vector<std::string> take_driver_messages();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lab::render
