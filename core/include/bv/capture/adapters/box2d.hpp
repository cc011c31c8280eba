// Captures Box2D 2.4's dynamic tree: that of a b2World, or one of your own. Call `frame` once a step. Boxes
// are planar, z is 0.
//
// Box2D keeps its nodes private. They are reached by an explicit instantiation, which may name private
// members.
#pragma once

#include <box2d/b2_broad_phase.h>
#include <box2d/b2_contact_manager.h>
#include <box2d/b2_dynamic_tree.h>
#include <box2d/b2_fixture.h>
#include <box2d/b2_world.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bv/capture/adapters/level_order.hpp"
#include "bv/capture/bv_capture.h"

namespace bv::capture {

namespace detail {

struct NodesOf {
    friend b2TreeNode* b2DynamicTree::*private_member(NodesOf);
};
struct RootOf {
    friend int32 b2DynamicTree::*private_member(RootOf);
};
struct CountOf {
    friend int32 b2DynamicTree::*private_member(CountOf);
};
struct CapacityOf {
    friend int32 b2DynamicTree::*private_member(CapacityOf);
};
struct TreeOf {
    friend b2DynamicTree b2BroadPhase::*private_member(TreeOf);
};
template <class Tag, auto Member>
struct Expose {
    friend decltype(Member) private_member(Tag) { return Member; }
};
template struct Expose<NodesOf, &b2DynamicTree::m_nodes>;
template struct Expose<RootOf, &b2DynamicTree::m_root>;
template struct Expose<CountOf, &b2DynamicTree::m_nodeCount>;
template struct Expose<CapacityOf, &b2DynamicTree::m_nodeCapacity>;
template struct Expose<TreeOf, &b2BroadPhase::m_tree>;

}  // namespace detail

class Box2dAdapter {
  public:
    /// The options to open a capture with.
    static bv_capture_config config(const char* title = nullptr) {
        return {"Box2D 2.4", title, 2, b2_aabbExtension, 0};
    }

    static const b2DynamicTree& tree_of(const b2World& world) {
        return world.GetContactManager().m_broadPhase.*private_member(detail::TreeOf{});
    }

    /// Begins a frame and records the proxies and the tree of the world. Ids are Box2D's proxy ids, which are
    /// also the ids of their leaves; tags are the category bits of the fixtures. The status is that of the
    /// last part that failed.
    bv_capture_status frame(bv_capture* c, const b2World& world, double time_s) {
        return frame(c, tree_of(world), time_s, [](std::int32_t, const void* user_data, Tight& out) {
            const auto* proxy = static_cast<const b2FixtureProxy*>(user_data);
            out.box = proxy->aabb;
            out.tag = proxy->fixture->GetFilterData().categoryBits;
        });
    }

    struct Tight {
        b2AABB box;
        std::uint32_t tag = 0;
    };
    /// The same for a tree of your own: `tight_of(proxy id, const void* user data, Tight& out)` gives the box
    /// that was passed to Box2D last, which it does not keep.
    template <class TightOf>
    bv_capture_status frame(bv_capture* c, const b2DynamicTree& tree, double time_s,
                            const TightOf& tight_of) {
        const b2TreeNode* nodes = tree.*private_member(detail::NodesOf{});
        const std::int32_t root = tree.*private_member(detail::RootOf{});
        const auto capacity = static_cast<std::size_t>(tree.*private_member(detail::CapacityOf{}));
        boxes_.resize(2 * capacity);
        proxies_.clear();
        for (std::size_t i = 0; i < capacity; ++i) {
            const b2TreeNode& node = nodes[i];
            if (node.height < 0) continue;  // free
            boxes_[2 * i] = planar(node.aabb);
            if (!node.IsLeaf()) continue;
            Tight tight;
            tight_of(static_cast<std::int32_t>(i), node.userData, tight);
            boxes_[2 * i + 1] = planar(tight.box);
            proxies_.push_back({i, bounds(2 * i + 1), bounds(2 * i), tight.tag});
        }
        bv_capture_status result = bv_capture_frame(c, time_s);
        const auto keep = [&result](bv_capture_status status) {
            if (status != BV_CAPTURE_OK) result = status;
        };
        keep(bv_capture_proxies(c, proxies_.data(), proxies_.size()));
        if (root != b2_nullNode) {
            const auto max_nodes = static_cast<std::size_t>(tree.*private_member(detail::CountOf{}));
            keep(order_.record(c, "dynamic", root, max_nodes, Access{nodes, *this}));
        }
        return result;
    }

  private:
    struct Planar {
        float min[3], max[3];
    };
    struct Access {
        const b2TreeNode* nodes;
        const Box2dAdapter& adapter;
        static std::uint64_t id(std::int32_t n) { return static_cast<std::uint64_t>(n); }
        static std::uint64_t payload(std::int32_t n) { return static_cast<std::uint64_t>(n); }
        [[nodiscard]] bool is_leaf(std::int32_t n) const { return nodes[n].IsLeaf(); }
        [[nodiscard]] std::int32_t child(std::int32_t n, int which) const {
            return which == 0 ? nodes[n].child1 : nodes[n].child2;
        }
        [[nodiscard]] bv_capture_bounds box(std::int32_t n) const {
            return adapter.bounds(2 * static_cast<std::size_t>(n));
        }
        void expect(std::int32_t) const {}
        void expect_payload(std::int32_t) const {}
    };

    static Planar planar(const b2AABB& box) {
        return {{box.lowerBound.x, box.lowerBound.y, 0.0f}, {box.upperBound.x, box.upperBound.y, 0.0f}};
    }
    [[nodiscard]] bv_capture_bounds bounds(std::size_t i) const {
        return bv_capture_box(boxes_[i].min, boxes_[i].max);
    }

    std::vector<Planar> boxes_;  // Node i: its own box at 2 i, the tight box at 2 i + 1.
    std::vector<bv_capture_proxy> proxies_;
    LevelOrder<std::int32_t> order_;
};

}  // namespace bv::capture
