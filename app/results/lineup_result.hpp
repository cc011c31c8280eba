// The comparison of all kinds of bounding volumes around the same bodies in one frame.
#pragma once

#include <cstdint>
#include <vector>

#include "bv/fit/volume.hpp"
#include "results/frame_results.hpp"

namespace lab {

/// The result of one frame's comparison.
struct LineupResult {
    std::uint64_t bodies = 0;
    std::vector<BodyPair> candidates;           ///< Fixed boxes overlap; sorted.
    std::vector<BodyPair> touching;             ///< Of those, the meshes touch.
    double exact_us = 0;                        ///< Per candidate.
    std::vector<FalseAlarms> kinds;             ///< One for each of `kLineup`.
    std::vector<std::vector<BodyPair>> passed;  ///< The same order.
    /// The volumes in the world, in the same order and then by index of bodies.
    std::vector<std::vector<bv::fit::Volume>> volumes;
    std::vector<std::vector<float>> slacks;  ///< What their tests add to them.
};

}  // namespace lab
