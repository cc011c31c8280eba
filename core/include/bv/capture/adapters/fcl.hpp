// Captures FCL's DynamicAABBTreeCollisionManager, in single or double precision. Call `frame` once a step,
// after `update`. Boxes in double precision are rounded to the nearest float, so a box that contains another
// still does.
#pragma once

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bv/capture/adapters/level_order.hpp"
#include "bv/capture/bv_capture.h"

namespace bv::capture {

template <class S>
class FclAdapter {
  public:
    using Manager = fcl::DynamicAABBTreeCollisionManager<S>;

    /// The options to open a capture with.
    static bv_capture_config config(const char* title = nullptr) { return {"FCL", title, 3, 0.0f, 0}; }

    /// Begins a frame and records all objects and the tree. Ids of objects and nodes are their addresses; FCL
    /// keeps no fat boxes. The status is that of the last part that failed.
    bv_capture_status frame(bv_capture* c, const Manager& manager, double time_s) {
        bv_capture_status result = bv_capture_frame(c, time_s);
        const auto keep = [&result](bv_capture_status status) {
            if (status != BV_CAPTURE_OK) result = status;
        };
        objects_.clear();
        manager.getObjects(objects_);
        floats_.clear();
        floats_.reserve(3 * objects_.size() + 16);
        proxies_.clear();
        for (const fcl::CollisionObject<S>* object : objects_)
            proxies_.push_back({id_of(object), bounds(object->getAABB()), {nullptr, nullptr}, 0});
        keep(bv_capture_proxies(c, proxies_.data(), proxies_.size()));

        floats_.clear();
        // The manager finds an object by its address, so the tree has a leaf for each.
        const std::size_t max_nodes = 2 * objects_.size() + 16;
        floats_.reserve(max_nodes + 1);
        if (const auto* root = manager.getTree().getRoot())
            keep(order_.record(c, "dynamic", root, max_nodes, Access{*this}));
        return result;
    }

  private:
    using Box = fcl::AABB<S>;
    using Node = const fcl::detail::NodeBase<Box>*;
    struct Floats {
        float min[3], max[3];
    };
    struct Access {
        FclAdapter& adapter;
        static std::uint64_t id(Node n) { return id_of(n); }
        static bool is_leaf(Node n) { return n->isLeaf(); }
        static Node child(Node n, int which) { return n->children[which]; }
        static std::uint64_t payload(Node n) { return id_of(n->data); }
        [[nodiscard]] bv_capture_bounds box(Node n) const { return adapter.bounds(n->bv); }
        void expect(Node) const {}
        void expect_payload(Node) const {}
    };

    static std::uint64_t id_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

    bv_capture_bounds bounds(const Box& box) {
        if constexpr (std::is_same_v<S, float>) {
            return bv_capture_box(box.min_.data(), box.max_.data());
        } else {
            // Capacity was reserved for the whole list, so earlier results stay where they are.
            Floats& out = floats_.emplace_back();
            for (int k = 0; k < 3; ++k) {
                out.min[k] = static_cast<float>(box.min_[k]);
                out.max[k] = static_cast<float>(box.max_[k]);
            }
            return bv_capture_box(out.min, out.max);
        }
    }

    std::vector<fcl::CollisionObject<S>*> objects_;
    std::vector<Floats> floats_;
    std::vector<bv_capture_proxy> proxies_;
    LevelOrder<Node> order_;
};

}  // namespace bv::capture
