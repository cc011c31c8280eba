// Greedy, nearest label first. A label that overlaps an obstacle tries the places just beside it, then those
// beside the obstacles found there, and takes the nearest free one.
#include "render/text/declutter.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>

namespace lab::render {

namespace {

constexpr float kGap = 2.0f;  // px between labels
// So few labels are all worth reading: those without a free place nearby go farther away.
constexpr std::size_t kFew = 60;
constexpr float kFarther = 2.5f;
constexpr std::size_t kTries = 64;

bool overlap(const Rect& a, const Rect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

Rect moved(const Rect& r, glm::vec2 by) {
    return {r.min + by, r.max + by};
}

// A screen grid of placed rectangles, so that a thousand labels do not need a million tests.
class Cells {
  public:
    explicit Cells(const Rect& area)
        : origin_(area.min),
          count_(glm::max(glm::ivec2(glm::ceil((area.max - area.min) / kCell)), glm::ivec2(1))) {
        cells_.resize(static_cast<std::size_t>(count_.x) * static_cast<std::size_t>(count_.y));
    }
    enum class What : std::uint8_t { Solid, Anchor };
    void add(const Rect& rect, What what) {
        const auto index = static_cast<std::uint32_t>(taken_.size());
        taken_.push_back({rect, what});
        for_cells(rect, [&](std::vector<std::uint32_t>& cell) {
            cell.push_back(index);
            return false;
        });
    }
    // The first obstacle, or null. Anchors that overlap `forgiven` do not count.
    const Rect* blocker(const Rect& rect, const Rect& forgiven) {
        const Rect* found = nullptr;
        for_cells(rect, [&](std::vector<std::uint32_t>& cell) {
            for (const std::uint32_t index : cell) {
                const Taken& taken = taken_[index];
                if (!overlap(taken.rect, rect)) continue;
                if (taken.what == What::Anchor && overlap(taken.rect, forgiven)) continue;
                found = &taken.rect;
                return true;
            }
            return false;
        });
        return found;
    }

  private:
    static constexpr float kCell = 96.0f;
    template <class Visit>
    void for_cells(const Rect& rect, Visit visit) {
        const auto cell_of = [&](glm::vec2 p) {
            const glm::vec2 last(count_ - 1);
            return glm::ivec2(glm::clamp(glm::floor((p - origin_) / kCell), glm::vec2(0.0f), last));
        };
        const glm::ivec2 lo = cell_of(rect.min), hi = cell_of(rect.max);
        for (int y = lo.y; y <= hi.y; ++y)
            for (int x = lo.x; x <= hi.x; ++x)
                if (visit(cells_[static_cast<std::size_t>(y) * static_cast<std::size_t>(count_.x) +
                                 static_cast<std::size_t>(x)]))
                    return;
    }

    struct Taken {
        Rect rect;
        What what;
    };
    glm::vec2 origin_;
    glm::ivec2 count_;
    std::vector<Taken> taken_;
    std::vector<std::vector<std::uint32_t>> cells_;
};

// Offsets to try, each once: going back and forth between two neighbors would use up all tries.
class Tries {
  public:
    Tries(glm::vec2 first, std::size_t max_tries) : offsets_{first}, max_tries_(max_tries) {}
    void add(glm::vec2 offset) {
        for (const glm::vec2 known : offsets_)
            if (std::abs(known.x - offset.x) + std::abs(known.y - offset.y) < 1.0f) return;
        offsets_.push_back(offset);
    }
    // The four moves that leave `blocker`.
    void add_around(const Rect& wanted, const Rect& at, const Rect& blocker) {
        const glm::vec2 base = at.min - wanted.min;
        add(base + glm::vec2(0.0f, blocker.min.y - at.max.y - kGap));
        add(base + glm::vec2(0.0f, blocker.max.y - at.min.y + kGap));
        add(base + glm::vec2(blocker.min.x - at.max.x - kGap, 0.0f));
        add(base + glm::vec2(blocker.max.x - at.min.x + kGap, 0.0f));
    }
    // Over, under, right and left of what the label belongs to.
    void add_around_anchor(const Rect& wanted, const Rect& anchor) {
        constexpr float kFromAnchor = 3.0f;
        const glm::vec2 center = (wanted.min + wanted.max) * 0.5f, at = (anchor.min + anchor.max) * 0.5f;
        const glm::vec2 half =
            (wanted.max - wanted.min) * 0.5f + (anchor.max - anchor.min) * 0.5f + kFromAnchor;
        add(at + glm::vec2(0.0f, -half.y) - center);
        add(at + glm::vec2(0.0f, half.y) - center);
        add(at + glm::vec2(half.x, 0.0f) - center);
        add(at + glm::vec2(-half.x, 0.0f) - center);
    }
    // The nearest one not taken yet; false when all or too many were.
    bool take(glm::vec2& offset) {
        if (taken_ == offsets_.size() || taken_ == max_tries_) return false;
        // Sideways is farther than up or down: text beside text reads as one line.
        const auto cost = [](glm::vec2 d) { return std::abs(d.x) * 1.3f + std::abs(d.y); };
        const auto from = offsets_.begin() + static_cast<std::ptrdiff_t>(taken_);
        std::iter_swap(from, std::min_element(from, offsets_.end(),
                                              [&](glm::vec2 a, glm::vec2 b) { return cost(a) < cost(b); }));
        offset = offsets_[taken_++];
        return true;
    }

  private:
    std::vector<glm::vec2> offsets_;
    std::size_t max_tries_;
    std::size_t taken_ = 0;
};

LabelPlace find_place(Cells& cells, const LabelBox& label, const Rect& area, float reach,
                      std::size_t max_tries) {
    const Rect& wanted = label.rect;
    // Back into the picture first.
    const glm::vec2 low = glm::max(area.min - wanted.min, glm::vec2(0.0f));
    const glm::vec2 high = glm::min(area.max - wanted.max, glm::vec2(0.0f));
    const glm::vec2 start = low + high;
    Tries tries(start, max_tries);
    // A label whose preferred place covers its own anchor may cover it, and other anchors there, too.
    const bool over_anchor = overlap(wanted, label.anchor);
    const Rect forgiven = over_anchor ? label.anchor : Rect{};
    if (label.anchor.max.x > label.anchor.min.x && !over_anchor)
        tries.add_around_anchor(wanted, label.anchor);
    glm::vec2 offset(0.0f);
    while (tries.take(offset)) {
        const Rect at = moved(wanted, offset);
        const bool outside = at.min.x < area.min.x - 0.5f || at.min.y < area.min.y - 0.5f ||
                             at.max.x > area.max.x + 0.5f || at.max.y > area.max.y + 0.5f;
        if (offset != start && (outside || glm::length(offset) > reach)) continue;
        const Rect* blocker = cells.blocker(at, forgiven);
        if (!blocker) return {offset, false};
        tries.add_around(wanted, at, *blocker);
    }
    return {glm::vec2(0.0f), true};
}

}  // namespace

std::vector<LabelPlace> declutter(std::span<const LabelBox> labels, std::span<const Rect> obstacles,
                                  const Rect& area, float reach) {
    std::vector<std::uint32_t> order(labels.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return labels[a].depth < labels[b].depth; });
    Cells cells(area);
    for (const Rect& obstacle : obstacles)
        cells.add(obstacle, Cells::What::Solid);
    for (const LabelBox& label : labels)
        if (label.anchor.max.x > label.anchor.min.x) cells.add(label.anchor, Cells::What::Anchor);
    std::vector<LabelPlace> out(labels.size());
    for (const std::uint32_t i : order) {
        out[i] = find_place(cells, labels[i], area, reach, kTries);
        if (out[i].crowded_out && labels.size() <= kFew)
            out[i] = find_place(cells, labels[i], area, kFarther * reach, 8 * kTries);
        if (!out[i].crowded_out) cells.add(moved(labels[i].rect, out[i].offset), Cells::What::Solid);
    }
    return out;
}

}  // namespace lab::render
