// One factory per scene, for the table in scenes.cpp.
#pragma once

#include <memory>

#include "sandbox/scenes.hpp"

namespace lab::scenes {

std::unique_ptr<Scene> make_welcome();
std::unique_ptr<Scene> make_mesh();
std::unique_ptr<Scene> make_boxes();

}  // namespace lab::scenes
