// The panels: Dear ImGui behind an interface that names none of its types.
//
//   Ui ui(Ui::Graphics::OpenGl, surface.glfw_window());  // null: no window; begin_frame has the size
//   ui.begin_frame({framebuffer_px, content_scale, dt_s}, session.state.settings);
//   InputFrame input = frame.masked({ui.wants_mouse(), ui.wants_keyboard(), ui.wants_chords()});
//   ... drain, step, viz into ui.view_px(), renderer.draw ...
//   ui.build(session.shown(), session.commands());
//   ui.render();
//
// Panels read the session and push command lines; they own only window state: scroll positions, folds,
// widths, the text of search fields.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panels/layout.hpp"
#include "results/frame_results.hpp"

struct GLFWwindow;

namespace lab {
class CommandQueue;
struct ShownSession;
class Settings;
struct FrameResults;
}  // namespace lab

namespace lab::lessons {
class Player;
}

namespace lab::panels {

/// Keys that text fields and lists act on.
enum class UiKey : std::uint8_t { Enter, Escape, Tab, Up, Down, Left, Right, Backspace, Delete, Home, End };

/// Positions are framebuffer pixels.
struct UiInput {
    /// Went down in this frame, repeats included. Also for a Ui with a window: ImGui 1.86 looks at keys once
    /// a frame, so a short tap during a slow frame would be lost without this.
    std::vector<UiKey> keys;

    // Mouse and text of a Ui without a window: scripted tests. With one, ImGui's own callbacks are used.
    glm::vec2 mouse_px{-1.0f};
    bool left_down = false;
    bool right_down = false;
    bool left_taken = false;  ///< The finger that acted as the left button has become another gesture.
    bool ctrl = false, shift = false, alt = false;
    float wheel = 0.0f;
    std::string text;  ///< UTF-8, typed in this frame.
};

struct UiFrame {
    glm::ivec2 framebuffer_px{0};
    float content_scale = 1.0f;
    double dt_s = 1.0 / 60.0;
    UiInput input;
    bool fingers = false;  ///< The pointer is a finger: widgets are larger, and drags in panels scroll.
};

/// Where a widget was drawn in the last frame, in framebuffer pixels. Names are stable: the id of a setting
/// (`draw.obb`), `spawn.button`, `scene.NAME`, `body.NUMBER`, `menu.NAME`, `time.pause`, and the like.
struct WidgetRect {
    std::string name;
    Rect rect;
};

/// An empty tree id: no node.
using NodeRef = TreeNodeRef;

class Ui {
  public:
    enum class Graphics : std::uint8_t {
        OpenGl,  ///< Draws with the current OpenGL context, which must outlive this object.
        None,    ///< Builds everything and draws nothing: for tests on machines without any OpenGL.
    };

    /// With a `window`, ImGui installs its callbacks and chains those that are there.
    explicit Ui(Graphics graphics, GLFWwindow* window = nullptr);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    /// Starts a frame: takes the input, applies theme, scale and visibility from the settings, computes the
    /// layout. With a framebuffer of size 0 nothing is built or drawn.
    void begin_frame(const UiFrame& frame, const Settings& settings);
    /// Recreates fonts and buffers in a new context, after the old one was lost.
    void renew_graphics();
    /// An open lesson takes the place of the left panel. Must outlive this object.
    void set_lesson(const lessons::Player* player);
    /// The handle of the scene that the mouse holds or points at; empty: none.
    void hold_handle(std::string_view id);
    /// Records the values of the plots. Call once per frame, even for frames that are not drawn.
    void watch(const FrameResults& results, double wall_ms);
    /// Before the step: whether the panels will show or measure the tree of the bodies in the next frame.
    [[nodiscard]] bool needs_bodies_tree(const ShownSession& session) const;
    /// Builds every panel. User actions become lines in `queue`.
    void build(const ShownSession& session, CommandQueue& queue);
    /// Draws the panels over the picture; nothing without `build` in this frame.
    void render();

    /// Input captured by the panels, as of the last frame.
    [[nodiscard]] bool wants_mouse() const;
    [[nodiscard]] bool wants_keyboard() const;
    [[nodiscard]] bool wants_text() const;
    /// Also keys with Ctrl, which edit text: a field is in use, whether it has the focus or not.
    [[nodiscard]] bool wants_chords() const;
    /// The pointer is over a text field: a click there starts text input.
    [[nodiscard]] bool points_at_text() const;
    /// Panels cover this framebuffer pixel, as of the last frame. A finger comes down without having pointed
    /// before, so that `wants_mouse` knows of it one frame too late.
    [[nodiscard]] bool covers(glm::vec2 at_px) const;

    /// The part of the framebuffer not covered by panels, in framebuffer pixels.
    [[nodiscard]] const Rect& view_px() const;
    /// The part of it that the scene's text covered in the last frame; empty: none.
    [[nodiscard]] Rect card_px() const;
    /// Opens the palette of all commands, settings and scenes, with `text` already typed; `scene ` searches
    /// scenes only, `set ` settings only, and `open ` opens the browser of files instead. Its open state is
    /// the window's: Escape, a click beside it or a choice closes it.
    void open_palette(std::string_view text = {});
    [[nodiscard]] bool palette_is_open() const;
    /// Opens the context menu of the selection at a framebuffer pixel. A choice or a click beside it closes
    /// it.
    void open_menu(glm::vec2 at_px);
    /// The tab chosen in the bottom panel: `statistics`, `tree`, `plots`, `messages` or `table.ID`.
    [[nodiscard]] const std::string& chosen_tab() const;
    /// The node under the mouse in the tree diagram, as of the last `build`.
    [[nodiscard]] const NodeRef& pointed_node() const;

    [[nodiscard]] const std::vector<WidgetRect>& widget_rects() const;
    /// Its rectangle in the last frame; empty if it was not on screen.
    [[nodiscard]] std::optional<Rect> widget_rect(std::string_view name) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lab::panels
