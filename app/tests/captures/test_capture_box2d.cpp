// Scenes in Box2D, captured and compared with the engine's own nodes.
#include <box2d/box2d.h>

#include "bv/capture/adapters/box2d.hpp"
#include "captures/capture_engine.hpp"
#include "temp_dir.hpp"

// A second way to the private nodes, so that the test does not rely on the adapter's.
namespace {
template <b2TreeNode* b2DynamicTree::*Nodes, int32 b2DynamicTree::*Root>
struct Open {
    friend b2TreeNode* nodes_in(const b2DynamicTree& tree) { return tree.*Nodes; }
    friend int32 root_in(const b2DynamicTree& tree) { return tree.*Root; }
};
b2TreeNode* nodes_in(const b2DynamicTree& tree);
int32 root_in(const b2DynamicTree& tree);
template struct Open<&b2DynamicTree::m_nodes, &b2DynamicTree::m_root>;
}  // namespace

namespace lab::test {
namespace {

bv::Aabb planar(const b2AABB& box) {
    return {{box.lowerBound.x, box.lowerBound.y, 0.0f}, {box.upperBound.x, box.upperBound.y, 0.0f}};
}

void collect(const b2TreeNode* nodes, std::int32_t at, EngineTree& tree) {
    EngineTree::Node& out = tree.nodes[static_cast<std::uint64_t>(at)];
    out.box = planar(nodes[at].aabb);
    if (nodes[at].IsLeaf()) {
        out.payloads = {static_cast<std::uint64_t>(at)};
        return;
    }
    for (const std::int32_t child : {nodes[at].child1, nodes[at].child2}) {
        out.children.push_back(static_cast<std::uint64_t>(child));
        collect(nodes, child, tree);
    }
}

EngineTree tree_of(const b2DynamicTree& tree) {
    EngineTree out;
    out.root = static_cast<std::uint64_t>(root_in(tree));
    collect(nodes_in(tree), root_in(tree), out);
    return out;
}

TEST(CaptureBox2d, ATreeOfYourOwn) {
    const bv_capture_config config = bv::capture::Box2dAdapter::config("test");
    bv_capture* capture = bv_capture_to_memory(&config, nullptr);
    bv::capture::Box2dAdapter adapter;
    b2DynamicTree tree;
    Random random(5);
    std::map<std::int32_t, b2AABB> bodies;
    std::vector<EngineFrame> expected;
    const auto random_box = [&] {
        b2AABB box;
        box.lowerBound.Set(random.uniform(-50.0f, 50.0f), random.uniform(-50.0f, 50.0f));
        box.upperBound = box.lowerBound + b2Vec2(random.uniform(0.1f, 2.0f), random.uniform(0.1f, 2.0f));
        return box;
    };
    for (int f = 0; f < 100; ++f) {
        for (int i = 0; i < (f == 0 ? 200 : 4); ++i) {
            const b2AABB box = random_box();
            bodies[tree.CreateProxy(box, nullptr)] = box;
        }
        for (int i = 0; i < 3; ++i) {
            auto gone = bodies.begin();
            std::advance(gone, random.below(static_cast<std::uint32_t>(bodies.size())));
            tree.DestroyProxy(gone->first);
            bodies.erase(gone);
        }
        for (auto& [id, box] : bodies) {
            const b2Vec2 by(random.uniform(-0.2f, 0.2f), random.uniform(-0.2f, 0.2f));
            box.lowerBound += by;
            box.upperBound += by;
            tree.MoveProxy(id, box, by);
        }
        EXPECT_EQ(adapter.frame(capture, tree, f,
                                [&](std::int32_t id, const void*, bv::capture::Box2dAdapter::Tight& out) {
                                    out.box = bodies.at(id);
                                    out.tag = static_cast<std::uint32_t>(id) % 3;
                                }),
                  BV_CAPTURE_OK);
        EngineFrame frame;
        frame.trees["dynamic"] = tree_of(tree);
        for (const auto& [id, box] : bodies)
            frame.proxies[static_cast<std::uint64_t>(id)] = {static_cast<std::uint64_t>(id), planar(box),
                                                             planar(tree.GetFatAABB(id)),
                                                             static_cast<std::uint32_t>(id) % 3};
        expected.push_back(std::move(frame));
    }
    expect_same(finished_bytes(capture), expected);
}

TEST(CaptureBox2d, AWorld) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    bv::capture::Box2dAdapter adapter;
    b2World world(b2Vec2(0.0f, -10.0f));
    std::vector<b2Fixture*> fixtures;
    for (int i = 0; i < 60; ++i) {
        b2BodyDef def;
        def.type = i < 3 ? b2_staticBody : b2_dynamicBody;
        def.position.Set(static_cast<float>(i % 6) * 1.2f, static_cast<float>(i));
        b2CircleShape circle;
        circle.m_radius = 0.5f + 0.01f * static_cast<float>(i);
        b2FixtureDef fixture;
        fixture.shape = &circle;
        fixture.density = 1.0f;
        fixture.filter.categoryBits = static_cast<uint16>(1u << (i % 4));
        fixtures.push_back(world.CreateBody(&def)->CreateFixture(&fixture));
    }
    std::vector<EngineFrame> expected;
    EXPECT_EQ(adapter.frame(capture, world, 0), BV_CAPTURE_OK);
    for (int f = 0; f < 60; ++f) {
        EngineFrame frame;
        const b2DynamicTree& tree = bv::capture::Box2dAdapter::tree_of(world);
        frame.trees["dynamic"] = tree_of(tree);
        for (const auto& [id, node] : frame.trees["dynamic"].nodes) {
            if (node.payloads.empty()) continue;
            const auto* proxy = static_cast<const b2FixtureProxy*>(tree.GetUserData(static_cast<int32>(id)));
            frame.proxies[id] = {id, planar(proxy->fixture->GetAABB(0)), node.box,
                                 proxy->fixture->GetFilterData().categoryBits};
        }
        EXPECT_EQ(frame.proxies.size(), fixtures.size());
        expected.push_back(std::move(frame));
        if (f == 59) break;
        world.Step(1.0f / 60.0f, 8, 3);
        EXPECT_EQ(adapter.frame(capture, world, f / 60.0), BV_CAPTURE_OK);
    }
    expect_same(finished_bytes(capture), expected);
}

TEST(CaptureBox2d, AnEmptyWorld) {
    bv_capture* capture = bv_capture_to_memory(nullptr, nullptr);
    bv::capture::Box2dAdapter adapter;
    const b2World world(b2Vec2(0.0f, 0.0f));
    EXPECT_EQ(adapter.frame(capture, world, 0), BV_CAPTURE_OK);
    expect_same(finished_bytes(capture), {EngineFrame{}});
}

TEST(CaptureBox2d, TheExampleRuns) {
    const TempDir folder;
    expect_example(BVLAB_EXAMPLE, (folder / "x.bvcap").string(), 201);
}

}  // namespace
}  // namespace lab::test
