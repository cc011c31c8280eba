#include "panels/docks/history.hpp"

#include <algorithm>
#include <cmath>

namespace lab::panels {

void Series::add(float value) {
    if (!std::isfinite(value)) value = 0.0f;
    values_[(start_ + size_) % kCapacity] = value;
    if (size_ < kCapacity)
        ++size_;
    else
        start_ = (start_ + 1) % kCapacity;
}

float Series::max() const {
    float highest = 0.0f;
    for (std::size_t i = 0; i < size_; ++i)
        highest = std::max(highest, (*this)[i]);
    return highest;
}

float Series::mean() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size_; ++i)
        sum += static_cast<double>((*this)[i]);
    return size_ == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(size_));
}

float Series::percentile(float share) const {
    if (size_ == 0) return 0.0f;
    std::array<float, kCapacity> sorted = values_;
    // While the ring is not full, the values start at 0.
    const auto at = static_cast<std::size_t>(std::clamp(share, 0.0f, 1.0f) * static_cast<float>(size_ - 1));
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at),
                     sorted.begin() + static_cast<std::ptrdiff_t>(size_));
    return sorted[at];
}

TreeNumbers tree_numbers(const bv::TreeSnapshot& tree) {
    TreeNumbers n;
    n.nodes = static_cast<std::uint32_t>(tree.size());
    if (tree.empty()) return n;
    double inner = 0.0;
    double leaf = 0.0;
    std::uint32_t widest = 2;
    for (std::uint32_t i = 0; i < n.nodes; ++i) {
        const double area = static_cast<double>(tree.boxes[i].surface_area());
        n.height = std::max(n.height, tree.depths[i]);
        widest = std::max(widest, tree.child_count[i]);
        if (tree.is_leaf(i)) {
            ++n.leaves;
            leaf += area * static_cast<double>(tree.payload_count[i]);
        } else if (i != 0) {
            inner += area;
        }
    }
    for (std::uint64_t reach = 1; reach < n.leaves; reach *= widest)
        ++n.optimal_height;
    const double root = static_cast<double>(tree.boxes[0].surface_area());
    if (root > 0.0) {
        n.area_ratio = inner / root;
        n.sah = (tree.is_leaf(0) ? 0.0 : 1.0) + (inner + leaf) / root;
    }
    return n;
}

double total_ms(const TimingsMs& t) {
    return t.motion + t.refit + t.broadphase + t.narrowphase + t.results + t.queries + t.verify + t.viz +
           t.render;
}

/// The frames from `first` on.
void History::take_back(std::uint64_t first) {
    for (std::uint64_t gone = frame; gone >= first && height.size() > 0; --gone) {
        for (Series* series : {&frame_ms, &step_ms, &bodies, &broad, &volume, &exact, &height,
                               &optimal_height, &alarm_height, &sah, &area_ratio})
            series->drop_last();
        if (gone == 0) break;
    }
}

void History::measure_tree(const FrameResults& results) {
    const bv::TreeSnapshot* shown = nullptr;
    std::string shown_id;
    for (const auto& [id, snapshot] : results.trees) {
        if (snapshot.empty() || (shown && id != "bodies")) continue;
        shown = &snapshot;
        shown_id = id;
    }
    if (!shown) {
        if (!results.broadphase.has_tree) tree = {};  // else it has no snapshot in this frame
        return;
    }
    // Metrics of a very large tree change slowly, and summing over all nodes takes time.
    constexpr std::size_t kLarge = 20'000;
    constexpr std::uint64_t kSeldom = 16;
    const bool same = tree.nodes > 0 && tree.id == shown_id;
    if (same && (measured_ == frame || (shown->size() >= kLarge && frame - measured_ < kSeldom))) return;
    tree = tree_numbers(*shown);
    tree.id = shown_id;
    measured_ = frame;
}

void History::add(const FrameResults& results, float wall_ms) {
    if (results.record != record) {
        *this = History();
        record = results.record;
    }
    const auto add_tree = [this] {
        height.add(static_cast<float>(tree.height));
        optimal_height.add(static_cast<float>(tree.optimal_height));
        alarm_height.add(static_cast<float>(2 * tree.optimal_height));
        sah.add(static_cast<float>(tree.sah));
        area_ratio.add(static_cast<float>(tree.area_ratio));
    };
    // The plots pause with the simulation.
    const bool still = results.paused && frame != kNone && results.frame > frame && results.steps == steps_;
    steps_ = results.steps;
    if (still) frame = results.frame;
    if (results.frame == frame) {  // its tree may have been snapshotted since
        measure_tree(results);
        for (Series* series : {&height, &optimal_height, &alarm_height, &sah, &area_ratio})
            series->drop_last();
        return add_tree();
    }
    if (frame != kNone && results.frame < frame) take_back(results.frame);
    if (frame == kNone || results.frame != frame + 1) tree = {};  // it belongs to another point in time
    frame = results.frame;
    frame_ms.add(wall_ms);
    step_ms.add(static_cast<float>(total_ms(results.timings_ms)));
    bodies.add(static_cast<float>(results.bodies.size()));
    broad.add(static_cast<float>(results.pairs.broad_count()));
    volume.add(static_cast<float>(results.pairs.volume.size()));
    exact.add(static_cast<float>(results.pairs.exact.size()));
    measure_tree(results);
    add_tree();
}

}  // namespace lab::panels
