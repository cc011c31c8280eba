// Rays that were cast already: the same ray is cast once for each state of the world, so that what a click
// found is what the picture shows.
#pragma once

#include <cstdint>
#include <deque>

#include "view/picking.hpp"

namespace lab {

class RayCache {
  public:
    /// `cast_ray` of the ray, or its answer from before. Valid until the next call.
    const RayQuery& cast(const World& world, RayQuery::Kind kind, const bv::Ray& ray);
    void clear() { queries_.clear(); }

  private:
    static constexpr std::size_t kMaxQueries = 64;
    std::uint64_t revision_ = 0;    // of the world; stamps are never 0
    std::deque<RayQuery> queries_;  // of that revision
};

}  // namespace lab
