// Brute force, and the sweep along one axis.
#include <algorithm>

#include "broadphase/engines.hpp"

namespace bv::detail {

namespace {

class BruteForce final : public StatelessBroadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::BruteForce; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<BruteForce>(*this); }

  private:
    std::uint64_t collect(PairSink& out) override {
        gather();
        return collect_parts(items_.size(), out, [this](std::size_t begin, std::size_t end, PairSink& found) {
            NoTrace sink;
            return search(begin, end, found, sink);
        });
    }
    std::uint64_t collect_traced(PairSink& out, Recording& trace) override {
        gather();
        return search(0, items_.size(), out, trace);
    }
    /// Tests the items of a range against all later ones.
    template <class Sink>
    std::uint64_t search(std::size_t begin, std::size_t end, PairSink& out, Sink& sink) const {
        std::uint64_t tests = 0;
        for (std::size_t i = begin; i < end && !out.is_full(); ++i)
            for (std::size_t j = i + 1; j < items_.size(); ++j) {
                ++tests;
                const bool overlap = overlaps(items_[i].box, items_[j].box);
                report_test(sink, items_[i].index, items_[j].index, overlap);
                if (overlap) out.push_back({items_[i].index, items_[j].index});
            }
        return tests;
    }
    std::size_t engine_bytes() const noexcept override { return items_bytes(); }
};

class SweepAndPrune final : public StatelessBroadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::SweepAndPrune; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<SweepAndPrune>(*this); }
    BroadphaseLayout layout() const override {
        if (items_.empty()) return {};
        BroadphaseLayout out;
        auto& sorted = out.axes.emplace_back();
        sorted.axis = axis_;
        for (const Item& i : items_)
            sorted.intervals.push_back({user_data_[i.index], i.box.min[axis_], i.box.max[axis_]});
        return out;
    }

  private:
    // The axis on which the centers vary most leaves the fewest overlaps.
    [[nodiscard]] int widest_axis() const {
        double sum[3] = {0, 0, 0};
        double squares[3] = {0, 0, 0};
        for (const Item& i : items_)
            for (int k = 0; k < 3; ++k) {
                const double c = 0.5 * double{i.box.min[k]} + 0.5 * double{i.box.max[k]};
                sum[k] += c;
                squares[k] += c * c;
            }
        int axis = 0;
        double max_variance = -1.0;
        for (int k = 0; k < 3; ++k) {
            const double n = static_cast<double>(items_.size());
            const double variance = squares[k] - sum[k] * sum[k] / n;
            if (variance > max_variance) {
                max_variance = variance;
                axis = k;
            }
        }
        return axis;
    }
    std::uint64_t collect(PairSink& out) override {
        sort_items();
        return collect_parts(items_.size(), out, [this](std::size_t begin, std::size_t end, PairSink& found) {
            NoTrace sink;
            return search(begin, end, found, sink);
        });
    }
    std::uint64_t collect_traced(PairSink& out, Recording& trace) override {
        sort_items();
        return search(0, items_.size(), out, trace);
    }
    void sort_items() {
        gather();
        user_data_.clear();
        for (std::uint32_t i = 0; i < slots().size(); ++i)
            user_data_.push_back(user_data_at(i));
        if (items_.empty()) return;
        axis_ = widest_axis();
        const int axis = axis_;
        std::sort(items_.begin(), items_.end(), [axis](const Item& a, const Item& b) {
            return a.box.min[axis] < b.box.min[axis] ||
                   (a.box.min[axis] == b.box.min[axis] && a.index < b.index);
        });
    }
    /// Tests the items of a range against those that start before their end.
    template <class Sink>
    std::uint64_t search(std::size_t begin, std::size_t end, PairSink& out, Sink& sink) const {
        const int axis = axis_;
        std::uint64_t tests = 0;
        for (std::size_t i = begin; i < end && !out.is_full(); ++i) {
            const float upper = items_[i].box.max[axis];
            if constexpr (Sink::kEnabled) report_reached(i, sink);
            for (std::size_t j = i + 1; j < items_.size() && items_[j].box.min[axis] <= upper; ++j) {
                ++tests;
                const bool overlap = overlaps(items_[i].box, items_[j].box);
                report_test(sink, items_[i].index, items_[j].index, overlap);
                if (overlap) out.push_back({items_[i].index, items_[j].index});
            }
        }
        return tests;
    }
    void report_reached(std::size_t at, Recording& trace) const {
        const Aabb& box = items_[at].box;
        const float low = box.min[axis_];
        const auto open = std::count_if(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(at),
                                        [&](const Item& i) { return i.box.max[axis_] >= low; });
        trace(SweepReached{items_[at].index, static_cast<std::uint8_t>(axis_), low, box.max[axis_],
                           static_cast<std::uint32_t>(open)});
    }
    std::size_t engine_bytes() const noexcept override {
        return items_bytes() + user_data_.size() * sizeof(std::uint64_t);
    }

    int axis_ = 0;
    std::vector<std::uint64_t> user_data_;  // Per slot, for layout(): slots can be reused after the search.
};

}  // namespace

std::unique_ptr<Broadphase> make_brute_force(const TreeOptions& /*options*/) {
    return std::make_unique<BruteForce>();
}
std::unique_ptr<Broadphase> make_sweep_and_prune(const TreeOptions& /*options*/) {
    return std::make_unique<SweepAndPrune>();
}

}  // namespace bv::detail
