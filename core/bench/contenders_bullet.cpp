// Bullet's trees as contenders: btDbvt alone, and btDbvtBroadphase with its pair cache.
#include "bench/tree_contenders.hpp"

#ifdef BVLAB_HAVE_BULLET

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#include <LinearMath/btAabbUtil2.h>
#include <LinearMath/btTransform.h>
// The traversals are in btDbvt.h, where this selects their SSE forms; the vectors above must match the
// library's build.
#define BT_USE_SSE
#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#undef BT_USE_SSE
#pragma GCC diagnostic pop

#include "bv/query/overlap.hpp"
#include "bv/query/raycast.hpp"

namespace bv::bench {

namespace {

constexpr float kMargin = 0.1f;

btVector3 vector(const glm::vec3& v) {
    return {v.x, v.y, v.z};
}
btDbvtVolume volume(const Aabb& b) {
    return btDbvtVolume::FromMM(vector(b.min), vector(b.max));
}
std::uint32_t index_of(const btDbvtNode* leaf) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(leaf->data));
}
void* data_of(std::size_t index) {
    return reinterpret_cast<void*>(index);
}
bool touch(const Aabb& a, const Aabb& b) {
    return a.min.x <= b.max.x && a.max.x >= b.min.x && a.min.y <= b.max.y && a.max.y >= b.min.y &&
           a.min.z <= b.max.z && a.max.z >= b.min.z;
}

struct PairCounter final : btDbvt::ICollide {
    const std::vector<Aabb>& tight;
    std::uint64_t sum = 0;
    explicit PairCounter(const std::vector<Aabb>& boxes) : tight(boxes) {}
    void Process(const btDbvtNode* a, const btDbvtNode* b) override {
        const std::uint32_t i = index_of(a), j = index_of(b);
        // A tree against itself visits every pair of leaves once, and each leaf with itself.
        if (i != j && touch(tight[i], tight[j])) sum += pair_mark(i, j);
    }
};
struct BoxCounter final : btDbvt::ICollide {
    const std::vector<Aabb>& tight;
    Aabb box;
    std::uint64_t sum = 0;
    explicit BoxCounter(const std::vector<Aabb>& boxes) : tight(boxes) {}
    void Process(const btDbvtNode* leaf) override {
        if (touch(tight[index_of(leaf)], box)) sum += 1 + index_of(leaf);
    }
};
struct NearestHit final : btDbvt::ICollide {
    const std::vector<Aabb>& tight;
    Ray ray;
    std::uint64_t nearest = 0;
    explicit NearestHit(const std::vector<Aabb>& boxes) : tight(boxes) {}
    void Process(const btDbvtNode* leaf) override {
        if (const auto hit = raycast(ray, tight[index_of(leaf)])) {
            ray.t_max = hit->t;
            nearest = t_mark(hit->t);
        }
    }
};

class BulletTree final : public Contender {
  public:
    std::string name() const override { return "Bullet btDbvt"; }
    std::size_t memory_bytes() const override {
        return 2 * leaves_.size() * sizeof(btDbvtNode) + tight_.size() * sizeof(Aabb);
    }
    void insert_one_by_one(std::span<const Aabb> boxes) override {
        tree_.clear();
        tight_.assign(boxes.begin(), boxes.end());
        leaves_.clear();
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            btDbvtVolume fat = volume(boxes[i]);
            fat.Expand(btVector3(kMargin, kMargin, kMargin));
            leaves_.push_back(tree_.insert(fat, data_of(i)));
        }
    }
    bool remove(std::span<const std::uint32_t> which) override {
        for (const std::uint32_t i : which)
            tree_.remove(leaves_[i]);
        return true;
    }
    void build(std::span<const Aabb> boxes) override {
        insert_one_by_one(boxes);
        tree_.optimizeTopDown();
    }
    void update(std::span<const Aabb> boxes, std::span<const glm::vec3> displacements) override {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            tight_[i] = boxes[i];
            btDbvtVolume box = volume(boxes[i]);
            tree_.update(leaves_[i], box, vector(4.0f * displacements[i]), kMargin);
        }
    }
    std::uint64_t pairs() override {
        PairCounter counter(tight_);
        tree_.collideTTpersistentStack(tree_.m_root, tree_.m_root, counter);
        return counter.sum;
    }
    std::uint64_t queries(std::span<const Aabb> boxes) override {
        BoxCounter counter(tight_);
        for (const Aabb& box : boxes) {
            counter.box = box;
            tree_.collideTV(tree_.m_root, volume(box), counter);
        }
        return counter.sum;
    }
    std::uint64_t rays(std::span<const Ray> rays) override {
        std::uint64_t sum = 0;
        NearestHit nearest(tight_);
        const btDbvtVolume& all = tree_.m_root->volume;
        const float reach = 2.0f * (all.Maxs() - all.Mins()).length();
        for (const Ray& ray : rays) {
            nearest.ray = ray;
            nearest.nearest = 0;
            // The faster of Bullet's two entries: the caller keeps the stack.
            btVector3 inverse;
            unsigned signs[3];
            for (int k = 0; k < 3; ++k) {
                inverse[k] = ray.direction[k] == 0.0f ? 1e18f : 1.0f / ray.direction[k];
                signs[k] = inverse[k] < 0.0f;
            }
            tree_.rayTestInternal(tree_.m_root, vector(ray.origin), vector(ray.at(reach)), inverse, signs,
                                  reach, btVector3(0, 0, 0), btVector3(0, 0, 0), stack_, nearest);
            sum += nearest.nearest;
        }
        return sum;
    }

  private:
    btDbvt tree_;
    btAlignedObjectArray<const btDbvtNode*> stack_;
    std::vector<btDbvtNode*> leaves_;
    std::vector<Aabb> tight_;
};

class BulletBroadphase final : public Contender {
  public:
    std::string name() const override { return "Bullet btDbvtBroadphase"; }
    void insert_one_by_one(std::span<const Aabb> boxes) override {
        proxies_.clear();
        broadphase_ = std::make_unique<btDbvtBroadphase>();
        tight_.assign(boxes.begin(), boxes.end());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            proxies_.push_back(broadphase_->createProxy(vector(boxes[i].min), vector(boxes[i].max), 0,
                                                        data_of(i), 1, 1, nullptr));
    }
    void build(std::span<const Aabb> boxes) override {
        insert_one_by_one(boxes);
        broadphase_->optimize();
    }
    void update(std::span<const Aabb> boxes, std::span<const glm::vec3>) override {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            tight_[i] = boxes[i];
            broadphase_->setAabb(proxies_[i], vector(boxes[i].min), vector(boxes[i].max), nullptr);
        }
        broadphase_->calculateOverlappingPairs(nullptr);
    }
    std::uint64_t pairs() override {
        std::uint64_t sum = 0;
        const btBroadphasePairArray& pairs =
            broadphase_->getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < pairs.size(); ++i) {
            const auto a =
                static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(pairs[i].m_pProxy0->m_clientObject));
            const auto b =
                static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(pairs[i].m_pProxy1->m_clientObject));
            if (touch(tight_[a], tight_[b])) sum += pair_mark(a, b);
        }
        return sum;
    }
    std::uint64_t queries(std::span<const Aabb> boxes) override {
        struct Counter final : btBroadphaseAabbCallback {
            const std::vector<Aabb>& tight;
            Aabb box;
            std::uint64_t sum = 0;
            explicit Counter(const std::vector<Aabb>& t) : tight(t) {}
            bool process(const btBroadphaseProxy* proxy) override {
                const std::size_t i = reinterpret_cast<std::size_t>(proxy->m_clientObject);
                if (touch(tight[i], box)) sum += 1 + i;
                return true;
            }
        } counter(tight_);
        for (const Aabb& box : boxes) {
            counter.box = box;
            broadphase_->aabbTest(vector(box.min), vector(box.max), counter);
        }
        return counter.sum;
    }
    std::uint64_t rays(std::span<const Ray> rays) override {
        struct Nearest final : btBroadphaseRayCallback {
            const std::vector<Aabb>& tight;
            Ray ray;
            std::uint64_t nearest = 0;
            explicit Nearest(const std::vector<Aabb>& t) : tight(t) {}
            bool process(const btBroadphaseProxy* proxy) override {
                const std::size_t i = reinterpret_cast<std::size_t>(proxy->m_clientObject);
                if (const auto hit = raycast(ray, tight[i])) {
                    ray.t_max = hit->t;
                    nearest = t_mark(hit->t);
                }
                return true;
            }
        } nearest(tight_);
        btVector3 low, high;
        broadphase_->getBroadphaseAabb(low, high);
        const float reach = 2.0f * (high - low).length();
        std::uint64_t sum = 0;
        for (const Ray& ray : rays) {
            nearest.ray = ray;
            nearest.nearest = 0;
            for (int k = 0; k < 3; ++k) {
                nearest.m_rayDirectionInverse[k] = ray.direction[k] == 0.0f ? 1e18f : 1.0f / ray.direction[k];
                nearest.m_signs[k] = nearest.m_rayDirectionInverse[k] < 0.0f;
            }
            nearest.m_lambda_max = reach;
            broadphase_->rayTest(vector(ray.origin), vector(ray.at(reach)), nearest);
            sum += nearest.nearest;
        }
        return sum;
    }

  private:
    std::unique_ptr<btDbvtBroadphase> broadphase_;
    std::vector<btBroadphaseProxy*> proxies_;
    std::vector<Aabb> tight_;
};

}  // namespace

std::unique_ptr<Contender> make_bullet_tree() {
    return std::make_unique<BulletTree>();
}
std::unique_ptr<Contender> make_bullet_broadphase() {
    return std::make_unique<BulletBroadphase>();
}

}  // namespace bv::bench

#else

namespace bv::bench {
std::unique_ptr<Contender> make_bullet_tree() {
    return nullptr;
}
std::unique_ptr<Contender> make_bullet_broadphase() {
    return nullptr;
}
}  // namespace bv::bench

#endif
