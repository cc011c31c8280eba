// The look of the panels: colors from the palette of the 3D view, one accent, even paddings, the embedded
// font in three sizes. Only files of this folder include this.
#pragma once

#include <imgui.h>

#include "viz/colors/palette.hpp"

namespace lab::panels {

/// Colors of the panels themselves; colors with a meaning come from viz::Palette.
struct PanelColors {
    render::Color panel, raised, sunken, border, text, text_dim, accent, on_accent, hover, good, warning,
        error;
};
[[nodiscard]] const PanelColors& panel_colors(viz::Theme theme);

struct Fonts {
    ImFont* regular = nullptr;
    ImFont* medium = nullptr;   ///< Headings.
    ImFont* title = nullptr;    ///< Larger.
    ImFont* reading = nullptr;  ///< For longer texts, read from a distance.
    ImFont* reading_strong = nullptr;
    float size_px = 15.0f;  ///< Of `regular`.
};

/// Sets every color and every length for this theme; lengths for a font of `em` pixels. With `fingers`,
/// everything touchable is larger.
void apply_style(viz::Theme theme, float em, bool fingers);
/// Rebuilds the font atlas of the current context. Glyphs: Latin, Greek, punctuation, arithmetic signs.
[[nodiscard]] Fonts load_fonts(float size_px);

[[nodiscard]] inline ImU32 pack(render::Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}
[[nodiscard]] inline ImVec4 to_vec4(render::Color c) {
    return {static_cast<float>(c.r) / 255.0f, static_cast<float>(c.g) / 255.0f,
            static_cast<float>(c.b) / 255.0f, static_cast<float>(c.a) / 255.0f};
}

}  // namespace lab::panels
