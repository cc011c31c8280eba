#include "view/heatmap.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "platform/threads/thread_pool.hpp"
#include "settings/view.hpp"
#include "view/picking.hpp"
#include "world/world.hpp"

namespace lab {
namespace {

std::size_t place_of(int x, int y, int width) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
}

/// FNV-1a over the bytes of plain values.
class Hash {
  public:
    template <class T>
    void add(const T& value) {
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        for (const unsigned char byte : bytes)
            state_ = (state_ ^ byte) * 1099511628211u;
    }
    [[nodiscard]] std::uint64_t value() const { return state_; }

  private:
    std::uint64_t state_ = 14695981039346656037u;
};

/// A hash of everything in the world that the cost of a ray depends on.
std::uint64_t fingerprint(const World& world) {
    Hash hash;
    hash.add(world.options().ray_mode);
    hash.add(world.engine_revision());
    for (const Body& body : world.bodies())
        hash.add(body.state.hidden);
    return hash.value();
}

/// The end of the color scale: above all but a few cells, so that one costly ray does not darken the rest.
constexpr double kShareBelowTop = 0.995;

std::uint32_t automatic_top(std::vector<std::uint32_t> counts) {
    const auto rank = static_cast<std::size_t>(kShareBelowTop * static_cast<double>(counts.size() - 1));
    std::nth_element(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(rank), counts.end());
    return std::max(counts[rank], 1u);
}

Heatmap summed_up(glm::ivec2 cells, int cell_px, const std::vector<std::uint32_t>& counts, int top) {
    Heatmap map;
    map.cells = cells;
    map.cell_px = cell_px;
    map.counts = counts;
    map.top = top > 0 ? static_cast<std::uint32_t>(top) : automatic_top(counts);
    double sum = 0;
    for (const std::uint32_t count : counts) {
        sum += count;
        map.max_count = std::max(map.max_count, count);
        const std::uint64_t bin = std::uint64_t{count} * Heatmap::kBins / (std::uint64_t{map.top} + 1);
        ++map.histogram[std::min<std::size_t>(bin, Heatmap::kBins - 1)];
    }
    map.mean = sum / static_cast<double>(counts.size());
    return map;
}

}  // namespace

HeatOptions heat_options(const Settings& settings) {
    HeatOptions options;
    options.counter = settings[kHeatCounter];
    options.finest_px = settings[kHeatDetail];
    options.rays_per_frame = settings[kHeatRays];
    options.top = settings[kHeatAuto] ? 0 : settings[kHeatTop];
    return options;
}

void HeatCaster::begin_level(int cell_px) {
    const glm::ivec2 before = cells_;
    const int before_px = cell_px_;
    const std::vector<std::uint32_t> coarse = std::move(counts_);
    cell_px_ = cell_px;
    cells_ = glm::ivec2(glm::ceil(key_.view_px / static_cast<float>(cell_px)));
    counts_.assign(static_cast<std::size_t>(cells_.x) * static_cast<std::size_t>(cells_.y), 0);
    done_ = 0;
    if (before_px == 0) return;
    // Until its own ray is cast, a cell shows the count of the coarser cell around it.
    for (int y = 0; y < cells_.y; ++y)
        for (int x = 0; x < cells_.x; ++x) {
            const glm::ivec2 from = glm::min(glm::ivec2(x, y) * cell_px / before_px, before - 1);
            counts_[place_of(x, y, cells_.x)] = coarse[place_of(from.x, from.y, before.x)];
        }
}

void HeatCaster::cast(const World& world, std::size_t first, std::size_t count) {
    const auto cast_part = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto width = static_cast<std::size_t>(cells_.x);
            const glm::vec2 cell(i % width, i / width);
            const glm::vec2 pixel = glm::min((cell + 0.5f) * static_cast<float>(cell_px_), key_.view_px);
            const RayCost cost = ray_cost(world, key_.camera.ray_through(pixel, key_.view_px));
            counts_[i] = key_.counter == HeatCounter::Nodes ? cost.nodes : cost.triangles;
        }
    };
    // Rays differ in cost: several parts for each thread.
    constexpr std::size_t kRaysPerPart = 1000;
    const std::size_t parts = (count + kRaysPerPart - 1) / kRaysPerPart;
    platform::all_cores().run(parts, [&](std::size_t part) {
        cast_part(first + count * part / parts, first + count * (part + 1) / parts);
    });
}

std::shared_ptr<const Heatmap> HeatCaster::advance(const World& world, const Camera& camera,
                                                   glm::vec2 view_px, const HeatOptions& options) {
    view_px = glm::floor(view_px);
    if (!(view_px.x >= 1.0f && view_px.y >= 1.0f)) return nullptr;
    const Key key{camera, view_px, options.counter, options.finest_px, fingerprint(world)};
    if (!started_ || key != key_) {
        clear();
        key_ = key;
        started_ = true;
        begin_level(std::max(kCoarsest_px, options.finest_px));
    }
    bool changed = top_ != options.top || !result_;
    top_ = options.top;
    auto left = static_cast<std::size_t>(std::max(options.rays_per_frame, 1));
    while (left > 0) {
        if (done_ == counts_.size()) {
            if (cell_px_ <= options.finest_px) break;
            begin_level(std::max(cell_px_ / 2, options.finest_px));
        }
        const std::size_t now = std::min(left, counts_.size() - done_);
        cast(world, done_, now);
        done_ += now;
        left -= now;
        changed = true;
    }
    if (!changed) return result_;
    Heatmap map = summed_up(cells_, cell_px_, counts_, options.top);
    map.counter = key_.counter == HeatCounter::Nodes ? "nodes visited" : "triangles tested";
    map.view_px = view_px;
    map.complete = cell_px_ <= options.finest_px && done_ == counts_.size();
    result_ = std::make_shared<const Heatmap>(std::move(map));
    return result_;
}

}  // namespace lab
