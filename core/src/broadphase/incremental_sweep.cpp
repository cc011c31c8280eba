// The incremental sweep: on each axis the starts and ends of all boxes stay sorted from step to step.
//
// All endpoints get their new values first, then insertion sort restores each axis. It swaps every pair of
// neighbors that is out of order exactly once: a start that passes an end to its left may begin a pair, which
// a test of the new boxes decides; an end that passes a start to its left ends one. Coherent motion causes
// few swaps; large jumps cause many, up to the square of the count. So would many new boxes at once: then all
// axes are sorted from scratch and the pairs found by one sweep. Starts sort before ends of the same value:
// touching is overlap.
#include <algorithm>
#include <unordered_set>

#include "broadphase/engines.hpp"

namespace bv::detail {

namespace {

class IncrementalSweep final : public Broadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::IncrementalSweep; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<IncrementalSweep>(*this); }
    BroadphaseLayout layout() const override {
        BroadphaseLayout out;
        for (int k = 0; k < 3; ++k) {
            auto& sorted = out.axes.emplace_back();
            sorted.axis = k;
            for (const End& e : axes_[k])
                if (!e.upper())
                    sorted.intervals.push_back(
                        {proxies()[e.index()].user_data, box_at(e.index()).min[k], box_at(e.index()).max[k]});
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

    void on_insert(std::uint32_t index) override {
        for (auto& axis : axes_) {
            axis.push_back({0.0f, index * 2});
            axis.push_back({0.0f, index * 2 + 1});
        }
        ++fresh_;
        dirty_ = true;
    }
    void on_remove(std::uint32_t index) override {
        for (auto& axis : axes_)
            std::erase_if(axis, [index](const End& e) { return e.index() == index; });
        std::erase_if(pairs_, [index](std::uint64_t k) {
            return static_cast<std::uint32_t>(k >> 32) == index || static_cast<std::uint32_t>(k) == index;
        });
    }
    /// In one pass over the ends and pairs.
    void on_remove_all(std::span<const std::uint32_t> indices) override {
        std::vector<bool> gone(proxies().size());
        for (const std::uint32_t index : indices)
            gone[index] = true;
        for (auto& axis : axes_)
            std::erase_if(axis, [&](const End& e) { return gone[e.index()]; });
        std::erase_if(pairs_, [&](std::uint64_t k) {
            return gone[static_cast<std::uint32_t>(k >> 32)] || gone[static_cast<std::uint32_t>(k)];
        });
    }
    bool on_move(std::uint32_t, const glm::vec3&) override {
        dirty_ = true;
        return false;
    }

    void on_update() override {
        NoTrace sink;
        update_with(sink);
    }
    template <class Sink>
    void update_with(Sink& sink) {
        if (!dirty_) return;
        dirty_ = false;
        const bool rebuild = fresh_ >= kFewFresh && 4 * fresh_ >= size();
        fresh_ = 0;
        for (int k = 0; k < 3; ++k) {
            for (End& e : axes_[k])
                e.value = e.upper() ? box_at(e.index()).max[k] : box_at(e.index()).min[k];
            if (rebuild)
                std::sort(axes_[k].begin(), axes_[k].end(), before_or_older);
            else
                sort_axis(k, sink);
        }
        if (rebuild) keep_all(sink);
    }
    static bool before_or_older(const End& a, const End& b) noexcept {
        return before(a, b) || (!before(b, a) && a.owner < b.owner);
    }
    template <class Sink>
    void keep_all(Sink& sink) {
        pairs_.clear();
        overfull_ = false;
        sweep([this](std::uint32_t a, std::uint32_t b) { return keep(a, b); }, sink);
    }
    /// Finds all pairs by sweeping along the widest axis with a list of open boxes, until `found` returns
    /// false.
    template <class Found, class Sink>
    void sweep(const Found& found, Sink& sink) {
        if (axes_[0].empty()) return;
        int widest = 0;
        const auto extent = [&](int k) {
            return double{axes_[k].back().value} - double{axes_[k].front().value};
        };
        for (int k = 1; k < 3; ++k)
            if (extent(k) > extent(widest)) widest = k;
        std::vector<std::uint32_t> open;
        for (const End& e : axes_[widest]) {
            if (e.upper()) {
                *std::find(open.begin(), open.end(), e.index()) = open.back();
                open.pop_back();
                continue;
            }
            tests_ += open.size();
            if constexpr (Sink::kEnabled)
                sink(SweepReached{e.index(), static_cast<std::uint8_t>(widest), e.value,
                                  box_at(e.index()).max[widest], static_cast<std::uint32_t>(open.size())});
            for (const std::uint32_t other : open) {
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
    template <class Sink>
    void sort_axis(int axis, Sink& sink) {
        std::vector<End>& ends = axes_[axis];
        for (std::size_t i = 1; i < ends.size(); ++i) {
            const End moving = ends[i];
            std::size_t to = i;
            for (; to > 0 && before(moving, ends[to - 1]); --to) {
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
            }
            ends[to] = moving;
        }
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
            if (out.count() < kMaxKept / 2) keep_all(sink);
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
        return bytes;
    }

    static constexpr std::size_t kFewFresh = 32;
    /// Beyond this number no pairs are kept; each call then finds them again.
    static constexpr std::size_t kMaxKept = 4'000'000;

    std::vector<End> axes_[3];
    std::unordered_set<std::uint64_t> pairs_;
    std::uint64_t tests_ = 0;
    std::size_t fresh_ = 0;  // boxes added since the last update
    bool dirty_ = false;
    bool overfull_ = false;
};

}  // namespace

std::unique_ptr<Broadphase> make_incremental_sweep(const TreeOptions& /*options*/) {
    return std::make_unique<IncrementalSweep>();
}

}  // namespace bv::detail
