// Every kind of bounding volume around the same bodies, and what each lets through: of the pairs that a
// broadphase of fixed boxes passes on, how many does the kind pass, and how many of those do not touch?
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bv/fit/volume.hpp"
#include "results/lineup_result.hpp"
#include "world/exact.hpp"
#include "world/world.hpp"

namespace lab {

struct LineupKind {
    std::string_view id;  ///< As in the setting `alarms.kind`.
    std::string_view name;
    Role role = Role::Muted;
};
/// From the simplest to the tightest.
std::span<const LineupKind> lineup_kinds();

/// Keeps what belongs to meshes and not to frames. A copy shares it.
class Lineup {
  public:
    LineupResult compare(const World& world);

  private:
    struct MeshVolumes {
        bv::fit::Volume hull, capsule, swept;
    };
    const MeshVolumes& volumes_of(const MeshLibrary& meshes, MeshId id);
    void place(const World& world, LineupResult& result);
    void find_candidates(const World& world, LineupResult& result);

    struct Cache {
        std::unordered_map<std::uint32_t, MeshVolumes> meshes;
        ExactTester exact;
    };
    std::shared_ptr<Cache> cache_ = std::make_shared<Cache>();
};

}  // namespace lab
