// Every kind of bounding volume around the same bodies, and what each lets through: of the pairs that a
// broadphase of fixed boxes passes on, how many does the kind pass, and how many of those do not touch?
#pragma once

#include <memory>
#include <vector>

#include "results/lineup_result.hpp"
#include "world/exact.hpp"
#include "world/world.hpp"

namespace lab {

/// Keeps what belongs to meshes and not to frames. A copy shares it.
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
