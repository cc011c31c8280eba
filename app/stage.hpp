// The output of a session: a window or an off-screen picture. Hides surface, renderer and panels behind the
// few calls of the frame loop. Off screen, OpenGL is not touched before the first picture is due.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controls.hpp"
#include "io/sessions/report.hpp"
#include "lessons/player.hpp"
#include "options.hpp"
#include "panels/ui.hpp"
#include "platform/clock.hpp"
#include "platform/surface.hpp"
#include "render/draw_list.hpp"
#include "render/mesh/prepared.hpp"
#include "render/renderer.hpp"
#include "session/session.hpp"
#include "settings/program.hpp"
#include "viz/build.hpp"
#include "viz/colors/heat.hpp"

namespace lab {

class Stage {
  public:
    /// `lesson` is shown in the panels while one is under way; it must outlive the stage.
    Stage(const Options& options, const lessons::Player& lesson);

    /// Off screen and without panels nothing is opened before the first picture is due: a report needs no
    /// OpenGL.
    [[nodiscard]] bool opens_at_once() const { return !headless_ || with_panels_; }
    /// Why a picture of that size is refused (not enough memory), or empty.
    static std::string too_large(glm::ivec2 size_px);
    /// Opens the window or the off-screen context, and the panels, once. Returns empty, or why there is no
    /// usable OpenGL and what to do.
    std::string open();

    /// Polls the user's input, without the part captured by the panels.
    platform::InputFrame poll(const Settings& settings);
    [[nodiscard]] const ViewRect& view() const { return view_; }
    /// False if this frame is not drawn: headless with no picture due, or a minimized window.
    [[nodiscard]] bool draws(bool picture_due) const;

    /// Prepares meshes for the renderer as soon as they are made, from any thread. The stage must outlive it.
    [[nodiscard]] MeshObserver mesh_observer();
    /// The state of the view and the panels that the next step depends on.
    [[nodiscard]] StepInput step_input(const ShownSession& session) const;

    /// Call once per frame, drawn or not: updates the time series of the panels.
    void watch(const Session& session);
    /// Results -> DrawList.
    const render::DrawList& visualize(const Session& session, const PointerLook& pointer);
    /// DrawList -> pixels.
    void draw(const Session& session, const render::DrawList& list);
    /// Draws the panels over the picture. User actions become commands for the next frame.
    void draw_panels(Session& session);
    /// Takes the messages of the graphics driver.
    [[nodiscard]] std::vector<std::string> take_driver_messages();
    /// The picture drawn last.
    [[nodiscard]] render::Image picture() const;
    /// Presents the picture. A software renderer then sleeps while background jobs run, to leave them the
    /// cores.
    void present(const Jobs& jobs);

    /// Rectangles of the panels' widgets, in framebuffer pixels; empty without panels.
    [[nodiscard]] std::vector<io::ReportTarget> widgets() const;
    /// Opens the palette with a text; for opening files, the page's own file chooser.
    void open_palette(const std::string& text);
    void open_menu(glm::vec2 at_px);
    /// False off screen, where there is no clipboard.
    platform::Surface::Copied copy_link(const std::string& link) {
        return surface_ ? surface_->copy_link(link) : platform::Surface::Copied::No;
    }
    /// False without a window, or where its system does not offer it.
    bool toggle_full_screen() { return surface_ && surface_->toggle_full_screen(); }
    bool open_site() { return surface_ && surface_->open_site(); }
    void set_title(const std::string& title);
    [[nodiscard]] double visualize_ms() const { return visualize_ms_; }
    [[nodiscard]] double draw_ms() const { return draw_ms_; }

  private:
    [[nodiscard]] platform::OpenError open_surface();
    /// Empty, or why nothing can be drawn in the context.
    [[nodiscard]] std::string make_renderer();
    /// Recreates everything that was lost with the context.
    void renew_graphics();
    void begin_panels(const Settings& settings);
    void settle_panels(const Session& session);
    [[nodiscard]] viz::ViewInfo view_info(const Session& session, const PointerLook& pointer) const;
    void upload_meshes(const MeshLibrary& meshes);
    [[nodiscard]] glm::ivec2 size_px() const;
    [[nodiscard]] float scale() const { return surface_ ? surface_->content_scale() : 1.0f; }
    /// Labels, legend and lines of the view grow with the text of the panels.
    [[nodiscard]] float view_scale(const Settings& settings) const { return scale() * settings[kUiScale]; }

    const lessons::Player& lesson_;
    bool headless_;
    bool with_panels_;
    glm::ivec2 wanted_size_;
    std::unique_ptr<platform::Surface> surface_;
    std::unique_ptr<render::Renderer> renderer_;
    int context_number_ = 0;
    viz::MeshHandles meshes_;
    render::PreparedMeshes prepared_;  // waiting for their upload
    viz::HeatPicture heat_;
    render::DrawList list_;
    ViewRect view_;
    std::unique_ptr<panels::Ui> ui_;
    bool panels_begun_ = false;
    bool panels_settled_ = false;
    double dt_s_ = Session::kFixedStep_s;
    platform::Clock frame_clock_;
    panels::UiInput ui_input_;  // of this frame
    bool fingers_ = false;      // the pointer is a finger
    std::string title_;
    double visualize_ms_ = 0, draw_ms_ = 0;
};

}  // namespace lab
