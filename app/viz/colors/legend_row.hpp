// A row of the key of the picture.
#pragma once

#include <string>

#include "render/draw_list.hpp"

namespace lab::viz {

using render::Color;

/// The look of a row's swatch: that of the shape itself.
enum class Swatch : unsigned char { Fill, Outline, Plane, Line, Dot, Scale };

struct LegendRow {
    std::string text;
    Color color;
    Swatch swatch = Swatch::Fill;
    std::string low = {}, high = {};  ///< The meaning of the two ends of a scale.
    /// The part of the color map that the scale shows.
    float from = 0.0f, to = 1.0f;
};

}  // namespace lab::viz
