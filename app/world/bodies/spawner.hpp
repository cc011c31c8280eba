// Adds many bodies at once: position, motion and size follow from the options and a seed.
#pragma once

#include <cstdint>
#include <optional>

#include "world/world.hpp"

namespace lab {

enum class Placement : unsigned char {
    Uniform,   ///< Anywhere.
    Clusters,  ///< In a few clusters.
    Row,       ///< Side by side along the longest edge.
    Grid,      ///< In layers.
    Shell,     ///< On the surface of an ellipsoid.
};

struct SpawnOptions {
    std::optional<MeshId> mesh;  ///< Without a value the generated meshes take turns.
    float radius = 0.6f;         ///< Of the bounding sphere.
    float spread = 0.25f;        ///< Relative variation of the radius.
    float speed = 2.0f;          ///< Maximum speed; m/s.
    MotionKind motion = MotionKind::Drift;
    Placement placement = Placement::Uniform;
    VolumeSet shown = kShowAll;
};

/// Adds `count` bodies inside `space` (the arena, if the world has one) with directions, speeds and spins
/// that follow from `seed` alone. Returns the number of bodies added: the world may be full.
int spawn_bodies(World& world, int count, const bv::Aabb& space, const SpawnOptions& options,
                 std::uint64_t seed);

}  // namespace lab
