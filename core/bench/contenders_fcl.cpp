// FCL's dynamic AABB tree manager as a contender. It keeps no fat boxes and casts no rays.
#include "bench/tree_contenders.hpp"

#ifdef BVLAB_HAVE_FCL

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>
#pragma GCC diagnostic pop

namespace bv::bench {

namespace {

using Object = fcl::CollisionObject<float>;

std::size_t index_of(const Object* o) {
    return reinterpret_cast<std::size_t>(o->getUserData());
}

class Fcl final : public Contender {
  public:
    std::string name() const override { return "FCL dynamic AABB tree"; }
    void insert_one_by_one(std::span<const Aabb> boxes) override {
        make_objects(boxes);
        for (const auto& o : objects_)
            manager_->registerObject(o.get());
        manager_->setup();
    }
    void build(std::span<const Aabb> boxes) override {
        make_objects(boxes);
        std::vector<Object*> all;
        for (const auto& o : objects_)
            all.push_back(o.get());
        manager_->registerObjects(all);
        manager_->setup();
    }
    void update(std::span<const Aabb> boxes, std::span<const glm::vec3>) override {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            set_box(*objects_[i], boxes[i]);
        manager_->update();
    }
    std::uint64_t pairs() override {
        std::uint64_t sum = 0;
        manager_->collide(&sum, [](Object* a, Object* b, void* data) {
            if (a->getAABB().overlap(b->getAABB()))
                *static_cast<std::uint64_t*>(data) += pair_mark(static_cast<std::uint32_t>(index_of(a)),
                                                                static_cast<std::uint32_t>(index_of(b)));
            return false;
        });
        return sum;
    }
    std::uint64_t queries(std::span<const Aabb> boxes) override {
        std::uint64_t sum = 0;
        Object probe(geometry_, fcl::Transform3<float>::Identity());
        struct State {
            std::uint64_t* sum;
            Object* probe;
        } state{&sum, &probe};
        for (const Aabb& box : boxes) {
            set_box(probe, box);
            manager_->collide(&probe, &state, [](Object* a, Object* b, void* data) {
                auto* s = static_cast<State*>(data);
                const Object* other = a == s->probe ? b : a;
                if (other->getAABB().overlap(s->probe->getAABB())) *s->sum += 1 + index_of(other);
                return false;
            });
        }
        return sum;
    }
    std::uint64_t rays(std::span<const Ray>) override { return 0; }

  private:
    void make_objects(std::span<const Aabb> boxes) {
        manager_ = std::make_unique<fcl::DynamicAABBTreeCollisionManager<float>>();
        objects_.clear();
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            objects_.push_back(std::make_unique<Object>(geometry_, fcl::Transform3<float>::Identity()));
            objects_.back()->setUserData(reinterpret_cast<void*>(i));
            set_box(*objects_.back(), boxes[i]);
        }
    }
    // Sets the box directly: no shape is transformed, so nothing is rounded, and nothing computed that others
    // do not compute.
    static void set_box(Object& object, const Aabb& b) {
        const_cast<fcl::AABB<float>&>(object.getAABB()) = fcl::AABB<float>(
            fcl::Vector3<float>(b.min.x, b.min.y, b.min.z), fcl::Vector3<float>(b.max.x, b.max.y, b.max.z));
    }

    std::shared_ptr<fcl::Box<float>> geometry_ = std::make_shared<fcl::Box<float>>(1.0f, 1.0f, 1.0f);
    std::unique_ptr<fcl::DynamicAABBTreeCollisionManager<float>> manager_;
    std::vector<std::unique_ptr<Object>> objects_;
};

}  // namespace

std::unique_ptr<Contender> make_fcl() {
    return std::make_unique<Fcl>();
}

}  // namespace bv::bench

#else

namespace bv::bench {
std::unique_ptr<Contender> make_fcl() {
    return nullptr;
}
}  // namespace bv::bench

#endif
