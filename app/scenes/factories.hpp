// One factory per scene, for the table in scenes.cpp.
#pragma once

#include <memory>

#include "scenes/scenes.hpp"

namespace lab::scenes {

std::unique_ptr<Scene> make_welcome();
std::unique_ptr<Scene> make_mesh();
std::unique_ptr<Scene> make_boxes();
std::unique_ptr<Scene> make_broadphases();
std::unique_ptr<Scene> make_fat_boxes();
std::unique_ptr<Scene> make_aabb_forms();
std::unique_ptr<Scene> make_aabb_overlap();
std::unique_ptr<Scene> make_aabb_plane();
std::unique_ptr<Scene> make_aabb_sweep();
std::unique_ptr<Scene> make_aabb_transform();
std::unique_ptr<Scene> make_aabb_tree();
std::unique_ptr<Scene> make_frustum();
std::unique_ptr<Scene> make_mesh_cut();
std::unique_ptr<Scene> make_narrow_phase();
std::unique_ptr<Scene> make_mesh_bvh();
std::unique_ptr<Scene> make_obb_sat();
std::unique_ptr<Scene> make_obb_tree();
std::unique_ptr<Scene> make_ray_aabb();
std::unique_ptr<Scene> make_ray_picking();
std::unique_ptr<Scene> make_ray_triangle();
std::unique_ptr<Scene> make_rectangles();
std::unique_ptr<Scene> make_stress();
std::unique_ptr<Scene> make_tree_balance();
std::unique_ptr<Scene> make_tree_file();
std::unique_ptr<Scene> make_volumes();
std::unique_ptr<Scene> make_voxels();
std::unique_ptr<Scene> make_voxel_invaders();

}  // namespace lab::scenes
