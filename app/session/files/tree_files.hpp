// Trees of the results as files: what `save.boxes`, `save.tree`, `export.tree` and `export.metrics` ask for.
#pragma once

#include <functional>
#include <optional>

#include "io/file_error.hpp"
#include "session/session.hpp"

namespace lab {

/// Writes a file, from any thread; nothing if it went well.
using FileWriter = std::function<std::optional<io::FileError>()>;

/// Takes what is asked for as it stands now, to be written later. The boxes are the tight ones, in the order
/// of their numbers, so that a list comes back as it was opened and bodies stand in the order of their ids.
[[nodiscard]] FileWriter tree_file_writer(const TreeFileRequest& request, const Session& session);

}  // namespace lab
