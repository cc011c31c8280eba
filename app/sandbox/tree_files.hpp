// Trees of the results as files: what `save.boxes`, `save.tree`, `export.tree` and `export.metrics` ask for.
#pragma once

#include <optional>

#include "io/file_error.hpp"
#include "sandbox/sandbox.hpp"

namespace lab {

/// Nothing if it was written. The boxes are the tight ones, in the order of their numbers, so that a list
/// comes back as it was opened and bodies stand in the order of their ids.
std::optional<io::FileError> write_tree_file(const TreeFileRequest& request, const Sandbox& sandbox);

}  // namespace lab
