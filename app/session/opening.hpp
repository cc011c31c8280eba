// What is known of a file while it is on its way in; for the parts of the sandbox that open files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bv/shapes/aabb.hpp"
#include "session/sandbox.hpp"
#include "world/tree_recipes.hpp"

namespace lab {

/// What the job that brings a file in has read, and what then becomes of it.
struct Sandbox::Opening {
    std::string path;
    std::optional<std::string> problem;  ///< Why it is refused.
    MeshEntry mesh;                      ///< Or a voxel model's.
    std::vector<bv::Aabb> boxes;
    bv::TreeSnapshot tree;
    MeasuredTree measured;
    bv::LooseNodes loose;
    std::string message;
    bool unchanged = false;  ///< The mesh that was read from there before is what the file still holds.
    void (*take_in)(Sandbox&, Opening&) = nullptr;
    std::string_view scene;  ///< That shows it. Not started for what a saved scene or a recording needs.
    /// When it is cancelled, if that leaves something to do.
    void (*give_up)(Sandbox&, Opening&) = nullptr;
};

}  // namespace lab
