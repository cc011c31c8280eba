#include "panels/ui.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "lessons/player.hpp"
#include "panels/backend.hpp"
#include "panels/context.hpp"
#include "panels/menus/keys.hpp"
#include "panels/touch_scroll.hpp"
#include "panels/widgets/widgets.hpp"
#include "settings/program.hpp"
#include "settings/settings.hpp"
#include "viz/build.hpp"

namespace lab::panels {
namespace {

constexpr float kFontSizePx = 15.0f;  // at scale 1
constexpr float kLessonWidthEm = 26.0f;

}  // namespace

struct Ui::Impl {
    Graphics graphics;
    GLFWwindow* window;
    ImGuiContext* context = nullptr;
    UiState state;
    Layout layout;
    Rect view_px;
    Fonts fonts;
    viz::Theme theme = viz::Theme::Dark;
    bool styled = false;
    bool fingers = false;  // what the style was made for
    TouchScroll touch;
    bool frame_open = false;
    bool drawable = false;  // there is draw data for this frame
    glm::vec2 to_framebuffer{1.0f};
    std::vector<WidgetRect> widgets;
    KeyTaps taps;

    void activate() const { ImGui::SetCurrentContext(context); }
    void set_look(viz::Theme wanted, float size_px, bool for_fingers);
    [[nodiscard]] bool covers(glm::vec2 at) const;
    /// The scroll distance of the panels under the finger, this frame.
    glm::vec2 feed(const UiFrame& frame);
    /// A draggable edge; `setting` holds the size that it changes, in font heights.
    void splitter(const Setting<float>& setting, const Rect& rect, bool vertical, float direction,
                  const PanelContext& c);
    void side(const char* name, const Rect& rect, void (*contents)(const PanelContext&),
              const PanelContext& c);
    void splitters(const PanelContext& c);
};

Ui::Ui(Graphics graphics, GLFWwindow* window) : impl_(std::make_unique<Impl>()) {
    Impl& m = *impl_;
    m.graphics = graphics;
    m.window = window;
    m.context = ImGui::CreateContext();
    m.activate();
    ImGuiIO& io = ImGui::GetIO();
    // A damaged ini file can crash ImGui, and the panels do not need one.
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    if (window) {
        attach(window);
    } else {
        number_keys(io);
        connect_clipboard(io);
    }
    if (graphics == Graphics::OpenGl) ImGui_ImplOpenGL3_Init(shader_version());
}

Ui::~Ui() {
    impl_->activate();
    if (impl_->graphics == Graphics::OpenGl) ImGui_ImplOpenGL3_Shutdown();
    if (impl_->window) detach();
    ImGui::DestroyContext(impl_->context);
}

void Ui::Impl::set_look(viz::Theme wanted, float size_px, bool for_fingers) {
    const bool resized = !styled || fonts.size_px != size_px;
    if (!resized && wanted == theme && for_fingers == fingers) return;
    theme = wanted;
    fingers = for_fingers;
    styled = true;
    apply_style(theme, size_px, fingers);
    if (!resized) return;
    fonts = load_fonts(size_px);
#if IMGUI_VERSION_NUM < 19200
    if (graphics == Graphics::OpenGl) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    } else {
        unsigned char* pixels = nullptr;
        int width = 0;
        int height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }
#endif
}

/// ImGui's windows, popups among them; in its own units.
bool Ui::Impl::covers(glm::vec2 at) const {
    for (const ImGuiWindow* pane : context->Windows)
        if (pane->Active && !pane->Hidden && (pane->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 &&
            pane->OuterRectClipped.Contains({at.x, at.y}))
            return true;
    return false;
}

/// The pane that a drag scrolls: the one at that position, or the one around it.
ImGuiWindow* pane_to_scroll() {
    ImGuiWindow* pane = ImGui::GetCurrentContext()->HoveredWindow;
    while (pane && pane->ScrollMax.x <= 0.0f && pane->ScrollMax.y <= 0.0f &&
           (pane->Flags & ImGuiWindowFlags_ChildWindow) != 0)
        pane = pane->ParentWindow;
    return pane;
}

/// A table with more columns than fit.
bool is_wide(const ImGuiWindow* pane) {
    return pane && (pane->Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0 && pane->ScrollMax.x > 0.0f;
}

void scroll_pane(glm::vec2 by) {
    ImGuiWindow* const pane = pane_to_scroll();
    if (!pane) return;
    ImGui::SetScrollX(pane, std::clamp(pane->Scroll.x - by.x, 0.0f, pane->ScrollMax.x));
    ImGui::SetScrollY(pane, std::clamp(pane->Scroll.y - by.y, 0.0f, pane->ScrollMax.y));
}

glm::vec2 Ui::Impl::feed(const UiFrame& frame) {
    ImGuiIO& io = ImGui::GetIO();
    const UiInput& input = frame.input;
    glm::vec2 mouse = input.mouse_px / to_framebuffer;
    bool left_down = input.left_down;
    glm::vec2 scroll(0.0f);
    if (frame.fingers) {
        const ImGuiWindow* const pane = pane_to_scroll();
        const TouchScroll::Under under = !covers(mouse)  ? TouchScroll::Under::View
                                         : is_wide(pane) ? TouchScroll::Under::WidePanel
                                                         : TouchScroll::Under::Panel;
        const TouchScroll::Mouse touch_mouse =
            touch.feed({mouse, left_down, input.left_taken}, under, frame.content_scale, io.DeltaTime);
        mouse = touch_mouse.at_px;
        left_down = touch_mouse.left_down;
        scroll = touch_mouse.scroll_px;
    }
#if IMGUI_VERSION_NUM < 18700
    io.MousePos = {mouse.x, mouse.y};
    io.MouseDown[0] = left_down;
    io.MouseDown[1] = input.right_down;
    io.KeyCtrl = input.ctrl;
    io.KeyShift = input.shift;
    io.KeyAlt = input.alt;
    io.MouseWheel = input.wheel;
#else
    io.AddMousePosEvent(mouse.x, mouse.y);
    io.AddKeyEvent(ImGuiKey_ModCtrl, input.ctrl);
    io.AddKeyEvent(ImGuiKey_ModShift, input.shift);
    io.AddKeyEvent(ImGuiKey_ModAlt, input.alt);
    io.AddMouseButtonEvent(0, left_down);
    io.AddMouseButtonEvent(1, input.right_down);
    if (input.wheel != 0.0f) io.AddMouseWheelEvent(0.0f, input.wheel);
#endif
    if (!input.text.empty()) io.AddInputCharactersUTF8(input.text.c_str());
    return scroll;
}

namespace {

/// A menu or a list of choices.
bool a_popup_is_open() {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace

void Ui::begin_frame(const UiFrame& frame, const Settings& settings) {
    Impl& m = *impl_;
    m.activate();
    if (m.frame_open) ImGui::EndFrame();
    m.frame_open = m.drawable = false;
    const glm::vec2 framebuffer(frame.framebuffer_px);
    m.view_px = {glm::vec2(0.0f), framebuffer};
    if (frame.framebuffer_px.x <= 0 || frame.framebuffer_px.y <= 0) return;

    ImGuiIO& io = ImGui::GetIO();
    const float dt = std::clamp(static_cast<float>(frame.dt_s), 1e-4f, 1.0f);
    if (m.window) {
        begin_window_frame();
    } else {
        io.DisplaySize = {framebuffer.x, framebuffer.y};
        io.DisplayFramebufferScale = {1.0f, 1.0f};
    }
    if (!(io.DisplaySize.x > 0.0f) || !(io.DisplaySize.y > 0.0f)) return;
    // ImGui asserts on two frames with the same time stamp.
    io.DeltaTime = dt;
    m.to_framebuffer = framebuffer / glm::vec2(io.DisplaySize.x, io.DisplaySize.y);
    const glm::vec2 scroll = m.window ? glm::vec2(0.0f) : m.feed(frame);
    m.taps.tap(io, frame.input.keys, m.window != nullptr);

    const float scale = std::clamp(frame.content_scale, 0.5f, 4.0f) * settings[kUiScale] / m.to_framebuffer.x;
    m.set_look(viz::theme_of(settings), std::max(8.0f, std::round(kFontSizePx * scale)), frame.fingers);
    if (m.graphics == Graphics::OpenGl) ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    if (a_popup_is_open() && pressed(UiKey::Escape)) ImGui::ClosePopupToLevel(0, true);
    m.taps.untap(io);
    if (scroll != glm::vec2(0.0f)) scroll_pane(scroll);
    m.frame_open = true;
    m.state.clock_s += static_cast<double>(dt);
    m.state.frame_ms = 1000.0f * dt;
    // Smoothed over about half a second, so that the number can be read.
    const float share = std::min(1.0f, 2.0f * dt);
    m.state.mean_dt_s = m.state.mean_dt_s <= 0.0f ? dt : m.state.mean_dt_s + share * (dt - m.state.mean_dt_s);
    m.state.frames_per_second = 1.0f / m.state.mean_dt_s;
    PanelSizes sizes{settings[kUiLeft], settings[kUiRight], settings[kUiBottom], settings[kUiSheetSize]};
    const bool lesson = m.state.lesson && m.state.lesson->spec();
    if (lesson) sizes.left_em = std::max(sizes.left_em, kLessonWidthEm);
    m.layout =
        compute_layout({io.DisplaySize.x, io.DisplaySize.y}, m.fonts.size_px, sizes,
                       {settings[kUiPanels], settings[kUiLayout], settings[kUiSheet], lesson, frame.fingers});
    m.view_px = {m.layout.view.min * m.to_framebuffer, m.layout.view.max * m.to_framebuffer};
}

void Ui::Impl::splitter(const Setting<float>& setting, const Rect& rect, bool vertical, float direction,
                        const PanelContext& c) {
    const float grip = std::round((fingers ? 1.2f : 0.4f) * fonts.size_px);
    const glm::vec2 pad = vertical ? glm::vec2(grip, 0.0f) : glm::vec2(0.0f, grip);
    const glm::vec2 low = rect.min - 0.5f * pad;
    const glm::vec2 size = rect.size() + pad;
    ImGui::SetNextWindowPos({low.x, low.y});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
    ImGui::Begin(fmt::format("##split.{}", setting.id).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(2);
    hit_area("grip", {size.x, size.y});
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
        ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        ImGui::GetWindowDrawList()->AddRectFilled(
            {low.x + 0.3f * pad.x, low.y + 0.3f * pad.y},
            {low.x + size.x - 0.3f * pad.x, low.y + size.y - 0.3f * pad.y}, pack(panel_colors(theme).accent));
    }
    if (ImGui::IsItemActive()) {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        const float growth =
            &setting == &kUiBottom ? bottom_growth(ImGui::GetIO().DisplaySize.y, fonts.size_px) : 1.0f;
        const float by = direction * (vertical ? moved.x : moved.y) / (fonts.size_px * growth);
        const double wanted =
            std::clamp(static_cast<double>(c.settings()[setting] + by), setting.min, setting.max);
        if (by != 0.0f) c.push(set_line(setting, fmt::format("{:.3f}", wanted)));
    }
    ImGui::End();
}

void Ui::Impl::splitters(const PanelContext& c) {
    const Rect& view = layout.view;
    if (layout.arrangement == Arrangement::Knobs) return;
    if (layout.arrangement == Arrangement::Sheet) {
        const Rect& open = layout.open_sheet();
        if (open.is_empty()) return;
        if (open.min.x > view.min.x)
            splitter(kUiSheetSize, {open.min, {open.min.x, open.max.y}}, true, -1.0f, c);
        else
            splitter(kUiSheetSize, {open.min, {open.max.x, open.min.y}}, false, -1.0f, c);
        return;
    }
    const Rect& left = layout.left;
    const Rect& right = layout.right;
    if (!left.is_empty()) splitter(kUiLeft, {{left.max.x, left.min.y}, left.max}, true, 1.0f, c);
    if (!right.is_empty()) splitter(kUiRight, {right.min, {right.min.x, right.max.y}}, true, -1.0f, c);
    if (!layout.bottom.is_empty()) splitter(kUiBottom, {{view.min.x, view.max.y}, view.max}, false, -1.0f, c);
}

void Ui::Impl::side(const char* name, const Rect& rect, void (*contents)(const PanelContext&),
                    const PanelContext& c) {
    if (rect.is_empty()) return;
    ImGui::SetNextWindowPos({rect.min.x, rect.min.y});
    ImGui::SetNextWindowSize({rect.size().x, rect.size().y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar(2);
    contents(c);
    ImGui::End();
}

void Ui::renew_graphics() {
    impl_->activate();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplOpenGL3_Init(shader_version());
    impl_->styled = false;
}

void Ui::set_lesson(const lessons::Player* player) {
    impl_->state.lesson = player;
}

void Ui::hold_handle(std::string_view id) {
    impl_->state.held_handle = id;
}

void Ui::watch(const FrameResults& results, double wall_ms) {
    UiState& state = impl_->state;
    state.history.add(results, static_cast<float>(wall_ms));
    state.ages.add(results);
    if (state.history.record != state.held_record) state.held = {};
    state.held_record = state.history.record;
}

bool Ui::needs_bodies_tree(const ShownSession& session) const {
    const UiState& state = impl_->state;
    // The numbers of a large tree change slowly, so its snapshot is refreshed only now and then.
    return state.bottom_tab == "tree" || state.history.tree.nodes == 0 ||
           session.timeline.place().frame % 16 == 0;
}

void Ui::build(const ShownSession& session, CommandQueue& queue) {
    Impl& m = *impl_;
    m.activate();
    m.widgets.clear();
    m.state.pointed = m.state.held;
    if (!m.frame_open) return;
    m.state.history.add(session.results, m.state.frame_ms);
    m.state.ages.add(session.results);
    const PanelContext c{session,
                         queue,
                         m.state,
                         m.layout,
                         panel_colors(m.theme),
                         viz::palette(m.theme),
                         m.fonts,
                         m.fonts.size_px,
                         m.to_framebuffer,
                         m.widgets,
                         m.fingers};
    menu_bar(c);
    m.side("##left", m.layout.left, left_panel, c);
    m.side("##right", m.layout.right, m.layout.arrangement == Arrangement::Knobs ? knobs : right_panel, c);
    m.side("##bottom", m.layout.bottom, bottom_panel, c);
    sheet_strip(c);
    m.splitters(c);
    m.state.scene_card = {};
    if (!m.state.lesson || !m.state.lesson->spec()) scene_card(c);
    toasts(c);
    job_bars(c);
    help_page(c);
    context_menu(c);
    command_palette(c);
    file_browser(c);
    for (WidgetRect& w : m.widgets)
        w.rect = {w.rect.min * m.to_framebuffer, w.rect.max * m.to_framebuffer};
    ImGui::Render();
    m.frame_open = false;
    m.drawable = true;
}

void Ui::render() {
    impl_->activate();
    if (impl_->drawable && impl_->graphics == Graphics::OpenGl)
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Ui::wants_mouse() const {
    impl_->activate();
    return ImGui::GetIO().WantCaptureMouse;
}

bool Ui::wants_keyboard() const {
    return wants_chords() || a_popup_is_open();
}

bool Ui::wants_chords() const {
    // Also before the field of the palette, or of the browser, has the focus.
    return wants_text() || impl_->state.palette_open || impl_->state.files.open;
}

bool Ui::wants_text() const {
    impl_->activate();
    return ImGui::GetIO().WantTextInput;
}

bool Ui::points_at_text() const {
    impl_->activate();
    return ImGui::GetMouseCursor() == ImGuiMouseCursor_TextInput;
}

bool Ui::covers(glm::vec2 at_px) const {
    return impl_->covers(at_px / impl_->to_framebuffer);
}

const Rect& Ui::view_px() const {
    return impl_->view_px;
}

Rect Ui::card_px() const {
    const Rect& card = impl_->state.scene_card;
    return {card.min * impl_->to_framebuffer, card.max * impl_->to_framebuffer};
}

void Ui::open_palette(std::string_view text) {
    if (text == "open ") {  // files are chosen in the browser of files
        FileBrowser& browser = impl_->state.files;
        browser.open = browser.focus = true;
        browser.age = 0;
        browser.listed.clear();
        browser.typed.clear();
        browser.missing.clear();
        ++browser.edits;
        return;
    }
    impl_->state.palette_open = true;
    impl_->state.palette_age = 0;
    impl_->state.set_palette_line(text);
}

void Ui::open_menu(glm::vec2 at_px) {
    impl_->state.menu_at = at_px / impl_->to_framebuffer;
}

bool Ui::palette_is_open() const {
    return impl_->state.palette_open;
}

const std::string& Ui::chosen_tab() const {
    return impl_->state.bottom_tab;
}

const NodeRef& Ui::pointed_node() const {
    return impl_->state.pointed;
}

const std::vector<WidgetRect>& Ui::widget_rects() const {
    return impl_->widgets;
}

std::optional<Rect> Ui::widget_rect(std::string_view name) const {
    for (const WidgetRect& w : impl_->widgets) {
        if (w.name == name) return w.rect;
    }
    return std::nullopt;
}

}  // namespace lab::panels
