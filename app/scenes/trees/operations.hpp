// Scenes that keep what their tree did, one operation after the other.
#pragma once

#include <optional>
#include <string>

namespace lab {

class KeepsOperations {
  public:
    virtual ~KeepsOperations() = default;
    /// `tree.undo` and `tree.redo`: shows the tree that many operations later, or earlier. Says why not.
    virtual std::optional<std::string> step_operations(int by) = 0;
};

}  // namespace lab
