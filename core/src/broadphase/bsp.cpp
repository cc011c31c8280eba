// Binary space partition with axis-aligned planes: the plane passes through the median center on the widest
// axis; boxes that straddle it go to both sides. A side becomes a leaf when few boxes are left or a plane no
// longer separates. A pair is counted in the leaf that contains the lowest corner of the intersection: left
// of a plane is [low, plane), right is [plane, high).
#include <algorithm>
#include <limits>

#include "broadphase/engines.hpp"

namespace bv::detail {

namespace {

class Bsp final : public StatelessBroadphase {
  public:
    BroadphaseKind kind() const noexcept override { return BroadphaseKind::Bsp; }
    std::unique_ptr<Broadphase> clone() const override { return std::make_unique<Bsp>(*this); }

    BroadphaseLayout layout() const override {
        const Aabb all = bounds();
        BroadphaseLayout out;
        for (const Part& p : parts_) {
            const Aabb box{glm::max(p.low, all.min), glm::min(p.high, all.max)};
            if (p.axis < 0)
                out.cells.push_back({box, p.boxes, p.depth});
            else
                out.cuts.push_back({box, p.axis, p.plane, p.depth});
        }
        // The planes from the first to the last level.
        std::stable_sort(out.cuts.begin(), out.cuts.end(),
                         [](const auto& a, const auto& b) { return a.depth < b.depth; });
        return out;
    }

  private:
    static constexpr std::size_t kLeafSize = 12;
    static constexpr int kDeepest = 40;

    struct Side {
        std::size_t
            begin;  // of the boxes, in list_; they extend to the end of the list while the side is on top
        std::size_t end;
        glm::vec3 low;
        glm::vec3 high;
        int depth;
    };

    // The result for a side, for layout(): a plane, or a leaf with axis -1.
    struct Part {
        glm::vec3 low;
        glm::vec3 high;
        float plane;
        int axis;
        std::uint32_t boxes;
        std::uint32_t depth;
    };
    void remember(const Side& side, int axis, float plane) {
        parts_.push_back({side.low, side.high, plane, axis, static_cast<std::uint32_t>(side.end - side.begin),
                          static_cast<std::uint32_t>(side.depth)});
    }

    std::uint64_t collect(PairSink& out) override {
        gather();
        const float inf = std::numeric_limits<float>::infinity();
        list_.clear();
        parts_.clear();
        if (items_.empty()) return 0;
        for (std::uint32_t i = 0; i < items_.size(); ++i)
            list_.push_back(i);
        std::uint64_t tests = 0;
        std::vector<Side> open{{0, list_.size(), glm::vec3(-inf), glm::vec3(inf), 0}};
        while (!open.empty()) {
            const Side side = open.back();
            open.pop_back();
            // Sides are processed last in, first out, so all entries after this side's boxes are done.
            list_.resize(side.end);
            if (side.end - side.begin <= kLeafSize || side.depth >= kDeepest || !divide(side, open)) {
                tests += pair_leaf(side, out);
                remember(side, -1, 0.0f);
            }
        }
        return tests;
    }
    bool divide(const Side& side, std::vector<Side>& open) {
        Aabb centers;
        for (std::size_t i = side.begin; i < side.end; ++i) {
            const glm::vec3 c = center(list_[i]);
            centers = merge(centers, Aabb{c, c});
        }
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (0.5f * centers.max[k] - 0.5f * centers.min[k] >
                0.5f * centers.max[axis] - 0.5f * centers.min[axis])
                axis = k;
        const std::size_t count = side.end - side.begin;
        keys_.clear();
        for (std::size_t i = side.begin; i < side.end; ++i)
            keys_.push_back(center(list_[i])[axis]);
        const auto middle = keys_.begin() + static_cast<std::ptrdiff_t>(count / 2);
        std::nth_element(keys_.begin(), middle, keys_.end());
        const float plane = *middle;
        std::size_t left = 0;
        std::size_t right = 0;
        for (std::size_t i = side.begin; i < side.end; ++i) {
            left += items_[list_[i]].box.min[axis] < plane;
            right += items_[list_[i]].box.max[axis] >= plane;
        }
        if (left == count || right == count || left + right > count + count / 2) return false;
        // Both sides' lists are appended; the right one is processed first.
        const std::size_t begin = list_.size();
        for (std::size_t i = side.begin; i < side.end; ++i)
            if (items_[list_[i]].box.min[axis] < plane) list_.push_back(list_[i]);
        const std::size_t between = list_.size();
        for (std::size_t i = side.begin; i < side.end; ++i)
            if (items_[list_[i]].box.max[axis] >= plane) list_.push_back(list_[i]);
        Side l{begin, between, side.low, side.high, side.depth + 1};
        Side r{between, list_.size(), side.low, side.high, side.depth + 1};
        l.high[axis] = plane;
        r.low[axis] = plane;
        open.push_back(l);
        open.push_back(r);
        remember(side, axis, plane);
        return true;
    }
    std::uint64_t pair_leaf(const Side& side, PairSink& out) const {
        std::uint64_t tests = 0;
        for (std::size_t i = side.begin; i < side.end && !out.is_full(); ++i)
            for (std::size_t j = i + 1; j < side.end; ++j) {
                const Item& a = items_[list_[i]];
                const Item& b = items_[list_[j]];
                ++tests;
                if (!overlaps(a.box, b.box)) continue;
                const glm::vec3 p = pair_corner(a.box, b.box);
                bool inside = true;
                for (int k = 0; k < 3; ++k)
                    inside = inside && p[k] >= side.low[k] && p[k] < side.high[k];
                if (inside) out.push_back({a.index, b.index});
            }
        return tests;
    }
    [[nodiscard]] glm::vec3 center(std::uint32_t item) const {
        return 0.5f * items_[item].box.min + 0.5f * items_[item].box.max;
    }
    std::size_t engine_bytes() const noexcept override {
        return items_bytes() + list_.size() * sizeof(std::uint32_t) + keys_.size() * sizeof(float) +
               parts_.size() * sizeof(Part);
    }

    std::vector<std::uint32_t> list_;
    std::vector<float> keys_;
    std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Broadphase> make_bsp(const TreeOptions& /*options*/) {
    return std::make_unique<Bsp>();
}

}  // namespace bv::detail
