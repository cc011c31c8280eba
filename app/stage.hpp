// Where a session is seen: a window, or a picture off screen. Surface, renderer and panels behind the few
// calls that the frame loop makes. Off screen nothing touches OpenGL until the first picture is due.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "io/file_error.hpp"
#include "options.hpp"
#include "panels/ui.hpp"
#include "platform/clock.hpp"
#include "platform/surface.hpp"
#include "render/draw_list.hpp"
#include "render/renderer.hpp"
#include "sandbox/sandbox.hpp"
#include "viz/build.hpp"

namespace lab {

class Stage {
  public:
    explicit Stage(const Options& options);

    /// Opens the window. Headless: opens the off-screen context only if panels are on, since the view depends
    /// on them. An empty string, or why there is no usable OpenGL and what to do.
    std::string open(const Settings& settings);

    /// What the user did, without what the panels took for themselves.
    platform::InputFrame poll(const Settings& settings);
    /// The part of the picture that panels leave free: there the scene is drawn, and there the mouse points
    /// into it.
    [[nodiscard]] const panels::Rect& view_px() const { return view_px_; }
    /// False while there is nothing to draw on: headless with no picture due, or a minimized window.
    [[nodiscard]] bool draws(bool picture_due) const;

    /// Results -> DrawList.
    const render::DrawList& visualize(const Sandbox& sandbox);
    /// DrawList -> pixels. An empty string, or why there is no usable OpenGL.
    std::string draw(const Sandbox& sandbox, const render::DrawList& list);
    /// The panels over it, which push commands.
    void draw_panels(Sandbox& sandbox);
    /// Of what was drawn last.
    std::optional<io::FileError> save_picture(const std::string& path) const;
    void present();

    void open_palette(const std::string& text);
    void set_title(const std::string& title);
    [[nodiscard]] double visualize_ms() const { return visualize_ms_; }
    [[nodiscard]] double draw_ms() const { return draw_ms_; }

  private:
    std::string open_surface();
    void begin_panels(const Settings& settings);
    void upload_meshes(const MeshLibrary& meshes);
    [[nodiscard]] glm::ivec2 size_px() const;
    [[nodiscard]] float scale() const { return surface_ ? surface_->content_scale() : 1.0f; }

    bool headless_;
    bool with_panels_;
    glm::ivec2 wanted_size_;
    std::unique_ptr<platform::Surface> surface_;
    std::unique_ptr<render::Renderer> renderer_;
    std::unique_ptr<panels::Ui> ui_;
    viz::MeshHandles meshes_;
    render::DrawList list_;
    panels::Rect view_px_;
    std::string title_;
    double dt_s_ = 1.0 / 60.0;
    bool panels_begun_ = false;
    bool panels_settled_ = false;
    double visualize_ms_ = 0, draw_ms_ = 0;
};

}  // namespace lab
