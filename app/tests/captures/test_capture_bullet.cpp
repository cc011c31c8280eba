// A scene in Bullet's broadphase, captured and compared with the engine's own nodes.
#include "bv/capture/adapters/bullet.hpp"
#include "captures/capture_engine.hpp"
#include "temp_dir.hpp"
#include "workloads/boxes.hpp"

namespace lab::test {
namespace {

bv::Aabb box_of(const btVector3& low, const btVector3& high) {
    return {{low.x(), low.y(), low.z()}, {high.x(), high.y(), high.z()}};
}

void collect(const btDbvtNode* node, EngineTree& tree) {
    EngineTree::Node& out = tree.nodes[reinterpret_cast<std::uintptr_t>(node)];
    out.box = box_of(node->volume.Mins(), node->volume.Maxs());
    if (node->isleaf()) {
        out.payloads = {
            static_cast<std::uint64_t>(static_cast<const btBroadphaseProxy*>(node->data)->m_uniqueId)};
        return;
    }
    for (const btDbvtNode* child : node->childs) {
        out.children.push_back(reinterpret_cast<std::uintptr_t>(child));
        collect(child, tree);
    }
}

/// Bodies of the test, with the boxes that it passed to Bullet.
struct Body {
    btBroadphaseProxy* proxy;
    bv::Aabb tight;
    int group;
};

EngineFrame frame_of(const btDbvtBroadphase& broadphase, const std::vector<Body>& bodies) {
    EngineFrame frame;
    for (const Body& body : bodies) {
        const auto* leaf = static_cast<const btDbvtProxy*>(body.proxy)->leaf;
        frame.proxies[static_cast<std::uint64_t>(body.proxy->m_uniqueId)] = {
            static_cast<std::uint64_t>(body.proxy->m_uniqueId), body.tight,
            box_of(leaf->volume.Mins(), leaf->volume.Maxs()), static_cast<std::uint32_t>(body.group)};
    }
    const char* const names[] = {"dynamic", "fixed"};
    for (int set = 0; set < 2; ++set) {
        const btDbvtNode* root = broadphase.m_sets[set].m_root;
        if (!root) continue;
        frame.trees[names[set]].root = reinterpret_cast<std::uintptr_t>(root);
        collect(root, frame.trees[names[set]]);
    }
    return frame;
}

btVector3 vector(const glm::vec3& v) {
    return {v.x, v.y, v.z};
}

/// Bullet leaves proxies that are still in a broadphase to whoever created them.
struct OwnBroadphase : btDbvtBroadphase {
    ~OwnBroadphase() override {
        for (btDbvtProxy*& first : m_stageRoots)
            while (first)
                destroyProxy(first, nullptr);
    }
};

TEST(CaptureBullet, EveryNodeBoxAndCount) {
    const bv_capture_config config = bv::capture::BulletAdapter::config("test");
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    bv::capture::BulletAdapter adapter;
    OwnBroadphase broadphase;
    bv::workloads::MovingBoxes world(300, 3);
    Random random(4);
    std::vector<Body> bodies;
    std::vector<EngineFrame> expected;
    const auto add = [&](const bv::Aabb& box) {
        const int group = 1 << random.below(5);
        bodies.push_back(
            {broadphase.createProxy(vector(box.min), vector(box.max), 0, nullptr, group, -1, nullptr), box,
             group});
    };
    for (std::size_t i = 0; i < world.size(); ++i)
        add(world.box(i));
    for (int f = 0; f < 80; ++f) {
        world.step();
        // A third rests, so that Bullet moves it into its second tree.
        for (std::size_t i = 0; i < bodies.size(); i += 1 + (i % 2)) {
            const bv::Aabb box = world.box(i % world.size());
            bodies[i].tight = box;
            broadphase.setAabb(bodies[i].proxy, vector(box.min), vector(box.max), nullptr);
        }
        if (f % 5 == 4) {
            const std::uint32_t gone = random.below(static_cast<std::uint32_t>(bodies.size()));
            broadphase.destroyProxy(bodies[gone].proxy, nullptr);
            bodies.erase(bodies.begin() + gone);
            add(world.box(random.below(300)));
            add(world.box(random.below(300)));
        }
        if (f == 40) broadphase.optimize();
        broadphase.calculateOverlappingPairs(nullptr);
        EXPECT_EQ(adapter.frame(capture, broadphase, f / 60.0), BV_CAPTURE_OK);
        expected.push_back(frame_of(broadphase, bodies));
    }
    EXPECT_TRUE(expected.back().trees.contains("fixed")) << "the scene should have resting bodies";
    expect_same(finished_bytes(capture), expected);
}

TEST(CaptureBullet, AnEmptyWorldAndASingleBody) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    bv::capture::BulletAdapter adapter;
    OwnBroadphase broadphase;
    EXPECT_EQ(adapter.frame(capture, broadphase, 0), BV_CAPTURE_OK);
    std::vector<EngineFrame> expected{frame_of(broadphase, {})};
    const bv::Aabb box{glm::vec3(-1.0f), glm::vec3(1.0f)};
    const std::vector<Body> one{
        {broadphase.createProxy(vector(box.min), vector(box.max), 0, nullptr, 1, -1, nullptr), box, 1}};
    EXPECT_EQ(adapter.frame(capture, broadphase, 1), BV_CAPTURE_OK);
    expected.push_back(frame_of(broadphase, one));
    expect_same(finished_bytes(capture), expected);
}

TEST(CaptureBullet, ABrokenTreeEndsAndIsShown) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    bv::capture::BulletAdapter adapter;
    OwnBroadphase broadphase;
    bv::workloads::MovingBoxes world(20, 3);
    for (const bv::Aabb& box : world.boxes())
        broadphase.createProxy(vector(box.min), vector(box.max), 0, nullptr, 1, -1, nullptr);
    btDbvtNode* root = broadphase.m_sets[0].m_root;
    btDbvtNode* inner = root->childs[0]->isinternal() ? root->childs[0] : root->childs[1];
    btDbvtNode* const right = inner->childs[1];
    // A link that leads back to the root, then a box that is too small.
    inner->childs[1] = root;
    (void)adapter.frame(capture, broadphase, 0);
    inner->childs[1] = right;
    const btVector3 low = inner->volume.Mins();
    const_cast<btVector3&>(inner->volume.Mins()) = low + btVector3(1, 0, 0);
    EXPECT_EQ(adapter.frame(capture, broadphase, 1), BV_CAPTURE_OK);
    const_cast<btVector3&>(inner->volume.Mins()) = low;
    auto file = io::CaptureFile::from_bytes(finished_bytes(capture), "x");
    ASSERT_TRUE(file) << file.error().text();
    const auto circle = file->frame(0);
    ASSERT_TRUE(circle) << circle.error().text();
    ASSERT_EQ(circle->trees.size(), 1u);
    EXPECT_FALSE(circle->trees[0].is_complete);
    using Kind = io::CaptureDefect::Kind;
    const auto count = [](const io::CaptureSnapshot& snapshot, Kind kind, std::uint64_t node) {
        std::size_t n = 0;
        for (const io::CaptureDefect& defect : snapshot.defects)
            n += defect.kind == kind && defect.node == node;
        return n;
    };
    const auto inner_id = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(inner));
    EXPECT_GE(count(io::snapshot_of(circle->trees[0], circle->proxies), Kind::Cycle, inner_id), 1u);
    const auto small = file->frame(1);
    ASSERT_TRUE(small);
    EXPECT_TRUE(small->trees.at(0).is_complete);
    EXPECT_GE(count(io::snapshot_of(small->trees[0], small->proxies), Kind::ChildOutside, inner_id), 1u);
}

TEST(CaptureBullet, TheExampleRuns) {
    const TempDir folder;
    expect_example(BVLAB_EXAMPLE, (folder / "x.bvcap").string(), 201);
}

}  // namespace
}  // namespace lab::test
