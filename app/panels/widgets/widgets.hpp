// The building blocks of the panels: rows for settings, swatches, headings, small plots. Only files of this
// folder include this.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/text/counted.hpp"
#include "panels/context.hpp"
#include "settings/settings.hpp"

namespace lab::panels {

/// A collapsible section with a heading; true while open. Needs no closing call.
[[nodiscard]] bool section(const PanelContext& c, const char* title, bool open_at_first = true);
/// Opens or folds the next section, which has this title, when the scene changes; after that it is up to the
/// user. The title must live as long as the program.
void fold_for_scene(const PanelContext& c, std::string_view title, bool open);
/// A small dim heading inside a section.
void subheading(const PanelContext& c, std::string_view text);
/// Dim text that wraps.
void note(const PanelContext& c, std::string_view text);
/// A label left and a value right in the same row.
void value_row(const PanelContext& c, std::string_view label, std::string_view value);
/// Text typed in this frame, UTF-8. A field opened just now does not have the focus yet, or ignores the text.
[[nodiscard]] std::string typed_text();
/// Whether the field submitted last takes the typed text.
[[nodiscard]] bool field_takes_text();
/// A field that gets the focus selects its text, which the next character would replace. For its callback:
/// moves the caret to the end in `frames` further calls.
void put_caret_at_end(ImGuiInputTextCallbackData& data, int& frames);
/// A search field with a hint and a clear button; true when Enter asks for the best match.
bool search_field(const PanelContext& c, const char* id, const char* hint, std::string& text);

/// A box with a tick, in `color` when on, and a label over the rest of the row. True when clicked.
bool color_check(const PanelContext& c, const char* id, std::string_view label, bool on, render::Color color);
/// A green tick of the height of a line.
void tick(const PanelContext& c);
/// A filled square of the height of a line, and the cursor after it.
void swatch(const PanelContext& c, render::Color color, bool outline = false);

/// ImGui's slider, except that its thumb does not cover its number. `format` is that of printf.
bool slider(const char* id, ImGuiDataType type, void* value, const void* low, const void* high,
            const char* format, ImGuiSliderFlags flags = 0);

/// The editor of one setting, by its type. Pushes `set ID VALUE`; the tooltip is the help line.
void setting_editor(const PanelContext& c, const SettingSpec& spec);
/// As above, with the color of what the setting shows. The setting must be a flag.
void setting_toggle(const PanelContext& c, const SettingSpec& spec, render::Color color);
/// The choice of the selected bodies that overrides the setting: `body` shows it, and `body.set` is
/// pushed. The setting must be one of `body_settings()`.
void own_choice_editor(const PanelContext& c, const SettingSpec& spec, const BodyState& body);
void tooltip(std::string_view text);

/// The number by which everything on screen names a node. In a tree that is stepped through, it is the one in
/// the view and the sentences, which differs from the index in the snapshot.
[[nodiscard]] std::uint64_t shown_number(const PanelContext& c, std::string_view id,
                                         const bv::TreeSnapshot& tree, std::uint32_t node);

/// Shows a message like those of the session, about an input that cannot become a command.
void complain(const PanelContext& c, std::string text);

/// A row of a list to click on; a long label wraps. `kept_free` stays empty at its right end.
[[nodiscard]] bool list_row(const PanelContext& c, std::string_view label, bool selected,
                            float kept_free = 0.0f);

/// A row to click on whose label is shown as it is, as wide and high as its text and the rest of the line.
/// ImGui would cut it at its first `##`, which may stand in the name of a file, a mesh or a body. Its id is
/// the same for all: PushID before it.
[[nodiscard]] bool text_row(const std::string& label, bool selected = false, int flags = 0);

/// A push button that is marked for tests; `name` is also its ImGui id.
bool button(const PanelContext& c, const char* label, std::string name, ImVec2 size = ImVec2(0, 0));
/// The same, filled with the accent color, for a panel's main action.
bool main_button(const PanelContext& c, const char* label, std::string name, ImVec2 size = ImVec2(0, 0));

/// Spreads the rows of a menu or a list of choices so that a finger hits one alone; pop it with PopStyleVar.
void push_row_spacing(const PanelContext& c);

/// A click target; at least one pixel, since a window may leave none.
inline bool hit_area(const char* id, ImVec2 size) {
    return ImGui::InvisibleButton(id, {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
}

enum class Icon : unsigned char {
    Play,
    Pause,
    Step,
    Restart,
    Previous,
    Next,
    First,
    Last,
    NextChange,
    Close,
    Palette
};
/// As wide as high, or of the given width.
bool icon_button(const PanelContext& c, Icon icon, std::string name, std::string_view help, bool lit = false,
                 float width = 0.0f);

/// Lines over the last frames, one color each, on one scale from 0, with their newest values. Values above
/// the scale are cut off: with Spikes::Cut the few highest values do not count for it.
enum class Spikes : unsigned char { Shown, Cut };
struct PlotLine {
    const Series& series;
    render::Color color;
    std::string_view label;
};
void plot(const PanelContext& c, std::string_view title, std::span<const PlotLine> lines, const char* unit,
          ImVec2 size, Spikes spikes = Spikes::Shown);

struct BarPart {
    std::string_view label;
    double value;
    render::Color color;
};
/// One stacked bar, divided in proportion to `parts`.
void stacked_bar(const PanelContext& c, std::span<const BarPart> parts, ImVec2 size);

/// 12,345 with commas; seconds, meters and the like with about three digits.
using io::grouped;
[[nodiscard]] std::string short_number(double x);

}  // namespace lab::panels
