// A cache of cast rays: the same ray is cast once per state of the world, so that the picture shows the hit
// that a click found.
#pragma once

#include <cstdint>
#include <deque>

#include "view/picking.hpp"

namespace lab {

class RayCache {
  public:
    /// The cached result of `cast_ray`. Valid until the next call.
    const RayQuery& cast(const World& world, RayQuery::Kind kind, const bv::Ray& ray);
    void clear() { queries_.clear(); }

  private:
    static constexpr std::size_t kMaxQueries = 64;
    std::uint64_t revision_ = 0;    // of the world; stamps are never 0
    std::deque<RayQuery> queries_;  // of that revision
};

}  // namespace lab
