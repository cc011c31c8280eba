// The heatmap of the view: the cost of a ray through each pixel. Cast from coarse to fine cells, a bounded
// number of rays per frame, on all cores. It restarts when the camera or a body moves.
#pragma once

#include <cstdint>
#include <memory>

#include "results/frame_results.hpp"
#include "settings/view.hpp"
#include "view/camera.hpp"

namespace lab {

class World;

struct HeatOptions {
    HeatCounter counter = HeatCounter::Nodes;
    int finest_px = 2;  ///< Edge of the smallest cell.
    int rays_per_frame = 40'000;
    int top = 0;  ///< End of the color scale; 0: follows the counts.
    friend bool operator==(const HeatOptions&, const HeatOptions&) = default;
};

/// From the settings of the group `heat`.
[[nodiscard]] HeatOptions heat_options(const Settings& settings);

class HeatCaster {
  public:
    static constexpr int kCoarsest_px = 16;

    /// Casts the next rays and returns the current map: the same object while nothing changes, null for a
    /// view without pixels. The result is independent of the number of threads.
    std::shared_ptr<const Heatmap> advance(const World& world, const Camera& camera, glm::vec2 view_px,
                                           const HeatOptions& options);
    void clear() { *this = {}; }

  private:
    /// Everything the counts depend on.
    struct Key {
        Camera camera;
        glm::vec2 view_px{0.0f};
        HeatCounter counter = HeatCounter::Nodes;
        int finest_px = 0;
        std::uint64_t world = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    void begin_level(int cell_px);
    void cast(const World& world, std::size_t first, std::size_t count);

    Key key_;
    bool started_ = false;
    int top_ = -1;
    int cell_px_ = 0;
    glm::ivec2 cells_{0};
    std::size_t done_ = 0;  ///< Cells cast in this level; the others hold the previous level.
    std::vector<std::uint32_t> counts_;
    std::shared_ptr<const Heatmap> result_;
};

}  // namespace lab
