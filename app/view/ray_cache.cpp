#include "view/ray_cache.hpp"

#include <algorithm>

namespace lab {

const RayQuery& RayCache::cast(const World& world, RayQuery::Kind kind, const bv::Ray& ray) {
    if (revision_ != world.revision()) queries_.clear();
    revision_ = world.revision();
    const auto known = std::find_if(queries_.begin(), queries_.end(),
                                    [&](const RayQuery& query) { return query.ray == ray; });
    if (known != queries_.end()) {
        known->kind = kind;
        return *known;
    }
    if (queries_.size() == kMaxQueries) queries_.pop_front();
    return queries_.emplace_back(cast_ray(world, kind, ray));
}

}  // namespace lab
