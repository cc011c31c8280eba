// One palette for the 3D view, the panels and the plots, in a dark and a light theme.
//
// A volume kind has one hue in both themes: sphere blue, fixed AABB yellow, tight AABB orange, OBB green, as
// in the palette of Okabe and Ito, moved in lightness until the volume colors stay apart under simulated
// protanopia, deuteranopia and tritanopia too, and until each stands out from the background. A test measures
// both. Bodies are calm gray tints, so that what is drawn around them stands out. Scalars are colored by
// viridis.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "render/draw_list.hpp"
#include "results/exhibit.hpp"
#include "settings/program.hpp"

namespace lab::viz {

using render::Color;

using lab::Theme;

inline constexpr std::size_t kRoleCount = static_cast<std::size_t>(Role::AxisZ) + 1;

/// Every color of one theme. sRGB, opaque unless said otherwise.
struct Palette {
    Color background_top, background_bottom;  ///< Gradient behind the 3D view.
    Color grid;                               ///< Ground lines, translucent.
    Color text, text_dim;
    Color halo;               ///< Around labels, translucent, close to the background.
    Color plate;              ///< Behind legends and titles, translucent.
    Color arena;              ///< Edges of the box that bodies move in.
    Color notice, on_notice;  ///< The PAUSED plate and its text.
    Color body_colliding;     ///< A mesh whose volume touches another.
    std::array<Color, 6> bodies;
    std::array<Color, kRoleCount> roles;
    /// The part of viridis that stands out from this background.
    float scalar_from = 0, scalar_to = 1;

    [[nodiscard]] Color role(Role r) const { return roles[static_cast<std::size_t>(r)]; }
    /// Viridis limited to what this background lets through; `t` is clamped to [0, 1], NaN counts as 0.
    [[nodiscard]] Color scalar(float t) const;
    /// The calm tint of a body or mesh number.
    [[nodiscard]] Color body(std::uint32_t number) const { return bodies[number % bodies.size()]; }
};

[[nodiscard]] const Palette& palette(Theme theme);

/// The name of a role in legends.
[[nodiscard]] std::string_view role_name(Role role);

/// The perceptually even color map viridis; `t` is clamped to [0, 1], NaN counts as 0.
[[nodiscard]] Color viridis(float t);

/// Linear mix of the sRGB bytes, alpha included; `t` in [0, 1].
[[nodiscard]] Color mix(Color a, Color b, float t);

/// Contrast ratio of two opaque colors, 1 to 21, as WCAG 2 defines it.
[[nodiscard]] double contrast_ratio(Color a, Color b);

}  // namespace lab::viz
