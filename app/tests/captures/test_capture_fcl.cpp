// A scene in FCL's dynamic AABB tree, captured and compared with the engine's own nodes, in both precisions.
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

#include <memory>

#include "bv/capture/adapters/fcl.hpp"
#include "captures/capture_engine.hpp"
#include "temp_dir.hpp"

namespace lab::test {
namespace {

template <class S>
bv::Aabb box_of(const fcl::AABB<S>& box) {
    bv::Aabb out;
    for (int k = 0; k < 3; ++k) {
        out.min[k] = static_cast<float>(box.min_[k]);
        out.max[k] = static_cast<float>(box.max_[k]);
    }
    return out;
}

std::uint64_t id_of(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
}

template <class Node>
void collect(const Node* node, EngineTree& tree) {
    EngineTree::Node& out = tree.nodes[id_of(node)];
    out.box = box_of(node->bv);
    if (node->isLeaf()) {
        out.payloads = {id_of(node->data)};
        return;
    }
    for (const Node* child : node->children) {
        out.children.push_back(id_of(child));
        collect(child, tree);
    }
}

template <class S>
class CaptureFcl : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CaptureFcl, Precisions);

TYPED_TEST(CaptureFcl, EveryNodeBoxAndCount) {
    using S = TypeParam;
    const bv_capture_config config = bv::capture::FclAdapter<S>::config("test");
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    bv::capture::FclAdapter<S> adapter;
    fcl::DynamicAABBTreeCollisionManager<S> manager;
    std::vector<EngineFrame> expected;
    EXPECT_EQ(adapter.frame(capture, manager, 0), BV_CAPTURE_OK);
    expected.emplace_back();

    const auto shape = std::make_shared<fcl::Box<S>>(S(1.1), S(0.7), S(0.9));
    std::vector<std::unique_ptr<fcl::CollisionObject<S>>> objects;
    Random random(6);
    const auto place = [&](fcl::CollisionObject<S>& object) {
        const glm::vec3 at = random.in_box(glm::vec3(-20.0f), glm::vec3(20.0f));
        object.setTranslation({S(at.x) / 3, S(at.y) / 7, S(at.z)});
        object.computeAABB();
    };
    const auto add = [&] {
        objects.push_back(std::make_unique<fcl::CollisionObject<S>>(shape));
        place(*objects.back());
        manager.registerObject(objects.back().get());
    };
    for (int i = 0; i < 150; ++i)
        add();
    manager.setup();
    for (int f = 0; f < 50; ++f) {
        for (std::size_t i = f % 3; i < objects.size(); i += 3)
            place(*objects[i]);
        manager.update();
        if (f % 4 == 3) {
            const std::uint32_t gone = random.below(static_cast<std::uint32_t>(objects.size()));
            manager.unregisterObject(objects[gone].get());
            objects.erase(objects.begin() + gone);
            add();
            manager.setup();
        }
        EXPECT_EQ(adapter.frame(capture, manager, f + 1), BV_CAPTURE_OK);
        EngineFrame frame;
        for (const auto& object : objects) {
            const bv::Aabb box = box_of(object->getAABB());
            frame.proxies[id_of(object.get())] = {id_of(object.get()), box, box, 0};
        }
        frame.trees["dynamic"].root = id_of(manager.getTree().getRoot());
        collect(manager.getTree().getRoot(), frame.trees["dynamic"]);
        expected.push_back(std::move(frame));
    }
    expect_same(finished_bytes(capture), expected);
}

TEST(CaptureFclExample, Runs) {
    const TempDir folder;
    expect_example(BVLAB_EXAMPLE, (folder / "x.bvcap").string(), 200);
}

}  // namespace
}  // namespace lab::test
