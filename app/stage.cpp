#include "stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <stdexcept>
#include <utility>

#include "platform/clock.hpp"
#include "platform/headless.hpp"
#include "platform/memory.hpp"
#include "platform/paths.hpp"
#include "platform/threads/threads.hpp"
#include "platform/window.hpp"
#include "render/mesh/prepared.hpp"
#include "settings/program.hpp"
#include "workloads/meshes.hpp"

namespace lab {

Stage::Stage(const Options& options, const lessons::Player& lesson)
    : lesson_(lesson),
      headless_(options.headless),
      with_panels_(options.ui.value_or(!options.headless)),
      wanted_size_(options.size) {
    view_ = {glm::vec2(0.0f), glm::vec2(wanted_size_)};
}

platform::OpenError Stage::open_surface() {
    if (headless_) {
        platform::HeadlessOptions options;
        options.size = wanted_size_;
        auto opened = platform::open_headless(options);
        surface_ = std::move(opened.surface);
        return std::move(opened.error);
    }
    platform::WindowOptions options;
    options.size = wanted_size_;
    auto opened = platform::open_window(options);
    surface_ = std::move(opened.surface);
    return std::move(opened.error);
}

std::string Stage::too_large(glm::ivec2 size_px) {
    // Color and depth of four samples, the picture, and the copies made by the driver and the encoder.
    constexpr double kBytesPerPixel = 64.0;
    const double bytes = kBytesPerPixel * static_cast<double>(size_px.x) * static_cast<double>(size_px.y);
    const std::optional<std::uint64_t> free = platform::available_memory();
    if (!free || bytes <= static_cast<double>(*free)) return {};
    return fmt::format(
        "a picture of {}x{} pixels needs about {:.0f} MB, but only {} MB of memory are free. Choose a "
        "smaller --size",
        size_px.x, size_px.y, bytes / (1 << 20), *free >> 20);
}

std::string Stage::open() {
    if (renderer_) return {};
    if (headless_)
        if (std::string why = too_large(wanted_size_); !why.empty()) return why;
    const platform::OpenError error = open_surface();
    if (!surface_)
        return error.hint.empty() ? error.message : fmt::format("{} {}", error.message, error.hint);
    if (std::string why = make_renderer(); !why.empty()) return why;
    if (with_panels_ || !headless_) {
        ui_ = std::make_unique<panels::Ui>(panels::Ui::Graphics::OpenGl, surface_->glfw_window());
        ui_->set_lesson(&lesson_);
    }
    return {};
}

void Stage::renew_graphics() {
    context_number_ = surface_->context_number();
    surface_->make_current();
    meshes_ = {};
    renderer_.reset();
    if (const std::string why = make_renderer(); !why.empty()) throw std::runtime_error(why);
    if (ui_) ui_->renew_graphics();
}

std::string Stage::make_renderer() {
    render::RendererOptions options;
    options.loader = surface_->gl_loader();
    options.software = surface_->gl().software;
    options.offscreen = !surface_->has_default_framebuffer();
    options.hot_reload = !headless_;
    options.shader_folder = platform::find_data_dir("shaders");
    try {
        renderer_ = std::make_unique<render::Renderer>(options);
    } catch (const std::exception& problem) {
        return fmt::format("{} ({}, OpenGL {})", problem.what(), surface_->gl().renderer,
                           surface_->gl().version);
    }
    return {};
}

namespace {

/// Key presses that text fields and lists handle.
std::vector<panels::UiKey> ui_keys(const platform::InputFrame& input) {
    using panels::UiKey;
    using platform::Key;
    constexpr std::array kPairs = {
        std::pair{Key::Enter, UiKey::Enter},   std::pair{Key::Escape, UiKey::Escape},
        std::pair{Key::Tab, UiKey::Tab},       std::pair{Key::Up, UiKey::Up},
        std::pair{Key::Down, UiKey::Down},     std::pair{Key::Left, UiKey::Left},
        std::pair{Key::Right, UiKey::Right},   std::pair{Key::Backspace, UiKey::Backspace},
        std::pair{Key::Delete, UiKey::Delete}, std::pair{Key::Home, UiKey::Home},
        std::pair{Key::End, UiKey::End}};
    std::vector<UiKey> keys;
    for (const platform::KeyEvent& event : input.keys)
        for (const auto& [key, ui_key] : kPairs)
            if (event.key == key && event.action != platform::KeyAction::Release) keys.push_back(ui_key);
    return keys;
}

/// The input for a Ui that has no window of its own.
panels::UiInput ui_input(const platform::InputFrame& input) {
    const auto is_down = [&input](platform::MouseButton which) {
        const platform::ButtonState& button = input.button(which);
        return button.held || button.pressed;  // a short tap within a frame, too
    };
    panels::UiInput out;
    out.keys = ui_keys(input);
    out.left_down = is_down(platform::MouseButton::Left);
    out.right_down = is_down(platform::MouseButton::Right);
    if (input.mouse_inside || out.left_down || out.right_down) out.mouse_px = input.mouse_px;
    const platform::ButtonState& left = input.button(platform::MouseButton::Left);
    out.left_taken = left.released && !left.clicked && !left.dragging;
    const platform::Mods& mods = out.left_down ? left.press_mods : input.mods;
    out.ctrl = mods.ctrl;
    out.shift = mods.shift;
    out.alt = mods.alt;
    out.wheel = input.wheel.y;
    out.text = input.text;
    return out;
}

}  // namespace

glm::ivec2 Stage::size_px() const {
    return surface_ ? surface_->framebuffer_px() : wanted_size_;
}

void Stage::begin_panels(const Settings& settings) {
    panels::UiFrame frame;
    frame.framebuffer_px = size_px();
    frame.content_scale = scale();
    frame.dt_s = dt_s_;
    frame.fingers = fingers_;
    frame.input = std::exchange(ui_input_, {});
    ui_->begin_frame(frame, settings);
    panels_begun_ = true;
    const panels::Rect& free = ui_->view_px();
    view_ = {glm::floor(free.min), glm::floor(free.size())};
}

platform::InputFrame Stage::poll(const Settings& settings) {
    frame_clock_ = {};
    platform::InputFrame input;
    if (surface_) {
        input = surface_->poll();
        if (surface_->context_number() != context_number_) renew_graphics();
    } else {
        input.framebuffer_px = wanted_size_;
        input.dt_s = Session::kFixedStep_s;
    }
    dt_s_ = input.dt_s;
    ui_input_ = ui_input(input);
    fingers_ = input.fingers;
    view_ = {glm::vec2(0.0f), glm::vec2(input.framebuffer_px)};
    if (!ui_) return input;
    const bool pressed = std::any_of(input.buttons.begin(), input.buttons.end(),
                                     [](const platform::ButtonState& button) { return button.pressed; });
    const bool on_panels = ui_->wants_mouse() || (pressed && ui_->covers(input.mouse_px));
    const platform::UiCapture taken{on_panels, ui_->wants_keyboard(), ui_->wants_chords()};
    // Even if the previous frame was not drawn: settings that affect the layout may have changed.
    begin_panels(settings);
    return input.masked(taken);
}

bool Stage::draws(bool picture_due) const {
    return (!headless_ || picture_due) && size_px().x > 0 && size_px().y > 0;
}

void Stage::upload_meshes(const MeshLibrary& meshes) {
    if (meshes_.cube == render::MeshHandle{}) {
        bv::workloads::MeshData cube = bv::workloads::box();
        for (glm::vec3& p : cube.positions)
            p += 0.5f;
        meshes_.cube = renderer_->upload(cube.positions, cube.triangles);
    }
    for (std::size_t i = meshes_.by_mesh.size(); i < meshes.size(); ++i) {
        const MeshEntry& mesh = meshes.entries()[i];
        const std::optional<render::PreparedMesh> prepared = prepared_.take(mesh.stamp);
        meshes_.by_mesh.push_back(prepared ? renderer_->upload(*prepared)
                                           : renderer_->upload(mesh.positions, mesh.triangles));
    }
}

MeshObserver Stage::mesh_observer() {
    return [this](std::uint64_t stamp, const bv::MeshView& mesh, bool may_wait) {
        if (may_wait) return prepared_.prepare_elsewhere(stamp, mesh.positions, mesh.triangles);
        prepared_.prepare(stamp, mesh.positions, mesh.triangles);
        return true;
    };
}

StepInput Stage::step_input(const ShownSession& session) const {
    viz::ViewInfo info;
    if (ui_) info.marked_tree = ui_->pointed_node().tree;
    const bool shown = viz::shows_trees(session.state.settings, info);
    return {.needs_bodies_tree = shown || (ui_ && ui_->needs_bodies_tree(session)),
            .viz_ms = visualize_ms_,
            .render_ms = draw_ms_};
}

void Stage::watch(const Session& session) {
    if (ui_) ui_->watch(session.results(), 1000.0 * dt_s_);
}

viz::ViewInfo Stage::view_info(const Session& session, const PointerLook& pointer) const {
    const float scale = view_scale(session.state().settings);
    viz::ViewInfo info;
    info.size_px = view_.size_px / scale;
    info.title = session.state().scene.spec->title;
    info.panels = ui_ && session.state().settings[kUiPanels];
    if (ui_) {
        info.marked_tree = ui_->pointed_node().tree;
        info.marked_node = ui_->pointed_node().node;
    }
    info.gizmo = gizmo_of(session, this->scale());
    info.gizmo_lit = pointer.gizmo;
    if (pointer.band) {
        info.band_min_px = (pointer.band_from - view_.min_px) / scale;
        info.band_max_px = (pointer.band_to - view_.min_px) / scale;
    }
    info.held_handle = pointer.handle;
    if (pointer.at) info.pointer_px = (*pointer.at - view_.min_px) / scale;
    if (ui_) {
        const panels::Rect& card = ui_->card_px();
        info.card_min_px = (card.min - view_.min_px) / scale;
        info.card_max_px = (card.max - view_.min_px) / scale;
    }
    info.triangle = session.state().selected_triangle();
    return info;
}

const render::DrawList& Stage::visualize(const Session& session, const PointerLook& pointer) {
    const platform::Clock clock;
    if (renderer_) upload_meshes(session.meshes());
    // Off screen every picture follows the settings of its own frame; in a window the next frame is soon
    // enough, and starting the panels twice would lose clicks.
    if (ui_ && headless_) begin_panels(session.state().settings);
    list_.clear();
    if (view_.size_px.x < 1.0f || view_.size_px.y < 1.0f)
        return list_;  // a window so small that panels fill it
    if (ui_ && headless_ && !panels_settled_) settle_panels(session);
    if (ui_) ui_->hold_handle(pointer.handle);
    viz::ViewInfo info = view_info(session, pointer);
    info.heat = heat_.of(session.results().heatmap, viz::theme_of(session.state().settings));
    viz::build(session.results(), session.state().settings, session.state().view.shown_camera(), meshes_,
               info, list_);
    visualize_ms_ = clock.milliseconds();
    return list_;
}

static render::Quality quality_of(const Settings& settings) {
    switch (settings[kUiQuality]) {
        case DrawQuality::Auto:
            break;
        case DrawQuality::Fast:
            return render::Quality::Fast;
        case DrawQuality::Best:
            return render::Quality::Best;
    }
    return render::Quality::Auto;
}

void Stage::draw(const Session& session, const render::DrawList& list) {
    const platform::Clock clock;
    const Camera camera = session.state().view.shown_camera();
    render::Pane pane;
    pane.list = &list;
    pane.view.view = camera.view();
    pane.view.projection = camera.projection(view_.size_px);
    pane.view.framebuffer_px = size_px();
    pane.view.content_scale = view_scale(session.state().settings);
    pane.min_px = glm::ivec2(view_.min_px);
    pane.size_px = glm::ivec2(view_.size_px);
    renderer_->set_quality(quality_of(session.state().settings));
    renderer_->draw(std::span(&pane, 1));
    draw_ms_ = clock.milliseconds();
}

void Stage::draw_panels(Session& session) {
    if (!ui_) return;
    if (!panels_begun_) begin_panels(session.state().settings);
    ui_->build(session.shown(), session.commands());
    ui_->render();
    panels_begun_ = false;
}

/// Windows that size themselves to their content need a few frames, and the picture leaves space for
/// them; off screen there are no frames before the picture.
void Stage::settle_panels(const Session& session) {
    CommandQueue none;
    for (int i = 0; i < 3; ++i) {
        begin_panels(session.state().settings);
        ui_->build(session.shown(), none);
    }
    begin_panels(session.state().settings);
    panels_settled_ = true;
}

std::vector<io::ReportTarget> Stage::widgets() const {
    std::vector<io::ReportTarget> targets;
    if (ui_)
        for (const panels::WidgetRect& widget : ui_->widget_rects())
            targets.push_back({widget.name, 0.5f * (widget.rect.min + widget.rect.max)});
    return targets;
}

void Stage::open_palette(const std::string& text) {
    if (text == "open " && surface_ && surface_->pick_files()) return;
    if (ui_) ui_->open_palette(text);
}

void Stage::open_menu(glm::vec2 at_px) {
    if (ui_) ui_->open_menu(at_px);
}

std::vector<std::string> Stage::take_driver_messages() {
    return renderer_ ? renderer_->take_driver_messages() : std::vector<std::string>{};
}

render::Image Stage::picture() const {
    return renderer_->read_pixels();
}

void Stage::present(const Jobs& jobs) {
    constexpr double kLongestRest_ms = 50.0;
    if (!surface_) return;
    surface_->present();
    if (ui_) surface_->set_typing(ui_->wants_text(), ui_->points_at_text());
    if (surface_->gl().software && jobs.is_working()) {
        // Frames take every core: the job gets half of the time to itself.
        platform::rest(std::min(frame_clock_.milliseconds(), kLongestRest_ms));
    }
    // A minimized window does not wait for vertical sync: sleep instead of spinning.
    if (size_px().x < 1 || size_px().y < 1) platform::rest(30.0);
}

void Stage::set_title(const std::string& title) {
    if (surface_ && title != title_) surface_->set_title(title);
    title_ = title;
}

}  // namespace lab
