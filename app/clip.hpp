// A clip being recorded: one numbered picture per frame in a folder, for a program that makes a film of them.
#pragma once

#include <string>
#include <vector>

#include "session/session.hpp"

namespace lab {

class Clip {
  public:
    /// Starts the clip that the command `clip` requested.
    void begin(const ClipRequest& request);
    [[nodiscard]] bool going() const { return left_ > 0; }
    /// Pictures still to be written.
    [[nodiscard]] int left() const { return left_; }
    /// The file for the picture of this frame; counts it.
    std::string next_file();
    /// A picture could not be written: no more of them.
    void stop() { left_ = 0; }
    /// The message to show once the last picture is written.
    [[nodiscard]] std::string summary() const;

  private:
    std::string folder_;
    int count_ = 0, left_ = 0;
};

}  // namespace lab
