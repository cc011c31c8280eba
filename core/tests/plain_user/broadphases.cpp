#include "bv/broadphase/broadphase.hpp"
#include "plain_user.hpp"
#include "workloads/boxes.hpp"

int plain_user::use_broadphases() {
    const std::vector<bv::Aabb> boxes = bv::workloads::MovingBoxes(300, 7).boxes();
    int wrong = 0;
    std::vector<bv::ProxyPair> expected;
    for (const bv::BroadphaseInfo& info : bv::broadphase_kinds()) {
        const auto engine = bv::make_broadphase(info.kind);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            wrong += expect(engine->insert(boxes[i], i).id.valid(), "broadphase: insert");
        engine->update();
        std::vector<bv::ProxyPair> pairs;
        (void)engine->find_pairs(pairs);
        if (info.kind == bv::BroadphaseKind::BruteForce) expected = pairs;
        const auto copy = engine->clone();
        std::vector<bv::ProxyPair> again;
        (void)copy->find_pairs(again);
        wrong += expect(!pairs.empty() && pairs == expected && again == expected, "broadphase: pairs");
    }
    return wrong;
}
