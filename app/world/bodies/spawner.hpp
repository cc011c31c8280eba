// New bodies by the dozen: where they stand, how they move and how large they are follows from the options
// and a seed.
#pragma once

#include <cstdint>
#include <optional>

#include "world/world.hpp"

namespace lab {

enum class Placement : unsigned char {
    Uniform,   ///< Anywhere.
    Clusters,  ///< In a handful of heaps.
    Row,       ///< Side by side along the longest edge.
    Grid,      ///< In layers.
    Shell,     ///< On the surface of an ellipsoid.
};

struct SpawnOptions {
    std::optional<MeshId> mesh;  ///< Nothing: the generated meshes take turns.
    float radius = 0.6f;         ///< Of the bounding sphere.
    float spread = 0.25f;        ///< Each body's radius varies by this share around it.
    float speed = 2.0f;          ///< The fastest; m/s.
    MotionKind motion = MotionKind::Drift;
    Placement placement = Placement::Uniform;
    VolumeSet shown = kShowAll;
};

/// Adds `count` bodies inside `space` (the room, if the world has one) with directions, speeds and spins that
/// follow from `seed` alone. Returns how many there was room for.
int spawn_bodies(World& world, int count, const bv::Aabb& space, const SpawnOptions& options,
                 std::uint64_t seed);

}  // namespace lab
