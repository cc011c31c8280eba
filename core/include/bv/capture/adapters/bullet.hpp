// Captures Bullet's btDbvtBroadphase: its proxies and both of its trees. Call `frame` once a step, after the
// broadphase was updated. Bullet 2.8x and 3.x, in single precision.
#pragma once

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bv/capture/adapters/level_order.hpp"
#include "bv/capture/bv_capture.h"

namespace bv::capture {

class BulletAdapter {
  public:
    static_assert(sizeof(btScalar) == sizeof(float), "captures are in single precision");

    /// The options to open a capture with: the margin makes it smaller.
    static bv_capture_config config(const char* title = nullptr) {
        return {"Bullet", title, 3, gDbvtMargin, 0};
    }

    /// Begins a frame and records all of it. Ids are those of Bullet, tags the filter groups of the proxies.
    /// The status is that of the last part that failed.
    bv_capture_status frame(bv_capture* c, const btDbvtBroadphase& broadphase, double time_s) {
        bv_capture_status result = bv_capture_frame(c, time_s);
        const auto keep = [&result](bv_capture_status status) {
            if (status != BV_CAPTURE_OK) result = status;
        };
        keep(proxies(c, broadphase));
        keep(tree(c, "dynamic", broadphase.m_sets[btDbvtBroadphase::DYNAMIC_SET]));
        keep(tree(c, "fixed", broadphase.m_sets[btDbvtBroadphase::FIXED_SET]));
        return result;
    }

    /// The proxies alone, within a frame.
    bv_capture_status proxies(bv_capture* c, const btDbvtBroadphase& broadphase) {
        bv_capture_status result = bv_capture_sync_begin(c);
        if (result != BV_CAPTURE_OK) return result;
        // In parts, so that what a proxy is read from is still in the cache when it is recorded.
        constexpr std::size_t kPart = 64;
        bv_capture_proxy part[kPart];
        std::size_t count = 0, place = 0;
        const auto record = [&] {
            const bv_capture_status status = bv_capture_sync(c, part, count);
            if (status != BV_CAPTURE_OK) result = status;
            count = 0;
        };
        for (const btDbvtProxy* stage : broadphase.m_stageRoots)
            for (const btDbvtProxy* p = stage; p; p = p->links[1]) {
                expect_proxy(place, p);
                part[count++] = {id_of(p), bv_capture_box(p->m_aabbMin, p->m_aabbMax),
                                 bv_capture_box(p->leaf->volume.Mins(), p->leaf->volume.Maxs()),
                                 static_cast<std::uint32_t>(p->m_collisionFilterGroup)};
                ++place;
                if (count == kPart) record();
            }
        record();
        const bv_capture_status ended = bv_capture_sync_end(c);
        return ended != BV_CAPTURE_OK ? ended : result;
    }

    /// One tree whose leaves hold proxies, within a frame. Nodes have their addresses as ids.
    bv_capture_status tree(bv_capture* c, const char* name, const btDbvt& tree) {
        if (!tree.m_root) return BV_CAPTURE_OK;
        // An upper bound on the nodes, with a margin in case the count is wrong.
        const auto leaves = static_cast<std::size_t>(tree.m_leaves > 0 ? tree.m_leaves : 0);
        return nodes_.record(c, name, tree.m_root, 2 * leaves + 16, Access{});
    }

  private:
    using Node = const btDbvtNode*;
    struct Access {
        static bool is_leaf(Node n) { return n->isleaf(); }
        static Node child(Node n, int which) { return n->childs[which]; }
        static std::uint64_t id(Node n) { return reinterpret_cast<std::uintptr_t>(n); }
        static std::uint64_t payload(Node n) { return id_of(static_cast<const btDbvtProxy*>(n->data)); }
        static bv_capture_bounds box(Node n) { return bv_capture_box(n->volume.Mins(), n->volume.Maxs()); }
        static void expect(Node n) {
            prefetch(n);
            prefetch(&n->childs[1]);
        }
        static void expect_payload(Node n) {
            prefetch(&static_cast<const btDbvtProxy*>(n->data)->m_uniqueId);
        }
    };

    static std::uint64_t id_of(const btBroadphaseProxy* p) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(p->m_uniqueId));
    }

    static void prefetch([[maybe_unused]] const void* address) {
#ifdef __GNUC__
        __builtin_prefetch(address);
#endif
    }

    /// Bullet's list of proxies is scattered in memory, but its order hardly changes: fetches those that came
    /// next the last time, whether they still exist or not.
    void expect_proxy(std::size_t place, const btDbvtProxy* now) {
        constexpr std::size_t kAhead = 8;
        if (place == last_.size()) last_.emplace_back();
        last_[place] = {now, now->leaf};
        if (place + kAhead >= last_.size()) return;
        const Seen& next = last_[place + kAhead];
        prefetch(next.proxy);
        prefetch(reinterpret_cast<const char*>(next.proxy) + sizeof(btDbvtProxy) - 1);
        prefetch(next.leaf);
        prefetch(reinterpret_cast<const char*>(next.leaf) + sizeof(btDbvtAabbMm) - 1);
    }

    struct Seen {
        const void *proxy, *leaf;  // Addresses only: they may be gone.
    };
    std::vector<Seen> last_;
    LevelOrder<Node> nodes_;
};

}  // namespace bv::capture
