#include "session/before_after_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "settings/settings.hpp"

namespace lab {
namespace {

/// Changes of one setting within this many frames count as one: a dragged slider.
constexpr std::size_t kStillChanging = 10;

/// Mean costs, except for pairs and trees, which are those of `moment`.
FrameCost summed_up(const std::vector<FrameCost>& frames, const FrameCost& moment) {
    FrameCost sum;
    for (const FrameCost& frame : frames)
        for (std::size_t i = 0; i < sum.values.size(); ++i)
            sum.values[i] += frame.values[i] / static_cast<double>(frames.size());
    for (const CostRow& row : cost_rows())
        if (row.unit == CostRow::Unit::Moment) sum[row.row] = moment[row.row];
    return sum;
}

}  // namespace

void BeforeAfterMeter::restart(const Settings& settings) {
    *this = {};
    for (const SettingSpec* row : settings.catalog().rows())
        if (row->is_algorithm) watched_.push_back({row, settings.get_as_text(*row)});
}

void BeforeAfterMeter::look_at(const Settings& settings) {
    for (Watched& watched : watched_) {
        const SettingSpec& spec = *watched.setting;
        std::string now = settings.get_as_text(spec);
        if (now == watched.value) continue;
        const std::string was = std::exchange(watched.value, std::move(now));
        const bool goes_on = changing_ == &spec && frames_.size() < kStillChanging;
        if (!goes_on) {
            begin({});
            changing_ = &spec;
            first_value_ = was;
        }
        frames_.clear();
        change_ =
            fmt::format("{}: from {} to {}", spec.label, spec.shown(first_value_), spec.shown(watched.value));
    }
}

void BeforeAfterMeter::begin(std::string change) {
    if (!frames_.empty()) {
        before_ = summed_up(frames_, last_);
        frames_before_ = static_cast<std::uint32_t>(frames_.size());
    }
    frames_.clear();
    oldest_ = 0;
    change_ = std::move(change);
    changing_ = nullptr;
}

void BeforeAfterMeter::add(const FrameCost& cost, std::uint64_t revision) {
    if (std::exchange(revision_, revision) == revision) return;
    last_ = cost;
    if (frames_.empty()) first_since_ = cost;
    if (frames_.size() < kFrames) {
        frames_.push_back(cost);
        return;
    }
    frames_[oldest_] = cost;
    oldest_ = (oldest_ + 1) % kFrames;
}

std::optional<BeforeAfter> BeforeAfterMeter::result() const {
    if (change_.empty() || frames_before_ == 0 || frames_.empty()) return std::nullopt;
    return BeforeAfter{change_, before_, summed_up(frames_, first_since_), frames_before_,
                       static_cast<std::uint32_t>(frames_.size())};
}

}  // namespace lab
