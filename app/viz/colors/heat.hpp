// The heatmap of the view as a picture, with its scale and histogram.
#pragma once

#include <memory>

#include "render/draw_list.hpp"
#include "results/frame_results.hpp"
#include "viz/colors/palette.hpp"

namespace lab::viz {

/// Colors a heatmap with the scalar color map, and keeps the picture until the map or the theme changes.
class HeatPicture {
  public:
    /// Null if there is no heatmap.
    const std::shared_ptr<const render::Image>& of(const std::shared_ptr<const Heatmap>& map, Theme theme);

  private:
    std::shared_ptr<const Heatmap> map_;
    Theme theme_ = Theme::Dark;
    std::shared_ptr<const render::Image> image_;
};

}  // namespace lab::viz
