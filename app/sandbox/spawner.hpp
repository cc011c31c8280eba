// New bodies by the dozen, at random places of the world, from a seed.
#pragma once

#include <cstdint>
#include <optional>

#include "sandbox/world.hpp"

namespace lab {

struct SpawnOptions {
    std::optional<MeshId> mesh;  ///< Nothing: the generated meshes take turns.
    float radius = 0.6f;         ///< Of the bounding sphere; each body varies by a third around it.
    float speed = 2.0f;          ///< The fastest; m/s.
    std::uint8_t shown = kShowAll;
};

/// Adds `count` bodies inside `space` (the room, if the world has one) with random directions, speeds and
/// spins that follow from `seed` alone. Returns how many there was room for.
int spawn_bodies(World& world, int count, const bv::Aabb& space, const SpawnOptions& options,
                 std::uint64_t seed);

}  // namespace lab
