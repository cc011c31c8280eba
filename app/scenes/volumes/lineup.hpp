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
#include "world/exact.hpp"
#include "results/frame_results.hpp"
#include "world/world.hpp"

namespace lab {

struct LineupKind {
    std::string_view id;  ///< As in the setting `alarms.kind`.
    std::string_view name;
    Role role = Role::Muted;
};
/// From the simplest to the tightest.
std::span<const LineupKind> lineup_kinds();

/// What one frame's comparison found.
struct LineupResult {
    std::uint64_t bodies = 0;
    std::vector<BodyPair> candidates;           ///< Fixed boxes overlap; sorted.
    std::vector<BodyPair> touching;             ///< Of those, the meshes touch.
    double exact_us = 0;                        ///< Per candidate.
    std::vector<FalseAlarms> kinds;             ///< One for each of `lineup_kinds`.
    std::vector<std::vector<BodyPair>> passed;  ///< The same order.
    /// The volumes in the world, by kind and then by body; of k-DOPs made anew from the hull's corners.
    std::vector<std::vector<bv::fit::Volume>> volumes;
};

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
