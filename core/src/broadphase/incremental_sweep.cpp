// The incremental sweep: on each axis the starts and ends of all boxes stay sorted from step to step.
//
// All endpoints get their new values first, then insertion sort restores each axis. It swaps every pair of
// neighbors that is out of order exactly once: a start that passes an end to its left may begin a pair, which
// a test of the new boxes decides; an end that passes a start to its left ends one. Coherent motion causes
// few swaps; large jumps would cause many, up to the square of the count, and so would many new boxes at
// once. Many new boxes, or more swaps than that would cost, cause all axes to be sorted from scratch and
// the pairs to be found by one sweep. Removed boxes leave the axes and the pairs at the next update, all in
// one pass. Starts sort before ends of the same value: touching is overlap.
#include <algorithm>
#include <bit>
#include <unordered_set>

#include "broadphase/engines.hpp"

namespace bv::detail {

namespace {

class IncrementalSweep final : public BoxListBroadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::IncrementalSweep; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<IncrementalSweep>(*this); }
    BroadphaseLayout layout() const override {
        BroadphaseLayout out;
        std::vector<float> upper(slots().size());
        for (int k = 0; k < 3; ++k) {
            auto& sorted = out.axes.emplace_back();
            sorted.axis = k;
            for (const End& e : axes_[k])
                if (e.upper()) upper[e.index()] = e.value;
            for (const End& e : axes_[k])
                if (!e.upper() && !is_gone(e.index()) && !is_new(e.index()))
                    sorted.intervals.push_back({user_data_at(e.index()), e.value, upper[e.index()]});
        }
        return out;
    }

  private:
    struct End {
        float value;
        std::uint32_t owner;  // index * 2, + 1 for the upper end
        [[nodiscard]] std::uint32_t index() const noexcept { return owner / 2; }
        [[nodiscard]] bool upper() const noexcept { return owner & 1u; }
    };

    static std::uint64_t key(std::uint32_t a, std::uint32_t b) noexcept {
        return a < b ? (std::uint64_t{a} << 32) | b : (std::uint64_t{b} << 32) | a;
    }
    static bool before(const End& a, const End& b) noexcept {
        return a.value < b.value || (a.value == b.value && !a.upper() && b.upper());
    }

    void on_insert(std::uint32_t index, const Aabb& box) override {
        set_box(index, box);
        dirty_ = true;
        is_new_.resize(slots().size());
        is_new_[index] = true;
        if (is_gone(index)) {  // The new box in this slot takes over the ends of the removed one: a move.
            gone_[index] = false;
            --gone_count_;
            return;
        }
        for (auto& axis : axes_) {
            axis.push_back({0.0f, index * 2});
            axis.push_back({0.0f, index * 2 + 1});
        }
        ++fresh_;
    }
    void on_remove(std::uint32_t index) override {
        gone_.resize(slots().size());
        gone_[index] = true;
        ++gone_count_;
        dirty_ = true;
    }
    void on_remove_all(std::span<const std::uint32_t> indices) override {
        for (const std::uint32_t index : indices)
            on_remove(index);
        erase_gone();
    }
    [[nodiscard]] bool is_gone(std::uint32_t index) const { return index < gone_.size() && gone_[index]; }
    [[nodiscard]] bool is_new(std::uint32_t index) const { return index < is_new_.size() && is_new_[index]; }
    /// Erases removed boxes, in one pass over the ends and pairs.
    void erase_gone() {
        if (gone_count_ == 0) return;
        for (auto& axis : axes_)
            std::erase_if(axis, [this](const End& e) { return is_gone(e.index()); });
        std::erase_if(pairs_, [this](std::uint64_t k) {
            return is_gone(static_cast<std::uint32_t>(k >> 32)) || is_gone(static_cast<std::uint32_t>(k));
        });
        gone_.clear();
        gone_count_ = 0;
    }
    bool on_move(std::uint32_t index, const Aabb& box, const glm::vec3&) override {
        set_box(index, box);
        dirty_ = true;
        return false;
    }
    bool on_move_all(const Moves& moves) override {
        dirty_ = true;
        return BoxListBroadphase::on_move_all(moves);
    }

    void on_update() override {
        NoTrace sink;
        update_with(sink);
    }
    template <class Sink>
    void update_with(Sink& sink) {
        if (!dirty_) return;
        dirty_ = false;
        erase_gone();
        bool rebuild = fresh_ >= kFewFresh && 4 * fresh_ >= size();
        fresh_ = 0;
        is_new_.clear();
        Budget budget{kFreeSwapsPerEnd * axes_[0].size(), widest_axis()};
        for (int k = 0; k < 3; ++k) {
            for (End& e : axes_[k])
                e.value = e.upper() ? box_at(e.index()).max[k] : box_at(e.index()).min[k];
            if (rebuild || sort_axis(k, budget, sink)) continue;
            rebuild = true;
            given_up_ = (given_up_ + 1) % kGiveUps;
        }
        if (!rebuild) {
            given_up_ = 0;
            return;
        }
        for (auto& axis : axes_)
            std::sort(axis.begin(), axis.end(), before_or_older);
        // While there are too many pairs, the searches count them and decide when to keep them again.
        if (!overfull_) keep_all(sink);
    }
    static bool before_or_older(const End& a, const End& b) noexcept {
        return before(a, b) || (!before(b, a) && a.owner < b.owner);
    }
    template <class Sink>
    void keep_all(Sink& sink) {
        pairs_.clear();
        overfull_ = false;
        sweep([this](std::uint32_t a, std::uint32_t b) { return keep(a, b); }, sink);
        if (!overfull_) wait_ = until_retry_ = kFirstWait;
    }
    [[nodiscard]] int widest_axis() const {
        if (axes_[0].empty()) return 0;
        const auto extent = [&](int k) {
            return double{axes_[k].back().value} - double{axes_[k].front().value};
        };
        int widest = 0;
        for (int k = 1; k < 3; ++k)
            if (extent(k) > extent(widest)) widest = k;
        return widest;
    }
    /// The cost in swaps, estimated from the order so far: a comparison of the sort and a test of the sweep
    /// take about as long as a swap, a pair several times longer.
    [[nodiscard]] std::size_t cost_of_rebuild(int widest) const {
        std::size_t open = 0, tests = 0;
        for (const End& e : axes_[widest]) {
            tests += e.upper() ? 0 : open;
            open += e.upper() ? -1 : 1;
        }
        return 3 * axes_[0].size() * std::bit_width(axes_[0].size()) + tests + 8 * pairs_.size();
    }
    /// Finds all pairs by sweeping along the widest axis with a list of open boxes, until `found` returns
    /// false.
    template <class Found, class Sink>
    void sweep(const Found& found, Sink& sink) {
        if (axes_[0].empty()) return;
        const int widest = widest_axis();
        std::vector<std::uint32_t> open;
        for (const End& e : axes_[widest]) {
            if (e.upper()) {
                *std::find(open.begin(), open.end(), e.index()) = open.back();
                open.pop_back();
                continue;
            }
            if constexpr (Sink::kEnabled)
                sink(SweepReached{e.index(), static_cast<std::uint8_t>(widest), e.value,
                                  box_at(e.index()).max[widest], static_cast<std::uint32_t>(open.size())});
            for (const std::uint32_t other : open) {
                ++tests_;
                const bool overlap = overlaps(box_at(e.index()), box_at(other));
                report_test(sink, e.index(), other, overlap);
                if (overlap && !found(e.index(), other)) return;
            }
            open.push_back(e.index());
        }
    }
    /// False once there are too many pairs to keep between steps.
    bool keep(std::uint32_t a, std::uint32_t b) {
        if (!overfull_) pairs_.insert(key(a, b));
        if (pairs_.size() <= kMaxKept) return !overfull_;
        overfull_ = true;
        pairs_.clear();
        return false;
    }
    /// The swaps of an update, and how many may happen before the cost of a rebuild is compared.
    struct Budget {
        std::size_t limit;
        int widest;  // the axis of largest spread before the update
        std::size_t swaps = 0;
    };
    /// False once a rebuild costs less than the swaps so far; the axis and the pairs are unfinished then.
    template <class Sink>
    bool sort_axis(int axis, Budget& budget, Sink& sink) {
        std::vector<End>& ends = axes_[axis];
        for (std::size_t i = 1; i < ends.size(); ++i) {
            if (!before(ends[i], ends[i - 1])) continue;
            const End moving = ends[i];
            std::size_t to = i;
            do {
                const End& passed = ends[to - 1];
                if constexpr (Sink::kEnabled)
                    sink(EndsExchanged{static_cast<std::uint8_t>(axis), moving.index(), passed.index(),
                                       moving.upper(), passed.upper(), moving.value, passed.value});
                if (!moving.upper() && passed.upper()) {
                    ++tests_;
                    const bool overlap = overlaps(box_at(moving.index()), box_at(passed.index()));
                    report_test(sink, moving.index(), passed.index(), overlap);
                    if (overlap) keep(moving.index(), passed.index());
                } else if (moving.upper() && !passed.upper()) {
                    pairs_.erase(key(moving.index(), passed.index()));
                }
                ends[to] = passed;
                --to;
            } while (to > 0 && before(moving, ends[to - 1]));
            ends[to] = moving;
            budget.swaps += i - to;
            if (budget.swaps <= budget.limit) continue;
            budget.limit = cost_of_rebuild(budget.widest) >> given_up_;
            if (budget.swaps > budget.limit) return false;
        }
        return true;
    }
    std::uint64_t collect(PairSink& out) override {
        NoTrace sink;
        return search(out, sink);
    }
    std::uint64_t collect_traced(PairSink& out, Recording& trace) override { return search(out, trace); }
    template <class Sink>
    std::uint64_t search(PairSink& out, Sink& sink) {
        update_with(sink);
        const bool rebuild = overfull_;
        if (rebuild) {
            sweep(
                [&out](std::uint32_t a, std::uint32_t b) {
                    out.push_back({a, b});
                    return !out.is_full();
                },
                sink);
            if (!out.is_full()) {
                if (out.count() < kMaxKept / 2) keep_all(sink);
            } else if (--until_retry_ == 0) {
                // The count of a search that was cut short says nothing about the total: keeping the pairs is
                // tried again from time to time, at growing intervals.
                wait_ = until_retry_ = std::min(2 * wait_, kLongestWait);
                keep_all(sink);
            }
        }
        if (!rebuild)
            for (const std::uint64_t k : pairs_)
                out.push_back({static_cast<std::uint32_t>(k >> 32), static_cast<std::uint32_t>(k)});
        const std::uint64_t tests = tests_;
        tests_ = 0;
        return tests;
    }
    std::size_t engine_bytes() const noexcept override {
        std::size_t bytes =
            pairs_.size() * (sizeof(std::uint64_t) + sizeof(void*)) + pairs_.bucket_count() * sizeof(void*);
        for (const auto& axis : axes_)
            bytes += axis.size() * sizeof(End);
        return box_bytes() + bytes + (gone_.size() + is_new_.size()) / 8;
    }

    static constexpr unsigned kFirstWait = 8, kLongestWait = 1024;
    static constexpr std::size_t kFewFresh = 32;
    static constexpr std::size_t kFreeSwapsPerEnd = 32;
    /// Consecutive updates over their budget halve the next one; after this many, the halving starts over.
    static constexpr unsigned kGiveUps = 7;
    /// Beyond this number no pairs are kept; each call then finds them again.
    static constexpr std::size_t kMaxKept = 4'000'000;

    std::vector<End> axes_[3];
    std::unordered_set<std::uint64_t> pairs_;
    std::uint64_t tests_ = 0;
    std::size_t fresh_ = 0;     // boxes in new slots since the last update
    std::vector<bool> is_new_;  // per slot: inserted since then
    std::vector<bool> gone_;    // per slot: removed since then
    std::size_t gone_count_ = 0;
    unsigned wait_ = kFirstWait, until_retry_ = kFirstWait;  // searches that were cut short
    unsigned given_up_ = 0;  // updates in a row that exceeded their budget, modulo kGiveUps
    bool dirty_ = false;
    bool overfull_ = false;
};

}  // namespace

std::unique_ptr<Broadphase> make_incremental_sweep(const TreeOptions& /*options*/) {
    return std::make_unique<IncrementalSweep>();
}

}  // namespace bv::detail
