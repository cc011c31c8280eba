// Paths of the program, its data folders and the user's configuration.
#pragma once

#include <filesystem>
#include <string_view>

namespace lab::platform {

/// The folder of the running program; the working directory if the system does not report it.
std::filesystem::path executable_dir();

/// The data folder `name` ("shaders", "assets"), or empty. Looks into $BVLAB_DATA_DIR, where an installation
/// has it (share/bvlab under any prefix), beside the program, and in the folders above it (a build tree
/// inside the source tree). The working directory plays no part.
std::filesystem::path find_data_dir(std::string_view name);

/// $XDG_CONFIG_HOME/bvlab, or ~/.config/bvlab; empty when neither is set. Not created. As the XDG
/// specification says, a relative $XDG_CONFIG_HOME counts as not set.
std::filesystem::path config_dir();

}  // namespace lab::platform
