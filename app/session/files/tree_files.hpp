// Writes trees of the results: `save.boxes`, `save.tree`, `export.tree` and `export.metrics`.
#pragma once

#include <functional>
#include <optional>

#include "io/file_error.hpp"
#include "session/session.hpp"

namespace lab {

/// Writes a file, from any thread; empty on success.
using FileWriter = std::function<std::optional<io::FileError>()>;

/// Captures the requested data now, to be written later. Boxes are the tight ones, in the order of payloads:
/// an opened list keeps its order, and bodies are in the order of their ids.
[[nodiscard]] FileWriter tree_file_writer(const TreeFileRequest& request, const Session& session);

}  // namespace lab
