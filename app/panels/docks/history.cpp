#include "panels/docks/history.hpp"

#include <algorithm>
#include <cmath>

namespace lab::panels {
namespace {

/// Index of the first value in a sample that belongs to the tree.
constexpr std::size_t kFirstOfTree = 6;

}  // namespace

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

std::array<Series*, History::kSeries> History::all() {
    return {&frame_ms, &step_ms,        &bodies,       &broad, &volume,    &exact,
            &height,   &optimal_height, &alarm_height, &sah,   &area_ratio};
}

std::deque<History::Sample>::iterator History::place_of(std::uint64_t number) {
    return std::lower_bound(samples_.begin(), samples_.end(), number,
                            [](const Sample& sample, std::uint64_t at) { return sample.frame < at; });
}

std::array<float, History::kSeries> History::values_of(const FrameResults& results, float wall_ms) const {
    return {wall_ms,
            static_cast<float>(total_ms(results.timings_ms)),
            static_cast<float>(results.bodies.size()),
            static_cast<float>(results.pairs.broad_count()),
            static_cast<float>(results.pairs.volume.size()),
            static_cast<float>(results.pairs.exact.size()),
            static_cast<float>(tree.height),
            static_cast<float>(tree.optimal_height),
            static_cast<float>(2 * tree.optimal_height),
            static_cast<float>(tree.sah),
            static_cast<float>(tree.area_ratio)};
}

void History::refill() {
    const std::array<Series*, kSeries> series = all();
    for (Series* one : series)
        one->clear();
    const auto end = place_of(frame + 1);
    const auto count = std::min<std::ptrdiff_t>(end - samples_.begin(), Series::kCapacity);
    for (auto sample = end - count; sample != end; ++sample)
        for (std::size_t i = 0; i < kSeries; ++i)
            series[i]->add(sample->values[i]);
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
    // The plots pause with the simulation.
    const bool still = results.paused && frame != kNone && results.frame > frame && results.steps == steps_;
    steps_ = results.steps;
    if (still) {
        // All frames shown while paused count as one, numbered as the newest of them.
        const auto last = place_of(frame);
        if (last != samples_.end() && last->frame == frame &&
            (last + 1 == samples_.end() || (last + 1)->frame > results.frame))
            last->frame = results.frame;
        frame = results.frame;
    }
    if (results.frame == frame) {  // its tree may have been snapshotted since
        const TreeNumbers before = tree;
        measure_tree(results);
        const auto now = place_of(frame);
        if (now == samples_.end() || now->frame != frame) return;
        if (tree.nodes == 0 || (tree.id == before.id && tree.nodes == before.nodes &&
                                tree.height == before.height && tree.sah == before.sah))
            return;
        const std::array<float, kSeries> values = values_of(results, wall_ms);
        std::copy(values.begin() + kFirstOfTree, values.end(), now->values.begin() + kFirstOfTree);
        return refill();
    }
    const bool follows = frame != kNone && results.frame == frame + 1;
    if (!follows) tree = {};  // it belongs to another point in time
    frame = results.frame;
    measure_tree(results);
    auto place = place_of(frame);
    const bool is_known = place != samples_.end() && place->frame == frame;
    if (!results.in_past && place != samples_.end() && !(is_known && place + 1 == samples_.end())) {
        samples_.erase(place, samples_.end());  // the record takes a different course from here
        place = samples_.end();
    } else if (is_known) {
        return refill();
    }
    const bool is_newest = place == samples_.end();
    const Sample& sample = *samples_.insert(place, {frame, values_of(results, wall_ms)});
    if (!follows || !is_newest) {
        refill();
    } else {
        const std::array<Series*, kSeries> series = all();
        for (std::size_t i = 0; i < kSeries; ++i)
            series[i]->add(sample.values[i]);
    }
    if (samples_.size() > kMaxFrames) samples_.pop_front();
}

}  // namespace lab::panels
