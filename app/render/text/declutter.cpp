// Greedy, nearest label first. A label that overlaps something tries the places just beside what is in its
// way, and beside what is in the way there, and takes the nearest that is free.
#include "render/text/declutter.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>

namespace lab::render {

namespace {

constexpr float kGap = 2.0f;  // px between labels

bool overlap(const Rect& a, const Rect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

Rect moved(const Rect& r, glm::vec2 by) {
    return {r.min + by, r.max + by};
}

// Placed rectangles by cells of the screen, so that a thousand labels need no million tests.
class Cells {
  public:
    explicit Cells(const Rect& area)
        : origin_(area.min),
          count_(glm::max(glm::ivec2(glm::ceil((area.max - area.min) / kCell)), glm::ivec2(1))) {
        cells_.resize(static_cast<std::size_t>(count_.x) * static_cast<std::size_t>(count_.y));
    }
    void add(const Rect& rect) {
        const auto index = static_cast<std::uint32_t>(rects_.size());
        rects_.push_back(rect);
        for_cells(rect, [&](std::vector<std::uint32_t>& cell) {
            cell.push_back(index);
            return false;
        });
    }
    // The first placed rectangle that overlaps, or null.
    const Rect* blocker(const Rect& rect) {
        const Rect* found = nullptr;
        for_cells(rect, [&](std::vector<std::uint32_t>& cell) {
            for (const std::uint32_t index : cell)
                if (overlap(rects_[index], rect)) {
                    found = &rects_[index];
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

    glm::vec2 origin_;
    glm::ivec2 count_;
    std::vector<Rect> rects_;
    std::vector<std::vector<std::uint32_t>> cells_;
};

// The four ways to step out of `blocker`.
void add_ways_around(std::vector<glm::vec2>& tries, const Rect& wanted, const Rect& at, const Rect& blocker) {
    const glm::vec2 base = at.min - wanted.min;
    tries.push_back(base + glm::vec2(0.0f, blocker.min.y - at.max.y - kGap));
    tries.push_back(base + glm::vec2(0.0f, blocker.max.y - at.min.y + kGap));
    tries.push_back(base + glm::vec2(blocker.min.x - at.max.x - kGap, 0.0f));
    tries.push_back(base + glm::vec2(blocker.max.x - at.min.x + kGap, 0.0f));
}

LabelPlace find_place(Cells& cells, const Rect& wanted, const Rect& area, float reach) {
    // Back into the picture first.
    const glm::vec2 low = glm::max(area.min - wanted.min, glm::vec2(0.0f));
    const glm::vec2 high = glm::min(area.max - wanted.max, glm::vec2(0.0f));
    std::vector<glm::vec2> tries{low + high};
    // Sideways is farther than up or down: text beside text reads as one line.
    const auto cost = [](glm::vec2 d) { return std::abs(d.x) * 1.3f + std::abs(d.y); };
    constexpr std::size_t kMostTries = 40;
    for (std::size_t done = 0; done < tries.size() && done < kMostTries; ++done) {
        const auto best = std::min_element(tries.begin() + static_cast<std::ptrdiff_t>(done), tries.end(),
                                           [&](glm::vec2 a, glm::vec2 b) { return cost(a) < cost(b); });
        std::iter_swap(tries.begin() + static_cast<std::ptrdiff_t>(done), best);
        const glm::vec2 offset = tries[done];
        const bool first = done == 0;
        if (!first && glm::length(offset) > reach) continue;
        const Rect at = moved(wanted, offset);
        const bool outside = at.min.x < area.min.x - 0.5f || at.min.y < area.min.y - 0.5f ||
                             at.max.x > area.max.x + 0.5f || at.max.y > area.max.y + 0.5f;
        if (outside && !first) continue;
        const Rect* blocker = cells.blocker(at);
        if (!blocker) return {offset, false};
        add_ways_around(tries, wanted, at, *blocker);
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
        cells.add(obstacle);
    std::vector<LabelPlace> out(labels.size());
    for (const std::uint32_t i : order) {
        out[i] = find_place(cells, labels[i].rect, area, reach);
        if (!out[i].crowded_out) cells.add(moved(labels[i].rect, out[i].offset));
    }
    return out;
}

}  // namespace lab::render
