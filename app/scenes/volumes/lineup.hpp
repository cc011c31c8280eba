// Compares every kind of bounding volume on the same bodies: of the pairs that a broadphase of fixed boxes
// passes on, how many does the kind pass on, and how many of those do not touch?
#pragma once

#include <memory>
#include <vector>

#include "results/lineup_result.hpp"
#include "world/exact.hpp"
#include "world/world.hpp"

namespace lab {

/// Caches per-mesh data. Copies share the cache.
class Lineup {
  public:
    LineupResult compare(const World& world);

  private:
    static std::vector<VolumeColumn> place(const World& world, LineupResult& result);
    void find_candidates(const World& world, LineupResult& result);

    struct Cache {
        ExactTester exact;
    };
    std::shared_ptr<Cache> cache_ = std::make_shared<Cache>();
};

}  // namespace lab
