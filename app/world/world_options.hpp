// The world's part of the settings.
#pragma once

#include "bv/broadphase/broadphase.hpp"
#include "results/frame_results.hpp"
#include "world/exact.hpp"
#include "world/volumes.hpp"

namespace lab {

enum class Contact : unsigned char { Pass, Bounce, Stop };

struct WorldOptions {
    VolumeChoice volumes;  ///< For bodies without their own choice.
    Contact contact = Contact::Pass;
    bool exact = false;  ///< Test the meshes or voxels of pairs whose volumes overlap.
    ExactBy exact_by = ExactBy::Meshes;
    bv::BroadphaseKind broadphase = bv::BroadphaseKind::WideTree;
    bv::TreeOptions tree;  ///< For the dynamic tree.
    bv::RayMode ray_mode = bv::RayMode::Watertight;
    friend bool operator==(const WorldOptions&, const WorldOptions&) = default;
};

}  // namespace lab
