// The factories of the engines, and base classes of those that keep a list of boxes.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "bv/broadphase/broadphase.hpp"
#include "bv/trace/trace.hpp"
#include "tree/box_math.hpp"

namespace bv::detail {

std::unique_ptr<Broadphase> make_brute_force(const TreeOptions& options);
std::unique_ptr<Broadphase> make_sweep_and_prune(const TreeOptions& options);
std::unique_ptr<Broadphase> make_incremental_sweep(const TreeOptions& options);
std::unique_ptr<Broadphase> make_uniform_grid(const TreeOptions& options);
std::unique_ptr<Broadphase> make_spatial_hash(const TreeOptions& options);
std::unique_ptr<Broadphase> make_bsp(const TreeOptions& options);
std::unique_ptr<Broadphase> make_dynamic_tree_broadphase(const TreeOptions& options);
std::unique_ptr<Broadphase> make_wide_tree_broadphase(const TreeOptions& options);

struct EngineFactory {
    BroadphaseKind kind;
    std::unique_ptr<Broadphase> (*make)(const TreeOptions& options);
};
inline constexpr std::array kEngineFactories = {
    EngineFactory{BroadphaseKind::BruteForce, make_brute_force},
    EngineFactory{BroadphaseKind::SweepAndPrune, make_sweep_and_prune},
    EngineFactory{BroadphaseKind::IncrementalSweep, make_incremental_sweep},
    EngineFactory{BroadphaseKind::UniformGrid, make_uniform_grid},
    EngineFactory{BroadphaseKind::SpatialHash, make_spatial_hash},
    EngineFactory{BroadphaseKind::Bsp, make_bsp},
    EngineFactory{BroadphaseKind::DynamicTree, make_dynamic_tree_broadphase},
    EngineFactory{BroadphaseKind::WideTree, make_wide_tree_broadphase},
};
static_assert(kEngineFactories.size() == kBroadphaseKinds.size());

/// Keeps the boxes by proxy, and tests each of them in a query.
class BoxListBroadphase : public Broadphase {
  protected:
    [[nodiscard]] const Aabb& box_at(std::uint32_t index) const noexcept { return boxes_[index]; }
    void set_box(std::uint32_t index, const Aabb& box) {
        if (index >= boxes_.size()) boxes_.resize(index + std::size_t{1});
        boxes_[index] = box;
    }
    bool on_move_all(const Moves& moves) override;
    [[nodiscard]] Aabb box_of(std::uint32_t index) const noexcept final { return boxes_[index]; }
    QueryStats raycast_all(const Ray& ray, RayVisitor visitor, Recording* trace) const final;
    QueryStats query_all(const Aabb& box, BoxVisitor visitor, Recording* trace) const final;
    [[nodiscard]] std::size_t box_bytes() const noexcept { return boxes_.size() * sizeof(Aabb); }

  private:
    std::vector<Aabb> boxes_;
};

/// Collects the boxes again for each search, so that changes need no work.
class StatelessBroadphase : public BoxListBroadphase {
  protected:
    struct Item {
        Aabb box;
        std::uint32_t index;
    };

    void on_insert(std::uint32_t index, const Aabb& box) final { set_box(index, box); }
    void on_remove(std::uint32_t) final {}
    bool on_move(std::uint32_t index, const Aabb& box, const glm::vec3&) final {
        set_box(index, box);
        return false;
    }
    void on_update() final {}

    void gather() {
        items_.clear();
        for (std::uint32_t i = 0; i < slots().size(); ++i)
            if (slots()[i].used) items_.push_back({box_at(i), i});
    }
    [[nodiscard]] Aabb bounds() const {
        Aabb all;
        for (const Item& i : items_)
            all = merge(all, i.box);
        return all;
    }
    [[nodiscard]] std::size_t items_bytes() const noexcept {
        return box_bytes() + items_.size() * sizeof(Item);
    }

    std::vector<Item> items_;
};

template <class Sink>
void report_test(Sink& sink, std::uint32_t a, std::uint32_t b, BoxesTested::Verdict verdict,
                 std::size_t cell = BoxesTested::kNoCell) {
    if constexpr (Sink::kEnabled) sink(BoxesTested{a, b, verdict, static_cast<std::uint32_t>(cell)});
}
template <class Sink>
void report_test(Sink& sink, std::uint32_t a, std::uint32_t b, bool overlap) {
    report_test(sink, a, b, overlap ? BoxesTested::Verdict::Pair : BoxesTested::Verdict::Apart);
}

/// The lowest corner of the intersection of two boxes. It lies in exactly one cell of any partition of space,
/// which is where their pair is counted.
[[nodiscard]] inline glm::vec3 pair_corner(const Aabb& a, const Aabb& b) noexcept {
    return {std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y), std::max(a.min.z, b.min.z)};
}

}  // namespace bv::detail
