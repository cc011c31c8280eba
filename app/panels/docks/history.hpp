// Time series of the few hundred frames up to the one on show, for the plots. The values are stored by frame,
// so that a look into the past and back loses none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "results/frame_results.hpp"

namespace lab::panels {

/// A ring of the last values of one quantity.
class Series {
  public:
    static constexpr std::size_t kCapacity = 300;

    void add(float value);
    void clear() { size_ = 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// 0 is the oldest.
    [[nodiscard]] float operator[](std::size_t i) const { return values_[(start_ + i) % kCapacity]; }
    [[nodiscard]] float last() const { return size_ == 0 ? 0.0f : (*this)[size_ - 1]; }
    [[nodiscard]] float max() const;
    [[nodiscard]] float mean() const;
    /// The quantile of the values; 0 without values. For scales that are robust against a single spike.
    [[nodiscard]] float percentile(float share) const;

  private:
    std::array<float, kCapacity> values_{};
    std::size_t start_ = 0, size_ = 0;
};

struct TreeNumbers {
    std::string id;  ///< Id of the tree in the results.
    std::uint32_t nodes = 0, leaves = 0, height = 0, optimal_height = 0;
    double area_ratio = 0;  ///< Sum of the surfaces of inner nodes other than the root, over the root's.
    double sah = 0;         ///< With both costs 1.
};
/// Metrics of a tree of any arity; all zeros for an empty one. Linear, no allocation.
[[nodiscard]] TreeNumbers tree_numbers(const bv::TreeSnapshot& tree);

struct History {
    /// Frames kept: about five minutes.
    static constexpr std::size_t kMaxFrames = 20'000;

    Series frame_ms, step_ms, bodies, broad, volume, exact, height, optimal_height, alarm_height, sah,
        area_ratio;
    TreeNumbers tree;  ///< The broadphase's tree in the last frame, else the first tree that has nodes.
    std::uint64_t frame = kNone;
    std::uint64_t record = 0;  ///< The record that the frames belong to.

    /// Adds a frame; the series then end at it. The same frame twice counts once. A frame in the past leaves
    /// those after it stored, for the way back; one of the present replaces them, since the record goes on
    /// from there. A different record starts over. A very large tree is measured only periodically and after
    /// jumps in time. Constant time for a frame that follows the last one, else linear in what is shown.
    void add(const FrameResults& results, float wall_ms);

  private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    static constexpr std::size_t kSeries = 11;
    struct Sample {
        std::uint64_t frame = 0;
        std::array<float, kSeries> values{};
    };
    [[nodiscard]] std::array<Series*, kSeries> all();
    /// The stored frame, or where it belongs.
    [[nodiscard]] std::deque<Sample>::iterator place_of(std::uint64_t number);
    [[nodiscard]] std::array<float, kSeries> values_of(const FrameResults& results, float wall_ms) const;
    /// Rebuilds the series from the stored frames up to `frame`.
    void refill();
    void measure_tree(const FrameResults& results);

    std::deque<Sample> samples_;      // in the order of their frames
    std::uint64_t steps_ = kNone;     // of the last frame
    std::uint64_t measured_ = kNone;  // the frame whose tree was measured last
};

[[nodiscard]] double total_ms(const TimingsMs& t);

}  // namespace lab::panels
