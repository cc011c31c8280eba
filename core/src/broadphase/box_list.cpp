// Code shared by the engines that keep a list of boxes.
#include <algorithm>

#include "broadphase/engines.hpp"
#include "bv/query/raycast.hpp"

namespace bv::detail {

bool BoxListBroadphase::on_move_all(const Moves& moves) {
    for_moves(moves, [this](std::uint32_t index, const Aabb& box) { boxes_[index] = box; });
    return false;
}

QueryStats BoxListBroadphase::query_all(const Aabb& box, BoxVisitor visitor, Recording*) const {
    QueryStats stats;
    for (std::uint32_t i = 0; i < slots().size(); ++i) {
        if (!slots()[i].used) continue;
        ++stats.leaves_tested;
        if (!overlaps(boxes_[i], box)) continue;
        ++stats.hits;
        if (visitor(id_at(i), user_data_at(i)) == Visit::Stop) break;
    }
    return stats;
}

QueryStats BoxListBroadphase::raycast_all(const Ray& ray, RayVisitor visitor, Recording*) const {
    QueryStats stats;
    float limit = ray.t_max;
    for (std::uint32_t i = 0; i < slots().size(); ++i) {
        if (!slots()[i].used) continue;
        ++stats.leaves_tested;
        const auto hit = bv::raycast(Ray{ray.origin, ray.direction, limit, ray.t_min}, boxes_[i]);
        if (!hit) continue;
        ++stats.hits;
        limit = std::min(limit, visitor(id_at(i), user_data_at(i), hit->t));
        if (limit < 0.0f) break;
    }
    return stats;
}

}  // namespace bv::detail
