#include "bv/tree/wide_tree.hpp"

#include <cstdint>
#include <tuple>
#include <vector>

#include "plain_user.hpp"
#include "workloads/boxes.hpp"

int plain_user::use_wide_tree() {
    const std::vector<bv::Aabb> boxes = bv::workloads::MovingBoxes(300, 7).boxes();
    bv::WideTree tree;
    std::vector<bv::ProxyId> ids;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        ids.push_back(tree.insert(boxes[i], i).id);
    for (std::size_t i = 0; i < boxes.size(); i += 3)
        (void)tree.remove(ids[i]);
    int wrong = 0;
    for (std::size_t i = 1; i < boxes.size(); i += 3)
        wrong += expect(static_cast<bool>(tree.move(ids[i], boxes[i - 1])), "wide_tree: move");
    tree.update();

    const auto answer = [&boxes](const bv::WideTree& t) {
        std::vector<std::uint64_t> found;
        std::vector<float> entries;
        std::uint32_t pairs = 0;
        t.query(boxes[5], [&](bv::ProxyId, std::uint64_t data) { found.push_back(data); });
        for (const bv::Ray& ray : bv::workloads::rays_from_outside(20, t.bounds(), 3))
            t.raycast(ray, [&](bv::ProxyId, std::uint64_t, float enter) {
                entries.push_back(enter);
                return ray.t_max;
            });
        t.for_each_pair([&](bv::ProxyId, bv::ProxyId) { ++pairs; });
        return std::tuple(found, entries, pairs, t.size(), t.snapshot().boxes, t.validate());
    };
    wrong += expect(tree.size() == 200 && !tree.validate(), "wide_tree: size");
    wrong += expect(!std::get<1>(answer(tree)).empty(), "wide_tree: rays");
    wrong += same_after_copies(tree, "wide_tree: copies", answer);
    tree.clear();
    return wrong + expect(tree.empty(), "wide_tree: clear");
}
