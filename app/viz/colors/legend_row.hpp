// A row of the key of the picture.
#pragma once

#include <string>

#include "render/draw_list.hpp"

namespace lab::viz {

using render::Color;

/// How a row's swatch looks: as the thing itself is drawn.
enum class Swatch : unsigned char { Fill, Outline, Line, Dot, Scale };

struct LegendRow {
    std::string text;
    Color color;
    Swatch swatch = Swatch::Fill;
    std::string low, high;  ///< What the ends of a scale mean.
};

}  // namespace lab::viz
